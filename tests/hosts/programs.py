"""The programs of real hosts, where npm has put them, and what several stories of them say."""

import os
import subprocess
from pathlib import Path

import pytest
from support import PROJECT

BIN = PROJECT / ".hosts/node_modules/.bin"
PACKAGES = {"claude": "@anthropic-ai/claude-code", "codex": "@openai/codex", "gemini": "@google/gemini-cli"}
FOUND_OUT = "The login test fails without a running Redis: run `make redis`, or set $REDIS_URL."
RULE = "From now on, always run make lint before you push."


def codex_settings(url: str) -> str:
    """A configuration of Codex for a stub of its API."""
    provider = f'name = "mock"\nbase_url = "{url}/v1"\nenv_key = "MOCK_KEY"\nwire_api = "responses"\n'
    return f'model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\n{provider}'


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
