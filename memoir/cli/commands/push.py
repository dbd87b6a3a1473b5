"""`memoir push`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import Remote
from memoir.cli.session import session
from memoir.errors import InvalidInput, NotFound
from memoir.output import stores
from memoir.output.answer import Answer
from memoir.store import remote
from memoir.store.refs import BRANCHES, TAGS


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
    all_branches: Annotated[bool, typer.Option("--all", help="Push every branch.")] = False,
    tags: Annotated[bool, typer.Option("--tags", help="Push every tag too.")] = False,
    force: Annotated[
        bool, typer.Option("-f", "--force", help="Replace the remote's branch if it is as last fetched.")
    ] = False,
) -> Answer:
    """Send commits to a remote; exit 5 if the remote has commits that are not here."""
    store = session(ctx).store
    if all_branches and branch:
        raise InvalidInput("--all pushes every branch", "leave out the branch")
    source = branch or store.branch()
    if not all_branches and store.resolve(BRANCHES + source) is None:
        raise NotFound(
            f"branch {source!r} has no commits to push" if branch is None else f"no branch named {source!r}",
            revision=source,
        )
    specs = [f"{BRANCHES}*:{BRANCHES}*" if all_branches else f"{BRANCHES}{source}:{BRANCHES}{source}"]
    return stores.pushed(name, remote.push(store, name, specs + [f"{TAGS}*:{TAGS}*"] * tags, force=force))
