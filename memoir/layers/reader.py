"""Readers of segments, which draft items (still without paths): by rules, by a model, or not at all."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from memoir.english.dates import Span
from memoir.english.lasting.amendments import amend, with_amendments
from memoir.english.lasting.lasting_clauses import LONGEST_REQUEST, find_lasting, is_request
from memoir.english.lasting.project_documents import without_steps
from memoir.english.lasting.session_sentences import statement_of_agent
from memoir.english.lasting.statements import kind_of, likeliest_kind
from memoir.english.said_dates import said_times
from memoir.english.sentences import LONGEST, asked_to_remember, prose_sentences, without_lead
from memoir.english.stopwords import STOP_WORDS
from memoir.filing.classifier import confidence
from memoir.layers.item_options import MODEL, NONE, RULES
from memoir.llm.model import Prompt
from memoir.llm.usage import Usage
from memoir.memory.speaker import ASSISTANT, USER, role_of
from memoir.sources.cutting import DocumentSection, Part, Talk
from memoir.sources.turns import ROLES, Turn
from memoir.taxonomy.kinds import FACT
from memoir.times import WEEKDAYS

_SURE = 0.2
"""The least filing confidence of a fact."""
_PEOPLES_TOOLS = frozenset(("system", "tool", "function", "developer"))


class Sentence(NamedTuple):
    """A sentence as written, on one line, and its turn of a conversation."""

    text: str
    turn: Turn | None = None

    @property
    def speaker(self) -> str | None:
        """The speaker's name; None in a document, or if only a role is known."""
        return None if self.turn is None or self.turn.speaker.casefold() in ROLES else self.turn.speaker

    @property
    def is_of_assistant(self) -> bool:
        """Whether an assistant says it."""
        return self.turn is not None and role_of(self.turn.speaker) == ASSISTANT

    @property
    def is_to_assistant(self) -> bool:
        """Whether a user says it to an assistant."""
        return self.turn is not None and role_of(self.turn.speaker) == USER


def sentences(part: Talk | DocumentSection) -> Iterator[Sentence]:
    """Yield the sentences of a segment, in order, without those of systems, tools and manuals.

    A sentence amended at once ("on Monday. Actually Tuesday.") is joined with its amendment.
    """
    if isinstance(part, DocumentSection):
        yield from map(Sentence, prose_sentences(without_steps(part.text)) if part.is_projects else ())
        return
    for turn in part.turns:
        if turn.speaker.casefold() not in _PEOPLES_TOOLS and (len(part.turns) > 1 or turn.words):
            speech = turn.words if part.text == turn.text or len(part.turns) > 1 else part.text
            longest = LONGEST_REQUEST if role_of(turn.speaker) == USER else LONGEST
            yield from (Sentence(each.said, turn) for each in amend(prose_sentences(speech, longest)))


_MOST_ENTITIES = 12
_ENTITY = re.compile(
    r"`(?P<code>[^`\n]{2,60})`|[\"“](?P<title>[A-Z][^\"”\n]{2,60})[\"”]"
    r"|(?<=[a-z,;)\d] )(?P<name>[A-Z][\w'’.&-]*\w(?: (?:of |the |de |van )?(?!I['’])[A-Z0-9][\w'’.&-]*\w)*)"
    r"|\b(?P<identifier>[a-z]+_[a-z_\d]+|[a-z]+[A-Z]\w+|[A-Z]+-\d+|v?\d+\.\d+\.\d+)\b"
)
_TAIL = re.compile(r"['’](?:s|m|d|ve|re|ll)$")
_NO_NAMES = STOP_WORDS | {form for day in WEEKDAYS for form in (day, day[:3])}
"""Words that are capitalised inside a sentence but are not names."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|our|us)\b", re.IGNORECASE)
_DAYS_OF_MONTH, _DAYS_OF_YEAR = 31, 366


class Draft(NamedTuple):
    """An item before it is filed."""

    content: str
    """The sentence."""
    kind: str
    """One of `memoir.taxonomy.kinds.ITEM_KINDS`."""
    occurred_at: str | None = None
    """The day, month or year of the event; None if the text gives none."""
    entities: tuple[str, ...] = ()
    """The names in it."""
    person: str | None = None
    """The speaker, if they speak of themselves."""
    time: datetime | None = None
    """The time when it was said; None if unknown."""
    speaker: str | None = None
    """The speaker; may be a role, such as `user`."""


def drafts(part: Talk | DocumentSection) -> Iterator[Draft]:
    """Yield the drafts that rules find in a segment: sentences that state something durable, as written."""
    for sentence in sentences(part):
        for kind, text in _statements(sentence):
            yield _draft(sentence._replace(text=text), kind)


def _statements(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """Yield the statements of a sentence with their kinds: the whole sentence, or the lasting clauses of a request."""
    text = sentence.text
    if sentence.is_of_assistant:
        if stated := statement_of_agent(text):
            yield kind_of(text, talk=True) or stated.kind, text
        return
    if sentence.is_to_assistant and len(text) <= LONGEST and (said := asked_to_remember(text)):
        yield kind_of(text, talk=True) or likeliest_kind(said), text
        return
    is_whole = len(text) <= LONGEST and not (sentence.is_to_assistant and is_request(text))
    if is_whole and (kind := kind_of_item(text, talk=sentence.turn is not None)):
        yield kind, text
    elif sentence.is_to_assistant:
        yield from find_lasting(text)


def kind_of_item(sentence: str, *, talk: bool) -> str | None:
    """The kind of item that a sentence makes; None if it states nothing durable, or is a fact without a path."""
    kind = kind_of(sentence, talk=talk)
    return None if kind == FACT and confidence(without_lead(sentence)) < _SURE else kind


def _draft(sentence: Sentence, kind: str) -> Draft:
    time = sentence.turn.time if sentence.turn else None
    own = sentence.speaker and _FIRST_PERSON.search(sentence.text)
    return Draft(
        sentence.text,
        kind,
        date_of_event(_as_it_holds(sentence.text), time),
        entities(sentence.text),
        sentence.speaker if own else None,
        time,
        sentence.turn.speaker if sentence.turn else None,
    )


def _as_it_holds(text: str) -> str:
    """Apply a sentence's amendments, so that a date that was taken back does not count."""
    parts = [*prose_sentences(text)]
    held = with_amendments(parts)
    return text if held == parts else " ".join(held)


