"""The entry point: run a command, print its answer or its error once, leave with the right status."""

import os
import sys
from typing import Any, NoReturn

import typer
from typer._click.exceptions import NoArgsIsHelpError, UsageError

from memoir.cli.session import Session
from memoir.cli.tree import ALIASES, COMMANDS, build
from memoir.errors import ExitCode, InvalidInput, MemoirError
from memoir.output import envelope
from memoir.output.answer import Answer


def main() -> NoReturn:
    """Run `memoir` with the process's arguments and end the process.

    The interpreter's own shutdown is skipped: by then everything is flushed and every child reaped.
    """
    status = run(sys.argv[1:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        status = ExitCode.BROKEN_PIPE
    os._exit(status)


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    session = Session(json=wants_json(arguments))
    try:
        return _print(session, _answer(session, arguments))
    except BrokenPipeError:
        return ExitCode.BROKEN_PIPE
    except (KeyboardInterrupt, typer.Abort):
        return _fail(session, Interrupted("interrupted"))
    except MemoirError as error:
        return _fail(session, error)
    except UsageError as error:
        return _fail(session, _usage(error))
    except OSError as error:
        return _fail(session, MemoirError(_describe(error)))
    except Exception as error:
        return _fail(session, _unexpected(error))
    finally:
        session.close()


class Interrupted(MemoirError):
    """Ctrl-C."""

    code = "interrupted"
    exit_code = ExitCode.INTERRUPTED


def _answer(session: Session, arguments: list[str]) -> Any:
    if session.json and "--help" in arguments:
        arguments = ["help", *[word for word in arguments if word in COMMANDS or word in ALIASES][:1]]
    elif session.json and "--version" in arguments and set(arguments) <= {"--version", "--json"}:
        arguments = ["version"]
    try:
        return build().main(arguments, prog_name="memoir", standalone_mode=False, obj=session)
    except NoArgsIsHelpError as error:
        if session.json:
            raise InvalidInput("no command given", "'memoir help --json' describes them") from None
        typer.echo(error.ctx.get_help() if error.ctx else "", err=True)
        return int(ExitCode.USAGE)


def _print(session: Session, answer: Any) -> int:
    if isinstance(answer, int):  # help and --version print by themselves
        return answer
    if not isinstance(answer, Answer):
        return ExitCode.OK
    if answer.stream is not None:
        for chunk in answer.stream:
            sys.stdout.buffer.write(chunk)
    elif session.json:
        _write(envelope.dump(envelope.success(session.command, answer.data), indent=sys.stdout.isatty()))
    else:
        from memoir.output import terminal  # JSON, which most calls ask for, needs none of it

        terminal.show(answer.human(), paged=answer.paged)
    return answer.exit_code


def _fail(session: Session, error: MemoirError) -> int:
    if session.json:
        _write(envelope.dump(envelope.failure(session.command, error), indent=sys.stdout.isatty()))
    else:
        from memoir.output import terminal

        terminal.fail(error)
    return error.exit_code


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _usage(error: UsageError) -> InvalidInput:
    command = error.ctx.command_path if error.ctx else "memoir"
    message = error.format_message()
    return InvalidInput(message[:1].lower() + message[1:].rstrip("."), f"'{command} --help' shows how it is used")


def _unexpected(error: Exception) -> MemoirError:
    """A bug of memoir's own: what a report needs goes to standard error."""
    import platform
    import traceback

    from memoir import __version__

    sys.stderr.write(f"memoir {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
    traceback.print_exception(error)
    return MemoirError(
        f"unexpected {type(error).__name__}: {error}", "this is a bug in memoir; please report the lines above"
    )


def _describe(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


def wants_json(arguments: list[str]) -> bool:
    """Whether the output is to be JSON, decided before anything can go wrong with the arguments."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    asked = os.environ.get("MEMOIR_JSON", "").lower() not in ("", "0", "false", "no", "off")
    return asked or "--json" in options
