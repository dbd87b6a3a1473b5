"""Recognizing the sources of a namespace: by where they are from, and by how they begin.

A session that was ingested under another name, and perhaps went on there, is not stored twice. A file that has moved
takes its source along.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memoir.layers.ingest import MOVED_FROM
from memoir.layers.segments import first_segment, read_segments, sources_in
from memoir.sources.cutting import Talk, began_of, talks
from memoir.sources.messages import AlreadyIngested
from memoir.sources.reading import SourceText, other_name
from memoir.sources.turns import Turn
from memoir.store.store import Store

_START = 200
"""The characters by which a source is recognized, before all of it is read."""
_FEWEST_TURNS = 2
"""The fewest turns that make two conversations one if nobody knows when they began; one line may be said twice."""


class _Start(NamedTuple):
    """How another source begins: its name, where it is from and was before, its first characters, and when it began."""

    name: str
    origin: str
    text: str
    began: str | None
    moved_from: str | None = None


class KnownSources:
    """The sources of a namespace, recognized by how they begin. They are read once, when they are first needed."""

    def __init__(self, store: Store, namespace: str, branch: str | None) -> None:
        self._store = store
        self._namespace = namespace
        self._branch = branch
        self._starts: dict[str, list[_Start]] | None = None
        self._moved: dict[str, tuple[str, str]] = {}
        self._planned: dict[str, str] = {}

    @property
    def origins(self) -> set[str]:
        """Where they are from."""
        return {start.origin for starts in self._all().values() for start in starts}

    def named(self, source: SourceText) -> SourceText:
        """A source by the name of the stored one whose file has moved to where it is from, if there is one.

        Files that are no more than alike in where they are from are sources of their own: somebody has named them.
        """
        moved = self._all() and self._moved.get(source.origin)
        return source._replace(name=moved[0], moved_from=moved[1]) if moved else source

    def new_part(self, source: SourceText, gone: Sequence[str] = ()) -> SourceText:
        """A source without what another one has of it: the beginning of a conversation that went on.

        One that has all of the text of a source whose file is `gone` is that source.

        Raises:
            InvalidInput: nothing in it is new.
        """
        text = "".join(part.text for part in source.parts)
        for other in self._like(source, text):
            known = self._read(other.name)
            if known.rstrip() == text.rstrip() and other.name in gone:
                return source._replace(name=other.name, moved_from=other.origin)
            count = _common_turns(source, known, is_sure=other.began is not None)
            if known and (known.rstrip() == text.rstrip() or (count and known.startswith(text.rstrip()))):
                raise AlreadyIngested(other.name)
            if count:
                rest = talks(_turns(source)[count:])
                return source._replace(parts=rest, repeated=source.repeated + count, known_as=other.name)
        return source

    def add(self, name: str, source: SourceText, *, dry_run: bool) -> None:
        """Recognize a source that was ingested just now; of a dry run nothing is stored, so its text is kept here."""
        if dry_run:
            self._planned[name] = "".join(part.text for part in source.parts)
        began = began_of(source.parts[0])
        self._keep(_Start(name, source.origin, source.parts[0].text[:_START], began, source.moved_from))

    def _like(self, source: SourceText, text: str) -> Iterator[_Start]:
        """The other sources that begin as a source does, at the same time."""
        own, began = (source.name, other_name(source.name, source.origin)), began_of(source.parts[0])
        for start in [*self._all().get(_key(text), ())]:
            is_own = start.origin == source.origin and start.name in own
            is_like = text.startswith(start.text.rstrip()) or start.text.startswith(text.rstrip())
            if is_like and start.began == began and not is_own:
                yield start

    def _all(self) -> dict[str, list[_Start]]:
        if self._starts is None:
            self._starts = {}
            head = self._store.head(self._branch)
            for each in sources_in(head, self._namespace):
                if first := first_segment(head, self._namespace, each.name):
                    began, moved_from = first.metadata.get("began"), first.metadata.get(MOVED_FROM)
                    self._keep(_Start(each.name, each.origin, first.content[:_START], began, moved_from))
        return self._starts

    def _keep(self, start: _Start) -> None:
        if isinstance(start.moved_from, str):  # another program may have written it
            self._moved[start.origin] = start.name, start.moved_from
        starts = self._all().setdefault(_key(start.text), [])
        starts[:] = [*(each for each in starts if each.name != start.name), start]

    def _read(self, name: str) -> str:
        """All of a source as it is now; empty if it is gone."""
        if name in self._planned:
            return self._planned[name]
        head = self._store.head(self._branch)
        return "".join(memory.content for memory in read_segments(head, self._namespace, name).values())


def _key(text: str) -> str:
    return text[:_START].split("\n", 1)[0].rstrip()


def _turns(source: SourceText) -> list[Turn]:
    """The turns of a conversation; a long one is in several parts."""
    return [turn for part in source.parts if isinstance(part, Talk) and part.begins for turn in part.turns]


def _common_turns(source: SourceText, known: str, *, is_sure: bool) -> int:
    """With how many turns a conversation begins that another one has too, whether or not both go on from there.

    Two that both go on are one only if they share more than a greeting.
    """
    at, count, turns = 0, 0, _turns(source)
    for turn in turns:
        if at == len(known) or not _begins(known, at, turn.text):
            break
        at, count = min(at + len(turn.text), len(known)), count + 1
    is_whole = count == len(turns) or at == len(known)
    is_same = is_sure or count >= _FEWEST_TURNS if is_whole else at >= _START
    return count if is_same else 0


def _begins(known: str, at: int, text: str) -> bool:
    """Whether a turn stands in a text at some place; the last one there may lack its line break."""
    return known.startswith(text, at) or known[at:] == text.rstrip("\n")
