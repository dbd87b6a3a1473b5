"""The programs of real hosts, where npm has put them."""

import os
import subprocess
from pathlib import Path

import pytest
from support import PROJECT

BIN = PROJECT / ".hosts/node_modules/.bin"
PACKAGES = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex", "gemini": "@google/gemini-cli"}


def program(name: str) -> str:
    """The path of a host's command; without it, the test is skipped."""
    if not (BIN / name).exists():
        pytest.skip(f"{name} is not installed: npm install --prefix .hosts {PACKAGES[name]}")
    return str(BIN / name)


def run(argv: list[str], folder: Path, **env: str) -> str:
    """Run a host in a folder, to its end, and return what it prints."""
    done = subprocess.run(
        argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=folder, env={**os.environ, **env},
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
