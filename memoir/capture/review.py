"""Review a spool: propose memories from it, and file the accepted ones."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from memoir.capture.amended_turns import amended_turns
from memoir.capture.filing import FiledProposal, Filing, memory_of, not_stored, similar_to
from memoir.capture.proposals import Proposal, Proposals, WithheldLine
from memoir.capture.said_here import with_part
from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.embedders.choose_embedder import embedder_of
from memoir.english.lasting.session_sentences import TurnFinding
from memoir.errors import InvalidInput
from memoir.filing.decision import RULES
from memoir.filing.filer import Filer
from memoir.memory.active import facets
from memoir.memory.read import records
from memoir.memory.store_lexicon import find_offers
from memoir.memory.write_options import DEFAULTS, WriteOptions, check_message
from memoir.secrets.secrets import find
from memoir.setting import words
from memoir.settings import CAPTURE_BY
from memoir.store.store import Store
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address

if TYPE_CHECKING:
    from memoir.capture.finder import Finder
    from memoir.english.lexicon.own_words import OwnLine
    from memoir.filing.similar import SimilarMemory
    from memoir.llm.usage import Usage
    from memoir.store.commit import Commit


class Review(NamedTuple):
    """The proposals of a spool."""

    proposals: list[Proposal]
    """The undecided proposals."""
    usage: "Usage | None" = None
    """The cost of a model; None without one."""
    degraded: tuple[str, ...] = ()
    """The work done without the model, and why."""
    similar: "Mapping[int, Sequence[SimilarMemory]]" = {}  # noqa: RUF012  a Mapping is not changed
    """The older memories that a proposal contradicts or is near to, by its number, if there are any."""
    beside: Mapping[int, str] = {}
    """The newest memory at the path of a proposal, by the proposal's number, if it is not similar."""
    named: Mapping[int, Sequence[str]] = {}
    withheld: Sequence[WithheldLine] = ()
    """The lines that are not proposed because they hold a credential."""
    own_lines: "Sequence[OwnLine]" = ()
    """The project's names for things that the proposals mention, for 'memoir lexicon add'."""
    has_read: bool = False
    """Whether texts that were read for it are still kept."""
    unread: int = 0
    """How many turns are in other languages than English, which the rules do not know."""


class Acceptance(NamedTuple):
    """The result of accepting or rejecting proposals."""

    done: list[Proposal]
    """The proposals that were filed or rejected."""
    refused: list[tuple[Proposal, InvalidInput]]
    """The proposals that cannot be stored, each with the reason. They stay open."""
    left: int
    """How many proposals are still open."""
    commit: "Commit | None" = None
    """The commit that filed them; None if it changed nothing."""
    review: Review = Review([])
    """The review of turns that were not reviewed before, with its cost."""
    withheld: Sequence[WithheldLine] = ()
    """The lines of the reviewed turns that are left out because they hold a credential."""
    filed: Mapping[int, FiledProposal] = {}
    """The result of each accepted proposal, by its number."""
    retractions: Sequence[Proposal] = ()
    """The requests to forget that are shown for the last time: no proposal is open. Nothing was forgotten."""
    unread: int = 0
    """How many turns are in other languages than English, which the rules do not know. Their sessions stay."""


def review(store: Store, finder: "Finder", *, again: bool = False) -> Review:
    """Propose memories from a store's spool; the store is not changed.

    Turns are read only once, unless `again` asks to read them by another finder.
    """
    spool = TurnSpool(store.git_dir)
    with spool.alone():
        seen = _review(store, Proposals(spool), finder, again=again)
    own_lines = find_offers(store.head(), (each.content for each in seen.proposals))
    similar, named = _similar(store, seen.proposals), _named(store, seen.proposals)
    beside = _beside(store, [each for each in seen.proposals if each.number not in similar])
    return seen._replace(similar=similar, beside=beside, named=named, own_lines=own_lines)


def _beside(store: Store, proposals: Sequence[Proposal]) -> dict[int, str]:
    """The newest memory at the path of each proposal; it may say the same in other words."""
    addresses = {each.number: Address(DEFAULT_NAMESPACE, each.path) for each in proposals if each.path}
    there = records(store.head(), dict.fromkeys(addresses.values()), listed=True)
    newest = {
        at: min(found, key=lambda facet: facet.order) for at, each in there.items() if (found := [*facets(at, each)])
    }
    return {number: newest[at].memory.content for number, at in addresses.items() if at in newest}


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
    proposals.leave_unread(finder.unread)
    filer = Filer(store, classifier=RULES)
    proposals.place(lambda contents: filer.decide_by_rules(contents, DEFAULT_NAMESPACE))
    proposals.save()
    withheld, has_read, unread = tuple(proposals.withheld), bool(proposals.ends), sum(proposals.unread.values())
    degraded = tuple(finder.degraded)
    return Review(proposals.open, finder.usage, degraded, withheld=withheld, has_read=has_read, unread=unread)


