"""The commands of a store as a whole: `init`, `status`, `index`, `embed`, `fsck`, `gc`, `version`."""

from typing import Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.answers.terminal import Progress
from memoir.cli.options import argument, group, option
from memoir.cli.session import prepare_embedder, session
from memoir.errors import InvalidInput
from memoir.repository.repository import Repository


def status(
    ctx: typer.Context,
    short: Annotated[bool, option("Print one line, for a status line or a prompt.", "--short")] = False,
) -> Answer:
    """Describe the store: its branch, its counts, and how it compares with its remotes."""
    return shapes.status(session(ctx).repository.status(), short=short)


def index(
    ctx: typer.Context, rebuild: Annotated[bool, option("Delete the index first.", "--rebuild")] = False
) -> Answer:
    """Complete the index that recall ranks by.

    Each recall works on the index for a second at most, and says what is still missing; this command does the rest at
    once. It also removes the words of forgotten memories from a large index. The index is made from the store, so it
    can be deleted at any time.
    """
    here = session(ctx)
    prepare_embedder(here)
    with Progress("indexing", shown=here.chatty) as progress:
        done = here.repository.upkeep.index(rebuild=rebuild, progress=progress)
    return shapes.index(done, rebuilt=rebuild)


embed = group()


@embed.callback()
def embed_alone(ctx: typer.Context) -> Answer | None:
    """Install and show what turns texts into vectors.

    memoir.embed.provider chooses it: minilm, a learned model, comes with memoir and runs here; static knows what words
    mean, and nothing of their order; hash finds words and parts of words; onnx is minilm by ONNX Runtime, of the extra
    memoir[onnx]; installed is a model of your own; http asks a server such as Ollama (memoir.embed.url,
    memoir.embed.model). auto, the default, is minilm, or static where there is no room for its weights (135 MB in the
    user's cache).
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
        str | None, option("A folder with a sentence-transformer, or a zip archive of one.", "--from", metavar="PATH")
    ] = None,
) -> Answer:
    """Lay out minilm's weights, or install a model of your own.

    Both are for all stores. The weights of minilm come with memoir (all-MiniLM-L6-v2, 8 bits a number), and the first
    recall would lay them out: 135 MB under PROLLYTREE_EMBEDDER_CACHE if that is set, else in the user's cache folder.

    With --from, a sentence-transformer is copied there, in place of one that was installed before, once it has embedded
    two texts. It needs config.json, tokenizer.json, and model.safetensors (BERT models of 384 dimensions with mean
    pooling) or model.onnx (any; needs the extra memoir[onnx]). Pooling, dimensions, tokens and prefixes are read from
    the model's own files. To use it: 'memoir config --global memoir.embed.provider installed'.
    """
    if file is not None:
        return shapes.embed_install_model(Repository.install_model(file))
    with Progress("laying out the weights", shown=session(ctx).chatty) as progress:
        return shapes.embed_install(Repository.install_minilm(progress))


def fsck(
    ctx: typer.Context,
    repair: Annotated[bool, option("First repair what can be repaired without losing a memory.", "--repair")] = False,
    yes: Annotated[
        bool, option("With --repair: also set branches back to their newest sound commits.", "--yes")
    ] = False,
    signers: Annotated[
        str | None,
        option("Also require that somebody this file allows signed each commit.", "--signers", metavar="FILE"),
    ] = None,
) -> Answer:
    """Check every object and invariant of the store; exit 7 if anything is wrong.

    git's own check comes first, then memoir's: refs and their logs, the shape and counts of each tree, every record,
    and the list of changes in each commit. A merge that another program made with git can leave a tree out of shape;
    that is a problem as long as it is the newest commit of a branch. Paths that could be taken for others, because of
    their characters, are listed as well; they are not a problem, and do not change the exit status.

    --repair rebuilds pack indexes, HEAD, the config, branches and logs that were lost, and corrects the trees of such
    merges. Repairs that would lose memories are only listed; --yes makes them, too.

    With --signers, a commit that nobody in FILE signed is a problem as well. ssh-keygen(1) describes the file.
    """
    if yes and not repair:
        raise InvalidInput("--yes needs --repair", "'memoir fsck --repair' first lists what would be lost")
    here = session(ctx)
    files = Repository.restore_files(here.explicit_folder()) if repair else []
    with Progress("checking", shown=here.chatty) as progress:
        shown = progress if here.chatty else None
        check = here.repository.upkeep.fsck(repair=repair, accept_loss=yes, signers=signers, progress=shown)
    return shapes.fsck(check, files, accepted=yes)


def gc(ctx: typer.Context) -> Answer:
    """Pack the store as small as possible. Nothing that a branch, tag or undo step reaches is dropped."""
    here = session(ctx)
    with Progress("packing", shown=here.chatty) as progress:
        progress(0)
        done = here.repository.upkeep.gc()
    return shapes.gc(*done)


def version(ctx: typer.Context) -> Answer:
    """Show the versions of memoir, Python, git and the store format."""
    return shapes.version(Repository.versions())


def init(
    ctx: typer.Context,
    folder: Annotated[str | None, argument("[DIR]", "The folder (default: the current one).")] = None,
    sha256: Annotated[bool, option("Name objects by SHA-256 instead of SHA-1.", "--sha256")] = False,
) -> Answer:
    """Create a store in a folder.

    The store is DIR/.memoir, a bare git repository. A git project around it ignores it (in its info/exclude), and 'git
    clean -fdx' there leaves it alone. An existing store is left as it is. 'new' is another name for this command.
    """
    here = session(ctx)
    target = folder or here.explicit_folder() or "."
    other = Repository.find(target)
    repository = here.adopt(Repository.init(target, sha256=sha256, origin=here.origin))
    is_new = repository.is_new
    return shapes.init(str(repository.path), repository.branch, new=is_new, other=other if is_new else None)
