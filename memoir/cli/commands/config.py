"""`memoir config`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.output import store as shapes
from memoir.output.answer import Answer
from memoir.setting import Config
from memoir.settings import ALIAS, check
from memoir.store import config


def command(
    ctx: typer.Context,
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="[KEY]",
            help="Such as memoir.remember.mergePolicy.",
            show_default=False,
            autocompletion=complete.settings,
        ),
    ] = None,
    value: Annotated[
        str | None,
        typer.Argument(
            metavar="[VALUE]", help="Its new value.", show_default=False, autocompletion=complete.setting_values
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("-l", "--list", help="List every setting with value and origin.")] = False,
    show_origin: Annotated[bool, typer.Option("--show-origin", help="Print the origin first, as git does.")] = False,
    unset: Annotated[bool, typer.Option("--unset", help="Remove KEY.")] = False,
    user: Annotated[bool, typer.Option("--global", help="Write the user's settings, not the store's.")] = False,
) -> Answer:
    """Read and change settings, kept in git's config: option, environment, store, user, default, in this order.

    KEY alone prints the value that counts, a default too. The embedder, the classifier, the mode of recall and the
    model are for you to decide, not for a store: set them with --global. What a store's own config says of them is
    ignored, and --list marks it. A command of your own is alias.NAME: 'memoir config alias.r "recall -l 3"' makes
    'memoir r'.
    """
    store = session(ctx).store
    if key and key.startswith("alias."):
        key, user = f"memoir.{key}", True
    if key is None:
        if not listed:
            raise InvalidInput("no key given", "name one, or --list them all")
        return shapes.settings(config.listed(store), origin=show_origin)
    if unset:
        config.unset(store, key, user=user)
        return shapes.setting(config.normal(key), None, None, "removed")
    if value is not None:
        _check(store.config, config.normal(key), value)
        config.put(store, key, value, user=user)
        return shapes.setting(config.normal(key), value, None, "set")
    found = config.get(store, key)
    return shapes.setting(found.key, found.value, found.origin, "read")


def _check(current: Config, key: str, value: str) -> None:
    check(current, key, value)
    if ALIAS.has(key):
        from memoir.cli import alias
        from memoir.cli.families import COMMANDS
        from memoir.cli.tree import ALIASES

        alias.check(key.removeprefix(ALIAS.named("")), value, {*COMMANDS, *ALIASES})
