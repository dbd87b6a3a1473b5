"""How often a short question without a shared word finds its fact: first, within five, within ten.

    /tmp/bench/bin/python -m benchmarks.short_questions [--embedder static] [--mode deep] [--weak] [DOMAIN...]

`benchmarks/short/README.md` says what the sets are. A set is imported under paths without a meaning, so that only its
contents are found, its index is completed, and each question is asked as `recall --mode simple` does. With `--weak`
each set is asked the first questions of the other sets too, which it cannot answer, and the last table tells how well
the mark `weak` separates what the first five memories answer from what they do not.
"""

import argparse
import io
import json
import tempfile
from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import table
from benchmarks.recall_store import seal
from memoir import Repository
from memoir.recall.relevance import fits

SETS = Path(__file__).parent / "short"
TUNED = ("booking", "warehouse", "freelancer", "games", "lab")
KEPT = ("firmware", "school", "logistics")
ONCE = ("theatre", "relocation", "compiler")
OUTSIDE = ("bakery", "transit", "carer", "birds", "library")
LAST = ("solicitors", "marathon", "winery")
EARLIER = ("research", "studio", "household", "it")
NEWEST = ("podcast", "hospital", "family", "rental")
LATEST = ("vets", "newsroom", "ceramics", "robotics")
UNREAD = ("payments", "student", "mobile", "choir", "energy")
DEPTHS = (1, 5, 10)
ENOUGH = 5
"""An answer is right if one of so many memories is."""
STRANGERS = 15
"""Questions of each other set that a set is asked."""


def read(domain: str, what: str) -> list[dict[str, Any]]:
    """The JSON lines of a set."""
    return [json.loads(line) for line in (SETS / f"{domain}.{what}.jsonl").read_text("utf-8").splitlines()]


def path_of(key: str) -> str:
    """A path that says nothing."""
    return "context.project." + "".join(chr(ord("a") + int(digit, 16)) for digit in sha1(key.encode()).hexdigest()[:10])


class Asked(NamedTuple):
    """The rank of a question's first fact among the first ten, None if none is; and whether the answer is marked."""

    rank: int | None
    weak: bool


def asked(domain: str, mode: str, strangers: Sequence[dict[str, Any]] = ()) -> Iterator[Asked]:
    """What a set answers to its questions, and to others."""
    lines = [{"path": path_of(fact["key"]), "content": fact["content"]} for fact in read(domain, "facts")]
    with tempfile.TemporaryDirectory() as folder, Repository.init(Path(folder)) as repository:
        repository.import_lines(io.BytesIO(b"\n".join(json.dumps(line).encode() for line in lines)))
        repository.upkeep.index()
        for question in (*read(domain, "questions"), *strangers):
            answer = repository.recall(question["question"], mode=mode, limit=max(DEPTHS))
            paths = [memory.path for memory in answer.memories]
            right = {path_of(key) for key in question["evidence"]}
            yield Asked(next((rank for rank, path in enumerate(paths, 1) if path in right), None), not fits(answer))


def strangers(domain: str, domains: Sequence[str]) -> list[dict[str, Any]]:
    """The first questions of the other sets, without evidence."""
    others = (question for other in domains if other != domain for question in read(other, "questions")[:STRANGERS])
    return [{**question, "evidence": []} for question in others]


def weak_row(answers: Sequence[Asked]) -> list[str]:
    """How many answers are marked: of the right ones, of the others, and how many of the marks are right."""
    right = [each.weak for each in answers if each.rank is not None and each.rank <= ENOUGH]
    wrong = [each.weak for each in answers if each.rank is None or each.rank > ENOUGH]
    marks = sum(right) + sum(wrong)
    return [f"{sum(wrong)} of {len(wrong)}", f"{sum(right)} of {len(right)}", f"{sum(wrong) / max(marks, 1):.2f}"]


def row(name: str, found: Sequence[int | None]) -> list[str]:
    """The shares of questions answered within each depth."""
    shares = [sum(rank is not None and rank <= depth for rank in found) / len(found) for depth in DEPTHS]
    return [name, str(len(found)), *(f"{share:.2f}" for share in shares)]


def main() -> None:
    """Ask all sets, or the named ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="minilm", choices=("minilm", "static", "hash"))
    parser.add_argument("--mode", default="simple", choices=("simple", "deep", "agent"))
    parser.add_argument("--weak", action="store_true", help="judge the mark weak, too")
    parser.add_argument(
        "domains", nargs="*", default=[*TUNED, *KEPT, *ONCE, *OUTSIDE, *LAST, *EARLIER, *NEWEST, *LATEST, *UNREAD]
    )
    arguments = parser.parse_args()
    seal(arguments.embedder)
    others = {each: strangers(each, arguments.domains) if arguments.weak else [] for each in arguments.domains}
    answers = {each: list(asked(each, arguments.mode, others[each])) for each in arguments.domains}
    found = {each: [one.rank for one in its[: len(its) - len(others[each])]] for each, its in answers.items()}
    groups = {
        "all used while building": TUNED,
        "all kept for the end": KEPT,
        "all of one author": ONCE,
        "all of five strangers": OUTSIDE,
        "all of the last three": LAST,
        "all of the four before": EARLIER,
        "all of the newest four": NEWEST,
        "all of the latest four": LATEST,
        "all by who had read no rule": UNREAD,
    }
    rows = [row(domain, its) for domain, its in found.items()]
    rows += [
        row(name, [rank for domain in group for rank in found[domain]])
        for name, group in groups.items()
        if found.keys() >= set(group)
    ]
    print(table.markdown(["set", "questions", *(f"@{depth}" for depth in DEPTHS)], rows))
    if arguments.weak:
        marked = weak_row([one for its in answers.values() for one in its])
        print("\n" + table.markdown(["unanswered: marked", "answered: marked", "marks that are right"], [marked]))


if __name__ == "__main__":
    main()
