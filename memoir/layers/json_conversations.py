"""Conversations in JSON: lines, a list of messages, or one object; of a host's own form, which is told by content.

Of the transcripts of hosts, it knows which lines are messages, and what in these was said. What was said is what the
user types and what the model answers. Tools' calls and results, a host's own records, and summaries of what was said
before are not.

Codex's rollouts, `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, have a line for each item of a session: the messages
are among the items of the model's input and output, and the events beside them say the same again.

Gemini CLI's chats, `~/.gemini/tmp/*/chats/session-*`, have a line for each change of a session; they once were a single
JSON object. A session that is resumed writes its messages again, with their ids.

Claude Code's transcripts, `~/.claude/projects/*/*.jsonl`, have a line for each record of a session. What the user types
while the agent works is a message too; what agents say to each other is not. The records form a tree, in which a prompt
that was edited begins a branch, and so does a second window in which a session goes on. What was edited is left out
with its answer, because the user took it back; the branches of two windows are read, each line once.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import orjson

from memoir.errors import InvalidInput
from memoir.layers.messages import (
    PLAIN,
    Form,
    Message,
    Record,
    Row,
    instant_of,
    read_message,
    strip_host_text,
    taken_back,
    text_of,
)
from memoir.layers.turns import Turn
from memoir.secrets.private import MARK, PrivatePassage, strip_private
from memoir.secrets.secrets import find

_ITEMS = ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state")
_INSTRUCTIONS = "# AGENTS.md instructions"
_ELEMENT = re.compile(r"\s*<(skill|INSTRUCTIONS|[a-z]+(?:_[a-z]+)+)>.*</\1>\s*", re.DOTALL)
"""A block that is one element of the host's: their names have underscores, but for two."""


def _is_codex(row: Row) -> bool:
    if isinstance(row.get("payload"), Mapping):
        return row.get("type") in _ITEMS
    return "instructions" in row and "timestamp" in row and "role" not in row  # the first line until the autumn of 2025


def _is_codex_agent(row: Row) -> bool:
    payload = row.get("payload")
    if row.get("type") != "session_meta" or not isinstance(payload, Mapping):
        return False
    source = payload.get("source")
    return payload.get("thread_source") == "subagent" or (isinstance(source, Mapping) and "subagent" in source)


def _read_codex(row: Row) -> Message | None:
    item = row.get("payload", row)
    if not isinstance(row.get("type"), str) and "role" in row:
        return read_message(row)
    if not isinstance(item, Mapping) or ("payload" in row and row.get("type") != "response_item"):
        return None
    role, content = item.get("role"), item.get("content")
    if item.get("type") != "message" or role not in ("user", "assistant"):
        return None
    text = _user_text(item, content) if role == "user" else text_of(content)
    if text is None:
        raise InvalidInput("a message without its text")
    stamp = row.get("timestamp")
    return Message(role, text, instant_of(stamp), f"{item['id']} {stamp}" if item.get("id") else None)


def _user_text(item: Row, content: Any) -> str | None:
    """The text of a user's message without the blocks in which the host says where it is, and what its rules are."""
    if not isinstance(content, list):
        return text_of(content, _clean_codex)
    passed = item.get("internal_chat_message_metadata_passthrough")
    kinds = passed.get("content_item_kinds") if isinstance(passed, Mapping) else None
    kinds = kinds if isinstance(kinds, list) and len(kinds) == len(content) else [None] * len(content)
    texts = (
        text_of(block, str if kind == "user.text" else _clean_codex) for block, kind in zip(content, kinds, strict=True)
    )
    return "\n".join(filter(None, texts))


def _clean_codex(text: str) -> str:
    return "" if text.startswith(_INSTRUCTIONS) or _ELEMENT.fullmatch(text) else strip_host_text(text)


CODEX = Form(_is_codex, _read_codex, _is_codex_agent)


_SPEAKERS = {"user": "user", "gemini": "assistant"}
_COMMAND = re.compile(r"\s*[/?][a-z-]*(?:\s.*)?", re.DOTALL)


def _is_gemini_cli(row: Row) -> bool:
    return "projectHash" in row and "sessionId" in row


def _split(row: Row) -> Sequence[Any]:
    """The messages of a line that sets them all; any other line is one."""
    change = row.get("$set", row)
    messages = change.get("messages") if isinstance(change, Mapping) else None
    return messages if isinstance(messages, list) else [row]


