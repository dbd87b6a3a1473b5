"""Searches memories and sources line by line, and limits the lines found."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count, groupby
from typing import NamedTuple

from memoir.english.excerpts import sentence_around, worth_in_talk
from memoir.english.words import plain_words, stem
from memoir.errors import InvalidInput, NotFound
from memoir.memory.facets import with_ids
from memoir.memory.layer_namespaces import RAW
from memoir.memory.passages import STAMP, passage_id, passage_starts, speakers_of
from memoir.memory.read import scan
from memoir.memory.speaker import segment_of_item, speaker
from memoir.memory.staleness import Staleness
from memoir.records.damage import readable
from memoir.records.metadata import persons
from memoir.records.record import Memory, Record, active_facets
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, MemoryAddress, matcher, sequence_of, sort_key
from memoir.times import read_instant

_SHOWN_CHARACTERS = 80
"""Characters of a bad pattern that an error repeats."""
_MOST_NAMED = 10
"""People that a hint names."""
_MOST_SEGMENTS = 64
"""Segments whose lines are kept while the memories that were taken from them are searched."""
_NO_LETTERS = re.compile(r"\\(?:[pP]\{[^}]*\}|.)|\(\?P?<\w*>", re.DOTALL)
"""The parts of a regular expression whose letters are not literal: `\\W`, `\\pN`, the name of a group."""


def words_of(pattern: str) -> str:
    """The literal words of a pattern."""
    return " ".join(plain_words(_NO_LETTERS.sub(" ", pattern)))


_BEFORE_WORD, _AFTER_WORD = r"(?:^|[^\pL\pN_])", r"(?:[^\pL\pN_]|$)"
"""The edges of a whole word, since RE2's `\b` knows only ASCII."""


class Line(NamedTuple):
    """A line of a record: its number (from 1), its text, the time of its memory, and its speaker.

    `segment` is the segment of a source from which its memory was taken, if any. `people` is the speaker of a line of a
    source, and the people a memory is about.
    """

    address: Address
    number: int
    text: str
    timestamp: str
    speaker: str | None
    segment: Address | None = None
    people: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The words, preceded by the speaker's name if there is one."""
        words = self.text[self.start :]
        return words if self.speaker is None else f"{self.speaker}: {words}"

    @property
    def start(self) -> int:
        """The offset of its words, after a time and a name at the start of a line of conversation."""
        label = self.speaker and _label((self.speaker,)).match(self.text)
        return len(self.text) - len(self.text[label.end() :].lstrip()) if label else 0


class Meant(NamedTuple):
    """A filter for lines by person and by time, from `first` to `last` in seconds since 1970; None is no limit."""

    person: str | None = None
    first: float | None = None
    last: float | None = None

    def has(self, line: Line) -> bool:
        """Whether a line is by or about the person, and within the time."""
        if self.person is not None and self.person.casefold() not in map(str.casefold, line.people):
            return False
        if self.first is None and self.last is None:
            return True
        at = read_instant(line.timestamp)
        return at is not None and not (
            (self.first is not None and at.timestamp() < self.first)
            or (self.last is not None and at.timestamp() > self.last)
        )


_EVERY_LINE = Meant()


@lru_cache(maxsize=64)
def _label(names: tuple[str, ...]) -> "re.Pattern[str]":
    """The pattern of a speaker's name at the start of a line, perhaps after a day and a time."""
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"[ \t]*(?:\[?{STAMP}\]?[ \t,-]*)?\**(?P<name>{any_name})\**:")


class FoundLine(NamedTuple):
    """A line that matches, the spans in which the pattern is found, and the lines before and after it.

    `position` is its number among all lines read, so that the context of two near matches can be joined.
    `id` is that of the passage, in a segment of a source, or of the memory, if several are at the path.
    """

    line: Line
    spans: list[tuple[int, int]]
    before: tuple[Line, ...] = ()
    after: tuple[Line, ...] = ()
    position: int = 0
    id: str = ""

    @property
    def target(self) -> MemoryAddress:
        """The address with which `get` reads it."""
        return MemoryAddress(self.line.address, self.id)


class Match(NamedTuple):
    """A record with matching lines; for an insight, whether it is out of date."""

    address: Address
    lines: list[FoundLine]
    stale: bool | None = None


