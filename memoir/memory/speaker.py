"""The speaker of a memory, and its source if it was not remembered by hand.

An item of a source has a link to its segment. Its metadata name the speaker: `person` if they speak of themselves, else
`speaker`. In other memories `person` is whom they are about. Memories of capture, an import or a program may name their
source in the metadata `source`.
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
"""The beginning of the `source` of a memory captured in a session."""
_LONGEST_NAME = 60

USER, ASSISTANT, TALK, TEXT = "user", "assistant", "talk", "text"
"""The roles: the user of an assistant, the assistant, a person among people, and none, as in a document."""
_ROLES = {
    **dict.fromkeys(("user", "human"), USER),
    **dict.fromkeys(
        ("assistant", "ai", "model", "bot", "system", "tool", "chatgpt", "claude", "gemini", "codex"), ASSISTANT
    ),
}


def speaker(metadata: Metadata) -> str | None:
    """The name of a memory's speaker; None if unknown."""
    names = (metadata.get("speaker"), metadata.get("person") if source_of_item(metadata) else None)
    return next(
        (" ".join(name.split())[:_LONGEST_NAME] for name in names if isinstance(name, str) and name.strip()), None
    )


def role_of(speaker: str) -> str:
    """The role of a speaker with this name."""
    return _ROLES.get(speaker.casefold(), TALK)


def said(content: str, metadata: Metadata) -> str:
    """A memory's content after its speaker's name, as in `Caroline: I moved to Rome`."""
    name = speaker(metadata)
    return f"{name}: {content}" if name and not content.startswith((f"{name}:", f"{name} (")) else content


def spoken(record: "Record") -> str:
    """The active memories of a record as one string, like `projection`, each after its speaker's name."""
    from memoir.records.record import active_facets  # callers that need only a name are spared it

    return "\n".join(said(each.content, each.metadata) for each in active_facets(record))


def source(metadata: Metadata) -> str | None:
    """The name of a memory's source; None if it has none."""
    name = source_of_item(metadata) or metadata.get(SOURCE)
    return name if isinstance(name, str) and name else None


def source_of_item(metadata: Metadata) -> str | None:
    """The name of the source that a memory was taken from; None if it is not an item."""
    segment = segment_of_item(metadata)
    return segment and segment.path.partition(".")[2].rpartition(".")[0]


def segment_of_item(metadata: Metadata) -> "Address | None":
    """The segment of a source that a memory was taken from; None if it is not an item."""
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
