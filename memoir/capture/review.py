"""Reviewing a spool: what of it is proposed as a memory, and filing what somebody accepts."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from memoir.capture.proposals import Proposal, Proposals, WithheldLine
from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.english.session_sentences import TurnFinding
from memoir.english.words import same_as_written
from memoir.errors import InvalidInput
from memoir.filing.decision import RULES, Decision
from memoir.filing.filer import Filer
from memoir.memory.active import Facet
from memoir.memory.origin import CAPTURE, SOURCE
from memoir.memory.read import records
from memoir.memory.store_lexicon import find_offers
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message, subject
from memoir.records import origins
from memoir.records.policy import combine, confirm
from memoir.records.record import Memory, Record, encode
from memoir.secrets.secrets import find, refusals
from memoir.setting import words
from memoir.settings import CAPTURE_BY
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.kinds import ITEM_KIND
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, check_new
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.capture.finder import Finder
    from memoir.english.lexicon.own_words import OwnLine
    from memoir.filing.similar import SimilarMemory
    from memoir.llm.usage import Usage
    from memoir.store.commit import Commit

_CONFIDENCE = 0.6
"""How sure a captured memory is: less than one that somebody remembered on purpose."""
_NAMED = 3
"""How many paths a commit's message names."""


class Review(NamedTuple):
    """The proposals of a spool.

    Attributes:
        proposals: Those on which nobody has decided yet.
        usage: The cost of a model; None without one.
        degraded: The work done without it, and why.
        similar: The older memories that a proposal contradicts or is near to, by its number, if there are any.
        withheld: The lines that are not proposed because they hold a credential.
        own_lines: What the proposals tell of the project's names for things, for 'memoir lexicon add'.
    """

    proposals: list[Proposal]
    usage: "Usage | None" = None
    degraded: tuple[str, ...] = ()
    similar: "Mapping[int, Sequence[SimilarMemory]]" = MappingProxyType({})
    named: Mapping[int, Sequence[str]] = MappingProxyType({})
    withheld: Sequence[WithheldLine] = ()
    own_lines: "Sequence[OwnLine]" = ()


class Acceptance(NamedTuple):
    """What was decided on proposals.

    Attributes:
        done: The proposals that were filed or rejected.
        refused: Those that cannot be stored, each with the reason. They stay open.
        left: How many proposals are still open.
        commit: The commit that filed them; None if it changed nothing.
        review: What reading the turns cost that had not been read yet.
        withheld: The lines of the reviewed turns that are not proposed because they hold a credential.
    """

    done: list[Proposal]
    refused: list[tuple[Proposal, InvalidInput]]
    left: int
    commit: "Commit | None" = None
    review: Review = Review([])
    withheld: Sequence[WithheldLine] = ()


def review(store: Store, finder: "Finder", *, again: bool = False) -> Review:
    """Propose memories from what a store's spool holds; the store is not changed.

    What was read before is not read again, unless another finder shall find in it: `again`.
    """
    spool = TurnSpool(store.git_dir)
    with spool.alone():
        seen = _review(store, Proposals(spool), finder, again=again)
    own_lines = find_offers(store.head(), (each.content for each in seen.proposals))
    similar, named = _similar(store, seen.proposals), _named(store, seen.proposals)
    return seen._replace(similar=similar, named=named, own_lines=own_lines)


def _named(store: Store, proposals: Sequence[Proposal]) -> dict[int, list[str]]:
    """The files of the project that each proposal names, as `FILE[:L1[-L2]]`."""
    naming = [each for each in proposals if each.number and "." in each.content]
    if not naming:
        return {}
    from memoir.anchors.tie import find_named
    from memoir.anchors.working_tree import working_tree

    with working_tree(store) or nullcontext() as tree:
        return {each.number: files for each in naming if (files := find_named(tree, each.content))}


