"""Readers of segments, which find drafts of items in them, before these have paths: by rules, a model or not at all."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from memoir.english.amendments import amend, with_amendments
from memoir.english.dates import Span
from memoir.english.lasting_clauses import LONGEST_REQUEST, find_lasting, is_request
from memoir.english.project_documents import without_steps
from memoir.english.said_dates import said_times
from memoir.english.sentences import LONGEST, asked_to_remember, prose_sentences, without_lead
from memoir.english.session_sentences import statement_of_agent
from memoir.english.statements import kind_of, likeliest_kind
from memoir.english.stopwords import STOP_WORDS
from memoir.filing.classifier import confidence
from memoir.layers.item_options import MODEL, NONE, RULES
from memoir.llm.model import Prompt
from memoir.llm.usage import Usage
from memoir.memory.origin import ASSISTANT, USER, role_of
from memoir.sources.cutting import DocumentSection, Part, Talk
from memoir.sources.turns import ROLES, Turn
from memoir.taxonomy.kinds import FACT
from memoir.times import WEEKDAYS

_SURE = 0.2
"""The least confidence of filing in the path of a fact."""
_PEOPLES_TOOLS = frozenset(("system", "tool", "function", "developer"))


class Sentence(NamedTuple):
    """A sentence as it is written, on one line, and the turn of a conversation that it is from."""

    text: str
    turn: Turn | None = None

    @property
    def speaker(self) -> str | None:
        """Who says it, by name; None in a document or if only a role is known."""
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
    """The sentences of a segment, in order; what systems and tools say is left out, and what manuals do.

    One that is amended at once ("on Monday. Actually Tuesday.") is one with what amends it.
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
"""Words that have a capital inside a sentence without being names of anything."""
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
    """A day, month or year, as far as the text says when; None if it does not."""
    entities: tuple[str, ...] = ()
    """The names in it."""
    person: str | None = None
    """Who says it of themselves."""
    time: datetime | None = None
    """When it was said; None if that is unknown."""
    speaker: str | None = None
    """Who says it, of whatever; it may be a role, such as `user`."""


def drafts(part: Talk | DocumentSection) -> Iterator[Draft]:
    """The items that rules find in a segment: sentences that state something durable, as they are written."""
    for sentence in sentences(part):
        for kind, text in _statements(sentence):
            yield _draft(sentence._replace(text=text), kind)


def _statements(sentence: Sentence) -> Iterator[tuple[str, str]]:
    """What a sentence states, with its kind: the whole of it, or the clauses of a request that last."""
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
    """The kind of item that a sentence is; None if it states nothing durable, or a fact without a path."""
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
    """A sentence with what amends it as it holds at the end: a date that was taken back is none."""
    parts = [*prose_sentences(text)]
    held = with_amendments(parts)
    return text if held == parts else " ".join(held)


def entities(text: str) -> tuple[str, ...]:
    """The names in a sentence: words with a capital inside of it, quoted titles, code and identifiers."""
    words = (next(filter(None, match.groups())) for match in _ENTITY.finditer(text))
    names = (_TAIL.sub("", name) for name in words)
    rest = (name for name in names if name.casefold() not in _NO_NAMES and not _YEAR.fullmatch(name))
    return tuple(dict.fromkeys(rest))[:_MOST_ENTITIES]


def date_of_event(text: str, time: datetime | None) -> str | None:
    """The day, month or year that a text names, as `2026-01-31`, `2026-01` or `2026`; of several the latest past one.

    Without the time when it was said, only a text that names the year says when.
    """
    if time is None and not _YEAR.search(text):
        return None
    base = (time or datetime(9000, 1, 1, tzinfo=UTC)).timestamp()
    spans = [each.span for each in said_times(text, base)]
    past = [span for span in spans if span.start <= base]
    when = max(past, default=None) or min(spans, default=None)
    return _format_span(when) if when else None


def _format_span(span: Span) -> str | None:
    """A time with as much of its date as it is sure of; None for one longer than a year."""
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
    """The cost of asking a model: calls, and about how many tokens they would send."""

    calls: int = 0
    input_tokens: int = 0

    def with_call(self, prompt: Prompt) -> "Cost":
        """This and one more call, with a prompt."""
        return Cost(self.calls + 1, self.input_tokens + prompt.tokens)


class Account(NamedTuple):
    """The cost of reading so far, the estimate of a dry run, and the readings made in another way, and why."""

    usage: Usage = Usage()
    cost: Cost | None = None
    degraded: tuple[str, ...] = ()


class Reading(NamedTuple):
    """The drafts of a segment's items, and what made them; nothing if nobody has read it."""

    drafts: tuple[Draft, ...] = ()
    by: str | None = None


class Reader:
    """Something that reads segments; this one finds nothing in them, which costs nothing."""

    name = NONE
    """One of `memoir.layers.item_options.READERS`."""

    def read(self, part: Part) -> Reading:
        """Find the items of a segment."""
        return Reading()

    def account(self) -> Account:
        """The cost so far."""
        return Account()


class RulesReader(Reader):
    """Takes the sentences that state something durable, as they are written."""

    name = RULES

    def read(self, part: Part) -> Reading:
        """Find the items of a segment."""
        return Reading(tuple(drafts(part)), RULES)


def has_read(reader: Reader, metadata: Mapping[str, object]) -> bool:
    """Whether a stored segment need not be read again: its reader has read it before, or a better one."""
    by = metadata.get("items")
    return reader.name == NONE or by == reader.name or (reader.name == RULES and by == MODEL)
