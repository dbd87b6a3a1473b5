"""The commands that write: `replace`, `mv`, `forget`, `restore`, `pin`, `unpin`."""

from typing import Annotated

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, Keys, Message, Namespace, argument, option, require_keys
from memoir.cli.session import session
from memoir.cli.writing import AllowSecret, DryRun
from memoir.memory.write_options import WriteOptions

Old = Annotated[str, argument("OLD", "A path, or namespace:path; KEY#id: one memory.", completion=complete.keys)]


def mv(
    ctx: typer.Context,
    old: Old,
    new: Annotated[str, argument("NEW", "Its new path, or namespace:path.")],
    prefix: Annotated[bool, option("Move everything at or under OLD.", "--prefix")] = False,
    append: Annotated[bool, option("If NEW is occupied, add to the memories there.", "--append")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
    allow_secret: AllowSecret = False,
) -> Answer:
    """Move a memory, or a whole prefix, to another path, as one commit that blame follows.

    Of several memories at a path, KEY#id moves one: the new path's versions begin with the move.
    """
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    done = session(ctx).repository.move(old, new, prefix=prefix, append=append, namespace=namespace, options=options)
    return shapes.mv(done.pairs, done.commit, dry_run=dry_run)


def forget(
    ctx: typer.Context,
    keys: Keys,
    prefix: Annotated[bool, option("Forget everything at or under each KEY.", "--prefix")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
) -> Answer:
    """Remove memories, as one commit; history keeps them. A KEY may be a glob, such as 'settings.*'.

    If one of the keys holds nothing, nothing is forgotten and the exit status is 4.
    """
    options = WriteOptions(message, dry_run=dry_run)
    done = session(ctx).repository.forget(*require_keys(keys), prefix=prefix, namespace=namespace, options=options)
    return shapes.write(*done, "forgotten", dry_run=dry_run)


def restore(
    ctx: typer.Context,
    keys: Keys,
    at: Annotated[
        str, option("The revision or date to bring them back from.", metavar="REV", completion=complete.revisions)
    ],
    namespace: Namespace = DEFAULT,
    message: Message = None,
) -> Answer:
    """Bring memories back as they were at a revision, as one commit."""
    done = session(ctx).repository.restore(
        *require_keys(keys), at=at, namespace=namespace, options=WriteOptions(message)
    )
    return shapes.write(*done, "restored")


def pin(
    ctx: typer.Context, keys: Keys, namespace: Namespace = DEFAULT, dry_run: DryRun = False, message: Message = None
) -> Answer:
    """Pin memories: every agent's session begins with them ('memoir prime').

    A pin is the metadata "pinned": true of a memory, so it has a history and can be undone like everything else.
    """
    options = WriteOptions(message, dry_run=dry_run)
    result = session(ctx).repository.agents.pin(*keys, namespace=namespace, options=options)
    return shapes.write(*result, verb="pinned", dry_run=dry_run)


def unpin(
    ctx: typer.Context, keys: Keys, namespace: Namespace = DEFAULT, dry_run: DryRun = False, message: Message = None
) -> Answer:
    """Unpin memories."""
    options = WriteOptions(message, dry_run=dry_run)
    result = session(ctx).repository.agents.unpin(*keys, namespace=namespace, options=options)
    return shapes.write(*result, verb="unpinned", dry_run=dry_run)


def replace(
    ctx: typer.Context,
    old: Old,
    new: Annotated[
        str | None,
        argument(
            "[NEW]",
            "That of the new one (default: the newest memory that contradicts the old one or is near to it).",
            completion=complete.keys,
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Let a newer memory take the place of an older one.

    The new memory moves to the path of the old one, which stays there as superseded: recall no longer finds it, and
    'memoir blame' still shows it. It is one commit, which 'memoir undo' takes back. What 'memoir remember' was added
    beside is named in its answer.
    """
    options = WriteOptions(message, dry_run=dry_run)
    done = session(ctx).repository.replace(old, new, namespace=namespace, options=options)
    return shapes.replace(done, dry_run=dry_run)
