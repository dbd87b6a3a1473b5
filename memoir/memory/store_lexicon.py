"""The store's lexicon: a project's own names for things, versioned and merged like its memories.

Its lines are in the namespace `memoir:lexicon`, which no search reads. A line, such as `barn = staging cluster`, is the
content of a memory at the path of its first name, so that lines of two clones about one name merge.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memoir.english.lexicon.own_words import (
    MOST_LINES,
    OwnLine,
    OwnWords,
    Phrase,
    compiled,
    find_other_names,
    parse,
    path_of,
    phrase_of,
    problem,
)
from memoir.english.lexicon.table import related
from memoir.errors import InvalidInput, NotFound
from memoir.memory.facets import id_at
from memoir.memory.read import key_range, records
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.records.damage import readable
from memoir.records.record import Memory, Record, decode, encode, trim
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Part
from memoir.taxonomy.paths import LEXICON_NAMESPACE, Address, MemoryAddress, address, check_new, from_key

MOST_OF_A_NAME = 50
"""The lines of one path that are read."""


class StoredLine(NamedTuple):
    """A stored line with its address and its time."""

    target: MemoryAddress
    line: OwnLine
    timestamp: str


class LexiconChange(NamedTuple):
    """The added or removed lines, in order, and the commit; None if nothing changed."""

    lines: list[OwnLine]
    commit: Commit | None


class TextSpot(NamedTuple):
    """Words of a text and the concepts that they name."""

    words: str
    """The words, in small letters."""
    concepts: dict[str, float]
    """The weights of the lexicon's concepts that the words name."""
    lines: list[OwnLine]
    """The store's own lines that have the words."""
    is_name: bool
    """Whether the words are a name: of a tool, for example, or one of the store's own."""
    related: list[str]
    """The concepts related to these."""


