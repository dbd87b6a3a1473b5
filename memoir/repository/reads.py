"""Reads the memories of a store at a revision."""

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from memoir.errors import InvalidInput
from memoir.records.record import projection
from memoir.repository.door import Door, check_counts, with_marks
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, address, address_among, check_namespace, is_glob

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence

    from memoir.exchange.status import Status
    from memoir.formats.give import GivenBack
    from memoir.memory.expired import ExpiryMarks
    from memoir.memory.export import ExportCount
    from memoir.memory.facets import PathRecord
    from memoir.memory.grep import FirstLines
    from memoir.memory.survey import Level, Survey
    from memoir.records.record import Record
    from memoir.store.store import Store
    from memoir.taxonomy.paths import MemoryAddress


_BATCH = 100
"""The records that are read at a time."""


class Reads(Door):
    """The methods of `Repository` that read memories. Each takes `at`, a revision or date; None means now."""

    address_of, user = Door.address_of, Door.user  # so that the docs describe them here

    def get(self, key: str, *, namespace: str = DEFAULT_NAMESPACE, at: str | None = None) -> "Record | None":
        """Return the record at a key, or None; for `KEY#id`, a record with only that memory.

        A record has all memories at its path, including superseded ones, whose `active` is False.

        Raises:
            InvalidInput: the key is malformed, or the id fits several memories.
            NotFound: there is no such revision. DamagedStore: the record cannot be read.
        """
        from memoir.memory import facets

        target = self.address_of(key, namespace=namespace, at=at)
        return facets.get(self.store.at(at), [target])[target].record

    def count(self, *, at: str | None = None) -> int:
        """Return the number of paths with memories.

        Raises:
            NotFound: there is no such revision.
        """
        return self.store.at(at).tree.count()

    def get_many(
        self, keys: "Sequence[str]", *, namespace: str = DEFAULT_NAMESPACE, prefix: bool = False, context: int = 0,
        at: str | None = None,
    ) -> "list[PathRecord]":  # fmt: skip
        """Return the records at several keys, in the order of the keys, each key once.

        A key may be a glob, `KEY#id` is one memory of several, and with `prefix` a key means everything at or under it.
        A key without memories gives an entry without a record. `context` adds that many neighbours on each side: the
        turns around a passage, or the paths around one in a sequence.

        Raises:
            InvalidInput: a key is malformed, an id fits several memories, `context` is negative, or every key names
                another namespace than `namespace`.
            NotFound: there is no such revision. DamagedStore: a record named by its key cannot be read.
        """
        if self.user is None:
            return list(self._path_records(keys, namespace, prefix, context, at).values())

        from memoir.memory.facets import get_from_both

        other = self.user
        return get_from_both(
            lambda: self._path_records(keys, namespace, prefix, context, at),
            lambda: other._path_records(keys, namespace, prefix, context, at),
            at,
            prefix=prefix,
        )

    def _path_records(
        self, keys: "Sequence[str]", namespace: str, prefix: bool, context: int, at: str | None
    ) -> "dict[MemoryAddress, PathRecord]":
        from memoir.memory import facets

        snapshot = self.store.at(at)
        targets = facets.expand(snapshot, keys, namespace, prefix=prefix)
        if context:
            from memoir.memory.neighbours import around
            from memoir.setting import whole

            whole(0).check(context, "context")
            targets = list(dict.fromkeys(near for each in targets for near in around(snapshot, each, context)))
        entries = facets.get(snapshot, targets, listed=prefix or any(map(is_glob, keys)))
        addresses = [target.place for target in targets]
        entries = with_marks(self.store, snapshot, entries)
        if not any(address.may_be_insight for address in addresses):
            return entries
        from memoir.memory.staleness import Staleness

        stale = Staleness(snapshot).among(addresses)
        return {target: entry._replace(stale=stale.get(entry.address)) for target, entry in entries.items()}

    def staleness(self, *, at: str | None = None) -> "Callable[[Address], bool | None]":
        """Return a function that tells whether the insight at an address is out of date; None if it is no insight.

        The function caches what it reads.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.memory.staleness import Staleness

        return Staleness(self.store.at(at)).of

    def content(self, key: str, *, namespace: str = DEFAULT_NAMESPACE, at: str | None = None) -> str:
        """Return the content at a key as one string; for `KEY#id`, that of only this memory.

        Raises:
            NotFound: the key is empty, or there is no such revision; the hint names the nearest key.
        """
        from memoir.memory.facets import require_record

        target = self.address_of(key, namespace=namespace, at=at)
        return projection(require_record(self.store.at(at), target, prefixed=True))

    def hint(self, key: str, *, namespace: str = DEFAULT_NAMESPACE, at: str | None = None) -> str:
        """Return a hint for an empty key: the keys below it, or the nearest key; for an id, the existing ids.

        Raises:
            InvalidInput: the key is malformed. NotFound: there is no such revision.
        """
        from memoir.memory.facets import near_miss
        from memoir.memory.read import glob_hint

        if is_glob(key):
            return glob_hint(self.store.at(at), key, namespace)
        return near_miss(self.store.at(at), self.address_of(key, namespace=namespace, at=at))

    def keys(
        self,
        globs: "Sequence[str]" = (),
        *,
        namespaces: "Sequence[str]" = (),
        prefix: str | None = None,
        after: str | None = None,
        at: str | None = None,
    ) -> "Iterator[Address]":
        """Return the addresses whose paths match any glob (all without one) and are at or under a prefix, sorted.

        A prefix with a namespace (`user:goals`) limits the result to that. By default, layers (sources and insights)
        are left out. With `after`, only addresses after that key.

        Raises:
            NotFound: a namespace, the prefix or the revision does not exist. InvalidInput: a name is malformed.
        """
        from memoir.memory import read
        from memoir.memory.layer_namespaces import namespaces_to_list, require_prefix

        start = address_among(after, namespaces) if after else None
        snapshot = self.store.at(at)
        under = address(prefix.removesuffix(".")) if prefix else None
        if prefix and under and ":" in prefix:
            namespaces = [under.namespace]
        names = namespaces_to_list(snapshot, namespaces)
        if under:
            require_prefix(snapshot, names, under.path)
        return read.keys(snapshot, names, globs, under.path if under else None, start)

    def expiry_marks(self, places: "Iterable[Address]", *, at: str | None = None) -> "ExpiryMarks":
        """Return an object that lists addresses and tells for each whether its memories have all expired.

        Expiry is judged by the current time, or with `at` by the time of that revision.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.memory.expired import ExpiryMarks, time_of

        snapshot = self.store.at(at)
        return ExpiryMarks(self.store, snapshot, places, time_of(snapshot if at else None))

    def records(self, places: "Iterable[Address]", *, at: str | None = None) -> "Iterator[tuple[Address, Record]]":
        """Yield the records at the addresses, reading a hundred at a time.

        Damaged records are left out, and noted in `store.damage`.

        Raises:
            NotFound: there is no such revision.
        """
        from memoir.memory.read import records

        snapshot, rest = self.store.at(at), iter(places)
        while batch := list(islice(rest, _BATCH)):
            yield from records(snapshot, batch, listed=True).items()

    def summarize(
        self,
        namespaces: "Sequence[str]" = (),
        *,
        depth: int | None = None,
        globs: "Sequence[str]" = (),
        limit: int | None = None,
        after: str | None = None,
        at: str | None = None,
    ) -> "Survey":
        """Count paths by namespace and, with `depth`, by their first segments; list the paths that match `globs`.

        `limit` and `after`, a key, page through the list.

        Raises:
            InvalidInput: paging without globs, a malformed key, or a depth or limit below 1.
            NotFound: a namespace or the revision does not exist.
        """
        from memoir.memory.survey import summarize

        check_counts(depth=depth, limit=limit)
        if (limit or after) and not globs:
            raise InvalidInput("--limit and --after need --keys", "add --keys '*'")
        start = address_among(after, namespaces) if after else None

        def survey(store: "Store") -> "Survey":
            return summarize(store.at(at), namespaces, depth=depth, globs=globs, limit=limit, after=start)

        if self.user is None:
            return survey(self.store)

        other = self.user.store
        from memoir.memory.read import read_both
        from memoir.memory.survey import Survey

        first, second = read_both(lambda: survey(self.store), lambda: survey(other), at)
        return (first or Survey({}, {}, {}, None))._replace(user=second)

    def children(
        self,
        prefix: str = "",
        *,
        namespace: str = DEFAULT_NAMESPACE,
        limit: int = 100,
        after: str | None = None,
        at: str | None = None,
    ) -> "Level":
        """Count the paths below a prefix by their next segment, one level of the tree; the empty prefix is the root.

        `limit` and `after`, the last segment of a child, page through a wide level.

        Raises:
            InvalidInput: a malformed prefix or namespace, or a limit below 1. NotFound: there is no such revision.
        """
        from memoir.memory.survey import children

        check_counts(limit=limit)
        root = address(prefix, namespace) if prefix else Address(check_namespace(namespace), "")
        return children(self.store.at(at), *root, limit, after)

    def grep(
        self,
        pattern: str,
        *,
        globs: "Sequence[str]" = (),
        namespaces: "Sequence[str]" = (),
        fixed: bool = False,
        ignore_case: bool | None = None,
        whole_words: bool = False,
        context: int = 0,
        person: str | None = None,
        since: str | None = None,
        until: str | None = None,
        sources: str = "yes",
        limit: int | None = None,
        each: int | None = None,
        at: str | None = None,
    ) -> "FirstLines":
        """Find the memories and segments of sources whose content matches a pattern, line by line.

        `fixed` takes the pattern as plain text. A pattern, or an alternative in it, without capitals also matches
        capitals, unless `ignore_case` says otherwise. `whole_words` excludes parts of words. `context` adds lines
        before and after each match. `person` is the speaker of lines in sources, or a person that memories are about.
        `since` and `until` are dates for when lines were said or became true. `sources` is `yes`, `no` or `only`. At
        most `limit` lines are returned, and at most `each` for each matching word in all its forms: those that say most
        and are nearest to the pattern as a whole. After iteration, `has_more` of the result tells whether lines were
        left out.

        Raises:
            InvalidInput: the pattern is not a regular expression, an option is malformed, a limit is below 1, or
                `context` below 0.
            NotFound: a namespace or the revision does not exist.
        """
        from memoir.memory.grep import FirstLines, Meant, grep, words_of
        from memoir.memory.layer_namespaces import searchable
        from memoir.setting import whole, words
        from memoir.times import seconds_of

        words("yes", "no", "only").check(sources, "sources")
        whole(0).check(context, "context")
        check_counts(limit=limit, each=each)
        snapshot = self.store.at(at)
        names = searchable(snapshot, namespaces, sources)
        found = grep(
            snapshot, pattern, names, globs, fixed=fixed, ignore_case=ignore_case, whole_words=whole_words,
            context=context, meant=Meant(person, *seconds_of(since, until)),
        )  # fmt: skip
        if each is None:
            return FirstLines(found, limit)
        from memoir.recall.quotes import nearness

        return FirstLines(found, limit, each, nearness(words_of(pattern), {}))

    def status(self) -> "Status":
        """Describe the store: its branch, its counts, and how it compares with its remotes."""
        from memoir.capture.spool import TurnSpool
        from memoir.exchange.status import status

        return status(self.store)._replace(captures=TurnSpool(self.store.git_dir).is_on)

    def export_lines(
        self, globs: "Sequence[str]" = (), *, namespaces: "Sequence[str]" = (), at: str | None = None
    ) -> "Iterable[bytes]":
        """Return every memory as one JSON line, in key order.

        Raises:
            NotFound: a namespace or the revision does not exist.
        """
        from memoir.memory.export import export_lines

        return export_lines(self.store.at(at), namespaces, globs)

    def export_file(
        self, file: str, globs: "Sequence[str]" = (), *, namespaces: "Sequence[str]" = (), at: str | None = None
    ) -> "ExportCount":
        """Write every memory to a file as one JSON line, and return the numbers of memories and paths.

        A regular file appears whole or not at all.

        Raises:
            MemoirError: there is no such folder. OSError: the file cannot be written.
        """
        from memoir.memory.export import export_file

        return export_file(self.store.at(at), file, namespaces, globs)

    def export_to(
        self,
        kind: str,
        path: "str | os.PathLike[str] | None" = None,
        *,
        prefix: str = "",
        max_chars: int | None = None,
        namespaces: "Sequence[str]" = (),
        at: str | None = None,
        force: bool = False,
    ) -> "GivenBack":
        """Write active memories for another tool, replacing those written there before.

        `claude-code`, `claude-md` and `agents-md` write a section of a notes file and keep its other text; `obsidian`
        writes a folder of notes. The default path is the file of the store's project. With `max_chars`, pinned memories
        come first, then the newest; none is cut. Memories that the tool has in its own files are not written. The
        default namespace is `default`.

        Raises:
            Conflict: the text that memoir wrote has edits that the store lacks (unless `force`); the section is
                incomplete; or the folder has files and was not made by memoir.
            InvalidInput: there is no such kind, or no usual path for it here. NotFound: no such namespace or revision.
        """
        from memoir.formats.give import give

        return give(
            self.store, self.store.at(at), kind, path, prefix=prefix, max_chars=max_chars, namespaces=namespaces,
            force=force,
        )  # fmt: skip
