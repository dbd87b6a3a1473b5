"""What a command takes in `memoir batch`, one warm process, as a caller sees it: a line in, a line out.

    .venv/bin/python -m benchmarks.batch_latency [--size 10000] [--rounds 200]

Wall clock, the median of all rounds, and processor time, the mean: the command's own and that of each git that it
starts for a write. The embedder is `static`.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from benchmarks import table
from benchmarks.recall_workload import memories, questions


class Batch:
    """A running `memoir batch`."""

    def __init__(self, memoir: str, folder: Path) -> None:
        env = {**os.environ, "MEMOIR_EMBED_PROVIDER": "static", "MEMOIR_STORE_GLOBAL": "off"}
        argv = [memoir, "-s", str(folder), "batch"]
        self.process = subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *args: str) -> float:
        """Run one command; returns the seconds until its answer was there."""
        assert self.process.stdin and self.process.stdout
        begin = perf_counter()
        self.process.stdin.write(json.dumps({"args": args}).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        seconds = perf_counter() - begin
        assert answer["status"] == 0, answer
        return seconds

    def processor_seconds(self) -> float:
        """The processor time of the process so far, and of the processes that it has waited for."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _measure(batch: Batch, rows: Sequence[Sequence[str]]) -> tuple[str, str]:
    """The median of the seconds, and the mean of the processor time."""
    batch.ask(*rows[0])
    before = batch.processor_seconds()
    seconds = [batch.ask(*row) for row in rows]
    spent = (batch.processor_seconds() - before) / len(rows)
    return f"{1000 * statistics.median(seconds):.1f} ms", f"{1000 * spent:.1f} ms"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--memoir", default=str(Path(sys.executable).with_name("memoir")))
    chosen = parser.parse_args()
    lines = [*memories(chosen.size)]
    paths = [json.loads(line)["path"] for line in lines[:: max(1, len(lines) // chosen.rounds)]]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:  # a repack may go on in it
        subprocess.run([chosen.memoir, "-q", "init", name], check=True)
        subprocess.run([chosen.memoir, "-q", "-s", name, "import", "-"], input=b"\n".join(lines), check=True)
        batch = Batch(chosen.memoir, Path(name))
        batch.ask("index")
        calls: dict[str, Sequence[Sequence[str]]] = {
            "get": [("get", path) for path in paths],
            "recall": [("recall", text) for text in questions(chosen.rounds)],
            "summarize --depth 1": [("summarize", "--depth", "1")] * chosen.rounds,
            "blame": [("blame", path) for path in paths],
            "remember -p": [("remember", f"fact {n}", "-p", f"new.fact{n}") for n in range(chosen.rounds // 4)],
        }
        printed = [[command, *_measure(batch, rows)] for command, rows in calls.items()]
        batch.process.communicate()
    print(table.markdown(["command", "a line in, a line out", "processor time"], printed))


if __name__ == "__main__":
    main()
