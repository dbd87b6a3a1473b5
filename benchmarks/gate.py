"""Which prompts the hook of a host answers with memories, and with which.

/tmp/bench/bin/python -m benchmarks.gate
"""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks import table
from benchmarks.recall_store import seal
from memoir import Repository
from memoir.hosts.events import MOST_MEMORIES

_HERE = Path(__file__).parent


class Trial(NamedTuple):
    """A text, the paths that belong to it, and the paths that it was answered with."""

    text: str
    evidence: Sequence[str]
    paths: Sequence[str]


def ask(repository: Repository, file: Path) -> list[Trial]:
    """Ask every prompt or question of a file."""
    lines = map(json.loads, file.read_text().splitlines())
    prompts = [(line.get("prompt") or line["question"], line["evidence"]) for line in lines]
    return [Trial(text, evidence, _find(repository, text)) for text, evidence in prompts]


def _find(repository: Repository, text: str) -> list[str]:
    return [memory.path for memory in repository.agents.relevant(text)[:MOST_MEMORIES]]


def row(name: str, answers: Sequence[Trial]) -> list[str]:
    """How many there are, how many were answered with what belongs to them, with something, and the other memories."""
    right = sum(bool({*each.paths} & {*each.evidence}) for each in answers)
    others = sum(len({*each.paths} - {*each.evidence}) for each in answers)
    return [name, str(len(answers)), str(right), str(sum(bool(each.paths) for each in answers)), str(others)]


def main() -> None:
    """Print the table."""
    seal("static")
    with tempfile.TemporaryDirectory() as folder, Repository.init(folder) as repository:
        repository.import_lines((_HERE / "facts/memories.jsonl").read_bytes().splitlines())
        repository.upkeep.index()
        prompts = ask(repository, _HERE / "prompts/prompts.jsonl")
        questions = ask(repository, _HERE / "facts/questions.jsonl")
    sets = {
        "prompts to which a memory belongs": [each for each in prompts if each.evidence],
        "questions of benchmarks/facts": questions,
        "prompts to which none belongs": [each for each in prompts if not each.evidence],
    }
    header = ["set", "size", "answered with what belongs", "answered at all", "other memories"]
    print(table.markdown(header, [row(name, trials) for name, trials in sets.items()]))


if __name__ == "__main__":
    main()
