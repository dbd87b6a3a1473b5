"""Parses options without looking for what a mistake meant: `memoir.cli.usage` does that, and only for a mistake.

Typer's parser takes each short option for a long one first, and collects the options like it before it looks further.
"""

from typer._click import Command, Context
from typer._click.exceptions import NoSuchOption
from typer._click.parser import _OptionParser, _ParsingState


class _Parser(_OptionParser):
    def _match_long_opt(self, opt: str, explicit_value: str | None, state: _ParsingState) -> None:
        if opt not in self._long_opt:
            raise NoSuchOption(opt, ctx=self.ctx)
        super()._match_long_opt(opt, explicit_value, state)


class PlainParser(Command):
    """A command, or a group, with that parser."""

    def make_parser(self, ctx: Context) -> _OptionParser:
        """Return a parser of the command's parameters."""
        parser = _Parser(ctx)
        for param in self.get_params(ctx):
            param.add_to_parser(parser, ctx)
        return parser
