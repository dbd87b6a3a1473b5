"""How recall found its answer: `recall --trace`, and the answer of `explain`."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Unpack, cast

from memoir.answers.answer import Answer, Line, line, one_line
from memoir.answers.parts import place
from memoir.memory.passages import passage_id
from memoir.recall.answer import steps_of
from memoir.recall.query import QueryFields
from memoir.taxonomy.paths import MemoryAddress
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.answers.contract import recall
    from memoir.answers.contract import trace as types
    from memoir.progress import Progress
    from memoir.repository.repository import Repository
    from memoir.types import Clues, Explanation, RankedCandidate, RecallAnswer, Stage


def trace(answer: "RecallAnswer") -> "types.Trace":
    """How a query was understood, every candidate with its numbers, and each step."""
    ranking = answer.ranking
    question: types.Question = {"terms": [], "people": [], "times": [], "concepts": []}
    return {
        **(_question(ranking.clues) if ranking else question),
        "candidates": [_numbers(each) for each in ranking.everyone] if ranking else [],
        "stages": [_stage(each) for each in steps_of(answer)],
    }


def _stage(stage: "Stage") -> "types.Stage":
    return {
        "stage": stage.stage,
        "method": stage.method,
        "status": stage.status,
        "input_count": stage.input_count,
        "candidate_count": stage.candidate_count,
        "result_count": stage.result_count,
        "degraded": stage.degraded,
        "skipped": stage.skipped,
    }


def _numbers(candidate: "RankedCandidate") -> "types.Candidate":
    """A candidate with its columns, which the table of channels names."""
    return cast("types.Candidate", candidate.trace())


def _question(clues: "Clues") -> "types.Question":
    terms = (*clues.words.terms, *clues.words.other_forms)
    return {
        "terms": [{"word": t.word, "documents": t.documents, "idf": round(t.idf, 6)} for t in terms],
        "people": sorted(clues.people),
        "times": [{"from": from_epoch(int(span.start)), "to": from_epoch(int(span.end))} for span in clues.spans],
        "concepts": [
            {
                "words": " ".join(each.words),
                "concepts": [name for name in each.concepts if name not in found.own],
                "own": [line for name in each.concepts for line in found.own.get(name, ())],
            }
            for each in found.spots
        ]
        if (found := clues.concepts)
        else [],
    }


def explain(
    repository: "Repository", query: str, key: str, *, progress: "Progress | None" = None, **fields: Unpack[QueryFields]
) -> Answer:
    """Show why a memory ranks where it does for a question."""
    return explained(repository.explain(query, key, progress=progress, **fields))


def explained(explanation: "Explanation") -> Answer:
    """The answer of `explain`: the memories of one path among the candidates."""
    rows: list[types.RankedCandidate] = [
        {"rank": rank, **_numbers(candidate), "address": target.full_key}
        for target, candidate, rank in explanation.memories
    ]
    data: recall.Explain = {
        "query": explanation.query.text,
        **place(explanation.target.place),
        "candidates": explanation.total,
        "fusion": explanation.query.fusion,
        "mode": explanation.query.mode,
        **_question(explanation.clues),
        "memories": rows,
        "stages": [_stage(each) for each in explanation.stages],
    }
    return Answer(data, lambda: _explanation_lines(explanation))


def _explanation_lines(explanation: "Explanation") -> Iterable[Line]:
    for target, candidate, rank in explanation.memories:
        where = f"rank {rank} of {explanation.total}" if rank else f"not among the {explanation.total} matches"
        yield line((target.short_key, "bold cyan"), "  ", (where, "bold"))
        yield line("      " + one_line(candidate.document.content))
        if candidate.dropped:
            yield line("      ", ("not in the answer: ", "yellow"), candidate.dropped)
        else:
            yield line("      in the answer")
    yield from _candidates(explanation.clues, [(candidate, target) for target, candidate, _ in explanation.memories])
    yield from map(_stage_line, explanation.stages)


def _steps() -> list[tuple[str, dict[str, str]]]:
    """The steps of the score, one a line: for each shown number, its name and its field in a trace."""
    from memoir.recall.channels import CHANNELS, LEGS
    from memoir.recall.ranking import FACTORS

    legs = [(leg.title, {"rank": leg.rank_column, leg.score_column: leg.score_column}) for leg in LEGS]
    additions = {channel.name: channel.name for channel in CHANNELS}
    factors = {name: name for name in FACTORS}
    return [*legs, ("evidence", {"fused": "fused"}), ("channels", additions), ("factors", factors)]


def trace_lines(answer: "RecallAnswer") -> Iterable[Line]:
    """A trace for people: the candidates, then the steps to the answer."""
    if answer.ranking:
        ranking = answer.ranking
        yield from _candidates(ranking.clues, ((each, _target(each)) for each in ranking.everyone))
    yield from map(_stage_line, steps_of(answer))


def _target(candidate: "RankedCandidate") -> MemoryAddress:
    """The address of a candidate, as far as it is known without its record."""
    document = candidate.document
    return MemoryAddress(document.address, passage_id(document.ordinal) if document.role else "")


def _candidates(clues: "Clues", candidates: "Iterable[tuple[RankedCandidate, MemoryAddress]]") -> Iterable[Line]:
    """The question as understood, then each candidate, by its address, with a line for each step of its score."""
    about = _question(clues)
    words = ", ".join(f"{term['word']} ({term['idf']:.2f})" for term in about["terms"])
    yield line(("words (idf): ", "bold"), words or "none")
    if about["people"]:
        yield line(("people: ", "bold"), ", ".join(about["people"]))
    for span in about["times"]:
        yield line(("time: ", "bold"), f"{span['from']} to {span['to']}")
    for each in about["concepts"]:
        own = f"; this store: {'; '.join(each['own'])}" if each["own"] else ""
        yield line(("concepts: ", "bold"), f"{each['words']}: {', '.join(each['concepts']) or 'none'}{own}")
    steps = _steps()
    for candidate, target in candidates:
        yield from _candidate_lines(candidate.trace(), target, steps)


def _candidate_lines(
    fields: dict[str, Any], target: MemoryAddress, steps: Sequence[tuple[str, dict[str, str]]]
) -> Iterable[Line]:
    from memoir.recall.associations import NAMES

    yield line((f"{fields['score']:.4f}", "bold"), "  ", (target.short_key, "cyan"))
    off = {name for name in NAMES if not fields.get(name)}  # the channels that are off by default, and add nothing
    for step, numbers in steps:
        columns = [
            f"{name} {fields[f]:.4f}" if isinstance(fields[f], float) else f"{name} {fields[f]}"
            for name, f in numbers.items()
            if fields[f] is not None and f not in off
        ]
        yield line((f"        {step:<10}", "dim"), ", ".join(columns) or "none")
    if fields["lead"]:
        yield line(("        ", "dim"), fields["lead"])
    if fields["dropped"]:
        yield line(("        dropped   ", "yellow"), fields["dropped"])


def _stage_line(stage: "Stage") -> Line:
    why = stage.skipped or stage.degraded
    counts = f"{stage.input_count:,} in, {stage.candidate_count:,} looked at, {stage.result_count:,} out"
    note = f", {stage.status}: {why}" if why else ""
    return line((f"{stage.stage + ':':<14}", "bold"), f"{stage.method}, {counts}", (note, "yellow"))
