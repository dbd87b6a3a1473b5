"""Import memories of other tools: the rules that all kinds share.

A reader finds memories; here each gets a path and a note of its origin, is matched with the store, and is refused
alone if it may not be stored. Everything becomes one change of the branch: one commit, or, if the source has a history
or conversations, a chain of commits that one undo takes back. No finding is dropped silently: read = imported +
unchanged + refused.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

import orjson

from memoir.errors import Conflict, InvalidInput
from memoir.formats.found import Finding, Place, Refused, SourceCommit, Talk
from memoir.formats.kinds import choose
from memoir.formats.matching import Entry, join
from memoir.formats.placing import Placing
from memoir.git.objects import MAX_VALUE_BYTES
from memoir.layers.ingest import IngestChange, plan
from memoir.layers.item_options import BY_RULES
from memoir.layers.items import ItemMaker, choose_reader
from memoir.layers.known_sources import KnownSources
from memoir.memory.export import write_lines
from memoir.memory.read import records
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.progress import Progress, tell_nobody
from memoir.records.record import Memory, Record, encode
from memoir.sources.reading import name_of, read_talk
from memoir.store.chain import Step, write_chain
from memoir.store.commit import Commit, Signature
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address

_ID_DIGITS = 8


def _plan_talks(
    store: Store, talks: Sequence[Talk], kind: str, namespace: str, options: WriteOptions
) -> tuple[list[IngestChange], list[Refused]]:
    """The changes that ingest new or changed conversations, and the conversations that are refused."""
    changes, refused = list[IngestChange](), list[Refused]()
    if not talks:
        return changes, refused
    reader = choose_reader(store, BY_RULES, dry_run=options.dry_run)
    maker = ItemMaker(store, namespace, options.branch, reader)
    sources = KnownSources(store, namespace, options.branch)

    def change_of(talk: Talk) -> IngestChange | None:
        """The change that ingests a conversation; None if nothing in it is new."""
        name = name_of(f"{talk.name or kind} {talk.id[:_ID_DIGITS]}")
        origin = "".join(char if char.isprintable() else "?" for char in f"{kind}/{talk.id}")
        source = read_talk(origin, talk.messages, name, allow_secrets=options.allow_secrets)
        try:
            source = sources.new_part(source)
        except InvalidInput:  # another source has all of it
            return None
        change = plan(store, source, namespace, options, maker)
        sources.add(change.result.name, source, dry_run=True)
        segments = change.result.segments
        return change if segments.added or segments.changed or segments.removed else None

    for talk in talks:
        try:
            if change := change_of(talk):
                changes.append(change)
        except InvalidInput as error:
            refused.append(Refused(talk.where, error.message))
    return changes, refused


class ForeignImport(NamedTuple):
    """The result of an import from another tool."""

    kind: str
    """The kind of tool."""
    reason: str | None
    """How the kind was recognized; None if the caller named it."""
    read: int
    """How many memories and conversations were found."""
    imported: int
    """How many of them are new or changed."""
    unchanged: int
    """How many were imported before and have not changed."""
    refused: Sequence[Refused]
    """The records that were left out, each with its place and the reason."""
    gone: int
    """How many active memories of an earlier import are no longer in these files; they stay in the store."""
    talks: int
    """How many conversations are new or changed."""
    targets: dict[str, int]
    """How many memories go to each path, by its key."""
    commit: Commit | None
    """The newest commit; None if nothing changed."""
    absent: int
    """How many of the unchanged have nothing at their paths here: they were forgotten or moved, or memoir wrote them
    for another tool in another store."""
    gone_keys: Sequence[str]
    """The addresses of those that are gone, sorted."""


def bring(
    store: Store,
    place: Place,
    kind: str,
    *,
    namespace: str = DEFAULT_NAMESPACE,
    allow_look_alikes: bool = False,
    report: str | None = None,
    qualify: Callable[[Memory], Memory] = lambda memory: memory,
    progress: Progress = tell_nobody,
    options: WriteOptions = DEFAULTS,
) -> ForeignImport:
    """Import memories of another tool; see `Repository.import_from`."""
    check_message(options)
    chosen, reason = choose(kind, place)
    head = store.head(options.branch)
    placing = Placing(
        store, head, chosen.name, namespace, allow_look_alikes, options, qualify,
        lambda name: place.is_folder and not place.has(name),
    )  # fmt: skip
    read, talks, refused = _read(chain(chosen.read(place), place.closed), placing, progress)
    entries = placing.place()
    news, misfits = _effective(head, entries)
    conversations, unfit = _plan_talks(store, talks, chosen.name, namespace, options)
    refused += [*placing.refused, *misfits, *unfit]
    if report:
        write_lines(report, (orjson.dumps(each._asdict()) + b"\n" for each in refused))
    if read and len(refused) == read:
        raise _all_refused(refused)
    commit = _write(store, news, conversations, chosen.name, options, progress)
    imported = len(news) + len(conversations)
    targets = Counter(each.target.short_key for each in news if each.memory)
    return ForeignImport(
        kind=chosen.name,
        reason=reason,
        read=read,
        imported=imported,
        unchanged=read - len(refused) - imported,
        absent=placing.absent,
        refused=refused,
        gone=len(placing.gone),
        gone_keys=sorted(each.short_key for each in placing.gone),
        talks=len(conversations),
        targets=dict(sorted(targets.items())),
        commit=commit,
    )


def _read(findings: Iterable[Finding], placing: Placing, progress: Progress) -> tuple[int, list[Talk], list[Refused]]:
    """Pass memories to `placing`; return the number of findings, the conversations and the refused records."""
    read, talks, refused = 0, list[Talk](), list[Refused]()
    for read, found in enumerate(findings, 1):
        if isinstance(found, Refused):
            refused.append(found)
        elif isinstance(found, Talk):
            talks.append(found)
        else:
            placing.add(found)
        progress(read, 0)
    return read, talks, refused


class _Sizes:
    """The encoded sizes of memories, each computed once, because joining encodes large records again and again."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Memory, int]] = {}  # the memory is kept so that its id is not reused

    def most(self, record: Record) -> int:
        """An upper bound of a record's bytes."""
        return sum(map(self._size, record))

    def _size(self, memory: Memory) -> int:
        if id(memory) not in self._known:
            self._known[id(memory)] = memory, len(encode([memory]))
        return self._known[id(memory)][1]


