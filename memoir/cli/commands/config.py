"""`memoir config`."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import argument, option
from memoir.cli.session import Session, session
from memoir.errors import InvalidInput, NoStore
from memoir.settings import ALIAS, SYNC

if TYPE_CHECKING:
    from memoir.hosts.setup.setup import Renewal
    from memoir.repository.repository import Repository


def command(
    ctx: typer.Context,
    key: Annotated[
        str | None, argument("[KEY]", "A setting, such as memoir.remember.mergePolicy.", completion=complete.settings)
    ] = None,
    value: Annotated[str | None, argument("[VALUE]", "Its new value.", completion=complete.setting_values)] = None,
    listed: Annotated[bool, option("List every setting with value and origin.", "-l", "--list")] = False,
    show_origin: Annotated[bool, option("Print the origin first, as git does.", "--show-origin")] = False,
    unset: Annotated[bool, option("Remove KEY.", "--unset")] = False,
    user: Annotated[bool, option("Write the user's settings, not the store's.", "--global")] = False,
) -> Answer:
    """Read and change settings, which are kept in git's config.

    A value comes from the first of these that gives one: an option, the environment, the store, the user, the default.
    KEY alone prints the active value. Only you, not a store, decide whether a model is used and what is sent where: set
    that with --global. A store's own config cannot set it, and --list marks such a value as ignored. To make a command
    of your own, set alias.NAME: 'memoir config alias.r "recall -l 3"' makes 'memoir r'.
    """
    repository = _repository(session(ctx), key, value, user=user)
    config, project = repository.config, repository.path.parent
    if key and key.startswith("alias."):
        key, user = f"memoir.{key}", True
    if key is None:
        if not listed:
            raise InvalidInput("no key given", "name a setting, or list all with --list")
        return shapes.settings(config.list(), origin=show_origin)
    if unset:
        return _changed(project, config.unset(key, user=user), None)
    if value is None:
        setting = config.get(key)
        return shapes.setting(setting.key, setting.value, setting.origin, "read")
    _check_alias(config.normal(key), value)
    return _changed(project, config.set(key, value, user=user), value)


def _repository(current: Session, key: str | None, value: str | None, *, user: bool) -> "Repository":
    """The store whose settings hold; outside of one git itself changes what is the user's."""
    try:
        return current.repository
    except NoStore as error:
        if user and key and value is not None:
            raise NoStore(error.message, shlex.join(["git", "config", "--global", key, value])) from None
        raise


def _changed(project: Path, key: str, value: str | None) -> Answer:
    """A setting that has changed; the hooks of hosts follow that which has one of its own."""
    renewals: Sequence[Renewal] = ()
    if SYNC.has(key):
        from memoir.hosts.setup.setup import renew_all

        renewals = renew_all(project)
    return shapes.setting(key, value, None, "removed" if value is None else "set", renewals)


def _check_alias(key: str, value: str) -> None:
    """Refuse an alias with the name of a command, or that does not begin with one; only the command line knows them."""
    if not ALIAS.has(key):
        return
    from memoir.cli.command_tree import ALIASES
    from memoir.cli.families import COMMANDS

    name, commands = key.removeprefix(ALIAS.key_of("")), {*COMMANDS, *ALIASES}
    if name in commands:
        raise InvalidInput(f"{name!r} is a command, so no alias can have this name", "choose another name")
    try:
        first = shlex.split(value)[:1]
    except ValueError as error:
        raise InvalidInput(f"not a command line: {value!r}: {error}") from error
    if not commands.intersection(first):
        raise InvalidInput(f"an alias must begin with a command, not {value!r}", "memoir config alias.r 'recall -l 3'")
