"""Read a source: a file's text, cut into segments, with its credentials replaced."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

import orjson

from memoir.english.lasting.project_documents import speaks_for_project
from memoir.errors import InvalidInput
from memoir.git.objects import sha1
from memoir.secrets.secrets import MARK, CredentialFinding, PrivatePassage, is_in_any, strike, strip_private
from memoir.sources.chat_exports import UnsureDate, read_export
from memoir.sources.conversion import ENDINGS, MAX_BYTES, convert, ending_of
from memoir.sources.cutting import DocumentSection, Talk, sections, talks
from memoir.sources.json_conversations import Conversation, SkippedLines, conversation_of, read_json
from memoir.sources.messages import Message, NothingToIngest
from memoir.sources.turns import Turn, read_transcript
from memoir.times import now, parse_date
from memoir.visible import neutralise

CONVERSATION, DOCUMENT = "conversation", "document"
"""The kinds of sources."""
READABLE = frozenset((".md", ".markdown", ".txt", ".text", ".rst", ".jsonl", ".ndjson")) | ENDINGS
"""The endings of files that are read in a folder; a file named itself is read with any ending, if it is text."""
CONVERSATIONS_ONLY = frozenset((".json",))
"""The endings of files that are read in a folder only if they are conversations, not data of some program."""
_BLANK = dict.fromkeys((".pdf", ".docx"), "has no text; if it is a scan, have its text recognized first")
_LONGEST_NAME = 80
"""Bytes of a source's name."""
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_](\d\d)[-_](\d\d)(?!\d)")
_DATE = re.compile(r"\A---[ \t]*\r?\n(?:(?!---)[^\n]*\n){0,99}?date:[ \t]*[\"']?((?:19|20)\d\d)-(\d\d)-(\d\d)(?!\d)")
_UTF_16 = ("\udcff\udcfe", "\udcfe\udcff", "{\0", "\0{", "[\0", "\0[")
"""The beginnings of UTF-16 texts as decoded here: a byte order mark, or a bracket beside a null."""


class SourceText(NamedTuple):
    """A source as it was read."""

    name: str
    """Its name."""
    origin: str
    """Its path or file name; `-` for standard input."""
    kind: str
    """Conversation or document."""
    parts: Sequence[Talk] | Sequence[DocumentSection]
    """Its parts; joined they are the source without credentials and private passages."""
    findings: Sequence[CredentialFinding]
    """The credentials that were replaced in it."""
    private: Sequence[PrivatePassage] = ()
    """The private passages that were left out."""
    skipped: SkippedLines | None = None
    """The lines of a conversation that were not understood; None if all were."""
    repeated: int = 0
    """How many messages were left out because another source has them."""
    known_as: str | None = None
    """The source that has these messages, if it was ingested before under another name."""
    taken_back: int = 0
    """How many messages were left out because the user gave another prompt in their place."""
    unsure: UnsureDate | None = None
    """A date in which the order of day and month is unclear, if there is one."""
    moved_from: str | None = None
    """Its origin before its file moved; None if it did not move."""
    day: datetime | None = None
    """The day that a document says it is of; None if it says none."""


def read_source(
    origin: str,
    text: str,
    *,
    name: str | None = None,
    allow_secrets: bool = False,
    is_new: Callable[[Message], bool] = lambda message: True,
) -> SourceText:
    """Cut a text into segments.

    Args:
        origin: Its path for people, or `-`.
        text: All of it.
        name: Its name; by default one is made of the origin.
        allow_secrets: Keep credentials.
        is_new: Whether no other source has a message with an id.

    Raises:
        InvalidInput: it is blank or not text, a conversation that is not understood at all, truncated JSON,
            or the name is malformed.
    """
    name = check_name(name) if name else name_of(origin)
    is_markup = _is_markup(origin)
    is_lines = bool(text.strip()) and origin.lower().endswith((".jsonl", ".ndjson"))
    if text.startswith(_UTF_16):
        _require_text(text, origin)
    if not is_markup and (conversation := read_json(text, is_new, is_lines=is_lines)):
        return _cut(name, origin, conversation, allow_secrets=allow_secrets)
    _require_text(text, origin)
    if origin.lower().endswith(".json"):
        _refuse_cut_off(text, origin)
    text, private = strip_private(text)
    if not text.strip(f" \t\r\n{MARK}"):
        what = "is private" if private else _BLANK.get(ending_of(origin), "is blank")
        raise NothingToIngest(f"nothing to ingest: {origin} {what}")
    export = None if is_markup else read_export(text)
    turns = export.turns if export else None if is_markup else read_transcript(text)
    if turns is not None:
        talk = _cut(name, origin, Conversation(turns, private=private), allow_secrets=allow_secrets)
        return talk._replace(unsure=export.unsure if export else None)
    text, findings = (text, []) if allow_secrets else strike(text)
    parts = sections(text, is_projects=speaks_for_project(f"{origin} {name}", text))
    return SourceText(name, origin, DOCUMENT, parts, findings, private, day=_day_of(origin, text))


