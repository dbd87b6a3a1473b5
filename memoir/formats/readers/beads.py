"""beads: issues as lines of JSON, and the memories of `bd remember`.

An issue is a memory at `project.tasks`, with its texts in reading order.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from memoir.errors import InvalidInput
from memoir.formats.found import (
    Finding,
    Found,
    Place,
    Refused,
    as_rows,
    as_strings,
    as_text,
    each_file,
    first_rows,
    known,
    rows,
    when,
)
from memoir.formats.markdown import path_of

_FILES = (".beads/*.jsonl", "*/.beads/*.jsonl", "issues.jsonl", "*/issues.jsonl", "*.beads.jsonl")
_TEXTS = (
    ("description", ""), ("design", "Design: "), ("acceptance_criteria", "Acceptance criteria: "),
    ("notes", "Notes: "), ("close_reason", "Closed: "),
)  # fmt: skip
_TIMES = ("updated_at", "closed_at", "created_at")
_HEADERS = frozenset(("_schema", "_meta"))


def recognize(place: Place) -> str | None:
    """Why a place has issues of beads; None if it has none."""
    for name in place.files(*_FILES)[:20]:
        for row in first_rows(place, name):
            if str(row.get("_schema", "")).startswith("beads") or _is_issue(row):
                return f"{name} has issues of beads"
    return None


def _is_issue(row: Mapping[str, Any]) -> bool:
    return {"id", "title", "status"} <= row.keys() and not row.keys().isdisjoint(("issue_type", "priority", "_type"))


def read(place: Place) -> Iterator[Finding]:
    """The issues and memories of all files."""
    yield from each_file(place, place.files(*_FILES), _of_file)


def _of_file(name: str, text: str) -> Iterator[Finding]:
    for row in rows(name, text):
        if found := row if isinstance(row, Refused) else _read(*row):
            yield found


def _read(where: str, row: Mapping[str, Any]) -> Finding | None:
    """The memory of a line; None for a header, and for the tombstone of a deleted issue."""
    if row.keys() & _HEADERS or row.get("status") == "tombstone":
        return None
    return _memory(where, row) if row.get("_type") == "memory" else _issue(where, row)


def _memory(where: str, row: Mapping[str, Any]) -> Finding:
    key, value = as_text(row.get("key")), as_text(row.get("value"))
    if not key or not value:
        return Refused(where, "a memory needs 'key' and 'value'")
    return Found(f"memory/{key}", where, value, path_of("project", "notes", key) or None, metadata={"key": key})


def _issue(where: str, row: Mapping[str, Any]) -> Finding:
    identity, title = as_text(row.get("id")), as_text(row.get("title"))
    if not identity or not title:
        return Refused(where, "an issue needs 'id' and 'title'")
    try:
        time = next((moment for field in _TIMES if (moment := when(row.get(field)))), None)
    except InvalidInput as error:
        return Refused(where, error.message)
    parts = [f"{label}{text}" for field, label in _TEXTS if (text := as_text(row.get(field)))]
    comments = [
        f"{as_text(each.get('author'))}: {text}" for each in as_rows(row.get("comments")) if (text := _words(each))
    ]
    metadata = known(
        issue=identity,
        status=as_text(row.get("status")),
        type=as_text(row.get("issue_type")),
        priority=row.get("priority") if isinstance(row.get("priority"), int) else None,
        tags=as_strings(row.get("labels")),
        depends_on=[as_text(each.get("depends_on_id")) for each in as_rows(row.get("dependencies"))],
    )
    content = "\n\n".join([title, *parts, *comments])
    return Found(identity, where, content, path_of("project", "tasks", identity), time, metadata)


def _words(comment: Mapping[str, Any]) -> str:
    return as_text(comment.get("text")) or as_text(comment.get("body"))
