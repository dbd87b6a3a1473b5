"""`memoir diff`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import Globs, Namespaces
from memoir.cli.session import session
from memoir.errors import InvalidInput, NotFound
from memoir.memory.versions import differences
from memoir.output import history as shapes
from memoir.output.answer import Answer
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.taxonomy.paths import address, check_namespace

_Revision = Annotated[
    str | None,
    typer.Argument(metavar="[REV]", help="A revision or date.", show_default=False, autocompletion=complete.revisions),
]


def command(
    ctx: typer.Context,
    a: _Revision = None,
    b: _Revision = None,
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY]...",
            help="Only these paths, and what lies under them.",
            show_default=False,
            autocompletion=complete.keys,
        ),
    ] = None,
    stat: Annotated[bool, typer.Option("--stat", help="Only the paths and totals.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit 1 if there are differences.")] = False,
    keys: Globs = None,
    namespace: Namespaces = None,
) -> Answer:
    """Compare two revisions, or one with now; without any, the last commit with the one before it.

    'A..B' is read as A and B.
    """
    store = session(ctx).store
    old, new, names = _sides(store, a, b)
    chosen = [check_namespace(name) for name in namespace or []]
    if places and len(chosen) > 1:
        raise InvalidInput("KEY is in one namespace", "give -n once, or write namespace:path")
    under = [address(key, *chosen) for key in places or []]
    found = list(differences(old, new, keys or [], [] if under else chosen, under))
    return shapes.diff(found, *names, stat=stat, exit_code=exit_code)


def _sides(store: Store, a: str | None, b: str | None) -> tuple[Snapshot, Snapshot, tuple[str | None, str | None]]:
    """The two snapshots and their commits' ids."""
    if a and not b and ".." in a:
        if "..." in a:
            raise InvalidInput("'A...B' is not supported", "'A..B' compares A with B")
        a, _, b = (part or "HEAD" for part in a.partition(".."))
    new = store.at(b or "HEAD")
    if a is not None:
        old = store.at(a)
    elif new.commit is None:
        raise NotFound("there is no commit to compare yet", "'memoir remember' makes the first")
    else:
        old = store.of(next(iter(new.commit.parents), None))
    return old, new, (old.commit.id if old.commit else None, new.commit.id if new.commit else None)
