"""The commands that exchange memories: `clone`, `remote`, `push` to `fold`, `import` and `export`."""

import sys
from contextlib import nullcontext
from typing import Annotated, BinaryIO

import typer

from memoir.answers import sync as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Globs, Message, Namespace, Namespaces, argument, group, option
from memoir.cli.session import session
from memoir.cli.writing import AllowSecret, DryRun, Strategy
from memoir.errors import InvalidInput, NotFound
from memoir.formats.kinds import AUTO, KINDS, TARGETS
from memoir.memory.write_options import WriteOptions
from memoir.records.policy import POLICIES
from memoir.repository.repository import Repository

Remote = Annotated[str, argument("[REMOTE]", "The name of the remote.", completion=complete.remotes)]


def clone(
    ctx: typer.Context,
    url: Annotated[str, argument("URL", "A URL, or the folder of a store.")],
    folder: Annotated[
        str | None, argument("[DIR]", "The folder to create (default: the last part of the URL).")
    ] = None,
) -> Answer:
    """Clone a store with all its branches, tags and history."""
    here = session(ctx)
    target = folder or here.explicit_folder() or _folder_name(url)
    repository = here.adopt(Repository.clone(url, target, tell=here.git_progress(), origin=here.origin))
    upkeep = repository.upkeep
    later = {"is_checked_later": upkeep.awaits_check(), "is_indexed_later": upkeep.leave_indexing()}
    return shapes.clone(
        str(repository.path), repository.branch, repository.count(), repository.summarize().total, **later
    )


def _folder_name(url: str) -> str:
    path = url.rstrip("/").removesuffix("/.memoir").removesuffix(".git")
    name = path.replace(":", "/").rpartition("/")[2]
    if not name or name.startswith("."):
        raise InvalidInput(f"{url!r} does not end in a name for a folder", "name the folder: memoir clone URL DIR")
    return name


remote = group()

_Name = Annotated[str, argument("NAME", "The name of the remote.", completion=complete.remotes)]
_Url = Annotated[str, argument("URL", "Any URL or path that git can push to.")]


@remote.callback()
def remotes(
    ctx: typer.Context,
    verbose: Annotated[bool, option("Accepted as in git.", "-v", "--verbose", hidden=True)] = False,
) -> Answer | None:
    """Add, remove, change and list remotes."""
    return None if ctx.invoked_subcommand else list_(ctx)


@remote.command("add")
def add(ctx: typer.Context, name: _Name, url: _Url) -> Answer:
    """Add a remote."""
    return shapes.remote_change(name, session(ctx).repository.remotes.add(name, url), "added")


@remote.command("remove")
def remove(ctx: typer.Context, name: _Name) -> Answer:
    """Remove a remote, and its fetched branches."""
    session(ctx).repository.remotes.remove(name)
    return shapes.remote_change(name, None, "removed")


@remote.command("set-url")
def set_url(ctx: typer.Context, name: _Name, url: _Url) -> Answer:
    """Change the URL of a remote."""
    return shapes.remote_change(name, session(ctx).repository.remotes.set_url(name, url), "changed")


@remote.command("list")
def list_(ctx: typer.Context) -> Answer:
    """List the remotes and their URLs."""
    return shapes.remotes(session(ctx).repository.remotes.list())


