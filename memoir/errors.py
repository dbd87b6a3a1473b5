"""Every error memoir raises on purpose: a kind, an exit status and a hint.

The exit statuses are part of the command contract (`docs/contract.md`); nothing
outside this module invents one.
"""

from enum import IntEnum
from typing import Any, ClassVar


class ExitCode(IntEnum):
    """Exit statuses of the `memoir` command."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    NO_STORE = 3
    NOT_FOUND = 4
    CONFLICT = 5
    LLM_UNAVAILABLE = 6
    DAMAGED = 7
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class MemoirError(Exception):
    """A failure that the user can act on.

    `details` become further fields of the JSON error object, so their keys are
    part of the contract.
    """

    code: ClassVar[str] = "failure"
    exit_code: ClassVar[ExitCode] = ExitCode.FAILURE

    def __init__(self, message: str, hint: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details


class InvalidInput(MemoirError, ValueError):
    """The caller gave something malformed: a path, a date, a record, an option."""

    code = "invalid_input"
    exit_code = ExitCode.USAGE


class NoStore(MemoirError):
    """There is no store where one was looked for."""

    code = "no_store"
    exit_code = ExitCode.NO_STORE


class NotFound(MemoirError):
    """A revision, branch, tag, remote or key that does not exist."""

    code = "not_found"
    exit_code = ExitCode.NOT_FOUND


class Conflict(MemoirError):
    """A merge, a rejected write or a non-fast-forward; nothing was changed."""

    code = "conflict"
    exit_code = ExitCode.CONFLICT


class LlmUnavailable(MemoirError):
    """A model was needed and none could be used: not configured, unreachable, refusing, or failing."""

    code = "llm_unavailable"
    exit_code = ExitCode.LLM_UNAVAILABLE


class EmbedderUnavailable(MemoirError):
    """An embedder that cannot work now: its weights are missing, or its endpoint does not answer."""

    code = "embedder_unavailable"


class DamagedStore(MemoirError):
    """An object is missing or is not what its place in the store requires."""

    code = "damaged_store"
    exit_code = ExitCode.DAMAGED


class UnsafeStore(MemoirError):
    """A store that may not be opened: someone else's, or one that could execute something."""

    code = "unsafe_store"


class ReadOnlyStore(MemoirError):
    """The store's directory cannot be written to."""

    code = "read_only"


class StoreBusy(MemoirError):
    """Another writer held the store for longer than memoir waits."""

    code = "busy"


class GitError(MemoirError):
    """git is missing, too old, or failed in a way with no better name."""

    code = "git_failed"
