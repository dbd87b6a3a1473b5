"""How many standing instructions and facts of sessions the rules of capture find, and what else they take for one.

    /tmp/bench/bin/python -m benchmarks.capture [TURNS]

TURNS are JSON lines with `set`, `role`, `text` and `keep`: words of what is to be remembered, or null for a turn
without anything; `benchmarks/turns/turns.jsonl` unless given.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks import table
from memoir.english.session_sentences import RETRACTION, findings

TURNS = Path(__file__).parent / "turns" / "turns.jsonl"


def is_right(turn: dict[str, Any]) -> bool:
    """Whether the rules find what is to be remembered of a turn; of one without anything, whether they find nothing."""
    contents = [each.content.casefold() for each in findings(turn["text"], turn["role"]) if each.kind != RETRACTION]
    return any(turn["keep"].casefold() in each for each in contents) if turn["keep"] else not contents


def main(arguments: list[str]) -> None:
    """Print the table."""
    sets: dict[str, dict[bool, list[bool]]] = defaultdict(lambda: {True: [], False: []})
    for line in (Path(arguments[0]) if arguments else TURNS).read_text("utf-8").splitlines():
        turn = json.loads(line)
        sets[turn.get("set", "all")][turn["keep"] is not None].append(is_right(turn))
    rows = [
        [name, str(len(with_[True])), f"{sum(with_[True]) / len(with_[True]):.2f}", str(len(with_[False])),
         f"{1 - sum(with_[False]) / len(with_[False]):.2f}"]
        for name, with_ in sets.items()
    ]  # fmt: skip
    print(table.markdown(["set", "rules and facts", "found", "other turns", "taken for one"], rows))


if __name__ == "__main__":
    main(sys.argv[1:])
