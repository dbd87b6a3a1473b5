"""The kind of memory a path's first segment names, and what that kind does on an occupied path.

Episodic memories are events: a new one joins those before it. Semantic ones are facts: the surer
one stands. Working memory is a scratchpad: the newest stands.
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
    """The kind of memory at a path; what is not listed is a fact."""
    return _KINDS.get(path.partition(".")[0], SEMANTIC)


def default_policy(path: str) -> str:
    """The merge policy for an occupied path when nobody names one."""
    return _POLICIES[kind_of(path)]