def _review(store: Store, proposals: Proposals, finder: "Finder", *, again: bool = False) -> Review:
    turns = proposals.read(again=again)
    proposals.add(_findings(turns, finder, proposals), again=again)
    filer = Filer(store, classifier=RULES)
    proposals.place(lambda contents: filer.decide_by_rules(contents, DEFAULT_NAMESPACE))
    proposals.save()
    return Review(proposals.open, finder.usage, tuple(finder.degraded), withheld=tuple(proposals.withheld))


def _similar(store: Store, proposals: Sequence[Proposal]) -> "dict[int, list[SimilarMemory]]":
    """The older memories that each proposal may be meant to replace, with the command for it, once it is accepted."""
    from memoir.filing.similar import find_similar

    index, head = Filer(store, classifier=RULES).index(), store.head()
    result: dict[int, list[SimilarMemory]] = {}
    for each in proposals:
        instant = from_epoch(int(each.time))
        memory = Memory.of(each.content, timestamp=instant, metadata={ITEM_KIND: each.kind})
        found = find_similar(index, head, Facet(Address(DEFAULT_NAMESPACE, ""), 0, memory)) if each.number else []
        older = [similar for similar in found if similar.facet.memory.instant <= memory.instant]
        if older:
            result[each.number] = [
                similar._replace(command=f"memoir replace {similar.facet.target.short_key}") for similar in older
            ]
    return result


def _findings(
    turns: Sequence[SessionTurn], finder: "Finder", proposals: Proposals
) -> Iterator[tuple[TurnFinding, SessionTurn]]:
    """What a finder finds in some turns; never the words around a credential, which are withheld."""
    for turn in turns:
        findings = finder.find(turn)
        is_clean = not findings or find("\n\n|\n\n".join(each.content for each in findings)) is None
        for finding in findings:
            credential = None if is_clean else find(finding.content)
            if credential:
                proposals.withhold([(turn, credential.rule, _line_of(finding.content, turn.text))])
            elif "…" not in finding.content:
                yield finding, turn


def _line_of(content: str, text: str) -> int:
    """The line of a text, from 1, in which the first word of a content first stands."""
    return text.count("\n", 0, max(text.find(content.split(None, 1)[0]), 0)) + 1


def accept(
    store: Store,
    numbers: Sequence[int] | None,
    finder: "Finder",
    options: WriteOptions = DEFAULTS,
    about: Sequence[str] = (),
) -> Acceptance:
    """File proposals in one commit: some by their numbers, or all there are, also in turns that nobody reviewed yet.

    Each is tied to the files of the project in `about`, or with `auto` to those that it names.

    A proposal that cannot be stored is left out, and stays open.
    """
    check_message(options)
    spool = TurnSpool(store.git_dir)
    with spool.alone():
        proposals = Proposals(spool)
        seen = _review(store, proposals, finder) if numbers is None else Review([])
        chosen = _chosen(proposals, numbers)
        filing = _Filing(store, chosen, options, about)
        commit, withheld = filing.write(), tuple(proposals.withheld)
        if not options.dry_run:
            proposals.close(each.number for each in filing.done)
    return Acceptance(filing.done, filing.refused, _left(proposals), commit, seen, withheld)


def reject(store: Store, numbers: Sequence[int] | None) -> Acceptance:
    """Drop proposals: some by their numbers, or all there are, also in turns that nobody reviewed yet."""
    from memoir.capture.finder import ByRules

    spool = TurnSpool(store.git_dir)
    with spool.alone():
        proposals = Proposals(spool)
        if numbers is None:
            _review(store, proposals, ByRules())
        chosen = _chosen(proposals, numbers)
        proposals.close(each.number for each in chosen)
    return Acceptance(chosen, [], _left(proposals), withheld=tuple(proposals.withheld))


def _chosen(proposals: Proposals, numbers: Sequence[int] | None) -> list[Proposal]:
    return [each for each in proposals.open if each.number] if numbers is None else proposals.choose(numbers)


def _left(proposals: Proposals) -> int:
    return sum(1 for each in proposals.open if each.number)


