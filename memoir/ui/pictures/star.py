"""A star: what a memory has to do with, around it, the nearest the thickest."""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import NamedTuple

WIDTH, HEIGHT = 620, 300
_LONGEST = 22


class Ray(NamedTuple):
    """A thing around the middle: its name, the page that it leads to, how near it is (0 to 1), and why."""

    name: str
    link: str
    weight: float
    kind: str


class Placed(NamedTuple):
    """A ray and where it ends; `anchor` says on which side of that the name stands."""

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
    """Put things around a middle."""
    placed = []
    for number, ray in enumerate(rays):
        angle = 2 * pi * number / len(rays) - pi / 2
        x, y = WIDTH / 2 + 150 * cos(angle), HEIGHT / 2 + 110 * sin(angle)
        anchor = "middle" if abs(cos(angle)) < 0.2 else "start" if cos(angle) > 0 else "end"
        name = ray.name if len(ray.name) <= _LONGEST else "…" + ray.name[1 - _LONGEST :]
        placed.append(Placed(ray, round(x, 1), round(y, 1), anchor, name))
    return placed
