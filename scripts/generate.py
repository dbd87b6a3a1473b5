"""Writes the files that follow from others: completions, man pages, schemas, tables, the classifier's evidence.

    python scripts/generate.py            writes completions/, man/, docs/schema/, the tables of docs/contract.md and
                                          memoir/filing/evidence_default.txt
    python scripts/generate.py --check    lists the files that have drifted, and exits 1 if there are any

The tree says what every command takes; `docs/manual.toml` adds what it cannot know: examples and
related commands; `schemas.py` knows the answers, and the default taxonomy gives the evidence. Nothing
here depends on the day, so the same sources give the same bytes.
"""

import re
import sys
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import schemas
from typer._completion_shared import get_completion_script

from memoir import __version__
from memoir.cli import describe
from memoir.cli.families import COMMANDS, FAMILIES
from memoir.filing import evidence
from memoir.settings import TABLE
from memoir.taxonomy import catalogue

PROJECT = Path(__file__).resolve().parent.parent
MANUAL = PROJECT / "docs" / "manual.toml"
SCHEMA = PROJECT / "docs" / "schema"
CONTRACT = PROJECT / "docs" / "contract.md"

Described = Mapping[str, Any]
"""A command, option or argument as `memoir help --json` describes it."""


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` only compare them; returns the exit status."""
    wanted = {**completions(), **man_pages(), **schema_files(), CONTRACT: contract(), **evidence_file()}
    drifted = sorted({path for path in [*wanted, *_present()] if _read(path) != wanted.get(path)})
    for path in drifted:
        sys.stdout.write(f"{path.relative_to(PROJECT)}\n")
        if "--check" not in arguments:
            _write(path, wanted.get(path))
    return int(bool(drifted) and "--check" in arguments)


def _present() -> list[Path]:
    found = [path for folder in ("completions", "man") for path in (PROJECT / folder).glob("[!.]*")]
    return found + [path for path in SCHEMA.glob("*.json") if path.stem not in schemas.BY_HAND]


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")


def completions() -> dict[Path, str]:
    """Typer's scripts, one a shell. They ask memoir itself, so they know every option and key."""
    names = {"bash": "memoir.bash", "zsh": "_memoir", "fish": "memoir.fish"}
    found = {PROJECT / "completions" / name: _completion(shell) for shell, name in names.items()}
    zsh = PROJECT / "completions" / "_memoir"
    # zsh loads the file as the function _memoir at the first Tab: it has to answer that one too.
    found[zsh] = found[zsh].replace(
        "compdef _memoir_completion memoir",
        'if [ "$funcstack[1]" = "_memoir" ]; then\n  _memoir_completion\nfi\n'
        # Sourced in a shell without a completion system, as in 'zsh -f', it brings that along.
        "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i -D }\n"
        "compdef _memoir_completion memoir",
    )
    return found


def _completion(shell: str) -> str:
    return get_completion_script(prog_name="memoir", complete_var="_MEMOIR_COMPLETE", shell=shell) + "\n"


def man_pages() -> dict[Path, str]:
    """memoir(1), and a page for every command."""
    manual = tomllib.loads(MANUAL.read_text("utf-8"))
    tree = describe.tree(list(COMMANDS))
    pages = {"memoir": _main_page(tree, manual["memoir"])}
    for command in tree["commands"]:
        pages[f"memoir-{command['name']}"] = _command_page(command, manual[command["name"]])
    return {PROJECT / "man" / f"{name}.1": "\n".join(lines) + "\n" for name, lines in pages.items()}


def schema_files() -> dict[Path, str]:
    """A schema for every command's answers, for the shapes that they share, and for the lines of streams."""
    return {SCHEMA / f"{name}.json": text for name, text in schemas.schemas()}


def contract() -> str:
    """docs/contract.md, with the table below the heading of each family renewed."""
    text = CONTRACT.read_text("utf-8")
    for name, family in FAMILIES.items():
        before, heading, rest = text.partition(f"\n### {family.heading}\n\n")
        text = before + heading + schemas.table(name) + rest[rest.index("\n\n") :]
    return text


def evidence_file() -> dict[Path, str]:
    """What speaks for each category of the default taxonomy, in the form that the classifier reads."""
    return {evidence.DEFAULT_FILE: evidence.of_catalogue(catalogue.default()).dumps()}


def _main_page(tree: Described, notes: Described) -> Iterator[str]:
    yield from _head("memoir", "git for agent memory")
    yield from _synopsis(r"\fBmemoir\fR [\fIOPTIONS\fR] \fICOMMAND\fR [\fIARGUMENTS\fR]")
    yield from ("", ".SH DESCRIPTION", *_paragraphs(notes["description"]))
    yield from ("", ".SH COMMANDS")
    for family in FAMILIES.values():
        yield f".SS {_escape(family.heading)}"
        for name, summary in family.commands.items():
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


def _command_page(command: Described, notes: Described) -> Iterator[str]:
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
        default = f"the default is {setting.default_text}" if setting.default_text else "not set by default"
        yield from _item(rf"\fB{_escape(setting.key)}\fR", _sentence(f"{setting.help}: {setting.kind.form}; {default}"))


_STATUSES = (
    "0 if the command did what it was asked. Every other status says why not: they are listed in memoir(1), as are "
    "the environment variables that every command heeds."
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


def _usages(command: Described) -> Iterator[str]:
    """One line for a command, one for each of its sub-commands, one for each alias."""
    for name in [command["name"], *command["aliases"]]:
        yield _usage([name], command)
    for sub in command["subcommands"]:
        yield _usage([command["name"], sub["name"]], sub)


def _usage(names: list[str], command: Described) -> str:
    words = [rf"\fBmemoir {_escape(' '.join(names))}\fR", r"[\fIOPTIONS\fR]"]
    return " ".join([*words, *(_placeholder(argument) for argument in command["arguments"])])


def _placeholder(argument: Described) -> str:
    shown = rf"\fI{_escape(_metavar(argument))}\fR"
    return shown if argument["required"] else f"[{shown}]"


def _metavar(argument: Described) -> str:
    """The metavar without the brackets that say it is optional."""
    text: str = argument["metavar"]
    return text[1:-1] if text.startswith("[") else text


def _arguments(arguments: Sequence[Described]) -> Iterator[str]:
    for argument in arguments:
        if text := _with_default(argument):
            yield from _item(rf"\fI{_escape(_metavar(argument))}\fR", text)


def _options(options: Sequence[Described]) -> Iterator[str]:
    for option in options:
        names = ", ".join(rf"\fB{_escape(name)}\fR" for name in option["options"])
        value = rf" \fI{_escape(option['metavar'])}\fR" if option["metavar"] else ""
        yield from _item(names + value, _with_default(option))


def _with_default(parameter: Described) -> str:
    text: str = parameter["help"]
    default = parameter["default"]
    stated = default in (None, False, [], "") or "default" in text
    return text if stated else f"{text} The default is {default}.".strip()


def _examples(examples: Sequence[Described]) -> Iterator[str]:
    yield from ("", ".SH EXAMPLES")
    for position, example in enumerate(examples):
        yield from ([".PP"] if position else [])
        yield from (*_filled(example["about"]), ".PP", ".RS 4", ".EX")
        yield from (_guard(_escape(line)) for line in example["run"].strip().split("\n"))
        yield from (".EE", ".RE")


def _see_also(pages: list[str]) -> Iterator[str]:
    yield from ("", ".SH SEE ALSO")
    for position, page in enumerate(pages, 1):
        yield rf".BR {_escape(page)} (1)" + ("," if position < len(pages) else "")


def _item(term: str, text: str) -> Iterator[str]:
    yield from (".TP", term, *_filled(text))


def _paragraphs(text: str) -> Iterator[str]:
    """Text after a heading: the paragraphs, with a macro between them."""
    for position, paragraph in enumerate(re.split(r"\n\s*\n", text.strip())):
        yield from ([".PP"] if position else [])
        yield from _filled(paragraph)


def _filled(text: str) -> list[str]:
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
