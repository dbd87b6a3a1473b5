"""Why a remote did not take a ref: another push came first, it could not write, or it does not want it.

Only the first is cured by beginning again, and the second perhaps. What a remote refuses by its own rules it refuses
every time, so it is told at once, in the remote's own words.
"""

import re

from memoir.errors import Conflict, GitError, MemoirError
from memoir.visible import neutralise


class Rejection(Conflict):
    """The remote's ref is not where this store saw it: another push came first."""


class Unwritable(GitError):
    """The remote could not write the ref, for instance because another push held its lock."""


class Refusal(GitError):
    """The remote does not take the ref: a hook, a limit, a full disk, a hidden ref."""


_RACE = re.compile(
    r"\[rejected\]|incorrect old value|reference already exists|\bis at [0-9a-f]{40,} but expected [0-9a-f]{40,}"
)
_LOCK = re.compile(r"Unable to create '([^']*\.lock)': File exists")
_NEVER = re.compile(r"exists; cannot create|No space left|Permission denied|Read-only file system|Disk quota")
_HINTS = (
    (r"hook declined|protected", "its own rules refuse this: change what they name, or ask whoever keeps it"),
    (r"hidden ref", "it hides this ref from pushes (transfer.hideRefs): ask whoever keeps it"),
    (r"unpack|migrate|exceeds|No space|quota", "its disk may be full, or it limits what it takes: see there"),
    (r"Permission denied|Read-only", "its files cannot be written by the user that git runs as there"),
)
_MOST_LINES, _LONGEST = 8, 200


def said(stderr: bytes) -> str:
    """What the remote itself said, made safe to show and of bounded length; empty if it said nothing."""
    lines = stderr.decode("utf-8", "replace").splitlines()
    words = [word for line in lines if line.startswith("remote: ") and (word := line[len("remote: ") :].strip())]
    shown = [neutralise(word)[:_LONGEST] for word in words[:_MOST_LINES]]
    return "; ".join([*shown, "…"] if len(words) > _MOST_LINES else shown)


def refusal(remote: str, name: str, status: str, stderr: bytes, *, is_tag: bool = False) -> MemoirError:
    """The error for a ref that was not taken.

    Args:
        remote: The remote.
        name: The branch or tag, as people write it.
        status: What `git push --porcelain` says of it, such as `[rejected] (fetch first)`.
        stderr: What git and the remote said meanwhile.
        is_tag: Whether it is a tag.
    """
    words = said(stderr)
    why = re.sub(r"^\[[\w ]+\] ", "", status)
    why = neutralise(why[1:-1] if why.startswith("(") and why.endswith(")") else why)
    if _NEVER.search(words):
        return _refused(remote, name, why, words)
    if _RACE.search(status) or _RACE.search(words):
        return _lost(remote, name, why, is_tag=is_tag)
    if why.startswith("failed to "):  # to lock, write or update
        return _unwritable(remote, name, why, words)
    return _refused(remote, name, why, words)


def _lost(remote: str, name: str, why: str, *, is_tag: bool) -> Rejection:
    hint = "run 'memoir pull', then push again"
    if why == "stale info":
        why, hint = (
            "it has moved since it was last fetched",
            f"see what is new with 'memoir fetch {remote}', then decide",
        )
    elif is_tag:
        hint = f"'memoir tag -d {name}' and 'memoir fetch {remote}' take the remote's"
    return Rejection(f"{remote} rejected {name!r}: {why}", hint)


def _unwritable(remote: str, name: str, why: str, words: str) -> Unwritable:
    lock = _LOCK.search(words)
    if lock:
        return Unwritable(
            f"{remote} could not write {name!r}: its lock file {lock[1]} exists",
            "if nobody is writing there, remove the lock file at the remote: a push that was killed has left it",
        )
    hint = "if nobody is writing there, remove the lock file that a killed program left at the remote"
    return Unwritable(f"{remote} could not write {name!r}: {why}{_quoted(words)}", hint)


def _refused(remote: str, name: str, why: str, words: str) -> Refusal:
    hint = next((hint for pattern, hint in _HINTS if re.search(pattern, f"{why} {words}")), None)
    return Refusal(f"{remote} refused {name!r}: {why}{_quoted(words)}", hint)


def _quoted(words: str) -> str:
    return f"; it says: {words}" if words else ""
