"""`memoir export`."""

from collections.abc import Iterable
from typing import Annotated

import typer

from memoir.cli.options import At, Globs, Namespaces
from memoir.cli.session import session
from memoir.errors import MemoirError
from memoir.memory.transfer import export_lines
from memoir.output import stores
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
    return Answer({}, stream=lines) if output is None else stores.exported(output, _write(output, lines))


def _write(path: str, lines: Iterable[bytes]) -> int:
    """Write the lines to a file that appears whole or not at all; returns how many there were."""
    import os
    import tempfile

    count = 0
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise MemoirError(f"{path}: there is no folder {folder}")
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".memoir-", delete=False) as file:
        try:
            for text in lines:
                file.write(text)
                count += 1
            file.flush()
            os.chmod(file.name, 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise
    return count