def grep(
    snapshot: Snapshot,
    pattern: str,
    names: Iterable[str],
    globs: Sequence[str] = (),
    *,
    fixed: bool,
    ignore_case: bool | None,
    whole_words: bool = False,
    context: int = 0,
    meant: Meant = _EVERY_LINE,
) -> Iterator[Match]:
    """The records whose active content matches a regular expression (or a fixed string), line by line.

    The options are those of `Repository.grep`; `meant` filters by person and time. A line quoted word for word from a
    segment is left out if the segment itself is searched. Lines of `context` may come from neighbouring memories of a
    sequence, such as the turns of a conversation.

    Raises:
        NotFound: no line there is by or about that person.
    """
    search = (_literal_search if fixed else _regex_search)(pattern, ignore_case, whole_words=whole_words)
    names, matches, staleness, number = frozenset(names), matcher(globs), Staleness(snapshot), 0
    has_found = False
    is_quoted = _quoted(snapshot, search, meant, lambda each: each.namespace in names and matches(each.path))
    for _, run in groupby(scan(snapshot, names, globs), key=lambda each: context and sequence_of(each[0])):
        for runs in [sorted(run, key=lambda each: sort_key(each[0].path))] if context else ([each] for each in run):
            every = (line for each in runs for line in lines_of(*each))
            lines = [line for line in every if not context or line.text.strip() or next(search(line.text), None)]
            found = (
                hit for hit in _find(lines, search, context, number)
                if meant.has(hit.line) and not is_quoted(hit.line)
            )  # fmt: skip
            records = dict(runs)
            for address, hits in groupby(found, key=lambda hit: hit.line.address):
                has_found = True
                yield Match(address, _with_ids(list(hits), records[address]), staleness.of(address))
            number += len(lines) + 1
    if meant.person is not None and not has_found:
        _require_person(scan(snapshot, names, globs), meant.person)


def _require_person(records: Iterable[tuple[Address, Record]], person: str) -> None:
    people = {name for each in records for line in lines_of(*each) for name in line.people}
    if person.casefold() not in map(str.casefold, people):
        named = ", ".join(sorted(people)[:_MOST_NAMED])
        raise NotFound(f"nobody is called {person!r} there", f"--person takes {named}" if named else None)


def _quoted(
    snapshot: Snapshot, search: "Search", meant: Meant, is_searched: Callable[[Address], bool]
) -> Callable[[Line], bool]:
    """A test for lines of memories that quote a segment's line which is found itself."""

    @lru_cache(_MOST_SEGMENTS)
    def found(segment: Address) -> list[str]:
        stored = snapshot.read([segment.key]).items()
        lines = (line for key, value in stored for line in lines_of(segment, readable(snapshot, key, value) or ()))
        return [line.text for line in lines if meant.has(line) and next(search(line.text), None)]

    def is_quoted(line: Line) -> bool:
        segment = line.segment
        return segment is not None and is_searched(segment) and any(line.text in text for text in found(segment))

    return is_quoted


def _with_ids(hits: list[FoundLine], record: Record) -> list[FoundLine]:
    """Add to the lines of one record the ids of their memories, or in a segment those of their passages."""
    if not hits[0].line.address.namespace.endswith(f":{RAW}"):
        ids = [each for each, memory in with_ids(record) for _ in memory.content.split("\n")]
        return [hit._replace(id=ids[hit.line.number - 1]) for hit in hits]
    text = "\n".join(memory.content for memory in active_facets(record))
    starts, lines = passage_starts(record, text), [0, *(end.end() for end in re.finditer("\n", text))]
    places = (bisect_right(starts, lines[hit.line.number - 1] + hit.spans[0][0]) - 1 for hit in hits)
    return [hit._replace(id=passage_id(max(at, 0))) for hit, at in zip(hits, places, strict=True)]


def lines_of(address: Address, record: Record) -> Iterator[Line]:
    """The lines of a record's active memories, in order."""
    number = 0
    for memory in active_facets(record):
        segment, is_segment = segment_of_item(memory.metadata), address.namespace.endswith(f":{RAW}")
        people = tuple(persons(memory.metadata))
        for name, text in _spoken(memory, is_segment=is_segment):
            number += 1
            by = people if not is_segment else (name,) if name else ()
            yield Line(address, number, text, memory.timestamp, name, segment, by)


def _spoken(memory: Memory, *, is_segment: bool) -> Iterator[tuple[str | None, str]]:
    """The lines of a memory with their speakers: in a conversation, the last name that began a line.

    The first speaker also says the lines before the first name: their turn began in the segment before.
    """
    names = speakers_of(memory) if is_segment else []
    name = next(iter(names), None) if is_segment else speaker(memory.metadata)
    for text in memory.content.split("\n"):
        label = _label(tuple(names)).match(text) if names else None
        name = label["name"] if label else name
        yield name, text


def _find(lines: Sequence[Line], search: "Search", context: int, number: int) -> Iterator[FoundLine]:
    """The lines that match; `number` is the position of the first line among all lines."""
    for at, line in enumerate(lines):
        rest = search(line.text)
        if first := next(rest, None):
            before, after = lines[max(0, at - context) : at], lines[at + 1 : at + 1 + context]
            yield FoundLine(line, [first, *rest], tuple(before), tuple(after), number + at)


Search = Callable[[str], Iterator[tuple[int, int]]]
"""The span of every match of the pattern in a line."""


def _literal_search(pattern: str, ignore_case: bool | None, *, whole_words: bool) -> Search:
    flags = re.IGNORECASE if (_is_small(pattern) if ignore_case is None else ignore_case) else 0
    text = re.escape(pattern)
    find = re.compile(rf"(?<!\w){text}(?!\w)" if whole_words else text, flags).finditer
    return lambda line: (match.span() for match in find(line))


