"""Every command that writes, with what has to be there for it: the rows of the power-cut and failing-disk tests.

A command of the tree is in `ROWS`, in `READING` or in `OTHERS`; `test_writing_commands.py` sees to that.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fault_tools import lines
from faults.test_kill_commands import KINDS, several_branches
from support import Memoir, git

from memoir.capture.spool_place import STORE
from memoir.exchange.remotes import remotes
from memoir.git.ref_names import BRANCHES
from memoir.store.store import Store


class Row(NamedTuple):
    """A command line that writes.

    Attributes:
        words: What follows `memoir`, apart from blanks.
        first: The command lines before it.
        stdin: What it reads.
        store: The folder of the store that it changes.
        damage: The kind of `KINDS` whose damage it has to repair.
        has_steps: Whether it has several results, of which an error may leave the first ones.
    """

    words: str
    first: tuple[str, ...] = ()
    stdin: bytes = b""
    store: str = "project"
    damage: str = ""
    has_steps: bool = False


def _event(name: str, **fields: str) -> bytes:
    return json.dumps({"hook_event_name": name, "session_id": "s1", "cwd": ".", **fields}).encode()


_ADVICE = "Always run the linter before you commit. We deploy with ansible from the branch release."
HOOK = "hook claude UserPromptSubmit"
_PROMPT = _event("UserPromptSubmit", prompt=_ADVICE)
_KEPT = ("capture on", HOOK)
_BATCH = b"".join(
    json.dumps({"args": each.split()}).encode() + b"\n" for each in ("remember one -p batch.one", "tag v7 other")
)

ROWS = (
    Row("remember new -p n.n"),
    Row("remember new -p n.n --branch other"),
    Row("remember changed -p a.b"),
    Row("edit a.b"),
    Row("replace a.b bulk.topic1.n1"),
    Row("mv bulk moved --prefix"),
    Row("forget a.b"),
    Row("restore a.b --at HEAD~1", ("forget a.b",)),
    Row("pin a.b"),
    Row("unpin a.b", ("pin a.b",)),
    Row("classify", ("remember Use-pytest-for-all-tests -p inbox.unsorted",)),
    Row("consolidate", ("import near.jsonl",)),
    Row("taxonomy add trips --about Travelling"),
    Row("taxonomy load taxonomy.toml"),
    Row("taxonomy reset", ("taxonomy add trips --about Travelling",)),
    Row("lexicon add k8s = kubernetes"),
    Row("lexicon remove k8s", ("lexicon add k8s = kubernetes",)),
    Row("ingest notes.md"),
    Row("sources --remove notes", ("ingest notes.md",)),
    Row("confirm code.build", ("remember built-by-make -p code.build --about main.py",)),
    Row("revert HEAD"),
    Row("undo"),
    Row("undo 2"),
    Row("redo", ("undo",)),
    Row("prove a.b -o proof.json"),
    Row("purge a.b --yes"),
    Row("branch third"),
    Row("branch -m main trunk", has_steps=True),
    Row("branch -d -f other"),
    Row("checkout other"),
    Row("checkout -b fourth"),
    Row("merge other"),
    Row("tag v1"),
    Row("tag -d v1", ("tag v1",)),
    Row("clone ../../hub.git sub", store="project/sub"),
    Row("remote add second ../hub.git"),
    Row("remote set-url origin ../elsewhere.git"),
    Row("remote remove origin"),
    Row("push", ("pull",)),
    Row("fetch", has_steps=True),
    Row("pull", has_steps=True),
    Row("sync", has_steps=True),
    Row("fold", ("config memoir.remote.origin.writers own", "sync"), has_steps=True),
    Row("import -", stdin=lines(40, first=1000)),
    Row("export -o all.jsonl"),
    Row("export --to agents-md -o AGENTS.md"),
    Row("export --to obsidian -o vault"),
    Row("setup claude --project", has_steps=True),
    Row("setup claude --project --remove", ("setup claude --project",), has_steps=True),
    Row("capture on", has_steps=True),
    Row("capture off --purge", _KEPT, has_steps=True),
    Row("capture review", _KEPT),
    Row("capture accept --all", _KEPT, has_steps=True),
    Row("capture reject --all", _KEPT, has_steps=True),
    Row(HOOK, ("capture on",), stdin=_PROMPT),
    Row("batch", stdin=_BATCH, has_steps=True),
    Row("init sub", store="project/sub"),
    Row("config memoir.repackAt 100"),
    Row("config --unset user.name"),
    Row("config --global memoir.repackAt 100"),
    Row("index --rebuild"),
    Row("gc"),
    Row("fsck --repair --yes", damage="repair a log"),
    Row("fsck --repair --yes", damage="repair a pack"),
    Row("fsck --repair --yes", damage="repair refs"),
)

READING = frozenset((
    "recall", "explain", "timeline", "eval", "get", "ls", "grep", "summarize", "suggest", "lexicon list", "lexicon why",
    "entities", "related", "threads", "thread", "about", "stale", "review", "log", "show", "blame", "diff", "why",
    "reflog", "verify", "remote list", "prime", "capture status", "doctor", "status", "embed status", "version", "help",
))  # fmt: skip
"""The commands that change nothing but what is derived."""
OTHERS = frozenset(("mcp", "ui", "serve", "insights", "embed install"))
"""Servers and what asks a model, which write by the same services; and what fills the cache with pip."""

State = dict[str, Any]


def row_id(row: Row) -> str:
    """The name of a row in the list of tests."""
    return f"{row.words} ({row.damage})" if row.damage else row.words


class World:
    """A project with a store and code, its user's home, and a hub outside, which belongs to git."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        home = folder / "home"
        self.memoir = Memoir(
            folder / "project",
            HOME=str(home),
            GIT_CONFIG_GLOBAL=str(home / ".gitconfig"),
            EDITOR="perl -pi -e s/one/uno/",
        )

    def state(self, row: Row) -> State:
        """What a user would miss: each branch and tag with all it holds, remotes, settings, and files."""
        files = {f"file {path}": data for path, data in _files(self.folder).items()}
        return files | (_state_of(self.folder / row.store) if (self.folder / row.store / ".memoir").exists() else {})


