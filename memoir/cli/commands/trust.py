"""The commands for those who need not believe a store, and for what must not be in one: `prove`, `verify`, `purge`."""

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
    """Print a proof that a memory is in a commit, or that none is.

    The proof is one line of text. It has the commit, the parts of the store's tree that lead to KEY, and the memories
    there; so KEY is a path, never KEY#id. 'memoir verify' checks it anywhere, without the store; so does any program
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
    commit: Annotated[str | None, option("The whole id of the commit it must be of.", metavar="ID")] = None,
    signers: Annotated[
        str | None, option("Somebody whom this file allows to sign must have signed it.", "--signers", metavar="FILE")
    ] = None,
) -> Answer:
    """Check a proof; needs no store. Exit status 1 if it does not hold.

    What is proved is that the commit with the printed id has these memories at this key, or none. Who wrote the commit
    and when is only what the commit says. Whether to trust that id is for you to decide: compare it with an id that you
    know (--commit), or let a signature decide (--signers, a file of allowed signers as ssh-keygen(1) describes it).
    """
    return shapes.verify(Repository.verify(_read(proof), commit=commit, signers=signers))


def purge(
    ctx: typer.Context,
    keys: Annotated[
        list[str] | None,
        argument(
            "[KEY...]", "Paths, namespace:path, or KEY#id: everything that was ever there.", completion=complete.keys
        ),
    ] = None,
    content: Annotated[
        list[str] | None, option("Every memory with this text; '-' reads it (repeatable).", "--content", metavar="TEXT")
    ] = None,
    whole: Annotated[
        list[str] | None,
        option(
            "All that was ever in this namespace, such as a person's (repeatable).",
            "--whole",
            metavar="NAME",
            completion=complete.namespaces,
        ),
    ] = None,
    secrets: Annotated[bool, option("Strike from all memories what looks like a credential.", "--secrets")] = False,
    sign: Annotated[bool, option("Sign rewritten commits that were signed, with your own key.", "--sign")] = False,
    yes: Annotated[bool, option("Do it. Without, nothing is changed.", "--yes")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
) -> Answer:
    """Remove what must not exist, from all history; nothing brings it back.

    Every commit that has it is rewritten, on every branch, tag and other ref, and in the logs that 'memoir undo' reads;
    times, authors and messages stay, ids change (.memoir/memoir-purge-map has the old and the new ones). The index,
    captures, caches and what 'memoir edit' could not store lose it, too, however its lines break. Then every object
    and file is searched for it: exit status 1 if something is left.

    By KEY, all memories go that say the same, wherever they are; in segments of sources, which keep the rest of what
    was said, it is blotted out. With --whole, what other namespaces say stays, even if it is the same. Purging ends
    with what must be run at remotes and in clones, which still have it. What they send later is refused as long as it
    has what was purged here. Begin with --dry-run.
    """
    here = session(ctx)
    if not (yes or dry_run):
        raise InvalidInput("purging cannot be undone", "--dry-run shows what would go; --yes does it")
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


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {name!r}", "'memoir prove KEY > FILE' makes a proof") from error
