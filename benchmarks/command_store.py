"""A store that the command fills and asks, each time in a process of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LIMIT = 40
"""Hits for each question."""


def memoir(folder: Path, *arguments: str, text: str = "") -> str:
    """What a command prints, with a home of its own."""
    environment = {**os.environ, "HOME": str(folder / "home"), "MEMOIR_STORE": str(folder)}
    command = [sys.executable, "-m", "memoir", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"status {done.returncode}: memoir {' '.join(arguments)}\n{done.stderr}{done.stdout[-1000:]}")
    return done.stdout


def create(folder: Path) -> None:
    """An empty store."""
    memoir(folder, "init", str(folder))


def complete(folder: Path) -> None:
    """Wait for the index."""
    memoir(folder, "recall", "anything", "--wait", "--json")


def ask(folder: Path, questions: Sequence[str], *options: str) -> list[Any]:
    """The answer to each question, as JSON."""
    lines = "\n".join(json.dumps({"query": question}) for question in questions)
    answers = memoir(folder, "recall", "--batch", "-", "--json", "--limit", str(LIMIT), *options, text=lines)
    parsed = [json.loads(line) for line in answers.splitlines()]
    if bad := next((one for one in parsed if not one["success"] or one["degraded"]), None):
        raise SystemExit(f"failed or degraded: {json.dumps(bad)[:500]}")
    return parsed


def contents(answer: Any) -> list[str]:
    """The contents of the hits, in order."""
    return [hit["content"] for hit in answer["memories"]]
