#!/usr/bin/env bash
# Two agents learn at the same time, each on a branch of its own; then their branches are merged.
#
# Nobody switches branches: --branch writes to one that is not checked out. Where both agents changed
# the same memory, the merge stops and shows both sides; a strategy settles it, and nothing is lost.
set -euo pipefail

MEMOIR_STORE=$(mktemp -d)
trap 'rm -rf "$MEMOIR_STORE"' EXIT
export MEMOIR_STORE

memoir init >/dev/null
memoir remember "Deploy by hand." -p workflow.deploy.way >/dev/null
memoir branch agent-a && memoir branch agent-b

export MEMOIR_NOW=2026-03-01T09:00:00Z
memoir remember "The cache is keyed by the lock file." -p debugging.ci.cache --branch agent-a
memoir remember "Deploy with make." -p workflow.deploy.way --branch agent-a
export MEMOIR_NOW=2026-03-01T10:00:00Z
memoir remember "A retry does not reset the time limit." -p debugging.ci.cache --branch agent-b
memoir remember "Deploy from the pipeline." -p workflow.deploy.way --branch agent-b

echo
echo "merge agent-a:"
memoir merge agent-a

echo
echo "merge agent-b:"
if ! answer=$(memoir merge agent-b --json); then
    jq -r '.error | .message, (.conflicts[] | "  \(.key)\n    ours:   \(.ours)\n    theirs: \(.theirs)")' <<<"$answer"
fi

echo
echo "merge agent-b, the newer memory of the two to stand:"
memoir merge agent-b --strategy newest
memoir get workflow.deploy.way debugging.ci.cache

echo
echo "what the other agent had written is still known:"
memoir blame workflow.deploy.way --json | jq -r '.entries[] | "  \(.commit[:8]) \(.operation): \(.content)"'
