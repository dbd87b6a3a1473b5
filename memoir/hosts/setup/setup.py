"""Set up a host, check it, update its hooks, and remove everything again.

Before anything is written, the commands of hooks and servers are tried: each must be harmless, even if memoir is
deleted later. Only needed hooks are written: those that capture, while capture is on, and the one that syncs, if
wanted. `renew_all` updates them when capture or sync is switched.
"""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

from memoir.errors import InvalidInput, MemoirError
from memoir.hosts import dialects
from memoir.hosts.setup import host_files
from memoir.hosts.setup.found import find, find_scopes, plugin_of, trouble
from memoir.hosts.setup.host_files import FileChange
from memoir.hosts.setup.pieces import Hook, TextBlock, Whole
from memoir.hosts.setup.recipes import (
    GLOBAL,
    PROJECT,
    RECIPES,
    TOOL_OPTIONS,
    FilePart,
    Recipe,
    Scope,
    Wish,
    everything,
    options_of,
    setup_command,
)
from memoir.program import NAME, executable, runnable, shell_word
from memoir.store.locate import find as find_store

_PAYLOAD = b'{"hook_event_name": "", "session_id": "memoir-setup", "source": "startup"}\n'
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "memoir-setup", "version": "1"},
    },
}
_HOOK_SECONDS, _SERVER_SECONDS = 5, 30
_LACKS = {
    dialects.FILE: "has no hook that can add memories before a file is read",
    dialects.FAILURE: "has no event for a command that failed",
}


class SetupResult(NamedTuple):
    """The setup of one host, done or planned."""

    host: str
    """The host."""
    scope: Scope
    """Where it is set up."""
    changes: Sequence[FileChange]
    """The changes of its files."""
    installed: bool
    """Whether it is set up now."""
    notes: Sequence[str] = ()
    """What the user must know or do."""
    next: str | None = None
    """A useful next command, if any."""
    command: str | None = None
    """The command that makes this setup; None if it was not set up."""

    @property
    def permissions(self) -> int:
        """How many of the host's permission entries are memoir's now."""
        return sum(change.permissions for change in self.changes)

    @property
    def refused(self) -> bool:
        """Whether a file was left to the user."""
        return any(change.problem for change in self.changes)


class Renewal(NamedTuple):
    """A host whose hooks were out of date: the files that changed, or why they could not."""

    host: str
    scope: Scope
    files: list[Path]
    problem: str | None = None


def program() -> str:
    """Return the absolute path of the `memoir` command that runs."""
    if (file := executable()) is None:
        raise MemoirError("the memoir command cannot be found", "install memoir with pip, pipx or uv")
    return file


def recipe_of(host: str, wish: Wish) -> Recipe:
    """Return the recipe of a host."""
    recipe = RECIPES.get(host)
    if recipe is None:
        from difflib import get_close_matches

        close = get_close_matches(host, RECIPES, 1)
        hint = f"did you mean {close[0]!r}?" if close else "'memoir setup --list' lists the hosts"
        raise InvalidInput(f"no host named {host!r}", hint)
    if wish.scope not in recipe.scopes:
        raise InvalidInput(f"{recipe.title} can be set up with --{recipe.scopes[0]} only")
    if wish.memory_md and host != "claude":
        raise InvalidInput(f"{recipe.title} has no MEMORY.md", "'memoir setup claude --memory-md' is for Claude Code")
    if wish.prompt and not recipe.has_hooks:
        raise InvalidInput(f"{recipe.title} has no hooks", f"memoir setup {host}")
    kinds = dialects.HOSTS[host].events.values() if host in dialects.HOSTS else ()
    for kind in sorted(wish.tools.difference(kinds)):
        raise InvalidInput(f"{recipe.title} {_LACKS[kind]}", f"leave out {TOOL_OPTIONS[kind]}")
    return recipe


