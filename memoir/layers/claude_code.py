"""Claude Code's transcripts: `~/.claude/projects/*/*.jsonl`, a line for each record of a session.

Said is what a user types, also while the agent works, and what it answers. Tools' calls and results, the host's own
records, summaries of what was said before, and what agents say to each other are not. The records form a tree, in which
a prompt that was edited begins a branch: all branches are read, each line once, for a session that goes on in two
windows has branches too, and each was said.
"""

from collections.abc import Mapping

from memoir.errors import InvalidInput
from memoir.layers.host_text import strip_host_text
from memoir.layers.messages import Form, Message, Row, instant_of, read_message, text_of

_NOT_SAID = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
"""The fields that say of a record that its text is the host's, or another agent's."""
_INTERRUPTIONS = ("[Request interrupted by user]", "[Request interrupted by user for tool use]")


def _is_claude_code(row: Row) -> bool:
    return isinstance(row.get("type"), str) and bool(
        {"sessionId", "parentUuid", "leafUuid", "snapshot"}.intersection(row)
    )


def _read_claude_code(row: Row) -> Message | None:
    kind = row.get("type")
    if kind is None:
        return read_message(row)
    if kind == "attachment":
        return _read_queued(row)
    if kind not in ("user", "assistant"):
        return None
    message = row.get("message")
    if not isinstance(message, Mapping):
        raise InvalidInput("a message without its text")
    if any(row.get(field) for field in _NOT_SAID) or message.get("model") == "<synthetic>" or not _is_human(row):
        return None
    return _message(row, kind, message.get("content", message.get("parts")))


def _read_queued(row: Row) -> Message | None:
    """What the user typed while the agent was at work."""
    attachment = row.get("attachment")
    if not isinstance(attachment, Mapping) or attachment.get("type") != "queued_command" or row.get("isSidechain"):
        return None
    said = (
        attachment.get("commandMode", "prompt") == "prompt" and not attachment.get("isMeta") and _is_human(attachment)
    )
    return _message(row, "user", attachment.get("prompt")) if said else None


def _is_human(row: Row) -> bool:
    """Whether a user's message is from a human, and not from a task, a channel or another agent."""
    origin = row.get("origin")
    return not isinstance(origin, Mapping) or origin.get("kind", "human") == "human"


def _message(row: Row, speaker: str, content: object) -> Message | None:
    text = text_of(content, _clean_claude_code if speaker == "user" else str)
    if text is None:
        raise InvalidInput("a message without its text")
    uuid = row.get("uuid")
    return Message(speaker, text, instant_of(row.get("timestamp")), uuid if isinstance(uuid, str) else None)


def _clean_claude_code(text: str) -> str:
    return "" if text.strip() in _INTERRUPTIONS else strip_host_text(text)


def _is_claude_agent(row: Row) -> bool:
    return row.get("isSidechain") is True and "agentId" in row


CLAUDE_CODE = Form(_is_claude_code, _read_claude_code, _is_claude_agent)
