"""`memoir capture`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import LlmCalls, LlmTokens
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.output import agents as shapes
from memoir.output.answer import Answer

app = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=False,
    invoke_without_command=True, help="Keep what is said in sessions, and file what is worth remembering.",
)  # fmt: skip


@app.callback()
def show(ctx: typer.Context) -> Answer | None:
    """Keep what is said in sessions, and file what is worth remembering.

    Capture is off until you switch it on for a store. Then the hooks of 'memoir setup' keep your prompts and the last
    message of each of the agent's turns in a folder of yours, never what a tool returned; credentials are removed
    first. Nothing leaves the machine, and nothing is remembered before 'memoir capture review --apply'.
    """
    return None if ctx.invoked_subcommand else shapes.capture_status(session(ctx).repository.captures)


@app.command("on")
def on(ctx: typer.Context) -> Answer:
    """Keep the texts of this store's sessions, and add the hooks for that to the hosts that are set up."""
    return _switch(ctx, True)


@app.command("off")
def off(ctx: typer.Context) -> Answer:
    """Keep no further texts; earlier ones stay until reviewed."""
    return _switch(ctx, False)


def _switch(ctx: typer.Context, on: bool) -> Answer:
    from memoir.hosts.setup.upkeep import renew_all

    captures = session(ctx).repository.captures
    captures.switch(on)
    return shapes.capture_status(captures, renew_all())


@app.command("status")
def status(ctx: typer.Context) -> Answer:
    """Show whether capture is on, and how much is kept."""
    return shapes.capture_status(session(ctx).repository.captures)


@app.command("review")
def review(
    ctx: typer.Context,
    apply: Annotated[
        bool, typer.Option("--apply", help="File each in a commit of its own, and delete the texts.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the memories, which is the default.")] = False,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What finds memories: rules, or model, with one call a turn (default: memoir.capture.by).",
            autocompletion=complete.words("rules", "model"),
        ),
    ] = None,
    llm_calls: LlmCalls = None,
    llm_tokens: LlmTokens = None,
) -> Answer:
    """Propose memories from the kept texts; --apply files them.

    Rules find standing instructions and facts, unless you ask a model. Each becomes one commit, with its host, session
    and time, on the branch that memoir.capture.branch names: you can undo it, or merge the branch. A request to forget
    what was said is shown, and changes nothing.
    """
    if apply and dry_run:
        raise InvalidInput("--apply and --dry-run contradict each other", "give one of them")
    captures = session(ctx).repository.captures
    done = captures.review(apply=apply, by=by, llm_calls=llm_calls, llm_tokens=llm_tokens)
    return shapes.captures(done, captures.branch, applied=apply)
