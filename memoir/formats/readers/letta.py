"""Letta: MemFS, a git repository of Markdown with its history, and agent files (`.af`).

A file of MemFS is a memory whose path is its folders; each version becomes a commit with the same author and time. In
an agent file, the blocks are cut at their headings, and the messages become a conversation; it has no archival memory.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from memoir.errors import InvalidInput
from memoir.formats.found import (
    Finding,
    Found,
    Place,
    Refused,
    SourceCommit,
    Talk,
    anonymous,
    as_rows,
    as_text,
    known,
    known_time,
    load,
)
from memoir.formats.markdown import path_of, points, read_note
from memoir.git.git import Git
from memoir.git.object_reader import GitConversation
from memoir.git.objects import Unread
from memoir.records.metadata import PIN
from memoir.sources.messages import Message

_LABELS = {"human": ("profile", "user"), "persona": ("context", "persona")}


def recognize(place: Place) -> str | None:
    """Why a place has memories of Letta; None if it has none."""
    if place.is_folder:
        return "it is a git repository with the folder system/" if place.has(".git") and _is_memfs(place) else None
    head = place.head(place.path.name)
    is_agent = b'"blocks"' in head and (b'"block_ids"' in head or b'"agents"' in head)
    return f"{place.path.name} is an agent file" if place.path.suffix == ".af" or is_agent else None


def _is_memfs(place: Place) -> bool:
    if not place.has("system"):  # true of most folders, whose files need not be listed
        return False
    heads = (place.head(name).decode("utf-8", "replace") for name in place.matching("system/*.md")[:10])
    return any("description" in read_note(head).front for head in heads)


def read(place: Place) -> Iterator[Finding]:
    """The versions of all files of MemFS, or the blocks and messages of an agent file."""
    if place.is_folder:
        if not place.has(".git"):
            hint = "name the folder 'memory' of an agent, or its .af file"
            raise InvalidInput(f"{place.path} is not a git repository", hint)
        yield from _history(place)
        return
    value = load(place, place.path.name)
    if not isinstance(value, dict) or "blocks" not in value:
        raise InvalidInput(f"{place.path.name} is not an agent file: it has no blocks")
    yield from _agent_file(place.path.name, value)


def _history(place: Place) -> Iterator[Finding]:
    git = Git(place.path / ".git")
    objects = GitConversation(git)
    form = "%x01%H%x00%at%x00%an%x00%ae%x00%s"
    arguments = ("--first-parent", "-m", "--reverse", "--raw", "--no-renames", "--no-abbrev", "-z", "--root")
    output = git.read("log", *arguments, f"--format={form}", "HEAD", "--")
    for part in output.split(b"\x01")[1:]:
        fields = part.split(b"\0")
        oid, seconds, name, email, subject = (each.decode("utf-8", "replace") for each in fields[:5])
        time = datetime.fromtimestamp(int(seconds), UTC) if seconds.isdecimal() else None
        commit = SourceCommit(oid, time, name, email, subject)
        changes = [field.lstrip(b"\n") for field in fields[5:]]
        for about, path in zip(changes[::2], changes[1::2], strict=False):
            file = path.decode("utf-8", "surrogateescape")
            if about.startswith(b":") and file.endswith(".md"):
                yield from _version(objects, file, about.split(b" ")[3].decode(), commit)
    objects.close()


def _version(objects: GitConversation, file: str, blob: str, commit: SourceCommit) -> Iterator[Finding]:
    path, where = path_of(*file.removesuffix(".md").split("/")) or "notes", f"{file} at {commit.id[:12]}"
    if not blob.strip("0"):
        yield Found(file, where, None, path, commit=commit)
        return
    (answer,) = objects.ask([blob.encode()])
    if answer is None or answer.kind != "blob" or isinstance(answer.data, Unread):
        yield Refused(where, "git does not have it, or it is too large")
        return
    note = read_note(answer.data.decode("utf-8-sig", "surrogateescape"))
    if not note.text.strip():
        yield Found(file, where, None, path, commit=commit)
        return
    front = known(description=note.front.get("description"), limit=note.front.get("limit"))
    pinned = {PIN: True} if note.front.get("read_only") == "true" else {}
    yield Found(file, where, note.text.strip(), path, commit.time, {**front, **pinned, "source": file}, commit=commit)


def _agent_file(name: str, value: Mapping[str, Any]) -> Iterator[Finding]:
    time = known_time(value.get("created_at"))
    for at, block in enumerate(as_rows(value.get("blocks")), 1):
        label, text = as_text(block.get("label")) or f"block {at}", as_text(block.get("value"))
        group = as_text(block.get("id")) or label
        base = _LABELS.get(label, ("context", *label.split("/")))
        metadata = known(block=label, description=as_text(block.get("description")))
        metadata |= {PIN: True} if block.get("read_only") is True else {}
        for point in points(text):
            where = f"{name}: block {label}, line {point.line}"
            path = path_of(*base, *point.headings)
            yield anonymous(group, where, point.text, path, time=time, metadata=metadata)
    agents = as_rows(value.get("agents")) or [dict(value)]
    for agent in agents:
        messages = [said for each in as_rows(agent.get("messages")) if (said := _said(each))]
        title = as_text(agent.get("name")) or "agent"
        if messages:
            yield Talk(as_text(agent.get("id")) or title, f"{name}: messages of {title}", title, messages)


def _said(message: Mapping[str, Any]) -> Message | None:
    role = as_text(message.get("role"))
    content = message.get("content")
    texts = [content] if isinstance(content, str) else [each.get("text") for each in as_rows(content)]
    text = "\n".join(each for each in texts if isinstance(each, str) and each.strip())
    return (
        Message(role, text, known_time(message.get("created_at"))) if role in ("user", "assistant") and text else None
    )
