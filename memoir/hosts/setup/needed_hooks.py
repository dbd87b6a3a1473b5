"""Hooks that have something to do, and no others: those that keep what is said, and the one that syncs.

They are written by a setup, and by `renew_all` for the hosts that are set up when capture or sync is switched.
"""

from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

from memoir.errors import MemoirError
from memoir.hosts.setup import setup
from memoir.hosts.setup.found import find, find_scopes
from memoir.hosts.setup.recipes import GLOBAL, RECIPES, Scope, Wish
from memoir.program import NAME, shell_word


class Renewal(NamedTuple):
    """A host whose hooks were out of date: the files that changed, or why they could not."""

    host: str
    scope: Scope
    files: list[Path]
    problem: str | None = None


def current_wish(scope: Scope, **fields: Any) -> Wish:
    """A wish for the memoir that runs, with the hooks for which there is something to do."""
    from memoir.exchange.sync import is_wanted_at_end

    capture = is_capture_on(scope)
    return Wish(
        setup.program(), scope, capture=capture, sync=is_wanted_at_end(), on_path=shell_word() == NAME, **fields
    )


def is_capture_on(scope: Scope) -> bool:
    """Whether capture is on for a store that the hooks of a scope serve."""
    from memoir.capture.spool import TurnSpool, is_on_anywhere
    from memoir.store.locate import find as find_store

    if scope == GLOBAL:
        return is_on_anywhere()
    store = find_store(".")
    return store is not None and TurnSpool(store).is_on


def renew_all(project: Path) -> list[Renewal]:
    """Bring the hooks of every host that is set up up to date, also of those set up for a project alone.

    Args:
        project: The folder of the project.
    """
    with chdir(project):
        return [
            renewal
            for host in RECIPES
            if RECIPES[host].has_hooks
            for scope in find_scopes(host)
            if find(host, scope).start and (renewal := _renew(host, scope)) is not None
        ]


def _renew(host: str, scope: Scope) -> Renewal | None:
    try:
        changes = setup.renew(host, current_wish(scope))
    except MemoirError as error:
        return Renewal(host, scope, [], error.message)
    except OSError as error:
        return Renewal(host, scope, [], f"{error.filename}: {error.strerror}")
    return Renewal(host, scope, [change.path for change in changes]) if changes else None
