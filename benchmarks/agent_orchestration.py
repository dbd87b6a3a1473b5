"""How much of a multi-hop question's evidence mode `agent` brings together when every plan is right.

    /tmp/bench/bin/python -m benchmarks.agent_orchestration DATASET_DIR [--embedder minilm]

A *scripted planner* stands in for a model: a stub of the Messages API that knows the gold steps of each question. It
routes every question to `chain`, cites the gold memories that it is shown, and asks the first step whose memory it has
not seen and that it has not asked yet. So this measures the orchestration (what is searched, kept and put first), and
tells nothing of any model's quality.

DATASET_DIR holds `memories.jsonl` and `questions.jsonl`, whose questions have a `namespace`, the paths of their
`evidence`, and `steps`, each with a `question` and its `evidence`. A question counts if all its evidence is among the
best 10.
"""

import argparse
import json
import os
import re
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import table
from benchmarks.recall_store import Measurement, filled, opened, seal

if TYPE_CHECKING:
    from messages_api import Request

TESTS = Path(__file__).resolve().parent.parent / "tests"
"""Where the stub of the Messages API is."""
DEPTH = 10
ATTEMPTS = 3
_SHOWN_MEMORY = re.compile(r"^\[(\d+)\] ([^:\s]+): ", re.MULTILINE)


class Question(NamedTuple):
    """A question, and the questions and paths of its gold steps."""

    namespace: str
    text: str
    steps: Sequence[tuple[str, str]]

    @property
    def attempts(self) -> int:
        """The most searches: the default, or one for each hop if there are more hops."""
        return max(ATTEMPTS, len(self.steps))


class Score(NamedTuple):
    """How one question was answered."""

    hops: int
    recall: float
    calls: int
    milliseconds: float

    @property
    def whole(self) -> bool:
        """Whether all evidence was found."""
        return self.recall == 1.0


class ScriptedPlanner:
    """Answers the prompts of mode `agent` from gold steps."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._questions = {question.text: question for question in questions}
        self._steps: defaultdict[str, set[str]] = defaultdict(set)

    def __call__(self, request: "Request") -> str:
        """The answer to one prompt."""
        step = request.prelude.partition("\n")[0]
        if step == "step: agent.select":
            return "chain"
        text = request.tail.partition("\n")[0].removeprefix("Question: ")
        return json.dumps(self._judge(self._questions[text], request.tail))

    def _judge(self, question: Question, message: str) -> dict[str, Any]:
        gold = {path for _, path in question.steps}
        numbers = {path: int(number) for number, path in _SHOWN_MEMORY.findall(message) if path in gold}
        open_steps = [step for step, path in question.steps if path not in numbers]
        query = next((step for step in open_steps if step not in self._steps[question.text]), "")
        self._steps[question.text].add(query)
        return {
            "is_sufficient": not open_steps,
            "evidence_indices": [*numbers.values()],
            "new_query": query,
            "confidence_score": 0.0 if open_steps else 1.0,
        }


def questions(file: Path) -> list[Question]:
    """Read JSON lines."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [
        Question(
            line["namespace"],
            " ".join(line["question"].split()),
            [(step["question"], step["evidence"]) for step in line["steps"]],
        )
        for line in lines
    ]


def ask(store: Measurement, question: Question, mode: str) -> Score:
    """Ask one question in one mode."""
    options: dict[str, Any] = {"max_attempts": question.attempts, "cache": False} if mode == "agent" else {}
    start = perf_counter()
    results = store.engine.search(question.text, question.namespace, DEPTH, mode=mode, **options)
    milliseconds = (perf_counter() - start) * 1000
    if results.answer.degraded:
        raise SystemExit(f"degraded: {'; '.join(results.answer.degraded)}")
    gold = {path for _, path in question.steps}
    recall = len(gold.intersection(result.path for result in results)) / len(gold)
    return Score(len(question.steps), recall, results.answer.usage.calls, milliseconds)


def rows(scores: Sequence[Score], way: str) -> Iterator[list[str]]:
    """A row for all questions, and one for each number of hops."""
    for hops in (None, *sorted({score.hops for score in scores})):
        own = [score for score in scores if hops in (None, score.hops)]
        whole = statistics.mean(score.whole for score in own)
        part = statistics.mean(score.recall for score in own)
        calls = f"{statistics.mean(score.calls for score in own):.1f} ({max(score.calls for score in own)})"
        milliseconds = statistics.median(score.milliseconds for score in own)
        about = "all" if hops is None else f"{hops} hops"
        yield [way, about, str(len(own)), f"{whole:.2f}", f"{part:.3f}", calls, f"{milliseconds:.0f}"]


def main() -> None:
    """Ask every question in three modes, and print the table."""
    options = _parser().parse_args()
    seal(options.embedder)
    all_questions = questions(options.dataset / "questions.jsonl")
    table_rows: list[list[str]] = []
    with (options.dataset / "memories.jsonl").open("rb") as lines, filled(lines) as folder, opened(folder) as store:
        store.engine.search(all_questions[0].text, all_questions[0].namespace, mode="simple", wait=True)
        for mode in ("simple", "deep"):
            table_rows += rows([ask(store, question, mode) for question in all_questions], mode)
        table_rows += rows(_with_planner(store, all_questions), "agent, scripted planner")
    more = sum(1 for question in all_questions if question.attempts > ATTEMPTS)
    total = len(all_questions)
    print(f"{total} questions, embedder {options.embedder}; at most {ATTEMPTS} searches a question, or one for")
    print(f"each hop where there are more ({more} questions). The planner knows the gold steps: no model was asked.\n")
    columns = ["mode", "questions", "number", f"all in {DEPTH}", f"recall@{DEPTH}", "calls (most)", "ms"]
    print(table.markdown(columns, table_rows))


def _with_planner(store: Measurement, questions: Sequence[Question]) -> list[Score]:
    sys.path.append(str(TESTS))
    from messages_api import MessagesApi

    with MessagesApi(respond=ScriptedPlanner(questions)) as api:
        os.environ.update(api.env())
        return [ask(store, question, "agent") for question in questions]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path, metavar="DATASET_DIR")
    parser.add_argument("--embedder", choices=("hash", "static", "minilm"), default="static", help="(static)")
    return parser


if __name__ == "__main__":
    main()
