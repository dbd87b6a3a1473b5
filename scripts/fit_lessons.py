"""Fit how memoir/english/lasting/lessons.py weighs sentences: what labelled messages of agents teach about what lasts.

    pip install numpy               # for this script alone
    PYTHONPATH=. python scripts/fit_lessons.py

The messages are those of `benchmarks/turns/agents.jsonl`, but for the sets of MEASURED, and the agents' turns of
`turns.jsonl`. The weights are of greatest likelihood with a ridge: those of the signs by themselves, and those of the
signs beside a vector of MiniLM, which the first run lays out in the cache. The signs' are printed, for WEIGHTS of the
module, and the vector's are written to `lesson_vector.txt`. Another machine may round a weight differently.

    PYTHONPATH=. python scripts/fit_lessons.py --left-out

prints what capture finds of each author by weights that know nothing of this author.
"""

import json
import sys
from collections.abc import Container, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks import table
from benchmarks.capture import AGENTS, TURNS, count, is_same, quotations
from memoir.embedders.minilm import MiniLm
from memoir.english.lasting import lessons
from memoir.english.lasting.lessons import FILE, signs
from memoir.english.lasting.session_sentences import may_last
from memoir.english.sentences import said_sentences, without_lead
from memoir.git.objects import blake2b

MEASURED = frozenset({"agents.e", "agents.g", "agents.h"})
"""The sets that nothing is fitted to."""
_BIAS = "every sentence"
_OF_SIGNS, _OF_VECTOR = 2.0, 0.6
"""The ridges; the length of a vector is 1."""


def turns() -> Iterator[dict[str, Any]]:
    """The labelled turns of agents."""
    for file in (AGENTS, TURNS):
        rows = map(json.loads, file.read_text("utf-8").splitlines())
        yield from (row for row in rows if row["role"] == "assistant")


class Example(NamedTuple):
    """A sentence that an agent says, by itself: its set, and whether it is to be kept."""

    set_name: str
    text: str
    lasts: bool


def examples(left_out: Container[str] = MEASURED) -> Iterator[Example]:
    """The sentences of all sets but some."""
    for turn in turns():
        for sentence in said_sentences(turn["text"]) if turn["set"] not in left_out else ():
            if may_last(sentence):
                lasts = any(is_same(quote, sentence) for _, quote in quotations(turn))
                yield Example(turn["set"], without_lead(sentence), lasts)


def digest(learnt: Sequence[Example]) -> str:
    """A digest of what the weights are fitted to."""
    rows = ((*each, sorted(signs(each.text))) for each in learnt)
    return blake2b("\n".join(map(str, rows)).encode(), size=12).hex()


def fit(learnt: Sequence[Example]) -> tuple[dict[str, tuple[float, float]], list[int]]:
    """The weights of the signs, by themselves and beside a vector, and those of the vector's numbers in hundredths."""
    import numpy as np
    from logistic import fit_logistic

    found = [set(signs(each.text)) for each in learnt]
    names = sorted(set().union(*found), key=lambda name: (name != _BIAS, name))
    has = np.array([[name in its for name in names] for its in found], float)
    lasts, ones = np.array([each.lasts for each in learnt], float), np.ones(len(learnt))
    ridge = _OF_SIGNS * np.array([name != _BIAS for name in names], float)
    vectors = np.array([vector_of(each.text) for each in learnt], float)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    alone = fit_logistic(has, lasts, ones, ridge)
    of_vector = np.full(vectors.shape[1], _OF_VECTOR)
    beside = fit_logistic(np.hstack([has, vectors]), lasts, ones, np.concatenate([ridge, of_vector]))
    pairs = zip(alone.round(2).tolist(), beside.round(2).tolist(), strict=False)
    return dict(zip(names, pairs, strict=True)), np.rint(lessons.UNIT * beside[len(names) :]).astype(int).tolist()


@cache
def vector_of(sentence: str) -> Sequence[float]:
    """The vector of a sentence by MiniLM."""
    return MiniLm().embed([sentence])[0]


def format_vector(numbers: Sequence[int], fitted_to: str) -> str:
    """The text of the file."""
    return f"# Written by scripts/fit_lessons.py from {fitted_to}\n{' '.join(map(str, numbers))}\n"


def print_left_out() -> None:
    """Print how much of what each author has to keep is found, the author left out, and how much else is taken."""
    messages, rows = [turn for turn in turns() if turn["set"].startswith("agents.")], list[list[str]]()
    for author in sorted({turn["set"] for turn in messages}):
        weights, numbers = fit([*examples({author})])
        with patch.object(lessons, "WEIGHTS", weights), patch.object(lessons, "_of_vector", lambda its=numbers: its):
            own = [turn for turn in messages if turn["set"] == author]
            for way, vectors in (("signs", None), ("signs and vector", vector_of)):
                found = count(own, vectors)
                share = found["fact found"] / found["fact"]
                rows.append(
                    [author, way, f"{share:.2f} of {found['fact']}", f"{found['false']} of {found['findings']}"]
                )
    sys.stdout.write(table.markdown(["author", "by", "found", "false"], rows) + "\n")


def main(arguments: Sequence[str]) -> None:
    """Fit, print and write; or print what is found of authors left out."""
    if arguments:
        print_left_out()
        return
    learnt = [*examples()]
    weights, numbers = fit(learnt)
    sys.stdout.write("".join(f'    "{name}": {pair},\n' for name, pair in weights.items()))
    FILE.write_text(format_vector(numbers, digest(learnt)), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
