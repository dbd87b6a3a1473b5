"""The commands that prove what a store holds, and that remove what it must not hold: `prove`, `verify`, `purge`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from memoir.answers import trust as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Key, Namespace, argument, option
from memoir.cli.session import session, text_or_stdin
from memoir.cli.writing import DryRun
from memoir.errors import InvalidInput, NotFound
from memoir.memory.export import write_lines
from memoir.records.record import MAX_CONTENT_BYTES
from memoir.repository.repository import Repository


def prove(
    ctx: typer.Context,
    key: Key,
    output: Annotated[str | None, option("Write the proof to this file.", "-o", "--output", metavar="FILE")] = None,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Print a proof that a commit has a memory at a key, or that it has none.

    The proof is one line of text with the commit, the parts of the store's tree that lead to KEY, and all memories
    there; so KEY is a path, never KEY#id. 'memoir verify' checks it anywhere, without the store, and so can any program
    that follows docs/format.md.
    """
    here = session(ctx)
    proof = here.repository.prove(key, namespace=namespace, at=at)
    output = None if output == "-" else output
    if output:
        write_lines(output, [bytes(proof), b"\n"])
    return shapes.prove(proof, as_text=not (output or here.json))


def verify(
    ctx: typer.Context,
    proof: Annotated[str, argument("PROOF", "The file of the proof; '-' for standard input.")],
    commit: Annotated[str | None, option("The full id of the commit that the proof must be of.", metavar="ID")] = None,
    signers: Annotated[
        str | None, option("The commit must be signed by an allowed signer in this file.", "--signers", metavar="FILE")
    ] = None,
) -> Answer:
    """Check a proof; needs no store. Exit status 1 if it does not hold.

    A proof shows that the commit with the printed id has these memories at this key, or none. It does not show who
    wrote the commit or when. To trust that id, compare it with one that you know (--commit), or require a signature
    (--signers, a file of allowed signers as ssh-keygen(1) describes it).
    """
    return shapes.verify(Repository.verify(_proof_text(proof), commit=commit, signers=signers))


def purge(
    ctx: typer.Context,
    keys: Annotated[
        list[str] | None,
        argument(
            "[KEY...]", "Paths, namespace:path, or KEY#id: all memories that were ever there.", completion=complete.keys
        ),
    ] = None,
    content: Annotated[
        list[str] | None, option("Every memory with this text; '-' reads it (repeatable).", "--content", metavar="TEXT")
    ] = None,
    whole: Annotated[
        list[str] | None,
        option(
            "All memories that were ever in this namespace, such as a person's (repeatable).",
            "--whole",
            metavar="NAME",
            completion=complete.namespaces,
        ),
    ] = None,
    secrets: Annotated[bool, option("Remove what looks like a credential from all memories.", "--secrets")] = False,
    sign: Annotated[bool, option("Sign rewritten commits that were signed, with your own key.", "--sign")] = False,
    yes: Annotated[bool, option("Do it; without --yes nothing is changed.", "--yes")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
) -> Answer:
    """Remove text from all history; nothing brings it back.

    Every commit that has it is rewritten, on every branch, tag and other ref, and in the logs that 'memoir undo' reads;
    times, authors and messages stay, ids change (.memoir/memoir-purge-map has the old and the new ones). It is also
    removed from the index, captures, caches and drafts of 'memoir edit', however its lines break. Then every object and
    file is searched for it: exit status 1 if something is left.

    With KEY, all memories with the same content are removed, wherever they are; in segments of sources only the text
    itself is blotted out. With --whole, equal content in other namespaces stays. The answer ends with the commands to
    run at remotes and in clones, which still have the text. Commits from them that contain it are refused from now on.
    Begin with --dry-run.
    """
    here = session(ctx)
    if not (yes or dry_run):
        raise InvalidInput("purging cannot be undone", "--dry-run shows what would be removed; --yes removes it")
    texts = [text_or_stdin(text, MAX_CONTENT_BYTES) for text in content or []]
    with here.progress("purging") as progress:
        progress(0, None)
        upkeep = here.repository.upkeep
        done = upkeep.purge(
            *(keys or []),
            texts=texts,
            whole=whole or [],
            secrets=secrets,
            namespace=namespace,
            sign=sign,
            dry_run=dry_run,
        )
    return shapes.purge(done)


def _proof_text(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {name!r}", "'memoir prove KEY > FILE' makes a proof") from error
