"""The answers of `recall`, `timeline` and `eval`; that of `explain` is in `memoir.answers.trace`."""

from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from memoir.answers.answer import Answer, Line, defer, line, one_line, plural
from memoir.answers.parts import in_days, nothing, omitted_note, own, store_of, target, usage
from memoir.answers.parts import memory as fields_of
from memoir.program import runnable
from memoir.progress import Progress, tell_nobody
from memoir.recall.query import MOST_MOMENTS
from memoir.recall.quotes import days_of
from memoir.recall.relevance import fits, without_chatter
from memoir.records.origins import author_of, own_metadata, vouchers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memoir.answers.contract import recall as types
    from memoir.llm.usage import Usage
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.evaluate import EvalScore, Evaluation
    from memoir.recall.findings import AgentMetrics, Caption, ContextMemory, FoundInsight, StandingInstruction
    from memoir.recall.result import IntelligentSearchResult
    from memoir.repository.repository import Repository
    from memoir.taxonomy.paths import Address
    from memoir.types import Survey


class Display:
    """The parts of an answer that an option adds."""

    def __init__(
        self, timings: bool = False, prompts: bool = False, trace: bool = False, full: bool = False, lean: bool = False
    ) -> None:
        self.timings, self.prompts, self.trace, self.full, self.lean = timings, prompts, trace, full, lean

    @property
    def is_whole(self) -> bool:
        """Whether it shows whole contents."""
        return self.full or self.trace

    @property
    def explains(self) -> bool:
        """Whether it shows how the answer came about."""
        return self.trace or self.timings or self.prompts


_WEAK = "nothing fits well; the nearest:"


def recall(answer: "RecallAnswer", display: Display, survey: "Callable[[], Survey] | None" = None) -> Answer:
    """`recall`: the memories, best first, and how they were found; if there are none, a survey says why."""

    @cache
    def shown() -> "RecallAnswer":
        return answer if display.is_whole else without_chatter(answer)

    fields: types.Recall = data(answer, display, at_once=False)
    return Answer(
        fields,
        lambda: lines(shown(), display),
        paged=True,
        notes=lambda: [*_none_found(answer, survey), *_notes(shown(), display)],
        lead=lambda: [line((_WEAK, "yellow"))] if fields["metadata"].get("weak") else (),
    )


def data(answer: "RecallAnswer", display: Display, *, at_once: bool = True) -> "types.Recall":
    """The JSON fields of an answer; with `at_once` false its memories are built only when they are written."""

    def memories() -> list["types.FoundMemory"]:
        return [] if display.lean else [_memory(each, timings, both=answer.both) for each in answer.memories]

    timings = {name: round(seconds, 6) for name, seconds in answer.timings.items()} if display.timings else None
    fields: types.Recall = {
        "query": answer.query,
        "mode": answer.mode,
        "memories": memories() if at_once else defer(memories),
        "count": len(answer.memories),
        "degraded": "; ".join(answer.degraded) or None,
        "metadata": _metadata(answer, display, timings),
        "standing": [_standing(each, both=answer.both) for each in answer.standing],
    }
    if answer.strategy is not None:
        _add_reasoning(fields, answer, answer.strategy, timings=display.timings)
    elif answer.layered:
        fields["insights"] = [_insight(each, both=answer.both) for each in answer.insights]
        fields["rawData"] = [_caption(each, both=answer.both) for each in answer.raw_data]
    if display.trace:
        from memoir.answers.trace import trace

        fields["trace"] = trace(answer)
    return _with_lines(fields, answer, display) if display.lean else fields


def _with_lines(fields: "types.Recall", answer: "RecallAnswer", display: Display) -> "types.Recall":
    """The fields of lean JSON: the common prefix of keys, a line for each memory, and the origin that all share."""
    from memoir.answers.hits import FOR_PREFIX, common_origin, hit_texts, shared_beginning

    prefix, _ = shared_beginning([each.key for each in answer.memories])
    lines = {"memories": hit_texts(answer, whole=display.is_whole, prefix=prefix), "origin": common_origin(answer)}
    return cast("types.Recall", {FOR_PREFIX: prefix, **fields, **lines, "count": None})  # None: omitted


