#!/usr/bin/env bash
# A project whose every commit is remembered: a post-commit hook in a throwaway repository.
#
# The hook is all that a project of your own needs; its store would be made by 'memoir init' there.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work" "$work-worktree"' EXIT
cd "$work"
unset MEMOIR_STORE
export MEMOIR_AUTHOR="post-commit hook <hook@localhost>"
export GIT_AUTHOR_NAME=Example GIT_AUTHOR_EMAIL=example@localhost
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL

git init --quiet
memoir init >/dev/null

cat >.git/hooks/post-commit <<'HOOK'
#!/bin/sh
# Remember the commit's message; memories at one path under 'experience' are appended, not replaced.
commit=$(git rev-parse --short HEAD)
printf %s "$(git log -1 --format=%B)" |
    memoir remember - -p experience.project.commits --meta "commit=$commit" -m "remember commit $commit" >/dev/null ||
    echo "post-commit: memoir could not remember $commit" >&2
HOOK
chmod +x .git/hooks/post-commit
echo "installed .git/hooks/post-commit"

for message in "Add a parser" "Parse comments too" "Reject unknown escapes, which were kept as they stood"; do
    echo "$message" >>notes
    git add notes
    git commit --quiet -m "$message"
done
git worktree add --quiet "$work-worktree"
cd "$work-worktree" # its commits go to the same store
git commit --quiet --allow-empty -m "Try a faster parser in a worktree"
echo "made $(git rev-list --count HEAD) commits, one of them in a worktree"

echo "what the store remembers of them:"
memoir get experience.project.commits --json | jq -r '.items[0].value.memories[].content | "  " + .'
echo "and what git sees of the store:$(git status --porcelain | sed 's/^/ /' | grep . || echo ' nothing')"
