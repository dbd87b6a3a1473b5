"""How often filing without a model finds an acceptable first level, by set of facts and by category.

    /tmp/bench/bin/python -m benchmarks.filing_quality [FACTS]
    /tmp/bench/bin/python -m benchmarks.filing_quality --worlds firmware school logistics

FACTS are JSON lines with `set`, `text` and `levels`, the acceptable first levels; `tests/filing/facts.jsonl` unless
given. Only `sixth` was never fitted to. The cues were tuned on `tune`, `developer` and `third`, and the weights of the
form are fitted to all but `sixth`; `scripts/fit_filing.py` measures the others as unseen, leaving out each in turn.
`--worlds` files the facts of `benchmarks/short` instead, by both embedders, and judges second levels and names too.
Below the threshold a memory goes to the inbox, which counts as a miss, but is where texts belong that are not memories.
Cold is the first verdict of a fresh process, with the imports.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Any, NamedTuple

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import short_questions, table
from memoir.embedders.minilm import MiniLm
from memoir.filing.classifier import classify
from memoir.filing.regression import Meaning, minilm_meaning, static_meaning
from memoir.settings import FILING_THRESHOLD

THRESHOLD = FILING_THRESHOLD.default
FACTS = Path(__file__).resolve().parent.parent / "tests" / "filing" / "facts.jsonl"
NO_MEMORIES = FACTS.with_name("no_memories.jsonl")
UNSEEN = ("sixth",)
SURE = (0.9, 0.7)
RUNS = 15
_COLD = """
import memoir.memory.write
from time import perf_counter
start = perf_counter()
from memoir.filing.classifier import classify
from memoir.settings import FILING_THRESHOLD
classify("My editor of choice is Vim, every Monday")
print((perf_counter() - start) * 1000)
"""


class Filing(NamedTuple):
    """A fact, the first levels that are acceptable, the one chosen (or "inbox"), and how sure of it."""

    set_name: str
    levels: Sequence[str]
    choice: str
    confidence: float

    @property
    def right(self) -> bool:
        """Whether the fact landed in an acceptable place."""
        return self.choice in self.levels


def file_facts(file: Path) -> list[Filing]:
    """File each of a file's facts."""
    return [_file_fact(json.loads(line)) for line in file.read_text().splitlines()]


def _file_fact(fact: dict[str, str]) -> Filing:
    paths = classify(fact["text"]).paths
    confidence = paths[0].confidence if paths else 0.0
    choice = paths[0].path.partition(".")[0] if confidence >= THRESHOLD else "inbox"
    return Filing(fact["set"], fact["levels"], choice, confidence)


def share(filings: Sequence[Filing]) -> str:
    """The share of right ones, in percent, or a dash where there are none."""
    return f"{100 * sum(filing.right for filing in filings) / len(filings):.0f} %" if filings else "–"


def by_set(filings: Sequence[Filing]) -> str:
    """Accuracy by set of facts."""
    sets = dict.fromkeys(filing.set_name for filing in filings)
    groups = {name: [filing for filing in filings if filing.set_name == name] for name in sets}
    return table.markdown(
        ["set", "facts", "right", "inbox"],
        [[name, f"{len(g)}", share(g), f"{sum(f.choice == 'inbox' for f in g)}"] for name, g in groups.items()],
    )


def by_category(filings: Sequence[Filing]) -> str:
    """Accuracy by the first acceptable level, with where the others went."""
    rows = []
    for level in dict.fromkeys(filing.levels[0] for filing in filings):
        group = [filing for filing in filings if filing.levels[0] == level]
        astray = Counter(filing.choice for filing in group if not filing.right).most_common(3)
        rows.append([level, f"{len(group)}", share(group), ", ".join(f"{choice} {count}" for choice, count in astray)])
    return table.markdown(["category", "facts", "right", "went astray to"], rows)


