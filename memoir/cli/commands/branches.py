"""The commands of branches and tags: `branch`, `checkout`, `merge`, `tag`."""

from typing import Annotated

import typer

from memoir.answers import branches as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import Message, argument, option
from memoir.cli.session import session
from memoir.cli.writing import DryRun, Strategy
from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions


def checkout(
    ctx: typer.Context,
    name: Annotated[str, argument("BRANCH", "The branch; '-' is the previous one.", completion=complete.branches)],
    start: Annotated[str | None, argument("[START]", "With -b: where the new branch begins.")] = None,
    create: Annotated[bool, option("Create the branch first.", "-b", "-c", "--create")] = False,
) -> Answer:
    """Switch to a branch. 'switch' is another name for this command.

    A branch that only one remote has is created first, from the remote's.

    To read the past you need not switch: the commands that read have --at.
    """
    here = session(ctx)
    if here.branch and not create:
        raise InvalidInput("checkout takes the branch as its argument", f"memoir checkout {here.branch}")
    branches = here.repository.branches
    name, commit, origin = branches.checkout(name, create=create, start=start)
    return shapes.checkout(name, branches.choice(), created=create, commit=commit, origin=origin)


def merge(
    ctx: typer.Context,
    source: Annotated[
        str | None, argument("[BRANCH]", "What to merge: a branch or any revision.", completion=complete.revisions)
    ] = None,
    into: Annotated[
        str | None,
        option(
            "Merge into this branch (default: the current one); --branch does the same.",
            metavar="NAME",
            completion=complete.branches,
        ),
    ] = None,
    landed: Annotated[bool, option("Merge every branch that 'memoir branch --landed' lists.", "--landed")] = False,
    strategy: Strategy = None,
    choices: Annotated[
        list[str] | None,
        option(
            "The strategy for one path, or for one memory (KEY#id=NAME); can be repeated.",
            "--choose",
            metavar="KEY=NAME",
        ),
    ] = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Merge another branch, memory by memory.

    A change that only one side made is taken, and follows a move of the other one. If both sides added memories at a
    path, all are kept. If both sides changed the same memory differently, nothing is changed, the exit status is 5, and
    each such memory is listed with base, ours and theirs.
    """
    repository = session(ctx).repository
    if landed == (source is not None):
        raise InvalidInput("name one branch to merge, or give --landed", "'memoir branch' lists the branches")
    if landed and choices:
        raise InvalidInput("--choose is for the merge of one branch", "name the branch instead of --landed")
    if source is None:
        results = repository.branches.merge_landed(strategy=strategy, options=WriteOptions(message, into, dry_run))
        return shapes.merge_landed(results, into or repository.branch, dry_run=dry_run)
    return shapes.merge(repository, source, strategy, choices, dry_run, message, into=into)


def tag(
    ctx: typer.Context,
    name: Annotated[str | None, argument("[NAME]", "The tag.")] = None,
    revision: Annotated[
        str | None, argument("[REV]", "What to tag (default: the newest commit).", completion=complete.revisions)
    ] = None,
    listed: Annotated[
        bool, option("List the tags; with NAME, only those that match this pattern.", "-l", "--list")
    ] = False,
    delete: Annotated[bool, option("Delete the tag NAME.", "-d", "--delete")] = False,
) -> Answer:
    """List, create or delete tags."""
    repository = session(ctx).repository
    if delete and name is None:
        raise InvalidInput("no tag given", "'memoir tag' lists the tags")
    if name is None or (listed and not delete):
        return shapes.tags(repository, name)
    return shapes.tag(repository, name, revision, delete)


def branch(
    ctx: typer.Context,
    name: Annotated[str | None, argument("[NAME]", "The branch.", completion=complete.branches)] = None,
    start: Annotated[str | None, argument("[START]", "Where the new branch begins; with -m, the new name.")] = None,
    remotes: Annotated[bool, option("List the branches of remotes.", "-r", "--remotes")] = False,
    delete: Annotated[bool, option("Delete the branch NAME.", "-d", "--delete")] = False,
    rename: Annotated[bool, option("Rename a branch: [OLD] NEW.", "-m", "--move")] = False,
    force: Annotated[bool, option("With -d: even if no other branch has its commits.", "-f", "--force")] = False,
    discard: Annotated[bool, option("The same as -d -f.", "-D")] = False,
    landed: Annotated[
        bool, option("List the branches whose code was merged and whose memory was not.", "--landed")
    ] = False,
    listed: Annotated[bool, option("Accepted as in git.", "-l", "--list", "-v", "--verbose", hidden=True)] = False,
) -> Answer:
    """List, create, rename or delete branches.

    Without NAME the branches are listed. A new branch begins at START, by default at the current branch.
    """
    repository = session(ctx).repository
    delete, force = delete or discard, force or discard
    if listed and name:
        raise InvalidInput("--list lists every branch", "leave out the name: 'memoir branch'")
    if landed and (name or remotes or delete or rename):
        raise InvalidInput("--landed lists branches", "'memoir merge --landed' merges them")
    if landed:
        return shapes.branches_to_merge(repository)
    if remotes and (name or delete or rename):
        raise InvalidInput(
            "-r lists the branches of remotes", "'memoir push REMOTE BRANCH --delete' deletes a branch there"
        )
    if name is None:
        if delete or rename:
            raise InvalidInput("no branch given", "'memoir branch' lists the branches")
        return shapes.branches(repository, remotes)
    if rename:
        old, new = (name, start) if start else (repository.branches.choice().branch or "", name)
        return shapes.branch(repository, old, rename=new, delete=delete)
    return shapes.branch(repository, name, start, None, delete, force)
