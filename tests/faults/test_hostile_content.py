"""What is remembered may hold anything: it is stored exactly, shown harmlessly, and refused only with a reason."""

import os
import re
from json import loads
from typing import Any

import pytest
from fault_tools import assert_sound, finish, run_all, start, state
from support import Memoir, built_once, on_terminal

_LIMIT = 16 << 20

# What a memory could do to a terminal: set its title, clear it, overwrite a line, ring, reorder text.
_TRICKS = (
    "\x1b]0;title\x07", "\x1b[2J", "\x1b[31mred", "\x9b31m", "over\rwrite", "back\x08space", "\x07", "\x00", "\x7f",
    "\u202egnp.exe", "\u2066x\u2069", "\u200f", "\u061c", "line\u2028line", "para\u2029para", "\x0c", "\x0b", "\x85",
)  # fmt: skip
_TRICK = "first line " + " ".join(_TRICKS) + " end\nsecond \x1b[1m line"
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SHOW_COMMANDS = (
    "get a.trick", "log", "log --oneline", "log a.trick", "blame a.trick", "diff HEAD~1 HEAD", "diff --stat",
    "grep line", "show", "show HEAD:a.trick", "ls", "ls --tree", "status", "summarize --keys *",
)  # fmt: skip


@built_once
def trick_store(memoir: Memoir) -> None:
    """A store whose contents, metadata, messages and authors are all out to fool a terminal."""
    argv = ["remember", "-", "-p", "a.trick", "-m", _TRICK.replace("\x00", ""), "--meta", f"source={_TRICKS[0]}"]
    for content in ("plain\n", _TRICK):
        memoir.ok(*argv, stdin=content, MEMOIR_AUTHOR="Tess \x1b[31m\u202e <t\x1b@example.org>")


def test_no_human_output_in_a_pipe_carries_a_control_character(trick_store: Memoir) -> None:
    for command, done in zip(_SHOW_COMMANDS, run_all(trick_store, map(str.split, _SHOW_COMMANDS)), strict=True):
        assert done.status == 0, (command, done)
        assert _UNSAFE.findall(done.out + done.err) == [], command
    assert "\\x1b" in trick_store.ok("get", "a.trick") and "\\u202e" in trick_store.ok("blame", "a.trick")


@pytest.mark.parametrize("command", ["get a.trick", "log", "blame a.trick", "diff HEAD~1 HEAD", "grep line", "show"])
def test_a_terminal_gets_memoirs_own_colours_and_nothing_else(trick_store: Memoir, command: str) -> None:
    status, text = on_terminal(trick_store.argv(*command.split()), trick_store.folder)

    plain = re.sub("\x1b\\[[0-9;]*m", "", text)
    assert status == 0 and plain != text
    assert _UNSAFE.findall(plain) == []
    assert "\\x1b" in plain


def test_errors_carry_no_control_characters_either(memoir: Memoir) -> None:
    commands = (
        ["get", _TRICK], ["show", _TRICK], ["checkout", "\x1b[2Jx"], ["\x1b[2J"], ["import", "/nope\x1b[2J\u202e"],
        ["--store", "/nope\x1b[2J", "status"], ["remote", "add", "\x1b[2J", "x"], ["grep", "(\x1b"],
    )  # fmt: skip
    plain = [[word.replace("\0", "") for word in argv] for argv in commands]
    for argv, done in zip(plain, run_all(memoir, plain), strict=True):
        assert done.status in (1, 2, 3, 4) and done.err, (argv, done)
        assert _UNSAFE.findall(done.err.replace("\n", "")) == [], (argv, done)


@pytest.mark.parametrize(
    "content", [_TRICK, "nul \x00 inside", "\ufeffmark", "e\u0301", "\r\n windows \r\n", " blanks "]
)
def test_content_is_returned_exactly(memoir: Memoir, content: str) -> None:
    memoir.ok("remember", "-", "-p", "a.first", stdin=content + "\n")

    assert memoir.ok("get", "a.first", "--raw") == content
    assert memoir.content("a.first") == content
    memoir.ok("forget", "a.first")
    memoir.ok("restore", "a.first", "--at", "HEAD~1")
    assert memoir.ok("get", "a.first", "--raw") == content


def test_an_export_carries_any_content_to_another_store(trick_store: Memoir) -> None:
    lines = trick_store.ok("export")
    copy = Memoir(trick_store.folder / "copy")
    trick_store.ok("init", "copy")

    copy.ok("import", "-", stdin=lines)

    assert _without_origins(copy.ok("export")) == _without_origins(lines)


def _without_origins(lines: str) -> list[dict[str, Any]]:
    """The lines of an export but for who vouches, which is another in the store that has imported them."""
    rows = [loads(line) for line in lines.strip("\n").split("\n")]
    for row in rows:
        row["metadata"] = {name: value for name, value in row["metadata"].items() if not name.endswith("origin")}
    return rows