def _similar(store: Store, proposals: Sequence[Proposal]) -> "dict[int, list[SimilarMemory]]":
    """The memories that each proposal contradicts or is near to, each with the command that decides between them.

    For the first older memory the command replaces it by the proposal; for a newer memory it rejects the proposal.
    """
    memories = {each.number: not_stored(memory_of(each)) for each in proposals if each.number}
    return {
        number: [
            each._replace(command=f"memoir capture {_decision(number, at, is_newer=each.is_newer)}")
            for at, each in enumerate(similar)
        ]
        for number, similar in similar_to(store, store.head(), memories).items()
    }


def _decision(number: int, at: int, *, is_newer: bool) -> str:
    if is_newer:
        return f"reject {number}"
    return f"accept {number}" + (" --replace-similar" if not at else "")


def _findings(
    turns: Sequence[SessionTurn], finder: "Finder", proposals: Proposals
) -> Iterator[tuple[TurnFinding, SessionTurn]]:
    """The findings in some turns; those that contain a credential are withheld."""
    for turn in amended_turns(turns):
        findings = [each._replace(content=with_part(each.content, turn.part)) for each in finder.find(turn)]
        is_clean = not findings or find("\n\n|\n\n".join(each.content for each in findings)) is None
        for finding in findings:
            credential = None if is_clean else find(finding.content)
            if credential:
                proposals.withhold([(turn, credential.rule, _line_of(finding.content, turn.text))])
            elif "…" not in finding.content:
                yield finding, turn


def _line_of(content: str, text: str) -> int:
    """The line of a text, from 1, in which the first word of a content first occurs."""
    return text.count("\n", 0, max(text.find(content.split(None, 1)[0]), 0)) + 1


def accept(
    store: Store,
    numbers: Sequence[int] | None,
    finder: "Finder",
    options: WriteOptions = DEFAULTS,
    about: Sequence[str] = (),
    *,
    replace_similar: bool = False,
) -> Acceptance:
    """File proposals in one commit, as `Captures.accept` says: those with the numbers, or all if `numbers` is None."""
    check_message(options)
    spool = TurnSpool(store.git_dir)
    with spool.alone():
        proposals = Proposals(spool)
        seen = _review(store, proposals, finder) if numbers is None else Review([])
        chosen = _chosen(proposals, numbers)
        filing = Filing(store, chosen, options, about, replace_similar=replace_similar)
        commit, withheld = filing.write(), tuple(proposals.withheld)
        retractions = () if options.dry_run else proposals.close(each.number for each in filing.done)
    left, unread = _count_open(proposals), sum(proposals.unread.values())
    return Acceptance(filing.done, filing.refused, left, commit, seen, withheld, filing.filed(), retractions, unread)


def reject(store: Store, numbers: Sequence[int] | None) -> Acceptance:
    """Drop proposals: those with the numbers, or all, including those of turns not reviewed yet."""
    from memoir.capture.finder import Finder

    spool = TurnSpool(store.git_dir)
    with spool.alone():
        proposals = Proposals(spool)
        if numbers is None:
            _review(store, proposals, Finder())
            proposals.unread = {}  # dropped as well
        chosen, withheld = _chosen(proposals, numbers), tuple(proposals.withheld)
        retractions = proposals.close(each.number for each in chosen)
    unread = sum(proposals.unread.values())
    return Acceptance(chosen, [], _count_open(proposals), withheld=withheld, retractions=retractions, unread=unread)


def _chosen(proposals: Proposals, numbers: Sequence[int] | None) -> list[Proposal]:
    return [each for each in proposals.open if each.number] if numbers is None else proposals.choose(numbers)


def _count_open(proposals: Proposals) -> int:
    return sum(1 for each in proposals.open if each.number)


def finder_of(store: Store, by: str | None, llm_calls: int | None, llm_tokens: int | None) -> "Finder":
    """The finder `rules` or `model`; None for the user's setting."""
    from memoir.capture.finder import Finder, model_finder

    name = CAPTURE_BY.read(store.config) if by is None else by
    words("rules", "model").check(name, "by")
    if name == "model":
        return model_finder(store.config, TurnSpool(store.git_dir), llm_calls, llm_tokens)
    return Finder(embedder_of(store))
