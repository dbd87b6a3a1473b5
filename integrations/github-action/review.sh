#!/usr/bin/env bash
# Comment on a pull request what it does to memory, or update the comment that is there. It runs in the checkout.
#
# BASE and HEAD are branches, PULL_REQUEST is a number, GITHUB_REPOSITORY is owner/name; gh reads GH_TOKEN.
set -euo pipefail

marker='<!-- memoir review -->'
comment=$(mktemp)
trap 'rm -f "$comment"' EXIT

# The checkout has the right to fetch; the store is cloned from it. Memory lies under refs/memoir/ beside the code.
git fetch --quiet origin '+refs/memoir/*:refs/memoir/*' "+refs/heads/$BASE:refs/remotes/origin/$BASE"
if [ -z "$(git for-each-ref --count=1 refs/memoir/heads/)" ]; then
    echo "the repository has no memory under refs/memoir/: nothing to review"
    exit 0
fi
[ -d .memoir ] || memoir clone "$PWD/.git" . >/dev/null

known() { memoir --quiet log --limit 1 --at "$1" >/dev/null 2>&1; }
base=origin/$BASE
known "$base" || base=origin/main
head=origin/$HEAD
known "$head" || head=$base
memoir review "$base..$head" --since "origin/$BASE" --format markdown >"$comment"

comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
query=".[] | select(.body | startswith(\"$marker\")) | .id"
mine=$(gh api --paginate "$comments?per_page=100" --jq "$query" | head -n 1)
if [ -n "$mine" ]; then
    gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$mine" -F "body=@$comment"
else
    gh api --silent --method POST "$comments" -F "body=@$comment"
fi
