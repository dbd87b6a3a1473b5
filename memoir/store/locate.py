"""Finds the store that a folder belongs to, and the user's own store, which reads use in addition.

`memoir.store.global` names the user's own store; the default is `~/.memoir`.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

from memoir.errors import DamagedStore, NoStore
from memoir.git.git import plain
from memoir.store import guard

DIRECTORY = ".memoir"
"""The name of a store's git directory inside the folder that holds it."""

STAGED = "memoir-purge"
"""The folder in a store with new refs and logs that will replace all old ones; see `memoir.store.switchover`."""

_MOST_OF_A_LINE = 4096
"""The most bytes read of a file that should contain one path."""

_KEY, _VARIABLE = "memoir.store.global", "MEMOIR_STORE_GLOBAL"
_OFF = "off"


def locate(folder: str | os.PathLike[str]) -> Path:
    """The git directory of the store in a folder, or of the folder if it is a store itself.

    Raises:
        NoStore: there is none.
    """
    path = Path(os.path.abspath(folder))
    for candidate in (path, path / DIRECTORY) if path.name == DIRECTORY else (path / DIRECTORY, path):
        if is_store(candidate):
            return candidate
    import shlex

    home = path.parent if path.name == DIRECTORY else path
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoStore(
            f"no memoir store in {path}: the folder does not exist",
            f"name another folder, or create this one with a store: memoir init {shlex.quote(str(home))}",
        ) from error
    if not path.is_dir():
        raise NoStore(f"no memoir store in {path}: it is not a folder", "name the folder that holds .memoir/")
    raise NoStore(f"no memoir store in {path}", f"create one: memoir init {shlex.quote(str(home))}")


def discover(start: str | os.PathLike[str] = ".") -> Path:
    """The git directory of the nearest store in a folder or above it, as git finds its repository.

    A linked git worktree without a store of its own uses that of the main worktree, searched from the same relative
    path there, or that in its bare repository.

    The store in the user's home is skipped: it belongs to no project.

    Raises:
        NoStore: there is none up to the root of the file system, or to the user's home.
    """
    git_dir = find(start)
    if git_dir is None:
        here = Path(os.path.abspath(start))
        hint = "create one with 'memoir init'; 'memoir clone URL .' brings that of a team"
        raise NoStore(f"no memoir store in {here} or above it", _mend_worktree(here) or hint)
    return git_dir


def find(start: str | os.PathLike[str]) -> Path | None:
    """As `discover`, or None."""
    return _nearest(Path(os.path.abspath(start)))


def _nearest(here: Path, *, linked: bool = True) -> Path | None:
    """The nearest store upwards; `linked` is False after one linked worktree, so that no second one is followed."""
    for folder in (here, *here.parents):
        if is_store(folder / DIRECTORY):
            return None if is_users_own(folder / DIRECTORY) else folder / DIRECTORY
        main = _main_worktree(folder) if linked else None
        if main and (git_dir := _nearest(main / here.relative_to(folder), linked=False)):
            return git_dir
    return None


def is_users_own(git_dir: Path) -> bool:
    """Whether a store is the one in the user's home, also through links."""
    return _same(git_dir.parent, Path(os.path.expanduser("~")))


def is_store(folder: Path) -> bool:
    """Whether a folder is a store, even a damaged one, so that none is skipped for another."""
    if (folder / "objects").is_dir():
        return any((folder / name).exists() for name in ("HEAD", "refs", "config"))
    return _lacks_objects(folder)


def _lacks_objects(folder: Path) -> bool:
    return folder.name == DIRECTORY and not (folder / "objects").exists() and (folder / "HEAD").is_file()


def insist_whole(git_dir: Path) -> None:
    """Refuse a store whose objects, HEAD or config are lost: it is damaged, not absent or empty.

    Raises:
        DamagedStore: the folder of objects is missing, or one of those files is missing or empty.
    """
    if _lacks_objects(git_dir):
        import shlex

        clone = f"memoir clone URL {shlex.quote(str(git_dir.parent))}"
        raise DamagedStore(
            f"the folder 'objects' is missing in the store {git_dir}",
            f"put it back from a copy; or move the store away, and '{clone}' brings what a remote has of it",
        )
    for name in find_lost_files(git_dir):
        from memoir.git.reflog import last_known

        guard.check_files(git_dir)  # before the log is read
        move = last_known(git_dir, "HEAD")
        last = f"; its last known commit is {move.new}" if move else ""
        raise DamagedStore(
            f"the file {name!r} is missing or damaged in the store {git_dir}{last}",
            "'memoir fsck --repair' writes a new one",
        )


def find_lost_files(git_dir: Path) -> list[str]:
    """Those of HEAD and config that are missing, empty, all zeros or cut off, as after a power cut."""
    return [name for name in ("HEAD", "config") if _is_lost(git_dir, git_dir / name)]


def _is_lost(git_dir: Path, path: Path) -> bool:
    try:
        about = os.lstat(path)
        if not stat.S_ISREG(about.st_mode) or about.st_size >= _MOST_OF_A_LINE:
            return False  # left to the guard
        data = path.read_bytes().strip(b"\0\n")
        return not data or (path.name == "HEAD" and not _names_a_commit(data))
    except FileNotFoundError:
        return is_store(git_dir)
    except OSError:
        return False  # left to the guard


def _names_a_commit(head: bytes) -> bool:
    """Whether HEAD begins with a branch or an id; without a pattern, which would be slow to compile."""
    branch = head.removeprefix(b"ref: refs/heads/")
    return bool(branch.strip()) if branch != head else len(head) >= 40 and set(head[:40]) <= set(b"0123456789abcdef")