def entities(text: str) -> tuple[str, ...]:
    """The names in a sentence: capitalised words inside it, quoted titles, code and identifiers."""
    words = (next(filter(None, match.groups())) for match in _ENTITY.finditer(text))
    names = (_TAIL.sub("", name) for name in words)
    rest = (name for name in names if name.casefold() not in _NO_NAMES and not _YEAR.fullmatch(name))
    return tuple(dict.fromkeys(rest))[:_MOST_ENTITIES]


def date_of_event(text: str, time: datetime | None) -> str | None:
    """The date that a text names, as `2026-01-31`, `2026-01` or `2026`; of several, the latest past one.

    Without the time when it was said, only a text with a year has a date.
    """
    if time is None and not _YEAR.search(text):
        return None
    base = (time or datetime(9000, 1, 1, tzinfo=UTC)).timestamp()
    spans = [each.span for each in said_times(text, base)]
    past = [span for span in spans if span.start <= base]
    when = max(past, default=None) or min(spans, default=None)
    return _format_span(when) if when else None


def _format_span(span: Span) -> str | None:
    """Format a span as the date that it determines; None if it is longer than a year."""
    start, end = datetime.fromtimestamp(span.start, UTC), datetime.fromtimestamp(span.end, UTC)
    days = (end - start) / timedelta(days=1)
    if days <= 1:
        return f"{start:%Y-%m-%d}"
    if start.day == 1 and days <= _DAYS_OF_MONTH and (end + timedelta(days=1)).day == 1:
        return f"{start:%Y-%m}"
    if days <= _DAYS_OF_MONTH:
        return f"{start + (end - start) / 2:%Y-%m-%d}"
    return f"{start:%Y}" if days <= _DAYS_OF_YEAR and start.year == end.year else None


class Cost(NamedTuple):
    """The estimated cost of a model: calls, and input tokens."""

    calls: int = 0
    input_tokens: int = 0

    def with_call(self, prompt: Prompt) -> "Cost":
        """Add one call with a prompt."""
        return Cost(self.calls + 1, self.input_tokens + prompt.tokens)


class Account(NamedTuple):
    """The cost of reading so far, the estimate of a dry run, and notes on fallbacks."""

    usage: Usage = Usage()
    cost: Cost | None = None
    degraded: tuple[str, ...] = ()


class Reading(NamedTuple):
    """The drafts of a segment's items, and their reader; None if it was not read."""

    drafts: tuple[Draft, ...] = ()
    by: str | None = None


class Reader:
    """The base of readers; it finds nothing, at no cost."""

    name = NONE
    """One of `memoir.layers.item_options.READERS`."""

    def read(self, part: Part) -> Reading:
        """Find the items of a segment."""
        return Reading()

    def account(self) -> Account:
        """The cost so far."""
        return Account()


class RulesReader(Reader):
    """Finds the sentences that state something durable, as written."""

    name = RULES

    def read(self, part: Part) -> Reading:
        """Find the items of a segment."""
        return Reading(tuple(drafts(part)), RULES)


def has_read(reader: Reader, metadata: Mapping[str, object]) -> bool:
    """Whether this reader or a better one has read a stored segment before."""
    by = metadata.get("items")
    return reader.name == NONE or by == reader.name or (reader.name == RULES and by == MODEL)
