"""Sets up a host, checks it, and takes everything away again."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from memoir.errors import InvalidInput, MemoirError
from memoir.hosts.setup import ledger, trial
from memoir.hosts.setup.pieces import Hook, Piece, Whole, add_all, remove_all
from memoir.hosts.setup.plugins import plugin_of
from memoir.hosts.setup.recipes import RECIPES, FilePart, Recipe, Scope, Wish, command
from memoir.hosts.setup.trust import trouble
from memoir.named_tuple import NamedTuple
from memoir.program import executable

Status = Literal["created", "changed", "unchanged", "deleted", "absent", "refused"]


class FileChange(NamedTuple):
    """One file: its bytes now and afterwards (None: no such file), or why it cannot be changed.

    Attributes:
        path: The file.
        before: Its bytes now.
        after: Its bytes afterwards.
        addition: What memoir adds to it, for somebody who does that by hand.
        base: Its bytes without memoir's pieces.
        problem: Why memoir leaves the file alone.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    addition: str = ""
    base: bytes | None = None
    problem: str | None = None

    @property
    def status(self) -> Status:
        """The change of the file, in one word."""
        if self.problem:
            return "refused"
        if self.before == self.after:
            return "absent" if self.after is None else "unchanged"
        return "created" if self.before is None else "deleted" if self.after is None else "changed"


class SetupResult(NamedTuple):
    """The setup of one host, done or planned: the files, whether it is set up now, and notes for the user."""

    host: str
    scope: Scope
    changes: Sequence[FileChange]
    installed: bool
    notes: Sequence[str] = ()

    @property
    def refused(self) -> bool:
        """Whether a file was left to the user."""
        return any(change.problem for change in self.changes)


def program() -> str:
    """Return the absolute path of the `memoir` command that runs.

    Raises:
        MemoirError: it cannot be found.
    """
    if (file := executable()) is None:
        raise MemoirError("the memoir command cannot be found", "install memoir with pip, pipx or uv")
    return file


def recipe_of(host: str, wish: Wish) -> Recipe:
    """Return the recipe of a host.

    Raises:
        InvalidInput: there is none, or it has not the scope that is wanted.
    """
    recipe = RECIPES.get(host)
    if recipe is None:
        raise InvalidInput(f"no host named {host!r}", "'memoir setup --list' lists the hosts")
    if wish.scope not in recipe.scopes:
        raise InvalidInput(f"{recipe.title} can be set up with --{recipe.scopes[0]} only")
    if wish.prompt and not recipe.has_hooks:
        raise InvalidInput(f"{recipe.title} has no hooks", f"memoir setup {host}")
    return recipe


def set_up(host: str, wish: Wish, *, dry_run: bool = False) -> SetupResult:
    """Put memoir into a host's configuration; what is there already is replaced.

    Raises:
        InvalidInput: there is no such host or scope. MemoirError: a command that would be written does not work.
        OSError: a file cannot be written.
    """
    recipe = recipe_of(host, wish)
    plugin = plugin_of(host) if wish.hooks else None
    if plugin:
        wish = wish._replace(hooks=False)
    changes = [_addition(recipe, part) for part in recipe.parts(wish)]
    if not dry_run:
        _try(recipe.parts(wish), wish)
        for change in changes:
            if change.status in ("created", "changed") and change.after is not None:
                before = ledger.recall(change.path, change.before or b"")
                ledger.write(change.path, change.after, before or ledger.Before(change.base))
    notes = [f"the plugin {plugin} is installed and has the hooks already, so none are written"] if plugin else []
    notes += [recipe.note] if recipe.note else []
    return SetupResult(host, wish.scope, changes, not any(change.problem for change in changes), notes)


def remove(host: str, wish: Wish, *, dry_run: bool = False) -> SetupResult:
    """Take memoir out of a host's configuration.

    Raises:
        InvalidInput: there is no such host or scope. OSError: a file cannot be written.
    """
    recipe = recipe_of(host, wish)
    changes = [_removal(recipe, part) for part in recipe.parts(_everything(wish))]
    if not dry_run:
        for change in reversed(changes):  # the first file of a folder made the folder, and goes last
            if change.status in ("changed", "deleted"):
                ledger.restore(change.path, change.after)
    return SetupResult(host, wish.scope, changes, installed=False)