def set_up(host: str, wish: Wish, *, dry_run: bool = False) -> SetupResult:
    """Add memoir to a host's configuration; the options of an earlier setup stay, in their present form."""
    recipe = recipe_of(host, wish)
    named, wish = wish, wish.with_all_of(find(host, wish.scope))
    plugin = plugin_of(host)
    if plugin:
        wish = wish._replace(start=False)
    parts = recipe.parts(wish)
    whole = {part.file: part.pieces for part in recipe.parts(everything(wish))}
    changes = [host_files.addition(recipe, part, whole[part.file]) for part in parts]
    if not dry_run:
        _try_commands(parts, wish)
        for change in changes:
            host_files.write_with(change)
    notes = [f"the plugin {plugin} has the hook for the start of a session, so none is written"] if plugin else []
    if wish.allow and wish.scope not in recipe.allows:
        notes.append(f"{recipe.title} has no setting for this that memoir knows: allow its commands when you are asked")
    notes += _kept_options(host, named, wish)
    notes += filter(None, (recipe.note, "" if wish.allow else recipe.unless_allowed))
    if wish.scope == PROJECT and (files := " and ".join(part.file for part in parts if _has_path(part, wish))):
        notes.append(f"keep {files} out of commits: it contains memoir's path on this machine")
    if wish.scope == GLOBAL and find_store(".") is None:
        notes.append(runnable("there is no store here: 'memoir init' gives a project one"))
    offer = wish.scope in recipe.allows and not wish.allow
    command = setup_command(host, wish.scope, options_of(host, wish))
    step = f"{command} --allow" if offer else None
    is_done = not any(change.problem for change in changes)
    return SetupResult(host, wish.scope, changes, is_done, notes, step, command)


def _has_path(part: FilePart, wish: Wish) -> bool:
    """Whether a part calls memoir by its path; only rules call it by its name, where the PATH leads to it."""
    return not wish.on_path or not all(isinstance(piece, TextBlock) for piece in part.pieces)


def _kept_options(host: str, named: Wish, wish: Wish) -> list[str]:
    """A note on the options that are kept from an earlier setup."""
    options = [each for each in options_of(host, wish) if each not in options_of(host, named)]
    if not options:
        return []
    removal = setup_command(host, wish.scope, ["--remove"])
    return [runnable(f"kept from an earlier setup: {' '.join(options)}; to drop them, '{removal}' first")]


def remove(host: str, wish: Wish, *, dry_run: bool = False) -> SetupResult:
    """Remove memoir from a host's configuration."""
    recipe = recipe_of(host, wish)
    changes = [host_files.removal(recipe, part) for part in recipe.parts(everything(wish))]
    if not dry_run:
        for change in reversed(changes):  # the first file created the folder, so it is removed last
            host_files.write_without(change)
    return SetupResult(host, wish.scope, changes, installed=False, notes=list(_remains()))


def _remains() -> Iterator[str]:
    """A note on the captured texts that stay on the machine after a removal."""
    import shlex

    from memoir.capture.spool import kept_anywhere

    if kept := kept_anywhere():
        folder, count = kept
        stores = "1 store" if count == 1 else f"{count} stores"
        purge = runnable("'memoir capture off --purge'")
        yield (
            f"captured texts of {stores} are still in {folder}: {purge} in a project deletes it for that "
            f"project, 'rm -r {shlex.quote(str(folder))}' deletes all"
        )


def check(host: str, wish: Wish) -> SetupResult:
    """Check whether a host is set up, try the commands in its files, and note what is missing.

    If it is set up only in the other scope than the wish's, that scope is checked.
    """
    recipe = recipe_of(host, wish)
    scopes = find_scopes(host)
    if scopes and wish.scope not in scopes:
        wish = wish._replace(scope=scopes[0])
    changes = [change for part in recipe.parts(everything(wish)) if (change := host_files.removal(recipe, part)).before]
    there = [change for change in changes if change.before != change.after]
    notes = [f"{change.path}: {change.problem}" for change in changes if change.problem]
    plugin = plugin_of(host)
    if plugin:
        notes.append(f"the plugin {plugin} is installed")
    notes += [note for change in there if (note := trouble(host, change.path))]
    try:
        _try_commands(recipe.parts(wish) if there else (), wish)
    except MemoirError as error:
        notes.append(error.message)
    return SetupResult(host, wish.scope, there, bool(scopes or plugin), notes)


