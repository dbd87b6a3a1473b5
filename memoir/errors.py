"""Every error that memoir raises on purpose: a code, an exit status, a message and a hint.

The codes and exit statuses are part of the command contract. docs/contract.md lists them, with the first sentence of
each docstring below. No other module defines a code.
"""

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import ClassVar, Unpack

    from memoir.error_fields import Code, Details


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
    """Any other failure, such as a full disk.

    The base class of every error.
    """

    code: "ClassVar[Code]" = "failure"
    exit_code: "ClassVar[ExitCode]" = ExitCode.FAILURE

    def __init__(self, message: str, hint: str | None = None, **details: "Unpack[Details]") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details = details


class InvalidInput(MemoirError, ValueError):
    """A malformed path, date, option, setting or memory."""

    code = "invalid_input"
    exit_code = ExitCode.USAGE


class NoStore(MemoirError):
    """There is no store in the folder or above it."""

    code = "no_store"
    exit_code = ExitCode.NO_STORE


class NotFound(MemoirError):
    """A revision, branch, tag, remote, namespace or path does not exist."""

    code = "not_found"
    exit_code = ExitCode.NOT_FOUND


class Conflict(MemoirError):
    """A merge conflict, a rejected write or a push that is not a fast-forward; nothing was changed."""

    code = "conflict"
    exit_code = ExitCode.CONFLICT


class NoStep(MemoirError):
    """Nothing is left to undo, or to redo."""

    code = "no_step"


class LlmUnavailable(MemoirError):
    """A model is needed, but it is not configured, cannot be reached, or fails."""

    code = "llm_unavailable"
    exit_code = ExitCode.LLM_UNAVAILABLE


class EmbedderUnavailable(MemoirError):
    """The embedder cannot work: its weights are missing, or its server does not answer."""

    code = "embedder_unavailable"


class DamagedStore(MemoirError):
    """An object or a record of the store is missing or malformed."""

    code = "damaged_store"
    exit_code = ExitCode.DAMAGED


class UnsafeStore(MemoirError):
    """The store belongs to somebody whom `safe.directory` does not name, or its configuration could run a program."""

    code = "unsafe_store"


class ReadOnlyStore(MemoirError):
    """The store's folder cannot be written to."""

    code = "read_only"


class NotProven(MemoirError):
    """A proof, or a signature, does not show what it should."""

    code = "not_proven"


class StoreBusy(MemoirError):
    """Another process held the write lock for too long."""

    code = "busy"


class GitError(MemoirError):
    """git is missing, too old, or failed for a reason that memoir does not know."""

    code = "git_failed"


class Unauthorized(MemoirError):
    """A request to `memoir serve` without its token, or from another site."""

    code = "unauthorized"


class Interruption(MemoirError):
    """Ctrl-C, SIGTERM or SIGHUP ended the command."""

    code = "interrupted"
    exit_code = ExitCode.INTERRUPTED
