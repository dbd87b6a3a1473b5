"""The graph of commits: a lane for each line of history, drawn row by row beside the list."""

from collections.abc import Iterable
from typing import NamedTuple

from memoir.git.objects import Oid
from memoir.store.commit import Commit

ROW, LANE = 53, 16
"""The height of a row and the width of a lane."""
_MOST_LANES = 8
_COLOURS = 6


class Edge(NamedTuple):
    """A line in a row, as an SVG path, and the number of its colour."""

    path: str
    colour: int


class GraphRow(NamedTuple):
    """A commit, where its dot is, and the lines of its row."""

    commit: Commit
    x: int
    colour: int
    edges: list[Edge]
    width: int


def commit_graph(commits: Iterable[Commit]) -> list[GraphRow]:
    """Draw commits, newest first: each lane waits for a commit, and goes on to its first parent."""
    lanes: list[Oid | None] = []
    rows: list[tuple[Commit, int, list[Edge], int]] = []
    for commit in commits:
        lane = lanes.index(commit.id) if commit.id in lanes else _free(lanes)
        before = list(lanes)
        before[lane] = commit.id if commit.id in lanes else None
        after: list[Oid | None] = [None if each == commit.id else each for each in lanes]
        targets = []
        for number, parent in enumerate(commit.parents):
            if parent not in after:
                after[lane if number == 0 else _free(after, keep=lane)] = parent
            targets.append(after.index(parent))
        edges = list(_edges(commit, lane, before, after, targets))
        while after and after[-1] is None:
            after.pop()
        rows.append((commit, lane, edges, max(len(before), len(after), 1)))
        lanes = after
    width = min(max((size for *_, size in rows), default=1), _MOST_LANES) * LANE
    return [GraphRow(commit, _x(lane), lane % _COLOURS, edges, width) for commit, lane, edges, _ in rows]


def _free(lanes: list[Oid | None], keep: int = -1) -> int:
    """The first lane that nothing waits in; a new one if there is none."""
    for number, each in enumerate(lanes):
        if each is None and number != keep:
            return number
    lanes.append(None)
    return len(lanes) - 1


def _edges(
    commit: Commit, lane: int, before: list[Oid | None], after: list[Oid | None], targets: list[int]
) -> Iterable[Edge]:
    middle, here = ROW // 2, _x(lane)
    for number, each in enumerate(before):
        if each == commit.id:  # several lanes may wait for it
            yield Edge(
                f"M{_x(number)} 0C{_x(number)} {middle // 2} {here} {middle // 2} {here} {middle}", number % _COLOURS
            )
        elif each is not None and each in after:
            there = _x(after.index(each))
            yield Edge(f"M{_x(number)} 0C{_x(number)} {middle} {there} {middle} {there} {ROW}", number % _COLOURS)
    for number in targets:
        there = _x(number)
        yield Edge(f"M{here} {middle}C{here} {middle + 14} {there} {middle + 6} {there} {ROW}", number % _COLOURS)


def _x(lane: int) -> int:
    return min(lane, _MOST_LANES - 1) * LANE + LANE // 2
