"""The errors to answer with when a command raised; for mistakes on the command line, with a suggestion."""

import errno
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import typer
from typer.core import TyperOption

from memoir.errors import ExitCode, InvalidInput, MemoirError, NotFound
from memoir.git.messages import DISK_HINT, FULL_HINT, NO_FSYNC_HINT

if TYPE_CHECKING:
    from memoir.cli.session import Session


def error_of(error: Exception, session: "Session") -> MemoirError:
    """The error to answer with when a command raised any exception."""
    if isinstance(error, NotFound) and _is_in_own_store(error.details.get("keys", ()), session):
        return NotFound(error.message, _IN_OWN_STORE, **error.details)
    if isinstance(error, MemoirError):
        return error
    if isinstance(error, typer.TyperException):
        return usage(error, session.command)
    if isinstance(error, MemoryError):
        return _of_system(OSError(errno.ENOMEM, "there is not enough memory"))
    return _of_system(error) if isinstance(error, OSError) else _report_bug(error)


_IN_OWN_STORE = "your own store has it: add --global"


def _is_in_own_store(keys: Sequence[str], session: "Session") -> bool:
    """Whether the user's own store, which `get` and `recall` also read, has one of the missing keys."""
    with suppress(MemoirError, OSError):  # a failure of that store must not hide the error to report
        own = session.repository.user if keys else None
        return own is not None and any(entry.record for entry in own.get_many(keys, prefix=True))
    return False


def without_secrets(error: MemoirError) -> MemoirError:
    """Replace an error that quotes a credential from the command line, so that it is not shown."""
    from memoir.secrets.secrets import check

    try:
        text = f"{error.message}\n{error.hint or ''}".replace("\\x0a", "\n")  # line breaks are shown as escapes
        check(text, "an argument")
    except InvalidInput as refusal:
        return refusal if error.exit_code == ExitCode.USAGE else type(error)("the reason quotes a credential")
    return error


