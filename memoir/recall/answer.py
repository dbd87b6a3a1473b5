"""The answer of recall, with its memories read from the store (the index only names them), and its steps."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.index.index import Index
from memoir.llm.usage import Stopwatch, Usage
from memoir.memory.facets import id_at
from memoir.memory.layer_namespaces import RAW
from memoir.recall.channels import CHANNELS, LEGS
from memoir.recall.places import memories_at, records_at
from memoir.recall.query import Query
from memoir.recall.ranking import RankedCandidate, Ranking, cut
from memoir.recall.result import IntelligentSearchResult, Stage
from memoir.recall.shared_names import SEEDS
from memoir.records.origins import AUTHOR, author_of
from memoir.records.record import Memory, Record
from memoir.store.snapshot import Snapshot

if TYPE_CHECKING:
    from memoir.llm.conversation import ModelConversation
    from memoir.recall.findings import AgentMetrics, Caption, Evidence, FoundInsight, StandingInstruction
    from memoir.store.store import Store


BREADTH_CHARACTERS = 150
"""The most characters of each turn in a broad answer."""
_NONE: Mapping[str, Any] = {}


class RecallAnswer(NamedTuple):
    """An answer: the memories, best first, and how they were found.

    `degraded` lists fallbacks and their reasons. `timings` are seconds by step, `prompts` the texts sent to a model by
    step. `omitted` counts memories left out by `max_chars`. `both` is true if the user's own store was searched too.

    The modes `deep` and `agent` also set `strategy`, `planner` (who decided: `rules` or `model`), `effective_query`
    (the queries searched for) and `evidences` (what a model named as evidence);
    `stages` are the steps to the answer, and `metrics` the work of `agent`. If `layered`, `insights` and `raw_data` are
    the insights and captions linked to the memories. `standing` holds what users told an assistant to do from now on.
    `gathered` means that the memories are ordered by time, not by relevance; `weaker` counts the memories left out of
    such a list because they are hardly relevant.
    """

    query: str
    mode: str
    memories: list[IntelligentSearchResult]
    degraded: tuple[str, ...] = ()
    usage: Usage = Usage()
    model: str | None = None
    embedder: str | None = None
    cached: bool = False
    omitted: int = 0
    timings: Mapping[str, float] = _NONE
    prompts: Mapping[str, str] = _NONE
    ranking: Ranking | None = None
    insights: tuple["FoundInsight", ...] = ()
    raw_data: tuple["Caption", ...] = ()
    layered: bool = False
    standing: tuple["StandingInstruction", ...] = ()
    evidences: tuple["Evidence", ...] = ()
    strategy: str | None = None
    effective_query: str | None = None
    planner: str | None = None
    stages: tuple["Stage", ...] = ()
    both: bool = False
    metrics: "AgentMetrics | None" = None
    gathered: bool = False
    weaker: int = 0

    def __repr__(self) -> str:
        """The fields that differ from their defaults, for logs; without the ranking, which holds every candidate."""
        usual = {**self._field_defaults, "ranking": self.ranking}
        told = (f"{name}={value!r}" for name, value in self._asdict().items() if value != usual.get(name, ...))
        return f"RecallAnswer({', '.join(told)})"


def tell(snapshot: Snapshot, query: Query, stage: str, ranking: Ranking) -> None:
    """Report to the query's listener the memories that would be the answer after this stage."""
    if query.listener:
        now = ranking._replace(candidates=cut(ranking.candidates, query))
        query.listener(stage, within(_fetch_kept(snapshot, now), query.max_chars)[0])


def answer(
    index: Index, snapshot: Snapshot, ranking: Ranking, steps: "Stopwatch", talk: "ModelConversation | None"
) -> RecallAnswer:
    """Make an answer of a ranking that is already cut: fetch its memories and add the costs.

    Steps that end later still appear in its timings.
    """
    query = ranking.query
    with steps("memory_retrieval"):
        found, weaker = _fetch_kept(snapshot, ranking), 0
        if query.gather:
            from memoir.recall.gather import in_brief

            everything, found = found, in_brief(found, ranking)
            weaker = len(everything) - len(found)
        memories, omitted = within(found, query.max_chars)
    return assemble(index, query, memories, omitted, steps, talk)._replace(ranking=ranking, weaker=weaker)


def assemble(
    index: Index,
    query: Query,
    memories: list[IntelligentSearchResult],
    omitted: int,
    steps: Stopwatch,
    talk: "ModelConversation | None",
) -> RecallAnswer:
    """Make an answer of memories, with its costs: model calls, timings, fallbacks."""
    return RecallAnswer(
        query=query.text,
        mode=query.mode,
        memories=memories,
        degraded=(*index.degraded, *(talk.degraded if talk else ())),
        usage=talk.usage if talk else Usage(),
        model=talk.model.name if talk and talk.prompts else None,
        embedder=index.embedder.name if index.embedder else None,
        cached=talk is not None and talk.cached,
        omitted=omitted,
        timings=steps.timings,
        prompts=talk.prompts if talk else {},
    )


def _fetch_kept(snapshot: Snapshot, ranking: Ranking) -> list[IntelligentSearchResult]:
    """Fetch the memories of the candidates that were not dropped."""
    most = BREADTH_CHARACTERS if ranking.query.breadth and not ranking.query.gather else None
    kept = [each for each in ranking.candidates if not each.dropped]
    return fetch(snapshot, kept, ranking.query.mode, most)


def fetch(
    snapshot: Snapshot, hits: Sequence[RankedCandidate], mode: str, most: int | None = None
) -> list[IntelligentSearchResult]:
    """Fetch the memories of candidates, in their order, each text cut to `most` characters."""
    by_address = records_at(snapshot, [(hit.document.address, number) for hit in hits for number in hit.ordinals])
    return [_result(hit, by_address[hit.document.address], mode, most) for hit in hits]


