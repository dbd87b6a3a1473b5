"""`memoir doctor`: check that everything that memoir needs is present and sound, and say how to repair it."""

import os
import re
import shlex
import shutil
import stat
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from importlib.util import cache_from_source
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import memoir
from memoir import program, user_folders
from memoir.errors import MemoirError, NoStore
from memoir.git.git import around
from memoir.hosts import log
from memoir.memory.survey import describe_size, plural, size_of
from memoir.primer.length import dispute
from memoir.records.origins import AGENT
from memoir.repository.repository import Repository
from memoir.settings import HOOKS
from memoir.store.locate import DIRECTORY, passing

if TYPE_CHECKING:
    from memoir.hosts.setup.recipes import Scope

Health = Literal["ok", "warning", "failed"]
_SAMPLE = 1_000
"""How many memories are read as a sample."""
_SECONDS = 5.0
"""The time limit for counting the memories of a larger store that has not been counted yet."""
_RECENT = 7 * 24 * 3600
"""For how many seconds a hook's failure is reported."""
_MOST = 3
_FIXES = {"not done within": "memoir index", "not synced": "memoir sync"}
"""The remedies of some problems in the log of hooks, by words in their messages."""


class Check(NamedTuple):
    """One check: its name, its result, a message, and how to repair the problem."""

    name: str
    health: Health
    message: str
    fix: str | None = None


def examine(folder: str | None) -> list[Check]:
    """Run all checks; one that cannot be run counts as failed.

    Without a folder, the store is the nearest one above the current directory.
    """
    checks = list(_run(_git))
    try:
        repository = Repository.open(folder, origin=AGENT)
    except NoStore as error:
        checks.append(Check("store", "warning", error.message, error.hint))
    except MemoirError as error:
        checks.append(Check("store", "failed", error.message, error.hint or "docs/recovery.md says what to do"))
    else:
        with repository:
            for look in (_store, _permissions, _project, _remotes, _index, _embedder, _disputes, _capture):
                checks += _run(look, repository)
    for look_around in (_path, _bytecode, _folders, _hosts, _hooks):
        checks += _run(look_around)
    return checks


def _run(look: Callable[..., Iterator[Check]], *store: Repository) -> Iterator[Check]:
    """The results of a check function; if it raises, a failed check of its name."""
    name = look.__name__.removeprefix("_")
    try:
        yield from look(*store)
    except MemoirError as error:
        yield Check(name, "failed", error.message, error.hint)
    except OSError as error:
        yield Check(name, "failed", f"{error.filename or name}: {error.strerror or error}")


def _git() -> Iterator[Check]:
    from memoir.git.git import check_version

    check_version()
    yield Check("git", "ok", f"git {Repository.versions().git}")


def _store(repository: Repository) -> Iterator[Check]:
    """Check every branch, the newest tree, and a sample of its memories; `memoir fsck` checks everything."""
    from memoir.memory.layer_namespaces import memories_of
    from memoir.primer import standing_memories

    branches = plural(len(repository.branches.list()), "branch", "branches")
    snapshot = repository.store.at(None)
    size = size_of(snapshot, _SAMPLE)
    if size.memories is None:
        found = standing_memories.find(repository.store, snapshot, seconds=_SECONDS)
        size = size._replace(memories=found.memories(memories_of(snapshot, found.counts)))
    read = sum(1 for _ in islice(repository.export_lines(), _SAMPLE))
    if repository.store.damage:
        names = ", ".join(islice(repository.store.damage, _MOST))
        yield Check("store", "failed", f"memories cannot be read: {names}", "memoir fsck")
        return
    if repository.upkeep.awaits_check():
        message = "since the clone, not every record has been checked; the rest is checked when read or pushed"
        yield Check("store", "warning", message, "memoir fsck")
        return
    looked = "" if read < _SAMPLE else f"; {read:,} records were read"
    further = program.runnable("'memoir fsck' checks everything")
    yield Check("store", "ok", f"{repository.path}: {describe_size(size)}, {branches}{looked}; {further}")


def _index(repository: Repository) -> Iterator[Check]:
    status = repository.upkeep.index_status()
    if status.documents is None and not repository.count():
        yield Check("index", "ok", "there is none yet, and nothing to index")
    elif status.documents is None:
        yield Check("index", "warning", "there is none yet; the first recall builds it", "memoir index")
    elif status.embedded is not None and status.embedded < status.documents:
        rest = status.documents - status.embedded
        have = plural(rest, "memory or passage has", "memories and passages have")
        message = f"{have} no vector by {status.embedder} yet"
        yield Check("index", "warning", message, "memoir index")
    else:
        paths = sum(repository.summarize().namespaces.values())
        behind = "; recall brings it up to date" if paths > status.documents else ""
        indexed = plural(status.documents, "memory is", "memories and passages are")
        yield Check("index", "ok", f"{indexed} indexed{behind}")


