"""The explorer's pictures: numbers in, the shapes of an SVG out; templates draw them, and colours are the style's.

The graph of commits has a lane for each line of history, drawn row by row beside the list. A star shows a memory with
its related ones around it; thicker lines are nearer. A treemap shows sizes as the areas of nearly square rectangles.
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
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
    """The first free lane; a new one if there is none."""
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


STAR_WIDTH, STAR_HEIGHT = 620, 300
_LONGEST = 22


class Ray(NamedTuple):
    """A related memory: its name, the URL of its page, its nearness (0 to 1), and the kind of relation."""

    name: str
    link: str
    weight: float
    kind: str


class Placed(NamedTuple):
    """A ray and its end; `anchor` is the side of the end on which the name stands."""

    ray: Ray
    x: float
    y: float
    anchor: str
    label: str

    @property
    def thickness(self) -> float:
        """The width of the line."""
        return round(1 + 4 * self.ray.weight, 1)


def star(rays: Sequence[Ray]) -> list[Placed]:
    """Place rays around the middle."""
    placed = []
    for number, ray in enumerate(rays):
        angle = 2 * pi * number / len(rays) - pi / 2
        x, y = STAR_WIDTH / 2 + 150 * cos(angle), STAR_HEIGHT / 2 + 110 * sin(angle)
        anchor = "middle" if abs(cos(angle)) < 0.2 else "start" if cos(angle) > 0 else "end"
        name = ray.name if len(ray.name) <= _LONGEST else "…" + ray.name[1 - _LONGEST :]
        placed.append(Placed(ray, round(x, 1), round(y, 1), anchor, name))
    return placed


WIDTH, HEIGHT = 640, 400


class Box(NamedTuple):
    """An area to lay tiles out in."""

    x: float = 0
    y: float = 0
    width: float = WIDTH
    height: float = HEIGHT


_WHOLE = Box()


class Tile(NamedTuple):
    """The contents of a rectangle: a name, a size, an age from 0 (new) on, and the URL of its page."""

    name: str
    size: int
    age: int
    link: str


class Rectangle(NamedTuple):
    """A tile and where it is drawn."""

    tile: Tile
    x: float
    y: float
    width: float
    height: float

    @property
    def inside(self) -> Box | None:
        """The area below the name, for tiles of the next level; None if it is too small for them."""
        if self.width < 90 or self.height < 70:
            return None
        return Box(self.x + 5, self.y + 26, self.width - 10, self.height - 31)

    @property
    def label(self) -> str:
        """The name, cut to the room that there is."""
        most = int((self.width - 12) / 7.5)
        if most < 3 or self.height < 22:
            return ""
        return self.tile.name if len(self.tile.name) <= most else self.tile.name[: most - 1] + "…"


def treemap(tiles: Sequence[Tile], area: Box = _WHOLE) -> list[Rectangle]:
    """Arrange tiles, the largest first, in rows along the shorter side; a row grows while its tiles become squarer.

    The algorithm is that of squarified treemaps (Bruls, Huizing and van Wijk, 2000).
    """
    rest = sorted((tile for tile in tiles if tile.size), key=lambda tile: -tile.size)
    x, y, width, height = area
    scale = width * height / sum(tile.size for tile in rest) if rest else 0
    done: list[Rectangle] = []
    while rest:
        side = min(width, height)
        length = 1
        while length < len(rest) and _worst(rest[: length + 1], side, scale) <= _worst(rest[:length], side, scale):
            length += 1
        row, rest = rest[:length], rest[length:]
        depth = sum(tile.size for tile in row) * scale / side
        offset = 0.0
        for tile in row:
            extent = tile.size * scale / depth
            box = (x, y + offset, depth, extent) if width >= height else (x + offset, y, extent, depth)
            done.append(Rectangle(tile, *(round(each, 1) for each in box)))
            offset += extent
        if width >= height:
            x, width = x + depth, width - depth
        else:
            y, height = y + depth, height - depth
    return done


def _worst(row: Sequence[Tile], side: float, scale: float) -> float:
    """The greatest ratio of the sides of a row's tiles."""
    area = sum(tile.size for tile in row) * scale
    most, least = row[0].size * scale, row[-1].size * scale
    return max(side * side * most / (area * area), area * area / (side * side * least))
