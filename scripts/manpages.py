"""The manual pages, in roff: memoir(1), and one for every command."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import tables

from memoir import __version__
from memoir.cli.commands import help as describe
from memoir.cli.families import COMMANDS, FAMILIES, HEADINGS
from memoir.settings import TABLE

Description = Mapping[str, Any]
"""A command, option or argument as `memoir help --json` describes it."""


def pages(manual: Description) -> Iterator[tuple[str, str]]:
    """The name and text of every page.

    Args:
        manual: docs/manual.toml, by the names of commands: what the command tree cannot know.
    """
    tree = describe.tree(list(COMMANDS))
    yield "memoir", _text(_main_page(tree, manual["memoir"]))
    for command in tree["commands"]:
        yield f"memoir-{command['name']}", _text(_command_page(command, manual[command["name"]]))


def _text(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"


def _main_page(tree: Description, notes: Description) -> Iterator[str]:
    yield from _head("memoir", "git for agent memory")
    yield from _synopsis(r"\fBmemoir\fR [\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]")
    yield from ("", ".SH DESCRIPTION", *_paragraphs(notes["description"]))
    yield from ("", ".SH COMMANDS")
    for family, commands in FAMILIES.items():
        yield f".SS {_escape(HEADINGS[family])}"
        for name, summary in commands.items():
            yield from _item(rf"\fBmemoir\-{_escape(name)}\fR(1)", summary)
    options = describe.root()["options"]
    yield from ("", ".SH OPTIONS", *_options(options))
    yield from ("", ".SH EXIT STATUS")
    for row in tree["exit_statuses"]:
        yield from _item(rf"\fB{row['status']}\fR", _sentence(row["meaning"]))
    yield from ("", ".SH ENVIRONMENT")
    for row in tree["environment"]:
        yield from _item(rf"\fB{row['name']}\fR", _sentence(row["meaning"]))
    yield from _examples(notes["examples"])
    yield from _see_also(notes["see_also"])


def _command_page(command: Description, notes: Description) -> Iterator[str]:
    name = f"memoir-{command['name']}"
    yield from _head(name, command["summary"].rstrip("."))
    yield from _synopsis(*_usages(command))
    yield from ("", ".SH DESCRIPTION", *_paragraphs(command["description"]))
    yield from ("", ".SH OPTIONS", *_arguments(command["arguments"]), *_options(command["options"]))
    for sub in command["subcommands"]:
        yield rf".SS {_escape(command['name'] + ' ' + sub['name'])}"
        yield from (*_paragraphs(sub["description"]), *_arguments(sub["arguments"]))
    if command["name"] == "config":
        yield from ("", ".SH SETTINGS", *_settings())
    yield from ("", ".SH EXIT STATUS", *_paragraphs(_STATUSES))
    yield from _examples(notes["examples"])
    yield from _see_also(["memoir", *(f"memoir-{other}" for other in notes["see_also"])])


def _settings() -> Iterator[str]:
    for setting in TABLE:
        facts = [setting.help, f"value: {setting.kind.form}", tables.default(setting), tables.restriction(setting)]
        yield from _item(rf"\fB{_escape(setting.key)}\fR", " ".join(_sentence(fact) for fact in facts if fact))


_STATUSES = (
    "0 if the command succeeded. memoir(1) lists the other statuses, and the environment variables of every command."
)


def _head(name: str, summary: str) -> Iterator[str]:
    yield r".\" Made by scripts/generate.py from the command tree and docs/manual.toml: edit those."
    yield f'.TH {_escape(name.upper())} 1 "" "memoir {__version__}" "memoir"'
    yield from (".nh", ".ad l", ".SH NAME", rf"{_escape(name)} \- {_escape(summary[:1].lower() + summary[1:])}", "")


def _synopsis(*usages: str) -> Iterator[str]:
    yield ".SH SYNOPSIS"
    for position, usage in enumerate(usages):
        yield from ([".br"] if position else [])
        yield usage


def _usages(command: Description) -> Iterator[str]:
    """One line for a command, one for each of its sub-commands, one for each alias."""
    for name in [command["name"], *command["aliases"]]:
        yield _usage([name], command)
    for sub in command["subcommands"]:
        yield _usage([command["name"], sub["name"]], sub)


def _usage(names: list[str], command: Description) -> str:
    words = [rf"\fBmemoir {_escape(' '.join(names))}\fR", r"[\fIOPTIONS\fR]"]
    return " ".join([*words, *(_placeholder(argument) for argument in command["arguments"])])


def _placeholder(argument: Description) -> str:
    name = rf"\fI{_escape(_metavar(argument))}\fR"
    return name if argument["required"] else f"[{name}]"


def _metavar(argument: Description) -> str:
    """The metavar without the brackets that say it is optional."""
    text: str = argument["metavar"]
    return text[1:-1] if text.startswith("[") else text


def _arguments(arguments: Sequence[Description]) -> Iterator[str]:
    for argument in arguments:
        if text := _with_default(argument):
            yield from _item(rf"\fI{_escape(_metavar(argument))}\fR", text)


def _options(options: Sequence[Description]) -> Iterator[str]:
    for option in options:
        names = ", ".join(rf"\fB{_escape(name)}\fR" for name in option["options"])
        value = rf" \fI{_escape(option['metavar'])}\fR" if option["metavar"] else ""
        yield from _item(names + value, _with_default(option))


def _with_default(parameter: Description) -> str:
    text: str = parameter["help"]
    default = parameter["default"]
    is_stated = default in (None, False, [], "") or "default" in text
    return text if is_stated else f"{text} The default is {default}.".strip()


def _examples(examples: Sequence[Description]) -> Iterator[str]:
    yield from ("", ".SH EXAMPLES")
    for position, example in enumerate(examples):
        yield from ([".PP"] if position else [])
        yield from (*_fill(example["about"]), ".PP", ".RS 4", ".EX")
        yield from (_guard(_escape(line)) for line in example["run"].strip().split("\n"))
        yield from (".EE", ".RE")


def _see_also(pages: list[str]) -> Iterator[str]:
    yield from ("", ".SH SEE ALSO")
    for position, page in enumerate(pages, 1):
        yield rf".BR {_escape(page)} (1)" + ("," if position < len(pages) else "")


def _item(term: str, text: str) -> Iterator[str]:
    yield from (".TP", term, *_fill(text))


def _paragraphs(text: str) -> Iterator[str]:
    """Text after a heading: the paragraphs, with a macro between them."""
    for position, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        yield from ([".PP"] if position else [])
        yield from _fill(paragraph)


def _fill(text: str) -> list[str]:
    return [_guard(line) for line in textwrap.wrap(_escape(text), 78, break_on_hyphens=False)]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _escape(text: str) -> str:
    """Text for roff, so that what is copied from a page is what was meant: ASCII dashes and quotes."""
    for char, safe in (("\\", r"\e"), ("-", r"\-"), ("'", r"\(aq"), ("`", r"\(ga"), ("^", r"\(ha"), ("~", r"\(ti")):
        text = text.replace(char, safe)
    return text


def _guard(line: str) -> str:
    """A line of text that begins with a dot would be taken for a macro."""
    return rf"\&{line}" if line.startswith(".") else line
