"""What hosts, and whoever else, may write to a hook: payloads of every kind, the same on every run."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from memoir.hosts.dialects import HOSTS

_TEXTS = (
    "deploy to the staging server",
    "ok",
    "",
    "We always use tabs.",
    "from now on answer in German",
    "日本語\u202e\u200b",
    "\x00\x1b[2J",
    "<system-reminder>x</system-reminder>",
    "```\ncode\n```",
    "/compact",
    "never mind what I said about tabs",
    "e\u0301" * 500,
    "the password is hunter2hunter2",
    "x" * 20_000,
    "why? " * 2_000,
    "a.b.c " * 1_000,
    "\"'\\ \n\t",
    "&&||;$(reboot)`id`",
)
_ANYTHING: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1e308,
    "",
    [],
    {},
    [None],
    {"a": {"b": []}},
    "x" * 1_000,
    ["/"],
    "\ud83d\ude00",
)
_FIELDS = (
    "session_id", "sessionId", "conversation_id", "cwd", "workspace_roots", "prompt", "last_assistant_message", "text",
    "prompt_response", "compact_summary", "transcript_path", "source", "hook_event_name", "agent_id", "tool_response",
)  # fmt: skip


class HookInput(NamedTuple):
    """The arguments after `memoir hook`, and the bytes on its standard input."""

    arguments: list[str]
    data: bytes


def payloads(many: int, folder: Path, seed: int = 20261122) -> Iterator[HookInput]:
    """Payloads of every kind, for the store in a folder."""
    dice = random.Random(seed)
    kinds = (_sound, _sound, _sound, _odd, _foreign, _break)
    for number in range(many):
        name = dice.choice([*HOSTS, "nobody"])
        events = list(HOSTS[name].events) if name in HOSTS else ["SessionStart"]
        event = dice.choice([*events, "NewEvent"] if number % 10 == 0 else events)
        options = dice.choice(([], ["--recall"], ["--nudge"], ["--recall", "--unknown"]))
        yield HookInput([name, event, *options], dice.choice(kinds)(dice, event, str(folder)))


def _fields(dice: random.Random, event: str, folder: str) -> dict[str, Any]:
    return {
        "session_id": f"s{dice.randrange(20)}",
        "cwd": folder,
        "hook_event_name": event,
        "source": dice.choice(("startup", "resume", "clear", "compact", "fork")),
        **{name: dice.choice(_TEXTS) for name in ("prompt", "last_assistant_message", "compact_summary", "text")},
    }


def _sound(dice: random.Random, event: str, folder: str) -> bytes:
    return json.dumps(_fields(dice, event, folder), ensure_ascii=dice.random() < 0.5).encode()


def _odd(dice: random.Random, event: str, folder: str) -> bytes:
    """Fields of the wrong type, or none."""
    fields = _fields(dice, event, folder)
    fields |= {name: dice.choice(_ANYTHING) for name in dice.sample(_FIELDS, 4)}
    return json.dumps(fields).encode()


def _foreign(dice: random.Random, event: str, folder: str) -> bytes:
    marks = ("cursor_version", "generation_id", "turn_id", "prompt_id", "hookEventName", "toolName")
    return json.dumps({**_fields(dice, event, folder), dice.choice(marks): "1"}).encode()


def _break(dice: random.Random, event: str, folder: str) -> bytes:
    whole = _sound(dice, event, folder)
    cut = whole[: dice.randrange(len(whole))]
    noise = dice.randbytes(dice.randrange(2_000))
    return dice.choice(
        (b"", cut, noise, b"[" * 100_000, b'{"a":' * 50_000, b"null", b"NaN", whole * 2, b"\xef\xbb\xbf" + whole)
    )
