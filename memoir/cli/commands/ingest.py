"""`memoir ingest`."""

import sys
from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, DryRun, Message, Namespace
from memoir.cli.session import session
from memoir.memory.options import WriteOptions
from memoir.output import sources as shapes
from memoir.output.answer import Answer
from memoir.output.terminal import Progress


def command(
    ctx: typer.Context,
    path: Annotated[
        str,
        typer.Argument(metavar="PATH", help="A file, a folder, or '-' for standard input.", show_default=False),
    ],
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="The name of the source (default: made of its path)."),
    ] = None,
    namespace: Namespace = DEFAULT,
    allow_secret: Annotated[
        bool, typer.Option("--allow-secret", help="Keep credentials, which are otherwise struck out and counted.")
    ] = False,
    items: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="What finds memories in it: rules, or none.",
            autocompletion=complete.words("rules", "none"),
        ),
    ] = "rules",
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Store conversations and documents as segments, and the memories found in them.

    A conversation is JSON lines {speaker or role, content, timestamp}, or a transcript whose lines begin with a name
    and a colon. Everything else is a document: Markdown or plain text; PDF, DOCX and HTML with the extra
    'documents'. A conversation is cut where it pauses or changes
    its topic, a document at its headings; a segment has 2,000 characters at most, and is verbatim.

    Segments lie in the layer NAMESPACE:raw, at sources.NAME.NUMBER, and are no memories of the namespace; 'memoir
    grep', 'ls -n' and 'export' show them. Sentences that state something durable become memories, filed as 'remember'
    files them, with a link to their segment that 'memoir why' follows.

    To ingest a source again changes only what changed in it. Each source is a commit.
    """
    here = session(ctx)
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    if path == "-":
        text = sys.stdin.buffer
        done = here.repository.sources.ingest_text(
            text, name=name or "stdin", namespace=namespace, items=items, options=options
        )
        return shapes.ingested([done], dry_run=dry_run)
    with Progress("ingesting", shown=here.chatty) as progress:
        report = here.repository.sources.ingest(
            path, name=name, namespace=namespace, items=items, progress=progress, options=options
        )
    return shapes.ingested(*report, dry_run=dry_run)
