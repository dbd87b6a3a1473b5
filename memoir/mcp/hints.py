"""Hints in the words of the tools: services speak of commands, which an agent behind MCP may not be able to run."""

import re

_TOOLS = {
    "ls": "summarize keys",
    "blame": "history blame",
    "diff": "history diff",
    "log": "history log",
    "timeline": "history timeline",
    "why": "history why",
    **{name: name for name in ("forget", "get", "lexicon", "recall", "remember", "status", "suggest", "summarize")},
}
"""The tool, and what it is asked for, in place of a command; all others are for a shell."""
_COMMAND = re.compile(r"'memoir ([a-z]+)((?: [^' ]+)*)'")
_OPTION = re.compile(r" --?[a-z-]+ [^' ]+")
_WORDS = (
    ("; if it is not a credential, pass --allow-secret", ""),
    ("; --prefix includes what is below", "; a glob includes what is below"),
    ("choose another namespace with -n, or ", "choose another namespace, or "),
    ("--merge-policy ", "the policy "),
)
"""What else is said of options, and how it is said of arguments."""


def hint_of_tools(hint: str) -> str:
    """A hint that names tools where it named commands that are tools, too."""
    for command, argument in _WORDS:
        hint = hint.replace(command, argument)
    return _COMMAND.sub(_tool, hint)


def _tool(match: re.Match[str]) -> str:
    command, arguments = match.groups()
    if command not in _TOOLS:
        return match[0]
    place = _OPTION.sub("", arguments)
    if command == "ls":
        place = f"{place}.*" if place else " *"
    return f"'{_TOOLS[command]}{place}'"
