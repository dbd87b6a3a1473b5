"""`memoir hook`: its help and its list of hosts. An event itself is answered before Typer is loaded."""

import os
from typing import Annotated

import typer

from memoir.answers import agents as shapes
from memoir.answers.answer import Answer
from memoir.cli.session import session
from memoir.hosts.dialects import HOSTS
from memoir.settings import STORE


def hook(
    ctx: typer.Context,
    host: Annotated[
        str | None, typer.Argument(metavar="[HOST]", help="The host, such as claude.", show_default=False)
    ] = None,
    event: Annotated[
        str | None,
        typer.Argument(metavar="[EVENT]", help="The event, by the host's name for it.", show_default=False),
    ] = None,
    recall: Annotated[bool, typer.Option("--recall", help="Answer a prompt with up to 3 relevant memories.")] = False,
    nudge: Annotated[
        bool, typer.Option("--nudge", help="Answer a prompt with one line on how to ask for memories.")
    ] = False,
    plugin: Annotated[
        bool, typer.Option("--plugin", help="Say nothing if the host's own configuration has the same hook.")
    ] = False,
) -> Answer:
    """Answer an event of an agent's host; never fails.

    'memoir setup' writes this command into the configuration of a host. It reads one JSON object from standard input,
    prints one line of JSON or nothing, and exits 0 whatever happens, within two seconds. What went wrong is in a log
    that 'memoir doctor' shows. It uses no network and no model. MEMOIR_HOOKS=off switches all hooks off.

    Without HOST and EVENT, the hosts and their events are listed.
    """
    if host is not None:
        from memoir.hosts.entry import leave_with_answer

        if folder := session(ctx).explicit_folder():
            os.environ[STORE.key] = folder
        flags = ["--recall"] * recall + ["--nudge"] * nudge + ["--plugin"] * plugin
        leave_with_answer([host, event or "", *flags])
    return shapes.hooks(HOSTS)
