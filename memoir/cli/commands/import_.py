"""`memoir import`."""

import sys
from contextlib import nullcontext
from typing import Annotated

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli import complete
from memoir.cli.options import DEFAULT, AllowSecret, Message, Namespace
from memoir.cli.session import session
from memoir.memory.write_options import WriteOptions
from memoir.records.policy import POLICIES


def import_(
    ctx: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="JSON lines, or '-' for standard input.", show_default=False)
    ],
    merge_policy: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="If a path is occupied: replace, append, confidence_gated or reject.",
            autocompletion=complete.words(*POLICIES),
        ),
    ] = "replace",
    namespace: Namespace = DEFAULT,
    allow_secret: AllowSecret = False,
    allow_look_alike: Annotated[
        bool, typer.Option("--allow-look-alike", help="Accept new paths that could be mistaken for others.")
    ] = False,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out the lines that cannot be imported, and name them.")
    ] = False,
    report: Annotated[
        str | None,
        typer.Option("--report", metavar="FILE", help="Name them in a file, as {line, message}; implies --skip-bad."),
    ] = None,
    message: Message = None,
) -> Answer:
    """Import memories from JSON lines, as one commit, all or nothing.

    A line is {namespace, path, content, timestamp, confidence, status, metadata}; path and content are required. Lines
    that name the same path are that path's memories, in order. If a line cannot be imported, nothing is, and every
    such line is named; with --skip-bad the others are imported.

    An export may contain what 'remember' refuses: text that looks like a credential, and paths that could be mistaken
    for others. To import all of it, give --allow-secret --allow-look-alike.
    """
    options = WriteOptions(message, allow_secrets=allow_secret)
    here = session(ctx)
    with (
        nullcontext(sys.stdin.buffer) if file == "-" else open(file, "rb") as lines,
        Progress("importing", shown=here.chatty) as progress,
    ):
        done = here.repository.import_lines(
            lines, policy=merge_policy, namespace=namespace, progress=progress, allow_look_alikes=allow_look_alike,
            skip_bad=skip_bad, report=report, options=options,
        )  # fmt: skip
    return shapes.import_(done)
