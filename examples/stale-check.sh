#!/usr/bin/env bash
# A change must not leave what agents believe about the code behind: a pre-push hook, and the same check as a step of CI.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset MEMOIR_STORE
export GIT_AUTHOR_NAME=Example GIT_AUTHOR_EMAIL=example@localhost
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL

git init --quiet --bare hub.git
git init --quiet --initial-branch=main project
cd project
git remote add origin ../hub.git
memoir init >/dev/null

cat >.git/hooks/pre-push <<'HOOK'
#!/bin/sh
# List the memories that this push makes stale; 'git push --no-verify' pushes all the same.
git rev-parse --quiet --verify origin/main >/dev/null || exit 0
memoir stale --since origin/main --exit-code --diff || {
    echo "pre-push: confirm, edit or forget these memories first" >&2
    exit 1
}
HOOK
chmod +x .git/hooks/pre-push

printf 'def check(token):\n    return token == SECRET\n' >auth.py
git add auth.py
git commit --quiet -m "Check tokens"
git push --quiet origin main
memoir remember "Tokens are compared with ==, which is fine on this network." -p knowledge.auth.tokens --about auth.py:1-2 >/dev/null

printf 'def check(token):\n    return compare_digest(token, SECRET)\n' >auth.py
git commit --quiet -am "Compare in constant time"

echo '$ git push'
git push --quiet origin main 2>/dev/null || echo "refused with exit status $?"

echo '$ memoir remember ... (the memory is put right)'
memoir remember "Tokens are compared in constant time." -p knowledge.auth.tokens --about auth.py:1-2 >/dev/null
git push --quiet origin main 2>/dev/null && echo "pushed"

# In CI, where a clone has the store beside the code ('memoir clone' brings it), the same line is a step of its own:
echo '$ memoir stale --since HEAD~1 --exit-code'
memoir --quiet stale --since HEAD~1 --exit-code && echo "nothing is stale"
