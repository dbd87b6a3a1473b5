"""Answers a mistake on the command line: what is wrong, and what was probably meant."""

import re

import typer
from typer.core import TyperOption

from memoir.errors import InvalidInput

_STEPS = {
    "undo": "'memoir undo N' takes back N changes; 'memoir reflog' lists them",
    "redo": "'memoir redo' goes one step forward; 'memoir reflog' lists the states",
}
"""The hint for any mistake with a command that goes back or forward."""

_TOO_MANY, _TOO_FEW = "got unexpected extra argument", "missing argument"
_NEXT = {
    ("remember", _TOO_MANY): "put the memory in quotes: memoir remember 'Use pytest, not unittest.'",
    ("remember", _TOO_FEW): "memoir remember 'Use pytest, not unittest.'; 'memoir remember -' reads standard input",
    ("edit", _TOO_MANY): "'memoir remember TEXT -p KEY' says it in other words; 'memoir edit KEY' opens an editor",
    ("recall", _TOO_MANY): "put the question in quotes: memoir recall 'how do we test?'",
    ("grep", _TOO_MANY): "put a pattern with blanks in quotes",
    ("taxonomy add", "missing option"): "memoir taxonomy add project.billing --about 'invoices and payments'",
    ("lexicon add", _TOO_FEW): "memoir lexicon add barn = staging cluster, preprod",
    ("tag", "no such option: -m"): "a tag has no message; 'memoir log --at TAG' shows that of the commit it names",
    ("tag", "no such option: -a"): "a tag has no message and is not signed; 'memoir tag NAME' creates one",
    ("log", "no such option: --graph"): "'git --git-dir .memoir log --graph --oneline' draws the commits",
}
"""The hints for some mistakes, by the command and how the message begins."""


def usage(error: typer.TyperException, name: str) -> InvalidInput:
    """Return the error that answers a mistake.

    Args:
        error: The error of Typer's parser. Its kinds have no public names, so they are told by what they carry.
        name: The command that was to run, if the error does not name one; `memoir` if there was none.
    """
    context: typer.Context | None = getattr(error, "ctx", None)
    command = context.command_path if context else "memoir" if name == "memoir" else f"memoir {name}"
    hint = f"'{command} --help' shows how it is used"
    message = error.format_message()
    unknown = _unknown_option(error)
    if unknown:
        message = f"no such option: {unknown}"
        hint = _hint(unknown, context) or hint
    if number := re.fullmatch(r"Invalid value for .*: ('.*') is not a valid int.*", message, re.DOTALL):
        message = f"{number[1]} is not a whole number"
    message = message[:1].lower() + message[1:].rstrip(".")
    hint = _next_step(command.removeprefix("memoir "), message) or hint
    if name in _STEPS:
        word = unknown.lstrip("-")
        hint = f"memoir undo {word}" if name == "undo" and word.isdigit() else _STEPS[name]
    elif name == "branch" and unknown in ("-a", "--all"):
        hint = "'memoir branch' lists the branches, 'memoir branch -r' those of remotes"
    if command.endswith("remember") and "option" in message:
        hint += "; if the memory begins with '-', put it last, after '--', or into standard input"
    return InvalidInput(message, hint)


def _unknown_option(error: typer.TyperException) -> str:
    """Return the option that the command does not have; empty if the mistake is another one."""
    return getattr(error, "option_name", "") if error.message.startswith("No such option") else ""


def _next_step(command: str, message: str) -> str | None:
    """Return what to type instead, if that is known of a mistake."""
    return next((step for (name, start), step in _NEXT.items() if name == command and message.startswith(start)), None)


def _hint(word: str, context: typer.Context | None) -> str | None:
    """Return a hint that names the option that was probably meant."""
    from difflib import get_close_matches

    options = [param for param in context.command.params if isinstance(param, TyperOption)] if context else []
    names = {name.lstrip("-"): name for option in options for name in option.opts}
    if word.lstrip("-").isdigit() and names.get("limit"):
        return f"for a number of entries: -l {word.lstrip('-')}"
    close = get_close_matches(word.lstrip("-"), [name for name in names if len(name) > 1], 1, 0.7)
    return f"did you mean {names[close[0]]!r}?" if close else None
