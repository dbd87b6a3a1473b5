"""How many standing instructions, preferences and facts of sessions capture finds, and what else it takes for one.

    /tmp/bench/bin/python -m benchmarks.capture [--static] [TURNS]

TURNS are JSON lines with `set`, `role`, `text` and `keep`: words of what is to be remembered, a list of clauses
(`kind`, `quote`), or null for a turn without anything; `benchmarks/turns/turns.jsonl` unless given. The second table is
about the sets whose clauses are labelled. What agents say has vectors of MiniLM, but for `--static`.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import table
from memoir.embedders.minilm import MiniLm
from memoir.english.lasting.session_sentences import RETRACTION, TurnFinding, VectorOf, findings

TURNS = Path(__file__).parent / "turns" / "turns.jsonl"
AGENTS = TURNS.with_name("agents.jsonl")
_KINDS = ("directive", "preference", "change", "fact", "decision")
_SAME = 0.6
"""The share of the words of the shorter of two clauses that they have in common if they are the same."""


def of_turn(turn: dict[str, Any], vector_of: VectorOf | None = None) -> list[TurnFinding]:
    """What capture proposes of a turn: no retraction, and nothing that something was left out of, as a quotation."""
    found = findings(turn["text"], turn["role"], vector_of)
    return [each for each in found if each.kind != RETRACTION and "…" not in each.content]


def quotations(turn: dict[str, Any]) -> list[tuple[str, str]]:
    """The kind and words of what is to be kept of a turn; an empty kind is not labelled."""
    kept = turn["keep"] or []
    return [(turn.get("kind", ""), kept)] if isinstance(kept, str) else [(each["kind"], each["quote"]) for each in kept]


def is_same(quote: str, content: str) -> bool:
    """Whether a finding has the words of a quotation, or nearly so."""
    one, other = quote.casefold(), content.casefold()
    words, others = {*one.split()}, {*other.split()}
    return one in other or (
        min(len(words), len(others)) > 2 and len(words & others) >= _SAME * min(len(words), len(others))
    )


def count(turns: list[dict[str, Any]], vector_of: VectorOf | None = None) -> Counter[str]:
    """What is found of the labelled clauses, by kind, and how many findings are false."""
    counts: Counter[str] = Counter()
    for turn in turns:
        found, kept = of_turn(turn, vector_of), quotations(turn)
        counts["others"] += not kept
        counts["taken"] += bool(found and not kept)
        counts["findings"] += len(found)
        counts["false"] += sum(not any(is_same(quote, each.content) for _, quote in kept) for each in found)
        for kind, quote in kept:
            kinds = {each.kind for each in found if is_same(quote, each.content)}
            own = kind if kind in ("directive", "preference") else "fact"
            counts.update({kind: 1, f"{kind} found": bool(kinds), f"{kind} told": own in kinds})
    return counts


def main(arguments: list[str]) -> None:
    """Print the tables."""
    files, is_static = [each for each in arguments if each != "--static"], "--static" in arguments
    sets: dict[str, list[dict[str, Any]]] = {}
    for line in (Path(files[0]) if files else TURNS).read_text("utf-8").splitlines():
        turn = json.loads(line)
        sets.setdefault(turn.get("set", "all"), []).append(turn)
    vector_of = None if is_static else lambda sentence: MiniLm().embed([sentence])[0]
    counts = {name: count(turns, vector_of) for name, turns in sets.items()}
    rows = []
    for name, each in counts.items():
        labelled = sum(each[kind] for kind in ("", *_KINDS))
        found = sum(each[f"{kind} found"] for kind in ("", *_KINDS))
        rows.append([name, str(labelled), f"{found / labelled:.2f}", f"{each['false']} of {each['findings']}",
                     str(each["others"]), f"{each['taken'] / max(each['others'], 1):.2f}"])  # fmt: skip
    print(table.markdown(["set", "to keep", "found", "false", "other turns", "taken"], rows))
    of_kinds = [
        [name, *(f"{each[f'{kind} found']} ({each[f'{kind} told']}) of {each[kind]}" for kind in _KINDS)]
        for name, each in counts.items()
        if not each[""]
    ]
    print(table.markdown(["set: found (as that kind)", *_KINDS], of_kinds))


if __name__ == "__main__":
    main(sys.argv[1:])
