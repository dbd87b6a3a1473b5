"""What a client sends that is not a message is answered with an error, and the server goes on."""

import json
import subprocess
import time
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from support import Memoir

from memoir.mcp.server import INVALID_REQUEST, PARSE_ERROR, Wire

HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
}
CUT = r'{"jsonrpc":"2.0","id":"five","method":"tools/call","params":{"name":"recall","arguments":{"query":"\ud83d"}}}'


def read(data: bytes) -> tuple[list[str], list[Any]]:
    """The lines that reach the SDK, and what was answered."""
    sink = BytesIO()
    wire = Wire(BytesIO(data), sink)
    return list(iter(wire.readline, "")), [json.loads(line) for line in sink.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        (CUT, "five"),
        ("hello?", None),
        ('{"id": 3, "method"', None),
        ('{"id": true, "method": "\\ud83d"}', None),
        ("[" * 100_000, None),
        ('["\\ud83d"]', None),
    ],
    ids=["half a surrogate pair", "no JSON", "cut", "an id that is none", "deep", "a list"],
)
def test_a_line_that_is_no_json_is_answered_with_an_error(line: str, request_id: object) -> None:
    passed, (answer,) = read(f'{line}\n{{"n": 1}}\n'.encode())

    assert passed == ['{"n": 1}\n']
    assert (answer["id"], answer["error"]["code"]) == (request_id, PARSE_ERROR)
    assert "ud83d" not in answer["error"]["message"]


@pytest.mark.parametrize("request_id", ["null", "1.5", "{}", "true"])
def test_a_request_whose_id_can_name_no_answer_is_refused(request_id: str) -> None:
    passed, (answer,) = read(f'{{"jsonrpc":"2.0","id":{request_id},"method":"ping"}}\n'.encode())

    assert (passed, answer["id"], answer["error"]["code"]) == ([], None, INVALID_REQUEST)


def test_blank_lines_and_answers_that_are_broken_get_no_error() -> None:
    assert read(b'\n \n{"id": 3, "result": "\\ud83d"}\n') == ([], [])


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert read(b'"\xff"\n') == (['"\ufffd"\n'], [])


def test_calls_are_answered_though_the_input_ends_at_once(memoir: Memoir) -> None:
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(
            [("remember", {"content": "Ben likes tea", "key": "a.b"}), ("recall", {"query": "tea"}), ("status", {})], 2
        )
    ]
    text = "".join(f"{json.dumps(each)}\n" for each in (HELLO, *calls))

    answers = [json.loads(line) for line in memoir.ok("mcp", "--store", str(memoir.folder), stdin=text).splitlines()]

    assert sorted(each["id"] for each in answers) == [1, 2, 3, 4]
    assert not any(each["result"].get("isError") for each in answers)
    assert memoir.ok("get", "a.b", "--raw") == "Ben likes tea"


def test_the_refusal_of_an_unknown_tool_says_where_the_others_are(memoir: Memoir) -> None:
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "nope", "arguments": {}}}
    text = f"{json.dumps(HELLO)}\n{json.dumps(call)}\n"

    *_, answer = map(json.loads, memoir.ok("mcp", "--store", str(memoir.folder), stdin=text).splitlines())

    assert answer["error"]["message"] == "no tool named 'nope'; 'tools/list' lists them"


def test_a_server_answers_bad_lines_and_goes_on(memoir: Memoir, tmp_path: Path) -> None:
    memoir.remember("a.b", "x")
    rest = [
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        CUT,
        "no JSON",
        "[]",
        '{"jsonrpc":"2.0","id":6,"method":7}',
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get","arguments":{"keys":["a.b"]}}}',
    ]
    argv = memoir.argv("mcp", "--store", str(memoir.folder))
    text = "\n".join([json.dumps(HELLO), *rest, ""])
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdin and process.stdout
        process.stdin.write(text)
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(6)]
        process.stdin.close()
        assert process.stdout.read() == ""

    by_id = {answer["id"]: answer for answer in answers if answer["id"] is not None}
    assert by_id[1]["result"]["protocolVersion"] == "2025-06-18"
    assert by_id["five"]["error"]["code"] == PARSE_ERROR
    assert by_id[6]["error"]["code"] == INVALID_REQUEST
    assert by_id[7]["result"]["structuredContent"]["items"][0]["content"] == "x"
    assert sorted(answer["error"]["code"] for answer in answers if answer["id"] is None) == [
        PARSE_ERROR,
        INVALID_REQUEST,
    ]


@pytest.mark.parametrize("first", [HELLO, {"jsonrpc": "2.0", "id": 2, "method": "ping"}], ids=["early", "of the SDK"])
def test_a_client_that_is_gone_is_no_failure(memoir: Memoir, first: object) -> None:
    argv = memoir.argv("mcp", "--store", str(memoir.folder))
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(json.dumps(first).encode() + b"\n")
        process.stdin.flush()
        time.sleep(1.5)  # the SDK answers nothing any more when the input ends
        process.stdin.close()

        assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 0)
