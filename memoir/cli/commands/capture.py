"""`memoir capture`."""

from typing import Annotated

import typer

from memoir.answers import captures as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import Message, argument, group, option
from memoir.cli.session import session
from memoir.cli.writing import About, LlmCalls, LlmTokens

Numbers = Annotated[list[int] | None, argument("[N...]", "Numbers of proposals.")]
Every = Annotated[bool, option("All of them.", "--all")]

app = group()


@app.callback()
def show(ctx: typer.Context) -> Answer | None:
    """Keep what is said in sessions, and file what is worth remembering.

    Capture is off until you switch it on for a store. Then the hooks of 'memoir setup' keep your prompts and the last
    message of each of the agent's turns in a folder of yours, never what a tool returned; credentials are removed
    first. Nothing leaves the machine, and nothing is remembered before 'memoir capture accept'.
    """
    return None if ctx.invoked_subcommand else status(ctx)


@app.command("on")
def on(ctx: typer.Context) -> Answer:
    """Keep what is said here, by hooks of the hosts that are set up."""
    return _switch(ctx, True)


@app.command("off")
def off(
    ctx: typer.Context, purge: Annotated[bool, option("Delete the texts that are kept.", "--purge")] = False
) -> Answer:
    """Keep no further texts; earlier ones stay, or go with --purge."""
    return _switch(ctx, False, purge=purge)


def _switch(ctx: typer.Context, on: bool, *, purge: bool = False) -> Answer:
    from memoir.hosts.setup.setup import renew_all

    here = session(ctx)
    repository, captures = here.repository, here.repository.captures
    captures.switch(on)
    deleted = captures.purge() if purge else None
    return shapes.status(repository, renewals=renew_all(repository.path.parent), deleted=deleted, word=here.word)


@app.command("status")
def status(ctx: typer.Context) -> Answer:
    """Show whether capture is on, and how much is kept where."""
    here = session(ctx)
    return shapes.status(here.repository, word=here.word)


@app.command("review")
def review(
    ctx: typer.Context,
    by: Annotated[
        str | None,
        option(
            "What finds memories: rules, or model, with one call a turn (default: memoir.capture.by).",
            metavar="NAME",
            completion=complete.words("rules", "model"),
        ),
    ] = None,
    llm_calls: LlmCalls = None,
    llm_tokens: LlmTokens = None,
) -> Answer:
    """Propose memories from the kept texts; each has a number.

    The number holds until you accept or reject the proposal. Rules find standing instructions and facts, unless you
    ask a model. A request to forget what was said is shown, and changes nothing.
    """
    here = session(ctx)
    found = here.repository.captures.review(by=by, llm_calls=llm_calls, llm_tokens=llm_tokens)
    return shapes.review(found, here.word)


@app.command("accept")
def accept(
    ctx: typer.Context,
    numbers: Numbers = None,
    every: Every = False,
    about: About = None,
    replace_similar: Annotated[
        bool, option("Replace the older memory that each contradicts most, or is near to.", "--replace-similar")
    ] = False,
    message: Message = None,
) -> Answer:
    """Remember proposals of a review, in one commit.

    With --all, texts that nobody has reviewed are reviewed first, and all proposals are remembered. A memory names
    its host, session and time. A proposal that cannot be stored is left out and named, and the exit status is 1.
    If one contradicts an older memory, or is near to it, both stay, and the answer says how to replace the older one.
    When nothing is left to decide on, the texts are deleted.
    """
    here = session(ctx)
    return shapes.accept(
        here.repository, numbers, every, message, about=about or (), replace_similar=replace_similar, word=here.word
    )


@app.command("reject")
def reject(ctx: typer.Context, numbers: Numbers = None, every: Every = False) -> Answer:
    """Drop proposals of a review.

    With --all, texts that nobody has reviewed are dropped, too. When nothing is left to decide on, the texts are
    deleted.
    """
    here = session(ctx)
    return shapes.reject(here.repository, numbers, every, word=here.word)
