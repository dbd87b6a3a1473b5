"""A command that writes has a row in the tests of power cuts and failing disks."""

from collections.abc import Iterator

from faults.writing_commands import OTHERS, READING, ROWS
from typer.core import TyperGroup

from memoir.cli.command_tree import load
from memoir.cli.families import COMMANDS


def _leaves() -> Iterator[str]:
    for name in COMMANDS:
        command = load(name)
        subcommands = command.commands if isinstance(command, TyperGroup) else {}
        yield from (f"{name} {each}" for each in subcommands) if subcommands else [name]


def test_every_command_that_writes_has_a_row() -> None:
    written = {leaf for leaf in _leaves() for row in ROWS if f"{row.words} ".startswith(f"{leaf} ")}
    assert written | READING | OTHERS == set(_leaves())
    assert not written & READING
