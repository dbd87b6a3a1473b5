"""`repository.agents`: the primer of an agent's session, memories for prompts and files, and pins."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memoir.memory.write_options import DEFAULTS, WriteOptions
from memoir.primer.length import LEAST_CHARACTERS, MOST_CHARACTERS, MOST_TOKENS, USUAL_CHARACTERS
from memoir.setting import whole
from memoir.store.store import Part
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memoir.formats.bring import ForeignImport
    from memoir.formats.give import GivenBack
    from memoir.layers.code_memories import CodeMemory
    from memoir.memory.write import WriteResult
    from memoir.primer.length import Words
    from memoir.primer.primer import Primer
    from memoir.recall.findings import StandingInstruction
    from memoir.recall.result import IntelligentSearchResult
    from memoir.repository.reads import Reads
    from memoir.store.store import Store
    from memoir.taxonomy.paths import Address, MemoryAddress

_OF_FAILURES = ("debugging.*", "workflow.*")
"""The paths of memories that may explain a failed command."""


class Agents(Part):
    """The services of a store for agents and their sessions."""

    def __init__(self, repository: Reads) -> None:
        super().__init__(repository)
        self._reads = repository

    def _own(self) -> Store | None:
        """The user's own store, which is read as well; None without one."""
        own = self._reads.user
        return own.store if own else None

    def prime(
        self,
        *,
        max_chars: int = USUAL_CHARACTERS,
        query: str | None = None,
        seconds: float | None = None,
        program: str | None = None,
    ) -> Primer:
        """Make the text that an agent reads when a session begins; for an empty store, advice on what to store.

        Memories of the user's own store come last and take at most a third of the room. `max_chars` limits the text,
        200 to 8,000. With a `query`, memories that answer it come after the pinned ones. After `seconds`, the search
        for new pins and rules stops. `program` is the command with which the agent's shell runs memoir, if it differs
        from that of a shell with this process's PATH.

        Raises:
            InvalidInput: `max_chars` is out of range, or the query is too long.
        """
        from memoir.primer.primer import Primer, join, prime
        from memoir.program import shell_word

        whole(LEAST_CHARACTERS, MOST_CHARACTERS).check(max_chars, "max_chars")
        memories, program = self._answers(query) if query and query.strip() else (), program or shell_word()
        second = Primer("", 0, ())
        if (own := self._own()) is not None:
            theirs = prime(
                own, own.at(None), characters=max_chars // 3, most_tokens=MOST_TOKENS // 3, seconds=seconds,
                own=True, program=program, find_disputing=partial(_disputing, own),
            )  # fmt: skip
            second = theirs if theirs.sections else second
        room = max_chars - len(second.text) - bool(second.text)
        first = prime(
            self._store, self._store.at(None), characters=room, most_tokens=MOST_TOKENS - second.tokens,
            seconds=seconds, memories=memories,
            own=own is None and self._is_users_own(), program=program,
            find_disputing=partial(_disputing, self._store),
        )  # fmt: skip
        return join(first, second, program)

    def _is_users_own(self) -> bool:
        """Whether this is the user's own store, as in a folder outside projects."""
        from memoir.store.locate import user_store

        own = user_store()
        return own is not None and own.samefile(self._store.git_dir)

    def _answers(self, query: str) -> list[tuple[MemoryAddress, Words]]:
        """The memories that answer a question, then the standing instructions that these do not contain."""
        from contextlib import closing

        from memoir.primer.primer import LONGEST
        from memoir.recall.engine import Engine
        from memoir.recall.quotes import in_brief
        from memoir.recall.relevance import binding, not_shown
        from memoir.recall.standing_instructions import as_memory

        with closing(Engine(self._store)) as engine:
            wanted = engine.query(query, {"mode": "simple", "rerank": "none", "strict": True})
            answer = engine.recall(wanted._replace(joined=False))
        brief = (in_brief(each, query, LONGEST) for each in answer.memories)
        found: list[tuple[MemoryAddress, Words]] = [(each.address, each) for each in brief]
        told = "\n".join(words.content for _, words in found)
        rules = not_shown(binding(answer.query, answer.standing), told)
        return [*found, *((each.address, as_memory(each)) for each in rules)]

    def relevant(self, prompt: str, *, seconds: float = 1.0) -> list[IntelligentSearchResult]:
        """Find the memories that are relevant to a prompt, best first; none if nothing is.

        New memories are indexed first, for at most `seconds`.
        """
        from memoir.recall.relevance import relevant

        results = relevant(self._store, prompt, seconds=seconds)
        if (own := self._own()) is not None:
            results += [each._replace(store="user") for each in relevant(own, prompt, seconds=seconds)]
        return sorted(results, key=lambda each: -each.relevance_score)

    def standing(self, prompt: str, *, seconds: float = 1.0) -> list[StandingInstruction]:
        """Find the standing instructions of users to an assistant that match a prompt, nearest first.

        New memories are indexed first, for at most `seconds`.
        """
        from memoir.recall.relevance import standing
        from memoir.recall.standing_instructions import nearest

        found = [*standing(self._store, prompt, seconds=seconds)]
        if (own := self._own()) is not None:
            found += [each._replace(store="user") for each in standing(own, prompt, seconds=seconds)]
        return nearest(prompt, found)

    def about_failure(self, error: str, *, seconds: float = 1.0) -> list[IntelligentSearchResult]:
        """Find memories under `debugging` and `workflow` that match the error of a command, best first.

        Paths, numbers and common phrases of errors are ignored. New memories are indexed first, for at most `seconds`.
        """
        from memoir.english.code_text import words_of_failure
        from memoir.recall.relevance import relevant

        words = words_of_failure(error)
        return relevant(self._store, words, seconds=seconds, keys=_OF_FAILURES) if words else []

    def about_file(self, file: str, *, seconds: float = 1.0) -> list[CodeMemory]:
        """Return the unexpired memories about a file of the project, those with unchanged code first.

        New memories are indexed first, for at most `seconds`. A file outside the project has none.
        """
        from contextlib import closing

        from memoir.anchors.tie import locate
        from memoir.anchors.working_tree import working_tree
        from memoir.index.index import Index
        from memoir.layers.code_memories import about, signed_memories
        from memoir.records.metadata import has_expired
        from memoir.times import now

        tree = working_tree(self._store)
        name = locate(tree, file) if tree else None
        if tree is None or name is None:
            return []
        with tree, closing(Index(self._store)) as index:
            index.begin(seconds=seconds)
            found = about(index, self._store.head(), tree, name)
        held = [each for each in found if not has_expired(each.facet.memory.metadata, now())]
        held = signed_memories(self._store, self._store.head(), held, hurried=True)
        return sorted(held, key=lambda each: any(state.is_stale for state in each.states))

    def pin(self, *keys: str, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS) -> WriteResult:
        """Pin the memories at the keys, with `KEY#id` a single one; every session begins with pinned memories.

        Raises:
            NotFound: one of the keys holds nothing. InvalidInput: a key is malformed, or an id names no single memory.
        """
        return self._set_pins(keys, True, namespace, options)

    def unpin(self, *keys: str, namespace: str = DEFAULT_NAMESPACE, options: WriteOptions = DEFAULTS) -> WriteResult:
        """Unpin the memories at the keys, with `KEY#id` a single one.

        Raises:
            NotFound: one of the keys holds nothing. InvalidInput: a key is malformed, or an id names no single memory.
        """
        return self._set_pins(keys, False, namespace, options)

    def keep_in_step(self) -> list[ForeignImport | GivenBack]:
        """Import the notes in Claude Code's MEMORY.md of the store's project, then write the memories there.

        Does nothing if Claude Code has no memory of the project, or the store belongs to no project.

        Raises:
            Conflict: memoir's section in MEMORY.md is incomplete.
        """
        from memoir.formats.give import keep_in_step

        return list(keep_in_step(self._store))

    def _set_pins(self, keys: tuple[str, ...], pinned: bool, namespace: str, options: WriteOptions) -> WriteResult:
        from memoir.memory.facets import memory_addresses
        from memoir.primer.standing_memories import set_pins

        targets = memory_addresses(lambda: self._store.head(options.branch), keys, namespace)
        return set_pins(self._store, targets, pinned, options)


def _disputing(store: Store, memories: Iterable[tuple[str, str]]) -> list[Address]:
    from memoir.index.claim_table import disputing  # not needed in a store without memories

    return disputing(store.git_dir, memories)
