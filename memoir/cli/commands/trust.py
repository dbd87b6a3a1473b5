"""The commands for those who need not believe a store, and for what must not be in one: `prove` and `verify`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from memoir.answers import trust as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, At, Key, Namespace
from memoir.cli.session import session
from memoir.errors import NotFound
from memoir.repository import Repository


def prove(
    ctx: typer.Context,
    key: Key,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="FILE", help="Write the proof to this file.")
    ] = None,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Print a proof that a memory is in a commit, or that none is.

    The proof is one line of text. It has the commit, the parts of the store's tree that lead to KEY, and the memories
    there. 'memoir verify' checks it anywhere, without the store; so does any program that follows docs/format.md.
    """
    here = session(ctx)
    proof = here.repository.prove(key, namespace=namespace, at=at)
    if output:
        Path(output).write_bytes(bytes(proof) + b"\n")
    return shapes.prove(proof, as_text=not (output or here.json))


def verify(
    ctx: typer.Context,
    proof: Annotated[
        str, typer.Argument(metavar="PROOF", help="The file of the proof; '-' for standard input.", show_default=False)
    ],
    commit: Annotated[
        str | None, typer.Option("--commit", metavar="ID", help="The whole id of the commit it must be of.")
    ] = None,
    signers: Annotated[
        str | None,
        typer.Option("--signers", metavar="FILE", help="Somebody whom this file allows to sign must have signed it."),
    ] = None,
) -> Answer:
    """Check a proof; needs no store. Exit status 1 if it does not hold.

    What is proved is that the commit with the printed id has these memories at this key, or none. Who wrote the commit
    and when is only what the commit says. Whether to trust that id is for you to decide: compare it with an id that you
    know (--commit), or let a signature decide (--signers, a file of allowed signers as ssh-keygen(1) describes it).
    """
    return shapes.verify(Repository.verify(_read(proof), commit=commit, signers=signers))


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {name!r}", "'memoir prove KEY > FILE' makes a proof") from error
