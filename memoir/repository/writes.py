"""Writing: every method is one commit, or none if nothing changes."""

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
"""What is in the name of every file that a text can name; most memories have none, and are not looked at further."""


class Writes(Door):
    """The methods of `Repository` that write memories. Each takes `WriteOptions`.

    Each may raise `InvalidInput` (the message looks like a credential), `NotFound` (no such branch), `Conflict` (the
    branch kept moving under a foreign writer), and `ReadOnlyStore`, `StoreBusy` or `GitError` (the store cannot be
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

        A memory with a time or with metadata is made by `Memory.of`.

        `links` are `EDGE=PATH` pairs, such as `derives_from=debugging.ci`; `kind` is what it is, such as `event`, or
        `auto`. Without a policy, `memoir.remember.mergePolicy` decides, else the memory's kind, else the kind that each
        path names. The result's `similar` are the memories that this one contradicts or is near to, and that stay
        active: `replace` makes it the successor of one of them. With `replace_similar` it takes the place of the most
        similar one at once. `about` are files of the project beside the store, `FILE[:L1[-L2]]`, or `auto` for those
        that the text names. Without any, the result's `named` are the files that the text names. `expires` is the date
        from which the memory no longer holds, or a span from now such as `30d`; `never` overrides the setting
        `memoir.expire.KIND`. Who vouches for it is the repository's `origin`, whatever its metadata say.

        Raises:
            InvalidInput: a key or link is malformed, a key is in the namespace of the taxonomy or in a layer, the
                memory looks like a credential, a file is outside of the project, or there is no such kind, policy or
                classifier.
            NotFound: there is no such file.
            Conflict: the policy is `reject` and a path is occupied.
            LlmUnavailable: the classifier is `model`, and none is configured.
        """
        from memoir.filing.remember import qualified, remember
        from memoir.memory.read import addresses

        places = addresses(keys, namespace)
        new = came_by(new if isinstance(new, Memory) else Memory.of(new), self.origin)
        if links:
            from memoir.memory.links import with_links

            new = with_links(new, links, namespace, self.store.head(options.branch))
        new = qualified(new, self.store, kind=kind, expires=expires)
        if about:
            from memoir.anchors.change import with_files

            new = with_files(self.store, new, about)
        result = remember(
            self.store, new, places, namespace, classifier=classifier, policy=policy, replace_similar=replace_similar,
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
        """Store a list of memories or texts, each with its key, in one commit: all of them, or none.

        Each is stored as by `remember` after the ones before it. The policy `llm_merge` and the classifier decide on
        one memory at a time, so each entry needs a key.

        Raises:
            InvalidInput: one of them is refused, as by `remember`; the message names it by its number, from 1. Or a
                path has more memories in the list than it can keep.
            Conflict: the policy is `reject` and a path is occupied.
        """
        from memoir.memory.write_many import remember_many

        return remember_many(self.store, entries, namespace, self.origin, policy=policy, options=options)

    def replace(
        self, old: str, new: str | None = None, *, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS
    ) -> "Replacement":
        """Let the memory at `new` take the place of that at `old`: it moves there, and the old one is superseded.

        Without `new` it is the newest memory that contradicts the old one or is near to it; at a path with several
        memories, the newest there. `KEY#id` names one of several. History and `blame` keep both.

        Raises:
            NotFound: there is nothing at a key, or no newer memory like that. InvalidInput: a key is malformed, in a
                layer or in a namespace that memoir keeps for itself, or of several memories; or the old memory is
                superseded.
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
        """Replace the record at a key by what `revise` makes of it; an empty result forgets the key.

        Of `KEY#id`, `revise` gets a record of that one memory, and its neighbours stay as they are.

        Raises:
            NotFound: the key holds nothing. Conflict: somebody else changed it meanwhile.
            InvalidInput: a changed memory looks like a credential, the id could be of several memories, or the key is
                in the namespace of the taxonomy.
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
        """Note which files a memory is about, or until when it holds, as `remember` does; its words stay as they are.

        Raises:
            NotFound: the key holds nothing, or there is no such file. Conflict: somebody else changed it meanwhile.
            InvalidInput: the path has several memories and the key names none of them, a file is outside of the
                project, or `expires` is neither a date nor a span.
        """
        from memoir.anchors.change import annotate

        return annotate(self.store, self._address_now(key, namespace, options.branch), about, expires, options)

    def forget(
        self, *keys: str, prefix: bool = False, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS
    ) -> "WriteResult":
        """Forget the records at some keys, which may be globs; with `prefix` everything at or under each.

        `KEY#id` forgets one memory of several; what it superseded stays, unless it was the last active one.
        Items of a forgotten segment become stale if nothing else in a source says them.

        Raises:
            NotFound: one of the keys holds nothing; then nothing is forgotten.
            InvalidInput: a key is malformed or in the namespace of the taxonomy, or an id could be of several memories.
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

        `KEY#id` moves one memory of several. With `append`, what moves is added to the memories of an occupied key.

        Raises:
            NotFound: the old key holds nothing. Conflict: a new one is occupied, without `append`.
            InvalidInput: both are the same, one is in the namespace of the taxonomy, or an id could be of several
                memories.
        """
        from memoir.memory.move import move

        source, target = self._address_now(old, namespace, options.branch), address(new, namespace)
        return move(self.store, source, target, prefix=prefix, append=append, options=options)

    def restore(
        self, *keys: str, at: str, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS
    ) -> "WriteResult":
        """Bring records back as they were at a revision or date; of `KEY#id` one memory, beside what is there now.

        Items of a segment that comes back, and says them, are no longer stale.

        Raises:
            NotFound: there is no such revision, or one of the keys held nothing there.
            InvalidInput: a key is in the namespace of the taxonomy, or an id could be of several memories.
            DamagedStore: one of the records was damaged there.
        """
        from memoir.memory.facets import memory_addresses
        from memoir.memory.write import restore

        then = self.store.at(at)
        named = memory_addresses(lambda: then, keys, namespace)
        return restore(self.store, named, then, options, review_of_items(named))

    def revert(self, revision: str, options: WriteOptions = DEFAULTS) -> "tuple[Commit, Commit | None]":
        """Undo what one commit changed, in a new commit; return both.

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

        `choices` are strategies of single paths and memories, `KEY=STRATEGY` or `KEY#id=STRATEGY`; they come before
        the strategy of all.

        Raises:
            NotFound: there is no such revision, or no conflict where there is a choice. InvalidInput: there is no such
                strategy.
            Conflict: both sides changed the same memory, and there is no strategy; nothing was changed.
            DamagedStore: the revision holds what memoir would never have written.
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

        `allow_look_alikes` accepts new paths that could be mistaken for others: an export may hold them. `skip_bad`
        leaves bad lines out, which the result names; `report` is a file to name them in, and implies it. `expires` is
        the date from which memories no longer hold whose lines name none, or a span from now such as `30d`. With
        `about="auto"` each is about the files of the project that its text names.

        Raises:
            InvalidInput: malformed lines, or lines that look like a credential, each named in `details["lines"]`,
                without `skip_bad`.
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
        """Import what another tool keeps at a path; a second import brings in what has changed there since.

        `kind` is one of those in `docs/import.md`; `auto` tells it by the content. A memory that may not be stored is
        refused alone: the result and the file `report` name it. `about` and `expires`, as in `import_lines`, are for
        what is new. Conversations are ingested, a history becomes commits; one undo takes all of it back.

        Raises:
            NotFound: there is nothing at the path.
            InvalidInput: there is no such kind, the path is of none or cannot be read, or all there was refused.
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
        """File the memories in the inbox; those that the classifier cannot file with confidence stay there.

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
        """Mark near-duplicates as superseded, and list memories that are only similar.

        Candidates from the cosine `threshold` up are superseded only if `accept` names them or `choose` returns them.

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
