"""Conversations that are found in other tools' files: each becomes a source, as `memoir ingest` would make it."""

from collections.abc import Sequence

import orjson

from memoir.errors import InvalidInput
from memoir.formats.found import Refused, Talk
from memoir.layers.ingest import IngestChange, Ingestion, plan
from memoir.layers.intake import KnownSources
from memoir.layers.item_options import ItemOptions
from memoir.layers.items import ItemMaker, choose_reader
from memoir.layers.reading import name_of, read_source
from memoir.memory.write_options import WriteOptions
from memoir.store.store import Store
from memoir.times import format_instant

_ID_DIGITS = 8


class TalkIntake:
    """Plans the ingestion of conversations; nothing is written here."""

    def __init__(self, store: Store, kind: str, namespace: str, items: ItemOptions, options: WriteOptions) -> None:
        self._store = store
        self._kind = kind
        self._namespace = namespace
        self._items = items
        self._options = options
        self._talks: list[Talk] = []
        self._changes: list[IngestChange] = []
        self.refused: list[Refused] = []
        """The conversations that cannot be ingested."""

    def add(self, talk: Talk) -> None:
        """Take a conversation."""
        self._talks.append(talk)

    def plan(self) -> Sequence[IngestChange]:
        """The changes that ingest the conversations that have something new."""
        if not self._talks:
            return []
        branch = self._options.branch
        reader = choose_reader(self._store, self._items, dry_run=self._options.dry_run)
        maker = ItemMaker(self._store, self._namespace, branch, reader)
        sources = KnownSources(self._store, self._namespace, branch)
        for talk in self._talks:
            try:
                self._plan(talk, maker, sources)
            except InvalidInput as error:
                self.refused.append(Refused(talk.where, error.message))
        return [change for change in self._changes if _has_news(change.result)]

    def _plan(self, talk: Talk, maker: ItemMaker, sources: KnownSources) -> None:
        name = name_of(f"{talk.name or self._kind} {talk.id[:_ID_DIGITS]}")
        origin = "".join(char if char.isprintable() else "?" for char in f"{self._kind}/{talk.id}")
        source = read_source(origin, _as_lines(talk), name=name, allow_secrets=self._options.allow_secrets)
        try:
            source = sources.new_part(source)
        except InvalidInput:  # another source has all of it: nothing is new
            return
        change = plan(self._store, source, self._namespace, self._options, maker)
        sources.add(change.result.name, source, dry_run=True)
        self._changes.append(change)

    def news(self) -> int:
        """How many conversations have something new."""
        return sum(_has_news(change.result) for change in self._changes)


def _has_news(done: Ingestion) -> bool:
    return bool(done.segments.added or done.segments.changed or done.segments.removed)


def _as_lines(talk: Talk) -> str:
    """A conversation as JSON lines, which `memoir.layers.json_conversations` reads.

    Raises:
        InvalidInput: nobody says anything in it.
    """
    rows = [
        {
            "speaker": message.speaker,
            "content": message.text.encode("utf-8", "replace").decode(),
            "timestamp": format_instant(message.time) if message.time else None,
        }
        for message in talk.messages
        if message.text.strip()
    ]
    if not rows:
        raise InvalidInput("nobody says anything in it")
    return "\n".join(orjson.dumps(row).decode() for row in rows)
