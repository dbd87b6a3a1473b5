"""Which git there is, and whether memoir can work with it."""

import os
import subprocess

from memoir import user_cache
from memoir.errors import GitError
from memoir.git.git import MINIMUM_VERSION, SAFE_FOLDER, environment, no_git

_LONGEST = 100
_CACHE = "git-version"


def check_version() -> None:
    """Refuse a git that is missing or older than memoir's minimum.

    The answer is remembered in the user's cache beside the identity of the git binary, so that a
    command pays one `stat` for this check instead of one process.

    Raises:
        GitError: naming the version found.
    """
    binary = _find_git()
    if binary is None:
        raise no_git()
    about = os.stat(binary)
    stamp = os.fsencode(f"{binary}\n{about.st_ino} {about.st_size} {about.st_mtime_ns} {about.st_ctime_ns}\n")
    if user_cache.read(_CACHE) != stamp:
        _require(version())
        user_cache.write(_CACHE, stamp)


def _find_git() -> str | None:
    """Find the git that a process would run; the module `shutil` can, but to load it takes longer."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    binaries = (os.path.join(folder, "git") for folder in folders)
    return next((binary for binary in binaries if os.path.isfile(binary) and os.access(binary, os.X_OK)), None)


def version() -> str:
    """The version of the git that is found, such as `2.39.5`; of one that says something else, how that begins.

    Raises:
        GitError: git is not installed.
    """
    try:
        process = subprocess.Popen(
            ["git", "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=SAFE_FOLDER,
            env=environment(),
        )
    except FileNotFoundError as error:
        raise no_git() from error
    assert process.stdout
    with process:
        words = process.stdout.read(4 * _LONGEST)
        process.kill()
    first = words.decode("utf-8", "replace").removeprefix("git version ").strip().partition("\n")[0]
    return "".join(char for char in first[:_LONGEST] if char.isprintable())


def _require(version: str) -> None:
    numbers = tuple(int(part) for part in version.split(" ")[0].split(".")[:2] if part.isdecimal())
    if numbers < MINIMUM_VERSION:
        minimum = ".".join(map(str, MINIMUM_VERSION))
        raise GitError(f"git {version or 'of an unknown version'} is too old", f"memoir needs git {minimum} or newer")
