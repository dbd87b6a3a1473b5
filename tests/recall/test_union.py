"""What several searches find is one list: each memory once, with the best relevance that it had."""

from index.indexing import Contents, MemoryStore, ask, hash_embedder, memory, ranking

from memoir.recall.agent import recall
from memoir.recall.agent_searcher import Union
from memoir.recall.query import AgentPlan

NOTES: Contents = {
    "ada.editor": [memory("Ada prefers the editor vim.")],
    "ben.editor": [memory("Ben prefers the editor emacs.")],
    "both.editors": [memory("Ada and Ben talk about editors.")],
}
PAIR = "Which editors do Ada and Ben prefer?"


def test_a_memory_that_two_searches_find_has_its_best_relevance(memories: MemoryStore) -> None:
    index, snapshot, union = memories.index(hash_embedder()), memories.snapshot(NOTES), Union()
    searches = [ranking(index, snapshot, text) for text in ("editor emacs", "what does Ada talk about?")]
    for search in searches:
        union.add(search)

    candidates = union.rank(3)

    assert len({each.document.place for each in candidates}) == len(candidates) == 3
    for each in candidates:
        rivals = (other for search in searches for other in search.candidates if other.document == each.document)
        assert each.relevance == max(rival.relevance for rival in rivals)


def test_the_parts_of_a_question_bring_each_memory_once_with_a_score_of_its_own(memories: MemoryStore) -> None:
    query = ask(PAIR, mode="agent", agent=AgentPlan("split"))

    answer = recall(memories.index(hash_embedder()), memories.snapshot(NOTES), query, None)

    assert answer.metrics is not None and answer.metrics.searches > 1
    assert sorted(each.path for each in answer.memories) == sorted(NOTES)
    assert len({each.relevance_score for each in answer.memories}) > 1
