"""The errors for a remote that git could not talk to."""

import re

from memoir.errors import GitError, MemoirError
from memoir.exchange.remotes import require, without_credentials
from memoir.git.failures import failure, read_failure
from memoir.git.sideband import NO_ANSWER
from memoir.store.store import Store


class Unreachable(GitError):
    """A remote gave no answer, or none that git understood."""


def not_talked(store: Store, remote: str, stderr: bytes) -> MemoirError:
    """The error for a talk with a remote that failed.

    Raises:
        DamagedStore: it could not but fail, for a ref of this store names an object that is missing.
    """
    for name, commit in store.refs.list("refs/").items():
        if not store.reader.has(commit):
            message = f"{name!r} names object {commit}, which is missing"
            raise read_failure(store.git_dir, message, "run 'memoir fsck'")
    own = b"".join(line for line in stderr.splitlines(keepends=True) if not line.startswith(b"remote:"))
    error = failure("fetch", own)
    return error if error.hint else unreachable(remote, require(store, remote), stderr)


_LONGEST_WORDS = 2000
_ADVICE = ("Please make sure you have the correct access rights", "and the repository exists.")
"""What git adds to every failure; the hint says it."""
_HINTS = (
    (
        "mismatched algorithms|hash algorithm",
        "one has ids of SHA-1, the other of SHA-256: 'git init --bare --object-format=sha1' (or sha256) makes a hub",
    ),
    ("from promisor remote", "it is a partial clone, which lacks objects: use the repository that it was cloned from"),
    (NO_ANSWER.decode(), "see whether it runs; 'memoir sync' tries again"),
)


def unreachable(name: str, url: str, stderr: bytes) -> MemoirError:
    """The error for a remote that git could not talk to, with all that git and ssh said but a URL's credentials."""
    lines = (line.strip() for line in stderr.decode("utf-8", "replace").splitlines())
    words = without_credentials("; ".join(line for line in lines if line and line not in _ADVICE))[:_LONGEST_WORDS]
    hints = (hint for pattern, hint in _HINTS if re.search(pattern, words))
    change = "" if " " in name else f" ('memoir remote set-url {name} URL' changes it)"
    hint = next(hints, f"check the address{change}, and that you may use it")
    return Unreachable(f"{name} could not be reached at {without_credentials(url)}: {words}", hint)