def _metadata(answer: "RecallAnswer", display: Display, timings: dict[str, float] | None) -> "types.RecallMetadata":
    metadata: types.RecallMetadata = {
        "mode": answer.mode,
        "model": answer.model,
        "embedder": answer.embedder,
        "usage": usage(answer.usage),
        "cached": answer.cached,
        "omitted": answer.omitted,
    }
    if answer.gathered:
        metadata["gathered"] = True
    if answer.weaker:
        metadata["weaker"] = answer.weaker
    if not fits(answer):
        metadata["weak"] = True
    if answer.planner:
        metadata["planner"] = answer.planner
    if timings:
        metadata["step_timings"] = timings
    if display.prompts:
        metadata["llm_prompts"] = dict(answer.prompts)
    return metadata


def _add_reasoning(fields: "types.Recall", answer: "RecallAnswer", strategy: str, *, timings: bool) -> None:
    """Add the fields of the modes that reason."""
    fields["insights"] = [_insight(each, both=answer.both) for each in answer.insights]
    fields["items"] = [{"path": memory.path, "kind": _kind(memory)} for memory in answer.memories]
    fields["rawData"] = [_caption(each, both=answer.both) for each in answer.raw_data]
    fields["evidences"] = [_evidence(*each) for each in answer.evidences]
    fields["strategy"] = strategy
    fields["effective_query"] = answer.effective_query or answer.query
    if answer.metrics:
        fields["metrics"] = _metrics(answer.metrics, answer.usage, timings=timings)


def _metrics(metrics: "AgentMetrics", spent: "Usage", *, timings: bool) -> "types.AgentMetrics":
    fields: types.AgentMetrics = {
        "selected_tool": metrics.strategy,
        "queries": list(metrics.queries),
        "memory_search_called": metrics.searches,
        "input_token": spent.tokens - spent.output_tokens,
        "output_token": spent.output_tokens,
        "confidence_scores": list(metrics.confidences),
        "evidence": [address.full_key for address in metrics.evidence],
    }
    if timings:
        fields["memory_retrieval_time"] = round(metrics.search_seconds, 6)
        fields["llm_time"] = round(metrics.model_seconds, 6)
    return fields


def _insight(insight: "FoundInsight", *, both: bool) -> "types.FoundInsight":
    return {
        "path": insight.address.path,
        "namespace": insight.address.namespace,
        "content": insight.content,
        "level": insight.level,
        "by": insight.by,
        "relevance_score": insight.relevance,
        "stale": insight.stale,
        "sources": [source.full_key for source in insight.sources],
        **store_of(insight.store, both=both),
    }


def _standing(each: "StandingInstruction", *, both: bool) -> "types.StandingInstruction":
    return {
        "kind": each.kind,
        "content": each.content,
        "path": each.address.path,
        "address": each.address.full_key,
        "namespace": each.address.namespace,
        "source": each.source,
        "speaker": each.speaker,
        "timestamp": each.timestamp or None,
        "relevance_score": each.relevance,
        **store_of(each.store, both=both),
    }


def _caption(caption: "Caption", *, both: bool) -> "types.Caption":
    return {
        "path": caption.address.path,
        "namespace": caption.address.namespace,
        "caption": caption.text,
        "relevance_score": caption.relevance,
        "items": list(caption.items),
        **store_of(caption.store, both=both),
    }


def _kind(memory: "IntelligentSearchResult") -> str | None:
    kind = memory.metadata.get("item_kind")
    return kind if isinstance(kind, str) else None


def _evidence(text: str, address: "Address | None") -> "types.Evidence":
    path, namespace = (address.path, address.namespace) if address else (None, None)
    return {"text": text, "path": path, "namespace": namespace}


