"""Print the weights of memoir/english/lessons.py: what labelled messages of agents teach about what lasts.

    pip install numpy               # for this script alone
    PYTHONPATH=. python scripts/fit_lessons.py

The messages are those of `benchmarks/turns/agents.jsonl`, but for the sets of MEASURED, and the agents' turns of
`turns.jsonl`. The weights are of greatest likelihood with a ridge.
"""

import json
import sys
from collections.abc import Container, Iterator
from typing import Any

from benchmarks.capture import AGENTS, TURNS, is_same, quotations
from memoir.english.lessons import signs
from memoir.english.sentences import said_sentences, without_lead
from memoir.english.session_sentences import may_last

MEASURED = frozenset({"agents.e"})
"""The sets that nothing is fitted to."""
_RIDGE = 2.0


def turns() -> Iterator[dict[str, Any]]:
    """The labelled turns of agents."""
    for file in (AGENTS, TURNS):
        rows = map(json.loads, file.read_text("utf-8").splitlines())
        yield from (row for row in rows if row["role"] == "assistant")


def fit(left_out: Container[str] = MEASURED) -> dict[str, float]:
    """The weights of all signs, fitted to the sentences of all sets but some."""
    import numpy as np
    from logistic import fit_logistic

    rows = list[tuple[set[str], bool]]()
    for turn in turns():
        for sentence in said_sentences(turn["text"]) if turn["set"] not in left_out else ():
            if not may_last(sentence):
                continue
            lasts = any(is_same(quote, sentence) for _, quote in quotations(turn))
            rows.append((set(signs(without_lead(sentence))), lasts))
    names = sorted(set().union(*(found for found, _ in rows)), key=lambda name: (name != "every sentence", name))
    has = np.array([[name in found for name in names] for found, _ in rows], float)
    is_to_keep = np.array([lasts for _, lasts in rows], float)
    ridge = _RIDGE * np.array([name != "every sentence" for name in names], float)
    weights = fit_logistic(has, is_to_keep, np.ones(len(rows)), ridge)
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True)}


if __name__ == "__main__":
    sys.stdout.write("".join(f'    "{name}": {weight},\n' for name, weight in fit().items()))
