"""The commands of history except `diff`: from `log` and `blame` to `undo` and `reflog`."""

from typing import Annotated

import typer

from memoir.answers import history as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Key, Limit, Message, Namespace, Namespaces, argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository.past import History

Signatures = Annotated[bool, option("Show who signed each commit, checked with ssh-keygen.", "--signatures")]


def log(
    ctx: typer.Context,
    key: Annotated[
        str | None,
        argument(
            "[A..B|KEY]",
            "Only commits that are in B and not in A; or those that changed this path, prefix or namespace.",
            completion=complete.keys,
        ),
    ] = None,
    more: Annotated[str | None, argument("[KEY]", "After A..B: only commits that changed this path.")] = None,
    limit: Limit = None,
    oneline: Annotated[bool, option("Print one line per commit.", "--oneline")] = False,
    since: Annotated[str | None, option("Only commits from this date on.", metavar="DATE")] = None,
    until: Annotated[str | None, option("Only commits up to this date.", metavar="DATE")] = None,
    author: Annotated[
        str | None, option("Only commits whose author's name or address contains this.", metavar="TEXT")
    ] = None,
    json_lines: Annotated[
        bool, option("Print one JSON object per commit, as soon as it is read.", "--json-lines")
    ] = False,
    signatures: Signatures = False,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show the commits, or those that changed one path, prefix or namespace, newest first. '-3' is '--limit 3'.

    With --signatures, each commit is shown with its signer. gpg.ssh.allowedSignersFile in your own git configuration
    names the file of allowed signers.
    """
    old, key, at = _versions_range(key, more, at)
    if json_lines and signatures:
        raise InvalidInput("--json-lines leaves out --signatures", "give --json instead")
    return shapes.log(
        session(ctx).door(History), key, old, author or "", since, until, limit, signatures, namespace, at,
        oneline=oneline, json_lines=json_lines,
    )  # fmt: skip


def _versions_range(first: str | None, more: str | None, at: str | None) -> tuple[str | None, str | None, str | None]:
    """The excluded revision, the key, and the last revision; an argument with '..' is a range, since no path has it.

    Raises:
        InvalidInput: two keys, a range of another kind, or a range beside --at.
    """
    if first is None or ".." not in first:
        if more:
            raise InvalidInput(
                "one KEY at a time", "'memoir log KEY --at REV' ends at a revision, 'memoir log A..B KEY' is a range"
            )
        return None, first, at
    if "..." in first or at:
        raise InvalidInput("a range is written A..B, without --at", "'memoir log A..B'")
    old, _, new = first.partition("..")
    return old or "HEAD", more, new or "HEAD"


def show(
    ctx: typer.Context,
    what: Annotated[
        str, argument("REV[:KEY]", "A commit, or a path as it was there.", completion=complete.revisions)
    ] = "HEAD",
    namespace: Namespace = DEFAULT,
) -> Answer:
    """Show a commit and what it changed, or a memory as it was at a revision; KEY#id is one of several at a path."""
    from memoir.times import looks_like_date

    revision, _, key = what.partition(":")
    if not key or looks_like_date(what):
        revision, key = what, ""
    return shapes.show(session(ctx).door(History), revision or "HEAD", key or None, namespace)


def blame(
    ctx: typer.Context,
    key: Key,
    limit: Limit = None,
    signatures: Signatures = False,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Show every version of a path, newest first: commit, author, date, operation, content.

    Each version is shown with the commit that wrote it, not with a merge that brought it. Moves are followed. With
    --signatures, each is shown with the signer of its commit. KEY#id shows the versions of that memory alone, including
    those before an edit.
    """
    return shapes.blame(session(ctx).door(History), key, limit, signatures, namespace, at)


def why(
    ctx: typer.Context,
    key: Key,
    depth: Annotated[int, option("How many links deep, 100 at most.", metavar="N", min=1, max=100)] = 5,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Show what led to a memory, as a tree of the links that 'remember --link' sets.

    A link to a path without a memory is marked as dangling. The links of a path are shown once, where it is nearest to
    KEY.
    """
    return shapes.why(session(ctx).door(History), key, depth, namespace, at)


def revert(
    ctx: typer.Context,
    revision: Annotated[str, argument("COMMIT", "The commit.", completion=complete.revisions)],
    message: Message = None,
) -> Answer:
    """Undo one commit in a new one; later changes to other paths stay."""
    return shapes.revert(session(ctx).repository, revision, message)


def undo(
    ctx: typer.Context,
    steps: Annotated[int, argument("[N]", "How many changes, as 'memoir reflog' counts them.", min=1)] = 1,
) -> Answer:
    """Take back the branch's last change, whatever it was, or its last N; repeatable.

    'memoir reflog' lists the states to go back to: 'memoir undo N' returns to its entry N. Nothing is deleted:
    'memoir redo' goes forward again, and the reflog keeps every step.
    """
    return shapes.undo(session(ctx).repository, steps)


def redo(ctx: typer.Context) -> Answer:
    """Reverse the last undo; repeatable, until something new is written."""
    return shapes.redo(session(ctx).repository)


def reflog(ctx: typer.Context, limit: Limit = None) -> Answer:
    """List the states that undo can reach, newest first: 'memoir undo N' returns to entry N.

    Each entry is a state of the branch and the change that led to it; 0 is the present. A change that undo took back
    is not listed until redo brings it back.
    """
    return shapes.reflog(session(ctx).repository, limit)
