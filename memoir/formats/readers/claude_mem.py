"""claude-mem: its database in both schemas, and its JSON export.

Older versions have `observations` and `session_summaries`; newer ones add `memory_items`, which name their observation.
Columns are optional. Prompts become a conversation.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

import orjson

from memoir.errors import InvalidInput
from memoir.formats.found import Finding, Found, Place, Refused, Talk, as_strings, as_text, each_row, known, load, when
from memoir.formats.markdown import path_of
from memoir.index.foreign_database import HEADER, open_foreign
from memoir.sources.messages import Message

_DATABASE = "claude-mem.db"
_TABLES = {
    "observations": "observations",
    "session_summaries": "summaries",
    "user_prompts": "prompts",
    "memory_items": "items",
    "sdk_sessions": "sessions",
}
"""The tables, and their names in the export."""
_SUMMARY = ("request", "investigated", "learned", "completed", "next_steps", "notes")

Rows = Mapping[str, list[dict[str, Any]]]


def recognize(place: Place) -> str | None:
    """Why a place has memories of claude-mem; None if it has none."""
    name = _file(place)
    if name is None:
        return None
    if place.head(name).startswith(HEADER):
        try:
            with open_foreign(place.file(name)) as database:
                columns = set(database.columns("observations")) | set(database.columns("memory_items"))
        except InvalidInput:
            return None
        return f"{name} has its tables" if {"narrative", "facts"} <= columns else None
    head = place.head(name)
    return f"{name} is its export" if b'"exportedAt"' in head and b'"observations"' in head else None


def _file(place: Place) -> str | None:
    if place.is_folder:
        return next(iter(place.matching(_DATABASE, f"*/{_DATABASE}")), None)
    return place.path.name


def read(place: Place) -> Iterator[Finding]:
    """The observations, summaries and prompts."""
    name = _file(place)
    if name is None:
        raise InvalidInput(f"{place.path} has no {_DATABASE}", "name the database, or a file of the export")
    if place.head(name).startswith(HEADER):
        with open_foreign(place.file(name)) as database:
            rows: Rows = {what: list(database.rows(table)) for table, what in _TABLES.items()}
    else:
        value = load(place, name)
        if not isinstance(value, dict):
            raise InvalidInput(f"{name} is not an export of claude-mem")
        rows = {what: [each for each in value.get(what) or () if isinstance(each, dict)] for what in _TABLES.values()}
    yield from _read(name, rows)


def _read(name: str, rows: Rows) -> Iterator[Finding]:
    projects = {each.get("memory_session_id"): as_text(each.get("project")) for each in rows["sessions"]}
    known_ids = {f"{each.get('id')}" for each in rows["observations"]}
    items = [each for each in rows["items"] if f"{each.get('legacy_observation_id')}" not in known_ids]
    for table, these in (("observation", rows["observations"]), ("item", items)):
        yield from each_row(_placed(name, table, these), partial(_observation, table))
    yield from each_row(_placed(name, "summary", rows["summaries"]), _summary)
    yield from _prompts(name, rows["prompts"], projects)


def _placed(name: str, what: str, rows: Iterable[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    return ((f"{name}: {what} {row.get('id')}", row) for row in rows)


def _project(row: Mapping[str, Any]) -> str:
    return as_text(row.get("merged_into_project")) or as_text(row.get("project")) or "unknown"


def _observation(table: str, where: str, row: Mapping[str, Any]) -> Found:
    title, subtitle = as_text(row.get("title")), as_text(row.get("subtitle"))
    story = as_text(row.get("narrative")) or as_text(row.get("text"))
    facts = [f"- {fact}" for fact in _list(row.get("facts")) if fact not in story]
    content = "\n".join(filter(None, [": ".join(filter(None, (title, subtitle))), story, *facts]))
    if not content:
        raise InvalidInput("it has no words")
    kind = as_text(row.get("type")) or as_text(row.get("kind")) or "note"
    metadata = known(
        type=kind,
        tags=_list(row.get("concepts")),
        files=list(dict.fromkeys([*_list(row.get("files_read")), *_list(row.get("files_modified"))])),
        by=as_text(row.get("generated_by_model")),
    )
    path = path_of("project", _project(row), kind)
    return Found(f"{table}/{row.get('id')}", where, content, path, _time(row), metadata)


def _summary(where: str, row: Mapping[str, Any]) -> Found:
    texts = {field.replace("_", " ").capitalize(): as_text(row.get(field)) for field in _SUMMARY}
    parts = [f"{name}: {text}" for name, text in texts.items() if text]
    if not parts:
        raise InvalidInput("it has no words")
    path = path_of("project", _project(row), "sessions")
    return Found(f"summary/{row.get('id')}", where, "\n".join(parts), path, _time(row), {"type": "summary"})


def _time(row: Mapping[str, Any]) -> datetime | None:
    return when(row.get("created_at_epoch") or row.get("created_at"))


def _prompts(name: str, rows: Iterable[Mapping[str, Any]], projects: Mapping[Any, str]) -> Iterator[Finding]:
    sessions: dict[str, list[Message]] = defaultdict(list)
    for row in rows:
        text = as_text(row.get("prompt_text")) or as_text(row.get("text"))
        session = as_text(row.get("content_session_id")) or as_text(row.get("memory_session_id")) or "prompts"
        where = f"{name}: prompt {row.get('id')}"
        try:
            time = _time(row)
        except InvalidInput as error:
            yield Refused(where, error.message)
            continue
        if text:
            sessions[session].append(Message("user", text, time))
        else:
            yield Refused(where, "it has no words")
    for session, messages in sessions.items():
        yield Talk(session, f"{name}: prompts of {session}", projects.get(session) or "session", messages)


def _list(value: object) -> list[str]:
    """The list of strings in a column with JSON."""
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except ValueError:
            return as_strings(value)
    return as_strings(value)
