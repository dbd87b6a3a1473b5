"""`memoir batch`: many command lines in one process, each answered as if it ran alone."""

import json
import signal
import subprocess
import time
from typing import Any

import pytest
from support import Memoir, git

from memoir.cli.session import OpenStores
from memoir.store.branch_choice import Selection
from memoir.store.store import Store


def batch(memoir: Memoir, *lines: Any, args: tuple[str, ...] = (), **env: str) -> list[dict[str, Any]]:
    """The answers to some lines: lists are arguments, strings the whole line."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    texts = [json.dumps({"args": json.loads(text)}) if text.startswith("[") else text for text in texts]
    out = memoir.ok(*args, "batch", stdin="\n".join(texts) + "\n", **env)
    return [json.loads(line) for line in out.splitlines()]


def test_each_line_is_answered_as_the_command_alone_would(memoir: Memoir) -> None:
    memoir.remember("preferences.tests", "Use pytest.")
    commands = [
        ["get", "preferences.tests"], ["log", "-1"], ["summarize", "--depth", "1"], ["blame", "preferences.tests"],
        ["recall", "how do we test?"], ["blame", "no.such.path"], ["get"], ["nope"], ["grep", "nothing at all"],
    ]  # fmt: skip
    for answer, command in zip(batch(memoir, *commands), commands, strict=True):
        alone = memoir.run(*command, "--json")
        assert (answer["status"], answer["answer"]) == (alone.status, alone.json)


def test_what_one_line_writes_the_next_one_reads(memoir: Memoir) -> None:
    lines = [
        ["remember", "Use pytest.", "-p", "a.b"],
        {"args": ["remember", "-", "-p", "c.d"], "stdin": "from a text\n"},
        ["recall", "what do we use?"],
        ["branch", "side"],
        ["remember", "on the side", "-p", "e.f", "--branch", "side"],
        ["get", "a.b", "c.d", "e.f"],
        ["get", "e.f", "--branch", "side"],
        ["undo"],
        ["get", "c.d"],
    ]
    answers = [answer["answer"] for answer in batch(memoir, *lines)]
    assert [item["found"] for item in answers[5]["items"]] == [True, True, False]
    assert answers[6]["items"][0]["found"] and answers[2]["memories"][0]["content"] == "Use pytest."
    assert answers[8]["items"][0]["found"] is False and memoir.content("a.b") == "Use pytest."


def test_errors_do_not_end_it_and_ids_come_back(memoir: Memoir) -> None:
    answers = batch(
        memoir, "nonsense", "", {"args": ["get", "a.b"], "id": {"my": 1}}, {"args": "get"}, {"command": "get"},
        ["batch"], ["mcp"], ["export"], ["remember", "password=hunter2hunter2", "-p", "a.b"], ["version"],
    )  # fmt: skip
    assert [answer["id"] for answer in answers] == [1, {"my": 1}, 4, 5, 6, 7, 8, 9, 10]
    assert [answer["status"] for answer in answers] == [2, 0, 2, 2, 2, 2, 2, 2, 0]
    assert all("hunter2" not in json.dumps(answer) for answer in answers)


def test_the_store_and_branch_of_the_command_hold_for_its_lines(memoir: Memoir) -> None:
    memoir.remember("a.b", "on main")
    memoir.ok("branch", "side")
    memoir.ok("remember", "on side", "-p", "c.d", "--branch", "side")
    (there,) = batch(memoir, ["get", "c.d"], args=("--branch", "side"))
    (here,) = batch(memoir, ["get", "c.d"])
    assert there["answer"]["items"][0]["found"] and not here["answer"]["items"][0]["found"]


def test_lines_that_choose_the_same_branch_share_an_open_store(store: Store) -> None:
    """Each store that is open has a process of git."""
    stores = OpenStores()
    first, again, other = (
        stores.find(store.git_dir, False, Selection(branch, "--branch")) for branch in ("side", "side", "main")
    )
    stores.close()

    assert first is again and other is not first


def test_it_sees_what_others_write_meanwhile(memoir: Memoir) -> None:
    memoir.remember("a.b", "The runner is pytest.")
    with subprocess.Popen(
        memoir.argv("batch"), cwd=memoir.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout

        def ask(*args: str) -> dict[str, Any]:
            assert process.stdin and process.stdout
            process.stdin.write(json.dumps({"args": args}) + "\n")
            process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline())["answer"]
            return answer

        assert ask("recall", "which runner do we use?")["count"] == 1
        memoir.remember("c.d", "Another runner is tox.")
        assert ask("get", "c.d")["items"][0]["found"]
        assert {hit["path"] for hit in ask("recall", "which runner do we use?")["memories"]} == {"a.b", "c.d"}
        memoir.ok("gc")
        memoir.ok("purge", "c.d", "--yes")
        assert not ask("get", "c.d")["items"][0]["found"]
        assert {hit["path"] for hit in ask("recall", "which runner do we use?")["memories"]} == {"a.b"}
        process.stdin.close()
        assert process.wait() == 0


def test_ctrl_c_ends_it(memoir: Memoir) -> None:
    with subprocess.Popen(
        memoir.argv("batch"), cwd=memoir.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write('{"args": ["version"]}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130


@pytest.mark.parametrize("setting", ["after-write"])
def test_a_sync_after_writes_follows_each_line_that_writes(memoir: Memoir, setting: str) -> None:
    git("init", "--quiet", "--bare", str(memoir.folder / "hub.git"))
    memoir.ok("remote", "add", "origin", str(memoir.folder / "hub.git"))
    batch(memoir, ["get", "a.b"], ["remember", "one", "-p", "a.b"], ["get", "a.b"], MEMOIR_SYNC=setting)
    end = time.monotonic() + 20  # no line waits longer than 2 seconds for its sync
    while (hub := git(f"--git-dir={memoir.folder / 'hub.git'}", "rev-parse", "main")) != memoir.git(
        "rev-parse", "main"
    ):
        assert time.monotonic() < end, hub