def push(
    ctx: typer.Context,
    name: Remote = "origin",
    branch: Annotated[
        str | None, argument("[BRANCH]", "The branch to push (default: the current one).", completion=complete.branches)
    ] = None,
    remove: Annotated[bool, option("Delete BRANCH at the remote.", "-d", "--delete")] = False,
    all_branches: Annotated[bool, option("Push every branch.", "--all")] = False,
    tags: Annotated[bool, option("Push every tag too.", "--tags")] = False,
    force: Annotated[
        bool, option("Replace the remote's branch, unless it has moved since the last fetch.", "-f", "--force")
    ] = False,
) -> Answer:
    """Send commits to a remote; exit 5 if the remote has commits that are not here.

    If the branches of a remote hold code, memories are kept beside them under refs/memoir/; the branches themselves are
    never touched.
    """
    remotes = session(ctx).repository.remotes
    if all_branches and branch:
        raise InvalidInput("--all pushes every branch", "leave out the branch")
    if remove:
        if branch is None or all_branches or tags or force:
            raise InvalidInput("--delete deletes one branch", "write 'memoir push REMOTE BRANCH --delete'")
        return shapes.push(*remotes.delete_branch(name, branch))
    return shapes.push(*remotes.push(name, branch, all_branches=all_branches, tags=tags, force=force))


def fetch(ctx: typer.Context, name: Remote = "origin") -> Answer:
    """Get a remote's branches and tags, which can then be read as REMOTE/BRANCH; your own branches stay as they are."""
    return shapes.fetch(*session(ctx).repository.remotes.fetch(name))


def pull(
    ctx: typer.Context,
    name: Remote = "origin",
    branch: Annotated[
        str | None, argument("[BRANCH]", "The remote's branch (default: the current one's name).")
    ] = None,
    strategy: Strategy = None,
) -> Answer:
    """Fetch, and merge the remote's branch into the current one, memory by memory."""
    return shapes.pull(*session(ctx).repository.remotes.pull(name, branch, strategy=strategy))


