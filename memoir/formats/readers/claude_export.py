"""Claude.ai: an export's conversations, memories and projects.

`memories.json` has a text in Markdown for all conversations and one for each project; newer exports have files instead.
If a conversation has branches, the last one written is read.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from memoir.errors import InvalidInput
from memoir.formats.found import Finding, Found, Place, Refused, Talk, anonymous, as_rows, as_text, each_object, when
from memoir.formats.markdown import path_of, points
from memoir.sources.messages import Message

_FILES = ("conversations*.json", "memories*.json", "projects*.json", "memories/*.json", "projects/*.json")


def recognize(place: Place) -> str | None:
    """Why a place is an export of Claude.ai; None if it is not."""
    for name in _files(place)[:20]:
        head = place.head(name)
        for field in (b'"chat_messages"', b'"conversations_memory"', b'"memory_files"', b'"prompt_template"'):
            if field in head:
                return f"{name} has {field.decode()}"
    return None


def _files(place: Place) -> list[str]:
    if not place.is_folder and not place.archive:
        return place.names
    return place.matching(*_FILES, *(f"*/{glob}" for glob in _FILES))


def read(place: Place) -> Iterator[Finding]:
    """The memories, the projects and the conversations."""
    names = _files(place)
    if not names:
        raise InvalidInput(f"{place.path} has no conversations.json", "name the zip archive or the folder of an export")
    rows: list[tuple[str, dict[str, Any]]] = []
    talks_last = sorted(names, key=lambda name: "conversations" in name.rpartition("/")[2])
    for each in each_object(place, talks_last, "an object"):
        if isinstance(each, Refused):
            yield each
        else:
            rows.append(each)
    titles = {as_text(row.get("uuid")): as_text(row.get("name")) for _, row in rows}
    for where, row in rows:
        try:
            yield from _read(where, row, titles)
        except InvalidInput as error:
            yield Refused(where, error.message)


def _read(where: str, row: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[Finding]:
    if "chat_messages" in row:
        yield _talk(where, row)
    elif not row.keys().isdisjoint(("conversations_memory", "project_memories", "memory_files")):
        yield from _memory(where, row, titles)
    elif not row.keys().isdisjoint(("prompt_template", "docs")):
        yield from _project(where, row)
    elif row.keys().isdisjoint(("email_address", "phone_number", "full_name")):
        yield Refused(where, "neither a conversation nor memories nor a project")


def _talk(where: str, row: Mapping[str, Any]) -> Finding:
    title, identity = as_text(row.get("name")), as_text(row.get("uuid")) or where
    messages = [
        Message(as_text(each.get("sender")) or "human", text, when(each.get("created_at")))
        for each in _branch(as_rows(row.get("chat_messages")))
        if (text := _text(each))
    ]
    where = f"{where} {title}".strip()
    return Talk(identity, where, title, messages) if messages else Refused(where, "nobody says anything in it")


def _branch(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages from the newest up to the root; all messages if the export has no parents."""
    by_id = {as_text(each.get("uuid")): each for each in messages}
    parents = {as_text(each.get("parent_message_uuid")) for each in messages}
    if not parents & by_id.keys():
        return messages
    leaf = next(each for each in reversed(messages) if as_text(each.get("uuid")) not in parents or each is messages[0])
    found: list[dict[str, Any]] = []
    node: dict[str, Any] | None = leaf
    while node is not None and node not in found:
        found.append(node)
        node = by_id.get(as_text(node.get("parent_message_uuid")))
    return found[::-1]


def _text(message: Mapping[str, Any]) -> str:
    blocks = [as_text(block.get("text")) for block in as_rows(message.get("content"))]
    said = "\n".join(filter(None, blocks)) or as_text(message.get("text"))
    files = [
        f"{as_text(each.get('file_name'))}:\n{text}"
        for each in as_rows(message.get("attachments"))
        if (text := as_text(each.get("extracted_content")))
    ]
    return "\n\n".join(filter(None, [said, *files]))


def _memory(where: str, row: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[Finding]:
    account = as_text(row.get("account_uuid"))[:8]
    time = when(row.get("updated_at") or row.get("created_at"))
    yield from _points(f"memory/{account}", where, as_text(row.get("conversations_memory")), ("profile",), time)
    for project, text in _project_memories(row.get("project_memories")):
        title = titles.get(project) or project[:8]
        yield from _points(f"memory/{account}/{project}", f"{where} {title}", text, ("project", title), time)
    for each in as_rows(row.get("memory_files")):
        name, text = as_text(each.get("path")), as_text(each.get("content"))
        yield from _points(f"memory/{account}/{name}", f"{where} {name}", text, ("profile", *name.split("/")), time)


def _project_memories(value: object) -> Iterator[tuple[str, str]]:
    """The texts of projects, by their ids; an export has them as an object or as a list."""
    if isinstance(value, dict):
        yield from ((key, as_text(text)) for key, text in value.items())
    for each in as_rows(value):
        yield as_text(each.get("project_uuid") or each.get("uuid")), as_text(each.get("memory") or each.get("content"))


def _points(group: str, where: str, text: str, base: tuple[str, ...], time: datetime | None) -> Iterator[Finding]:
    for point in points(text):
        place = f"{where}, line {point.line}"
        yield anonymous(
            group, place, point.text, path_of(*base, *point.headings), time=time, metadata={"source": group}
        )


def _project(where: str, row: Mapping[str, Any]) -> Iterator[Finding]:
    identity, title = as_text(row.get("uuid")) or where, as_text(row.get("name")) or "project"
    time = when(row.get("updated_at") or row.get("created_at"))
    for field in ("description", "prompt_template"):
        if text := as_text(row.get(field)):
            path = path_of("project", title, field.partition("_")[0])
            yield Found(f"project/{identity}/{field}", f"{where} {title}", text, path, time, {"project": title})
    for doc in as_rows(row.get("docs")):
        name, text = as_text(doc.get("filename")) or "document", as_text(doc.get("content"))
        path = path_of("project", title, "documents", name)
        its = f"{where} {title}, {name}"
        if text:
            key = f"project/{identity}/{as_text(doc.get('uuid')) or name}"
            yield Found(key, its, text, path, when(doc.get("created_at")) or time, {"project": title, "document": name})
        else:
            yield Refused(its, "the document has no text")
