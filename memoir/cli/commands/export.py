"""`memoir export`."""

import os
import tempfile
from collections.abc import Iterable
from typing import IO, Annotated

import typer

from memoir.cli.options import At, Globs, Namespaces
from memoir.cli.session import session
from memoir.errors import MemoirError
from memoir.memory.transfer import export_lines
from memoir.output import sync as shapes
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file instead of standard output.")
    ] = None,
    keys: Globs = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Export memories as JSON lines, one a memory, in key order.

    Imported into an empty store they give the same root id. The lines are JSON already, so --json changes nothing
    unless they go to a file.
    """
    lines = export_lines(session(ctx).store.at(at), namespace or [], keys or [])
    if output is None:
        return Answer({}, stream=lines, whole=True)
    return shapes.exported(output, _write(output, lines))._replace(whole=True)


def _write(path: str, lines: Iterable[bytes]) -> int:
    """Write the lines to a file and return how many there were.

    A regular file appears whole or not at all; a device or pipe is written to as it is.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            return _copy(lines, file)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise MemoirError(f"{path}: there is no folder {folder}")
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".memoir-", delete=False) as draft:
        try:
            count = _copy(lines, draft)
            draft.flush()
            os.chmod(draft.name, 0o666 & ~_umask())
            os.replace(draft.name, target)
            return count
        except BaseException:
            os.unlink(draft.name)
            raise


def _copy(lines: Iterable[bytes], file: IO[bytes]) -> int:
    count = 0
    for text in lines:
        file.write(text)
        count += 1
    return count


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
