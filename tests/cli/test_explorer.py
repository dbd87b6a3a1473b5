"""`serve` and `ui` print one answer when they listen, and go on until they are ended."""

import json
import os
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from served import check_schema
from support import Memoir


@contextmanager
def running(memoir: Memoir, *args: str, **env: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server and the first line that it printed."""
    process = subprocess.Popen(
        memoir.argv(*args),
        cwd=memoir.folder,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


def ask(url: str, token: str) -> dict[str, Any]:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        fields = json.load(answer)
    assert isinstance(fields, dict)
    return fields


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_answers_as_soon_as_it_has_printed_and_a_signal_is_its_usual_end(memoir: Memoir, number: int) -> None:
    memoir.remember("a.b", "x")
    with running(memoir, "serve", "--json") as (process, line):
        fields = json.loads(line)
        check_schema(fields, "serve")
        assert ask(fields["url"] + "api/get?keys=a.b", fields["token"]) == memoir.json("get", "a.b")

        process.send_signal(number)

        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, "", "")


def test_an_open_stream_does_not_keep_it_from_ending(memoir: Memoir) -> None:
    with running(memoir, "serve", "--json") as (process, line):
        fields = json.loads(line)
        headers = {"Authorization": f"Bearer {fields['token']}"}
        request = urllib.request.Request(fields["url"] + "api/events", headers=headers)
        with urllib.request.urlopen(request, timeout=30) as stream:
            assert stream.readline() == b"retry: 2000\n"
            memoir.remember("a.b", "x")
            lines = [stream.readline() for _ in range(4)]
            assert lines[2] == b"event: commit\n"
            assert json.loads(lines[3].removeprefix(b"data: "))["paths"]["put"] == ["default:a.b"]
            process.terminate()
            process.communicate(timeout=30)
        assert process.returncode == 0


def test_people_get_the_link_alone_on_standard_output(memoir: Memoir) -> None:
    with running(memoir, "ui", "--port", str(_free_port())) as (process, line):
        assert line.startswith("http://127.0.0.1:") and "/?token=" in line
        process.terminate()
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (0, "")
    assert str(memoir.git_dir) in err and "open the link" in err


def test_a_browser_is_asked_to_open_the_link(memoir: Memoir, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    with running(memoir, "ui", "--json", BROWSER=str(browser)) as (_, line):
        fields = json.loads(line)
    check_schema(fields, "ui")
    assert fields["opened"] and (tmp_path / "opened").read_text() == fields["link"]


def test_the_demo_needs_no_store_and_leaves_none(memoir: Memoir, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    elsewhere = Memoir(tmp_path / "tmp")
    with running(elsewhere, "ui", "--demo", "--json", TMPDIR=str(tmp_path / "tmp")) as (process, line):
        fields = json.loads(line)
        assert ask(fields["url"] + "api/status", fields["token"])["memory_count"] > 50
        process.terminate()
        process.communicate(timeout=30)
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_token_file_is_written_for_its_owner_alone_and_read_again(memoir: Memoir, tmp_path: Path) -> None:
    file = tmp_path / "token"
    tokens = []
    for _ in range(2):
        with running(memoir, "serve", "--json", "--token-file", str(file)) as (_, line):
            tokens.append(json.loads(line)["token"])

    assert tokens == [file.read_text().strip()] * 2
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_token_that_others_may_read_or_that_is_short_is_refused(memoir: Memoir, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("x" * 30)
    file.chmod(0o644)
    assert "chmod 600" in memoir.json("serve", "--token-file", str(file), status=2)["error"]["hint"]
    file.chmod(0o600)
    file.write_text("short")
    assert memoir.json("serve", "--token-file", str(file), status=2)["error"]["code"] == "invalid_input"


def test_a_port_that_is_in_use_is_an_error_if_it_was_asked_for(memoir: Memoir) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        answer = memoir.json("serve", "--port", str(taken.getsockname()[1]), status=1)
        demo = memoir.json("ui", "--demo", "--port", str(taken.getsockname()[1]), status=1)

    assert "in use" in answer["error"]["message"] and "in use" in demo["error"]["message"]


def test_without_a_store_nothing_listens(tmp_path: Path) -> None:
    assert Memoir(tmp_path).json("ui", status=3)["error"]["code"] == "no_store"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert isinstance(port, int)
    return port
