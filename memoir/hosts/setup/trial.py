"""Runs what memoir is about to write: the command must be harmless, also when memoir is gone one day."""

import json
import os
import subprocess
import tempfile
from collections.abc import Sequence

from memoir.errors import MemoirError

_PAYLOAD = b'{"hook_event_name": "", "session_id": "memoir-setup", "source": "startup"}\n'
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "memoir-setup", "version": "1"},
    },
}
_HOOK_SECONDS, _SERVER_SECONDS = 5, 30


def try_hook(command: str, program: str) -> None:
    """Run the command of a hook as a host does, and again with the program missing.

    Raises:
        MemoirError: it fails, is late, or prints what is no single JSON object.
    """
    for line, what in ((command, "it"), (command.replace(program, program + ".missing"), "without memoir it")):
        with tempfile.TemporaryDirectory() as nowhere:
            try:
                done = subprocess.run(
                    ["/bin/sh", "-c", line], input=_PAYLOAD, capture_output=True, cwd=nowhere, timeout=_HOOK_SECONDS
                )
            except subprocess.TimeoutExpired as error:
                raise _failure(line, f"{what} takes longer than {_HOOK_SECONDS} s") from error
        if done.returncode or done.stderr or not _is_answer(done.stdout):
            raise _failure(line, f"{what} ends with {done.returncode} and prints {done.stdout + done.stderr!r:.200}")


def try_server(words: Sequence[str]) -> None:
    """Run an MCP server, and say hello to it.

    Raises:
        MemoirError: it does not answer.
    """
    line = " ".join(words)
    env = {name: value for name, value in os.environ.items() if name != "MEMOIR_JSON"}
    try:
        hello = json.dumps(_HELLO).encode() + b"\n"
        done = subprocess.run(words, input=hello, capture_output=True, timeout=_SERVER_SECONDS, env=env)
        answer = json.loads(done.stdout.partition(b"\n")[0])
    except (subprocess.TimeoutExpired, OSError, ValueError) as error:
        raise _failure(line, "it does not answer") from error
    if "result" not in answer:
        raise _failure(line, f"it answers {answer!r:.200}")


def _is_answer(output: bytes) -> bool:
    try:
        return not output or isinstance(json.loads(output), dict)
    except ValueError:
        return False


def _failure(line: str, why: str) -> MemoirError:
    return MemoirError(f"nothing was written: {line}: {why}", "report this with 'memoir version'")