def _report_bug(error: Exception) -> MemoirError:
    """Print the details for a bug report to standard error, and return the error to answer with."""
    import platform
    import traceback

    from memoir.version import __version__

    sys.stderr.write(f"memoir {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
    traceback.print_exception(error)
    return MemoirError(
        f"unexpected {type(error).__name__}: {error}", "this is a bug in memoir; please report the lines above"
    )


_ACCESS_HINT = "'ls -ld' shows who may read or write it"
_LIMIT_HINT = "end another program, or raise a limit that 'ulimit -a' shows"
_SYSTEM_HINTS = {
    errno.ENOSPC: FULL_HINT, errno.EDQUOT: FULL_HINT, errno.EIO: DISK_HINT, errno.EACCES: _ACCESS_HINT,
    errno.EPERM: _ACCESS_HINT, errno.ENOENT: "check its name", errno.EISDIR: "name a file, not a folder",
    errno.ENOTDIR: "a part of its path is not a folder", errno.ENOTSUP: NO_FSYNC_HINT,
    errno.EMFILE: "'ulimit -n 256' lets programs of this shell open more files", errno.EFBIG: _LIMIT_HINT,
    errno.ENOMEM: _LIMIT_HINT, errno.EAGAIN: _LIMIT_HINT,
}  # fmt: skip


def _of_system(error: OSError) -> MemoirError:
    """The error for a failure of the operating system that no module below handles."""
    where = f"{error.filename}: " if error.filename else ""
    failure = MemoirError(f"{where}{error.strerror or error}", _SYSTEM_HINTS.get(error.errno or 0))
    failure.__cause__ = error
    return failure


def show_causes(error: MemoirError) -> None:
    """Print where an error and its causes were raised, without credentials."""
    if error.__traceback__ is None and error.__cause__ is None:
        return
    import traceback

    from memoir.answers import terminal
    from memoir.answers.answer import line
    from memoir.secrets.secrets import redact

    text = redact("".join(traceback.format_exception(error)))
    terminal.note(line(row) for row in text.splitlines())


_STEPS = {
    "undo": "'memoir undo N' takes back N changes; 'memoir reflog' lists them",
    "redo": "'memoir redo' goes one step forward; 'memoir reflog' lists the states",
}
"""The hint for any mistake with `undo` or `redo`."""

_TOO_MANY, _TOO_FEW = "got unexpected extra argument", "missing argument"
_NEXT = {
    ("remember", _TOO_MANY): "put the memory in quotes: memoir remember 'Use pytest, not unittest.'",
    ("remember", _TOO_FEW): "memoir remember 'Use pytest, not unittest.'; 'memoir remember -' reads standard input; "
    "a text that begins with '-' goes last, after '--'",
    ("clone", _TOO_FEW): "memoir clone URL . puts a team's store into this folder; 'git remote -v' names the project's",
    (
        "recall",
        "option '--batch' requires",
    ): "memoir recall --batch FILE; '--batch -' reads standard input",
    ("edit", _TOO_MANY): "'memoir remember TEXT -p KEY' stores a new text; 'memoir edit KEY' opens an editor",
    ("remote", "no such command 'show'"): "memoir remote list",
    ("remote", "no such command 'rm'"): "memoir remote remove NAME",
    ("remote", "no such command 'rename'"): "'memoir remote add NEW URL', then 'memoir remote remove OLD'",
    ("summarize", _TOO_MANY): "'memoir ls PREFIX' lists the paths under it; 'memoir summarize --depth 2' counts",
    ("threads", _TOO_MANY): "'memoir thread ID' shows one thread",
    ("grep", _TOO_MANY): "put a pattern with blanks in quotes",
    ("taxonomy add", "missing option"): "memoir taxonomy add project.billing --about 'invoices and payments'",
    ("lexicon add", _TOO_FEW): "memoir lexicon add barn = staging cluster, preprod",
    ("restore", "missing option"): "memoir restore KEY --at HEAD~1; 'memoir log KEY' lists the revisions",
    ("config", _TOO_MANY): "'memoir config KEY' shows a setting, 'memoir config KEY VALUE' sets it",
}
"""The hints for some mistakes, by the command and the start of the message."""
_SIDES = {"--ours --theirs": "'--strategy ours' or '--strategy theirs' says which side to keep"}
_CHANGES = "'memoir show REV' shows what a commit changed, 'memoir diff A B' what several did"
_OTHER_OPTIONS = {
    "memoir": {"-V -v": "memoir --version", "--git-dir": "'memoir -s DIR' names the folder that holds .memoir/"},
    "branch": {
        "-a --all": "'memoir branch' lists the branches, 'memoir branch -r' those of remotes",
        "--show-current": "'memoir status' names it",
    },
    "config": {"--get": "memoir config KEY"},
    "diff": {"-p --patch": "'memoir diff' shows the words", "--name-only --name-status": "memoir diff --stat"},
    "edit": {"--content": "'memoir remember TEXT -p KEY' stores a new text"},
    "fetch": {"-a --all": "'memoir fetch REMOTE' for each that 'memoir remote' lists"},
    "forget": {"-r": "'memoir forget --prefix KEY' forgets everything at or under KEY"},
    "init": {"--global": "memoir init ~"},
    "log": {
        "-p --patch --stat --name-only --name-status": _CHANGES,
        "-S -G --grep": "'memoir grep PATTERN' finds memories, 'memoir log KEY' their commits",
        "--graph": "'git --git-dir .memoir log --graph --oneline' draws the commits",
        "-a --all": "'memoir log --at BRANCH' shows those of another branch, 'memoir branch' lists them",
        "--format --pretty": "memoir log --oneline; 'memoir log --json' has every field",
    },
    "merge": {"--abort": "there is nothing to abort: a merge with a conflict changes nothing", **_SIDES},
    "pin": {"--remove": "memoir unpin KEY"},
    "pull": {"--rebase -r": "'memoir sync' puts your commits on top, and pushes", **_SIDES},
    "push": {"-u --set-upstream": "'memoir push REMOTE BRANCH' is enough: a branch has no upstream"},
    "restore": {"--source": "memoir restore KEY --at HEAD~1"},
    "show": {"--stat --name-only --name-status": "memoir diff --stat REV~1 REV"},
    "sync": _SIDES,
    "tag": {
        "-m": "a tag has no message; 'memoir log --at TAG' shows its commit's",
        "-a": "a tag has no message and is not signed; 'memoir tag NAME' creates one",
    },
}
"""The hints for options that people know from git and other tools, by the command."""
_TAKE_TEXT = ("remember", "recall", "grep", "suggest")


def usage(error: typer.TyperException, name: str) -> InvalidInput:
    """Return the error for a mistake on the command line.

    Typer's error classes are not public, so they are recognized by their attributes and messages. `name` is the command
    that was to run, in case the error names none; `memoir` if there was none.
    """
    context: typer.Context | None = getattr(error, "ctx", None)
    command = context.command_path if context else "memoir" if name == "memoir" else f"memoir {name}"
    hint = f"'{command} --help' shows how it is used"
    message = error.format_message()
    unknown = _unknown_option(error)
    if unknown:
        message = f"no such option: {unknown}"
        hint = _hint(unknown, context) or hint
    elif wrong := re.fullmatch(r"(No such command '.*')\. Did you mean ('.*')\?", message, re.DOTALL):
        message, hint = wrong[1], f"did you mean {wrong[2]}?"
    message = _in_plain_words(message)
    named = command.removeprefix("memoir ")
    known = _OTHER_OPTIONS.get(named, {}).items() if unknown else ()
    hint = next((step for options, step in known if unknown in options.split()), hint)
    hint = next((step for (of, start), step in _NEXT.items() if of == named and message.startswith(start)), hint)
    if name in _STEPS:
        word = unknown.lstrip("-")
        hint = f"memoir undo {word}" if name == "undo" and word.isdigit() else _STEPS[name]
    if unknown and command.rpartition(" ")[2] in _TAKE_TEXT:
        hint += "; a text that begins with '-' goes last, after '--'"
    return InvalidInput(message, hint)


_NO_NUMBER = re.compile(r"Invalid value for .*: ('.*') is not a valid (int|float).*", re.DOTALL)
_OUT_OF_RANGE = re.compile(
    r"Invalid value for (?:.* / )?'\[?([^']+?)\]?': (\S+) is not in the range (\d*)(?:<=)?x.=(\d+)\."
)


def _in_plain_words(message: str) -> str:
    """A message of the parser as memoir writes its own."""
    if number := _NO_NUMBER.fullmatch(message):
        return f"{number[1]} is not a {'whole ' * (number[2] == 'int')}number"
    if out := _OUT_OF_RANGE.fullmatch(message):
        name, value, least, limit = out.groups()
        return f"{name} must be {f'from {least} to {limit}' if least else f'{limit} or more'}, not {value}"
    return message[:1].lower() + message[1:].rstrip(".")


def _unknown_option(error: typer.TyperException) -> str:
    """Return the option that the command does not have; empty if the mistake is another one."""
    return getattr(error, "option_name", "") if error.message.startswith("No such option") else ""


def _hint(word: str, context: typer.Context | None) -> str | None:
    from difflib import get_close_matches

    options = [param for param in context.command.params if isinstance(param, TyperOption)] if context else []
    names = {name.lstrip("-"): name for option in options for name in option.opts}
    number = word.lstrip("-")
    if names.get("limit") and (number.isdigit() or number == "n"):
        return f"for a number of entries: -l {number.upper()}"
    close = get_close_matches(word.lstrip("-"), [name for name in names if len(name) > 1], 1, 0.7)
    return f"did you mean {names[close[0]]!r}?" if close else None
