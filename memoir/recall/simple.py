"""`simple`: ranked recall without a model."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

from memoir.index.index import Index
from memoir.index.view import View
from memoir.llm.stopwatch import Stopwatch
from memoir.recall.answer import RecallAnswer, answer
from memoir.recall.query import Query
from memoir.recall.ranked import RankedCandidate
from memoir.recall.ranking import Ranking, cut, rank
from memoir.store.snapshot import Snapshot

if TYPE_CHECKING:
    from memoir.llm.conversation import ModelConversation


def recall(index: Index, snapshot: Snapshot, query: Query, talk: "ModelConversation | None" = None) -> RecallAnswer:
    """Rank, rerank if the query says so (only `llm` needs the conversation with a model), cut, fetch.

    Raises:
        LlmUnavailable: the model that was to rerank gave no answer.
    """
    steps = talk.stopwatch if talk else Stopwatch()
    with steps("total_search"):
        ranking = _read(index, snapshot, query, steps)
        candidates = _rerank(talk, query, ranking.candidates) if talk else ranking.candidates
        return answer(index, snapshot, ranking._replace(candidates=cut(candidates, query)), steps, talk)


def _read(index: Index, snapshot: Snapshot, query: Query, steps: Stopwatch) -> Ranking:
    """Rank in the same read that brings the index to the snapshot; each of the two has its time."""
    with ExitStack() as first_step:
        first_step.enter_context(steps("step1_path_discovery"))

        def work(view: View) -> Ranking:
            first_step.close()
            with steps("ranking"):
                return _rank(view, query)

        return index.read(snapshot, work)


def _rerank(
    talk: "ModelConversation", query: Query, candidates: tuple[RankedCandidate, ...]
) -> tuple[RankedCandidate, ...]:
    from memoir.recall.model_rerank import by_model

    return (by_model(talk, query.text, candidates) or candidates) if candidates else ()


def _rank(view: View, query: Query) -> Ranking:
    ranking = rank(view, query)
    if query.rerank == "deterministic":
        from memoir.recall import rerank

        ranking = ranking._replace(candidates=rerank.by_words(view, ranking.clues.words.terms, ranking.candidates))
    return ranking
