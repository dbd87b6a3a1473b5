"""The commands that connect memories: `entities`, `related`, `threads`, `thread`, `insights`."""

from typing import Annotated

import typer

from memoir.answers import layers as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Key, Message, Namespace, Namespaces, argument, option
from memoir.cli.session import session
from memoir.cli.writing import DryRun, LlmCalls, LlmTokens
from memoir.errors import InvalidInput
from memoir.layers.entity_list import DEFAULT_LIMIT as MOST_ENTITIES
from memoir.layers.relations import DEFAULT_LIMIT as MOST_RELATIONS
from memoir.layers.threads import DEFAULT_LIMIT as MOST_THREADS
from memoir.memory.write_options import WriteOptions

_Now = Annotated[
    str | None, option("The date from which two weeks are counted back (default: the newest memory's).", metavar="DATE")
]


def related(
    ctx: typer.Context,
    key: Key,
    limit: Annotated[int, option("At most N memories.", "-l", "--limit", metavar="N", min=1)] = MOST_RELATIONS,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Show the memories related to one, the nearest first, and why.

    Memories are related by a link, by names that few others have, by their places in a sequence, or by their meaning.
    """
    here = session(ctx)
    with here.progress("indexing") as progress:
        return shapes.related(here.repository, key, limit, namespace, at, progress=progress)


def threads(
    ctx: typer.Context,
    all_: Annotated[bool, option("List dormant threads, and those without a subject, too.", "--all")] = False,
    limit: Annotated[int, option("At most N threads.", "-l", "--limit", metavar="N", min=1)] = MOST_THREADS,
    now: _Now = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """List the topics that memories came back to over time; the one with the newest memory comes first.

    A thread joins memories that share names or rare words. Its title is a sentence from one that names their common
    subject. A thread without a new memory in the two weeks before the newest memory is dormant, and listed only if
    there is no other; the next memory revives it.
    """
    here = session(ctx)
    with here.progress("connecting") as progress:
        return shapes.threads(here.repository, all_, limit, now, namespace, at, progress=progress)


def thread(
    ctx: typer.Context,
    thread: Annotated[str, argument("ID", "The thread's id or its beginning, or the path of a memory in it.")],
    now: _Now = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show one thread: its memories by date, the oldest first.

    The id of a thread is that of its oldest memory. If two threads have joined, the id of the younger one leads to
    the joined thread.
    """
    here = session(ctx)
    with here.progress("connecting") as progress:
        return shapes.thread(here.repository, thread, now, namespace, at, progress=progress)


BUILD = "build"


def insights(
    ctx: typer.Context,
    path: Annotated[
        str | None,
        argument(
            "[PATH|build]",
            "Only the insights at or below a path; 'build' writes them ('build.' is the path 'build').",
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    by: Annotated[
        str | None,
        option(
            "The writer: only 'model' so far; it must be named, because it costs money.",
            metavar="NAME",
            completion=complete.words("model"),
        ),
    ] = None,
    llm_calls: LlmCalls = None,
    llm_tokens: LlmTokens = None,
    dry_run: DryRun = False,
    message: Message = None,
    at: At = None,
) -> Answer:
    """Show insights, which say what memories mean as a whole, or build them.

    'memoir insights build --by model' lets the configured model write an insight for each thread of memories (a leaf),
    for each first level (a branch), and for all of them (the root), into the layer NAMESPACE:insights. An insight is a
    sentence or two, checked against the memories that it cites. It is shown as stale if its sources have changed; the
    next build rewrites only stale insights.
    """
    here = session(ctx)
    with here.progress("connecting") as progress:
        if path == BUILD:
            if at:
                raise InvalidInput("insights are built from the current memories only", "leave out --at")
            done = here.repository.layers.build_insights(
                namespace=namespace, by=by, llm_calls=llm_calls, llm_tokens=llm_tokens, progress=progress,
                options=WriteOptions(message, dry_run=dry_run),
            )  # fmt: skip
            return shapes.insights_build(done, dry_run=dry_run)
        if dry_run or message or by or llm_calls is not None or llm_tokens is not None:
            raise InvalidInput("that option is for 'insights build' only", "write 'memoir insights build --by model'")
        return shapes.insights(here.repository, path, namespace, at, progress=progress)


def entities(
    ctx: typer.Context,
    name: Annotated[str | None, argument("[NAME]", "Show the memories that name this, in any form.")] = None,
    limit: Annotated[
        int, option("At most N entities, or memories of one.", "-l", "--limit", metavar="N", min=1)
    ] = MOST_ENTITIES,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """List the people and things that memories name, the most frequent first.

    These are people (metadata 'person'), names in metadata 'entities', quoted titles, identifiers, and words that have
    a capital inside sentences. Forms that differ only in capitals, or in the plural, count as one.
    """
    here = session(ctx)
    with here.progress("indexing") as progress:
        return shapes.entities(here.repository, name, limit, namespace, at, progress=progress)