def _files(folder: Path) -> dict[str, bytes]:
    """The files outside of stores and caches, by their paths."""
    files: dict[str, bytes] = {}
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".memoir", ".cache", ".git")]
        paths = (Path(parent, name) for name in names if name != "lock")
        files |= {os.path.relpath(path, folder): _without_mark(path) for path in paths}
    return files


def _without_mark(path: Path) -> bytes:
    """What is in a file; of that which ties a spool to its store without the mark, which is random."""
    data = path.read_bytes()
    return data.partition(b"\n")[2] if path.name == STORE and path.parent.parent.name == "spool" else data


def _state_of(folder: Path) -> State:
    with Store(folder / ".memoir") as store:
        state: State = {f"{BRANCHES}{name}": tuple(store.at(BRANCHES + name).scan()) for name in store.refs.branches()}
        state |= {name: str(commit) for name, commit in store.refs.list("refs/").items() if name not in state}
        state |= {f"remote {name}": url for name, url in remotes(store).items()}
        settings = {key: values for key, values in store.settings.items() if key.startswith(("memoir.", "user."))}
        return state | settings | {"HEAD": store.refs.current}


def neither(state: State, before: State, after: State) -> set[str]:
    """What of a state is neither as it was before nor as it is after.

    Drafts of files do not count, nor how far the branches of remotes are known, of which a command may see several.
    """
    names = before.keys() | after.keys() | {name for name in state if not name.startswith("file ")}
    names = {name for name in names if not name.startswith(("remotes/", "writers/"))}
    names = {name for name in names if state.get(name) not in (before.get(name), after.get(name))}
    return {name for name in names if not _is_appended(name) or not state[name].startswith(before.get(name, b""))}


def _is_appended(name: str) -> bool:
    """Whether a file's last line may be torn, as its readers know."""
    return name.endswith("/memoir/remotes") or ("/spool/" in name and name.endswith(".jsonl"))


def _build(memoir: Memoir) -> None:
    """A store in a project of code in which each command has something to do."""
    several_branches(memoir)
    memoir.ok("config", "user.name", "Ada")
    (memoir.folder / "notes.md").write_text("# Notes\n\nThe build needs Python 3.11.\n")
    (memoir.folder / "main.py").write_text("print('hello')\n")
    (memoir.folder / "taxonomy.toml").write_text('[trips]\nabout = "Travelling"\n')
    near = ("We use pytest for all tests of the parser.", "We use pytest for all the tests of the parser.")
    rows = [json.dumps({"path": f"near.n{number}", "content": text}) for number, text in enumerate(near)]
    (memoir.folder / "near.jsonl").write_text("\n".join(rows) + "\n")
    git("init", "-q", cwd=memoir.folder)


def prepare(factory: pytest.TempPathFactory, folder: Path, row: Row) -> World:
    """The world of a row as it is before the command; it is built once in a test run and copied."""
    world = World(folder / "world")
    built = factory.getbasetemp() / "writing-world"
    if not built.exists():
        _prepare(World(built / "world"), built / "hub.git", built / "second")
    shutil.copytree(built / "world", world.folder)
    shutil.copytree(built / "hub.git", folder / "hub.git")
    world.memoir.ok("remote", "add", "origin", str(folder / "hub.git"))
    for line in row.first:
        world.memoir.ok(*line.split(), stdin=_PROMPT if line == HOOK else b"")
    if row.damage:
        damage = KINDS[row.damage][1]
        assert damage
        damage(world.memoir.git_dir)
    return world


def _prepare(world: World, hub: Path, second: Path) -> None:
    for folder in (world.memoir.folder, world.folder / "home", second):
        folder.mkdir(parents=True)
    world.memoir.ok("init")
    _build(world.memoir)
    git("clone", "-q", "--bare", str(world.memoir.git_dir), str(hub))
    other = Memoir(second)
    other.ok("clone", str(hub), str(second))
    other.remember("hub.news", "news from elsewhere")
    other.ok("push")
    world.memoir.remember("own.news", "news from here")