def require_whole_store(git_dir: Path) -> None:
    """Refuse a store with a shallow or grafted history, in which log, blame and merge would be wrong without notice.

    Raises:
        DamagedStore: its history is cut off or grafted.
    """
    for name in ("shallow", "info/grafts"):
        with suppress(OSError):
            if os.stat(git_dir / name).st_size:
                raise DamagedStore(
                    f"{git_dir} is a shallow clone: a part of its history is missing (see its file '{name}')",
                    "clone the whole store, or run 'git fetch --unshallow' in this one",
                )


def _main_worktree(folder: Path) -> Path | None:
    """The main worktree of a linked worktree; None for any other folder.

    For a worktree of a bare repository it is the repository itself, which stays when all worktrees are removed.

    git writes `.git` here, and `commondir` and `gitdir` where that points. All three must agree and be where git puts
    them: a `.git` file from an archive is ignored unless the repository that it names knows this folder.
    """
    git_dir = path_in(folder / ".git", "gitdir: ")
    common = git_dir and path_in(git_dir / "commondir")
    back = git_dir and path_in(git_dir / "gitdir")
    if not git_dir or not common or not back or not (common.name == ".git" or _is_bare(common)):
        return None
    agree = _same(back, folder / ".git") and _same(common / "worktrees", git_dir.parent)
    main = common.parent if common.name == ".git" else common
    return main if agree and (common / "HEAD").is_file() else None


def _is_bare(repository: Path) -> bool:
    """Whether a repository is bare according to its config."""
    config = repository / "config"
    with suppress(OSError):
        if stat.S_ISREG(os.lstat(config).st_mode):
            with config.open("rb") as file:
                return b"bare = true" in file.read(_MOST_OF_A_LINE)  # among the first that git writes
    return False


def _mend_worktree(here: Path) -> str | None:
    """A hint for a linked worktree that lost its repository because one of the two was moved; else None."""
    for folder in (here, *here.parents):
        git_dir = path_in(folder / ".git", "gitdir: ")
        if git_dir and git_dir.parent.name == "worktrees":
            import shlex

            back = path_in(git_dir / "gitdir")
            command = f"git worktree repair {shlex.quote(str(folder))}"
            is_joined = back and _same(back, folder / ".git")
            return None if is_joined else f"this git worktree or its repository was moved; in the repository: {command}"
    return None


def passing(folder: str | os.PathLike[str]) -> tuple[str, Path] | None:
    """The git command that would delete a folder with all ignored files, and a folder that stays; None without one.

    This concerns linked worktrees and submodules. A store in the folder that stays is also found from there.
    """
    here = Path(os.path.abspath(folder))
    for each in (here, *here.parents):
        if main := _main_worktree(each):
            return "git worktree remove", main / here.relative_to(each)
        top, is_module, _ = os.fspath(path_in(each / ".git", "gitdir: ") or "").partition("/.git/modules/")
        if is_module and each.resolve().is_relative_to(top):
            return "git submodule deinit", Path(top)
    return None


def only_line(file: Path) -> bytes | None:
    """The content of a small file without its line break; None if it is no plain file, large, or unreadable."""
    try:
        about = os.lstat(file)
        if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_OF_A_LINE:
            return None
        return file.read_bytes().removesuffix(b"\n")
    except OSError:
        return None


def path_in(file: Path, prefix: str = "") -> Path | None:
    """The path in a small file's only line, relative to the file's folder; None if there is no such line."""
    line = os.fsdecode(only_line(file) or b"")
    is_path = line.startswith(prefix) and line != prefix and not set("\n\r\0") & set(line)
    return Path(os.path.realpath(file.parent / line.removeprefix(prefix))) if is_path else None


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def user_store() -> Path | None:
    """The git directory of the user's own store; None if there is none or it is switched off."""
    folder = os.environ.get(_VARIABLE) or _ask_git()
    if folder == _OFF:
        return None
    if folder:
        return locate(os.path.expanduser(folder))
    home = Path(os.path.expanduser("~"), DIRECTORY)
    return home if is_store(home) else None


def require_user_store() -> Path:
    """As `user_store`.

    Raises:
        NoStore: there is none.
    """
    git_dir = user_store()
    if git_dir is None:
        raise NoStore("you have no store of your own", "'memoir init ~' creates one")
    return git_dir


def nearest() -> tuple[Path, bool]:
    """The git directory of the nearest store, else of the user's own, and whether it is the user's."""
    try:
        return discover(), False
    except NoStore:
        own = user_store()
        if own is None:
            raise
        return own, True


def _ask_git() -> str | None:
    """The folder named in the user's git configuration; git is started only if one of its files may name one."""
    if not any(map(_may_set_store, user_files())) and "GIT_CONFIG_COUNT" not in os.environ:
        return None
    answer = plain("config", "--global", "--includes", "--get", _KEY)
    return os.fsdecode(answer.stdout).removesuffix("\n") or None


def user_files() -> list[str]:
    """The files of the user's own git configuration, as git-config(1) lists them."""
    if file := os.environ.get("GIT_CONFIG_GLOBAL"):
        return [file]
    settings = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    return [os.path.expanduser(each) for each in ("~/.gitconfig", f"{settings}/git/config")]


def _may_set_store(file: str) -> bool:
    try:
        with open(file, "rb") as config:
            text = config.read().lower()
    except OSError:
        return False
    return b"[include" in text or (b"memoir" in text and b"global" in text)
