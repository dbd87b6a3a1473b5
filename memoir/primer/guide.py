"""A primer's texts about commands: how to ask for more, and how to begin with an empty store."""

from collections.abc import Sequence

PROGRAM = "memoir"
"""The command that an agent runs."""
WAITING = "In the inbox; to file one, remember it with -p PATH"
"""The heading of memories that are not filed yet. Their paths are digests, which cost more tokens than they tell."""


def owner(*, own: bool) -> str:
    """The owner of a store's memories, for the first line of its primer."""
    return "the user" if own else "this project"


def more(program: str, *, own: bool = False) -> Sequence[str]:
    """How to ask a store for more, and how to add to it; `own`: it is the user's own store.

    These are shell commands, since the tools of a server may still be starting when a session begins. Texts are in
    single quotes: between double quotes a shell would run text in backticks.
    """
    remember, suggest = _command(program, "remember", own), _command(program, "suggest", own)
    return (
        "When a question touches earlier decisions, preferences, fixes or people, more is known here. In a shell:",
        f"`{program} recall 'QUESTION'` finds the memories that answer it",
        f"`{program} get PATH` shows a memory in full, `{program} ls PREFIX` lists paths, "
        f"`{program} blame PATH` says who wrote it and when",
        f"`{remember} 'TEXT' -p PATH` keeps what later sessions should know, `{suggest} 'TEXT'` lists paths near it",
    )


def for_user(program: str) -> str:
    """How to add to the user's own store, for a primer that covers a project's store as well."""
    return (
        f"`{_command(program, 'remember', own=True)} 'TEXT' -p PATH` keeps what is about the user, whatever the project"
    )


def held(program: str, *, has_sources: bool) -> str:
    """The contents of a store without memories."""
    if has_sources:
        return f"it has conversations or documents, which `{program} recall 'QUESTION'` searches"
    return "it is empty so far"


def beginning(program: str, now: str, *, own: bool = False) -> Sequence[str]:
    """The primer of a store without memories: its purpose, its contents `now`, and how and when to write to it."""
    remember = _command(program, "remember", own)
    return (
        f"memoir is the memory of {owner(own=own)}; {now}. Later sessions are told what it holds.",
        f"`{remember} 'ONE FACT' -p preferences.coding.tests` keeps one; without -p, memoir chooses the path.",
        "Worth keeping: what the user prefers, decides or corrects, and what was found out with effort; never secrets.",
    )


def _command(program: str, command: str, own: bool) -> str:
    return f"{program} {command} --global" if own else f"{program} {command}"
