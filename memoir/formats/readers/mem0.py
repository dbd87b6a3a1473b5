"""mem0: the history database of the library, the Markdown export of its plugin, and the JSON of its API.

The history has every version of a memory: ADD, UPDATE and DELETE with the words before and after. Each becomes a commit
of that time, so that `memoir blame` shows them. If an export has several users, each gets a namespace.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memoir.errors import InvalidInput
from memoir.formats.found import (
    Finding,
    Found,
    Place,
    Refused,
    SourceCommit,
    as_strings,
    as_text,
    each_row,
    known,
    known_time,
    load,
    when,
)
from memoir.formats.markdown import path_of, read_note
from memoir.index.foreign_database import HEADER, ForeignDatabase, open_foreign

_FILES = ("*.db", "*.json", "*.md", "*.sqlite")
_TABLE = "history"
_COLUMNS = {"memory_id", "old_memory", "new_memory", "event"}
_BLOCK = re.compile(r"^---[ \t]*\n(?=(?:[\w-]+:[^\n]*\n)*?id:[ \t])", re.MULTILINE)


def recognize(place: Place) -> str | None:
    """Why a place has memories of mem0; None if it has none."""
    for name in place.files(*_FILES)[:20]:
        head = place.head(name)
        if head.startswith(HEADER):
            if _is_history(place, name):
                return f"{name} has the table {_TABLE} of mem0"
        elif b'"user_id"' in head and b'"memory"' in head and b'"hash"' in head:
            return f"{name} has memories with a hash and a user_id"
        elif name.endswith(".md") and _BLOCK.search(head.decode("utf-8", "replace")) and b"\nconfidence:" in head:
            return f"{name} has blocks with an id and a confidence"
    return None


def _is_history(place: Place, name: str) -> bool:
    try:
        with open_foreign(place.file(name)) as database:
            return set(database.columns(_TABLE)) >= _COLUMNS
    except InvalidInput:
        return False


def read(place: Place) -> Iterator[Finding]:
    """The versions of all memories, or the memories of an export."""
    for name in place.files(*_FILES):
        try:
            if place.head(name).startswith(HEADER):
                with open_foreign(place.file(name)) as database:
                    yield from _history(name, database)
            elif name.endswith(".json"):
                yield from _rows(name, load(place, name))
            elif name.endswith(".md"):
                yield from _blocks(name, place.text(name))
        except (InvalidInput, OSError) as error:
            yield Refused(name, str(error))


def _history(name: str, database: ForeignDatabase) -> Iterator[Finding]:
    rows = [row for row in database.rows(_TABLE) if row.get("memory_id")]
    last = {row["memory_id"]: row for row in rows}
    places = ((f"{name}: {row.get('event')} of {row['memory_id']}", row) for row in sorted(rows, key=_order))
    yield from each_row(places, lambda where, row: _version(where, row, last[row["memory_id"]]))


def _version(where: str, row: Mapping[str, Any], last: Mapping[str, Any]) -> Found:
    identity = f"{row['memory_id']}"
    time = when(row.get("updated_at") or row.get("created_at"))
    actor = as_text(row.get("actor_id"))
    commit = SourceCommit(f"{row.get('id')}", time, actor or "mem0", "", f"{row.get('event')} {identity}")
    path = path_of("mem0", "deleted", identity[:8]) if _is_deletion(last) else None
    content = None if _is_deletion(row) else row.get("new_memory")
    if content is not None and not as_text(content):
        raise InvalidInput("it has no words")
    metadata = known(actor=actor, role=as_text(row.get("role")))
    return Found(identity, where, content, path, time, metadata, commit=commit)


def _is_deletion(row: Mapping[str, Any]) -> bool:
    return as_text(row.get("event")).upper() == "DELETE" or row.get("new_memory") is None


def _order(row: Mapping[str, Any]) -> str:
    """The time of a version as text, to sort by; empty if it has none."""
    time = known_time(row.get("updated_at") or row.get("created_at"))
    return time.isoformat() if time else ""


def _rows(name: str, value: object) -> Iterator[Finding]:
    inner = (
        next((value[key] for key in ("results", "memories") if key in value), [value])
        if isinstance(value, dict)
        else value
    )
    if not isinstance(inner, list):
        raise InvalidInput(f"{name} has no list of memories")
    rows = ((f"{name}[{at}]", row if isinstance(row, dict) else {}) for at, row in enumerate(inner, 1))
    users = {as_text(row.get("user_id")) for row in inner if isinstance(row, dict)} - {""}
    yield from each_row(rows, lambda where, row: _memory(where, row, has_users=len(users) > 1))


def _memory(where: str, row: Mapping[str, Any], *, has_users: bool) -> Found:
    text = as_text(row.get("memory") or row.get("text"))
    if not text:
        raise InvalidInput("it has no 'memory'")
    time = when(row.get("updated_at") or row.get("created_at"))
    extra = row.get("metadata") if isinstance(row.get("metadata"), dict) else {}
    people = {field: as_text(row.get(field)) for field in ("user_id", "agent_id", "run_id")}
    metadata = known(**people, tags=as_strings(row.get("categories")), mem0=extra)
    namespace = _namespace_of(people["user_id"]) if has_users and people["user_id"] else None
    return Found(as_text(row.get("id")) or where, where, text, None, time, metadata, namespace=namespace)


def _namespace_of(user: str) -> str:
    """The namespace of a user, with forbidden characters replaced by their codes: `user:ada@x_2e_org`."""
    return "user:" + re.sub(r"[^\w@-]", lambda match: f"_{ord(match[0]):x}_", user)


def _blocks(name: str, text: str) -> Iterator[Finding]:
    """The memories of a Markdown export; a line of three hyphens within one does not end it."""
    text = text.replace("\r\n", "\n")
    starts = [match.start() for match in _BLOCK.finditer(text)]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
        where = f"{name}:{text.count(chr(10), 0, start) + 1}"
        note = read_note(text[start:end])
        words, identity = re.sub(r"\n---[ \t]*\s*\Z", "", note.text).strip(), note.front.get("id")
        if not words or not isinstance(identity, str):
            yield Refused(where, "it has no id or no words")
            continue
        try:
            time, confidence = when(note.front.get("created_at")), float(note.front.get("confidence") or 1.0)
        except (InvalidInput, ValueError, TypeError) as error:
            yield Refused(where, str(error))
            continue
        names = ("type", "branch", "files", "categories")
        metadata = known(**{field: note.front.get(field) for field in names})
        yield Found(identity, where, words, None, time, metadata, confidence)
