"""Checks refs and their logs (lost refs, truncated logs, missing moves), and repairs logs.

It also rewrites lost HEAD and config files, without which a store cannot be opened.
"""

import os
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from memoir.errors import DamagedStore, MemoirError
from memoir.git import reflog
from memoir.git.fsync import replace
from memoir.git.git import output_lines
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES, file_of, is_ref_name
from memoir.store import guard, safeguards
from memoir.store.create import SETTINGS
from memoir.store.locate import find_lost_files
from memoir.store.store import Store
from memoir.tree.node import NotMemoirs, OtherFormat


def problems(store: Store) -> Iterator[str]:
    """The faults of the refs and logs of a store; a branch without a log is sound."""
    for name in sorted(_all_names(store.git_dir)):
        if not is_ref_name(name):
            yield f"{name!r} is not a ref name, so neither git nor memoir uses it"
    for ref in names(store.git_dir):
        short = ref.removeprefix(BRANCHES) if ref.startswith(BRANCHES) else ref
        tip = store.refs.read(ref)
        if tip is None:
            if move := reflog.find_loss(store.git_dir, ref):
                yield f"{short!r} is lost; it was last at commit {move.new}"
        elif ref.startswith(BRANCHES):
            if is_foreign(store, tip):
                yield f"branch {short!r} is not memoir's: it holds no memories, or those of another format"
            yield from _log_problems(store.git_dir, short, tip)


def is_foreign(store: Store, commit: Oid) -> bool:
    """Whether a commit is readable but not in this memoir's format, so not damaged."""
    try:
        _ = store.tree(store.commits([commit])[0].tree).top
    except (NotMemoirs, OtherFormat):
        return True
    except MemoirError:
        pass
    return False


def _log_problems(git_dir: Path, branch: str, tip: Oid) -> Iterator[str]:
    if not is_ended(git_dir, BRANCHES + branch):
        yield f"the log of branch {branch!r} ends in the middle of a line"
    try:
        for _ in reflog.walk_back(reflog.read(git_dir, branch), tip, branch):
            pass
    except DamagedStore as error:
        yield error.message


def is_ended(git_dir: Path, ref: str) -> bool:
    """Whether a ref's log is empty or its last line is complete."""
    path = git_dir / "logs" / ref
    data = path.read_bytes() if path.is_file() else b""
    return not data or data.endswith(b"\n")


def names(git_dir: Path) -> list[str]:
    """Every ref that has a file, a line in `packed-refs` or a log, sound or not; sorted.

    Names that git does not accept are left out, because the names are used as paths.
    """
    return sorted(filter(is_ref_name, _all_names(git_dir)))


def _all_names(git_dir: Path) -> set[str]:
    all_names = {name for top in (git_dir, git_dir / "logs") for name in _ref_files(top)}
    file = git_dir / "packed-refs"
    rows = file.read_bytes().split(b"\n") if file.is_file() else []
    all_names |= {row.partition(b" ")[2].decode("utf-8", "replace") for row in rows if b" refs/" in row[:70]}
    return all_names


def _ref_files(top: Path) -> Iterator[str]:
    for parent, _, files in os.walk(top / "refs"):
        for name in files:
            if not name.endswith(".lock"):
                yield os.path.relpath(os.path.join(parent, name), top)


_LOSS = "fsck: the log had lost what happened here"
_SHOWN_LINES, _SHOWN_BYTES = 3, 80
"""The dropped lines that a report shows, and the bytes of each."""


def complete(store: Store, ref: str, tip: Oid | None, bad_commits: AbstractSet[Oid]) -> list[str]:
    """Drop unreadable lines and lines of lost commits from a log, and fill a branch's gaps from its commits.

    After that, undo knows the branch's past again. Return descriptions of the repairs; none if the log was sound. A ref
    without a log gets none.
    """
    before = reflog.lines(store.git_dir, ref)
    readable = [line for line in before if reflog.parse(line)]
    sound_lines = [line for line in readable if (move := reflog.parse(line)) and _has_commits(store, move, bad_commits)]
    after = list(_chain(store, sound_lines, tip))[::-1] if ref.startswith(BRANCHES) else sound_lines
    if after == before and is_ended(store.git_dir, ref):
        return []
    replace(file_of(store.git_dir, ref, log=True), b"".join(line + b"\n" for line in after))
    name = ref.removeprefix(BRANCHES)
    return [
        f"completed the log of {name!r}",
        *_report_drop(name, [line for line in before if line not in readable], "cannot be read"),
        *_report_drop(name, [line for line in readable if line not in sound_lines], "name a commit that is lost"),
    ]