def _memory(memory: "IntelligentSearchResult", timings: dict[str, float] | None, *, both: bool) -> "types.FoundMemory":
    cut: types.CutField = {"truncated": memory.truncated} if memory.truncated else {}
    context: types.InContext = {} if memory.context is None else {"context": list(map(_context, memory.context))}
    disputes = [each.target.full_key for each in memory.disputes]
    dispute: types.InDispute = {"disputes": disputes} if disputes else {}
    metadata = {**({"step_timings": timings} if timings else {}), **own_metadata(memory.metadata)}
    return {
        "path": memory.path,
        "content": memory.content,
        "namespace": memory.namespace,
        "id": memory.id or None,
        "address": memory.address.full_key,
        "relevance_score": memory.relevance_score,
        "confidence": memory.confidence,
        "timestamp": memory.timestamp,
        **cut,
        **context,
        **in_days(days_of(memory)),
        **_of_source(memory),
        **store_of(memory.store, both=both),
        **dispute,
        **_origin(memory.address.place, memory.metadata),
        "metadata": cast("types.FoundMetadata", metadata),  # the keys are the user's
        "ranking": cast("types.Ranking", memory.ranking),  # the keys are columns, as in a candidate
    }


def _of_source(memory: "IntelligentSearchResult") -> "types.OfSource":
    if memory.layer is None:
        return {}
    return {"layer": memory.layer, "source": memory.source, "speaker": memory.speaker, "items": list(memory.items)}


def _context(memory: "ContextMemory") -> "types.ContextMemory":
    return {
        "distance": memory.distance,
        "path": memory.path,
        "address": memory.address.full_key,
        "speaker": memory.speaker,
        "content": memory.content,
        "namespace": memory.namespace,
        "confidence": memory.confidence,
        "timestamp": memory.timestamp,
        **_origin(memory.address.place, memory.metadata),
        "metadata": own_metadata(memory.metadata),
    }


def _origin(address: "Address", metadata: "Mapping[str, Any]") -> "types.InOrigin":
    """The fields `origin` and `author` of a memory; none for a passage."""
    if not (its := vouchers(address.namespace, metadata)):
        return {}
    return {"origin": list(its), "author": name} if (name := author_of(metadata)) else {"origin": list(its)}


def lines(answer: "RecallAnswer", display: Display) -> Iterable[Line]:
    """The lines for people."""
    from memoir.answers.hits import hits_and_standing  # JSON needs no line

    is_brief = bool(answer.insights or answer.raw_data)
    yield from _layer_lines("Insights", ((each, each.content, each.stale) for each in answer.insights))
    if is_brief and answer.memories:
        yield line(("Items", "bold"))
    hits, standing = hits_and_standing(answer, whole=display.is_whole, with_scores=display.trace)
    yield from chain.from_iterable(hits)
    yield from _layer_lines("Captions", ((each, each.text, False) for each in answer.raw_data))
    yield from standing
    if display.timings:
        for name, seconds in answer.timings.items():
            yield line(f"  {name:<24}{seconds * 1000:10.2f} ms")
    if display.prompts:
        for name, prompt in answer.prompts.items():
            yield line((f"--- {name}", "bold"))
            yield from (line(text) for text in prompt.split("\n"))
    if display.trace:
        from memoir.answers.trace import trace_lines

        yield from trace_lines(answer)


def _layer_lines(title: str, found: "Iterable[tuple[FoundInsight | Caption, str, bool]]") -> Iterable[Line]:
    """Insights or captions, each with its text and whether it is stale."""
    for number, (each, text, is_stale) in enumerate(found):
        if not number:
            yield line((title, "bold"))
        stale = ("  (stale)" if is_stale else "", "yellow")
        yield line((f"{each.relevance:.2f}", "bold"), "  ", (each.address.short_key, "cyan"), stale, own(each.store))
        yield line("      " + one_line(text, 200))


def _none_found(answer: "RecallAnswer", survey: "Callable[[], Survey] | None") -> list[Line]:
    if answer.memories or survey is None or survey().namespaces:
        return nothing(answer.memories)
    return nothing(0, runnable("nothing found: the store is empty; 'memoir remember TEXT' stores something"))


