"""How often a hook after a failed command finds the memory that helps, and how often it says something it should not.

    python -m benchmarks.failure_recall

`failures/memories.jsonl` is a store; `failures/failures.jsonl` has 40 errors about which it holds a memory, and 40
about which it holds none. Both were written before the rules of `memoir.english.code_text`.
"""

import json
import tempfile
from pathlib import Path

from memoir.repository.repository import Repository

FOLDER = Path(__file__).parent / "failures"
SHOWN = 1
"""The memories that the hook shows at most."""


def main() -> None:
    """Print the shares."""
    failures = [json.loads(line) for line in (FOLDER / "failures.jsonl").read_text("utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as folder, Repository.init(folder) as repository:
        repository.import_lines((FOLDER / "memories.jsonl").read_bytes().splitlines())
        repository.upkeep.index()
        found = wrong = beside = 0
        for failure in failures:
            hits = [hit.path for hit in repository.agents.about_failure(failure["error"], seconds=60)][:SHOWN]
            if failure["expected"]:
                found += failure["expected"] in hits
                beside += any(hit != failure["expected"] for hit in hits)
                print("" if failure["expected"] in hits else f"missed {failure['expected']}: {hits}")
            else:
                wrong += bool(hits)
                print(f"wrong {failure['error'][:70]!r}: {hits}" if hits else "")
    known = sum(bool(failure["expected"]) for failure in failures)
    print(f"found {found}/{known}, beside it another {beside}/{known}, wrong {wrong}/{len(failures) - known}")


if __name__ == "__main__":
    main()