def add_authors(
    store: "Store", snapshot: Snapshot, results: "list[IntelligentSearchResult]", *, hurried: bool = False
) -> "list[IntelligentSearchResult]":
    """Add to each result from a remote the author of its memory."""
    if not store.has_remotes:
        return results
    from memoir.memory.authors import mark_authors

    own = [each for each in results if each.layer is None]
    memories = memories_at(snapshot, [(each.address.place, each.ordinal) for each in own])
    placed = [(each.address.place, memories[each.address.place, each.ordinal]) for each in own]
    marked = mark_authors(store, snapshot, placed, hurried=hurried)
    names = {
        each.address: memory.metadata[AUTHOR]
        for each, memory in zip(own, marked, strict=True)
        if author_of(memory.metadata)
    }
    return [
        each._replace(metadata={**each.metadata, AUTHOR: names[each.address]}) if each.address in names else each
        for each in results
    ]


def _result(hit: RankedCandidate, record: Record, mode: str, most: int | None) -> IntelligentSearchResult:
    (address, ordinal), numbers = hit.document.place, hit.ordinals
    memory = record[numbers[0]]
    text = memory.content
    if hit.joined:
        from memoir.memory.passages import join_passages

        text = join_passages([record[number] for number in numbers])
    is_cut = most is not None and len(text) > most
    result = IntelligentSearchResult(
        path=address.path,
        content=text[:most].rpartition(" ")[0] if is_cut else text,
        metadata={**memory.metadata, **({} if "mode" in memory.metadata else {"mode": mode})},
        relevance_score=round(hit.relevance, 4),
        namespace=address.namespace,
        confidence=memory.confidence,
        timestamp=memory.timestamp,
        ranking=hit.fields(),
        truncated=len(text) if is_cut else None,
        ordinal=ordinal,
        id=id_at(record, ordinal),
    )
    return _of_source(hit, result, record) if hit.document.role else result


def _of_source(hit: RankedCandidate, result: IntelligentSearchResult, record: Record) -> IntelligentSearchResult:
    """Add the fields that only passages have."""
    from memoir.memory.passages import passage_id, source_of_segment

    speaker, numbers = result.metadata.get("speaker"), hit.ordinals
    return result._replace(
        id=passage_id(numbers[0], numbers[-1]),
        layer=RAW,
        source=source_of_segment(hit.document.address),
        speaker=speaker if isinstance(speaker, str) else None,
        items=tuple(each.address.full_key for each in hit.items),
        parts=tuple(record[number] for number in numbers),
        asked=_beside(record, numbers[0], -1),
        reply=_beside(record, numbers[-1], 1),
    )


def _beside(record: Record, number: int, step: int) -> Memory | None:
    """The passage before or after one in a conversation, if another speaker says it."""
    if not 0 <= number + step < len(record):
        return None
    own, other = (record[at].metadata.get("speaker") for at in (number, number + step))
    return record[number + step] if own and other and own != other else None


def within(
    results: Sequence[IntelligentSearchResult], characters: int | None
) -> tuple[list[IntelligentSearchResult], int]:
    """Keep the first results whose contents fit into `characters` together, and count those left out.

    The last one is cut to fit; its `truncated` is the full length.
    """
    head: list[IntelligentSearchResult] = []
    room = inf if characters is None else characters
    for result in results:
        if len(result.content) <= room:
            head.append(result)
        elif room:
            head.append(result._replace(content=result.content[: int(room)], truncated=len(result.content)))
        else:
            break
        room = max(room - len(result.content), 0)
    return head, len(results) - len(head)


def steps_of(answer: "RecallAnswer") -> "tuple[Stage, ...]":
    """The steps to an answer; those of `simple` are derived from its ranking."""
    if answer.stages or answer.ranking is None:
        return answer.stages
    return *retrieval(answer.ranking), *hop(answer.ranking), result(answer.ranking, len(answer.memories))


def retrieval(ranking: "Ranking") -> "tuple[Stage, ...]":
    """The steps of a ranking: legs, channels, fusion and rerank."""
    return tuple(_retrieval(ranking, ranking.everyone))


def hop(ranking: "Ranking") -> tuple[Stage, ...]:
    """The step that followed names; empty if it found nothing."""
    leads = sum(1 for each in ranking.candidates if each.lead and each.lead.startswith(("hop:", "named:")))
    return (Stage("hop", "names", SEEDS, leads, leads),) if leads else ()


def result(ranking: "Ranking", memories: int) -> Stage:
    """The last step: the limit and the threshold of an answer."""
    count = len(ranking.candidates)
    return Stage("result", "limit", count, count, memories)


def _retrieval(ranking: "Ranking", everyone: "tuple[RankedCandidate, ...]") -> Iterator[Stage]:
    base, total = everyone[0].base if everyone else None, len(everyone)
    for leg in LEGS:
        its = base.evidence[leg.name] if base else None
        candidates, results = (len(its.scores), len(its.ranks)) if its else (0, 0)
        yield Stage("retrieval", leg.name, 1, candidates, results, skipped=_why_skipped(ranking.query, leg.name))
    for channel in CHANNELS:
        additions = len(base.additions[channel.name]) if base else 0
        yield Stage("channel", channel.name, total, total, additions, skipped=_why_skipped(ranking.query, channel.name))
    strong = sum(1 for each in everyone if not each.base.weakness)
    yield Stage("fusion", ranking.query.fusion, total, total, strong)
    if ranking.query.rerank == "deterministic":
        yield Stage("rerank", "words", strong, strong, strong)


def _why_skipped(query: "Query", name: str) -> str | None:
    return None if query.weight(name) else "its weight is 0"