class Lexicon(Part):
    """The store's own words: a project's names for things, versioned like its memories."""

    def add(self, line: str, options: WriteOptions = DEFAULTS) -> LexiconChange:
        """Add a line, `NAME, NAME = WORDS, WORDS`: names of one thing, and words for the same.

        From then on, each name means what its words mean, not what memoir's lexicon says. Words that the store already
        has are left out.

        Raises:
            InvalidInput: the line is malformed or too long, a word says nothing, or there are too many lines.
        """
        store, words = self._store, parse(line)
        check_message(options)
        place = address(path_of(words.names[0]), LEXICON_NAMESPACE)
        if not options.allow_secrets:
            from memoir.secrets.secrets import check_memory

            check_memory(Memory.of(words.text), [place])
        added: list[OwnLine] = []
        from memoir.store.transaction import Change, write

        def change(head: Snapshot) -> Change:
            old = records(head, [place]).get(place, ())
            added[:] = [new] if (new := _without_known(words, old)) else []
            if added:
                _refuse_too_many(head, place, old)
            facets = trim((*old, *(Memory.of(new.text) for new in added)))
            edits = [(place.key, encode(facets))] if added else []
            return Change(edits, options.message or f"lexicon: add {words.names[0]}")

        commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason="lexicon add")
        return LexiconChange(added, commit)

    def remove(self, name: str, options: WriteOptions = DEFAULTS) -> LexiconChange:
        """Remove the lines of a name; with `NAME = WORDS` only these words of its lines.

        Raises:
            NotFound: the store has no such name, or no such word for it. InvalidInput: the text is malformed.
        """
        store = self._store
        check_message(options)
        alone, equals, _ = name.partition("=")
        phrase, without = phrase_of(alone), {phrase_of(each) for each in parse(name).words} if equals else None
        removed: list[OwnLine] = []
        from memoir.store.transaction import Change, write

        def change(head: Snapshot) -> Change:
            removed.clear()
            edits: dict[bytes, bytes | None] = {}
            for key, record in _records(head):
                rest = [each for memory in record if (each := _remove_words(memory, phrase, without, removed))]
                if len(rest) < len(record) or tuple(rest) != record:
                    edits[key] = encode(rest) if rest else None
            if not removed:
                raise _no_such_name(head, name, phrase)
            return Change(edits.items(), options.message or f"lexicon: remove {alone.strip()}")

        commit = write(store, change, branch=options.branch, dry_run=options.dry_run, reason="lexicon remove")
        return LexiconChange(removed, commit)

    def why(self, text: str, *, at: str | None = None) -> list[TextSpot]:
        """Return the concepts that a text names, in its order: by the store's own words and by memoir's lexicon.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.english.lexicon.spotting import spot

        own = own_words(self._store.at(at))
        return [
            TextSpot(
                " ".join(each.words),
                {name: weight for name, weight in each.concepts.items() if not own.lines_of(name)},
                [line for name in each.concepts for line in own.lines_of(name)],
                each.is_term,
                list(dict.fromkeys(other for name in each.concepts for other in related(name))),
            )
            for each in spot(text, own, asks=True)
        ]

    def list(self, *, at: str | None = None) -> "list[StoredLine]":
        """Return the lines of the store, by name.

        Raises:
            NotFound: there is no such revision.
        """
        return stored_lines(self._store.at(at))


def stored_lines(snapshot: Snapshot) -> list[StoredLine]:
    """The lines of a store that memoir reads, by path, the oldest of a path first."""
    return [line for key, record in _records(snapshot) for line in _lines(from_key(key), record)][:MOST_LINES]


def own_text(snapshot: Snapshot) -> str:
    """The lines of a store as one text, which `memoir.english.lexicon.own_words.compiled` reads."""
    return "\n".join(each.line.text for each in stored_lines(snapshot))


def own_words(snapshot: Snapshot) -> OwnWords:
    """The own words of a store."""
    return compiled(own_text(snapshot))


def find_offers(snapshot: Snapshot, texts: Iterable[str]) -> list[OwnLine]:
    """New lines that the texts suggest by giving one thing two names."""
    told = dict.fromkeys(line for text in texts for line in find_other_names(text))
    if not told:
        return []
    known = [each.line for each in stored_lines(snapshot)]
    return [line for line in told if not any(_includes(each, line) for each in known)]


def _includes(one: OwnLine, other: OwnLine) -> bool:
    """Whether a line has both sides of another."""
    spoken = {phrase_of(each) for each in (*one.names, *one.words)}
    return spoken.issuperset(map(phrase_of, (*other.names, *other.words)))


def line_problem(address: Address, value: bytes | None) -> str | None:
    """The fault of a record in `memoir:lexicon`, or of its path alone; None if there is none."""
    if value is None:
        return None
    from memoir.records import sound

    if fault := sound.problem(value):
        return fault
    faults = (problem(each.content) or _path_problem(address, parse(each.content)) for each in decode(value))
    return next(filter(None, faults), None)


def refuse_line(address: Address, memory: Memory) -> None:
    """Refuse a memory for `memoir:lexicon` that is not a line."""
    if fault := problem(memory.content) or _path_problem(address, parse(memory.content)):
        raise InvalidInput(f"{address.full_key}: {fault}; {LEXICON_NAMESPACE} is for the store's own words")


def _path_problem(address: Address, line: OwnLine) -> str | None:
    path = path_of(line.names[0])
    return None if path == address.path else f"the path of {line.names[0]!r} is {path}"


def _records(snapshot: Snapshot) -> Iterator[tuple[bytes, Record]]:
    """The records of the lexicon up to the limit, without damaged ones."""
    entries = list(snapshot.tree.scan(*key_range(LEXICON_NAMESPACE)))[:MOST_LINES]
    for key, value in snapshot.values(entries):
        if record := readable(snapshot, key, value):
            yield key, record


def _lines(address: Address, record: Record) -> Iterator[StoredLine]:
    """The lines of a record, without malformed or misplaced ones."""
    for at, memory in enumerate(record[:MOST_OF_A_NAME]):
        if memory.active and not problem(memory.content) and not _path_problem(address, line := parse(memory.content)):
            yield StoredLine(MemoryAddress(address, id_at(record, at)), line, memory.timestamp)


def _without_known(line: OwnLine, record: Record) -> OwnLine | None:
    """The part of a line that is new to a record; None if nothing is."""
    old = [parse(memory.content) for memory in record if memory.active and not problem(memory.content)]
    names = {phrase_of(name) for each in old for name in each.names}
    words = {phrase_of(word) for each in old for word in each.words}
    rest = tuple(word for word in line.words if phrase_of(word) not in words)
    if names.issuperset(map(phrase_of, line.names)):
        return OwnLine(line.names, rest) if rest else None
    return line


def _remove_words(memory: Memory, phrase: Phrase, without: set[Phrase] | None, removed: list[OwnLine]) -> Memory | None:
    """A memory without the removed words, which are added to `removed`; None if no word is left."""
    if problem(memory.content):
        return memory
    line = parse(memory.content)
    gone = tuple(word for word in line.words if without is None or phrase_of(word) in without)
    if phrase not in map(phrase_of, line.names) or not gone:
        return memory
    removed.append(OwnLine(line.names, gone))
    rest = OwnLine(line.names, tuple(word for word in line.words if word not in gone))
    return memory._replace(content=rest.text) if rest.words else None


def _refuse_too_many(head: Snapshot, address: Address, old: Record) -> None:
    if not old:
        check_new(address)
    if len(old) >= MOST_OF_A_NAME or head.tree.count(*key_range(LEXICON_NAMESPACE)) >= MOST_LINES:
        raise InvalidInput(
            f"a store has at most {MOST_LINES:,} names, and {MOST_OF_A_NAME} lines of each", "'memoir lexicon list'"
        )


def _no_such_name(head: Snapshot, text: str, phrase: Phrase) -> NotFound:
    from difflib import get_close_matches

    lines = [each.line for each in stored_lines(head)]
    for line in lines:
        if any(phrase_of(word) == phrase for word in line.words):
            return NotFound(f"{text!r} is not a name here", f"memoir lexicon remove '{line.names[0]} = {text}'")
    close = get_close_matches(text, [name for line in lines for name in line.names], 1)
    return NotFound(f"{text!r} is not a name here", f"did you mean {close[0]!r}?" if close else "'memoir lexicon list'")
