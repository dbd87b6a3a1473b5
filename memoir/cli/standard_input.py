"""Reads text from an argument, or from standard input if the argument is '-'."""

import sys

from memoir.errors import InvalidInput


def text_or_stdin(value: str, most: int) -> str:
    """Return the argument, or what standard input holds; its last line break is dropped, as by `$(...)`.

    Args:
        value: The argument.
        most: The greatest number of bytes that the caller can use; of a longer input only the beginning is read.

    Raises:
        InvalidInput: standard input is not UTF-8.
    """
    if value != "-":
        return value
    data = sys.stdin.buffer.read(most + 2)
    try:
        return data.decode().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise InvalidInput("standard input is not valid UTF-8 text") from error
