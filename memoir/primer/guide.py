"""What a primer says of the commands: how to ask for more, and how to begin where nothing is kept yet."""

from collections.abc import Sequence

PROGRAM = "memoir"
"""The command that an agent runs."""
WAITING = "In the inbox; to file one, remember it with -p PATH"
"""The heading of what is not filed yet. Its paths are digests, which would cost more tokens than what they name."""


def owner(*, own: bool) -> str:
    """Whose memories a store holds, as the first line of its primer says."""
    return "the user" if own else "this project"


def more(program: str, *, own: bool = False) -> Sequence[str]:
    """How to ask a store for more, and how to add to it; `own` is the user's own store.

    These are shell commands, which are there when a session begins; the tools of a server may still be starting. Texts
    are in single quotes: between double ones a shell would run what a fact has in backticks.
    """
    remember, suggest = _of(program, "remember", own), _of(program, "suggest", own)
    return (
        "When a question touches earlier decisions, preferences, fixes or people, more is known here. In a shell:",
        f"`{program} recall 'QUESTION'` finds the memories that answer it",
        f"`{program} get PATH` shows a memory in full, `{program} ls PREFIX` lists paths, "
        f"`{program} blame PATH` says who wrote it and when",
        f"`{remember} 'TEXT' -p PATH` keeps what later sessions should know, `{suggest} 'TEXT'` lists paths near it",
    )


def for_user(program: str) -> str:
    """How to add to the user's own store, where a primer tells of a project's as well."""
    return f"`{_of(program, 'remember', own=True)} 'TEXT' -p PATH` keeps what is about the user, whatever the project"


def held(program: str, *, has_sources: bool) -> str:
    """What is in a store without a memory."""
    if has_sources:
        return f"it has conversations or documents, which `{program} recall 'QUESTION'` searches"
    return "it is empty so far"


def beginning(program: str, now: str, *, own: bool = False) -> Sequence[str]:
    """What to know of a store without a memory: what it is for, what is in it `now`, how and when to write to it."""
    remember = _of(program, "remember", own)
    return (
        f"memoir is the memory of {owner(own=own)}; {now}. Later sessions are told what it holds.",
        f"`{remember} 'ONE FACT' -p preferences.coding.tests` keeps one; without -p, memoir chooses the path.",
        "Worth keeping: what the user prefers, decides or corrects, and what was found out with effort; never secrets.",
    )


def _of(program: str, command: str, own: bool) -> str:
    return f"{program} {command} --global" if own else f"{program} {command}"
