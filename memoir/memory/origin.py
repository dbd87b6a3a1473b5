"""Whose words a memory has, and where it is from if nobody remembered it by hand.

An item of a source has a link to the segment that it was taken from, and in its metadata who says it: `person`, if they
say it of themselves, else `speaker`. In other memories `person` is whom they are about.
What capture, an import or a program stored may name its source in the metadata `source`.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memoir.records.record import Record
    from memoir.taxonomy.paths import Address

Metadata = Mapping[str, Any]

SOURCE = "source"
"""The field that says where a memory comes from."""
CAPTURE = "capture:"
"""How the source of a memory begins that was captured in a session."""
_LONGEST_NAME = 60

USER, ASSISTANT, TALK, TEXT = "user", "assistant", "talk", "text"
"""The roles: one who asks an assistant, the assistant, a person among people, and nobody, as in a document."""
_ROLES = {
    **dict.fromkeys(("user", "human"), USER),
    **dict.fromkeys(
        ("assistant", "ai", "model", "bot", "system", "tool", "chatgpt", "claude", "gemini", "codex"), ASSISTANT
    ),
}


def speaker(metadata: Metadata) -> str | None:
    """The name of who says a memory; None if nobody is known to."""
    names = (metadata.get("speaker"), metadata.get("person") if source_of_item(metadata) else None)
    return next(
        (" ".join(name.split())[:_LONGEST_NAME] for name in names if isinstance(name, str) and name.strip()), None
    )


def role_of(speaker: str) -> str:
    """The role of a speaker, by the name."""
    return _ROLES.get(speaker.casefold(), TALK)


def said(content: str, metadata: Metadata) -> str:
    """A memory's content after the name of who says it, as in `Caroline: I moved to Rome`."""
    name = speaker(metadata)
    return f"{name}: {content}" if name and not content.startswith((f"{name}:", f"{name} (")) else content


def spoken(record: "Record") -> str:
    """A record as one string, as `projection` has it, but each memory after the name of who says it."""
    from memoir.records.record import active_facets  # not for who only asks for a name

    return "\n".join(said(each.content, each.metadata) for each in active_facets(record))


def source(metadata: Metadata) -> str | None:
    """The name of what a memory comes from; None if it names nothing."""
    name = source_of_item(metadata) or metadata.get(SOURCE)
    return name if isinstance(name, str) and name else None


def source_of_item(metadata: Metadata) -> str | None:
    """The name of the source of whose segment a memory is an item; None if it is not an item."""
    segment = segment_of_item(metadata)
    return segment and segment.path.partition(".")[2].rpartition(".")[0]


def segment_of_item(metadata: Metadata) -> "Address | None":
    """The segment of a source that a memory is an item of; None if it is not an item."""
    from memoir.records.metadata import LINKS

    if LINKS not in metadata:
        return None
    from memoir.memory.layer_namespaces import RAW
    from memoir.memory.links import targets_of
    from memoir.taxonomy.paths import SOURCES

    for address in targets_of(metadata, "derives_from"):
        root, _, rest = address.path.partition(".")
        if address.namespace.endswith(f":{RAW}") and root == SOURCES and "." in rest:
            return address
    return None


def is_captured(metadata: Metadata) -> bool:
    """Whether a memory was captured in a session."""
    name = metadata.get(SOURCE)
    return isinstance(name, str) and name.startswith(CAPTURE)
