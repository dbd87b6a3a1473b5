"""The two systems that are measured, memoir and memoir-ai, seen as commands.

Their command lines agree on `new`, `remember -p`, `get`, `summarize`, `blame` and `diff`. Only filling
a store and collecting its garbage differ.
"""

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.clock import Command, measure
from benchmarks.disk import bytes_on_disk
from benchmarks.workload import Memory, save

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class System:
    """An installed `memoir` command, and a folder to keep its stores in."""

    command: Path
    home: Path
    name: ClassVar[str] = "memoir"
    collect: ClassVar[Sequence[str]] = ("gc",)

    @property
    def python(self) -> Path:
        """The interpreter of the environment the command is installed in."""
        return self.command.with_name("python")

    def fill_command(self, store: "Store", file: Path, *, together: bool) -> Command:
        """The command that stores JSON lines in one commit, or in one each."""
        if together:
            return store.command("import", str(file))
        return self.script("fill_memoir.py", store, file)

    def script(self, name: str, store: "Store", file: Path, *args: str) -> Command:
        """A script of this folder, run by the system's own interpreter."""
        argv = [str(self.python), "-I", str(_HERE / name), str(store.folder), str(file), *args]
        return Command(argv, store.env)

    def store(self, name: str, base: Sequence[Memory] = (), then: Sequence[Memory] = ()) -> "Store":
        """A new store with some memories from one commit, and further ones from one commit each."""
        store = Store(self, self.home / name)
        measure(store.command("new", str(store.folder)))
        store.fill(base, together=True)
        store.fill(then, together=False)
        return store


@dataclass(frozen=True)
class Peer(System):
    """memoir-ai, whose library has no import: its `remember` is called for every line."""

    name: ClassVar[str] = "memoir-ai"
    collect: ClassVar[Sequence[str]] = ("gc", "--apply")

    def fill_command(self, store: "Store", file: Path, *, together: bool) -> Command:
        """The command that stores JSON lines in one commit, or in one each."""
        return self.script("fill_peer.py", store, file, "together" if together else "each")


@dataclass(frozen=True)
class Store:
    """A store of one of the systems."""

    system: System
    folder: Path

    @property
    def env(self) -> dict[str, str]:
        """A sealed environment: no settings of the user's, the store by name."""
        base = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}
        return {**base, "HOME": str(self.system.home), "MEMOIR_STORE": str(self.folder)}

    def command(self, *args: str) -> Command:
        """A command on this store that answers in JSON."""
        return Command([str(self.system.command), "--json", *args], self.env)

    def always(self, *args: str) -> Callable[[int], Command]:
        """The same command in every round."""
        return lambda number: self.command(*args)

    def remember_commands(self, memories: Sequence[Memory]) -> Callable[[int], Command]:
        """A `remember` of another memory in every round."""
        return lambda number: self.command("remember", memories[number].content, "-p", memories[number].path)

    def fill(self, memories: Sequence[Memory], *, together: bool) -> None:
        """Store memories, in one commit or in one each."""
        if memories:
            file = save(memories, self.folder.with_suffix(".jsonl"))
            measure(self.system.fill_command(self, file, together=together))

    def collect_garbage(self) -> None:
        """The system's own garbage collection."""
        measure(self.command(*self.system.collect))

    def memories(self) -> int:
        """How many memories the system itself counts."""
        return int(self._answer("summarize", "--depth", "1")["total_memories"])

    def commits(self) -> int:
        """How many commits git counts; none before the first."""
        git_dir = next(path for path in (self.folder / ".memoir", self.folder / ".git") if path.exists())
        argv = ["git", f"--git-dir={git_dir}", "rev-list", "--count", "--all"]
        return int(subprocess.run(argv, env=self.env, capture_output=True, check=True).stdout)

    def size(self) -> int:
        """The bytes the store takes on disk."""
        return bytes_on_disk(self.folder)

    def _answer(self, *args: str) -> dict[str, Any]:
        argv, env = self.command(*args)
        answer: dict[str, Any] = json.loads(subprocess.run(argv, env=env, capture_output=True, check=True).stdout)
        return answer
