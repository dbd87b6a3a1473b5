#!/usr/bin/env bash
# Retrieval by an outer agent, without a model inside memoir: survey, drill down, read, escalate.
#
# An agent calls the same four commands and chooses by itself what is written as a literal here: the
# prefixes and keys that sound like its question. The marker in front of an answer says how it was found.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
MEMOIR_STORE=$(mktemp -d)
trap 'rm -rf "$MEMOIR_STORE"' EXIT
export MEMOIR_STORE MEMOIR_JSON=1

memoir init >/dev/null
memoir import "$here/memoir-itself.jsonl" | jq -r '"imported \(.imported) memories"'

ask() { printf '\n? %s\n' "$1"; }

# What lies at the keys on standard input. A key that holds nothing is no error, so guesses cost nothing.
read_keys() { memoir get --stdin | jq -r '.items[] | select(.found) | "  \(.key): \(.value.content)"'; }

# The first segments that there are, each with its count.
survey() {
    memoir summarize --depth 1 -n default |
        jq -r '[.prefix_counts.default | to_entries[] | "\(.key) \(.value)"] | join(", ")' | fold -sw 90 | sed 's/^/  /'
}

# The keys under a first segment; only its second segments, with counts, if there are more than 40.
descend() {
    memoir summarize --keys "$1.*" --depth 2 -n default |
        jq -r 'if (.matching_keys.default | length) > 40
               then .prefix_counts.default | to_entries[] | "  \(.key).* (\(.value))"
               else .matching_keys.default[] | "  \(.)" end'
}

ask "How long may a memory be?" # the question all but names the path
echo "[mode=get]"
printf '%s\n' knowledge.memory.limits knowledge.memory.size | read_keys

ask "What do we know about locks?" # one glob covers the scope
echo "[mode=flat]"
memoir summarize --keys '*lock*' -n default | jq -r '.matching_keys.default[]' | read_keys

ask "How is a change tested here?" # open-ended: survey, pick prefixes, descend, pick keys, read
echo "[mode=drill]"
survey
descend project
descend workflow
echo "  so:"
printf '%s\n' project.tests.sealing workflow.tests.layout workflow.ci.script | read_keys

ask "Who says so about the layout, and what was it before?"
memoir remember "tests/ mirrors memoir/, and what the tests share is in tests/support.py." -p workflow.tests.layout >/dev/null
echo "[mode=drill+blame]"
memoir blame workflow.tests.layout -l 2 |
    jq -r '.entries[] | "  \(.commit[:8]) by \(.author), \(.operation): \(.content)"'

ask "What has changed since the import?"
echo "[mode=diff]"
memoir diff HEAD~1 HEAD | jq -r '.changes[] | "  \(.operation) \(.namespace):\(.key)\n  - \(.old)\n  + \(.new)"'
