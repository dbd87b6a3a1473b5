"""The script of the GitHub action, with real repositories and a stand-in for `gh`."""

import os
import subprocess
from pathlib import Path

import pytest
from support import COMMAND, PROJECT, Memoir, git

SCRIPT = PROJECT / "integrations" / "github-action" / "review.sh"
GH = """#!/usr/bin/env bash
# Keeps one comment in a file, as a host would.
echo "$*" >>"$GH_FOLDER/calls"
case "$*" in
*--method*) for word; do case $word in body=@*) cp "${word#body=@}" "$GH_FOLDER/comment";; esac; done ;;
*) [ -f "$GH_FOLDER/comment" ] && echo 77 || true ;;
esac
"""
WHO = ("-c", "user.name=Tess", "-c", "user.email=t@example.org")


def commit(folder: Path, text: str) -> None:
    (folder / "auth.py").write_text(text)
    git("add", "auth.py", cwd=folder)
    git(*WHO, "commit", "--quiet", "-m", "code", cwd=folder)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A project at a host, with a branch that changes code and memory, and memory beside its code."""
    hub, work = tmp_path / "hub.git", tmp_path / "work"
    git("init", "--quiet", "--bare", "-b", "main", str(hub))
    git("init", "--quiet", "-b", "main", str(work))
    commit(work, "def check(token):\n    return token == 1\n")
    git("remote", "add", "origin", str(hub), cwd=work)
    git("push", "--quiet", "origin", "main", cwd=work)
    store = Memoir(work)
    store.ok("init")
    store.remember("knowledge.token", "The token is compared with 1", "--about", "auth.py")
    store.ok("branch", "feature")
    store.remember("rules.tokens", "Never log tokens, @everyone; see #12", "--branch", "feature")
    store.ok("remote", "add", "origin", str(hub))
    store.ok("push", "--all")
    git("checkout", "--quiet", "-b", "feature", cwd=work)
    commit(work, "def check(token):\n    return token == 2\n")
    git("push", "--quiet", "origin", "feature", cwd=work)
    return hub


def review(tmp_path: Path, checkout: Path) -> str:
    """Run the action's script in a checkout, and return the comment."""
    folder = tmp_path / "gh"
    folder.mkdir(exist_ok=True)
    (folder / "gh").write_text(GH)
    (folder / "gh").chmod(0o755)
    env = {
        **os.environ, "PATH": f"{folder}:{COMMAND.parent}:{os.environ['PATH']}", "GH_FOLDER": str(folder),
        "BASE": "main", "HEAD": "feature", "PULL_REQUEST": "5", "GITHUB_REPOSITORY": "tess/project",
    }  # fmt: skip
    done = subprocess.run([SCRIPT], cwd=checkout, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return (folder / "comment").read_text() if (folder / "comment").exists() else done.stdout


def test_a_pull_request_is_told_what_it_does_to_memory(origin: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    git("clone", "--quiet", "--branch", "feature", str(origin), str(checkout))

    comment = review(tmp_path, checkout)

    assert comment.startswith("<!-- memoir review -->\n")
    assert "- added ` rules.tokens `: ` Never log tokens, @everyone; see #12 `" in comment
    assert "- left behind ` knowledge.token `: ` auth.py has changed by 50% `" in comment


def test_a_second_run_updates_the_same_comment(origin: Path, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    git("clone", "--quiet", "--branch", "feature", str(origin), str(checkout))
    first = review(tmp_path, checkout)

    assert review(tmp_path, checkout) == first
    writes = [line for line in (tmp_path / "gh" / "calls").read_text().splitlines() if "--method" in line]
    assert [line.split()[3:5] for line in writes] == [
        ["POST", "repos/tess/project/issues/5/comments"], ["PATCH", "repos/tess/project/issues/comments/77"]
    ]  # fmt: skip


def test_a_project_without_memory_gets_no_comment(tmp_path: Path) -> None:
    work, hub, checkout = tmp_path / "work", tmp_path / "hub.git", tmp_path / "checkout"
    git("init", "--quiet", "--bare", "-b", "main", str(hub))
    git("init", "--quiet", "-b", "main", str(work))
    commit(work, "x\n")
    git("push", "--quiet", str(hub), "main", cwd=work)
    git("clone", "--quiet", str(hub), str(checkout))

    assert "nothing to review" in review(tmp_path, checkout)
