"""`docs/security.md` names tests that exist, and every setting of git that could start a program or name a place."""

import re
import subprocess

from support import PROJECT

_DOC = (PROJECT / "docs" / "security.md").read_text()

# How git names settings that take a program, a file, a folder or an address.
_DANGEROUS = re.compile(
    r"(cmd|command|program|helper|tunnel|\.textconv|\.clean|smudge|process|driver|external|editor|pager|browser|askpass"
    r"|proxy|hook|hookspath|fsmonitor|template|templatedir|worktree|path|file|dir|directory|target|url|uri|insteadof|tool)$"
)
# Whose last word only looks like it: switches, conditions, and settings of programs that memoir does not start.
_HARMLESS = re.compile(
    r"^((advice|color|column|completion|fsck|receive\.fsck|fetch\.fsck|gitcvs|gitweb|gui|guitool|svn)\..*|core\.filemode"
    r"|core\.quotepath|help\.htmlpath|instaweb\.modulepath|notes\.rewrite\.<command>|diff\.guitool|merge\.guitool"
    r"|credential\.usehttppath|transfer\.credentialsinurl|hasconfig:.*)$"
)


def test_every_test_of_the_tables_exists() -> None:
    rows = [line for line in _DOC.splitlines() if line.startswith("| ") and "| what prevents it |" not in line]
    matches = [re.fullmatch(r"`(tests/[\w/]+\.py)::(test_\w+)`", row.strip("| ").split(" | ")[-1]) for row in rows]

    assert len(rows) > 40 and all(matches)
    for place in re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", _DOC):
        assert f"def {place[1]}(" in (PROJECT / place[0]).read_text(), place


def test_every_setting_that_could_start_a_program_or_name_a_place_is_in_a_table() -> None:
    text = subprocess.run(["git", "help", "--config"], capture_output=True, text=True, check=True).stdout.lower()
    suspects = [name for name in text.split() if _DANGEROUS.search(name) and not _HARMLESS.search(name)]
    names = {_plain(name) for name in re.findall(r"`([^`\s]+)`", _DOC)}

    assert len(suspects) > 50
    assert [name for name in suspects if not names & {_plain(name), f"{name.partition('.')[0]}.*"}] == []


def _plain(name: str) -> str:
    return re.sub(r"<[^>]*>", "*", name.lower())
