"""The kind of memory that a path's first segment names, and the default merge policy of each kind.

Episodic memories are events: a new one is added to the others. Semantic memories are facts: the more confident one
stays active. Working memory is a scratchpad: the newest stays active.
"""

EPISODIC, SEMANTIC, WORKING = "episodic", "semantic", "working"

_KINDS = {
    "episodic": EPISODIC,
    "experience": EPISODIC,
    "communication": EPISODIC,
    "debugging": EPISODIC,
    "learning": EPISODIC,
    "inbox": EPISODIC,
    "working": WORKING,
    "context": WORKING,
}
_POLICIES = {EPISODIC: "append", SEMANTIC: "confidence_gated", WORKING: "replace"}


def kind_of(path: str) -> str:
    """The kind of memory at a path; semantic if its first segment is not listed."""
    return _KINDS.get(path.partition(".")[0], SEMANTIC)


def default_policy(path: str) -> str:
    """The merge policy for an occupied path if the caller names none."""
    return _POLICIES[kind_of(path)]
