"""The catalogue of categories: the default taxonomy, and its extension by a store's own categories.

It is TOML with a table for each first level and each second level. `about` describes the category in a line; the
optional `examples` are memories that belong there; `cues` are comma-separated words and phrases that are evidence for
it. The default is `default.toml`, beside this module.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.taxonomy.paths import check_path

_FIELDS = ("about", "examples", "cues")
_DEFAULT = Path(__file__).with_name("default.toml")


class Category(NamedTuple):
    """A first or second level: its description, examples, and cues that are evidence for it."""

    path: str
    about: str
    examples: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()


class Catalogue(Mapping[str, Category]):
    """Categories by path; each second level comes right after its first level and its siblings."""

    def __init__(self, categories: Iterable[Category]) -> None:
        by_path = {category.path: category for category in categories}
        firsts = dict.fromkeys(path.partition(".")[0] for path in by_path)
        by_first: dict[str, list[Category]] = {first: [] for first in firsts}
        for path in sorted(by_path, key=lambda path: "." in path):
            by_first[path.partition(".")[0]].append(by_path[path])
        self._categories = {category.path: category for group in by_first.values() for category in group}

    def __getitem__(self, path: str) -> Category:
        return self._categories[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._categories)

    def __len__(self) -> int:
        return len(self._categories)

    def __repr__(self) -> str:
        return f"Catalogue({list(self.values())!r})"

    def __hash__(self) -> int:
        return hash(tuple(self._categories.values()))

    @property
    def first_levels(self) -> tuple[str, ...]:
        """The paths of the first levels, in order."""
        return tuple(path for path in self if "." not in path)

    def children(self, path: str) -> tuple[Category, ...]:
        """The second levels of a first level, in order; empty for any other path."""
        return tuple(category for category in self.values() if category.path.rpartition(".")[0] == path)

    def plus(self, other: "Catalogue") -> "Catalogue":
        """This catalogue with the other's categories added; the other's win."""
        return Catalogue((self._categories | other._categories).values())


@cache
def default() -> Catalogue:
    """The bundled taxonomy."""
    return parse(_DEFAULT.read_bytes())


def parse(data: bytes | str) -> Catalogue:
    """Read a catalogue from TOML.

    A second level without a table for its first level is allowed, for a catalogue that extends another.

    Raises:
        InvalidInput: not TOML, not UTF-8, a malformed path or one of more than two levels, a category without
            `about`, an unknown field or a field of another type.
    """
    import tomllib

    try:
        tables = tomllib.loads(data if isinstance(data, str) else data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"the taxonomy is not TOML: {error}") from error
    return Catalogue(category for name, table in tables.items() for category in _first_level(name, table))


def _first_level(name: str, table: object) -> Iterator[Category]:
    fields, tables = _split(name, table)
    if fields or not tables:
        yield _category(name, fields)
    for child, inner in tables.items():
        path = f"{name}.{child}"
        own, deeper = _split(path, inner)
        if deeper:
            raise InvalidInput(
                f"the taxonomy has more than two levels: {path}.{next(iter(deeper))}",
                "the third level is named after each memory's text",
            )
        yield _category(path, own)


def _split(path: str, table: object) -> tuple[dict[str, object], dict[str, object]]:
    """A table's own fields, and the tables inside it."""
    if not isinstance(table, dict):
        raise InvalidInput(f"the taxonomy has {path!r}, which is neither a category nor one of {', '.join(_FIELDS)}")
    fields = {key: value for key, value in table.items() if not isinstance(value, dict)}
    return fields, {key: value for key, value in table.items() if key not in fields}


def _category(path: str, fields: Mapping[str, object]) -> Category:
    check_path(path)
    if path.count(".") > 1:
        raise InvalidInput(
            f"the taxonomy has more than two levels: {path}", "the third level is named after each memory's text"
        )
    if (unknown := next((key for key in fields if key not in _FIELDS), None)) is not None:
        raise InvalidInput(f"the taxonomy has no field {unknown!r} (in {path})", f"there are: {', '.join(_FIELDS)}")
    about, examples, cues = (fields.get(field, empty) for field, empty in zip(_FIELDS, ("", [], ""), strict=True))
    if not isinstance(about, str) or not about.strip():
        raise InvalidInput(f"the taxonomy has no 'about' for {path}", "write a line about what belongs there")
    if not isinstance(examples, list) or not all(isinstance(example, str) for example in examples):
        raise InvalidInput(f"the examples of {path} are not a list of strings")
    if not isinstance(cues, str):
        raise InvalidInput(f"the cues of {path} are not a string of words separated by commas")
    return Category(
        path, about, tuple(examples), tuple(cue for part in cues.split(",") if (cue := " ".join(part.split())))
    )
