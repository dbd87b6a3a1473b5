"""The example store of `memoir ui --demo`: what memoir knows of itself, with a past of some days."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from tempfile import TemporaryDirectory
from typing import NamedTuple

from memoir.memory.write_options import WriteOptions
from memoir.records.origins import AGENT
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.settings import AUTHOR, NOW

FACTS = "memoir-itself.jsonl"
"""The facts, each with the file of the project that proves it."""
_TALK = """\
user: The suite takes too long before a push. Which part is it?
agent-a: The tests that kill processes. They are marked slow, so 'pytest -m "not slow"' leaves them out.
user: Good. From now on run the quick round between two edits, and the whole suite before a push.
agent-a: Noted. The quick round takes a minute and a half on two cores.
user: And please keep commits small: one change, and the reason in the body.
agent-a: I will. Shall the subject stay below 72 characters?
user: Yes, imperative and below 72 characters.
agent-a: The merge of two branches then shows one line for each change.
"""
_CHECKLIST = """\
# Before a release

## What has to pass

`.ci/run` installs memoir in a fresh environment, runs the linters and the whole suite.
The man pages, the completions and the schemas are generated: `scripts/generate.py --check` names what is stale.

## What is written down

Every change that a user can see has a line in the changelog. Figures come from the folder benchmarks, and each table
names the machine that it was measured on.
"""

_NOTES = """
2026-11-22T14:20 agent-a - workflow.coding.rounds Run the quick round after every edit.
2026-11-22T15:30 agent-b linting workflow.coding.linting ruff and mypy run before each commit.
2026-11-22T15:50 agent-b linting workflow.coding.formatting ruff formats; nobody argues.
2026-11-22T16:10 agent-a - workflow.release.notes Each change that a user sees has a line in the changelog.
2026-11-23T09:05 agent-b quick-rounds workflow.coding.rounds Run the quick round between two edits.
2026-11-23T09:30 agent-a - workflow.coding.rounds Run the quick round between two edits, and all tests before a push.
2026-11-23T10:00 agent-a - debugging.ci.timeouts A test that starts the command takes a second on a busy machine.
2026-11-23T10:20 agent-b - debugging.ci.timeouts The browser tests wait for an element, never for a time.
2026-11-23T15:00 agent-b - inbox.unsorted Ask whether the picture in the README needs a dark version.
2026-11-23T15:10 agent-b - inbox.unsorted The word 'leaf' means two things in the docs.
2026-11-24T08:30 agent-a - workflow.coding.commits One change a commit, its reason in the body.
2026-11-24T08:45 agent-b - user:reviewer:preferences.reviews.tone Kind, and to the point.
"""
"""What is remembered by hand: the time, the author, the branch (`-`: the current one), the key and the content."""


class _Step(NamedTuple):
    """Something that an agent did at a time."""

    time: str
    author: str
    act: Callable[[Repository], object]


@contextmanager
def demo_store() -> Iterator[str]:
    """Make the example store in a folder that is deleted afterwards, and give its git directory."""
    with TemporaryDirectory(prefix="memoir-demo-") as folder:
        build(folder)
        yield os.path.join(folder, ".memoir")


def build(folder: str) -> None:
    """Make the example store in a folder; it is the same each time."""
    with Repository.init(folder, origin=AGENT) as repository:
        for step in _steps():
            with _clock(step.time, step.author):
                step.act(repository)


@contextmanager
def _clock(time: str, author: str) -> Iterator[None]:
    variables = {NOW.key: f"{time}:00Z", AUTHOR.key: f"{author} <{author}@example.org>"}
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _import(*first_levels: str) -> Callable[[Repository], object]:
    """What imports the facts below some first levels; without any, those that are left, too."""

    def act(repository: Repository) -> None:
        lines = files("memoir.ui").joinpath(FACTS).read_bytes().splitlines()
        marks = [b'"path": "%s.' % name.encode() for name in first_levels]
        repository.import_lines([line for line in lines if not marks or any(mark in line for mark in marks)])

    return act


def _quarantine(repository: Repository) -> None:
    flaky = Memory.of("A flaky test is quarantined with an issue.", metadata={"source": "retro"})
    repository.remember(flaky, "decisions.testing.flaky", links=["derives_from=debugging.ci.timeouts"])


_ACTS = (
    _Step("2026-11-21T10:00", "agent-a", _import("context", "debugging", "knowledge", "learning", "system")),
    _Step("2026-11-21T16:30", "agent-b", _import("preferences", "project", "settings", "workflow")),
    _Step("2026-11-22T09:15", "agent-a", _import()),
    _Step("2026-11-22T09:40", "agent-a", lambda each: each.sources.ingest_text(_TALK, name="planning")),
    _Step("2026-11-22T11:05", "agent-b", lambda each: each.sources.ingest_text(_CHECKLIST, name="before-release")),
    _Step("2026-11-22T15:00", "agent-a", lambda each: each.branches.create("quick-rounds")),
    _Step("2026-11-22T15:01", "agent-a", lambda each: each.branches.create("linting")),
    _Step("2026-11-22T17:00", "agent-a", lambda each: each.merge("linting")),
    _Step("2026-11-23T11:00", "agent-a", _quarantine),
    _Step("2026-11-23T11:30", "agent-a", lambda each: each.agents.pin("workflow.coding.rounds")),
)


def _steps() -> Iterator[_Step]:
    yield from sorted((*_ACTS, *map(_remember, _NOTES.strip().splitlines())), key=lambda step: step.time)


def _remember(note: str) -> _Step:
    """The step of a line of `_NOTES`."""
    time, author, branch, key, content = note.split(" ", 4)
    options = WriteOptions(branch=None if branch == "-" else branch)
    return _Step(time, author, lambda each: each.remember(content, key, options=options))
