"""The example store of `memoir ui --demo`: facts about memoir itself, with a history of some days."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from tempfile import TemporaryDirectory
from typing import NamedTuple

from memoir.memory.write_options import WriteOptions
from memoir.progress import Progress, tell_nobody
from memoir.records.origins import AGENT
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.settings import AUTHOR, NOW

FACTS = "memoir-itself.jsonl"
"""The facts, each with the file of the project that proves it."""
TALK, DOCUMENT = "demo_talk.txt", "demo_document.txt"
"""The ingested sources: a conversation and a document."""
NOTES = "demo_notes.txt"
"""Memories stored by hand: the time, the author, the branch (`-`: the current one), the key and the content."""


class _Step(NamedTuple):
    """Something that an agent did at a time."""

    time: str
    author: str
    act: Callable[[Repository], object]


@contextmanager
def demo_store(progress: Progress = tell_nobody) -> Iterator[str]:
    """Make the example store in a folder that is deleted afterwards, and give its git directory."""
    with TemporaryDirectory(prefix="memoir-demo-") as folder:
        build(folder, progress)
        yield os.path.join(folder, ".memoir")


def build(folder: str, progress: Progress = tell_nobody) -> None:
    """Make the example store in a folder; it is the same each time."""
    with Repository.init(folder, origin=AGENT) as repository:
        steps = (*_ACTS, *map(_remember, _read(NOTES).decode().splitlines()))
        for done, step in enumerate(sorted(steps, key=lambda step: step.time)):
            progress(done, len(steps))
            with _clock(step.time, step.author):
                step.act(repository)


def _read(name: str) -> bytes:
    """A file of the example."""
    return files("memoir.ui").joinpath(name).read_bytes()


def _ingest(file: str, name: str) -> Callable[[Repository], object]:
    return lambda repository: repository.sources.ingest_text(_read(file).decode(), name=name)


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
    """A step's act that imports the facts below some first levels; without any, all facts."""

    def act(repository: Repository) -> None:
        lines = _read(FACTS).splitlines()
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
    _Step("2026-11-22T09:40", "agent-a", _ingest(TALK, "planning")),
    _Step("2026-11-22T11:05", "agent-b", _ingest(DOCUMENT, "before-release")),
    _Step("2026-11-22T15:00", "agent-a", lambda each: each.branches.create("quick-rounds")),
    _Step("2026-11-22T15:01", "agent-a", lambda each: each.branches.create("linting")),
    _Step("2026-11-22T17:00", "agent-a", lambda each: each.merge("linting")),
    _Step("2026-11-23T11:00", "agent-a", _quarantine),
    _Step("2026-11-23T11:30", "agent-a", lambda each: each.agents.pin("workflow.coding.rounds")),
)


def _remember(note: str) -> _Step:
    """The step for a line of `NOTES`."""
    time, author, branch, key, content = note.split(" ", 4)
    options = WriteOptions(branch=None if branch == "-" else branch)
    return _Step(time, author, lambda each: each.remember(content, key, options=options))
