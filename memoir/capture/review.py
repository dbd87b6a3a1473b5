"""Reviewing a spool: what of it would be remembered, and filing that."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from memoir.capture.rules import RETRACTION
from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.english.wording import same_as_written
from memoir.filing.decision import RULES, Decision
from memoir.filing.filer import Filer
from memoir.memory.origin import CAPTURE, SOURCE
from memoir.memory.record import Memory
from memoir.memory.secrets import find
from memoir.named_tuple import NamedTuple
from memoir.setting import words
from memoir.settings import CAPTURE_BRANCH, CAPTURE_BY
from memoir.store.selection import Selection
from memoir.store.store import Store
from memoir.taxonomy.kinds import ITEM_KIND
from memoir.taxonomy.paths import DEFAULT_NAMESPACE
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.capture.finder import Finder
    from memoir.llm.usage import Usage
    from memoir.store.commit import Commit

CONFIDENCE = 0.6
"""How sure a captured memory is: less than one that somebody remembered on purpose."""


class Capture(NamedTuple):
    """Something that may be worth remembering.

    Attributes:
        content: What was said.
        kind: The kind of memory, or `retraction`.
        reason: The rule that found it, or the model.
        turn: The turn that it was said in.
        path: Where it is filed; None for a retraction, which is only shown.
        commit: The commit that filed it; None before.
    """

    content: str
    kind: str
    reason: str
    turn: SessionTurn
    path: str | None = None
    commit: "Commit | None" = None


class Review(NamedTuple):
    """The captures in a spool, the cost of a model (None without one), and the work done without it, and why."""

    found: list[Capture]
    usage: "Usage | None" = None
    degraded: tuple[str, ...] = ()


def review(store: Store, finder: "Finder") -> Review:
    """The memories that a store's spool would give, and their paths; nothing is changed."""
    with _on_branch(store) as branch:
        filer = Filer(branch, classifier=RULES)
        proposals = [_choose_path(filer, each)[0] for each in captures(TurnSpool(store.git_dir).turns(), finder)]
    return Review(proposals, finder.usage, tuple(finder.degraded))


def file(store: Store, finder: "Finder") -> Review:
    """Remember what a store's spool holds, each in a commit of its own on the branch for captures, and empty the spool.

    Raises:
        ReadOnlyStore, StoreBusy: the store cannot be written; then nothing is dropped from the spool.
    """
    spool = TurnSpool(store.git_dir)
    with _on_branch(store) as branch:
        filer = Filer(branch, classifier=RULES)
        done = [_file_capture(filer, each) for each in captures(spool.take(), finder)]
    spool.drop_taken()
    return Review(done, finder.usage, tuple(finder.degraded))


def finder_of(store: Store, by: str | None, llm_calls: int | None, llm_tokens: int | None) -> "Finder":
    """The finder of captures: `rules` or `model`; None for the user's setting.

    Raises:
        LlmUnavailable: no model is configured. InvalidInput: it is neither, or a setting is malformed.
    """
    from memoir.capture.finder import ByRules, model_finder

    name = CAPTURE_BY.read(store.config) if by is None else by
    words("rules", "model").check(name, "by")
    if name == "model":
        return model_finder(store.config, TurnSpool(store.git_dir), llm_calls, llm_tokens)
    return ByRules()


def _on_branch(store: Store) -> Store:
    """The same store, working on the branch for captures."""
    return Store(store.git_dir, Selection(CAPTURE_BRANCH.read(store.config), CAPTURE_BRANCH.key, begins=True))


def captures(turns: Iterable[SessionTurn], finder: "Finder") -> Iterator[Capture]:
    """The captures in some turns, each once; never the words around a credential."""
    contents: list[str] = []
    for turn in turns:
        for content, kind, reason in finder.find(turn):
            if (
                "…" not in content
                and find(content) is None
                and not any(same_as_written(content, each) for each in contents)
            ):
                contents.append(content)
                yield Capture(content, kind, reason, turn)


def _choose_path(filer: Filer, capture: Capture) -> tuple[Capture, Decision | None]:
    if capture.kind == RETRACTION:
        return capture, None
    decision = filer.decide(capture.content, DEFAULT_NAMESPACE)
    return capture._replace(path=decision.addresses(capture.content, DEFAULT_NAMESPACE)[0].path), decision


def _file_capture(filer: Filer, capture: Capture) -> Capture:
    proposal, decision = _choose_path(filer, capture)
    if decision is None:
        return proposal
    metadata = {SOURCE: f"{CAPTURE}{capture.turn.host}", "session": capture.turn.session, ITEM_KIND: capture.kind}
    instant = from_epoch(int(capture.turn.time))
    new = Memory.of(capture.content, confidence=CONFIDENCE, timestamp=instant, metadata=metadata)
    return proposal._replace(commit=filer.remember(new, decision, DEFAULT_NAMESPACE).commit)