def check(host: str, wish: Wish) -> SetupResult:
    """Look whether a host is set up, run what its files run, and say what is missing.

    Raises:
        InvalidInput: there is no such host or scope.
    """
    recipe = recipe_of(host, wish)
    changes = [change for part in recipe.parts(_everything(wish)) if (change := _removal(recipe, part)).before]
    there = [change for change in changes if change.before != change.after]
    notes = [f"{change.path}: {change.problem}" for change in changes if change.problem]
    if plugin := plugin_of(host):
        notes.append(f"the plugin {plugin} is installed")
    notes += [note for change in there if (note := trouble(host, change.path))]
    try:
        _try(recipe.parts(wish) if there else (), wish)
    except MemoirError as error:
        notes.append(error.message)
    return SetupResult(host, wish.scope, there, bool(there or plugin), notes)


def find_scopes(host: str) -> list[Scope]:
    """Return the scopes in which a host is set up, as far as its files can be read."""
    scopes: list[Scope] = []
    for scope in RECIPES[host].scopes:
        parts = RECIPES[host].parts(_everything(Wish("/memoir", scope)))
        changes = [_removal(RECIPES[host], part) for part in parts]
        scopes += [scope] if any(change.before != change.after for change in changes) else []
    return scopes


def _everything(wish: Wish) -> Wish:
    return wish._replace(hooks=True, mcp=True, prompt=wish.prompt or "--recall")


def _file(recipe: Recipe, part: FilePart) -> Path:
    """The file of a part on this machine."""
    for start, variable in recipe.folders.items():
        if part.file.startswith(start) and (folder := os.environ.get(variable)):
            rest = part.file.removeprefix(start)
            return (
                Path(folder, rest.lstrip("/")) if rest.startswith("/") else Path(folder, part.file.removeprefix("~/"))
            )
    return Path(os.path.abspath(os.path.expanduser(part.file)))


def _addition(recipe: Recipe, part: FilePart) -> FileChange:
    path, snippet = _file(recipe, part), "\n".join(piece.snippet() for piece in part.pieces)
    if outside := _leads_out(part, path):
        return FileChange(path, None, None, snippet, problem=outside)
    before = None
    try:
        before = _read(path)
        base = _base(path, part.pieces, before)
        after = add_all(part.pieces, (base or b"").decode()).encode()
    except (MemoirError, UnicodeDecodeError) as error:
        return FileChange(path, before, before, snippet, problem=str(error))
    return FileChange(path, before, after if base or after.endswith(b"\n") else after + b"\n", snippet, base)


def _leads_out(part: FilePart, path: Path) -> str | None:
    """Where a link takes a file of the project that is outside of it: whoever sent the project chose that place."""
    if part.file.startswith("~") or Path(os.path.realpath(path)).is_relative_to(os.path.realpath(".")):
        return None
    return f"a link leads out of the project, to {os.path.realpath(path)}"


def _removal(recipe: Recipe, part: FilePart) -> FileChange:
    path = _file(recipe, part)
    if outside := _leads_out(part, path):
        return FileChange(path, None, None, problem=outside)
    before = None
    try:
        before = _read(path)
        return FileChange(path, before, _base(path, part.pieces, before))
    except (MemoirError, UnicodeDecodeError) as error:
        return FileChange(path, before, before, problem=str(error))


def _base(path: Path, pieces: Sequence[Piece], before: bytes | None) -> bytes | None:
    """A file without memoir: what it was if it is as memoir wrote it, else what is left without memoir's pieces.

    Raises:
        InvalidInput: it cannot be parsed.
    """
    if before is None:
        return None
    original = ledger.recall(path, before)
    return original.data if original else _rest(pieces, before)


def _rest(pieces: Sequence[Piece], data: bytes) -> bytes | None:
    """A file without memoir's pieces; None if nothing is left that anybody else wrote."""
    rest = remove_all(pieces, data.decode()).encode()
    return rest if rest == data or rest.strip() not in (b"", b"{}") else None


def _read(path: Path) -> bytes | None:
    """The bytes of a file, or None if there is none.

    Raises:
        InvalidInput: something else is in its place, such as a FIFO, which would never end.
    """
    if not os.path.exists(path):
        return None
    if not path.is_file():
        raise InvalidInput("it is no plain file")
    return path.read_bytes()


def _try(parts: Sequence[FilePart], wish: Wish) -> None:
    """Run every command that is written.

    Raises:
        MemoirError: one does not work.
    """
    for line in dict.fromkeys(_commands(parts, wish)):
        trial.try_hook(line, wish.program)
    if wish.mcp:
        trial.try_server([wish.program, *wish.server])


def _commands(parts: Sequence[FilePart], wish: Wish) -> Iterator[str]:
    for part in parts:
        for piece in part.pieces:
            if isinstance(piece, Hook):
                yield from _strings(piece.item)
            elif isinstance(piece, Whole):
                yield command(wish, "opencode", "SessionStart")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if " hook " in value:
            yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
