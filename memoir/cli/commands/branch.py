"""`memoir branch`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.session import session
from memoir.errors import Conflict, InvalidInput, MemoirError
from memoir.memory.adoption import begin_branch
from memoir.memory.status import choice
from memoir.output import branches as shapes
from memoir.output.answer import Answer
from memoir.store import history
from memoir.store.refs import BRANCHES, REMOTES
from memoir.store.rename import rename
from memoir.store.store import Store


def command(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="The branch.", show_default=False, autocompletion=complete.branches),
    ] = None,
    start: Annotated[
        str | None,
        typer.Argument(metavar="[START]", help="Where it begins, or with -m its new name.", show_default=False),
    ] = None,
    remotes: Annotated[bool, typer.Option("-r", "--remotes", help="List the branches of remotes.")] = False,
    delete: Annotated[bool, typer.Option("-d", "--delete", help="Delete the branch NAME.")] = False,
    rename: Annotated[bool, typer.Option("-m", "--move", help="Rename a branch: [OLD] NEW.")] = False,
    force: Annotated[
        bool, typer.Option("-f", "--force", help="With -d: even if its commits are nowhere else.")
    ] = False,
    discard: Annotated[bool, typer.Option("-D", help="Delete the branch NAME as -d -f does.")] = False,
) -> Answer:
    """List, create, rename or delete branches.

    Without NAME the branches are listed. A new branch begins at START, by default at the current branch.
    """
    store = session(ctx).store
    delete, force = delete or discard, force or discard
    if remotes and (name or delete or rename):
        raise InvalidInput("-r lists what was fetched", "'memoir push REMOTE BRANCH --delete' deletes a branch there")
    if name is None:
        if delete or rename:
            raise InvalidInput("no branch named", "'memoir branch' lists the branches")
        found = store.refs.list(REMOTES) if remotes else store.refs.branches()
        store.commits([ref.commit for ref in found])  # a branch whose commit is lost is no branch to show
        store.head()  # a branch given by --branch exists
        return shapes.branches(found, choice(store))
    if rename:
        return _rename(store, *((name, start) if start else (store.branch(), name)))
    return _delete(store, name, force=force) if delete else _create(store, name, start)


def _create(store: Store, name: str, start: str | None) -> Answer:
    commit = store.commit(start) if start else store.head().commit
    if commit is None:
        raise MemoirError(
            "the current branch has no commits yet, so no branch can begin there", "remember something first"
        )
    return shapes.branch_changed(name, "created", begin_branch(store, name, commit).id)


def _rename(store: Store, old: str, new: str) -> Answer:
    return shapes.branch_changed(new, "renamed", rename(store, old, new), old)


def _delete(store: Store, name: str, *, force: bool) -> Answer:
    if name == store.refs.current:
        raise Conflict(f"branch {name!r} is checked out", "switch to another one first")
    commit = store.resolve(BRANCHES + name)
    others = [ref.commit for ref in store.refs.list("refs/") if ref.name != f"heads/{name}"]
    if commit and not force and not any(history.is_ancestor(store, commit.id, other) for other in others):
        raise Conflict(f"branch {name!r} holds commits that are nowhere else", "merge it first, or delete it with -f")
    return shapes.branch_changed(name, "deleted", store.refs.delete("branch", name))