def renew(host: str, wish: Wish, *, dry_run: bool = False) -> list[FileChange]:
    """Update memoir's hooks in a host to those that are needed now; return the changed files."""
    recipe = RECIPES[host]
    there, own = find(host, wish.scope), plugin_of(host) is None
    wish = wish._replace(start=own, prompt=there.prompt, tools=there.tools, memory_md=there.memory_md)
    whole = {part.file: part.pieces for part in recipe.parts(everything(wish))}
    parts = recipe.parts(wish)
    changes = [host_files.renewal(recipe, part, whole[part.file]) for part in parts]
    news = [change for change in changes if change.status in ("changed", "deleted")]
    if news and not dry_run:
        _try_commands(parts, wish)
        for change in news:
            host_files.write_with(change)
    return news


def current_wish(scope: Scope, **fields: Any) -> Wish:
    """A wish for the running memoir, with the hooks that are needed now."""
    from memoir.exchange.auto_sync import is_wanted_at_end

    capture = is_capture_on(scope)
    return Wish(program(), scope, capture=capture, sync=is_wanted_at_end(), on_path=shell_word() == NAME, **fields)


def is_capture_on(scope: Scope) -> bool:
    """Whether capture is on for a store that the hooks of a scope serve."""
    from memoir.capture.spool import TurnSpool, is_on_anywhere

    if scope == GLOBAL:
        return is_on_anywhere()
    store = find_store(".")
    return store is not None and TurnSpool(store).is_on


def renew_all(project: Path) -> list[Renewal]:
    """Update the hooks of every host that is set up, globally or for this project."""
    with chdir(project):
        return [
            renewal
            for host in RECIPES
            if RECIPES[host].has_hooks
            for scope in find_scopes(host)
            if find(host, scope).start and (renewal := _renew(host, scope)) is not None
        ]


def _renew(host: str, scope: Scope) -> Renewal | None:
    try:
        changes = renew(host, current_wish(scope))
    except MemoirError as error:
        return Renewal(host, scope, [], error.message)
    except OSError as error:
        return Renewal(host, scope, [], f"{error.filename}: {error.strerror}")
    return Renewal(host, scope, [change.path for change in changes]) if changes else None


def _try_commands(parts: Sequence[FilePart], wish: Wish) -> None:
    for line in dict.fromkeys(_commands(parts)):
        try_hook(line, wish.program)
    if wish.mcp:
        try_server([wish.program, *wish.server])


def _commands(parts: Sequence[FilePart]) -> Iterator[str]:
    for part in parts:
        for piece in part.pieces:
            if isinstance(piece, Hook):
                yield from _strings(piece.item)
            elif isinstance(piece, Whole) and piece.command:
                yield piece.command


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if " hook " in value:
            yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def try_hook(command: str, program: str) -> None:
    """Run the command of a hook as a host does, and again with the program missing."""
    for line, what in ((command, "it"), (command.replace(program, program + ".missing"), "without memoir it")):
        with tempfile.TemporaryDirectory() as nowhere:
            try:
                done = subprocess.run(
                    ["/bin/sh", "-c", line], input=_PAYLOAD, capture_output=True, cwd=nowhere, timeout=_HOOK_SECONDS
                )
            except subprocess.TimeoutExpired as error:
                raise _failure(line, f"{what} takes longer than {_HOOK_SECONDS} s") from error
        if done.returncode or done.stderr or not _is_answer(done.stdout):
            raise _failure(line, f"{what} ends with {done.returncode} and prints {done.stdout + done.stderr!r:.200}")


def try_server(words: Sequence[str]) -> None:
    """Run an MCP server, and say hello to it."""
    line = " ".join(words)
    env = {name: value for name, value in os.environ.items() if name != "MEMOIR_JSON"}
    try:
        hello = json.dumps(_HELLO).encode() + b"\n"
        done = subprocess.run(words, input=hello, capture_output=True, timeout=_SERVER_SECONDS, env=env)
        answer = json.loads(done.stdout.partition(b"\n")[0])
    except (subprocess.TimeoutExpired, OSError, ValueError) as error:
        raise _failure(line, "it does not answer") from error
    if "result" not in answer:
        raise _failure(line, f"it answers {answer!r:.200}")


def _is_answer(output: bytes) -> bool:
    try:
        return not output or isinstance(json.loads(output), dict)
    except ValueError:
        return False


def _failure(line: str, why: str) -> MemoirError:
    return MemoirError(f"nothing was written: {line}: {why}", "report this with 'memoir version'")