def _regex_search(pattern: str, ignore_case: bool | None, *, whole_words: bool) -> Search:
    """Search for a regular expression with RE2, which takes time in proportion to the line, whatever the pattern.

    Python's own engine tries every way to match: one memory of 30 letters can keep it busy forever.
    """
    import re2

    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    try:
        re2.compile(pattern, options)  # so that an error quotes the user's pattern
        cased = _with_case(pattern) if ignore_case is None else pattern
        found = re2.compile(f"{_BEFORE_WORD}({cased}){_AFTER_WORD}" if whole_words else cased, options)
    except re2.error as error:
        raise _refusal(pattern, error.args[0].decode("utf-8", "replace")) from error
    except UnicodeEncodeError as error:
        raise _refusal(pattern, "it is not valid Unicode") from error
    return lambda line: _word_spans(found, line) if whole_words else (match.span() for match in found.finditer(line))


def _word_spans(pattern: "re.Pattern[str]", line: str) -> Iterator[tuple[int, int]]:
    """The spans of the pattern's first group; the character after one match may be the one before the next."""
    at = 0
    while at <= len(line) and (match := pattern.search(line, at)):
        yield match.span(1)
        at = match.end(1) or 1


def _with_case(pattern: str) -> str:
    """The pattern, with each alternative without capitals made case-insensitive."""
    parts = [pattern] if re.search(r"[()\[\]\\]", pattern) else pattern.split("|")
    return "|".join(f"(?i:{each})" if _is_small(_NO_LETTERS.sub("", each)) else each for each in parts)


def _is_small(text: str) -> bool:
    return not any(map(str.isupper, text))


def _refusal(pattern: str, reason: str) -> InvalidInput:
    excerpt = pattern if len(pattern) <= _SHOWN_CHARACTERS else pattern[:_SHOWN_CHARACTERS] + "…"
    return InvalidInput(
        f"not a regular expression: {excerpt!r}: {reason[:_SHOWN_CHARACTERS]}",
        "-F searches for a plain string; look-around and references to groups are not supported",
    )


class _Occurrence:
    """A match of a word: the line, its number among the matching lines, and the span."""

    def __init__(self, number: int, line: FoundLine, span: tuple[int, int]) -> None:
        self.number, self.line, self.span = number, line, span

    def sentence(self) -> str:
        """The sentence around the word, without the speaker's name."""
        text = self.line.line.text
        start, end = sentence_around(text, self.span[0])
        return text[start:end].removeprefix(f"{self.line.line.speaker}: ")


class FirstLines(Iterator[Match]):
    """The matches, limited to `limit` lines in all and `each` lines for each word of the pattern.

    All forms of a word are one word. The lines kept for a word are those that say most and are nearest to the pattern
    as a whole, where `near` scores a sentence; they keep their order, and the spans of the words they were kept for.
    None is no limit. After iteration, `has_more` tells whether lines were left out.
    """

    def __init__(
        self,
        matches: Iterator[Match],
        limit: int | None = None,
        each: int | None = None,
        near: Callable[[str], float] = lambda sentence: 0.0,
    ) -> None:
        self.limit, self.each, self._near = limit, each, near
        self.has_more = False
        self._matches = self._first(matches if each is None else self._best(list(matches), each))

    def __next__(self) -> Match:
        return next(self._matches)

    def _first(self, matches: Iterator[Match]) -> Iterator[Match]:
        room = self.limit
        for match in matches:
            if room is not None and len(match.lines) > room:
                self.has_more = True
                if room:
                    yield match._replace(lines=match.lines[:room])
                return
            room = None if room is None else room - len(match.lines)
            yield match

    def _best(self, matches: list[Match], each: int) -> Iterator[Match]:
        """The matches with the best lines for each word."""
        spans = defaultdict[int, list[tuple[int, int]]](list)
        for found in _occurrences(line for match in matches for line in match.lines):
            best = found if len(found) <= each else sorted(found, key=self._score, reverse=True)[:each]
            for occurrence in best:
                spans[occurrence.number].append(occurrence.span)
        numbers = count()
        for match in matches:
            numbered = [(next(numbers), line) for line in match.lines]
            lines = [line._replace(spans=sorted(spans[number])) for number, line in numbered if number in spans]
            self.has_more |= len(lines) < len(numbered)
            if lines:
                yield match._replace(lines=lines)

    def _score(self, occurrence: _Occurrence) -> float:
        sentence = occurrence.sentence()
        return (1 + self._near(sentence)) * worth_in_talk(sentence)


def _occurrences(lines: Iterable[FoundLine]) -> Iterable[list[_Occurrence]]:
    """For each matching word, its first occurrence in each line."""
    occurrences = defaultdict[str, list[_Occurrence]](list)
    for number, line in enumerate(lines):
        firsts = {stem(line.line.text[start:end].casefold()): (start, end) for start, end in reversed(line.spans)}
        for word, span in firsts.items():
            occurrences[word].append(_Occurrence(number, line, span))
    return occurrences.values()
