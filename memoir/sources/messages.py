"""Messages in lines of JSON, and reading those that are in no host's own form.

{"speaker": "Ada", "content": "I moved to Porto.", "timestamp": "2026-01-31T09:30:00Z"}
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memoir.errors import InvalidInput
from memoir.times import parse_instant

ELEMENTS = (
    "system-reminder|task-notification|user-prompt-submit-hook|command-[a-z]+|local-command-[a-z]+|bash-[a-z]+"
    "|ide_[a-z_]+|hook_context|session_context|state_snapshot|environment_context|user_instructions|turn_aborted"
    "|user_shell_command|subagent_notification|rollout_budget"
)
"""The names of elements that hosts put into messages: reminders, commands and their output, and their state."""
_TAG = re.compile(rf"<(?P<end>/)?(?P<name>{ELEMENTS})(?:\s[^<>]{{0,200}}+)?>")


def strip_host_text(text: str) -> str:
    """Remove elements that a host has added to a user's message; elements without an end tag stay."""
    parts, at, name, start = list[str](), 0, "", 0
    for tag in _TAG.finditer(text):
        if not name and not tag["end"]:
            name, start = tag["name"], tag.start()
        elif tag["end"] and tag["name"] == name:
            parts.append(text[at:start])
            name, at = "", tag.end()
    return "".join([*parts, text[at:]]).strip() if at else text


_SPEAKER, _SPEECH, _WHEN = ("speaker", "name", "role"), ("content", "text"), ("timestamp", "time", "created_at", "date")
"""The fields of a line for the speaker, the text, and the time; the first that is present counts."""

Row = Mapping[str, Any]
"""A line, as an object."""


class NothingToIngest(InvalidInput):
    """The error for a valid file with nothing, or nothing new, to ingest."""


class AlreadyIngested(NothingToIngest):
    """The error for a file whose text is already ingested as another source."""

    def __init__(self, source: str) -> None:
        super().__init__(f"already ingested as {source}", f"'memoir sources --remove {source}' forgets that one")


class Message(NamedTuple):
    """A message: speaker, text, time (None: unknown), and its id, by which a repetition is recognized.

    `line` is its line in the file, from 1; 0 if unknown.
    """

    speaker: str
    text: str
    time: datetime | None = None
    id: str | None = None
    line: int = 0


class Record(NamedTuple):
    """A line in a tree of lines: its id, the id of its parent, and whether it is a user's prompt."""

    id: str
    parent: str | None
    is_prompt: bool


class Form(NamedTuple):
    """A form of conversations."""

    fits: Callable[[Row], bool]
    """Whether a line is of this form."""
    read: Callable[[Row], Message | None]
    """The message of a line; None for a host's other records. It raises `InvalidInput` if it does not understand the
    line."""
    is_of_agent: Callable[[Row], bool] = lambda row: False
    """Whether the first line says that the file is the work of an agent for another agent, without a conversation."""
    split: "Callable[[Row], Sequence[Any]]" = lambda row: [row]
    """The rows in a line that has several."""
    record: "Callable[[Row, Message | None], Record | None]" = lambda row, message: None
    """The place of a line in the tree of its conversation; None if lines form no tree."""
    rewind: "Callable[[Row], str | int | None]" = lambda row: None
    """What the user took back, according to a line: everything from the line with an id on, or a number of last prompts
    with their answers; None for other lines."""


def taken_back(records: Sequence[Record]) -> set[str]:
    """The ids of the lines that a user took back, by another prompt with the same parent as an earlier one.

    A branch that was continued after the other prompt is kept: it belongs to a second window. If no line names another
    as its parent, there is no tree, and an edited prompt cannot be distinguished from the next one.
    """
    positions = dict[str, int]()
    if {record.parent for record in records}.isdisjoint(record.id for record in records):
        return set()
    for position, record in enumerate(records):
        positions.setdefault(record.id, position)
    tree = [record for position, record in enumerate(records) if positions[record.id] == position]
    last = dict(positions)
    for record in reversed(tree):
        if record.parent in last:
            last[record.parent] = max(last[record.parent], last[record.id])
    gone, prompts = set[str](), dict[str, Record]()
    for record in tree:
        if record.is_prompt and record.parent:
            earlier = prompts.get(record.parent)
            if earlier and last[earlier.id] < positions[record.id]:
                gone.add(earlier.id)
            prompts[record.parent] = record
    return _with_answers(gone, tree)


def _with_answers(prompts: set[str], tree: Sequence[Record]) -> set[str]:
    """The ids of some prompts, and of all lines that follow them in a tree."""
    gone = {*prompts}
    for record in tree:
        if record.parent in gone:
            gone.add(record.id)
    return gone


def read_message(row: Row) -> Message | None:
    """The message of a line in no host's form; None for typed records without a message.

    Raises:
        InvalidInput: it is not understood.
    """
    inner = row.get("message")
    if isinstance(inner, Mapping):
        row = {**row, **inner}
    elif "type" in row and not any(name in row for name in (*_SPEAKER, *_SPEECH)):
        return None
    speaker, text = _first(row, _SPEAKER), text_of(_first(row, _SPEECH))
    if not isinstance(speaker, str) or not speaker.strip() or text is None:
        raise InvalidInput("it needs a 'speaker' or 'role', and 'content'")
    return Message(speaker, text, instant_of(_first(row, _WHEN)))


PLAIN = Form(lambda row: True, read_message)


def _first(row: Row, names: Sequence[str]) -> Any:
    return next((row[name] for name in names if row.get(name) is not None), None)


def text_of(content: Any, clean: Callable[[str], str] = str) -> str | None:
    """The text of a message's content: a string, a block, or blocks of which some are text; each goes through `clean`.

    A model's thoughts are left out.
    """
    if isinstance(content, str):
        return clean(content)
    blocks = [content] if isinstance(content, Mapping) else content
    if not isinstance(blocks, list):
        return None
    texts = [block.get("text") if isinstance(block, Mapping) else block for block in blocks if not _is_thought(block)]
    return "\n".join(filter(str.strip, (clean(text) for text in texts if isinstance(text, str))))


def _is_thought(block: Any) -> bool:
    return isinstance(block, Mapping) and (
        block.get("thought") is True or block.get("type") in ("thinking", "reasoning")
    )


def instant_of(when: Any) -> datetime | None:
    """When something was said: an ISO 8601 date, or seconds or milliseconds since 1970.

    Raises:
        InvalidInput: it is neither.
    """
    if when is None:
        return None
    if isinstance(when, str):
        return parse_instant(re.sub(r"(?<=\d),? (?=\d)", "T", when.strip()))
    try:
        return datetime.fromtimestamp(when / (1000 if when > 1e11 else 1), UTC)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise InvalidInput(f"not a time: {when!r:.40}") from error
