"""`memoir checkout`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.session import session
from memoir.errors import InvalidInput, NotFound
from memoir.memory.adoption import begin_branch
from memoir.memory.status import choice
from memoir.output import branches as shapes
from memoir.output.answer import Answer
from memoir.store.refs import BRANCHES


def command(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="BRANCH",
            help="The branch; - is the one before.",
            show_default=False,
            autocompletion=complete.branches,
        ),
    ],
    start: Annotated[
        str | None, typer.Argument(metavar="[START]", help="With -b: where it begins.", show_default=False)
    ] = None,
    create: Annotated[bool, typer.Option("-b", "-c", "--create", help="Create the branch first.")] = False,
) -> Answer:
    """Switch to a branch. 'switch' is another name for this command.

    The past is read without switching: see --at.
    """
    here = session(ctx)
    if here.branch and not create:
        raise InvalidInput("checkout takes the branch as its argument", f"memoir checkout {here.branch}")
    store = here.store
    refs = store.refs
    name = refs.before() if name == "-" and not create else name
    if not create and not refs.read(BRANCHES + name) and name != refs.current and store.resolve(name):
        raise NotFound(
            f"{name!r} is a revision, not a branch", "read it with --at, or begin a branch there with -b", revision=name
        )
    ref = refs.check_name("branch", name)
    commit = store.resolve(ref)
    if create:
        commit = store.commit(start) if start else store.head().commit
        commit = commit and begin_branch(store, name, commit)
    elif commit is None and name != refs.current:
        raise NotFound(f"no branch named {name!r}", store.near_miss(name), revision=name)
    refs.switch(ref.removeprefix(BRANCHES))
    return shapes.checkout(name, choice(store), created=create, commit=commit)