def _read_gemini_cli(row: Row) -> Message | None:
    speaker, name = _SPEAKERS.get(str(row.get("type"))), row.get("id")
    if speaker is None:
        return None
    text = text_of(_shown(row), _clean_gemini_cli if speaker == "user" else str)
    if text is None:
        raise InvalidInput("a message without its text")
    return Message(speaker, text, instant_of(row.get("timestamp")), name if isinstance(name, str) else None)


def _shown(row: Row) -> Any:
    """What the user typed; `content` also has the files that it mentions."""
    return row.get("displayContent") if row.get("displayContent") else row.get("content")


def _clean_gemini_cli(text: str) -> str:
    return "" if _COMMAND.fullmatch(text) else strip_host_text(text)


GEMINI_CLI = Form(_is_gemini_cli, _read_gemini_cli, lambda row: row.get("kind") == "subagent", _split)


_NOT_SAID = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
"""The fields that say of a record that its text is the host's, or another agent's."""
_INTERRUPTIONS = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")


def _is_claude_code(row: Row) -> bool:
    return isinstance(row.get("type"), str) and bool(
        {"sessionId", "parentUuid", "leafUuid", "snapshot"}.intersection(row)
    )


def _read_claude_code(row: Row) -> Message | None:
    kind = row.get("type")
    if kind is None:
        return read_message(row)
    if kind == "attachment":
        return _read_queued(row)
    if kind not in ("user", "assistant"):
        return None
    message = row.get("message")
    if not isinstance(message, Mapping):
        raise InvalidInput("a message without its text")
    if any(row.get(field) for field in _NOT_SAID) or message.get("model") == "<synthetic>" or not _is_human(row):
        return None
    return _message(row, kind, message.get("content", message.get("parts")))


def _read_queued(row: Row) -> Message | None:
    """What the user typed while the agent was at work."""
    attachment = row.get("attachment")
    if not isinstance(attachment, Mapping) or attachment.get("type") != "queued_command" or row.get("isSidechain"):
        return None
    said = (
        attachment.get("commandMode", "prompt") == "prompt" and not attachment.get("isMeta") and _is_human(attachment)
    )
    return _message(row, "user", attachment.get("prompt")) if said else None


def _is_human(row: Row) -> bool:
    """Whether a user's message is from a human, and not from a task, a channel or another agent."""
    origin = row.get("origin")
    return not isinstance(origin, Mapping) or origin.get("kind", "human") == "human"


def _message(row: Row, speaker: str, content: object) -> Message | None:
    text = text_of(content, _clean_claude_code if speaker == "user" else str)
    if text is None:
        raise InvalidInput("a message without its text")
    uuid = row.get("uuid")
    return Message(speaker, text, instant_of(row.get("timestamp")), uuid if isinstance(uuid, str) else None)


def _clean_claude_code(text: str) -> str:
    return "" if text.strip() in _INTERRUPTIONS else strip_host_text(text)


def _is_claude_agent(row: Row) -> bool:
    return row.get("isSidechain") is True and "agentId" in row


def _record_claude_code(row: Row, message: Message | None) -> Record | None:
    uuid, parent = row.get("uuid"), row.get("parentUuid")
    if not isinstance(uuid, str) or row.get("isSidechain"):
        return None
    is_prompt = row.get("type") == "user" and message is not None and bool(message.text.strip())
    return Record(uuid, parent if isinstance(parent, str) else None, is_prompt)


CLAUDE_CODE = Form(_is_claude_code, _read_claude_code, _is_claude_agent, record=_record_claude_code)


_FORMS = (CODEX, GEMINI_CLI, CLAUDE_CODE)
_HEAD = 30
"""How many lines tell the form."""
_LONGEST_REASON = 200


class SkippedLines(NamedTuple):
    """How many lines were not understood; the number of the first, from 1, and why."""

    total: int
    line: int
    reason: str


class Conversation(NamedTuple):
    """A conversation as it was read.

    Attributes:
        turns: What was said, in order.
        skipped: The lines that were not understood; None if all were.
        private: The private passages that were left out, by lines.
        repeated: How many messages were left out because another source has them.
        taken_back: How many messages were left out because the user gave another prompt in their place.
    """

    turns: list[Turn]
    skipped: SkippedLines | None = None
    private: Sequence[PrivatePassage] = ()
    repeated: int = 0
    taken_back: int = 0


