"""A small store with a past, for tests that need something of everything.

    project/.memoir    two namespaces; branches main, agent-a and rival; tag v1; remote origin
    shared.git         the remote: it has rival and an older main

`agent-a` merges into main without a conflict; `rival` changes a memory that main changed too.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from support import copy_folder

from memoir.exchange import remotes
from memoir.exchange.push import push
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository

TESTING = "preferences.coding.testing"


def copy_into(folder: Path, cache: Path) -> Path:
    """A fresh copy of the sample in a folder; returns the folder that holds the store."""
    original = cache / "sample"
    if not original.exists():
        _build(original)
    copy_folder(original, folder)
    config = folder / "project" / ".memoir" / "config"
    config.write_text(config.read_text().replace(str(original), str(folder)))  # the remote's path is absolute
    return folder / "project"


def _build(folder: Path) -> None:
    with Repository.init(folder / "project") as repository:
        store = repository.store
        subprocess.run(["git", "init", "--quiet", "--bare", "--template=", folder / "shared.git"], check=True)
        remotes.add(store, "origin", str(folder / "shared.git"))
        with _day("2025-12-01", "agent-a <agent-a@example.org>"):
            _remember(repository, TESTING, "Use unittest.")
            _remember(repository, "workflow.deploy.steps", "Run 'make release (twice)',\nthen tag it.")
        _point(repository, "tag", "v1")
        with _day("2025-12-20", "agent-a <agent-a@example.org>"):
            _remember(repository, "preferences.coding.style", "Short functions.")
            _remember(repository, "preferences.editor.theme", "Dark, with high contrast.")
            _remember(repository, "project.release.day", "Release on Tuesdays.")
            _remember(repository, "debugging.ci.timeouts", "The runner has a time limit of an hour.")
            _remember(repository, "debugging.ci.timeouts", "A retry does not reset it.")
            _remember(repository, "user:alice:preferences.reviews.tone", "Kind, and to the point.")
        _point(repository, "branch", "agent-a", "rival")
        with _day("2026-01-01", "agent-b <agent-b@example.org>"):
            _remember(repository, "goals.parser.first", "Read the grammar.", branch="agent-a")
            _remember(repository, TESTING, "Use nose.", branch="rival")
        push(store, "origin", ["main", "rival"])
        subprocess.run(["git", "-C", folder / "shared.git", "gc", "--quiet"], check=True)
        _remember(repository, TESTING, "Use pytest, not unittest.")
        _remember(repository, "context.task.current", "Write the manual.")
    (folder / "project" / "CLAUDE.md").write_text("## Testing\n\n- Run make check before a push.\n")
    (folder / "project" / "memories.jsonl").write_text('{"path": "topics.import.lines", "content": "One a line."}\n')


@contextmanager
def _day(date: str, author: str) -> Iterator[None]:
    with mock.patch.dict(os.environ, {"MEMOIR_NOW": f"{date}T12:00:00Z", "MEMOIR_AUTHOR": author}):
        yield


def _remember(repository: Repository, key: str, content: str, branch: str | None = None) -> None:
    repository.remember(Memory.of(content), key, options=WriteOptions(branch=branch))


def _point(repository: Repository, kind: str, *names: str) -> None:
    """Create branches or tags at the newest commit."""
    commit = repository.store.head().commit
    assert commit
    for name in names:
        repository.store.refs.create(kind, name, commit.id)
