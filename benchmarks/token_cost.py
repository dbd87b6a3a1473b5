"""What a recalled fact costs in tokens, everything that is printed counted, for several ways to ask for it.

    .venv/bin/python -m benchmarks.token_cost FOLDER [--embedder static] [--questions 40] [--stores DIR]

FOLDER is a set of conversations (`benchmarks/evidence_sets.py`), each imported turn by turn into a store of its own. A
token is four characters. In each way at most so many tokens are printed as the budget says; the score of a question is
the share of its evidence that stands in what is printed (`benchmarks/evidence_score.py`), and the price of a fact is
the tokens printed over that share. The ways:

* `contents`: what would be printed if nothing but the contents were, at the same ranking: whole JSON cannot do better;
* `json`, `lean`, `lines`: `recall --max-tokens` with --json, with --lean, and for people;
* `mcp`: the tool `recall`, the JSON of its answer;
* `prime`: `prime --query`, which has 8,000 characters at most;
* `survey, get`: a scripted agent that reads `summarize --depth 2`, then `get --prefix` where the question's words are;
* `grep`: the lines of one file of everything that have the rarest of the question's words, most words first;
* `file`: that file from its end, as a file of notes that is loaded whole.
"""

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast

from benchmarks import table
from benchmarks.command_store import memoir
from benchmarks.evidence import fill
from benchmarks.evidence_score import PER_TOKEN, Evidence
from benchmarks.evidence_sets import READERS, Conversation, Question, form_of
from benchmarks.recall_store import seal
from memoir import Repository
from memoir.answers import recall
from memoir.answers.answer import dump, fields_of_success
from memoir.answers.lean import lean
from memoir.answers.recall import Display
from memoir.answers.token_budget import cut_to
from memoir.cli.commands.recall import MOST_WITHIN
from memoir.english.stopwords import STOP_WORDS
from memoir.mcp.call import Cursor, ToolCall, page
from memoir.mcp.service import BY_NAME, INSTRUCTIONS, TOOLS

BUDGETS = (500, 1000, 2000, 4096)
_LONGEST_PRIMER = 8000
_SEED = 26