def _report_drop(name: str, lines: Sequence[bytes], why: str) -> list[str]:
    """A report of the dropped lines: their number, and the first ones."""
    if not lines:
        return []
    samples = [line[:_SHOWN_BYTES].decode("utf-8", "replace") for line in lines[:_SHOWN_LINES]]
    first = ", ".join(map(repr, samples)) + (" ..." if len(lines) > len(samples) else "")
    return [f"dropped lines of the log of {name!r} that {why} ({len(lines):,}): {first}"]


def _has_commits(store: Store, move: reflog.BranchMove, bad_commits: AbstractSet[Oid]) -> bool:
    return all(oid not in bad_commits and store.reader.has(oid) for oid in (move.old, move.new) if oid)


def _chain(store: Store, lines: list[bytes], tip: Oid | None) -> Iterator[bytes]:
    """The lines of a log from the branch's commit back, newest first, with gaps filled."""
    at = tip
    for line in reversed(lines):
        move = reflog.parse(line)
        assert move
        if move.new != at:
            if move.old == at:  # noted, but never happened
                continue
            yield from _between(store, move.new, at)
        yield line
        at = move.old


def _between(store: Store, old: Oid, new: Oid | None) -> Iterator[bytes]:
    """Lines for the moves from one commit to another, newest first: one a commit, if there is a path."""
    if new is None:  # the branch was created again; the next line leads to its earlier commits
        return
    rows = store.git.try_run("log", "--first-parent", "--format=%H%x00%P%x00%ct%x00%s", f"{old}..{new}", "--")
    commits = [row.split("\0") for row in output_lines(rows.stdout)]
    if rows.returncode or not commits or commits[-1][1].split(" ")[0] != str(old):
        yield reflog.format_line(old, new, store.git.identity, 0, _LOSS)
        return
    for oid, parents, time, subject in commits:
        parent = Oid.fromhex(parents.split(" ")[0])
        yield reflog.format_line(parent, Oid.fromhex(oid), store.git.identity, time, subject)


def restore_files(git_dir: Path) -> list[str]:
    """Rewrite HEAD and config if they are lost; return descriptions of the repairs."""
    files = find_lost_files(git_dir)
    if files:
        guard.check_files(git_dir)  # before logs and refs are read
    done = []
    if "config" in files:
        done.append(_restore_config(git_dir))
    if "HEAD" in files:
        branch = _last_branch(git_dir)
        replace(git_dir / "HEAD", f"ref: {BRANCHES}{branch}\n".encode())
        done.append(f"rewrote the store's HEAD: branch {branch!r} is checked out")
    return done


def _restore_config(git_dir: Path) -> str:
    if spare := safeguards.spare_config(git_dir):
        replace(git_dir / "config", spare)
        return "brought the store's config back from its copy, with remotes and settings"
    replace(git_dir / "config", _default_config(git_dir).encode())
    remotes = sorted({name.split("/")[2] for name in names(git_dir) if name.startswith(REMOTES)})
    again = "".join(f"; add again: 'memoir remote add {name} URL'" for name in remotes)
    return f"rewrote the store's config with the settings of a new store{again}"


def _last_branch(git_dir: Path) -> str:
    """The branch checked out last according to the log of HEAD; else `main`, else any."""
    there = [name.removeprefix(BRANCHES) for name in names(git_dir) if name.startswith(BRANCHES)]
    return next((name for name in [*_checkouts(git_dir), "main", *there] if name in there), "main")


def _checkouts(git_dir: Path) -> Iterator[str]:
    for line in reversed(reflog.lines(git_dir, "HEAD")):
        move = reflog.parse(line)
        if move and move.reason.startswith("checkout: moving "):
            yield move.reason.rpartition(" to ")[2]


def _default_config(git_dir: Path) -> str:
    sha256 = any(re.fullmatch(r"pack-[0-9a-f]{64}\.pack", path.name) for path in git_dir.glob("objects/pack/*.pack"))
    version = "\trepositoryformatversion = 1\n" if sha256 else "\trepositoryformatversion = 0\n"
    extension = "[extensions]\n\tobjectformat = sha256\n" if sha256 else ""
    return f"[core]\n{version}\tfilemode = true\n\tbare = true\n{extension}[core]\n{SETTINGS}"