def _notes(answer: "RecallAnswer", display: Display) -> Iterable[Line]:
    if answer.weaker:
        yield line((f"-l {len(answer.memories) + answer.weaker} shows {answer.weaker} more", "dim"))
    if answer.omitted:
        yield line((f"{plural(answer.omitted, 'more memory', 'more memories')} left out: no room", "yellow"))
    if display.explains or answer.model or answer.degraded:
        yield line((_method(answer), "dim"))


def _method(answer: "RecallAnswer") -> str:
    with_ = answer.model or answer.embedder or "words alone"
    cost = answer.usage
    spent = f", {cost.input_tokens:,} tokens in, {cost.output_tokens:,} out" if cost.calls else ""
    return f"mode {answer.mode} ({with_}{', cached' if answer.cached else ''}{spent})"


def timeline(
    repository: "Repository", around: str | None = None, since: str | None = None, until: str | None = None,
    limit: int = MOST_MOMENTS, namespace: list[str] | None = None, at: str | None = None, *, wait: bool = False,
    progress: "Progress" = tell_nobody,
) -> Answer:  # fmt: skip
    """Show memories by the time they were learnt, newest first.

    `progress` is called with how much of the index is complete; `wait` waits until all of it is.
    """
    from memoir.answers.hits import moment_line

    moments, omitted, degraded = repository.timeline(
        around=around, since=since, until=until, limit=limit, namespaces=namespace or (), at=at, wait=wait,
        progress=progress,
    )  # fmt: skip
    data: types.Timeline = {
        "moments": [{**target(moment.target), **fields_of(moment.memory), "here": moment.here} for moment in moments],
        "count": len(moments),
        "degraded": "; ".join(degraded) or None,
        "omitted": omitted,
    }

    def notes() -> list[Line]:
        return [*nothing(moments), *omitted_note(len(moments), omitted, "memory", "memories")]

    return Answer(data, lambda: map(moment_line, moments), paged=True, notes=notes)


def evaluation(found: "Evaluation", budget: int) -> Answer:
    """`eval`: the scores of each mode and embedder, and the best."""
    data: types.Eval = {
        "questions": found.questions,
        "blank": found.blank,
        "missing": list(found.missing),
        "budget": budget,
        "scores": [_score(each) for each in found.scores],
        "best": _score(found.best),
    }
    return Answer(data, lambda: _score_lines(found), notes=lambda: _score_notes(found))


def _score(each: "EvalScore") -> "types.EvalScore":
    return {
        "mode": each.mode,
        "embedder": each.embedder,
        "recall_at_1": each.at_1,
        "recall_at_5": each.at_5,
        "recall_at_10": each.at_10,
        "mrr": each.mrr,
        "evidence": each.evidence,
        "degraded": "; ".join(each.degraded) or None,
    }


def _score_lines(found: "Evaluation") -> Iterable[Line]:
    yield line((f"{'mode':8}{'embedder':12}{'@1':>7}{'@5':>7}{'@10':>7}{'MRR':>7}{'evidence':>10}", "bold"))
    for mode, embedder, *numbers, evidence in (each[:7] for each in found.scores):
        yield line(f"{mode:8}{_name_of(embedder):12}{''.join(f'{number:7.2f}' for number in numbers)}{evidence:10.2f}")
    best, asked = found.best, plural(found.questions, "question")
    yield line(f"most is found by {best.mode} with {_name_of(best.embedder)}: {best.at_5:.2f} within 5, {asked}")


def _name_of(embedder: str | None) -> str:
    """The kind of an embedder, without the edition that its name ends in."""
    return embedder.rpartition("-")[0] or embedder if embedder else "no vectors"


def _score_notes(found: "Evaluation") -> Iterable[Line]:
    if found.blank:
        yield line((f"{plural(found.blank, 'line')} without a question yet", "dim"))
    if found.missing:
        yield line((f"nothing is stored at {', '.join(found.missing)}", "yellow"))
