"""Reads settings with their origins, and changes them in the git config of the store or the user."""

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memoir.errors import DamagedStore, GitError, InvalidInput, NotFound, UnsafeStore
from memoir.git.fsync import settle, sync
from memoir.git.git import plain
from memoir.git.lock import renaming, rewriting, take_lock
from memoir.git.messages import DISK_HINT, failure, require_writable
from memoir.setting import Setting
from memoir.setting_rules import check, is_ignored, is_weak
from memoir.settings import SECTIONS, TABLE, find, require
from memoir.store import guard, safeguards
from memoir.store.allowed_settings import allows
from memoir.store.locate import user_files
from memoir.store.store import Part, Store

if TYPE_CHECKING:
    from subprocess import CompletedProcess

_NOT_SET = 5
"""The exit status of `git config` when a key to remove is not set."""
_KEY = re.compile(r"[A-Za-z][\w-]*(\..+)?\.[A-Za-z][\w-]*")


class SettingValue(NamedTuple):
    """A value of a setting, and its origin."""

    key: str
    """The setting's key, as people write it."""
    value: str | None
    """The value as written; None if it is not set and there is no default."""
    origin: str
    """The origin in git's form (`file:/home/x/.gitconfig`), else `environment:NAME` or `default`."""
    ignored: bool = False
    """Whether memoir ignores it: the store's own configuration sets it, although only the user may."""


class Configuration(Part):
    """The settings of a store. Keys are as in git's config, such as `memoir.recall.mode`.

    An environment variable takes precedence over the store's config, that over the user's, and that over the default.
    """

    @staticmethod
    def normal(key: str) -> str:
        """Return a key in git's form: section and name in lower case.

        Raises:
            InvalidInput: it is not a key.
        """
        return normal(key)

    def list(self) -> list[SettingValue]:
        """Return the values of all settings with their origins; the last value of a setting is the active one."""
        configuration = _read_configuration(self._store)
        entries = [entry for setting in TABLE for entry in _entries(setting, configuration)]
        return entries + [entry for key, entry in configuration if find(key) is None]

    def get(self, key: str) -> SettingValue:
        """Return the active value of a setting.

        Raises:
            NotFound: the setting has no value and no default. InvalidInput: there is no such setting.
        """
        store, git_key = self._store, normal(key)
        setting = require(git_key)
        configuration = [(name, entry) for name, entry in _read_configuration(store) if name == git_key]
        entries = _entries(setting, configuration)
        if entries and entries[-1].value is not None and not entries[-1].ignored:
            return entries[-1]
        if values := [entry.value for entry in entries if entry.ignored]:
            raise NotFound(
                f"'{key}' is set in this store's own config, but only you may set it, so that is ignored",
                f"to set it yourself: memoir config --global {key} {shlex.quote(values[-1] or '')}",
            )
        raise NotFound(f"'{key}' is not set", setting.help)

    def set(self, key: str, value: str, *, user: bool = False) -> str:
        """Set a value in the store's config, or with `user` in the user's, and return the key in git's form.

        Raises:
            InvalidInput: there is no such setting, it cannot have this value, or only the user may decide it.
            ReadOnlyStore: the store's config cannot be written.
        """
        store, name = self._store, normal(key)
        check(store.config, name, value)
        put(store, key, value, user=user)
        return name

    def unset(self, key: str, *, user: bool = False) -> str:
        """Remove a value from the store's config, or with `user` from the user's; return the key in git's form.

        Raises:
            NotFound: the key has no value there. InvalidInput: memoir has no such key.
            ReadOnlyStore: the store's config cannot be written.
        """
        unset(self._store, key, user=user)
        return normal(key)


def _read_configuration(store: Store) -> list[tuple[str, SettingValue]]:
    """The values in memoir's sections of git's configuration, weakest first, with their keys in git's form."""
    output = store.git.run("config", "--list", "--show-scope", "--show-origin", "-z").decode("utf-8", "replace")
    fields = output.split("\0")
    rows = [*zip(fields[::3], fields[1::3], fields[2::3], strict=False)]
    rows.sort(key=lambda row: not is_weak(row[0], row[2].partition("\n")[0]))
    return [(key, entry) for key, entry in (_entry(*row) for row in rows) if key.startswith(SECTIONS)]


def _entry(scope: str, origin: str, text: str) -> tuple[str, SettingValue]:
    key, _, value = text.partition("\n")
    setting = find(key)
    name = setting.key if setting and not setting.is_family else key
    return key, SettingValue(name, value, origin, is_ignored(scope, key, value))


def _entries(setting: Setting[Any], configuration: Sequence[tuple[str, SettingValue]]) -> list[SettingValue]:
    """The values of one setting, the active one last."""
    own = [entry for key, entry in configuration if setting.has(key)]
    entries = sorted(own, key=lambda entry: not entry.ignored)
    if variable := setting.in_environment():
        entries.append(SettingValue(setting.key, variable[1], f"environment:{variable[0]}"))
    elif not setting.is_family and not (entries and entries[-1].value and not entries[-1].ignored):
        entries.append(SettingValue(setting.key, setting.default_text or None, "default"))
    return entries


