"""Minilm's weights are unpacked once on a machine, and the command that does it says so."""

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from support import Memoir


def test_of_recalls_at_once_only_the_one_that_lays_the_weights_out_says_so(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("notes.db", "We use Postgres.")
    env = {**os.environ, **memoir.env, "MEMOIR_EMBED_PROVIDER": "minilm", "PROLLYTREE_EMBEDDER_CACHE": str(tmp_path)}
    running = [
        subprocess.Popen(
            memoir.argv("recall", "which database?"), cwd=memoir.folder, env=env, stdout=-1, stderr=-1, text=True
        )
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=120) for process in running]

    assert all("We use Postgres." in out for out, _ in answers)
    assert sum("unpacking the weights" in err for _, err in answers) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", ["remember 'We use Postgres.'", "ingest decisions.md", "consolidate", "capture review"]
)
def test_a_command_that_lays_them_out_says_so(memoir: Memoir, tmp_path: Path, command: str) -> None:
    memoir.remember("notes.db", "We use Postgres.")
    (memoir.folder / "decisions.md").write_text("# Decisions\n\nWe decided to use Postgres for billing.\n")
    memoir.ok("capture", "on")
    prompt = {"session_id": "one", "cwd": str(memoir.folder), "prompt": "Always run make check."}
    memoir.ok("hook", "claude", "UserPromptSubmit", stdin=json.dumps(prompt))
    result = memoir.run(*shlex.split(command), MEMOIR_EMBED_PROVIDER="minilm", PROLLYTREE_EMBEDDER_CACHE=str(tmp_path))
    assert "unpacking the weights" in result.err
