"""A treemap: rectangles whose areas are sizes, laid out so that they are nearly squares."""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 640, 400


class Box(NamedTuple):
    """An area to lay tiles out in."""

    x: float = 0
    y: float = 0
    width: float = WIDTH
    height: float = HEIGHT


_WHOLE = Box()


class Tile(NamedTuple):
    """What a rectangle stands for: a name, a size, an age from 0 (new) on, and the page that it leads to."""

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
        """As much of the name as there is room for."""
        most = int((self.width - 12) / 7.5)
        if most < 3 or self.height < 22:
            return ""
        return self.tile.name if len(self.tile.name) <= most else self.tile.name[: most - 1] + "…"


def treemap(tiles: Sequence[Tile], area: Box = _WHOLE) -> list[Rectangle]:
    """Lay tiles out, the largest first: rows along the shorter side, each as long as that makes its tiles squarer.

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
