"""One ref as a hub, and a ref for each writer: a simulation of memoir's loop, for more agents than a machine can run.

    python -m benchmarks.hub_model [--agents 32 64 100 250 1000] [--seconds 0.4 2.9 5] [--every 60]

Each agent syncs once a minute, at a moment of its own; with `--every 0` again as soon as it is done. A try takes a
time; it moves the branch if nobody has moved the branch since it looked. With shared refs another try follows after a
random pause, 40 at most; with refs of their own writers are done after one, which takes longer by what it folds. The
server is never the bottleneck here.
"""

import argparse
import heapq
import random
import statistics
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from benchmarks import table

MINUTE, LENGTH = 60.0, 1800.0
"""Seconds within which the agents begin, and of the whole simulation."""
TRIES, LONGEST_PAUSE = 40, 5.0
READ = 0.005
"""Seconds that it takes to read and fold what another writer has sent since."""
READERS, FRESH = 5, 60.0
"""How many of the writers at work read and fold, and for how many seconds one goes on without."""
BLIND = 0.52
"""The part of a try that is over when it sees the branch: until then another's push does no harm. With 8 clones over a
link of 200 ms it fits the mean number of tries that was measured."""


_BEGINS, _LOOKS, _LEAVES = -1, -2, -3


class Outcome(NamedTuple):
    """The tries of each sync that succeeded, how many failed, their seconds, and those until the branch had it all."""

    tries: list[int]
    failed: int
    seconds: list[float]
    delays: list[float]
    most_heads: int


def shared(agents: int, w: float, every: float = MINUTE, seed: int = 0) -> Outcome:
    """Every agent pushes to the branch until it gets through."""
    dice, numbers = random.Random(seed), count()
    events = [(dice.uniform(0, MINUTE), next(numbers), 0, 0.0, _BEGINS) for _ in range(agents)]
    heapq.heapify(events)
    version, done = 0, Outcome([], 0, [], [], 0)
    failed = 0
    while events:
        now, _, tries, begin, seen = heapq.heappop(events)
        if seen == _BEGINS:
            start = begin if tries else now
            heapq.heappush(events, (now + BLIND * w, next(numbers), tries + 1, start, _LOOKS))
            continue
        if seen == _LOOKS:
            heapq.heappush(events, (now + (1 - BLIND) * w, next(numbers), tries, begin, version))
            continue
        if seen == version:
            version += 1
            done.tries.append(tries)
            done.seconds.append(now - begin)
        elif tries < TRIES:
            pause = dice.uniform(0, min(w * tries, LONGEST_PAUSE))
            heapq.heappush(events, (now + pause, next(numbers), tries, begin, _BEGINS))
            continue
        else:
            failed += 1
        following = begin + every
        if (following := max(following, now)) < LENGTH:
            heapq.heappush(events, (following, next(numbers), 0, following, _BEGINS))
    return done._replace(failed=failed)


def own(agents: int, w: float, every: float = MINUTE, seed: int = 0) -> Outcome:
    """Every agent pushes to a ref of its own, and moves the branch if nobody was faster."""
    dice, numbers = random.Random(seed), count()
    events: list[tuple[float, int, int, float, int, frozenset[int]]] = [
        (dice.uniform(0, MINUTE), next(numbers), agent, 0.0, _BEGINS, frozenset()) for agent in range(agents)
    ]
    heapq.heapify(events)
    heads: dict[int, list[float]] = {}
    pushes = [0] * agents
    last_push, last_read = [-1.0] * agents, [-FRESH] * agents
    version, most = 0, 0
    done = Outcome([], 0, [], [], 0)
    while events:
        now, _, agent, begin, seen, there = heapq.heappop(events)
        if seen == _BEGINS:
            heapq.heappush(events, (now + BLIND * w, next(numbers), agent, now, _LOOKS, there))
            continue
        if seen == _LOOKS:
            new = sum(at > last_read[agent] for at in last_push)
            reads = last_read[agent] <= now - FRESH or dice.random() < READERS / max(new, 1)
            last_read[agent] = now if reads else last_read[agent]
            marks = frozenset(each * 1_000_000 + pushes[each] for each in heads if reads)
            end = now + (1 - BLIND) * w + READ * new * reads
            heapq.heappush(events, (end, next(numbers), agent, begin, version if reads else _LEAVES, marks))
            continue
        pushes[agent] += 1
        last_push[agent] = now
        heads.setdefault(agent, []).append(now)
        if seen == version:
            version += 1
            done.delays.extend(now - at for at in heads.pop(agent))
            for mark in there:
                each, pushed = divmod(mark, 1_000_000)
                if each in heads and pushes[each] == pushed:
                    done.delays.extend(now - at for at in heads.pop(each))
        most = max(most, len(heads))
        done.tries.append(1)
        done.seconds.append(now - begin)
        if (following := max(begin + every, now)) < LENGTH:
            heapq.heappush(events, (following, next(numbers), agent, following, _BEGINS, frozenset()))
    return done._replace(most_heads=most)


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))] if values else 0.0


def _row(agents: int, seconds: float, every: float) -> list[str]:
    one, many = shared(agents, seconds, every), own(agents, seconds, every)
    share = one.failed / (one.failed + len(one.tries))
    return [
        f"{agents:,}",
        f"{seconds:g} s",
        f"{statistics.mean([*one.tries, *[TRIES] * one.failed]):.1f}, {share:.1%}",
        f"{statistics.mean(many.tries):.1f}, {many.failed}",
        f"{_p95(many.seconds):.1f} s",
        f"{many.most_heads}",
        f"{_p95(many.delays):.0f} s",
    ]


def main() -> None:
    """Simulate every combination, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", nargs="*", type=int, default=[32, 64, 100, 250, 1000], metavar="N")
    parser.add_argument("--seconds", nargs="*", type=float, default=[0.4, 2.9, 5.0], metavar="S", help="of a try")
    parser.add_argument("--every", type=float, default=MINUTE, metavar="S", help="seconds between syncs of an agent")
    options = parser.parse_args()
    header = [
        "agents", "a try takes", "shared: tries (mean), failed", "own: tries, failed", "own: p95 of a sync",
        "own: heads at most", "own: p95 until the branch has it",
    ]  # fmt: skip
    print(
        table.markdown(header, [_row(agents, w, options.every) for w in options.seconds for agents in options.agents])
    )


if __name__ == "__main__":
    main()
