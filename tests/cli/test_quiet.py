"""`--quiet`: scripts get the answer they asked for and no report; `-C` names the store as git's does."""

import pytest
from support import Memoir

REPORTS = [
    "remember hello -p a.c", "forget a.b", "mv a.b a.d", "branch side", "tag v1", "checkout -b side", "undo",
    "import lines.jsonl", "export -o out.jsonl", "gc", "fsck", "config memoir.recall.k 3", "grep hello", "init other",
    "purge --content hello --yes",
]  # fmt: skip


@pytest.mark.parametrize("line", REPORTS)
def test_what_only_reports_prints_nothing(line: str, memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")
    (memoir.folder / "lines.jsonl").write_text('{"path": "x.y", "content": "new"}\n')

    done = memoir.run("-q", *line.split())

    assert done == (0, "", "")


@pytest.mark.parametrize(
    ("line", "part"),
    [("get a.b", "hello"), ("log", "commit "), ("branch", "* main"), ("remember x -p a.c --dry-run", "a.c")],
)
def test_quiet_prints_results(line: str, part: str, memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")

    assert part in memoir.ok(*line.split(), "--quiet")


def test_errors_and_json_are_printed_all_the_same(memoir: Memoir) -> None:
    done = memoir.run("forget", "-q", "no.such")

    assert (done.status, done.out) == (4, "") and "no memory at default:no.such" in done.err
    assert memoir.json("remember", "hello", "-p", "a.b", "-q")["key"] == "a.b"


def test_a_store_is_named_with_c_as_in_git(memoir: Memoir) -> None:
    memoir.ok("init", "other")
    memoir.ok("-C", "other", "remember", "hello", "-p", "a.b")

    assert memoir.ok("ls", "-C", "other", "-q") == "a.b\n"


def test_quiet_still_reports_what_is_missing(memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")
    memoir.ok("config", "--global", "memoir.recall.mode", "single")
    memoir.ok("config", "--global", "memoir.filing.classifier", "model")

    recall = memoir.run("-q", "recall", "hello")
    write = memoir.run("-q", "remember", "We deploy on Fridays")

    assert "hello" in recall.out and write.out == ""
    purge = memoir.run("-q", "purge", "a.b", "--yes")

    assert "too short to search other texts for: 'hello'" in purge.out
    for done in (recall, write):
        assert done.err.startswith("degraded: ") and len(done.err.splitlines()) == 1
