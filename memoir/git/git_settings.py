"""The settings that git sees for a store: the store's own, the user's and the machine's, and those that are ignored."""

import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from memoir.errors import GitError
from memoir.git.git import Git
from memoir.git.messages import failure

if TYPE_CHECKING:
    from memoir.setting_rules import Entry


class GitSettings:
    """Reads the settings of the store, the user and the machine once; the reading process can be started in advance."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def start(self) -> None:
        """Start reading the settings in the background."""
        if self._process is None and "_all" not in self.__dict__:
            self._process = self._begin()

    def stop(self) -> None:
        """End the process, if one was started and not used."""
        process, self._process = self._process, None
        if process:
            self._git.reap(process)

    def with_own(self, own: Mapping[str, Sequence[str]]) -> "GitSettings":
        """These settings with other ones for the store's own; the user's and the machine's are not read again."""
        from memoir.setting_rules import STORE_SCOPES

        self.stop()
        settings = GitSettings(self._git)
        if rows := self.__dict__.get("_all"):
            above = [row for row in rows if row[0] == "command"]
            below = [row for row in rows if row[0] not in STORE_SCOPES and row not in above]
            settings._all = below + [("local", key, value) for key, values in own.items() for value in values] + above
        return settings

    @cached_property
    def active(self) -> dict[str, list[str]]:
        """All active settings, including the user's; keys in lower case, the strongest value last.

        Values of a store that only the user may set are left out; see `ignored`.
        """
        from memoir.setting_rules import by_key  # loaded while git reads

        return by_key(self._sorted[0])

    @cached_property
    def ignored(self) -> list[tuple[str, str]]:
        """The keys and values in the store's own configuration that are ignored."""
        return [(key, value) for _, key, value in self._sorted[1]]

    @cached_property
    def _sorted(self) -> "tuple[list[Entry], list[Entry]]":
        """The active settings, strongest last, and the ignored ones."""
        from memoir.setting_rules import sort_out

        return sort_out(self._all)

    @cached_property
    def of_user(self) -> list[tuple[str, str]]:
        """The keys and values in the user's and the machine's own configuration, the strongest last."""
        return [(key, value) for scope, key, value in self._all if scope in ("system", "global")]

    @cached_property
    def _all(self) -> "list[Entry]":
        """All settings, the strongest last, with their keys in lower case.

        Raises:
            GitError: git could not read them. The store is not damaged: its own settings were checked.
        """
        with self._lock:
            process, self._process = self._process, None
        process = process or self._begin()
        assert process.stdout and process.stderr
        output, words = process.stdout.read(), process.stderr.read()
        self._git.reap(process)
        if process.returncode:
            raise GitError(failure("config", words).message, "try again; if it names a configuration file, fix that")
        fields = output.decode("utf-8", "replace").split("\0")
        pairs = zip(fields[::2], fields[1::2], strict=False)
        return [(scope, key, value) for scope, item in pairs for key, _, value in [item.partition("\n")]]

    def _begin(self) -> "subprocess.Popen[bytes]":
        return self._git.start("config", "--list", "--show-scope", "-z", stdin=subprocess.DEVNULL)
