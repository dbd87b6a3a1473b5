"""Kinds of memories, and the default merge policy of each.

A memory's kind is in its metadata, else given by the first segment of its path.

Episodic memories are events: new ones are appended. Semantic memories are facts: the more confident one stays active.
Working memory is a scratchpad: the newest stays active. Working memory is a scratchpad: the newest stays active.
"""

_POLICIES = {
    **dict.fromkeys(("episodic", "experience", "communication", "debugging", "learning", "inbox"), "append"),
    **dict.fromkeys(("working", "context"), "replace"),
}
"""The merge policies by first segment; all others hold semantic memories."""
_OF_FACTS = "confidence_gated"
ITEM_KIND = "item_kind"
"""The metadata field with a memory's own kind."""
FACT, EVENT, PREFERENCE, DIRECTIVE = "fact", "event", "preference", "directive"
PLAYBOOK, RESOLUTION, PLAN = "playbook", "resolution", "plan"
ITEM_KINDS = (FACT, EVENT, PREFERENCE, DIRECTIVE, PLAYBOOK, RESOLUTION, PLAN)
"""The kinds of memories."""
_ADDED_KINDS = (EVENT, RESOLUTION)
"""Kinds whose new memories replace no older ones: past events stay true."""


def has_happened(kind: object) -> bool:
    """Whether memories of a kind stay true regardless of later ones."""
    return kind in _ADDED_KINDS


def policy_of(kind: object) -> str | None:
    """The merge policy of memories with this kind; None for no kind."""
    if kind not in ITEM_KINDS:
        return None
    return "append" if has_happened(kind) else _OF_FACTS


def default_policy(path: str, kind: object = None) -> str:
    """The merge policy for an occupied path if the caller names none; `kind` is the new memory's own."""
    return policy_of(kind) or _POLICIES.get(path.partition(".")[0], _OF_FACTS)