def calibration(filings: Sequence[Filing]) -> str:
    """How often verdicts of about the same confidence are right."""
    rows = []
    for tenth in range(10):
        group = [filing for filing in filings if int(filing.confidence * 10) == tenth]
        if group:
            average = mean(filing.confidence for filing in group)
            rows.append(
                [f"{tenth / 10:.1f}–{(tenth + 1) / 10:.1f}", f"{len(group)}", f"{100 * average:.0f} %", share(group)]
            )
    return table.markdown(["confidence", "facts", "mean", "right"], rows)


def no_memories() -> str:
    """How many texts that are not memories are filed: of those that the confidence was fitted to, and of others."""
    texts = [json.loads(line) for line in NO_MEMORIES.read_text().splitlines()]
    rows = []
    for set_name in dict.fromkeys(text["set"] for text in texts):
        paths = [classify(text["text"]).paths for text in texts if text["set"] == set_name]
        count = sum(bool(each) and each[0].confidence >= THRESHOLD for each in paths)
        rows.append([set_name, f"{len(paths)}", f"{count}"])
    return table.markdown(["no memories", "texts", "filed"], rows)


def worlds(domains: Sequence[str]) -> str:
    """Of the facts of some worlds that are filed, the shares with the right levels and name, by embedder."""
    facts = [fact for domain in domains for fact in short_questions.read(domain, "facts")]
    minilm = MiniLm()
    meanings = {
        "minilm": [minilm_meaning(vector) for vector in minilm.embed([fact["content"] for fact in facts])],
        "static": [static_meaning(fact["content"]) for fact in facts],
    }
    header = ["embedder", "facts", "inbox", "first level", "second level", "name", *(f"from {at}" for at in SURE)]
    return table.markdown(header, [_world_row(name, facts, its) for name, its in meanings.items()])


def _world_row(name: str, facts: Sequence[dict[str, Any]], meanings: Sequence[Meaning]) -> list[str]:
    verdicts = [classify(fact["content"], meaning=its).paths for fact, its in zip(facts, meanings, strict=True)]
    best = [(fact, paths[0]) for fact, paths in zip(facts, verdicts, strict=True) if paths]
    filed = [(fact, path.path.split(".")) for fact, path in best if path.confidence >= THRESHOLD]
    right = [
        [levels[0] in {path.partition(".")[0] for path in fact["categories"]} for fact, levels in filed],
        [".".join(levels[:2]) in fact["categories"] for fact, levels in filed],
        [levels[2] in fact["names"] for fact, levels in filed],
    ]
    sure = [
        [path.path.partition(".")[0] in {each.partition(".")[0] for each in fact["categories"]}
         for fact, path in best if path.confidence >= limit]
        for limit in SURE
    ]  # fmt: skip
    shares = [f"{mean(verdict):.3f}" for verdict in right]
    inbox = f"{1 - len(filed) / len(facts):.2f}"
    return [name, f"{len(facts)}", inbox, *shares, *(f"{sum(each)} of {len(each)}" for each in sure)]


def warm(file: Path) -> float:
    """The median milliseconds of a verdict in a process that has given others."""
    texts = [json.loads(line)["text"] for line in file.read_text().splitlines()]
    took = []
    for text in texts:
        start = perf_counter()
        classify(text)
        took.append((perf_counter() - start) * 1000)
    return median(took)


def cold() -> float:
    """The median milliseconds of the first verdict of a process that is about to write a memory."""
    runs = (subprocess.run([sys.executable, "-c", _COLD], capture_output=True, check=True) for _ in range(RUNS))
    return median(float(run.stdout) for run in runs)


def main() -> None:
    """Print the tables."""
    if sys.argv[1:2] == ["--worlds"]:
        print(worlds(sys.argv[2:]))
        return
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else FACTS
    filings = file_facts(file)
    unseen = [filing for filing in filings if filing.set_name in UNSEEN]
    print(by_set(filings), by_category(unseen), calibration(unseen), no_memories(), sep="\n\n")
    print(f"\na verdict: {warm(file):.2f} ms warm, {cold():.1f} ms cold with its imports (medians)")


if __name__ == "__main__":
    main()
