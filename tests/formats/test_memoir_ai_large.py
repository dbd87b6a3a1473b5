"""A store of 3,000 memories that memoir-ai 0.2.9 itself made: every key comes, where its own listing stops at 1,024."""

import os
import subprocess
from pathlib import Path

import pytest
from support import PROJECT, commits

from memoir.repository.repository import Repository

PYTHON = PROJECT / ".tools" / "bin" / "python"
COUNT = 3000
MAKE = f"""
import asyncio, sys
from memoir.services.memory_service import MemoryService
service = MemoryService(sys.argv[1])
for at in range({COUNT}):
    path = ("preferences.coding", "knowledge.python", "project.alpha")[at % 3] + f".item{{at}}"
    asyncio.run(service.remember(f"Memory {{at}} says {{at * 7}}.", namespace=("default", "team")[at % 2], path=path))
"""


@pytest.mark.tools
@pytest.mark.parametrize("backend", ["file", "git"])
def test_every_key_and_every_commit_comes(backend: str, repository: Repository, tmp_path: Path) -> None:
    assert PYTHON.exists(), "CONTRIBUTING.md says how to install memoir-ai"
    env = {**os.environ, "MEMOIR_PROLLY_BACKEND": backend}
    folder = tmp_path / "other"
    subprocess.run([PYTHON.with_name("memoir"), "new", str(folder)], check=True, env=env, capture_output=True)
    subprocess.run([PYTHON, "-c", MAKE, str(folder)], check=True, env=env, capture_output=True)

    done = repository.import_from(folder, "memoir-ai")
    lines = sorted(repository.export_lines())

    assert (done.read, done.imported, done.refused) == (COUNT, COUNT, [])
    assert len(lines) == COUNT
    for at in (0, 1023, 1024, COUNT - 1):
        record = repository.get(f"{('default', 'team')[at % 2]}:{_path(at)}")
        assert record and record[0].content == f"Memory {at} says {at * 7}."
    assert commits(repository.store) == COUNT
    assert repository.import_from(folder, "memoir-ai").imported == 0
    repository.undo()
    assert repository.count() == 0


def _path(at: int) -> str:
    return ("preferences.coding", "knowledge.python", "project.alpha")[at % 3] + f".item{at}"
