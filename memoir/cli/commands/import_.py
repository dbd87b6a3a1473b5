"""`memoir import`."""

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, Branch, Message, Namespace
from memoir.cli.session import Session, session
from memoir.memory.policy import POLICIES
from memoir.memory.transfer import Imported, import_lines
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.output.terminal import Progress


def command(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON lines, or '-' for standard input.", show_default=False)
    ],
    merge_policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="On an occupied path: replace, append, confidence_gated or reject.",
            autocompletion=complete.words(*POLICIES),
        ),
    ] = "replace",
    namespace: Namespace = DEFAULT,
    message: Message = None,
    branch: Branch = None,
) -> Answer:
    """Import memories from JSON lines, as one commit, all or nothing.

    A line is {namespace, path, content, timestamp, confidence, status, metadata}; path and content are required.
    Lines that name the same path are that path's memories, in order. If a line is bad, nothing is imported and every
    bad line is named.
    """
    here = session(ctx)
    if file == "-":
        result = _import(here, sys.stdin.buffer, merge_policy, namespace, message, branch)
    else:
        with open(file, "rb") as lines:
            result = _import(here, lines, merge_policy, namespace, message, branch)
    return stores.imported(result)


def _import(
    here: Session, lines: Iterable[bytes], policy: str, namespace: str, message: str | None, branch: str | None
) -> Imported:
    with Progress("importing", None, shown=not here.json) as progress:
        return import_lines(
            here.store, lines, policy=policy, namespace=namespace, message=message, branch=branch, progress=progress
        )
