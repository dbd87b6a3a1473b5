"""A git configuration that git itself cannot read, and one that has git write its answers otherwise."""

import os
from pathlib import Path

import pytest
from support import Memoir, git

COMMANDS = [
    "get a.b", "ls", "show", "summarize", "log", "diff HEAD~1 HEAD", "remember y -p a.b", "recall x --mode simple",
    "remember y -p a.b --merge-policy append",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_it_is_named_and_the_store_is_not_blamed(memoir: Memoir, command: str) -> None:
    memoir.remember("a.b", "x")
    memoir.remember("a.b", "z")
    Path(os.environ["GIT_CONFIG_GLOBAL"]).write_text("[user\n bad")

    done = memoir.run(*command.split(), "--json")

    assert done.status == 1
    assert done.json["error"]["code"] == "git_failed" and "bad config" in done.json["error"]["message"]


def test_git_answers_in_the_encoding_that_memoir_reads(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a.b", "x")
    memoir.remember("a.c", "y")  # what leads to a commit is listed by git
    git("config", "--global", "i18n.logOutputEncoding", "UTF-16")

    memoir.ok("clone", str(memoir.git_dir), str(tmp_path / "clone"))

    assert memoir.json("get", "a.b", "--store", str(tmp_path / "clone"))["found_count"] == 1
