"""Measure how well recall finds the expected memories, on the user's own store.

A question is a JSON line with the keys of the memories that answer it:

    {"query": "how do we run tests?", "expected": ["preferences.coding.testing", "user:ada:goals#3f2a"]}
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from memoir.embedders.choose_embedder import embedder_of
from memoir.errors import InvalidInput
from memoir.git.objects import blake2b
from memoir.memory import facets
from memoir.memory.active import Facet, scan
from memoir.progress import Progress
from memoir.recall.batch import MAX_LINE
from memoir.recall.engine import Engine
from memoir.recall.query import QueryFields
from memoir.recall.result import IntelligentSearchResult
from memoir.records.record import projection
from memoir.setting import words
from memoir.settings import EMBED_PROVIDER
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import Address, MemoryAddress, memory_address

MODES = ("simple", "deep", "agent")
"""The modes that need no model."""
DEPTH = 10
"""How many memories of an answer are scored."""
PER_TOKEN, PER_HIT = 4, 8
"""A token counts as 4 characters; a hit costs 8 tokens besides its content."""
_SAMPLE = 200
"""Characters of a memory shown beside a question that is still to be written."""


class EvalQuestion(NamedTuple):
    """A question, and the addresses of the memories that answer it."""

    query: str
    expected: tuple[MemoryAddress, ...]


class EvalScore(NamedTuple):
    """The mean scores over all questions, from 0 to 1, of one mode and embedder."""

    mode: str
    """The mode of recall."""
    embedder: str | None
    """The embedder's name; None without vectors."""
    at_1: float
    """The share of expected memories at rank 1 (of those that fit there)."""
    at_5: float
    """The share among the first 5."""
    at_10: float
    """The share among the first 10."""
    mrr: float
    """The mean reciprocal rank of the first expected memory; 0 where none was found."""
    evidence: float
    """The share of expected memories whose whole content fits in the budget of tokens."""
    degraded: tuple[str, ...] = ()
    """The notes on what recall could not use, without duplicates."""


class Evaluation(NamedTuple):
    """The scores of modes and embedders; `blank` counts lines without a question.

    `missing` lists expected keys without a memory.
    """

    questions: int
    blank: int
    missing: tuple[str, ...]
    scores: tuple[EvalScore, ...]

    @property
    def best(self) -> EvalScore:
        """The score with the highest `at_5`; ties go to the higher `mrr`, then to the first."""
        return max(self.scores, key=lambda score: (score.at_5, score.mrr))


def read_questions(lines: Iterable[bytes]) -> tuple[list[EvalQuestion], int]:
    """Read questions from JSON lines, and count the lines without one."""
    questions, blank = list[EvalQuestion](), 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            fields = _fields(line, number)
            if fields["query"].strip():
                questions.append(EvalQuestion(fields["query"], _addresses(fields["expected"], number)))
            else:
                blank += 1
    return questions, blank


def _fields(line: bytes, number: int) -> dict[str, Any]:
    import orjson

    hint = 'write {"query": "how do we test?", "expected": ["preferences.coding.testing"]}'
    try:
        fields = orjson.loads(line) if len(line) <= MAX_LINE else None
    except ValueError as error:
        raise InvalidInput(f"line {number} is not JSON: {error}", hint) from error
    if not isinstance(fields, dict) or not isinstance(fields.get("query"), str):
        raise InvalidInput(f"line {number} has no query", hint)
    expected = fields.get("expected")
    if not isinstance(expected, list) or not expected or not all(isinstance(key, str) for key in expected):
        raise InvalidInput(f"line {number} names no memories that are expected", hint)
    return fields


def _addresses(keys: Sequence[str], number: int) -> tuple[MemoryAddress, ...]:
    try:
        return tuple(dict.fromkeys(map(memory_address, keys)))
    except InvalidInput as error:
        raise InvalidInput(f"line {number}: {error.message}", error.hint) from error


