"""The commands of memories about code: `about`, `stale`, `confirm`, `review`."""

from typing import Annotated

import typer

from memoir.answers import code as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Key, Message, Namespace, Namespaces, argument, option
from memoir.cli.session import session
from memoir.cli.writing import About, DryRun
from memoir.memory.write_options import WriteOptions
from memoir.setting import words


def about(
    ctx: typer.Context,
    file: Annotated[str, argument("FILE", "A file or folder of the project; it may be gone.")],
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show the memories about a file or a folder of the project, and what became of that code since.

    These memories were stored with --about, for the file or any lines of it.
    """
    here = session(ctx)
    with here.progress("indexing") as progress:
        found = here.repository.code.about(file, namespaces=namespace or (), at=at, progress=progress)
    return shapes.about(file, found)


def stale(
    ctx: typer.Context,
    prefix: Annotated[
        str | None, argument("[PREFIX]", "Only memories at or below this path.", completion=complete.keys)
    ] = None,
    since: Annotated[
        str | None,
        option("Only for files that differ between this revision of the project and its working tree.", metavar="REV"),
    ] = None,
    diff: Annotated[bool, option("Show the changes of these lines of code.", "--diff")] = False,
    exit_code: Annotated[bool, option("Exit with 1 if there are any.", "--exit-code")] = False,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """List the memories whose code has changed or is gone since they were stored with --about.

    Review each: 'memoir confirm KEY' says that it still holds, 'memoir edit KEY' changes it.
    """
    here = session(ctx)
    with here.progress("indexing") as progress:
        found = here.repository.code.stale(
            prefix, since=since, diffs=diff, namespace=namespace, at=at, progress=progress
        )
    return shapes.stale(found, exit_code=exit_code)


def confirm(
    ctx: typer.Context,
    key: Key,
    about: About = None,
    namespace: Namespace = DEFAULT,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Confirm that a memory still holds, and tie it to the present state of its code.

    Lines that have moved are found again. Lines that have changed keep their numbers, unless --about names others. If
    the file is gone, name its replacement with --about.
    """
    options = WriteOptions(message, dry_run=dry_run)
    done = session(ctx).repository.code.confirm(key, about or (), namespace=namespace, options=options)
    return shapes.confirm(*done, dry_run=dry_run)


def review(
    ctx: typer.Context,
    range_: Annotated[str, argument("BASE..HEAD", "Two revisions of the store, such as main..feature.")],
    since: Annotated[
        str | None,
        option(
            "The revision of the project before the change (default: origin/BASE, or BASE, if there is one).",
            metavar="REV",
        ),
    ] = None,
    form: Annotated[
        str,
        option(
            "text, or markdown for a comment at a code host.",
            "--format",
            metavar="FORM",
            completion=complete.words("text", "markdown"),
        ),
    ] = "text",
    max_chars: Annotated[int, option("At most N characters of Markdown.", metavar="N", min=1000)] = 60_000,
) -> Answer:
    """Show how a change affects memory, for its review: new, stale and contradictory memories.

    Memory is invisible in a pull request. This compares two revisions of the store. It lists the memories whose code
    differs between a revision of the project and its working tree, and the contradictions between memories of which
    the change made at least one. In Markdown, memories are quoted as code, so that their text makes no links and
    mentions nobody.
    """
    words("text", "markdown").check(form, "--format")
    here = session(ctx)
    with here.progress("indexing") as progress:
        found = here.repository.code.review(range_, since=since, progress=progress)
    return shapes.review(found, form, max_chars)
