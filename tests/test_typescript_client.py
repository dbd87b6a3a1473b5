"""The client in TypeScript works with the installed command, and its package has what it needs."""

import json
import os
import shutil
import subprocess

import pytest
from support import COMMAND, PROJECT

CLIENT = PROJECT / "clients" / "typescript"


def test_the_clients_own_tests_pass() -> None:
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    env = {**os.environ, "MEMOIR": str(COMMAND)}
    done = subprocess.run(["node", "--test"], cwd=CLIENT, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout


def test_npm_packs_the_client_and_its_types() -> None:
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    done = subprocess.run(
        ["npm", "pack", "--dry-run", "--json"], cwd=CLIENT, capture_output=True, text=True, check=True
    )
    names = {file["path"] for file in json.loads(done.stdout)[0]["files"]}
    assert names == {"README.md", "package.json", "index.js", "index.d.ts", "answers.d.ts"}


def test_the_client_has_the_version_of_memoir() -> None:
    from memoir.version import __version__

    assert json.loads((CLIENT / "package.json").read_text())["version"] == __version__