def _embedder(repository: Repository) -> Iterator[Check]:
    from memoir.embedders.choose_embedder import embedder_of
    from memoir.embedders.weights import REMEDY

    embedder = embedder_of(repository.store)
    embedder.embed(["memoir"])
    if embedder.degraded:
        yield Check("embedder", "warning", embedder.degraded, REMEDY)
    else:
        yield Check("embedder", "ok", embedder.name)


def _disputes(repository: Repository) -> Iterator[Check]:
    """Pairs of memories that contradict each other, newest first, with their dates."""
    disputes, is_all = repository.upkeep.disputes()
    scope = "" if is_all else " (not all memories were compared)"
    if not disputes:
        yield Check(
            "disputes", "ok", f"found no memories that contradict each other{scope}", None if is_all else "memoir index"
        )
    for newer, older in disputes[:_MOST]:
        fix = f"memoir replace {older.target.short_key} {newer.target.short_key}"
        yield Check("disputes", "warning", dispute(newer, older), fix)
    if len(disputes) > _MOST:
        rest = plural(len(disputes) - _MOST, "more pair contradicts", "more pairs contradict")
        yield Check("disputes", "warning", f"{rest} each other{scope}")


def _capture(repository: Repository) -> Iterator[Check]:
    captures = repository.captures
    contents, on = captures.contents(), "on" if captures.on else "off"
    folder = Path(captures.folder) if captures.folder else None
    paths = (folder, *folder.glob("*")) if folder else ()
    open_paths = [each for each in paths if each.exists() and each.stat().st_mode & 0o077]
    if open_paths:
        yield Check("capture", "failed", f"others may read {open_paths[0]}", f"chmod -R go= {folder}")
    elif contents.turns:
        yield Check(
            "capture", "ok", f"{on}; {plural(contents.turns, 'turn', 'turns')} to review", "memoir capture review"
        )
    else:
        yield Check("capture", "ok", f"{on}; nothing to review")


def _remotes(repository: Repository) -> Iterator[Check]:
    """Remotes that do not answer, or that send many objects that are not new."""
    rows = repository.status().remotes
    for each in rows:
        if each.trouble:
            yield Check("remotes", "warning", f"{each.name}: {each.trouble}", f"memoir sync {each.name}")
        if each.surplus:
            sent, needed = each.surplus
            message = f"{each.name} sent {plural(sent, 'object', 'objects')} in the last fetch, {needed:,} of them new"
            yield Check("remotes", "warning", message, "there: git config pack.useSparse false")
    if not any(each.trouble or each.surplus for each in rows):
        yield Check("remotes", "ok", f"{plural(len(rows), 'remote', 'remotes')}")


def _permissions(repository: Repository) -> Iterator[Check]:
    if not os.access(repository.path, os.W_OK):
        yield Check("permissions", "warning", f"{repository.path} cannot be written to, so nothing can be remembered")
    elif stat.S_IMODE(repository.path.stat().st_mode) & stat.S_IWOTH:
        fix = f"chmod -R o-w {repository.path}"
        yield Check("permissions", "failed", f"everybody may write to {repository.path}", fix)
    else:
        yield Check("permissions", "ok", "the store can be written to")


_AS_REPOSITORY = b"160000 "
"""How `git ls-files` lists a nested repository; a store without a file `.git` would be added file by file."""


def _project(repository: Repository) -> Iterator[Check]:
    """Whether the project's git has added the store, or would delete it with a folder."""
    folder, name = repository.path.parent, repository.path.name
    if name == DIRECTORY and (found := passing(folder)):
        command, lasting = found
        move = None if (lasting / name).exists() else shlex.join(["mv", str(repository.path), f"{lasting}/"])
        yield Check("project", "warning", f"{command!r} deletes the store with {folder}", move)
    if added := around(folder, "ls-files", "--stage", "--", name).stdout:
        effect = ", where 'git status' fails now" if added.startswith(_AS_REPOSITORY) else ""
        fix = shlex.join(["git", "-C", str(folder), "rm", "--cached", "-r", "-f", "--", name])
        yield Check("project", "failed", f"git has added the store to the project{effect}", fix)


def _folders() -> Iterator[Check]:
    yield _writable_folder("cache", user_folders.cache(), "XDG_CACHE_HOME")
    yield _writable_folder("state", user_folders.state(), "XDG_STATE_HOME")


def _writable_folder(name: str, folder: Path | None, variable: str) -> Check:
    """Whether a folder can be written to, or created."""
    place = next((each for each in (folder, *folder.parents) if each.exists()), None) if folder else None
    if place is None or not os.access(place, os.W_OK):
        fix = f"set {variable} to a folder that you may write to"
        return Check(name, "failed", f"there is no {name} folder that can be written to", fix)
    return Check(name, "ok", str(folder))


