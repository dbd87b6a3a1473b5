#!/usr/bin/env bash
# Two machines share one memory through a bare git repository; here all three are folders.
#
# Any URL that git can push to will do in place of the folder.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

on() { # on MACHINE COMMAND...: run memoir with that machine's store
    local machine=$1
    shift
    echo "$machine\$ memoir $*"
    memoir -s "$machine" "$@" 2>&1 | sed "s|$work/||"
}

git init --quiet --bare shared.git
on laptop init
on laptop remember "Use pytest, not unittest." -p preferences.coding.testing
on laptop remote add origin shared.git
on laptop push

echo
memoir clone shared.git desktop | sed "s|$work/||"
on desktop remember "Tests run in parallel." -p workflow.tests.run
on desktop push

echo
on laptop remember "The runner has a time limit." -p debugging.ci.timeouts
on laptop push || echo "(refused with exit status $?: the desktop was first)"
on laptop pull
on laptop push

echo
on desktop pull
on desktop ls

echo
roots=$(for machine in laptop desktop; do memoir -s "$machine" status --json | jq -r .root; done | sort -u | wc -l)
echo "different roots: $roots (equal memories have equal roots)"