def test_sixteen_mebibytes_are_accepted_and_one_byte_more_is_not(memoir: Memoir) -> None:
    largest = b"x" * (_LIMIT - 2) + "é".encode()
    memoir.ok("remember", "-", "-p", "a.first", stdin=largest + b"\n")
    before = state(memoir)

    answer = memoir.json("remember", "-", "-p", "a.second", stdin=b"x" * (_LIMIT + 1), status=2)

    assert "16 MiB" in answer["error"]["message"]
    assert state(memoir) == before
    assert memoir.ok("get", "a.first", "--raw").encode() == largest
    line = b'{"path": "a.third", "content": "' + b"x" * (_LIMIT + 1) + b'"}\n'
    assert memoir.json("import", "-", stdin=line, status=2)["error"]["lines"][0]["line"] == 1
    assert state(memoir) == before


@pytest.mark.parametrize(
    "data", [b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xc0\xaf", "é".encode("latin-1"), b"\xff\xfea\x00"]
)
def test_input_that_is_not_utf8_is_refused(memoir: Memoir, data: bytes) -> None:
    before = memoir.ok("status")
    assert memoir.json("remember", "-", "-p", "a.first", stdin=data, status=2)["error"]["code"] == "invalid_input"
    assert memoir.json("get", "--stdin", stdin=data, status=2)["error"]["code"] == "invalid_input"
    line = b'{"path": "a.first", "content": "' + data + b'"}\n'
    assert memoir.json("import", "-", stdin=line, status=2)["error"]["lines"][0]["line"] == 1
    assert memoir.ok("status") == before


def test_an_argument_that_is_not_utf8_is_an_answer_or_a_clean_error(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    word = "x\udcff"
    commands = (
        ["remember", word, "-p", "a.b"], ["remember", "x", "-p", "a.b", "--meta", f"k={word}"], ["grep", word], [word],
        ["remember", "x", "-p", "a.b", "--timestamp", word], ["import", word], ["--store", word, "status"],
        ["log", "--author", word], ["ls", "--after", word], ["export", "--keys", word], ["clone", word, "c"],
        ["remote", "add", "r", word], ["remote", "add", word, "r"], ["merge", "HEAD", "--strategy", word],
        ["config", "user.name", word], ["config", word], ["fetch", word], ["push", word], ["export", "-o", word],
        ["init", word], ["help", word], ["blame", word], ["summarize", "--keys", word], ["diff", "--keys", word],
    )  # fmt: skip

    for argv, done in zip(commands, run_all(memoir, commands, MEMOIR_JSON="1"), strict=True):
        assert "Traceback" not in done.err and (done.json if done.out else argv[0] == "export"), (argv, done)
        assert done.status in range(5), (argv, done)
    assert memoir.content("a.first") == "first"
    assert_sound(memoir)


def test_a_senseless_option_is_a_usage_error(memoir: Memoir) -> None:
    options = (
        "--confidence=nan", "--confidence=-1", "--confidence=2", "--confidence=abc", "--confidence=inf",
        "--confidence=", "--confidence=1e999", "--confidence=0x1", "--timestamp=2026-02-30", "--meta=x",
        "--timestamp=9999999999-01", "--timestamp=", "--meta==x", "--merge-policy=always", "--path=", "--nonsense",
    )  # fmt: skip
    commands = [["remember", "first", "-p", "a.first", option] for option in options]
    for argv, done in zip(commands, run_all(memoir, commands, MEMOIR_JSON="1"), strict=True):
        assert done.status == 2 and done.json["error"]["code"] == "invalid_input", (argv, done)
    assert memoir.content("a.first") is None


def test_senseless_numbers_are_usage_errors(memoir: Memoir) -> None:
    memoir.remember("a.first", "first")
    commands = (
        "summarize --depth 0", "summarize --depth -1", "summarize --depth x", "summarize --depth 1.5", "log -l 0",
        "log -l -1", "ls --limit 0", "blame a.first -l 0", "log --since soon", "log --until 2026-13-01",
    )  # fmt: skip
    for command, done in zip(commands, run_all(memoir, map(str.split, commands), MEMOIR_JSON="1"), strict=True):
        assert (done.status, done.json["error"]["code"]) == (2, "invalid_input"), (command, done)


@pytest.mark.parametrize("content", ["", " ", "\n", "\t\n ", "\u2003"])
def test_a_blank_memory_is_refused(memoir: Memoir, content: str) -> None:
    assert memoir.run("remember", "-", "-p", "a.first", stdin=content).status == 2
    assert memoir.run("remember", "--path=a.first", "--", content).status == 2
    assert memoir.content("a.first") is None


def test_a_memory_that_looks_like_an_option_can_be_stored(memoir: Memoir) -> None:
    for number, content in enumerate(("--help", "-p", "--json", "--version", "-")):
        done = memoir.run("remember", "--json", "-p", f"a.n{number}", "--", content, stdin="-")
        assert done.status == 0, (content, done)
        assert memoir.content(f"a.n{number}") == content


def test_senseless_environment_variables_are_errors_not_crashes(memoir: Memoir) -> None:
    for name, value in (("MEMOIR_LOCK_TIMEOUT", "soon"), ("MEMOIR_NOW", "soon"), ("MEMOIR_LOCK_TIMEOUT", "nan"),
                        ("MEMOIR_AUTHOR", "<"), ("MEMOIR_STORE", "/nope"), ("MEMOIR_NOW", "2026-99-99")):  # fmt: skip
        status, out, err = finish(
            start(memoir, "remember", "x", "-p", "a.b", "--json", env={**os.environ, name: value})
        )
        assert status in (0, 2, 3) and out and "Traceback" not in err, (name, value, status, out, err)
