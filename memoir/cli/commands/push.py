"""`memoir push`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import Remote
from memoir.cli.session import session
from memoir.errors import InvalidInput, NotFound
from memoir.output import sync as shapes
from memoir.output.answer import Answer
from memoir.store import push as service
from memoir.store.layout import place
from memoir.store.refs import BRANCHES, TAGS
from memoir.store.store import Store


def command(
    ctx: typer.Context,
    name: Remote = "origin",
    branch: Annotated[
        str | None,
        typer.Argument(
            metavar="[BRANCH]",
            help="What to push (default: the current branch).",
            show_default=False,
            autocompletion=complete.branches,
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("-d", "--delete", help="Delete BRANCH at the remote.")] = False,
    all_branches: Annotated[bool, typer.Option("--all", help="Push every branch.")] = False,
    tags: Annotated[bool, typer.Option("--tags", help="Push every tag too.")] = False,
    force: Annotated[
        bool, typer.Option("-f", "--force", help="Replace the remote's branch if it is as last fetched.")
    ] = False,
) -> Answer:
    """Send commits to a remote; exit 5 if the remote has commits that are not here.

    A remote whose branches hold code keeps memory beside it, under refs/memoir/, and its branches are never touched.
    """
    store = session(ctx).store
    if all_branches and branch:
        raise InvalidInput("--all pushes every branch", "leave out the branch")
    if remove and (branch is None or all_branches or tags or force):
        raise InvalidInput("--delete deletes one branch", "write 'memoir push REMOTE BRANCH --delete'")
    source = branch or store.branch()
    if not (all_branches or remove) and store.resolve(BRANCHES + source) is None:
        raise NotFound(
            f"branch {source!r} has no commits to push" if branch is None else f"no branch named {source!r}",
            "'memoir remember' makes the first" if branch is None else _hint(store, name, source),
            revision=source,
        )
    there = place(store, name)
    if remove:
        return shapes.pushed(there, service.delete(store, name, source, at=there))
    branches = [] if all_branches else [source]
    return shapes.pushed(there, service.push(store, name, branches, tags=tags, force=force, at=there))


def _hint(store: Store, remote: str, name: str) -> str | None:
    if store.refs.read(TAGS + name):
        return f"{name!r} is a tag: 'memoir push {remote} --tags' sends every tag"
    return store.near_miss(name)
