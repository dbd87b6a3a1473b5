"""The machine without a store: the weights of minilm, and the versions of the installed programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import os
    from collections.abc import Callable


class Installation(NamedTuple):
    """The weights of an embedder on this machine.

    Attributes:
        name: The name of the embedder.
        folder: The folder that holds the weights.
        size: Their size in bytes.
    """

    name: str
    folder: Path
    size: int


class Versions(NamedTuple):
    """The versions of what is installed.

    Attributes:
        memoir: memoir's.
        python: Python's.
        git: git's.
        format: The name of the store format.
    """

    memoir: str
    python: str
    git: str
    format: str


def install_minilm(
    file: str | os.PathLike[str] | None, url: str | None, progress: Callable[[int, int], None]
) -> Installation:
    """Put the weights of minilm on this machine: from a file or folder, else from below a URL.

    Raises:
        InvalidInput: what is there is something else. EmbedderUnavailable: the URL cannot be reached.
    """
    from memoir.index.embedders import install
    from memoir.index.embedders.minilm import MiniLm

    size = install.total()

    def tell(done: int) -> None:
        progress(done, size)

    folder = install.take(Path(file), tell) if file else install.fetch(tell, url or install.SOURCE)
    return Installation(MiniLm.name, folder, size)


def versions() -> Versions:
    """Return the versions of what is installed.

    Raises:
        GitError: git is not installed.
    """
    import platform

    from memoir.git import git_version
    from memoir.tree.node import FORMAT_MARKER
    from memoir.version import __version__

    return Versions(__version__, platform.python_version(), git_version.version(), FORMAT_MARKER.decode())
