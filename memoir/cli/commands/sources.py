"""`memoir sources`."""

from typing import Annotated

import typer

from memoir.answers import sources as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import At, DryRun, Message, Namespaces
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions
from memoir.taxonomy.paths import DEFAULT_NAMESPACE


def sources(
    ctx: typer.Context,
    remove: Annotated[str | None, typer.Option("--remove", metavar="NAME", help="Remove this source.")] = None,
    namespace: Namespaces = None,
    at: At = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """List the sources that were ingested, or remove one.

    History keeps a source that was removed, and 'memoir undo' takes the removal back.
    """
    sources = session(ctx).repository.sources
    if remove is None:
        return shapes.sources(sources.list(namespace or (), at=at))
    names = namespace or [DEFAULT_NAMESPACE]
    if len(names) > 1 or at:
        raise InvalidInput("--remove works on one namespace, as it is now", "give -n once, and leave out --at")
    done = sources.remove(remove, namespace=names[0], options=WriteOptions(message, dry_run=dry_run))
    return shapes.source_removal(done, dry_run=dry_run)
