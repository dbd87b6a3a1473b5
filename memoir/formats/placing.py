"""Give found memories addresses: each is checked alone, matched with an earlier import, filed if it has no path.

A memory without an id in its tool is identified by its file and its words. If it was edited there, the words differ. So
a new memory of a file that resembles a vanished one of the same file replaces it.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from memoir.errors import Conflict, InvalidInput
from memoir.formats.found import Found, Refused
from memoir.formats.matching import Entry, Origin, digest_of, imported, origin_of
from memoir.memory.active import Facet
from memoir.memory.compare import edited
from memoir.memory.layer_namespaces import refuse_layers
from memoir.memory.read import records
from memoir.memory.write import refuse_own
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import IMPORTED
from memoir.records.origins import brought_in
from memoir.records.record import Memory
from memoir.secrets.secrets import quotable, refusals, refuse_private
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, MemoryAddress, address, check_namespace, check_new, memory_address

_BATCH = 500
_Key = tuple[str, str]
"""A namespace, and an id or a file of its memories."""


class _Draft(NamedTuple):
    """A found memory that may be stored; its target is None until it is filed."""

    found: Found
    memory: Memory | None
    target: Address | None
    origin: Origin
    back: MemoryAddress | None = None


class Placing:
    """Collects a reader's memories, then gives each its address."""

    def __init__(
        self,
        store: Store,
        head: Snapshot,
        kind: str,
        namespace: str,
        allow_look_alikes: bool,
        options: WriteOptions,
        qualify: Callable[[Memory], Memory],
        is_gone: Callable[[str], bool],
    ) -> None:
        self._store = store
        self._head = head
        self._kind = kind
        self._namespace = namespace
        self._allow_look_alikes = allow_look_alikes
        self._options = options
        self._qualify = qualify
        self._is_gone = is_gone
        self._drafts: list[_Draft] = []
        self._hashes: dict[str, list[str]] = defaultdict(list)
        self.refused: list[Refused] = []
        """The memories that may not be stored."""
        self.gone: Sequence[MemoryAddress] = ()
        """The memories of an earlier import that are no longer in the files that were read."""
        self.absent = 0
        """How many memories were skipped although their paths are empty: see `ForeignImport.absent`."""

    def add(self, found: Found) -> None:
        """Take a memory, unless it may not be stored.

        A memory that is unchanged since memoir exported it is taken only by an empty store: any other store may have
        changed or forgotten it since.
        """
        try:
            if found.as_written and found.key and self._head.commit is not None:
                self.absent += not self._head.tree.get([memory_address(found.key, self._namespace).place.key])
            else:
                self._drafts.append(self._draft(found))
        except (InvalidInput, Conflict) as error:
            self.refused.append(Refused(found.where, quotable(error.message)))

    def _draft(self, found: Found) -> _Draft:
        back = memory_address(found.key, self._namespace) if found.key else None
        place = back.place if back else None
        namespace = check_namespace(found.namespace or self._namespace)
        if place is None and found.path:
            place = address(found.path, namespace)
        if place is not None:
            self._check(place)
        memory = None
        if found.content is not None:
            status = "active" if found.active else "superseded"
            memory = Memory.of(
                found.content, confidence=found.confidence, timestamp=found.time, status=status,
                metadata=dict(found.metadata),
            )  # fmt: skip
            refuse_private(memory)
        origin = self._origin(found, digest_of(memory) if memory else "")
        if memory and not back:
            memory = Memory.of(**{**memory.as_dict(), "metadata": {**memory.metadata, IMPORTED: origin.as_field()}})
        memory = memory and self._qualify(brought_in(memory))
        return _Draft(found, memory, place, origin, back)

    def _check(self, place: Address) -> None:
        refuse_own([place])
        refuse_layers(self._head, [place])
        if not self._allow_look_alikes and not place.key.isascii() and not self._head.tree.get([place.key]):
            check_new(place)

    def _origin(self, found: Found, digest: str) -> Origin:
        """The origin of a memory; a second, different memory with the same id gets a numbered id."""
        if found.commit is not None:
            return Origin(self._kind, found.id, digest)
        hashes = self._hashes[found.id]
        if digest not in hashes:
            hashes.append(digest)
        number = hashes.index(digest)
        return Origin(self._kind, f"{found.id}~{number + 1}" if number else found.id, digest)

    def place(self) -> list[Entry]:
        """The memories that were taken and may be stored, in order, each with its address."""
        if not self._options.allow_secrets:
            self._refuse_credentials()
        places, former = self._match()
        entries = []
        for draft in self._file(places):
            origin = draft.origin
            target = places.get(origin.id) or draft.target
            assert target
            entries.append(Entry(draft.found, draft.memory, target, origin, former.get(origin.id), draft.back))
        return self._without_past(entries)

    def _refuse_credentials(self) -> None:
        kept: list[_Draft] = []
        for start in range(0, len(self._drafts), _BATCH):
            batch = self._drafts[start : start + _BATCH]
            pairs = [
                (_as_in_its_file(each.memory, each.found), each.target or Address(self._namespace_of(each), ""))
                for each in batch
                if each.memory
            ]
            ats = [at for at, each in enumerate(batch) if each.memory]
            bad = {ats[position]: refusal for position, refusal in refusals(pairs)}
            for at, draft in enumerate(batch):
                if at in bad:
                    self.refused.append(Refused(draft.found.where, bad[at].message))
                else:
                    kept.append(draft)
        self._drafts = kept

    def _match(self) -> tuple[dict[str, Address], dict[str, str]]:
        """The present addresses of memories of an earlier import, by id; and the earlier ids of edited ones.

        Ids are matched within a namespace: another namespace may come from another folder with the same file names.
        """
        there = {
            (each.address.namespace, origin.id): each for each, origin in imported(self._store, self._head, self._kind)
        }
        ids = [(self._namespace_of(draft), draft.origin.id) for draft in self._drafts]
        found = set(ids)
        places = {key[1]: there[key].address for key in ids if key in there}
        lost = {key: each for key, each in there.items() if key not in found}
        news = {key: draft for key, draft in zip(ids, self._drafts, strict=True) if draft.memory and key not in there}
        former: dict[str, str] = {}
        for new, old in chain(self._renamed(news, lost), self._edited(news, lost)):
            former[new[1]], places[new[1]] = old[1], lost.pop(old).address
            del news[new]
        groups = {(self._namespace_of(each), each.found.group) for each in self._drafts if each.found.group is not None}
        self.gone = [each.target for (name, id_), each in lost.items() if (name, _file_of(id_)) in groups]
        return places, former

    def _namespace_of(self, draft: _Draft) -> str:
        return draft.target.namespace if draft.target else draft.found.namespace or self._namespace

    def _renamed(self, news: Mapping[_Key, _Draft], lost: Mapping[_Key, Facet]) -> Iterator[tuple[_Key, _Key]]:
        """Pair the memories of a renamed file: equal content, and the old file is gone."""
        by_words = {(key[0], each.memory.content): key for key, each in lost.items() if self._is_gone(_file_of(key[1]))}
        for key, draft in list(news.items()) if by_words else ():
            if draft.memory and (old := by_words.pop((key[0], draft.memory.content), None)):
                yield key, old

    def _edited(self, news: Mapping[_Key, _Draft], lost: Mapping[_Key, Facet]) -> Iterator[tuple[_Key, _Key]]:
        """Pair edited memories with those that have vanished from the same file."""
        groups: dict[_Key, dict[_Key, str]] = defaultdict(dict)
        for key, draft in news.items():
            if draft.found.group is not None and draft.memory:
                groups[key[0], draft.found.group][key] = draft.memory.content
        old: dict[_Key, dict[_Key, str]] = defaultdict(dict)
        for (name, identity), each in lost.items():
            old[name, _file_of(identity)][name, identity] = each.memory.content
        for group, texts in groups.items():
            yield from edited(texts, old[group])

    def _file(self, places: Collection[str]) -> Iterator[_Draft]:
        """The drafts, each with a target, chosen by filing if it has none; all with one id go to one path."""
        lost = [each for each in self._drafts if each.target is None and each.origin.id not in places and each.memory]
        found = self._choose(lost) if lost else {}
        for draft in self._drafts:
            if draft.target or draft.origin.id in places:
                yield draft
            elif draft.origin.id in found:
                target, note = found[draft.origin.id]
                memory = draft.memory
                filed = memory and memory._replace(metadata={**memory.metadata, "filing": note})
                yield draft._replace(target=target, memory=filed)

    def _choose(self, lost: Sequence[_Draft]) -> dict[str, tuple[Address, object]]:
        """The addresses that filing chooses for drafts, by id, each with filing's note."""
        from memoir.filing.filer import Filer

        filer = Filer(self._store, classifier="rules")
        found: dict[str, tuple[Address, object]] = {}
        order = enumerate(sorted(lost, key=self._namespace_of))
        for (namespace, _), some in groupby(order, lambda each: (self._namespace_of(each[1]), each[0] // _BATCH)):
            batch = [draft for _, draft in some]
            texts = [each.memory.content for each in batch if each.memory]
            decisions = filer.decide_by_rules(texts, namespace, self._options.branch)
            for draft, text, decision in zip(batch, texts, decisions, strict=True):
                if draft.origin.id in found:
                    continue
                try:
                    place = decision.addresses(text, namespace)[0]
                except InvalidInput as error:  # the namespace leaves no room for a path
                    self.refused.append(Refused(draft.found.where, error.message))
                else:
                    found[draft.origin.id] = place, filer.annotate(Memory("", 1.0, ""), decision).metadata["filing"]
        return found

    def _without_past(self, entries: Sequence[Entry]) -> list[Entry]:
        """Drop entries that an earlier import brought in already, or that were forgotten here since.

        A history is imported once: if the store has a memory, only versions after the one there are kept. A memory that
        was deleted at its source, or forgotten here, is recognized by the history of its path.
        """
        skips: set[int] = set()
        past = self._past([versions[-1][1] for versions in _by_id(entries).values()])
        for identity, versions in _by_id(entries).items():
            if identity in past:
                skips.update(at for at, _ in versions)
                self.absent += versions[-1][1].memory is not None
            elif len(versions) > 1 and (known := self._known(versions[-1][1])):
                ats = [at for at, each in versions if each.origin.hash in known]
                skips.update(at for at, _ in versions if ats and at <= ats[-1])
        return [each for at, each in enumerate(entries) if at not in skips]

    def _past(self, ends: Sequence[Entry]) -> set[str]:
        """The ids of memories that once were here and were then deleted at their source, or forgotten here."""
        head = self._head.tree
        asked = [each for each in ends if each.memory is None or (each.back and not head.get([each.target.key]))]
        touched = self._touched([each.target for each in asked])
        return {
            each.origin.id
            for each in asked
            if each.target.key in touched and (each.back or each.origin.id in self._ids_at(each.target))
        }

    def _ids_at(self, place: Address) -> set[str]:
        """The ids of all memories that were imported to a path, at any time."""
        from memoir.memory.versions import blame

        records = [version.record or () for version in blame(self._store, place, self._head)]
        return {origin.id for record in records for memory in record if (origin := origin_of(memory))}

    def _known(self, entry: Entry) -> set[str]:
        """The digests of the versions of a memory in its record."""
        record = records(self._head, [entry.target], listed=True).get(entry.target, ())
        origins = [origin_of(memory) for memory in record if memory.active]
        return {each.hash for each in origins if each and (each.kind, each.id) == (self._kind, entry.origin.id)}

    def _touched(self, places: Sequence[Address]) -> set[bytes]:
        """The keys of the addresses that some commit of the branch has changed."""
        from memoir.store.history import changes, commits_touching

        if not places or self._head.commit is None:
            return set()
        wanted = {place.key for place in places}
        touched: set[bytes] = set()
        tip = self._store.commits([self._head.commit.id])[0]
        for commit in commits_touching(self._store, tip, [(key, key + b"\0") for key in wanted]):
            touched |= wanted.intersection(delta.key for delta in changes(self._store, commit))
            if touched == wanted:
                break
        return touched


def _as_in_its_file(memory: Memory, found: Found) -> Memory:
    """A memory with blank lines in front, so that a refusal names the line of the file."""
    return memory._replace(content="\n" * found.above + memory.content) if found.above else memory


def _file_of(identity: str) -> str:
    """The file with which the id of an anonymous memory begins."""
    return identity.rpartition("#")[0] or identity


def _by_id(entries: Sequence[Entry]) -> dict[str, list[tuple[int, Entry]]]:
    groups: dict[str, list[tuple[int, Entry]]] = defaultdict(list)
    for at, entry in enumerate(entries):
        groups[entry.origin.id].append((at, entry))
    return groups
