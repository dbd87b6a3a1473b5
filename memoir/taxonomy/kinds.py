"""Kinds of memories, and the default merge policy of each.

A memory may say its own kind, in its metadata; else the first segment of its path names one.

Episodic memories are events: a new one is added to the others. Semantic memories are facts: the more confident one
stays active. Working memory is a scratchpad: the newest stays active.
"""

_POLICIES = {
    **dict.fromkeys(("episodic", "experience", "communication", "debugging", "learning", "inbox"), "append"),
    **dict.fromkeys(("working", "context"), "replace"),
}
"""The merge policy at paths that begin so; all others hold semantic memories."""
_OF_FACTS = "confidence_gated"
ITEM_KIND = "item_kind"
"""The field of metadata that has a memory's own kind."""
FACT, EVENT, PREFERENCE, DIRECTIVE = "fact", "event", "preference", "directive"
PLAYBOOK, RESOLUTION, PLAN = "playbook", "resolution", "plan"
ITEM_KINDS = (FACT, EVENT, PREFERENCE, DIRECTIVE, PLAYBOOK, RESOLUTION, PLAN)
"""The kinds that a memory may be of."""
_ADDED_KINDS = (EVENT, RESOLUTION)
"""Kinds of which a new memory does not replace an older one: what happened stays true."""


def has_happened(kind: object) -> bool:
    """Whether a memory of a kind stays true whatever comes later."""
    return kind in _ADDED_KINDS


def policy_of(kind: object) -> str | None:
    """The merge policy of memories that say their own kind; None without one."""
    if kind not in ITEM_KINDS:
        return None
    return "append" if has_happened(kind) else _OF_FACTS


def default_policy(path: str, kind: object = None) -> str:
    """The merge policy for an occupied path if the caller names none; `kind` is the new memory's own."""
    return policy_of(kind) or _POLICIES.get(path.partition(".")[0], _OF_FACTS)
