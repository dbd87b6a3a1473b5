"""Conversations in JSON: lines, a list of messages, or one object; a host's own form is recognized by content."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from itertools import chain, islice
from typing import Any, NamedTuple

import orjson

from memoir.errors import InvalidInput
from memoir.secrets.secrets import MARK, PrivatePassage, find, strip_private
from memoir.sources.host_forms import FORMS, GEMINI_CLI
from memoir.sources.messages import PLAIN, Form, Message, NothingToIngest, Record, Row, taken_back
from memoir.sources.turns import Turn

_HEAD = 30
"""How many of the first lines decide the form."""
_LONGEST_REASON = 200


class SkippedLines(NamedTuple):
    """How many lines were not understood; the number of the first, from 1, and why."""

    total: int
    line: int
    reason: str


class Conversation(NamedTuple):
    """A conversation as it was read."""

    turns: list[Turn]
    """What was said, in order."""
    skipped: SkippedLines | None = None
    """The lines that were not understood; None if all were."""
    private: Sequence[PrivatePassage] = ()
    """The private passages that were left out, by lines."""
    repeated: int = 0
    """How many messages were left out because another source has them."""
    taken_back: int = 0
    """How many messages were left out because the user replaced them by another prompt."""


def read_json(
    text: str, is_new: Callable[[Message], bool] = lambda message: True, *, is_lines: bool = False
) -> Conversation | None:
    """The conversation in a text; None if the text is not such JSON. `is_new` is called for messages with an id.

    With `is_lines`, known from the file's name, the text is read as JSON lines even if many are torn.

    Raises:
        InvalidInput: no line of it is understood, or it has no messages.
    """
    rows = _rows(text.removeprefix("\ufeff"))
    if rows is None and is_lines:
        rows = _numbered(text.split("\n"))
    if rows is None:
        return None
    rows = iter(rows)
    head = list(islice(rows, _HEAD))
    objects = [row for _, row in head if isinstance(row, dict)]
    form = next((form for form in FORMS if any(map(form.fits, objects))), PLAIN)
    if any(map(form.is_of_agent, objects[:1])):
        raise NothingToIngest("nobody speaks in it: it is the work of an agent for another agent")
    return _Collection(form, is_new).collect(chain(head, rows))


def conversation_of(messages: Iterable[Message]) -> Conversation:
    """The conversation of messages that were read elsewhere; their ids and lines are ignored.

    Raises:
        InvalidInput: it has no messages.
    """
    collection = _Collection(PLAIN, lambda message: True)
    for number, message in enumerate(messages, 1):
        speaker, text = (each.encode("utf-8", "replace").decode() for each in message[:2])
        collection.take(number, Message(speaker, text, message.time and message.time.astimezone(UTC)))
    return collection.whole()


def _rows(text: str) -> "Iterable[tuple[int, Any]] | None":
    """The objects in a text, numbered from 1, with None for a malformed line; None if the text is no such JSON."""
    lines = text.split("\n")
    if _are_objects(lines):
        return _numbered(lines)
    whole = _load(text) if text[:1000].lstrip().startswith(("{", "[")) else None
    if isinstance(whole, dict):
        return [(1, whole)] if GEMINI_CLI.fits(whole) or _is_message(whole) else None
    return enumerate(whole, 1) if isinstance(whole, list) and all(isinstance(row, dict) for row in whole) else None


def _numbered(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    return ((number, _load(line)) for number, line in enumerate(lines, 1) if line.strip())


def _is_message(row: Row) -> bool:
    """Whether a text's only object is a message, with a speaker and content."""
    return isinstance(row.get("content"), str) and any(isinstance(row.get(name), str) for name in ("role", "speaker"))


def _are_objects(lines: Sequence[str]) -> bool:
    """Whether lines are JSON objects: the first one, or most of the first ones, since a line may be torn."""
    head = [isinstance(_load(line), dict) for line in islice(filter(str.strip, lines), _HEAD)]
    return any(head[:1]) or 2 * sum(head) > len(head)


def _load(text: str) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        return None


