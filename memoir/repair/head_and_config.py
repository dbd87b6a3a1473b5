"""Rewriting HEAD and the config, without which a store cannot be opened."""

import re
from collections.abc import Iterator
from pathlib import Path

from memoir.git import reflog
from memoir.git.fsync import replace
from memoir.git.ref_names import BRANCHES, REMOTES
from memoir.repair.ref_logs import names
from memoir.store import guard, safeguards
from memoir.store.create import SETTINGS
from memoir.store.locate import find_lost_files


def restore_files(git_dir: Path) -> list[str]:
    """Write HEAD and config if they are lost; return, in words, what was done."""
    files = find_lost_files(git_dir)
    if files:
        guard.check_files(git_dir)  # logs and refs are read before the store is opened
    done = []
    if "config" in files:
        done.append(_restore_config(git_dir))
    if "HEAD" in files:
        branch = _branch(git_dir)
        replace(git_dir / "HEAD", f"ref: {BRANCHES}{branch}\n".encode())
        done.append(f"rewrote the store's HEAD: branch {branch!r} is checked out")
    return done


def _restore_config(git_dir: Path) -> str:
    if spare := safeguards.spare_config(git_dir):
        replace(git_dir / "config", spare)
        return "brought the store's config back from its copy, with remotes and settings"
    replace(git_dir / "config", _config(git_dir).encode())
    remotes = sorted({name.split("/")[2] for name in names(git_dir) if name.startswith(REMOTES)})
    again = "".join(f"; add again: 'memoir remote add {name} URL'" for name in remotes)
    return f"rewrote the store's config with the settings of a new store{again}"


def _branch(git_dir: Path) -> str:
    """The branch that was checked out last, as far as the log of HEAD tells; else `main`, else any."""
    there = [name.removeprefix(BRANCHES) for name in names(git_dir) if name.startswith(BRANCHES)]
    return next((name for name in [*_checkouts(git_dir), "main", *there] if name in there), "main")


def _checkouts(git_dir: Path) -> Iterator[str]:
    for line in reversed(reflog.lines(git_dir, "HEAD")):
        move = reflog.parse(line)
        if move and move.reason.startswith("checkout: moving "):
            yield move.reason.rpartition(" to ")[2]


def _config(git_dir: Path) -> str:
    sha256 = any(re.fullmatch(r"pack-[0-9a-f]{64}\.pack", path.name) for path in git_dir.glob("objects/pack/*.pack"))
    version = "\trepositoryformatversion = 1\n" if sha256 else "\trepositoryformatversion = 0\n"
    extension = "[extensions]\n\tobjectformat = sha256\n" if sha256 else ""
    return f"[core]\n{version}\tfilemode = true\n\tbare = true\n{extension}[core]\n{SETTINGS}"