def put(store: Store, key: str, value: str, *, user: bool = False) -> None:
    """Set a key in the store's config, or in the user's.

    Raises:
        InvalidInput: the key is malformed, memoir would refuse to open the store, or only the user may set it.
    """
    _check_key(key)
    if setting := find(normal(key)):
        _check_place(store, setting, key, value, user=user)
    _change(store, user, "--replace-all", key, value)


def _check_place(store: Store, setting: Setting[Any], key: str, value: str, *, user: bool) -> None:
    """Refuse settings that only a store may have, or only the user, and changes without effect."""
    if user:
        if setting.only_store:
            raise InvalidInput(f"'{key}' must be set for each store", f"memoir config {key} {shlex.quote(value)}")
        return
    if setting.is_users(value):
        reason = ": in this store it would apply to everybody who uses the store"
        if setting.in_store:
            reason = f" to {value}; in a store it must be {setting.in_store.form}"
        raise InvalidInput(f"only you may set '{key}'{reason}", f"memoir config --global {key} {shlex.quote(value)}")
    name = normal(key)
    own = dict(store.git_settings.of_user).get(name)
    if setting.user_first and own and own != value:  # the user's own value comes first
        raise InvalidInput(
            f"your own {name}, {own!r}, comes before that of a store, so this would change nothing",
            f"memoir config --global {key} {shlex.quote(value)}, or MEMOIR_AUTHOR='Name <email>' for some commands",
        )


def unset(store: Store, key: str, *, user: bool = False) -> None:
    """Remove a key."""
    _check_key(key)
    _change(store, user, "--unset-all", key)


def _change(store: Store, user: bool, *change: str) -> None:
    if user:
        _change_users_file(store, change)
        files = [Path(file) for file in user_files()]
        sync(*files, *(file.parent for file in files))
        store.reload()
    else:
        edit(store, change)


def _change_users_file(store: Store, change: Sequence[str]) -> None:
    """Change the user's config under git's lock, and flush it, because git does not flush its draft."""
    files = [Path(os.path.realpath(file)) for file in user_files()]
    file = next((each for each in files if each.exists()), files[0])
    try:
        draft = take_lock(file)
    except OSError:
        draft = None
    if draft is None:  # let git report the problem
        _check_done(store.git.try_run("config", "--global", *change), change)
        return
    with renaming(draft, file):
        if file.exists():
            _copy(file, draft)
        _check_done(plain("config", "--file", str(draft), *change), change)


def _copy(config: Path, draft: Path) -> None:
    draft.write_bytes(config.read_bytes())
    shutil.copymode(config, draft)


def edit(store: Store, *changes: Sequence[str]) -> None:
    """Make changes to the store's config, each as arguments of `git config`: all or none.

    Raises:
        InvalidInput: git refuses a change, or memoir refuses the result. NotFound: a key to remove is not set.
        ReadOnlyStore: the config cannot be written. StoreBusy: another program is changing it.
    """
    require_writable(store.git_dir)
    config = store.git_dir / "config"
    with rewriting(config) as draft:
        _copy(config, draft)
        for change in changes:
            before = draft.read_bytes()
            _check_done(plain("config", "--file", str(draft), *change), change)
            if change[0].startswith(("--unset", "--remove")) and draft.read_bytes() == before:
                raise GitError(f"git config has not written {draft}", DISK_HINT)  # git itself reports no error
        try:
            guard.check_config(store.git_dir, draft.read_bytes())
        except (DamagedStore, UnsafeStore) as error:
            raise InvalidInput(f"not a name or value that memoir can keep: {error.message}") from error
    with suppress(OSError):  # the change is done; the next one makes the copy
        safeguards.renew(store.git_dir)
    store.reload_own()
    settle(store.git_dir)


def _check_done(done: "CompletedProcess[bytes]", change: Sequence[str]) -> None:
    if done.returncode == _NOT_SET and change[0] == "--unset-all":
        raise NotFound(f"'{change[1]}' is not set there")
    if done.returncode:
        error = failure("config", done.stderr)
        raise error if error.hint else InvalidInput(error.message)  # an error with a hint is not about the value


def _check_key(key: str) -> None:
    name = normal(key)
    if not name.startswith(SECTIONS) or not (allows(name) or find(name)):
        message = f"memoir sets only memoir.*, user.name, user.email and user.signingKey, not '{key}'"
        raise InvalidInput(message, "use git config for git's own")


def normal(key: str) -> str:
    """Git's form of a key: section and name in lower case, the subsection as it is.

    The name of a setting that only the environment sets is unchanged.

    Raises:
        InvalidInput: it is not a key of git's configuration.
    """
    if (setting := find(key)) and setting.only_environment:
        return key
    if not _KEY.fullmatch(key) or not key.isprintable():
        raise InvalidInput(
            f"not a config key: {key!r}", "'memoir config KEY' shows a setting, 'memoir config KEY VALUE' sets it"
        )
    section, _, rest = key.partition(".")
    middle, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{middle}{dot}{name.lower()}"