def _effective(head: Snapshot, entries: Sequence[Entry]) -> tuple[list[Entry], list[Refused]]:
    """The entries that change a snapshot's records, in order, and those that are refused."""
    state: dict[Address, Record | None] = {**records(head, dict.fromkeys(each.target for each in entries))}
    news, refused, sizes = list[Entry](), list[Refused](), _Sizes()
    for entry in entries:
        try:
            before = state.get(entry.target)
            after = join(before, entry)
            if after is not None and sizes.most(after) > MAX_VALUE_BYTES:
                encode(after)
        except (InvalidInput, Conflict) as error:
            refused.append(Refused(entry.found.where, error.message))
            continue
        if after is not before:
            state[entry.target] = after
            news.append(entry)
    return news, refused


def _changes(head: Snapshot, news: Sequence[Entry], kind: str, options: WriteOptions) -> Iterator[Change]:
    """A change for each commit of the source's history, and one for entries without; all are made from one head."""
    targets = list(dict.fromkeys(entry.target for entry in news))
    state: dict[Address, Record | None] = {**dict.fromkeys(targets), **records(head, targets)}
    for commit, group in groupby(news, key=lambda each: each.found.commit):
        entries = list(group)
        for entry in entries:
            state[entry.target] = join(state[entry.target], entry)
        these = {entry.target: state[entry.target] for entry in entries}
        edits = {address.key: encode(record) if record else None for address, record in these.items()}
        yield Change(edits.items(), _message(entries, commit, kind, options), author=_author(commit))


def _message(entries: Sequence[Entry], commit: SourceCommit | None, kind: str, options: WriteOptions) -> str:
    from memoir.secrets.secrets import redact

    if options.message:
        return options.message
    count = f"{len(entries):,} {'memory' if len(entries) == 1 else 'memories'}"
    told = " ".join(redact(commit.message).split())[:200] if commit else ""
    text = f"import from {kind}: {told or count}"
    return "".join(char for char in text if char.isprintable())


def _author(commit: SourceCommit | None) -> Signature | None:
    """The author of a commit in the source's history; None if a commit cannot express it."""
    if commit is None or commit.time is None or commit.time.timestamp() < 0:
        return None
    name, email = (
        "".join(char for char in text if char.isprintable() and char not in "<>").strip()
        for text in (commit.author, commit.email)
    )
    return Signature(name or "unknown", email or "unknown", int(commit.time.timestamp()))


def _write(
    store: Store, news: Sequence[Entry], talks: Sequence[Step], kind: str, options: WriteOptions, progress: Progress
) -> Commit | None:
    """Write everything: a single commit as usual, several as a chain."""
    steps = sum(1 for _ in groupby(news, key=lambda each: each.found.commit)) + len(talks)
    if options.dry_run or not steps:
        return None
    reason = f"import from {kind}"
    if steps == 1:
        one = talks[0] if talks else lambda head: next(_changes(head, news, kind, options))
        return write(store, one, branch=options.branch, reason=reason)

    def plan(head: Snapshot) -> Iterator[Change | Step]:
        changes: Iterator[Change | Step] = chain(_changes(head, news, kind, options), talks)
        for number, each in enumerate(changes, 1):
            progress(number, steps)
            yield each

    return write_chain(store, plan, branch=options.branch, reason=reason)


def _all_refused(refused: Sequence[Refused]) -> InvalidInput:
    first, more = refused[0], len(refused) - 1
    rest = f", and {more:,} more" if more else ""
    return InvalidInput(
        f"nothing could be imported: {first.where}: {first.message}{rest}",
        "--report FILE names every record that was refused",
    )
