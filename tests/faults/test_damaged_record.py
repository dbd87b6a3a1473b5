"""A record that cannot be read, as the command meets it: named, never a traceback, and in nobody's way."""

import json

import pytest
from fault_tools import run_all
from hostile import BAD_RECORDS, Forge
from support import Memoir

from memoir.store.store import Store
from memoir.tree.edit import apply

_ANSWERED_COMMANDS = (
    "get a.apple", "get --prefix a", "get a.*", "ls", "summarize --depth 1", "grep apple", "recall apple", "timeline",
    "log", "log a.bad", "blame a.bad", "diff HEAD~1", "show", "status", "classify --dry-run", "why a.apple", "branch",
)  # fmt: skip
_REFUSED_COMMANDS = (
    "get a.bad",
    "get a.apple a.bad",
    "show HEAD:a.bad",
    "remember x -p a.bad",
    "why a.bad",
    "export",
    "fsck",
)


@pytest.fixture(params=["metadata 900 deep", "content a number", "timestamp null", "no JSON"])
def bad_store(memoir: Memoir, request: pytest.FixtureRequest) -> Memoir:
    memoir.remember("a.apple", "an apple")
    with Store(memoir.git_dir) as store:
        forge = Forge(store)
        rows = dict(store.head().tree.scan()) | {b"default=a.bad": forge.blob(BAD_RECORDS[request.param])}
        forge.commit(apply(store.tree(None), rows, forge.pack), lies=False)
    return memoir


def test_only_who_asks_for_it_fails(bad_store: Memoir) -> None:
    for command, done in zip(_ANSWERED_COMMANDS, run_all(bad_store, map(str.split, _ANSWERED_COMMANDS)), strict=True):
        assert done.status == 0 and "Traceback" not in done.err, (command, done)
    for command, done in zip(_REFUSED_COMMANDS, run_all(bad_store, map(str.split, _REFUSED_COMMANDS)), strict=True):
        assert done.status == 7 and "Traceback" not in done.err, (command, done)
        assert "default:a.bad" in done.out + done.err, (command, done)

    assert "left out: the record at default:a.bad" in bad_store.run("grep", "apple", "--json").err
    bad_store.ok("forget", "a.bad")
    assert bad_store.run("export").status == 0


def test_every_search_names_what_it_leaves_out(bad_store: Memoir) -> None:
    """The one that indexes, and those that find it indexed; none once it is removed."""
    for _ in range(2):
        done = bad_store.run("recall", "apple", "--json", "--quiet")
        assert "left out: the record at default:a.bad" in done.err
        assert [memory["path"] for memory in json.loads(done.out)["memories"]] == ["a.apple"]

    bad_store.ok("forget", "a.bad")
    assert "a.bad" not in bad_store.run("recall", "apple").err
