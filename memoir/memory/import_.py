"""Import: JSON lines in, one facet a line.

An import is one commit, all or nothing; bad lines can be skipped on request. The input is read once, so it can be a
pipe. Every line is checked before any is written; the lines wait in temporary files, so memory use does not grow with
them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from orjson import dumps

from memoir.errors import Conflict, InvalidInput
from memoir.git.pack_writer import LARGE
from memoir.memory.export import NOT_JSON, NoJsonLines, parse_line, write_lines
from memoir.memory.external_sort import SpoolPlace, ValueSpool
from memoir.memory.layer_namespaces import refuse_mark
from memoir.memory.links import ImportedLinks, refuse_malformed
from memoir.memory.other_case import Spellings, refuse_other_case
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.progress import OpenProgress, tell_nobody
from memoir.records.damage import read_record
from memoir.records.metadata import EXPIRES
from memoir.records.origins import as_there, brought_in
from memoir.records.policy import check_policy, combine_records
from memoir.records.record import (  # fmt: skip
    ABOUT,
    ACTIVE_STATUS,
    MAX_ACTIVE,
    MAX_SUPERSEDED,
    SUPERSEDED_STATUS,
    Memory,
    Record,
    decode,
    encode,
)
from memoir.secrets.secrets import check_around, quotable, refusals, refuse_private
from memoir.store.commit import Commit
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import (
    DEFAULT_NAMESPACE,
    LAYERS_NAMESPACE,
    LEXICON_NAMESPACE,
    RAW_SUFFIX,
    TAXONOMY_NAMESPACE,
    Address,
    LookAlike,
    check_new,
    from_key,
)
from memoir.times import format_instant, now

if TYPE_CHECKING:
    from memoir.error_fields import BadLine

_BATCH, _BATCH_BYTES = 500, 1 << 20
"""The most records, and bytes of lines, that are checked together."""
_MOST_BAD_LINES = 3
_OTHER_LINES = ", or import the others with --skip-bad"
_OTHER_KINDS = (
    "; for what another tool exported: --from auto; for the points of Markdown: --from agents-md; "
    "for text as it is: 'memoir ingest FILE'"
)


class ImportResult(NamedTuple):
    """The commit (None if nothing changed), the numbers of lines and paths imported, and the skipped lines."""

    commit: Commit | None
    lines: int
    paths: int
    skipped: "Sequence[BadLine]" = ()
    newer_replaced: int = 0
    """How many memories were replaced by older ones."""


def import_lines(
    store: Store,
    lines: Iterable[bytes],
    *,
    policy: str = "replace",
    namespace: str = DEFAULT_NAMESPACE,
    progress: OpenProgress = tell_nobody,
    allow_look_alikes: bool = False,
    skip_bad: bool = False,
    report: str | None = None,
    qualify: Callable[[Memory], Memory] = lambda memory: memory,
    options: WriteOptions = DEFAULTS,
) -> ImportResult:
    """Import JSON lines `{namespace, path, content, timestamp, confidence, status, metadata}` in one commit.

    The options are those of `Repository.import_lines`; `qualify` adds to a memory what applies to the whole import.
    Lines with the same path become the memories of that path, in order. Only `path` and `content` are required.

    Raises:
        InvalidInput: bad lines, each named with its reason in `details["lines"]`, without `skip_bad`; nothing was
            imported.
        MemoirError: there is no folder for the report.
        Conflict: the policy is `reject` and a path is occupied.
    """
    check_policy(policy)
    if not options.allow_secrets:
        check_around(options.message, [Address(namespace, "")])
    with ValueSpool() as spool:
        intake = _Intake(spool, store.head(options.branch), allow_look_alikes, options.allow_secrets, qualify)
        count = intake.fill(lines, namespace)
        intake.refuse_other_case()
        is_lenient = skip_bad or bool(report)
        intake.bad |= intake.dangling(follow=is_lenient) | (_surplus(spool) if is_lenient else {})
        bad = intake.bad
        if bad and not is_lenient:
            raise _not_importable(bad, sorted(intake.ways), is_all=len(bad) == count)
        if report:
            write_lines(report, (dumps(each) + b"\n" for each in _bad_lines(bad)))
        done = _write(store, intake, count - len(bad), policy, progress, options)
        return done._replace(skipped=_bad_lines(bad))


def _write(
    store: Store, intake: "_Intake", count: int, policy: str, progress: OpenProgress, options: WriteOptions
) -> ImportResult:
    """Commit the memories of `count` good lines."""
    paths, spool = _Paths(intake.bad.keys()), intake.spool
    text = options.message or f"import {count} {'memory' if count == 1 else 'memories'}"

    def change(head: Snapshot) -> Change:
        intake.newer_replaced = 0
        intake.refuse_other_case_since(head, (key for key, _ in paths.list_paths(spool)))
        return Change(_edits(head, intake, paths.list_paths(spool), policy, progress), text)

    commit = write(
        store,
        change,
        branch=options.branch,
        dry_run=options.dry_run,
        reason=lambda: f"import {count}: {paths}",
        large=lambda head: _large_values(head, intake, policy),
    )
    return ImportResult(commit, count, paths.count, newer_replaced=intake.newer_replaced)


class _Paths:
    """The number of paths in an import, and the first few of them, for the log of the branch."""

    def __init__(self, skips: Set[int]) -> None:
        self.count = 0
        self._skips = skips
        self._first: list[str] = []

    def list_paths(self, spool: ValueSpool) -> Iterator[tuple[bytes, list[SpoolPlace]]]:
        """The paths of a spool with the places of their values; counts the paths on the way."""
        self.count, self._first = 0, []
        for key, places in spool.groups():
            kept = [place for place in places if place.line not in self._skips] if self._skips else places
            if not kept:
                continue
            self.count += 1
            if self.count <= _MOST_BAD_LINES:
                self._first.append(from_key(key).path)
            yield key, kept

    def __str__(self) -> str:
        names = ", ".join(self._first)
        return f"{names} and {self.count - _MOST_BAD_LINES} more" if self.count > _MOST_BAD_LINES else names


class _Intake:
    """Checks lines and adds their memories to a spool, in batches that are scanned for credentials together.

    A new path must not look like another, unless that is allowed. Only paths with capitals are compared with the head
    in other capitals: comparing all would double the time of an import.
    """

    def __init__(
        self,
        spool: ValueSpool,
        head: Snapshot,
        allow_look_alikes: bool,
        allow_secrets: bool,
        qualify: Callable[[Memory], Memory],
    ) -> None:
        self.spool = spool
        self._head = head
        self._allow_look_alikes = allow_look_alikes
        self._allow_secrets = allow_secrets
        self._qualify = qualify
        self.time = format_instant(now())
        """The timestamp of memories whose lines have none."""
        self.bad: dict[int, str] = {}
        """The reason for each bad line, by number."""
        self.ways: set[str] = set()
        """The options that would accept some of the bad lines."""
        self.newer_replaced = 0
        """How many memories of the store the lines replace by older ones."""
        self._links = ImportedLinks(head)
        self._spellings = Spellings(head)
        """The paths with capitals, of which there are few."""
        self._batch: list[tuple[int, Memory, Address]] = []
        self._size = 0

    def fill(self, lines: Iterable[bytes], namespace: str) -> int:
        """Check every line and spool the good ones; return the number of lines."""
        count = 0
        for number, line in enumerate(lines, 1):
            if line.strip():
                count += 1
                try:
                    self._take(number, *parse_line(line.removeprefix(b"\xef\xbb\xbf"), namespace, self.time))
                except (InvalidInput, Conflict) as error:
                    self._refuse(number, error)
                self._size += len(line)
                if len(self._batch) >= _BATCH or self._size >= _BATCH_BYTES:
                    self._scan()
        self._scan()
        return count

    def refuse_other_case(self) -> None:
        """Refuse lines whose paths differ only in capitals from those of other lines."""
        for key, places in self.spool.groups() if self._spellings else ():
            try:
                self._spellings.refuse(from_key(key))
            except LookAlike as error:
                for place in places:
                    self._refuse(place.line, error)

    def refuse_other_case_since(self, head: Snapshot, keys: Iterable[bytes]) -> None:
        """Refuse paths that another writer has stored in other capitals since the check."""
        if self._spellings and head.id != self._head.id:
            addresses = map(from_key, keys)
            refuse_other_case(head, (each for each in addresses if each.path != each.path.lower()))

    def dangling(self, *, follow: bool) -> dict[int, str]:
        """The lines with links to memories that neither the store nor the import has."""
        groups = (
            (key, [place.line for place in places if place.line not in self.bad]) for key, places in self.spool.groups()
        )
        return self._links.dangling(((key, lines) for key, lines in groups if lines), follow=follow)

    def _take(self, number: int, address: Address, facet: Memory) -> None:
        if not self._allow_look_alikes:
            self._refuse_look_alike(address)
        if address.namespace == LAYERS_NAMESPACE:  # exports have these marks, so that layers stay layers
            refuse_mark(self._head, address, encode([facet]))
        if address.namespace == LEXICON_NAMESPACE:
            from memoir.memory.store_lexicon import refuse_line  # few imports have one

            refuse_line(address, facet)
        refuse_private(facet)
        refuse_malformed(facet)
        self._batch.append((number, _to_store(facet, address, self._qualify), address))

    def _refuse_look_alike(self, address: Address) -> None:
        has_capitals = address.path != address.path.lower()
        if (has_capitals or not address.key.isascii()) and not self._head.tree.get([address.key]):
            check_new(address)
            if has_capitals:
                refuse_other_case(self._head, [address])
                self._spellings.refuse(address)
        if has_capitals:
            self._spellings.add(address)

    def _scan(self) -> None:
        if not self._allow_secrets:
            for position, refusal in refusals([(facet, address) for _, facet, address in self._batch]):
                self._refuse(self._batch[position][0], refusal)
        for number, facet, address in self._batch:
            if number not in self.bad:
                self.spool.add(address.key, encode([facet]), number)
                self._links.note(number, facet)
        self._batch.clear()
        self._size = 0

    def _refuse(self, number: int, error: InvalidInput | Conflict) -> None:
        self.bad[number] = quotable(error.message)
        if "rule" in error.details:
            self.ways.add("a credential needs --allow-secret")
        if isinstance(error, LookAlike):
            self.ways.add("a path that could be taken for another needs --allow-look-alike")


def _to_store(facet: Memory, address: Address, qualify: Callable[[Memory], Memory]) -> Memory:
    """The memory of a line as it is stored, after `qualify`.

    Records of memoir's own namespaces and segments of sources are stored unchanged: they have no origin and no expiry.
    """
    namespace = address.namespace
    if namespace in (LAYERS_NAMESPACE, LEXICON_NAMESPACE, TAXONOMY_NAMESPACE) or namespace.endswith(RAW_SUFFIX):
        return facet
    return qualify(brought_in(facet))


def _not_importable(bad: Mapping[int, str], ways: Sequence[str] = (), *, is_all: bool = False) -> InvalidInput:
    lines_are = "1 line is" if len(bad) == 1 else f"{len(bad)} lines are"
    hint = "; ".join(["fix these lines and import again" + (_OTHER_KINDS if is_all else _OTHER_LINES), *ways])
    if is_all and len(bad) > 1 and all(each.startswith(NOT_JSON) for each in bad.values()):
        return NoJsonLines(f"none of the {len(bad):,} lines is JSON; nothing was imported", hint, lines=_bad_lines(bad))
    return InvalidInput(f"{lines_are} not importable; nothing was imported", hint, lines=_bad_lines(bad))


def _bad_lines(bad: Mapping[int, str]) -> "list[BadLine]":
    return [{"line": number, "message": bad[number]} for number in sorted(bad)]


def _large_values(head: Snapshot, intake: _Intake, policy: str) -> Iterator[bytes]:
    """The values to be written at paths with a large line."""
    if intake.spool.largest > LARGE:
        groups = (group for group in intake.spool.groups() if any(place.length > LARGE for place in group[1]))
        yield from (value for _, value in _edits(head, intake, groups, policy, tell_nobody))


def _edits(
    head: Snapshot,
    intake: _Intake,
    groups: Iterator[tuple[bytes, list[SpoolPlace]]],
    policy: str,
    progress: OpenProgress,
) -> Iterator[tuple[bytes, bytes]]:
    done, spool = 0, intake.spool
    while batch := list(islice(groups, _BATCH)):
        values = head.read([key for key, _ in batch])
        for key, places in batch:
            if (len(places) == 1 and key not in values) or from_key(key).namespace == LAYERS_NAMESPACE:
                yield key, spool.read(places[0])
            else:
                old = read_record(from_key(key), values[key]) if key in values else ()
                record = _combine(policy, from_key(key), old, _record_at(spool, places), intake.time)
                intake.newer_replaced += _count_newer(old, record)
                yield key, encode(record)
        done += len(batch)
        progress(done, None)


def _record_at(spool: ValueSpool, places: Sequence[SpoolPlace]) -> Record:
    """The memories of a path, in input order."""
    record = tuple(decode(spool.read(place))[0] for place in places)
    if surplus := _surplus_of(record, places):
        raise _not_importable(surplus)
    return record


def _surplus(spool: ValueSpool) -> dict[int, str]:
    """The lines beyond the most memories of their paths, with the reason."""
    groups = (places for _, places in spool.groups() if len(places) > min(MAX_ACTIVE, MAX_SUPERSEDED))
    surplus: dict[int, str] = {}
    for places in groups:
        surplus |= _surplus_of([decode(spool.read(place))[0] for place in places], places)
    return surplus


def _surplus_of(record: Sequence[Memory], places: Sequence[SpoolPlace]) -> dict[int, str]:
    surplus: dict[int, str] = {}
    for status, most in ((ACTIVE_STATUS, MAX_ACTIVE), (SUPERSEDED_STATUS, MAX_SUPERSEDED)):
        lines = [place.line for place, facet in zip(places, record, strict=True) if facet.status == status]
        surplus |= dict.fromkeys(lines[most:], f"a path holds {most} {status} memories at most")
    return surplus


def _combine(policy: str, address: Address, old: Record, new: Record, time: str) -> Record:
    new = tuple(_reuse_undated(facet, old, time) for facet in new)
    try:
        old = tuple(_renew(facet, new) for facet in old)
        return combine_records(policy, old, tuple(as_there(facet, old) for facet in new)) if old else new
    except Conflict as error:
        raise Conflict(
            f"{address.full_key} is occupied, and the policy is '{policy}'", "nothing was imported"
        ) from error


def _count_newer(old: Record, record: Record) -> int:
    """How many active memories of the old record are superseded in the new one, all of whose active ones are older."""
    newest = max((facet.instant for facet in record if facet.active), default=None)
    ended = (facet for facet in old if facet.active and facet not in record and facet.superseded() in record)
    return sum(facet.instant > newest for facet in ended) if newest else 0


def _reuse_undated(facet: Memory, old: Record, time: str) -> Memory:
    """The memory of a line; if the line has no time, the stored memory that says the same, to avoid a duplicate."""
    if facet.timestamp != time:
        return facet
    return next((each for each in old if as_there(facet._replace(timestamp=each.timestamp), [each]) is each), facet)


def _renew(facet: Memory, new: Record) -> Memory:
    """A stored memory that the import repeats, with the expiry and the anchors of the import."""
    for each in new:
        if fields := {name: each.metadata[name] for name in (ABOUT, EXPIRES) if name in each.metadata}:
            renewed = facet._replace(metadata={**facet.metadata, **fields})
            if as_there(each, [renewed]) is renewed:
                return renewed
    return facet
