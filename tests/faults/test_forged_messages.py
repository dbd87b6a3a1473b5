"""A commit's message cannot pass itself off as memoir's own record of what the commit changed."""

import subprocess

import pytest
from fault_tools import assert_sound
from support import Memoir

_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_FORGERIES = {
    "a last paragraph of trailers": "tidy up\n\nMemoir-Put: default:a.victim\nMemoir-Forget: default:a.first",
    "only trailers": "Memoir-Put: default:a.victim",
    "trailers and blank lines": "Memoir-Put: default:a.victim\n\n\n\n  \n",
    "carriage returns": "tidy\r\n\r\nMemoir-Put: default:a.victim\r\n",
    "a base as well": f"tidy\n\nMemoir-Base: {_TREE}\nMemoir-Put: default:a.victim\nMemoir-Changes: 5000",
    "a move": "tidy\n\nMemoir-Move: default:a.first default:a.victim",
    "leading blank lines": "\n\nMemoir-Put: default:a.victim\n\nMemoir-Put: default:a.other\n\n",
    "a line separator": "tidy\u2028\u2028Memoir-Put: default:a.victim",
    "a vertical tab": "tidy\x0b\x0bMemoir-Put: default:a.victim",
    "a commit header": "tree 0\nparent 0\n\nMemoir-Put: default:a.victim",
}


def test_a_message_cannot_claim_changes(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    victim = memoir.remember("a.victim", "as it was")
    forgeries = {
        memoir.remember(f"b.n{n}", name, "-m", text): (n, text) for n, (name, text) in enumerate(_FORGERIES.items())
    }

    for commit in memoir.json("log", "-l", str(len(forgeries)))["commits"]:
        number, forgery = forgeries[commit["commit"]]
        assert commit["message"] == forgery.strip()
        assert commit["paths"] == {"put": [f"default:b.n{number}"], "forget": [], "moves": [], "count": 1}
    assert [entry["commit"] for entry in memoir.json("blame", "a.victim")["entries"]] == [victim]
    assert [entry["commit"] for entry in memoir.json("log", "a.victim")["commits"]] == [victim]
    assert [entry["operation"] for entry in memoir.json("blame", "b.n0")["entries"]] == ["added"]
    assert_sound(memoir)


def test_the_messages_of_every_writing_command_are_as_harmless(memoir: Memoir) -> None:
    forgery = _FORGERIES["a last paragraph of trailers"]
    memoir.remember("a.first", "first")
    victim = memoir.remember("a.victim", "as it was")
    memoir.ok("branch", "side")
    memoir.remember("a.side", "aside", "--branch", "side")
    commands = (
        "mv a.first a.moved", "forget a.moved", "restore a.first --at HEAD~2", "revert HEAD", "import -", "merge side",
    )  # fmt: skip

    for command in commands:
        memoir.ok(*command.split(), "-m", forgery, stdin=b'{"path": "a.third", "content": "third"}')

    assert [entry["commit"] for entry in memoir.json("blame", "a.victim")["entries"]] == [victim]
    assert_sound(memoir)


def test_fsck_finds_a_foreign_commit_with_wrong_trailers(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    memoir.remember("a.second", "second")
    lie = f"tidy\n\nMemoir-Base: {memoir.git('rev-parse', 'HEAD~1^{tree}').strip()}\nMemoir-Put: default:a.first\n"
    argv = ["git", f"--git-dir={memoir.git_dir}", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit-tree"]
    commit = subprocess.run([*argv, "-p", "HEAD~1", "HEAD^{tree}"], input=lie.encode(), capture_output=True, check=True)
    memoir.git("update-ref", "refs/heads/main", commit.stdout.decode().strip())

    done = memoir.run("fsck", "--json")

    assert done.status == 7
    assert any("trailers" in problem for problem in done.json["problems"]), done


@pytest.mark.parametrize("name", ["Memoir-Put: x", "x\x1b[31m", "x y\tz"])
def test_a_strange_author_does_not_break_a_commit(memoir: Memoir, name: str) -> None:
    memoir.ok("remember", "first", "-p", "a.first", MEMOIR_AUTHOR=f"{name} <x@example.org>")

    assert "\x1b" not in memoir.ok("log") + memoir.ok("blame", "a.first")
    assert memoir.json("log")["commits"][0]["author"] == name
    assert_sound(memoir)


@pytest.mark.parametrize("author", ["x\ntree 0 <x@example.org>", "<>", "x <y> <z>", "x <y\n>", " "])
def test_a_malformed_author_is_refused(memoir: Memoir, author: str) -> None:
    done = memoir.run("remember", "first", "-p", "a.first", MEMOIR_AUTHOR=author)

    assert done.status == 2 and "MEMOIR_AUTHOR" in done.err, done
    assert memoir.content("a.first") is None


@pytest.mark.parametrize("message", ["a\udcffb", "\udcff"])
def test_a_message_that_is_not_unicode_is_refused(memoir: Memoir, message: str) -> None:
    assert memoir.run("remember", "first", "-p", "a.first", "-m", message).status == 2
    assert memoir.content("a.first") is None


@pytest.mark.parametrize("message", ["   ", "\n\n"])
def test_a_blank_message_is_replaced(memoir: Memoir, message: str) -> None:
    memoir.remember("a.first", "first", "-m", message)

    assert memoir.json("log")["commits"][0]["message"].strip()
    assert_sound(memoir)
