"""Whose word counts for a setting.

A store may have come with somebody else's project. It may say how its own memories are weighed and kept, but what is
sent, where to, and whether a model is asked is for its user to decide: by an option, the environment, or the user's
own git configuration (system, global or command line). What a store's own configuration says of that is ignored.
"""

_USERS_SECTIONS = ("memoir.alias.", "memoir.embed.", "memoir.llm.")
_USERS_KEYS = frozenset(("memoir.recall.mode", "memoir.filing.classifier"))
_USERS_VALUES = frozenset((("memoir.recall.rerank", "llm"), ("memoir.remember.mergepolicy", "llm_merge")))
"""Of these settings only the value that asks a model."""
STORE_SCOPES = frozenset(("local", "worktree"))
"""What git calls the levels of configuration that a store brings along."""


def only_the_user_decides(key: str, value: str) -> bool:
    """Whether a store's own configuration may not give a setting (a key in git's form) this value."""
    return key.startswith(_USERS_SECTIONS) or key in _USERS_KEYS or (key, value) in _USERS_VALUES


def is_ignored(scope: str, key: str, value: str) -> bool:
    """Whether a setting that git found at a level of configuration does not count."""
    return scope in STORE_SCOPES and only_the_user_decides(key, value)


def note(ignored: list[tuple[str, str]], *sections: str) -> list[str]:
    """What to tell a user whose store sets things in some sections that are not for it to decide; nothing without."""
    keys = sorted({key for key, _ in ignored if key.startswith(sections)})
    if not keys:
        return []
    return [f"ignored {', '.join(keys)} in the store's own config: only your own counts ('memoir config --global')"]