def _path() -> Iterator[Check]:
    """Whether `memoir` on the PATH is this program: agents get its full path, but a plugin has only the name."""
    from memoir.hosts.setup.found import plugin_of

    if (word := program.shell_word()) == program.NAME:
        yield Check("path", "ok", f"the PATH leads to {program.executable()}")
        return
    other = shutil.which(program.NAME)
    what = f"'memoir' on the PATH is another one, {other}" if other else "'memoir' is not on the PATH of this shell"
    hit = "; the plugin in Claude Code does not work this way" if plugin_of("claude") else ""
    fix = f"put {os.path.dirname(program.executable() or sys.executable)} first on the PATH"
    yield Check("path", "warning", f"{what}: agents are told to run {word}{hit}", fix)


def _bytecode() -> Iterator[Check]:
    """Whether Python has compiled memoir; with PYTHONDONTWRITEBYTECODE or in a read-only folder it may never do so."""
    package, libraries = Path(memoir.__file__).parent, Path(sysconfig.get_path("purelib"))
    if Path(cache_from_source(memoir.__file__)).exists():
        yield Check("bytecode", "ok", "Python has compiled memoir")
        return
    folders = [libraries] if package.is_relative_to(libraries) else [libraries, package]
    fix = shlex.join([sys.executable, "-m", "compileall", "-q", *map(str, folders)])
    if not all(os.access(folder, os.W_OK) for folder in folders):
        fix = f"with write permission there, run: {fix}"
    yield Check("bytecode", "warning", "Python compiles memoir anew at each start, which takes most of its time", fix)


def _hosts() -> Iterator[Check]:
    from memoir.hosts.setup.found import find_scopes
    from memoir.hosts.setup.recipes import RECIPES

    there = [(host, scope) for host in RECIPES for scope in find_scopes(host)]
    for host, scope in there:
        yield from _host(host, scope)
    if not there:
        yield Check("hosts", "ok", "none is set up", "memoir setup --list")


def _host(host: str, scope: "Scope") -> Iterator[Check]:
    """Check a host that is set up: its files, the programs they run, its hooks, and steps left to the user."""
    from memoir.hosts.setup import setup
    from memoir.hosts.setup.found import TRUST, find
    from memoir.hosts.setup.recipes import options_of, setup_command

    name, found = f"host {host}", find(host, scope)
    again = setup_command(host, scope, options_of(host, found))
    done = setup.check(host, setup.current_wish(scope, mcp=found.mcp))
    programs = {path for change in done.changes for path in _programs(change.before or b"")}
    troubles = [f"{path} is gone" for path in sorted(programs) if not os.access(path, os.X_OK)]
    troubles += [note for note in done.notes if "plugin" not in note and note != TRUST]
    yield from (Check(name, "failed", each, again) for each in troubles)
    if troubles:
        return
    if TRUST in done.notes:
        yield Check(name, "warning", "set up, but Codex skips the hooks until you trust them", "open /hooks in Codex")
    elif found.start and setup.renew(host, setup.current_wish(scope), dry_run=True):
        yield Check(name, "warning", "its hooks do not match the present settings of capture and sync", again)
    else:
        yield Check(name, "ok", f"set up ({scope})")


def _programs(text: bytes) -> set[str]:
    """The paths of memoir in a host's configuration: quoted texts that end in its name."""
    quoted = (os.fsdecode(each.rstrip(b"\\")) for each in re.split(rb"['\"]", text) if each.startswith(b"/"))
    return {path for path in quoted if path.endswith("/memoir")}


def _hooks() -> Iterator[Check]:
    if not HOOKS.read({}):
        yield Check("hooks", "warning", f"{HOOKS.key} switches them off", f"unset {HOOKS.key}")
    recent = [entry for entry in log.read() if entry.time > time.time() - _RECENT]
    over = {store for store in {entry.synced for entry in recent} if store and not _is_in_trouble(store)}
    recent = [entry for entry in recent if entry.synced not in over]
    counts: dict[tuple[str, str, str], int] = {}
    for entry in recent:
        key = (entry.host, entry.event, entry.problem)
        counts[key] = counts.pop(key, 0) + 1
    for (host, event, problem), count in list(counts.items())[-_MOST:]:
        fix = next((command for words, command in _FIXES.items() if words in problem), None)
        yield Check("hooks", "warning", f"{host} {event}, {count} in the last week: {problem}", fix)
    if not recent:
        yield Check("hooks", "ok", "no trouble in the last week")


def _is_in_trouble(store: str) -> bool:
    """Whether a store still has trouble with automatic syncs; False if the store is gone."""
    try:
        with Repository.open(store, origin=AGENT) as repository:
            return repository.remotes.sync_trouble() is not None
    except NoStore:
        return False
    except MemoirError:
        return True
