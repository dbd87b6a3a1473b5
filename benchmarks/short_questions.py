"""How often a short question without a shared word finds its fact: first, within five, within ten.

    /tmp/bench/bin/python -m benchmarks.short_questions [--embedder static] [DOMAIN...]

`benchmarks/short/README.md` says what the sets are. A set is imported under paths without a meaning, so that only its
contents are found, its index is completed, and each question is asked as `recall --mode simple` does.
"""

import argparse
import io
import json
import tempfile
from collections.abc import Iterator, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any

from benchmarks import table
from benchmarks.recall_store import seal
from memoir import Repository

SETS = Path(__file__).parent / "short"
TUNED = ("booking", "warehouse", "freelancer", "games", "lab")
KEPT = ("firmware", "school", "logistics")
DEPTHS = (1, 5, 10)


def read(domain: str, what: str) -> list[dict[str, Any]]:
    """The JSON lines of a set."""
    return [json.loads(line) for line in (SETS / f"{domain}.{what}.jsonl").read_text("utf-8").splitlines()]


def path_of(key: str) -> str:
    """A path that says nothing."""
    return "context.project." + "".join(chr(ord("a") + int(digit, 16)) for digit in sha1(key.encode()).hexdigest()[:10])


def ranks(domain: str) -> Iterator[int | None]:
    """The rank of each question's first fact among the first ten; None if none is."""
    lines = [{"path": path_of(fact["key"]), "content": fact["content"]} for fact in read(domain, "facts")]
    with tempfile.TemporaryDirectory() as folder, Repository.init(Path(folder)) as repository:
        repository.import_lines(io.BytesIO(b"\n".join(json.dumps(line).encode() for line in lines)))
        repository.upkeep.index()
        for question in read(domain, "questions"):
            answer = repository.recall(question["question"], mode="simple", limit=max(DEPTHS))
            paths = [memory.path for memory in answer.memories]
            right = {path_of(key) for key in question["evidence"]}
            yield next((rank for rank, path in enumerate(paths, 1) if path in right), None)


def row(name: str, found: Sequence[int | None]) -> list[str]:
    """The shares of questions answered within each depth."""
    shares = [sum(rank is not None and rank <= depth for rank in found) / len(found) for depth in DEPTHS]
    return [name, str(len(found)), *(f"{share:.2f}" for share in shares)]


def main() -> None:
    """Ask all sets, or the named ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedder", default="minilm", choices=("minilm", "static", "hash"))
    parser.add_argument("domains", nargs="*", default=[*TUNED, *KEPT])
    arguments = parser.parse_args()
    seal(arguments.embedder)
    found = {domain: list(ranks(domain)) for domain in arguments.domains}
    groups = {"all used while building": TUNED, "all kept for the end": KEPT}
    rows = [row(domain, its) for domain, its in found.items()]
    rows += [
        row(name, [rank for domain in group for rank in found[domain]])
        for name, group in groups.items()
        if found.keys() >= set(group)
    ]
    print(table.markdown(["set", "questions", *(f"@{depth}" for depth in DEPTHS)], rows))


if __name__ == "__main__":
    main()
