"""`memoir insights`."""

from typing import Annotated

import typer

from memoir.answers import layers as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, DryRun, LlmCalls, LlmTokens, Message, Namespace
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions

BUILD = "build"


def insights(
    ctx: typer.Context,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH|build]",
            help="Only the insights at or below a path; 'build' writes them ('build.' is the path of that name).",
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What writes them: model, the only one so far; it must be named, because it costs.",
            autocompletion=complete.words("model"),
        ),
    ] = None,
    llm_calls: LlmCalls = None,
    llm_tokens: LlmTokens = None,
    dry_run: DryRun = False,
    message: Message = None,
    at: At = None,
) -> Answer:
    """Show what memories mean as a whole, or bring that up to date.

    'memoir insights build --by model' lets the configured model write an insight for each thread of memories (a leaf),
    for each first level (a branch), and for all of them (the root), into the layer NAMESPACE:insights. It is a sentence
    or two, checked against the memories that it cites. An insight whose sources changed is shown as stale; the next
    build writes only such insights again.
    """
    here = session(ctx)
    with Progress("connecting", shown=here.chatty) as progress:
        if path == BUILD:
            if at:
                raise InvalidInput("insights are built from the current memories only", "leave out --at")
            done = here.repository.layers.build_insights(
                namespace=namespace, by=by, llm_calls=llm_calls, llm_tokens=llm_tokens, progress=progress,
                options=WriteOptions(message, dry_run=dry_run),
            )  # fmt: skip
            return shapes.insights_build(done, dry_run=dry_run)
        if dry_run or message or by or llm_calls is not None or llm_tokens is not None:
            raise InvalidInput("that option is for 'memoir insights build' only", "write 'memoir insights build'")
        tree = here.repository.layers.insights(path, namespace=namespace, at=at, progress=progress)
        return shapes.insights(tree)
