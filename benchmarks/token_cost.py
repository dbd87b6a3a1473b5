"""What a recalled fact costs in tokens, everything that is printed counted, for several ways to ask for it.

    .venv/bin/python -m benchmarks.token_cost FOLDER [--embedder static] [--questions 200]

FOLDER is a set of conversations (`benchmarks/evidence_sets.py`), each imported turn by turn into a store of its own. A
token is four characters. In each way at most so many tokens are printed as the budget says; the score of a question is
the share of its evidence that stands in what is printed (`benchmarks/evidence_score.py`), and the price of a fact is
the tokens printed over that share. The ways:

* `json`, `lean`: `recall --max-tokens` with --json, and with --lean;
* `survey, get`: a scripted agent that reads `summarize --depth 2`, then `get --prefix` where the question's words are;
* `grep`: the lines of one file of everything that have the rarest of the question's words, most words first;
* `file`: that file from its end, as a file of notes that is loaded whole.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import table
from benchmarks.command_store import memoir
from benchmarks.evidence import fill
from benchmarks.evidence_score import PER_TOKEN, Evidence
from benchmarks.evidence_sets import READERS, Conversation, form_of
from benchmarks.recall_store import seal
from memoir.english.stopwords import STOP_WORDS

BUDGETS = (500, 1000, 2000, 4096)


class Batch:
    """A running `memoir batch` in a store."""

    def __init__(self, folder: Path) -> None:
        env = {**os.environ, "HOME": str(folder / "home"), "MEMOIR_STORE": str(folder)}
        argv = [sys.executable, "-m", "memoir", "batch"]
        self._process = subprocess.Popen(argv, env=env, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *args: str) -> Any:
        """The answer to a command."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps({"args": args}).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())["answer"]

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()


class Flat:
    """Everything in one file, a line a memory, as a file of notes has it."""

    def __init__(self, conversation: Conversation) -> None:
        self.lines = [
            f"- {turn.speaker} ({turn.when[:10]}): {' '.join(turn.text.split())}" for turn in conversation.turns
        ]
        self._counts = Counter(word for line in self.lines for word in set(_words(line)))

    def tail(self, tokens: int) -> str:
        """The end of the file."""
        return "\n".join(self.lines)[-tokens * PER_TOKEN :]

    def grep(self, question: str, tokens: int) -> str:
        """The lines with the question's rarest three words, those with most of them first."""
        words = sorted(set(_words(question)) - STOP_WORDS, key=lambda word: self._counts[word] or 10**6)[:3]
        scored = [(sum(word in line.lower() for word in words), -place) for place, line in enumerate(self.lines)]
        chosen = [self.lines[-place] for hits, place in sorted(scored, reverse=True) if hits]
        return "\n".join(chosen)[: tokens * PER_TOKEN]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z']{3,}", text.lower())


def _recall(batch: Batch, question: str, tokens: int, way: str) -> str:
    flags = {"json": ["--json"], "lean": ["--lean"]}[way]
    answer = batch.ask("recall", question, "--max-tokens", str(tokens), *flags)
    assert not answer.get("degraded"), answer["degraded"]
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def _survey(batch: Batch, question: str, tokens: int) -> str:
    """What a survey and a drill into the prefixes with the question's words print."""
    survey = batch.ask("summarize", "--depth", "2", "--lean")
    printed = json.dumps(survey, separators=(",", ":"))
    prefixes = [prefix for counts in survey.get("prefix_counts", {}).values() for prefix in counts]
    ranked = sorted(prefixes, key=lambda prefix: -sum(word in prefix for word in _words(question)))
    for prefix in ranked:
        if len(printed) >= tokens * PER_TOKEN:
            break
        printed += "\n" + json.dumps(batch.ask("get", "--prefix", prefix, "--lean"), ensure_ascii=False)
    return printed[: tokens * PER_TOKEN]


def measure(
    conversations: Iterable[Conversation], options: argparse.Namespace
) -> Iterator[tuple[str, int, float, int]]:
    """For each question, way and budget: the share of the evidence, and the tokens."""
    for conversation in conversations:
        with TemporaryDirectory(prefix="memoir-bench-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            fill("import", conversation, folder, options)
            batch, flat, evidence = Batch(folder), Flat(conversation), Evidence(conversation)
            for question in conversation.questions[: options.questions]:
                for budget in BUDGETS:
                    printed = {
                        "json": _recall(batch, question.text, budget, "json"),
                        "lean": _recall(batch, question.text, budget, "lean"),
                        "survey, get": _survey(batch, question.text, budget),
                        "grep": flat.grep(question.text, budget),
                        "file": flat.tail(budget),
                    }
                    for way, text in printed.items():
                        plain = text.replace("\\n", "\n").replace('\\"', '"')
                        found = evidence.found(question.evidence, [plain])
                        yield way, budget, len(found) / len(question.evidence), -(-len(text) // PER_TOKEN)
            batch.close()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--questions", type=int)
    options = parser.parse_args()
    seal(options.embedder)
    conversations = READERS[form_of(options.folder)](options.folder)
    rows: dict[tuple[str, int], list[tuple[float, int]]] = {}
    for way, budget, share, tokens in measure(conversations, options):
        rows.setdefault((way, budget), []).append((share, tokens))
    ways = dict.fromkeys(way for way, _ in rows)
    printed = []
    for way in ways:
        cells = []
        for budget in BUDGETS:
            share = statistics.mean(each[0] for each in rows[way, budget])
            spent = statistics.mean(each[1] for each in rows[way, budget])
            cells.append(f"{share:.2f} ({spent / share:,.0f})" if share else "0")
        printed.append([way, *cells])
    print(table.markdown(["way", *(f"{budget:,} tokens" for budget in BUDGETS)], printed))
    with TemporaryDirectory(prefix="memoir-bench-", ignore_cleanup_errors=True) as name:
        memoir(Path(name), "init", name)
        fixed = {
            each: memoir(Path(name), *each.split(" ")) for each in ("prime", "help --brief --lean", "recall --help")
        }
    print("\nfixed:", ", ".join(f"{name} {len(text) // PER_TOKEN}" for name, text in fixed.items()), "tokens")


if __name__ == "__main__":
    main()
