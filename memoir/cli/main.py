"""The entry point: run a command, print its answer or its error once, leave with the right status.

With `MEMOIR_DEBUG=1` the traceback of a failure is shown with all its causes.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NoReturn

import typer

from memoir.answers.answer import Answer, dump, fields_of_failure, fields_of_success, harmless, pieces
from memoir.cli import complete, signals
from memoir.cli.command_tree import NoCommand, Redirect, build
from memoir.cli.session import Session
from memoir.cli.streams import open_streams
from memoir.errors import ExitCode, Interruption, InvalidInput, MemoirError


def main() -> NoReturn:
    """Run `memoir` with the process's arguments and end the process.

    The interpreter's own shutdown is skipped: by then everything is flushed and every child reaped.
    """
    status = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # a failure of standard output was reported already
            stream.flush()
    os._exit(status)


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit status."""
    open_streams()
    session = Session(json=_asks_for_json(arguments))
    if complete.IS_COMPLETION:
        complete.prepare()
    try:
        return _attempt(session, arguments)
    except KeyboardInterrupt:  # while another failure was being reported
        return _fail(session, Interruption("interrupted"))


def _attempt(session: Session, arguments: list[str]) -> int:
    try:
        session.json |= _is_on("MEMOIR_JSON")
        session.shows_causes = _is_on("MEMOIR_DEBUG")
        signals.deliver()
        status = _print(session, _answer(session, arguments))
        sys.stdout.flush()
        _report_branch(session)
        _sync(session)
        return status
    except BrokenPipeError:
        return ExitCode.BROKEN_PIPE
    except (KeyboardInterrupt, typer.Abort):
        return _fail(session, Interruption("interrupted"))
    except Exception as error:
        from memoir.cli.failures import error_of

        return _fail(session, error_of(error, session))
    finally:
        session.close()


def answer_line(session: Session, arguments: list[str]) -> Answer:
    """Answer one command line of several; the caller prints the answer.

    Raises:
        MemoirError: it failed, for any reason.
    """
    try:
        answer = _answer(session, arguments)
    except Exception as error:
        from memoir.cli.failures import error_of, without_secrets

        raise without_secrets(error_of(error, session)) from error
    _report_branch(session)
    _sync(session)
    return answer if isinstance(answer, Answer) else Answer({}, exit_code=ExitCode(answer or 0))


def _sync(session: Session) -> None:
    """Sync after a write, if the user wants that; the answer is printed already, so a failure is only a note."""
    if not (session.wrote and session.store.has_remotes):  # nothing is loaded if there is nothing to sync
        return
    try:
        signals.deliver()
        problem, relief = session.repository.remotes.sync_after_write()
        signals.hold()  # the answer was printed, so no interruption may be reported
    except KeyboardInterrupt:
        problem, relief = "interrupted", None
    if problem or relief:
        from memoir.answers import terminal
        from memoir.answers.answer import line

        terminal.note([line((f"not synced: {problem}", "yellow") if problem else str(relief))])


def _report_branch(session: Session) -> None:
    """Note that the write created a branch: a mistyped `MEMOIR_BRANCH` would do so as well."""
    if session.begun and not session.quiet:
        from memoir.answers import terminal
        from memoir.answers.branches import begun_line

        terminal.note([begun_line(session.store.selection, session.begun)])


def _answer(session: Session, arguments: list[str]) -> Any:
    try:
        answer = _call(session, arguments)
    except Redirect as instead:
        answer = _call(session, instead.arguments)
    if answer == ExitCode.INTERRUPTED:  # Typer's result for Ctrl-C
        raise KeyboardInterrupt
    return answer


def _call(session: Session, arguments: list[str]) -> Any:
    streams = sys.stdout, sys.stderr
    try:
        return build().main(arguments, prog_name="memoir", standalone_mode=False, obj=session)
    except NoCommand as error:
        if session.json:
            raise InvalidInput("no command given", "'memoir help --json' describes all commands") from error
        typer.echo(error.help, err=True)
        return int(ExitCode.USAGE)
    except SystemExit as end:  # Typer's result for a closed pipe; it also replaces the streams
        sys.stdout, sys.stderr = streams
        raise end.__context__ or end from None


def _print(session: Session, answer: Any) -> int:
    if isinstance(answer, int):  # help and --version print by themselves
        return answer
    if not isinstance(answer, Answer):
        return ExitCode.OK
    if answer.stream is not None:
        must_escape = sys.stdout.isatty() and not answer.exact
        for chunk in answer.stream:
            with signals.held():  # a line is printed whole
                sys.stdout.buffer.write(harmless(chunk) if must_escape else chunk)
                if answer.finish:
                    sys.stdout.buffer.flush()
        return status_of(session, answer)
    if session.json:
        if not any(map(callable, answer.data.values())):  # every field is known: print uninterrupted
            signals.hold()
        for piece in pieces(answer_fields(session, answer.data), terminal=sys.stdout.isatty()):
            signals.hold()  # an object is printed whole, and no second one after it
            _write(piece)
    else:
        _show(answer, paged=answer.paged and not session.wrote, quiet=session.quiet)
    return status_of(session, answer)


def answer_fields(session: Session, data: Mapping[str, object]) -> Mapping[str, object]:
    """The JSON fields of an answer, all of them or the lean form."""
    fields = fields_of_success(session.command, data)
    if not session.lean:
        return fields
    from memoir.answers.lean import lean

    return lean(fields)


def status_of(session: Session, answer: Answer) -> int:
    """Return the exit status of an answer that was printed, after a note on damaged memories that it leaves out."""
    if session.damage:
        from memoir.answers import terminal

        sys.stdout.flush()
        terminal.note(terminal.damage_lines(session.damage))
    if answer.whole and session.damage:
        return ExitCode.DAMAGED
    return answer.finish() if answer.finish else answer.exit_code


def _show(answer: Answer, *, paged: bool, quiet: bool) -> None:
    from memoir.answers import terminal  # JSON, which most calls ask for, needs none of it

    terminal.note(answer.warnings())  # what is missing is said before the answer
    if not quiet:
        terminal.note(answer.lead())
    if not (quiet and answer.optional):
        terminal.show(answer.human(), paged=paged)
    sys.stdout.flush()  # notes come after the answer
    if not quiet or answer.urgent:
        terminal.note(answer.notes())


def _fail(session: Session, error: MemoirError) -> int:
    signals.hold()
    if complete.IS_COMPLETION:
        return error.exit_code
    from memoir.cli.failures import show_causes, without_secrets

    error = without_secrets(error)
    if session.shows_causes:
        show_causes(error)
    try:
        if session.json:
            _write(dump(fields_of_failure(session.command, error), terminal=sys.stdout.isatty()))
            return error.exit_code
    except OSError:
        pass  # standard output failed, so the error goes to standard error
    from memoir.answers import terminal

    terminal.fail(error)
    return error.exit_code


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _asks_for_json(arguments: list[str]) -> bool:
    """Whether to print JSON, decided before the arguments are parsed, which can fail."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options or "--lean" in options


def _is_on(variable: str) -> bool:
    """Whether an environment variable is on; for empty, 0 and 1 the settings are not imported.

    Raises:
        InvalidInput: it is neither on nor off.
    """
    if (text := os.environ.get(variable, "")) in ("", "0", "1"):
        return text == "1"
    from memoir import settings

    return {each.key: each for each in (settings.JSON, settings.DEBUG)}[variable].read({})