def read_json(text: str, is_new: Callable[[Message], bool] = lambda message: True) -> Conversation | None:
    """The conversation in a text; None if the text is not JSON of that kind. `is_new` is asked of messages with an id.

    Raises:
        InvalidInput: not a line of it is understood, or nobody says anything in it.
    """
    rows = _rows(text.removeprefix("\ufeff"))
    if rows is None:
        return None
    rows = iter(rows)
    head = list(islice(rows, _HEAD))
    objects = [row for _, row in head if isinstance(row, dict)]
    form = next((form for form in _FORMS if any(map(form.fits, objects))), PLAIN)
    if any(map(form.is_of_agent, objects[:1])):
        raise InvalidInput("nobody speaks in it: an agent did there what another one set it to")
    return _Collection(form, is_new).collect(chain(head, rows))


def _rows(text: str) -> "Iterable[tuple[int, Any]] | None":
    """The objects in a text, numbered from 1; of a malformed line, None."""
    lines = text.split("\n")
    if _are_objects(lines):
        return ((number, _load(line)) for number, line in enumerate(lines, 1) if line.strip())
    whole = _load(text) if text[:1000].lstrip().startswith(("{", "[")) else None
    if isinstance(whole, dict):
        return [(1, whole)] if GEMINI_CLI.fits(whole) or _is_message(whole) else None
    return enumerate(whole, 1) if isinstance(whole, list) and all(isinstance(row, dict) for row in whole) else None


def _is_message(row: Row) -> bool:
    """Whether an object that is all of a text says who speaks, and what."""
    return isinstance(row.get("content"), str) and any(isinstance(row.get(name), str) for name in ("role", "speaker"))


def _are_objects(lines: Sequence[str]) -> bool:
    """Whether lines are objects: the first of them, or, as a line may be torn, most of the first ones."""
    head = [isinstance(_load(line), dict) for line in islice(filter(str.strip, lines), _HEAD)]
    return any(head[:1]) or 2 * sum(head) > len(head)


def _load(text: str) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        return None


class _Collection:
    """The messages of a conversation. One that comes again keeps its place, and has the words that came last."""

    def __init__(self, form: Form, is_new: Callable[[Message], bool]) -> None:
        self._form = form
        self._is_new = is_new
        self._messages: list[Message] = []
        self._places: dict[str, int] = {}
        self._private: list[PrivatePassage] = []
        self._skipped: SkippedLines | None = None
        self._repeated = 0
        self._records: list[Record] = []

    def collect(self, rows: Iterable[tuple[int, Any]]) -> Conversation:
        """Take every message.

        Raises:
            InvalidInput: there is none.
        """
        for number, row in rows:
            for part in self._form.split(row) if isinstance(row, dict) else [row]:
                try:
                    self._take(number, self._read(part))
                except InvalidInput as error:
                    self._skip(number, error)
        if not self._messages:
            raise self._nothing()
        gone = taken_back(self._records)
        kept = [message for message in self._messages if message.id not in gone]
        left_out = len(self._messages) - len(kept)
        return Conversation(list(_turns(kept)), self._skipped, self._private, self._repeated, left_out)

    def _read(self, row: "Row | Any") -> Message | None:
        if not isinstance(row, dict):
            raise InvalidInput("not a JSON object")
        message = self._form.read(row)
        if record := self._form.record(row, message):
            self._records.append(record)
        return message

    def _take(self, number: int, message: Message | None) -> None:
        if message is None or not message.text.strip():
            return
        if message.id and not self._is_new(message):
            self._repeated += 1
            return
        text, passages = strip_private(message.text)
        at = self._places.get(message.id or "")
        if at is not None:
            self._messages[at] = self._messages[at]._replace(text=text)
            return
        self._private += (passage._replace(line=number) for passage in passages)
        if text.strip().strip(MARK).strip():
            if message.id:
                self._places[message.id] = len(self._messages)
            self._messages.append(message._replace(text=text))

    def _skip(self, number: int, error: InvalidInput) -> None:
        if self._skipped:
            self._skipped = self._skipped._replace(total=self._skipped.total + 1)
        else:
            reason = "it is malformed, and looks like a credential" if find(error.message) else error.message
            self._skipped = SkippedLines(1, number, f"{reason:.{_LONGEST_REASON}}")

    def _nothing(self) -> InvalidInput:
        if self._skipped:
            more = f", and {self._skipped.total - 1:,} more" if self._skipped.total > 1 else ""
            return InvalidInput(
                f"not a conversation: line {self._skipped.line}: {self._skipped.reason}{more}",
                "a turn is {speaker or role, content, timestamp}",
            )
        if self._repeated:
            return InvalidInput("nothing in it is new: another file has all of it")
        return InvalidInput("nobody says anything in it")


def _turns(messages: Iterable[Message]) -> Iterator[Turn]:
    for message in messages:
        name = " ".join(message.speaker.split())
        yield Turn(name, message.text, message.time, f"{name}: {message.text}\n")
