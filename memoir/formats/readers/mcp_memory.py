"""The MCP reference server for memory, and its forks: a graph as lines of JSON, with varying field names.

    {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["She lives in Porto."]}
    {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works_at"}

An observation is a memory at the entity's path; so is a relation, as a sentence.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from memoir.errors import InvalidInput
from memoir.formats.found import (
    Finding,
    Place,
    Refused,
    anonymous,
    as_rows,
    as_text,
    first_rows,
    known,
    known_time,
    load,
    rows,
)
from memoir.formats.markdown import path_of

_FILES = ("*.jsonl", "*.json")


def recognize(place: Place) -> str | None:
    """Why a place has such a graph; None if it has none."""
    for name in place.files(*_FILES)[:20]:
        if any(_is_graph(row) for row in first_rows(place, name)):
            return f"{name} has entities or relations"
    return None


def _is_graph(row: Mapping[str, Any]) -> bool:
    return _kind(row) in ("entity", "relation") or {"entities", "relations"} <= row.keys()


def read(place: Place) -> Iterator[Finding]:
    """The observations and relations of all graphs in a place."""
    for name in place.files(*_FILES):
        if place.is_folder and not any(_is_graph(row) for row in first_rows(place, name)):
            continue
        lines: list[tuple[str, dict[str, Any]]] = []
        for each in _rows(place, name):
            if isinstance(each, Refused):
                yield each
            else:
                lines.append(each)
        types = {_name(row): _type(row) for _, row in lines if _kind(row) == "entity"}
        for where, row in lines:
            yield from _read(where, row, types)


def _rows(place: Place, name: str) -> Iterator[tuple[str, dict[str, Any]] | Refused]:
    try:
        text = place.text(name)
    except (InvalidInput, OSError) as error:
        yield Refused(name, str(error))
        return
    if _is_one_document(text):
        graph = load(place, name)
        for kind, list_name in (("entity", "entities"), ("relation", "relations")):
            for at, row in enumerate(as_rows(graph.get(list_name)), 1):
                yield f"{name}:{list_name}[{at}]", {"type": kind, **row}
        return
    yield from rows(name, text)


def _is_one_document(text: str) -> bool:
    import orjson

    try:
        return isinstance(graph := orjson.loads(text.encode("utf-8", "surrogateescape")), dict) and "entities" in graph
    except ValueError:
        return False


def _kind(row: Mapping[str, Any]) -> str:
    return as_text(row.get("type")) or as_text(row.get("_type"))


def _name(row: Mapping[str, Any]) -> str:
    return next((text for field in ("name", "entityName", "id") if (text := as_text(row.get(field)))), "")


def _type(row: Mapping[str, Any]) -> str:
    return as_text(row.get("entityType")) or as_text(row.get("entity_type")) or "thing"


def _read(where: str, row: Mapping[str, Any], types: Mapping[str, str]) -> Iterator[Finding]:
    if _kind(row) == "relation":
        yield _relation(where, row, types)
        return
    name = _name(row)
    if _kind(row) != "entity" or not name:
        yield Refused(where, "neither an entity with a name nor a relation")
        return
    observations = row.get("observations")
    path = path_of("entity", _type(row), name)
    if not isinstance(observations, list) or not observations:
        words = f"{name} is a {_type(row)}." if observations in (None, []) else ""
        if not words:
            yield Refused(where, "its observations are not a list")
            return
        observations = [words]
    for each in observations:
        yield _observation(where, name, path, each, row)


def _observation(where: str, name: str, path: str, each: object, row: Mapping[str, Any]) -> Finding:
    fields = each if isinstance(each, dict) else {"text": each}
    text = next((words for field in ("text", "content", "observation") if (words := as_text(fields.get(field)))), "")
    if not text:
        return Refused(where, f"an observation of {name} has no text")
    time = known_time(fields.get("timestamp") or fields.get("created_at") or row.get("_savedAt"))
    return anonymous(name, where, text, path, time=time, metadata=known(entity=name, type=_type(row)))


def _relation(where: str, row: Mapping[str, Any], types: Mapping[str, str]) -> Finding:
    one = as_text(row.get("from")) or as_text(row.get("from_id"))
    other = as_text(row.get("to")) or as_text(row.get("to_id"))
    kind = as_text(row.get("relationType")) or as_text(row.get("relation_type"))
    if not (one and other and kind):
        return Refused(where, "a relation needs 'from', 'to' and 'relationType'")
    text, path = f"{one} {kind.replace('_', ' ')} {other}.", path_of("entity", types.get(one, "thing"), one)
    return anonymous(one, where, text, path, metadata={"entity": one, "relation": kind, "to": other})