class Batch:
    """A running `memoir batch` in a store, which answers each command once."""

    def __init__(self, folder: Path) -> None:
        env = {**os.environ, "HOME": str(folder / "home"), "MEMOIR_STORE": str(folder)}
        argv = [sys.executable, "-m", "memoir", "batch"]
        self._process = subprocess.Popen(argv, env=env, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers: dict[tuple[str, ...], Any] = {}

    def ask(self, *args: str) -> Any:
        """The answer to a command."""
        if args not in self._answers:
            assert self._process.stdin and self._process.stdout
            self._process.stdin.write(json.dumps({"args": args}).encode() + b"\n")
            self._process.stdin.flush()
            self._answers[args] = json.loads(self._process.stdout.readline())["answer"]
        return self._answers[args]

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


def _recall(repository: Repository, question: str) -> Iterator[tuple[str, int, str]]:
    """Each way of one recall, and each budget, with what is printed."""
    joined, single = (repository.recall(question, limit=MOST_WITHIN, joined=each) for each in (True, False))
    assert not joined.degraded, joined.degraded
    asked = cast("Repository", SimpleNamespace(recall=lambda query, **options: single))  # the same question once more
    reply = BY_NAME["recall"].call(ToolCall(asked, {"query": question, "limit": MOST_WITHIN}))
    reply = reply._replace(items=list(reply.items))
    for budget in BUDGETS:
        yield "contents", budget, "\n".join(each.content for each in joined.memories)[: budget * PER_TOKEN]
        whole = cut_to(joined, Display(), budget, lambda data: len(_whole(data)))
        yield "json", budget, _whole(recall.data(whole, Display()))
        brief, display = cut_to(single, Display(lean=True), budget, lambda data: len(_lean(data))), Display()
        yield "lean", budget, _lean(recall.data(brief, Display(lean=True)))
        lines = recall.recall(cut_to(single, display, budget, None), display).human()
        yield "lines", budget, "\n".join("".join(text for text, _ in each) for each in lines)
        yield "mcp", budget, dump(page(reply, Cursor(), "0" * 8, budget * PER_TOKEN)).decode()
        primer = repository.agents.prime(max_chars=min(budget * PER_TOKEN, _LONGEST_PRIMER), query=question)
        yield "prime", budget, primer.text


def _whole(data: Mapping[str, object]) -> str:
    return dump(fields_of_success("recall", data)).decode()


def _lean(data: Mapping[str, object]) -> str:
    return dump(lean(fields_of_success("recall", data))).decode()


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
    conversations: Iterable[Conversation], options: argparse.Namespace, stores: Path
) -> Iterator[tuple[str, int, float, int]]:
    """For each question, way and budget: the share of the evidence, and the tokens."""
    for conversation in conversations:
        folder = stores / conversation.name
        if not folder.exists():
            folder.mkdir(parents=True)
            fill("import", conversation, folder, options)
        batch, flat, evidence = Batch(folder), Flat(conversation), Evidence(conversation)
        os.environ["HOME"] = str(folder / "home")
        with Repository.open(folder) as repository:
            for question in _sample(conversation.questions, options.questions):
                printed = [*_recall(repository, question.text)]
                for budget in BUDGETS:
                    printed.append(("survey, get", budget, _survey(batch, question.text, budget)))
                    printed.append(("grep", budget, flat.grep(question.text, budget)))
                    printed.append(("file", budget, flat.tail(budget)))
                for way, budget, text in printed:
                    plain = text.replace("\\n", "\n").replace('\\"', '"')
                    found = evidence.found(question.evidence, [plain])
                    yield way, budget, len(found) / len(question.evidence), -(-len(text) // PER_TOKEN)
        batch.close()


def _sample(questions: Sequence[Question], most: int | None) -> Sequence[Question]:
    """So many of some questions by chance, which is the same in each run; all if none is said."""
    return questions if most is None else random.Random(_SEED).sample(questions, min(most, len(questions)))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", default="static")
    parser.add_argument("--questions", type=int, help="so many of each conversation by chance, the same in each run")
    parser.add_argument("--stores", type=Path, help="where the stores of the conversations are, or are left")
    options = parser.parse_args()
    seal(options.embedder)
    conversations = READERS[form_of(options.folder)](options.folder)
    rows: dict[tuple[str, int], list[tuple[float, int]]] = {}
    with TemporaryDirectory(prefix="memoir-bench-", ignore_cleanup_errors=True) as name:
        for way, budget, share, tokens in measure(conversations, options, options.stores or Path(name)):
            rows.setdefault((way, budget), []).append((share, tokens))
    printed = []
    for way in dict.fromkeys(way for way, _ in rows):
        cells = []
        for budget in BUDGETS:
            share = statistics.mean(each[0] for each in rows[way, budget])
            spent = statistics.mean(each[1] for each in rows[way, budget])
            cells.append(f"{share:.3f} ({spent / share:,.0f})" if share else "0")
        printed.append([way, *cells])
    chosen = f"{options.questions} of each conversation by chance, seed {_SEED}" if options.questions else "all of them"
    print(f"{len(rows['json', BUDGETS[0]])} questions, {chosen}\n")
    print(table.markdown(["way", *(f"{budget:,} tokens" for budget in BUDGETS)], printed))
    print("\nfixed:", ", ".join(f"{name} {len(text) // PER_TOKEN}" for name, text in _fixed()), "tokens")


def _fixed() -> Iterator[tuple[str, str]]:
    """What a session costs before the first question, with an empty store."""
    with TemporaryDirectory(prefix="memoir-bench-", ignore_cleanup_errors=True) as name:
        memoir(Path(name), "init", name)
        for command in ("prime", "help --brief --lean", "recall --help"):
            yield command, memoir(Path(name), *command.split(" "))
    yield "MCP's tools", json.dumps([tool.listing for tool in TOOLS], separators=(",", ":"))
    yield "MCP's instructions", INSTRUCTIONS


if __name__ == "__main__":
    main()
