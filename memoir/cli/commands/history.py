"""The commands that look back and go back in history: from `log`, `blame` and `diff` to `undo`, `redo` and `reflog`."""

from itertools import islice
from typing import Annotated

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Globs, Key, Limit, Message, Namespace, Namespaces
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions
from memoir.taxonomy.paths import address
from memoir.times import looks_like_date


def show(
    ctx: typer.Context,
    what: Annotated[
        str,
        typer.Argument(
            metavar="REV[:KEY]", help="A commit, or a path as it was there.", autocompletion=complete.revisions
        ),
    ] = "HEAD",
    namespace: Namespace = DEFAULT,
) -> Answer:
    """Show a commit and what it changed, or a memory as it was at a revision; of several at a path, KEY#id is one."""
    revision, _, key = what.partition(":")
    if not key or looks_like_date(what):
        revision, key = what, ""
    return shapes.show(session(ctx).repository.show(revision or "HEAD", key or None, namespace=namespace))


def blame(ctx: typer.Context, key: Key, limit: Limit = None, namespace: Namespace = DEFAULT, at: At = None) -> Answer:
    """Show every version of a path, newest first: commit, author, date, operation, content.

    Each version is shown with the commit that wrote it, not with a merge that brought it. Moves are followed.
    """
    versions = session(ctx).repository.blame(key, namespace=namespace, limit=limit, at=at)
    return shapes.blame(versions, address(key, namespace))


_Revision = Annotated[
    str | None,
    typer.Argument(metavar="[REV]", help="A revision or date.", show_default=False, autocompletion=complete.revisions),
]


def diff(
    ctx: typer.Context,
    a: _Revision = None,
    b: _Revision = None,
    places: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[KEY]...",
            help="Only these paths and those below them.",
            show_default=False,
            autocompletion=complete.keys,
        ),
    ] = None,
    stat: Annotated[bool, typer.Option("--stat", help="Show only paths and totals.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit 1 if there are differences.")] = False,
    keys: Globs = None,
    namespace: Namespaces = None,
) -> Answer:
    """Compare two revisions, or one with now; without any, the last commit with the one before it.

    'A..B' means A and B. KEYs may follow one revision, two, or a range.
    """
    repository = session(ctx).repository
    places = places or []
    if a and b and (".." in a or repository.is_key(b, a, namespaces=namespace or [])):
        places, b = [b, *places], None
    if a and not b and ".." in a:
        a, b = _commit_range(a)
    comparison = repository.diff(a, b, keys or [], namespaces=namespace or [], under=places)
    return shapes.diff(list(comparison.differences), comparison.old, comparison.new, stat=stat, exit_code=exit_code)


def _commit_range(text: str) -> list[str]:
    """Split `A..B` into its two sides; a side that is left out is HEAD.

    Raises:
        InvalidInput: it is `A...B`.
    """
    if "..." in text:
        raise InvalidInput("'A...B' is not supported", "'A..B' compares A with B")
    return [part or "HEAD" for part in text.split("..", 1)]


def why(
    ctx: typer.Context,
    key: Key,
    depth: Annotated[
        int, typer.Option("--depth", metavar="N", min=1, max=100, help="How many links deep, 100 at most.")
    ] = 5,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Show what led to a memory, as a tree of the links that 'remember --link' sets.

    A link to a path that holds nothing is marked as dangling. What is behind a path is shown once, where the path is
    nearest to KEY.
    """
    return shapes.why(session(ctx).repository.why(key, depth=depth, namespace=namespace, at=at), depth)


def revert(
    ctx: typer.Context,
    revision: Annotated[
        str, typer.Argument(metavar="COMMIT", help="The commit.", show_default=False, autocompletion=complete.revisions)
    ],
    message: Message = None,
) -> Answer:
    """Undo one commit in a new one; later changes to other paths stay."""
    return shapes.revert(*session(ctx).repository.revert(revision, WriteOptions(message)))


def undo(
    ctx: typer.Context,
    steps: Annotated[
        int, typer.Argument(metavar="[N]", min=1, help="How many changes, as 'memoir reflog' counts them.")
    ] = 1,
) -> Answer:
    """Take back the branch's last change, whatever it was, or its last N; repeatable.

    'memoir reflog' lists the states to go back to: 'memoir undo N' returns to its entry N. Nothing is deleted:
    'memoir redo' goes forward again, and the reflog keeps every step.
    """
    repository = session(ctx).repository
    return shapes.step(repository.undo(steps), "undo", repository.branch, steps)


def redo(ctx: typer.Context) -> Answer:
    """Reverse the last undo; repeatable, until something new is written."""
    repository = session(ctx).repository
    return shapes.step(repository.redo(), "redo", repository.branch)


def reflog(ctx: typer.Context, limit: Limit = None) -> Answer:
    """List the states that undo can reach, newest first: 'memoir undo N' returns to entry N.

    Each entry is a state of the branch and the change that led to it; 0 is the present. A change that undo took back
    is not listed until redo brings it back.
    """
    repository = session(ctx).repository
    return shapes.reflog(repository.branch, list(islice(repository.reflog(), limit)))


def log(
    ctx: typer.Context,
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="[A..B|KEY]",
            help="Only commits that are in B and not in A; or those that changed this path, prefix or namespace.",
            show_default=False,
            autocompletion=complete.keys,
        ),
    ] = None,
    more: Annotated[
        str | None,
        typer.Argument(metavar="[KEY]", help="After A..B: only commits that changed this path.", show_default=False),
    ] = None,
    limit: Limit = None,
    oneline: Annotated[bool, typer.Option("--oneline", help="Print one line per commit.")] = False,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Only commits from this date on.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="DATE", help="Only commits up to this date.")] = None,
    author: Annotated[
        str | None,
        typer.Option("--author", metavar="TEXT", help="Only commits whose author's name or address contains this."),
    ] = None,
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Print one JSON object per commit, as soon as it is read.")
    ] = False,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show the commits, or those that changed one path, prefix or namespace, newest first. '-3' is '--limit 3'."""
    old, key, at = _versions_range(key, more, at)
    names = namespace or []
    commits = session(ctx).repository.log(
        key, namespaces=names, without=old, author=author or "", since=since, until=until, at=at
    )
    page = islice(commits, limit)
    if json_lines:
        return shapes.log_stream(page)
    return shapes.log(list(page), address(key, *names) if key else None, oneline=oneline)


def _versions_range(first: str | None, more: str | None, at: str | None) -> tuple[str | None, str | None, str | None]:
    """Where the commits end, the key, and where they begin: no path holds '..', so it can only be a range.

    Raises:
        InvalidInput: two keys, a range of another kind, or a range beside --at.
    """
    if first is None or ".." not in first:
        if more:
            raise InvalidInput("one KEY at a time", "'memoir log A..B KEY' keeps to a range of commits")
        return None, first, at
    if "..." in first or at:
        raise InvalidInput("a range is written A..B, without --at", "'memoir log A..B'")
    old, _, new = first.partition("..")
    return old or "HEAD", more, new or "HEAD"
