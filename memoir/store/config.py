"""Settings, through git's own config: the store's level and the user's (`--global`)."""

import re
import shlex
import tempfile
from pathlib import Path
from typing import NamedTuple

from memoir.errors import DamagedStore, InvalidInput, NotFound, UnsafeStore
from memoir.settings import is_ignored, only_the_user_decides
from memoir.store import guard
from memoir.store.git import failure, plain, require_writable
from memoir.store.lock import try_past_stale_locks
from memoir.store.store import Store

_KEY = re.compile(r"[A-Za-z][\w-]*(\..+)?\.[A-Za-z][\w-]*")


class Setting(NamedTuple):
    """A setting and where it comes from, in git's words (`file:/home/x/.gitconfig`, `command line:`).

    It is ignored if the store's own configuration sets what only the user may decide.
    """

    key: str
    value: str
    origin: str
    ignored: bool = False


def listed(store: Store) -> list[Setting]:
    """Every `memoir.*` and `user.*` setting, weakest first, as git reads them; also those that are ignored."""
    output = store.git.run("config", "--list", "--show-scope", "--show-origin", "-z").decode("utf-8", "replace")
    fields = output.split("\0")
    found = [_setting(*each) for each in zip(fields[::3], fields[1::3], fields[2::3], strict=False)]
    return [setting for setting in found if setting.key.startswith(("memoir.", "user."))]


def _setting(scope: str, origin: str, entry: str) -> Setting:
    key, _, value = entry.partition("\n")
    return Setting(key, value, origin, is_ignored(scope, key, value))


def get(store: Store, key: str) -> Setting:
    """The setting in force for a key.

    Raises:
        NotFound: it is not set. InvalidInput: it is no key.
    """
    wanted = normal(key)
    found = [setting for setting in listed(store) if setting.key == wanted]
    in_force = [setting for setting in found if not setting.ignored]
    if found and not in_force:
        raise NotFound(
            f"'{key}' is not set by you, and what this store's own config says of it is ignored",
            f"if you want it: memoir config --global {key} {shlex.quote(found[-1].value)}",
        )
    if not found:
        raise NotFound(f"'{key}' is not set", "'memoir config --list' shows what is")
    return in_force[-1]


def put(store: Store, key: str, value: str, *, user: bool = False) -> None:
    """Set a key in the store's config, or in the user's.

    Raises:
        InvalidInput: it is no key, one that memoir would not open the store with, or what only the user may decide.
    """
    _check(key)
    if not user and only_the_user_decides(normal(key), value):
        raise InvalidInput(
            f"'{key}' is for you to decide, not for a store: it would count for everybody who gets the store",
            f"memoir config --global {key} {shlex.quote(value)}",
        )
    _change(store, user, "--replace-all", key, value)


def unset(store: Store, key: str, *, user: bool = False) -> None:
    """Remove a key.

    Raises:
        NotFound: it is not set at that level.
    """
    _check(key)
    if not user:
        require_writable(store.git_dir)
    done = try_past_stale_locks(
        store.git_dir, lambda: store.git.try_run("config", *_level(user), "--unset-all", key), unless=(0, 5)
    )
    if done.returncode == 5:
        raise NotFound(f"'{key}' is not set {'for the user' if user else 'in this store'}")
    if done.returncode:
        raise failure("config", done.stderr)
    store.reload()


def _change(store: Store, user: bool, *args: str) -> None:
    if not user:
        try_out(store, *args)
    done = try_past_stale_locks(store.git_dir, lambda: store.git.try_run("config", *_level(user), *args))
    if done.returncode:
        raise failure("config", done.stderr)
    store.reload()


def try_out(store: Store, *args: str) -> None:
    """Make a change to a copy of the store's config first: nobody may see one that memoir would not open.

    Raises:
        InvalidInput: git refuses the change, or memoir the result. ReadOnlyStore: it cannot be written.
    """
    require_writable(store.git_dir)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "config")
        copy.write_bytes((store.git_dir / "config").read_bytes())
        done = plain("config", "--file", str(copy), *args)
        if done.returncode:
            raise InvalidInput(failure("config", done.stderr).message)
        try:
            guard.check_config(store.git_dir, copy.read_bytes())
        except (DamagedStore, UnsafeStore) as error:
            raise InvalidInput(f"not a name or value that memoir can keep: {error.message}") from None


def _level(user: bool) -> list[str]:
    return ["--global"] if user else ["--local"]


def _check(key: str) -> None:
    name = normal(key)
    if not name.startswith(("memoir.", "user.")) or not guard.allows(name):
        raise InvalidInput(
            f"memoir sets only memoir.*, user.name and user.email, not '{key}'", "use git config for git's own"
        )


def normal(key: str) -> str:
    """Git's form of a key: section and name in lower case, the subsection as it is."""
    if not _KEY.fullmatch(key) or not key.isprintable():
        raise InvalidInput(f"not a config key: {key!r}", "write it as memoir.section.name")
    section, _, rest = key.partition(".")
    middle, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{middle}{dot}{name.lower()}"
