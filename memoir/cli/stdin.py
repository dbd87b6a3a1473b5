"""Texts that a command takes from its arguments, or from standard input where the argument is '-'."""

import sys

from memoir.errors import InvalidInput


def text_or_stdin(given: str, most: int) -> str:
    """The text itself; from standard input one final line break is dropped, as `$(...)` does.

    Args:
        given: The argument.
        most: Bytes that are of use; more than one beyond them is not read.

    Raises:
        InvalidInput: standard input is not UTF-8.
    """
    if given != "-":
        return given
    data = sys.stdin.buffer.read(most + 2)
    try:
        return data.decode().removesuffix("\n")
    except UnicodeDecodeError:
        raise InvalidInput("standard input is not valid UTF-8 text") from None