def finder_of(store: Store, by: str | None, llm_calls: int | None, llm_tokens: int | None) -> "Finder":
    """The finder of captures: `rules` or `model`; None for the user's setting."""
    from memoir.capture.finder import ByRules, model_finder

    name = CAPTURE_BY.read(store.config) if by is None else by
    words("rules", "model").check(name, "by")
    if name == "model":
        return model_finder(store.config, TurnSpool(store.git_dir), llm_calls, llm_tokens)
    return ByRules()


class _Filing:
    """Files some proposals. What is there already in the very words is confirmed, all else is added to what is there.

    Attributes:
        done: The proposals that were filed.
        refused: Those that cannot be stored, each with the reason.
    """

    def __init__(
        self, store: Store, proposals: Sequence[Proposal], options: WriteOptions, about: Sequence[str]
    ) -> None:
        self.done: list[Proposal] = []
        self.refused: list[tuple[Proposal, InvalidInput]] = []
        self._store = store
        self._options = options
        self._about = about
        self._memories = self._memories_of(proposals)

    def write(self) -> "Commit | None":
        """Write them, in one commit; None if that changes nothing."""
        options, refused = self._options, self.refused

        def change(head: Snapshot) -> Change:
            self.done, self.refused = [], [*refused]
            return self._change(head)

        return write(self._store, change, branch=options.branch, dry_run=options.dry_run, reason=lambda: self._deed())

    def _memories_of(self, proposals: Sequence[Proposal]) -> list[tuple[Proposal, Memory, Sequence[Address]]]:
        """The memories that proposals become, and their places; a proposal that may not be stored is refused."""
        memories = list[tuple[Proposal, Memory, Sequence[Address]]]()
        for proposal in proposals:
            addresses = [Address(DEFAULT_NAMESPACE, path) for path in proposal.paths]
            try:
                memories.append((proposal, self._tied(_memory(proposal)), addresses))
            except InvalidInput as error:
                self.refused.append((proposal, error))
        bad = dict(refusals([(memory, addresses[0]) for _, memory, addresses in memories]))
        self.refused += [(memories[at][0], error) for at, error in bad.items()]
        return [each for at, each in enumerate(memories) if at not in bad]

    def _tied(self, memory: Memory) -> Memory:
        if not self._about:
            return memory
        from memoir.anchors.change import with_files

        return with_files(self._store, memory, self._about)

    def _change(self, head: Snapshot) -> Change:
        before = records(head, dict.fromkeys(address for _, _, addresses in self._memories for address in addresses))
        after: dict[Address, Record] = {}
        for proposal, memory, addresses in self._memories:
            try:
                for address in addresses:
                    if address not in before:
                        check_new(address)
            except InvalidInput as error:
                self.refused.append((proposal, error))
                continue
            for address in addresses:
                after[address] = _join(after.get(address, before.get(address)), memory)
            self.done.append(proposal)
        edits = {address.key: encode(record) for address, record in after.items()}
        return Change(edits.items(), self._options.message or self._subject())

    def _deed(self) -> str:
        paths = [*dict.fromkeys(str(each.path) for each in self.done)]
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        return f"accept {', '.join(paths[:_NAMED])}{more}"

    def _subject(self) -> str:
        return subject(self._deed(), self.done[0].content if len(self.done) == 1 else "")


def _memory(proposal: Proposal) -> Memory:
    metadata = {SOURCE: f"{CAPTURE}{proposal.host}", "session": proposal.session, ITEM_KIND: proposal.kind}
    instant = from_epoch(int(proposal.time))
    memory = Memory.of(proposal.content, confidence=_CONFIDENCE, timestamp=instant, metadata=metadata)
    memory = origins.came_by(memory, origins.CAPTURE)
    return Filer.annotate(memory, Decision(RULES, (), proposal.confidence, proposal.reason))


def _join(record: Record | None, new: Memory) -> Record:
    """A record with a memory added; one that is there in the very words is confirmed, and is not from a session now."""
    for facet in record or ():
        if record and facet.active and same_as_written(facet.content, new.content):
            outcome = confirm(record, new._replace(metadata={})) if new.instant > facet.instant else None
            return outcome.record if outcome else record
    return combine("append", record, new).record
