"""Recognize the sources of a namespace by their origin and their beginning.

A session ingested under another name, and perhaps continued there, is not stored twice. A source follows its file when
that moves.
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
"""The first characters that are compared, before a source is read completely."""
_FEWEST_TURNS = 2
"""The fewest common turns of two equal conversations without a starting time: one line may occur twice."""


class _Start(NamedTuple):
    """The beginning of a source: its name, origin, first characters, starting time, and former origin."""

    name: str
    origin: str
    text: str
    began: str | None
    moved_from: str | None = None


class KnownSources:
    """The sources of a namespace by their beginnings, loaded on first use."""

    def __init__(self, store: Store, namespace: str, branch: str | None) -> None:
        self._store = store
        self._namespace = namespace
        self._branch = branch
        self._starts: dict[str, list[_Start]] | None = None
        self._moved: dict[str, tuple[str, str]] = {}
        self._planned: dict[str, str] = {}

    @property
    def origins(self) -> set[str]:
        """Their origins."""
        return {start.origin for starts in self._all().values() for start in starts}

    def named(self, source: SourceText) -> SourceText:
        """Give a source the name of the stored one whose file moved to its origin, if there is one.

        Sources with merely similar origins stay separate: somebody has named their files.
        """
        moved = self._all() and self._moved.get(source.origin)
        return source._replace(name=moved[0], moved_from=moved[1]) if moved else source

    def new_part(self, source: SourceText, gone: Sequence[str] = ()) -> SourceText:
        """Remove the part of a source that another one already has: the beginning of a continued conversation.

        A source with exactly the text of one whose file is `gone` is that source.

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
        """Add a source just ingested; in a dry run its text is kept here, because it is not stored."""
        if dry_run:
            self._planned[name] = "".join(part.text for part in source.parts)
        began = began_of(source.parts[0])
        self._keep(_Start(name, source.origin, source.parts[0].text[:_START], began, source.moved_from))

    def _like(self, source: SourceText, text: str) -> Iterator[_Start]:
        """Yield the other sources with the same beginning and starting time."""
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
        """The complete current text of a source; empty if it is gone."""
        if name in self._planned:
            return self._planned[name]
        head = self._store.head(self._branch)
        return "".join(memory.content for memory in read_segments(head, self._namespace, name).values())


def _key(text: str) -> str:
    return text[:_START].split("\n", 1)[0].rstrip()


def _turns(source: SourceText) -> list[Turn]:
    """The turns of a conversation; a long turn spans several parts."""
    return [turn for part in source.parts if isinstance(part, Talk) and part.begins for turn in part.turns]


def _common_turns(source: SourceText, known: str, *, is_sure: bool) -> int:
    """The number of leading turns that two conversations share.

    If both continue differently, they count as one only if they share more than a greeting.
    """
    at, count, turns = 0, 0, _turns(source)
    for turn in turns:
        if at == len(known) or not _is_at(known, at, turn.text):
            break
        at, count = min(at + len(turn.text), len(known)), count + 1
    is_whole = count == len(turns) or at == len(known)
    is_same = is_sure or count >= _FEWEST_TURNS if is_whole else at >= _START
    return count if is_same else 0


def _is_at(known: str, at: int, text: str) -> bool:
    """Whether a turn is at a position of a text; the text's last turn may lack its line break."""
    return known.startswith(text, at) or known[at:] == text.rstrip("\n")