def evaluate(
    store: Store,
    lines: Iterable[bytes],
    modes: Sequence[str],
    embedders: Sequence[str],
    budget: int,
    progress: Progress,
) -> Evaluation:
    """Score each mode with each embedder, without a model, on a completed index.

    Raises:
        InvalidInput: a line is malformed, no line has a question, or a mode needs a model.
    """
    for mode in modes:
        words(*MODES).check(mode, "mode")
    for embedder in embedders:
        EMBED_PROVIDER.kind.check(embedder, "embedder")
    questions, blank = read_questions(lines)
    if not questions:
        raise InvalidInput("there is no question in the file", "'memoir eval --make 30' writes lines to fill in")
    contents = _contents(store.head(), questions)
    scores = []
    for name in embedders or (None,):
        with closing(Engine(store, embedder=embedder_of(store, name), wait=True)) as engine:
            scores += [_score_mode(questions, engine, mode, contents, budget, progress) for mode in modes]
    missing = tuple(each.full_key for each, content in contents.items() if not content)
    return Evaluation(len(questions), blank, missing, tuple(scores))


def _contents(snapshot: Snapshot, questions: Iterable[EvalQuestion]) -> dict[MemoryAddress, str]:
    """The content at each expected address; empty if there is none."""
    targets = list(dict.fromkeys(each for question in questions for each in question.expected))
    entries = facets.get(snapshot, targets)
    return {each: projection(record) if (record := entries[each].record) else "" for each in targets}


def _score_mode(
    questions: Sequence[EvalQuestion],
    engine: Engine,
    mode: str,
    contents: Mapping[MemoryAddress, str],
    budget: int,
    progress: Progress,
) -> EvalScore:
    """Ask every question, and score the answers."""
    fields: QueryFields = {"mode": mode, "planner": "rules", "rerank": "none", "limit": DEPTH}
    rows, notes = [], dict[str, None]()
    for number, question in enumerate(questions, 1):
        answer = engine.recall(engine.query(question.query, fields), wait=True)
        notes.update(dict.fromkeys(answer.degraded))
        rows.append(_score_question(question, answer.memories, [contents[each] for each in question.expected], budget))
        progress(number, len(questions))
    at_1, at_5, at_10, mrr, evidence = (round(sum(column) / len(rows), 4) for column in zip(*rows, strict=True))
    return EvalScore(mode, answer.embedder, at_1, at_5, at_10, mrr, evidence, tuple(notes))


def _score_question(
    question: EvalQuestion, hits: Sequence[IntelligentSearchResult], contents: Sequence[str], budget: int
) -> tuple[float, ...]:
    """The scores of one question, in the order of `EvalScore`'s fields."""
    ranks = [next((at for at, hit in enumerate(hits) if _is_at(hit, each)), None) for each in question.expected]
    found = [rank for rank in ranks if rank is not None]
    shares = [sum(rank < depth for rank in found) / min(depth, len(ranks)) for depth in (1, 5, DEPTH)]
    printed = list(_cut_to_budget([hit.content for hit in hits], budget))
    evidence = sum(any(content in text for text in printed) for content in contents if content) / len(ranks)
    return *shares, 1 / (min(found) + 1) if found else 0.0, evidence


def _is_at(hit: IntelligentSearchResult, expected: MemoryAddress) -> bool:
    """Whether a hit is the expected memory, or a passage that contains it."""
    is_there = hit.address.place == expected.place and hit.id.startswith(expected.id)
    return is_there or expected.place.full_key in hit.items


def _cut_to_budget(contents: Sequence[str], budget: int) -> Iterator[str]:
    """Yield contents until the budget of tokens is spent; the last one is cut."""
    for content in contents:
        budget -= PER_HIT
        if budget <= 0:
            return
        yield content[: budget * PER_TOKEN]
        budget -= -(-len(content) // PER_TOKEN)


def questions_to_fill(snapshot: Snapshot, namespaces: Sequence[str], count: int) -> Iterator[dict[str, Any]]:
    """Yield lines to fill in with questions: the same sample of memories each time."""
    order = sorted(scan(snapshot, namespaces), key=lambda each: blake2b(each.target.full_key.encode(), size=8))
    first_of_path: dict[Address, Facet] = {}
    for each in order:
        first_of_path.setdefault(each.address, each)
    for each in islice(first_of_path.values(), count):
        text = " ".join(each.memory.content.split())
        short = text if len(text) <= _SAMPLE else text[: _SAMPLE - 1] + "…"
        yield {"query": "", "expected": [each.target.full_key], "content": short}
