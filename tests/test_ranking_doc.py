"""docs/ranking.md: its example runs as printed, and its numbers follow from its formulas."""

import json
import math
import os
import re
import subprocess
from pathlib import Path

import pytest
from support import COMMAND, PROJECT

from memoir.embedders.static import StaticEmbedder
from memoir.index.vectors import unit

PAGE = (PROJECT / "docs/ranking.md").read_text("utf-8")
SCRIPT = PAGE.partition("```sh\n")[2].partition("```")[0]
PRINTED_TRACE = PAGE.partition("mode simple --strict --weight concepts=0 --trace\n```\n\n```\n")[2].partition("```")[0]
MEMORIES = [json.loads(line) for line in SCRIPT.splitlines() if line.startswith("{")]


def _rows(trace: str) -> dict[str, dict[str, float]]:
    """The numbers of each candidate of the trace that is in the answer, by its path."""
    rows: dict[str, dict[str, float]] = {}
    for block in re.split(r"^(?=\d+\.\d{4}  )", trace, flags=re.MULTILINE)[1:]:
        score, path = block.split()[:2]
        if "dropped" in block:
            continue
        numbers = re.findall(r"(\w+) (\d+\.\d{4})", block)
        rows[path] = {"score": float(score), **{name: float(number) for name, number in numbers}}
    return rows


ROWS = _rows(PRINTED_TRACE)
BEFORE_AND_AFTER = {-1: 0.5, 1: 0.25, -2: 0.25, 2: 0.125}
TERMS = ("lock", "file")
PRIOR, PRIOR_WORDS = 100, 20


def near(path: str) -> dict[str, float]:
    """The contents around a turn, with what each counts."""
    turns = {int(m["path"][-1]): m["content"] for m in MEMORIES if ".turn_" in m["path"]}
    if ".turn_" not in path:
        return {}
    at = int(path[-1])
    return {turns[at + step]: share for step, share in BEFORE_AND_AFTER.items() if at + step in turns}


def columns(memory: dict[str, object]) -> list[tuple[float, list[str]]]:
    """A memory's words by column, with the weight of each."""
    metadata = memory.get("metadata", {})
    person = str(metadata.get("person", "")) if isinstance(metadata, dict) else ""
    texts = [(1.0, str(memory["content"])), (0.5, str(memory["path"])), (0.5, person)]
    texts += [(share, text) for text, share in near(str(memory["path"])).items()]
    return [(weight, re.findall(r"[^\W_]+", text.lower())) for weight, text in texts]


def bm25(memory: dict[str, object]) -> float:
    everyone = [columns(other) for other in MEMORIES]
    lengths = [sum(len(words) for _, words in parts) for parts in everyone]
    count = len(MEMORIES) + PRIOR
    average = (sum(lengths) + PRIOR * PRIOR_WORDS) / count
    own = columns(memory)
    length = sum(len(words) for _, words in own)
    score = 0.0
    for term in TERMS:
        holders = sum(any(term in words for _, words in parts) for parts in everyone)
        idf = math.log((count - holders + 0.5) / (holders + 0.5))
        often = sum(weight * words.count(term) for weight, words in own)
        score += idf * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * length / average))
    return score


def cosine(memory: dict[str, object]) -> float:
    def embed(text: str) -> list[float]:
        return list(unit(StaticEmbedder().embed([text])[0]))

    vector = embed(str(memory["content"]))
    for text, share in near(str(memory["path"])).items():
        vector = [a + share * b for a, b in zip(vector, embed(text), strict=True)]
    query = StaticEmbedder().embed_query("What did say about the lock file in ?", lambda word: 1.0)  # both are as rare
    return sum(a * b for a, b in zip(query, vector, strict=True)) / math.hypot(*query) / math.hypot(*vector)


def test_the_example_prints_what_the_page_shows(tmp_path: Path) -> None:
    env = {**os.environ, "PATH": f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"}

    done = subprocess.run(["bash", "-eu", "-c", SCRIPT], cwd=tmp_path, env=env, capture_output=True, text=True)

    assert done.stderr == "mode simple (static-1)\n"
    assert done.stdout.endswith(PRINTED_TRACE)


def test_the_legs_of_the_example_follow_from_their_formulas() -> None:
    assert len(ROWS) == 3
    for memory in MEMORIES:
        if memory["path"] in ROWS:
            row = ROWS[memory["path"]]
            assert bm25(memory) == pytest.approx(row["bm25"], abs=1e-4)
            assert cosine(memory) == pytest.approx(row["cosine"], abs=2e-3)  # its numbers have a byte each


def test_the_scores_of_the_example_follow_from_the_legs() -> None:
    best_bm25, best_cosine = (max(row[leg] for row in ROWS.values()) for leg in ("bm25", "cosine"))
    for row in ROWS.values():
        fusion = (row["bm25"] / best_bm25 + 0.625 * row["cosine"] / best_cosine) / 1.625
        assert row["fused"] == pytest.approx(fusion, abs=1e-3)
        factors = row["recency"] * row["question"] * row["boost"] * row["rerank"]
        score = (row["fused"] + row["person"] + row["time"]) * factors
        assert row["score"] == pytest.approx(score, abs=2e-4)
    scores = [float(line.split()[0]) for line in PRINTED_TRACE.splitlines() if re.match(r"\d\.\d\d  ", line)]
    ideal = len(TERMS) * math.log(103.5 / 3.5)
    quality = (best_bm25 / ideal + 0.625 * best_cosine) / 1.625
    assert scores == pytest.approx([quality * row["score"] / 1.6 for row in ROWS.values()], abs=6e-3)


def test_the_arithmetic_in_the_text() -> None:
    for number in (
        math.log(103.5 / 3.5),
        (27 * 3 + 12 + 7 + 8 + PRIOR * PRIOR_WORDS) / 106,
        math.log(103.5 / 3.5) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 27 / 19.8868)),
        (5.9090 / 6.7736 + 0.625 * 0.7625) / 1.625,
        (2.1025 / 5.9090 + 0.625 * 0.4631 / 0.7625) / 1.625,
    ):
        assert f"{number:.4f}" in PAGE


def test_the_steps_that_it_names_are_those_that_are_timed() -> None:
    sources = "".join(path.read_text("utf-8") for path in (PROJECT / "memoir/recall").rglob("*.py"))
    table = PAGE.partition("| step, in `step_timings`")[2].partition("\n\n")[0]

    for name in re.findall(r"`(\w+)`", re.sub(r"\|[^|]*\|$", "", table, flags=re.M)):
        assert f'"{name}"' in sources, name
