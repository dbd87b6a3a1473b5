"""The answers of `recall`, `explain` and `timeline`."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from memoir.output.answer import Answer, Line, line
from memoir.output.dates import local
from memoir.output.shared import memory as fields_of
from memoir.output.shared import nothing, place, usage
from memoir.output.text import one_line, plural
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.output.contract import recall as types
    from memoir.recall.clues import Clues
    from memoir.recall.explain import Explained
    from memoir.recall.ranking import Ranked, Ranking
    from memoir.recall.result import ContextMemory, IntelligentSearchResult, Recalled
    from memoir.recall.timeline import Moment, Timeline
    from memoir.taxonomy.paths import Address


class Shown(NamedTuple):
    """The parts of an answer that an option adds."""

    timings: bool = False
    prompts: bool = False
    trace: bool = False


def recall(answer: "Recalled", shown: Shown) -> Answer:
    """`recall`: the memories, best first, and how they were found."""
    return Answer(data(answer, shown), lambda: _lines(answer, shown), paged=True, notes=lambda: _notes(answer))


def data(answer: "Recalled", shown: Shown) -> "types.Recall":
    """The JSON fields of an answer."""
    timings = {name: round(seconds, 6) for name, seconds in answer.timings.items()} if shown.timings else None
    metadata: types.RecallMetadata = {
        "mode": answer.mode,
        "model": answer.model,
        "embedder": answer.embedder,
        "usage": usage(answer.usage),
        "cached": answer.cached,
        "omitted": answer.omitted,
    }
    if timings:
        metadata["step_timings"] = timings
    if shown.prompts:
        metadata["llm_prompts"] = answer.prompts
    fields: types.Recall = {
        "query": answer.query,
        "mode": answer.mode,
        "memories": [_memory(memory, timings) for memory in answer.memories],
        "count": len(answer.memories),
        "degraded": "; ".join(answer.degraded) or None,
        "metadata": metadata,
    }
    if shown.trace:
        fields["trace"] = trace(answer.ranking) if answer.ranking else None
    return fields


def _memory(memory: "IntelligentSearchResult", timings: dict[str, float] | None) -> "types.FoundMemory":
    cut: types.Cut = {"truncated": memory.truncated} if memory.truncated else {}
    context: types.InContext = {} if memory.context is None else {"context": list(map(_context, memory.context))}
    metadata = {**({"step_timings": timings} if timings else {}), **memory.metadata}
    return {
        "path": memory.path,
        "content": memory.content,
        "namespace": memory.namespace,
        "relevance_score": memory.relevance_score,
        "confidence": memory.confidence,
        "timestamp": memory.timestamp,
        **cut,
        **context,
        "metadata": cast("types.FoundMetadata", metadata),  # the keys are the user's
        "ranking": cast("types.Ranking", memory.ranking),  # the keys are columns, as in a candidate
    }


def _context(memory: "ContextMemory") -> "types.ContextMemory":
    return {
        "distance": memory.distance,
        "path": memory.path,
        "content": memory.content,
        "namespace": memory.namespace,
        "confidence": memory.confidence,
        "timestamp": memory.timestamp,
        "metadata": memory.metadata,
    }


def trace(ranking: "Ranking") -> "types.Trace":
    """How a query was understood, and every candidate with its numbers."""
    return {**_question(ranking.clues), "candidates": [_numbers(each) for each in _everyone(ranking)]}


def _numbers(candidate: "Ranked") -> "types.Candidate":
    """A candidate with its columns, which the table of channels names."""
    return cast("types.Candidate", candidate.trace())


def _everyone(ranking: "Ranking") -> "list[Ranked]":
    return [*ranking.candidates, *ranking.others]


def _question(clues: "Clues") -> "types.Question":
    return {
        "terms": [{"word": t.word, "documents": t.documents, "idf": round(t.idf, 6)} for t in clues.words.terms],
        "people": sorted(clues.people),
        "times": [{"from": _instant(span.start), "to": _instant(span.end)} for span in clues.spans],
    }


def _instant(seconds: float) -> str:
    return from_epoch(int(seconds))


def _lines(answer: "Recalled", shown: Shown) -> Iterable[Line]:
    for memory in answer.memories:
        yield line((f"{memory.relevance_score:.2f}", "bold"), "  ", (_key(memory.namespace, memory.path), "bold cyan"))
        for text in memory.content.split("\n"):
            yield line("      " + text)
        for beside in memory.context or ():
            yield line(
                (f"  {beside.distance:+}  {_key(beside.namespace, beside.path)}  {one_line(beside.content)}", "dim")
            )
    if shown.timings:
        for name, seconds in answer.timings.items():
            yield line(f"  {name:<24}{seconds * 1000:10.2f} ms")
    if shown.prompts:
        for name, prompt in answer.prompts.items():
            yield line((f"--- {name}", "bold"))
            yield from (line(text) for text in prompt.split("\n"))
    if shown.trace and answer.ranking:
        yield from trace_lines(answer.ranking.clues, _everyone(answer.ranking))


def _key(namespace: str, path: str) -> str:
    from memoir.taxonomy.paths import Address

    return Address(namespace, path).short_key


def _notes(answer: "Recalled") -> Iterable[Line]:
    yield from nothing(answer.memories)
    if answer.omitted:
        yield line((f"{plural(answer.omitted, 'more memory', 'more memories')} left out by --max-chars", "yellow"))
    yield line((_how(answer), "dim"))


def _how(answer: "Recalled") -> str:
    with_ = answer.model or answer.embedder or "words alone"
    cost = answer.usage
    spent = f", {cost.input_tokens:,} tokens in, {cost.output_tokens:,} out" if cost.calls else ""
    return f"mode {answer.mode} ({with_}{', cached' if answer.cached else ''}{spent})"


def _steps() -> list[tuple[str, dict[str, str]]]:
    """The steps of the computation, one a line: what is shown of each, and its field in a trace."""
    from memoir.recall.channels import CHANNELS, LEGS

    legs = [(leg.title, {"rank": leg.rank_column, leg.score_column: leg.score_column}) for leg in LEGS]
    evidence = {name: name for name in ("fused", *(channel.name for channel in CHANNELS))}
    factors = {name: name for name in ("recency", "boost", "rerank")}
    return [*legs, ("evidence", evidence), ("factors", factors)]


def trace_lines(clues: "Clues", candidates: "Iterable[Ranked]") -> Iterable[Line]:
    """A trace for people: the question as understood, then each candidate with a line for each step."""
    about = _question(clues)
    words = ", ".join(f"{term['word']} ({term['idf']:.2f})" for term in about["terms"])
    yield line(("words (idf): ", "bold"), words or "none")
    if about["people"]:
        yield line(("people: ", "bold"), ", ".join(about["people"]))
    for span in about["times"]:
        yield line(("time: ", "bold"), f"{span['from']} to {span['to']}")
    steps = _steps()
    for candidate in candidates:
        yield from _candidate_lines(candidate.trace(), steps)


def _candidate_lines(fields: dict[str, Any], steps: Sequence[tuple[str, dict[str, str]]]) -> Iterable[Line]:
    yield line((f"{fields['score']:.4f}", "bold"), "  ", (_key(fields["namespace"], fields["key"]), "cyan"))
    for step, numbers in steps:
        known = [f"{name} {_number(fields[field])}" for name, field in numbers.items() if fields[field] is not None]
        yield line((f"        {step:<10}", "dim"), ", ".join(known) or "none")
    if fields["dropped"]:
        yield line(("        dropped   ", "yellow"), fields["dropped"])


def _number(value: float) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def explain(found: "Explained") -> Answer:
    """`explain`: the memories of one path among the candidates."""
    address = found.address
    ranked: list[types.RankedCandidate] = [
        {"rank": rank, **_numbers(c)} for rank, c in zip(found.places, found.candidates, strict=True)
    ]
    fields: types.Explain = {
        "query": found.query.text,
        **place(address),
        "candidates": found.total,
        "fusion": found.query.fusion,
        **_question(found.clues),
        "memories": ranked,
    }
    return Answer(fields, lambda: _explained_lines(found, address))


def _explained_lines(found: "Explained", address: "Address") -> Iterable[Line]:
    for rank, candidate in zip(found.places, found.candidates, strict=True):
        where = f"rank {rank} of {found.total}" if rank else f"not among the {found.total} candidates"
        yield line((address.short_key, "bold cyan"), "  ", (where, "bold"))
        yield line("      " + one_line(candidate.document.content))
        if candidate.dropped:
            yield line("      ", ("not in the answer: ", "yellow"), candidate.dropped)
        else:
            yield line("      in the answer")
    yield from trace_lines(found.clues, found.candidates)


def timeline(found: "Timeline") -> Answer:
    """`timeline`: memories by time, the newest first."""
    moments, omitted, degraded = found
    data: types.Timeline = {
        "moments": [{**place(moment.address), **fields_of(moment.memory), "here": moment.here} for moment in moments],
        "count": len(moments),
        "degraded": "; ".join(degraded) or None,
        "omitted": omitted,
    }

    def notes() -> Iterable[Line]:
        yield from nothing(moments)
        if omitted:
            more = plural(omitted, "more memory", "more memories")
            yield line((f"{more} left out; --limit {len(moments) + omitted} shows all", "yellow"))

    return Answer(data, lambda: map(_moment, moments), paged=True, notes=notes)


def _moment(moment: "Moment") -> Line:
    memory = moment.memory
    style = "bold cyan" if memory.active else "dim"
    ended = "" if memory.active else "  (superseded)"
    mark = "→ " if moment.here else "  "
    return line(
        (mark, "bold"),
        (local(memory.timestamp), "dim"),
        "  ",
        (moment.address.short_key, style),
        ended,
        "  ",
        one_line(memory.content),
    )
