"""JSON in other tools' files: whole documents, and lines of which a bad one harms no other."""

from collections.abc import Iterator
from typing import Any

import orjson

from memoir.errors import InvalidInput
from memoir.formats.found import Refused
from memoir.formats.place import Place


def load(place: Place, name: str) -> Any:
    """The JSON of a file.

    Raises:
        InvalidInput: it is not JSON.
    """
    try:
        return orjson.loads(place.read(name).removeprefix(b"\xef\xbb\xbf"))
    except ValueError as error:
        raise InvalidInput(f"{name} is not JSON: {error}") from error


def rows(name: str, text: str) -> Iterator[tuple[str, dict[str, Any]] | Refused]:
    """The objects in lines of JSON, each with where it is; a line that is none is refused."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{name}:{number}"
            try:
                row = orjson.loads(line.encode("utf-8", "surrogateescape"))
            except ValueError as error:
                yield Refused(where, f"not JSON: {error}")
                continue
            yield (where, row) if isinstance(row, dict) else Refused(where, "not a JSON object")


def first_rows(place: Place, name: str, most: int = 5) -> list[dict[str, Any]]:
    """The objects in the first lines of a file, by which its kind is recognized; none if it has no such lines."""
    text = place.head(name).decode("utf-8", "replace")
    lines = text.split("\n")
    whole = lines[:-1] if len(lines) > 1 else lines
    return [row[1] for row in rows(name, "\n".join(whole[:most])) if not isinstance(row, Refused)]
