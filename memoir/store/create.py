"""Creating a store: a bare git repository, and its protection from the project around it."""

import errno
import os
import re
import shutil
from pathlib import Path

from memoir.errors import Conflict, MemoirError, ReadOnlyStore
from memoir.store.git import failure, plain
from memoir.store.git_version import check_version
from memoir.store.locate import DIRECTORY, insist_whole
from memoir.store.store import Store

# What every store sets for itself. Reflogs never expire: they are undo's memory. What is fetched or pushed
# stays a pack. git's own automatic gc is off because memoir repacks by itself, without ever pruning.
SETTINGS = """\
	fsync = committed
	logAllRefUpdates = always
[transfer]
	unpackLimit = 1
[gc]
	auto = 0
	reflogExpire = never
	reflogExpireUnreachable = never
"""


_CANNOT_WRITE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST)


def create(folder: str | os.PathLike[str], object_format: str = "sha1") -> Store:
    """Create a store in a folder (made if need be) and open it.

    Raises:
        Conflict: the folder holds something named `.memoir` already.
        DamagedStore: and that is what a power cut left of a store.
        ReadOnlyStore: the folder cannot be written to.
        GitError: git is missing, too old, or failed.
    """
    check_version()
    git_dir = Path(os.path.abspath(folder), DIRECTORY)
    if git_dir.exists():
        insist_whole(git_dir)
        raise Conflict(f"{git_dir} exists already", "use it as it is, or choose another folder")
    try:
        git_dir.parent.mkdir(parents=True, exist_ok=True)
        _build(git_dir, object_format)
    except OSError as error:
        if error.errno not in _CANNOT_WRITE:
            raise
        raise ReadOnlyStore(f"cannot create a store in {git_dir.parent}: {error.strerror}") from None
    protect(git_dir)
    return Store(git_dir)


def _build(git_dir: Path, object_format: str) -> None:
    """Build the repository beside its place and rename it in, so that no half-made store is ever seen."""
    draft = git_dir.with_name(f"{DIRECTORY}-{os.getpid()}")
    try:
        _git("init", "--quiet", "--bare", "--template=", "-b", "main", f"--object-format={object_format}", str(draft))
        with open(draft / "config", "a", encoding="utf-8") as config:
            config.write(f"[core]\n{SETTINGS}")
        # Makes the store a repository of its own in the eyes of the project around it, which
        # 'git clean -fdx' and 'git stash -a' leave alone.
        (draft / ".git").write_text("gitdir: .\n")
        os.rename(draft, git_dir)
    except OSError:
        if not (git_dir / "HEAD").exists():  # else another process was faster, and its store is as good
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def protect(git_dir: Path) -> None:
    """List the store in the enclosing project's `info/exclude`, if there is a project.

    Raises:
        MemoirError: there is one, and that file cannot be written.
    """
    folder = git_dir.parent.resolve()
    done = plain("-C", str(folder), "rev-parse", "--show-toplevel", "--git-path", "info/exclude")
    if done.returncode:
        return
    top, exclude = (Path(os.fsdecode(line)) for line in done.stdout.rstrip(b"\n").split(b"\n"))
    inside = (folder / DIRECTORY).relative_to(top.resolve()).as_posix()
    line = os.fsencode("/" + re.sub(_GLOB, r"[\g<0>]", inside) + "/")
    path = folder / exclude
    try:
        present = path.read_bytes() if path.exists() else b""
        if line not in present.split(b"\n"):
            path.parent.mkdir(exist_ok=True)
            with path.open("ab") as file:
                file.write((b"\n" if present and not present.endswith(b"\n") else b"") + line + b"\n")
    except OSError as error:
        raise MemoirError(f"the store was created, but {path} could not be written: {error.strerror}") from None


_GLOB = r"[*?\[]"
"""What stands for other characters in an exclude pattern; in brackets each stands for itself."""


def _git(*args: str) -> None:
    done = plain(*args)
    if done.returncode:
        raise failure(args[0], done.stderr)