class _Collection:
    """The messages of a conversation. A repeated message keeps its place, and gets the last words."""

    def __init__(self, form: Form, is_new: Callable[[Message], bool]) -> None:
        self._form = form
        self._is_new = is_new
        self._messages: list[Message] = []
        self._positions: dict[str, int] = {}
        self._private: list[PrivatePassage] = []
        self._skipped: SkippedLines | None = None
        self._is_torn = False
        self._repeated = 0
        self._records: list[Record] = []
        self._lines: dict[str, int] = {}
        self._rewound = 0

    def collect(self, rows: Iterable[tuple[int, Any]]) -> Conversation:
        """Take every message.

        Raises:
            InvalidInput: there is none.
        """
        for number, row in rows:
            for part in self._form.split(row) if isinstance(row, dict) else [row]:
                try:
                    self.take(number, self._read(part))
                except InvalidInput as error:
                    self._skip(number, error)
        return self.whole()

    def whole(self) -> Conversation:
        """The conversation of the messages taken.

        Raises:
            InvalidInput: there are none.
        """
        if not self._messages:
            raise self._nothing()
        gone = taken_back(self._records)
        kept = [message for message in self._messages if message.id not in gone]
        left_out = self._rewound + len(self._messages) - len(kept)
        return Conversation(list(_turns(kept)), self._skipped, self._private, self._repeated, left_out)

    def _read(self, row: "Row | Any") -> Message | None:
        if not isinstance(row, dict):
            self._is_torn = True
            raise InvalidInput("not a JSON object")
        if to := self._form.rewind(row):
            self._go_back(to)
            return None
        if isinstance(row.get("id"), str):
            self._lines.setdefault(row["id"], len(self._messages))
        message = self._form.read(row)
        if record := self._form.record(row, message):
            self._records.append(record)
        return message

    def _go_back(self, to: str | int) -> None:
        """Drop the messages from a line on, or since one of the last prompts; none if that is not found."""
        here = len(self._messages)
        prompts = [position for position, message in enumerate(self._messages) if message.speaker == "user"]
        at = self._lines.get(to, here) if isinstance(to, str) else min(prompts[-to:], default=here)
        self._rewound += here - at
        del self._messages[at:]
        self._positions = {name: position for name, position in self._positions.items() if position < at}
        self._lines = {name: position for name, position in self._lines.items() if position < at}

    def take(self, number: int, message: Message | None) -> None:
        """Take the message of a line, if it has one."""
        if message is None or not message.text.strip():
            return
        if message.id and not self._is_new(message):
            self._repeated += 1
            return
        text, passages = strip_private(message.text)
        at = self._positions.get(message.id or "")
        if at is not None:
            self._messages[at] = self._messages[at]._replace(text=text, line=number)
            return
        self._private += (passage._replace(line=number) for passage in passages)
        if text.strip().strip(MARK).strip():
            if message.id:
                self._positions[message.id] = len(self._messages)
            self._messages.append(message._replace(text=text, line=number))

    def _skip(self, number: int, error: InvalidInput) -> None:
        if self._skipped:
            self._skipped = self._skipped._replace(total=self._skipped.total + 1)
        else:
            reason = "it is malformed, and looks like a credential" if find(error.message) else error.message
            self._skipped = SkippedLines(1, number, f"{reason:.{_LONGEST_REASON}}")

    def _nothing(self) -> InvalidInput:
        if self._skipped:
            more = f", and {self._skipped.total - 1:,} more" if self._skipped.total > 1 else ""
            is_other = self._form is PLAIN and not self._is_torn  # valid JSON lines of another kind
            return (NothingToIngest if is_other else InvalidInput)(
                f"not a conversation: line {self._skipped.line}: {self._skipped.reason}{more}",
                "a turn is {speaker or role, content, timestamp}; 'memoir import' reads memories: {path, content}, "
                "and with --from auto what another tool exported",
            )
        if self._repeated:
            return NothingToIngest("nothing in it is new: another file has all of it")
        return NothingToIngest("nobody says anything in it")


def _turns(messages: Iterable[Message]) -> Iterator[Turn]:
    for message in messages:
        name = " ".join(message.speaker.split())
        yield Turn(name, message.text, message.time, f"{name}: {message.text}\n", message.line)