def _day_of(origin: str, text: str) -> datetime | None:
    """The day in the name of a document, as of a daily note, or in its frontmatter; none that is to come."""
    for date in (*_DAY.findall(origin.rpartition("/")[2]), *_DATE.findall(text)):
        with suppress(InvalidInput):
            if (day := parse_date("-".join(date))) <= now():
                return day
    return None


def read_talk(origin: str, messages: Iterable[Message], name: str, *, allow_secrets: bool = False) -> SourceText:
    """Cut a conversation of given messages into segments; see `read_source`.

    Raises:
        InvalidInput: it has no messages, or the name is malformed.
    """
    return _cut(check_name(name), origin, conversation_of(messages), allow_secrets=allow_secrets)


def _cut(name: str, origin: str, conversation: Conversation, *, allow_secrets: bool) -> SourceText:
    turns, findings = (conversation.turns, []) if allow_secrets else _strike_turns(conversation.turns)
    return SourceText(
        name,
        origin,
        CONVERSATION,
        talks(turns),
        findings,
        conversation.private,
        conversation.skipped,
        conversation.repeated,
        taken_back=conversation.taken_back,
    )


def read_text(name: str, data: bytes) -> str:
    """The text of a file; a PDF, DOCX or HTML file is converted."""
    return decode(convert(name, data) if ending_of(name) in ENDINGS else data, name)


def decode(data: bytes, origin: str) -> str:
    """The text of a source, with lone surrogates for bytes that are not UTF-8: they harm only their own line.

    Raises:
        InvalidInput: it is too large.
    """
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"{origin} is larger than {MAX_BYTES >> 20} MiB", "cut it into several files")
    return data.decode("utf-8-sig", "surrogateescape")


class CutOffError(InvalidInput):
    """The error for a file whose JSON ends in the middle."""


def _refuse_cut_off(text: str, origin: str) -> None:
    """Refuse truncated JSON, such as an unfinished session file."""
    try:
        orjson.loads(text := text.rstrip())
    except orjson.JSONDecodeError as error:
        if text and error.pos == len(text):
            raise CutOffError(f"{origin} breaks off in the middle of its JSON", "copy or export it again") from error


def _require_text(text: str, origin: str) -> None:
    """Refuse data that are not text."""
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        raise InvalidInput(f"{origin} is not text in UTF-8", "convert it first")
    if "\0" in text:
        raise InvalidInput(f"{origin} is not text: it has a null character", "convert it first")


def name_of(origin: str) -> str:
    """The name of a source, one segment of a path: `docs/user guide.md` becomes `docs-user_guide`."""
    stem = re.sub(r"\.\w{1,9}$", "", unicodedata.normalize("NFC", origin)) or origin
    parts = [re.sub("_+", "_", "".join(map(_in_name, part))).strip("_") for part in stem.split("/")]
    name = "-".join(part for part in parts if part) or "source"
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    return name.encode()[: _LONGEST_NAME - 8].decode(errors="ignore") + other_name("", origin)


def _in_name(char: str) -> str:
    """A visible letter or digit of any script unchanged; anything else, which paths cannot have, as an underscore."""
    category = unicodedata.category(char)
    return char if (category[0] == "L" or category == "Nd") and neutralise(char) == char else "_"


def other_name(name: str, origin: str) -> str:
    """Another name for a source whose name is taken: with a digest of its origin."""
    return f"{name}-{sha1(origin.encode()).hex()[:7]}"


def check_name(name: str) -> str:
    """Return the name of a source if it is one segment of a path.

    Raises:
        InvalidInput: it is not.
    """
    from memoir.taxonomy.paths import check_path

    if "." in check_path(name) or len(name.encode()) > _LONGEST_NAME:
        raise InvalidInput(f"not the name of a source: {name!r}", "letters, digits, '_' and '-', and no dot")
    return name


def _is_markup(origin: str) -> bool:
    """Whether a source is a document even if its lines look like those of a transcript."""
    return origin.lower().endswith((".md", ".markdown", ".rst", ".html", ".htm", ".pdf", ".docx"))


def _strike_turns(turns: Sequence[Turn]) -> tuple[list[Turn], list[CredentialFinding]]:
    """The turns without credentials; they are scanned one by one only if any of them has one."""
    if not is_in_any(turn.text for turn in turns):
        return list(turns), []
    strikes = [(turn, *strike(turn.text)) for turn in turns]
    return [_strike_turn(turn, text) for turn, text, _ in strikes], _on_lines(strikes)


def _strike_turn(turn: Turn, text: str) -> Turn:
    return turn._replace(text=text, words=strike(turn.words)[0], speaker=strike(turn.speaker)[0])


def _on_lines(strikes: Iterable[tuple[Turn, str, Sequence[CredentialFinding]]]) -> list[CredentialFinding]:
    """The findings, each with its line in the text; for messages in JSON, the line of the message in the file."""
    all_findings: list[CredentialFinding] = []
    above = 0
    for turn, _, findings in strikes:
        all_findings += (finding._replace(line=turn.line or finding.line + above) for finding in findings)
        above += turn.text.count("\n")
    return all_findings
