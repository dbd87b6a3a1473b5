"""Writes: every method makes one commit, or none if nothing changes."""

import re
from typing import TYPE_CHECKING

from memoir.errors import InvalidInput
from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.progress import OpenProgress, Progress, tell_nobody
from memoir.records.origins import came_by, edited_by
from memoir.records.record import Memory
from memoir.repository.door import Door, review_of_items
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, address

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Sequence

    from memoir.exchange.merge import MergeResult
    from memoir.filing.consolidate import Consolidation
    from memoir.filing.inbox import InboxItem
    from memoir.filing.likeness import Pair
    from memoir.filing.remember import RememberResult
    from memoir.formats.bring import ForeignImport
    from memoir.memory.import_ import ImportResult
    from memoir.memory.move import MoveResult, Replacement
    from memoir.memory.write import WriteResult
    from memoir.memory.write_many import RememberManyResult
    from memoir.records.record import Record
    from memoir.store.commit import Commit

_NAME = r"\w\.[A-Za-z]"
"""A pattern that every file name in a text matches; memories without a match need no further search."""


class Writes(Door):
    """The methods of `Repository` that write memories. Each takes `WriteOptions`.

    Each may raise `InvalidInput` (the message looks like a credential), `NotFound` (no such branch), `Conflict`
    (another program kept moving the branch), and `ReadOnlyStore`, `StoreBusy` or `GitError` (the store cannot be
    written; it is unchanged).
    """

    def remember(
        self,
        new: "Memory | str",
        *keys: str,
        namespace: str = DEFAULT_NAMESPACE,
        policy: str | None = None,
        classifier: str | None = None,
        links: "Sequence[str]" = (),
        kind: str | None = None,
        replace_similar: bool = False,
        about: "Sequence[str]" = (),
        expires: str | None = None,
        options: WriteOptions = DEFAULTS,
    ) -> "RememberResult":
        """Store a memory, or a text as one, at one or more keys; without a key, a classifier finds the path.

        Use `Memory.of` for a memory with a time or metadata.

        `links` are `EDGE=PATH` pairs, such as `derives_from=debugging.ci`; `kind` is its kind, such as `event`, or
        `auto`. Without a policy, `memoir.remember.mergePolicy` decides, else the memory's kind, else the kind that each
        path names. The result's `similar` are the active memories that this one contradicts or resembles: `replace`
        makes it the successor of one of them, and `replace_similar` makes it replace the most similar one at once.
        `about` are files of the project beside the store, `FILE[:L1[-L2]]`, or `auto` for those that the text names.
        Without `about`, the result's `named` are the files that the text names. `expires` is the date of expiry, or a
        span from now such as `30d`; `never` overrides the setting `memoir.expire.KIND`. The origin is always the
        repository's `origin`, not one in the metadata.

        Raises:
            InvalidInput: a key or link is malformed, a key is in the namespace of the taxonomy or in a layer, the
                memory looks like a credential, a file is outside the project, or there is no such kind, policy or
                classifier.
            NotFound: there is no such file.
            Conflict: the policy is `reject` and a path is occupied.
            LlmUnavailable: the classifier is `model`, and none is configured.
        """
        from memoir.filing.remember import qualified, remember
        from memoir.memory.read import addresses

        targets = addresses(keys, namespace)
        new = came_by(new if isinstance(new, Memory) else Memory.of(new), self.origin)
        if links:
            from memoir.memory.links import with_links

            new = with_links(new, links, namespace, self.store.head(options.branch))
        new = qualified(new, self.store, kind=kind, expires=expires)
        if about:
            from memoir.anchors.change import with_files

            new = with_files(self.store, new, about)
        result = remember(
            self.store, new, targets, namespace, classifier=classifier, policy=policy, replace_similar=replace_similar,
            options=options,
        )  # fmt: skip
        if about or not re.search(_NAME, new.content):
            return result
        from memoir.anchors.change import files_named

        return result._replace(named=files_named(self.store, new))

    def remember_many(
        self,
        entries: "Iterable[tuple[Memory | str, str]]",
        *,
        namespace: str = DEFAULT_NAMESPACE,
        policy: str | None = None,
        options: WriteOptions = DEFAULTS,
    ) -> "RememberManyResult":
        """Store a list of memories or texts, each with its key, in one commit: all or none.

        Each is stored as by `remember` after the ones before it. Each needs a key, because classifiers decide on one
        memory at a time, and so does the policy `llm_merge`, which is refused.

        Raises:
            InvalidInput: an entry is refused, as by `remember`; the message gives its number, from 1. Or the list has
                more memories for a path than the path can keep.
            Conflict: the policy is `reject` and a path is occupied.
        """
        from memoir.memory.write_many import remember_many

        return remember_many(self.store, entries, namespace, self.origin, policy=policy, options=options)

    def replace(
        self, old: str, new: str | None = None, *, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS
    ) -> "Replacement":
        """Replace the memory at `old` by the one at `new`, which moves there; the old one is superseded.

        The default for `new` is the newest memory that contradicts or resembles the old one; at a path with several
        memories, the newest there. `KEY#id` names one of several. History and `blame` keep both.

        Raises:
            NotFound: a key is empty, or there is no such newer memory. InvalidInput: a key is malformed, in a layer or
                in memoir's own namespaces, or names several memories; or the old memory is superseded.
        """
        from memoir.memory.move import replace

        loser = self._address_now(old, namespace, options.branch)
        if new is None:
            from memoir.filing.similar import find_successor

            return replace(self.store, *find_successor(self.store, loser, options.branch), options)
        if re.search(r"\s", new):
            import shlex

            hint = f"memoir remember {shlex.quote(new)} -p {old.partition('#')[0]}"
            raise InvalidInput(f"a text takes no memory's place, only a memory does: {new!r}", hint)
        return replace(self.store, loser, self._address_now(new, namespace, options.branch), options)

    def edit(
        self,
        key: str,
        revise: "Callable[[Record], Sequence[Memory]]",
        *,
        namespace: str = DEFAULT_NAMESPACE,
        options: WriteOptions = DEFAULTS,
    ) -> "WriteResult":
        """Replace the record at a key by the result of `revise`; an empty result forgets the key.

        For `KEY#id`, `revise` gets a record with only that memory, and its neighbours stay unchanged.

        Raises:
            NotFound: the key is empty. Conflict: another process changed it meanwhile.
            InvalidInput: a changed memory looks like a credential, the id fits several memories, or the key is in the
                namespace of the taxonomy.
        """
        from memoir.memory.write import edit

        def vouched(old: "Record") -> list[Memory]:
            return [edited_by(each, old, self.origin) for each in revise(old)]

        return edit(self.store, self._address_now(key, namespace, options.branch), vouched, options)

    def annotate(
        self,
        key: str,
        *,
        about: "Sequence[str]" = (),
        expires: str | None = None,
        namespace: str = DEFAULT_NAMESPACE,
        options: WriteOptions = DEFAULTS,
    ) -> "WriteResult":
        """Set the files that a memory is about, or its expiry, as `remember` does; its words are unchanged.

        Raises:
            NotFound: the key is empty, or there is no such file. Conflict: another process changed it meanwhile.
            InvalidInput: the path has several memories and the key names none of them, a file is outside the project,
                or `expires` is neither a date nor a span.
        """
        from memoir.anchors.change import annotate

        return annotate(self.store, self._address_now(key, namespace, options.branch), about, expires, options)

    def forget(
        self, *keys: str, prefix: bool = False, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS
    ) -> "WriteResult":
        """Forget the records at the keys, which may be globs; with `prefix` everything at or under each.

        `KEY#id` forgets one memory of several; superseded ones stay, unless it was the last active one. Items of a
        forgotten segment become stale, unless another segment contains them.

        Raises:
            NotFound: a key is empty; then nothing is forgotten.
            InvalidInput: a key is malformed or in the namespace of the taxonomy, or an id fits several memories.
        """
        from memoir.memory.facets import expand
        from memoir.memory.write import forget

        named = expand(self.store.head(options.branch), keys, namespace, prefix=prefix)
        return forget(self.store, named, options, review_of_items(named))

    def move(
        self,
        old: str,
        new: str,
        *,
        prefix: bool = False,
        append: bool = False,
        namespace: str = DEFAULT_NAMESPACE,
        options: WriteOptions = DEFAULTS,
    ) -> "MoveResult":
        """Move a record, or with `prefix` everything at or under a key, to another key; `blame` follows it.

        `KEY#id` moves one memory of several. With `append`, memories are added to those of an occupied key.

        Raises:
            NotFound: the old key is empty. Conflict: a new key is occupied, without `append`.
            InvalidInput: both are the same, one is in the namespace of the taxonomy, or an id fits several memories.
        """
        from memoir.memory.move import move

        source, target = self._address_now(old, namespace, options.branch), address(new, namespace)
        return move(self.store, source, target, prefix=prefix, append=append, options=options)

    def restore(
        self, *keys: str, at: str, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS
    ) -> "WriteResult":
        """Restore records as they were at a revision or date; with `KEY#id` one memory, beside those there now.

        Items that a restored segment contains are no longer stale.

        Raises:
            NotFound: there is no such revision, or a key is empty in it.
            InvalidInput: a key is in the namespace of the taxonomy, or an id fits several memories.
            DamagedStore: a record is damaged in that revision.
        """
        from memoir.memory.facets import memory_addresses
        from memoir.memory.write import restore

        then = self.store.at(at)
        named = memory_addresses(lambda: then, keys, namespace)
        return restore(self.store, named, then, options, review_of_items(named))

    def revert(self, revision: str, options: WriteOptions = DEFAULTS) -> "tuple[Commit, Commit | None]":
        """Undo the changes of one commit in a new commit; return both.

        Raises:
            NotFound: there is no such commit. Conflict: a path it changed has changed again since.
        """
        from memoir.exchange.merge import revert

        target = self.store.commit(revision)
        return target, revert(self.store, str(target.id), options)

    def merge(
        self,
        revision: str,
        *,
        strategy: str | None = None,
        choices: "Iterable[str]" = (),
        options: WriteOptions = DEFAULTS,
    ) -> "MergeResult":
        """Merge a branch or another revision, memory by memory.

        `choices` are strategies for single paths and memories, `KEY=STRATEGY` or `KEY#id=STRATEGY`; they take
        precedence over `strategy`.

        Raises:
            NotFound: there is no such revision, or a choice without a conflict. InvalidInput: there is no such
                strategy.
            Conflict: both sides changed the same memory, and there is no strategy; nothing was changed.
            DamagedStore: the revision has content that memoir never writes.
        """
        from memoir.exchange.merge import merge

        return merge(self.store, revision, strategy=strategy, choices=choices, options=options)

    def import_lines(
        self,
        lines: "Iterable[bytes]",
        *,
        policy: str = "replace",
        namespace: str = DEFAULT_NAMESPACE,
        progress: "OpenProgress" = tell_nobody,
        allow_look_alikes: bool = False,
        skip_bad: bool = False,
        report: str | None = None,
        about: str | None = None,
        expires: str | None = None,
        options: WriteOptions = DEFAULTS,
    ) -> "ImportResult":
        """Import JSON lines, all or nothing; `namespace` is for lines without one.

        `allow_look_alikes` accepts new paths that could be mistaken for others; an export may contain such paths.
        `skip_bad` skips bad lines and lists them in the result; `report` is a file for that list, and implies it.
        `expires` is the date of expiry for memories whose lines have none, or a span from now such as `30d`. With
        `about="auto"` each memory is about the files of the project that its text names.

        Raises:
            InvalidInput: malformed lines, or lines with a credential, each listed in `details["lines"]`, without
                `skip_bad`.
            Conflict: the policy is `reject` and a path is occupied.
        """
        from memoir.anchors.change import qualifying
        from memoir.memory.import_ import import_lines

        with qualifying(self.store, about, expires) as qualify:
            return import_lines(
                self.store, lines, policy=policy, namespace=namespace, progress=progress, options=options,
                allow_look_alikes=allow_look_alikes, skip_bad=skip_bad, report=report, qualify=qualify,
            )  # fmt: skip

    def import_from(
        self,
        path: "str | os.PathLike[str]",
        kind: str = "auto",
        *,
        namespace: str = DEFAULT_NAMESPACE,
        allow_look_alikes: bool = False,
        report: str | None = None,
        about: str | None = None,
        expires: str | None = None,
        progress: "Progress" = tell_nobody,
        options: WriteOptions = DEFAULTS,
    ) -> "ForeignImport":
        """Import the memories of another tool from a path; a second import brings in later changes.

        `kind` is one of those in `docs/import.md`; `auto` detects it by the content. A memory that may not be stored is
        refused alone and listed in the result and the file `report`. `about` and `expires`, as in `import_lines`, apply
        to new memories. Conversations are ingested, a history becomes commits; one undo takes all of it back.

        Raises:
            NotFound: the path does not exist.
            InvalidInput: there is no such kind, the path has an unknown or unreadable format, or everything was
                refused.
        """
        from memoir.anchors.change import qualifying
        from memoir.formats.bring import bring
        from memoir.formats.found import Place

        with qualifying(self.store, about, expires) as qualify:
            return bring(
                self.store, Place(path), kind, namespace=namespace, allow_look_alikes=allow_look_alikes, report=report,
                qualify=qualify, progress=progress, options=options,
            )  # fmt: skip

    def classify(
        self, *, classifier: str | None = None, namespaces: "Sequence[str]" = (), options: WriteOptions = DEFAULTS
    ) -> "tuple[list[InboxItem], Commit | None]":
        """File the memories in the inbox; those for which the classifier is not confident stay there.

        Raises:
            InvalidInput: there is no such classifier. LlmUnavailable: it is `model`, and none is configured.
        """
        from memoir.filing.filer import Filer
        from memoir.filing.inbox import sort_inbox

        return sort_inbox(Filer(self.store, classifier=classifier), namespaces=namespaces, options=options)

    def consolidate(
        self,
        *,
        threshold: float | None = None,
        accept: "Sequence[str]" = (),
        choose: "Callable[[list[Pair]], list[Pair]] | None" = None,
        namespaces: "Sequence[str]" = (),
        indexing: "Progress" = tell_nobody,
        comparing: "Progress" = tell_nobody,
        options: WriteOptions = DEFAULTS,
    ) -> "Consolidation":
        """Mark near-duplicates as superseded, and list merely similar memories.

        Candidates with at least the cosine `threshold` are superseded only if `accept` names them or `choose` returns
        them.

        Raises:
            InvalidInput: the threshold is not from 0.5 to 1. NotFound: there is no such candidate.
            EmbedderUnavailable: there are no vectors to compare.
        """
        from memoir.filing.consolidate import consolidate
        from memoir.filing.similar import THRESHOLD

        return consolidate(
            self.store, threshold=THRESHOLD if threshold is None else threshold, accept=accept, choose=choose,
            namespaces=namespaces, indexing=indexing, progress=comparing, options=options,
        )  # fmt: skip