def import_(
    ctx: typer.Context,
    file: Annotated[
        str | None,
        argument("[PATH]", "JSON lines, or '-' for standard input; with --from a file or folder (default: '.')."),
    ] = None,
    kind: Annotated[
        str | None,
        option(
            "Import the memories of another tool, such as claude-code; 'auto' recognizes it.",
            "--from",
            metavar="KIND",
            completion=complete.words(*KINDS, AUTO),
        ),
    ] = None,
    merge_policy: Annotated[
        str | None,
        option(
            "If a path is occupied: replace (the default), append, confidence_gated or reject.",
            metavar="POLICY",
            completion=complete.words(*POLICIES),
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    allow_secret: AllowSecret = False,
    allow_look_alike: Annotated[
        bool, option("Accept new paths that could be mistaken for others.", "--allow-look-alike")
    ] = False,
    skip_bad: Annotated[
        bool, option("Leave out the lines that cannot be imported, and name them.", "--skip-bad")
    ] = False,
    report: Annotated[str | None, option("Write what is left out to a file of JSON lines.", metavar="FILE")] = None,
    about: Annotated[
        str | None, option("Tie each memory to the files of the project that it names.", metavar="auto")
    ] = None,
    expires: Annotated[str | None, option("Expiry of memories whose lines have none.", metavar="DATE|30d")] = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Import memories from JSON lines, or with --from from another tool; one undo takes it back.

    A line is {namespace, path, content, timestamp, confidence, status, metadata}; path and content are required. Lines
    with the same path are that path's memories, in order. They replace what is there, even if it is newer, and the
    answer then says so; --merge-policy append keeps both. If a line cannot be imported, such as one that links to a
    missing memory, nothing is imported, and every such line is named; with --skip-bad or --report the others are
    imported.

    An export may contain text that 'remember' refuses because it looks like a credential, and paths that could be
    mistaken for others. To import all of it, give --allow-secret --allow-look-alike.

    With --from, only the records that may not be stored are refused, and named. A second import updates what has
    changed since the first; nothing is forgotten.
    """
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    here = session(ctx)
    with here.progress("importing") as progress:
        if kind is not None:
            if merge_policy or skip_bad:
                raise InvalidInput("--merge-policy and --skip-bad are for JSON lines", "leave them out with --from")
            found = here.repository.import_from(
                file or ".", kind, namespace=namespace, allow_look_alikes=allow_look_alike, report=report,
                about=about, expires=expires, progress=progress, options=options,
            )  # fmt: skip
            return shapes.import_from(found, dry_run=dry_run, learns=here.repository.upkeep.learns_vectors())
        if file is None:
            raise InvalidInput("no file given", "memoir import FILE, or memoir import --from KIND [PATH]")
        with nullcontext(sys.stdin.buffer) if file == "-" else _open_file(file) as lines:
            done = here.repository.import_lines(
                lines, policy=merge_policy or "replace", namespace=namespace, progress=progress,
                allow_look_alikes=allow_look_alike, skip_bad=skip_bad, report=report, about=about, expires=expires,
                options=options,
            )  # fmt: skip
    return shapes.import_(done, dry_run=dry_run, learns=here.repository.upkeep.learns_vectors())


def _open_file(file: str) -> BinaryIO:
    try:
        return open(file, "rb")
    except FileNotFoundError as error:
        raise NotFound(f"no file {file!r}", "name a file, or - for standard input") from error
    except IsADirectoryError as error:
        raise InvalidInput(f"{file!r} is a folder", "'--from auto' imports the folder of another tool") from error


def export(
    ctx: typer.Context,
    output: Annotated[
        str | None, option("Write to a file instead of standard output (-).", "-o", "--output", metavar="PATH")
    ] = None,
    target: Annotated[
        str | None,
        option(
            "Write memories for another tool: claude-code, claude-md, agents-md or obsidian.",
            "--to",
            metavar="KIND",
            completion=complete.words(*TARGETS),
        ),
    ] = None,
    prefix: Annotated[str | None, option("With --to: only memories at or under this path.", metavar="PATH")] = None,
    max_chars: Annotated[int | None, option("With --to: as many as fit, the newest first.", metavar="N", min=0)] = None,
    force: Annotated[bool, option("With --to: overwrite edits there that were not imported.", "--force")] = False,
    keys: Globs = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Export memories as JSON lines, one line per memory, in key order; or with --to for another tool.

    A store that imports the lines gets the same memories, with the origin 'import'. The lines are JSON already, so
    --json changes nothing unless they go to a file.

    With --to, active memories become a section of a notes file (-o, by default the project's own), or for obsidian a
    folder of notes. The next export replaces it, and nothing else. 'memoir import --from' imports edits made there.
    """
    repository, names, globs = session(ctx).repository, namespace or [], keys or []
    if target is not None:
        if globs:
            raise InvalidInput("--keys is for JSON lines", "give --prefix with --to")
        if output == "-":
            raise InvalidInput("--to puts a section into a file", "name the file with -o")
        given = repository.export_to(
            target, output, prefix=prefix or "", max_chars=max_chars, namespaces=names, at=at, force=force
        )
        return shapes.export_to(given)
    if prefix or max_chars is not None or force:
        raise InvalidInput("--prefix, --max-chars and --force need --to", "give --keys for JSON lines")
    if output in (None, "-"):
        return Answer({}, stream=iter(repository.export_lines(globs, namespaces=names, at=at)), whole=True)
    count = repository.export_file(output, globs, namespaces=names, at=at)
    return shapes.export(output, count)


def sync(ctx: typer.Context, name: Remote = "origin", strategy: Strategy = None) -> Answer:
    """Fetch, put your unpublished commits on top of the remote's, and push; one undo takes it back here.

    If another store pushes meanwhile, it tries again, or sends to a ref of this store's own, which the next sync of any
    store folds into the branch (see memoir.remote.NAME.writers). If both sides changed the same memory, nothing is
    changed (exit 5), unless you give --strategy.
    """
    return shapes.sync(session(ctx).repository.remotes.sync(name, strategy=strategy))


def fold(ctx: typer.Context, name: Remote = "origin", strategy: Strategy = None) -> Answer:
    """Merge writers' own refs into the remote's branch, and remove these refs.

    A writer whose memories contradict the branch is left alone, and named, unless you give --strategy; there, ours is
    the branch.
    """
    return shapes.fold(session(ctx).repository.remotes.fold(name, strategy=strategy))
