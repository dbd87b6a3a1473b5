"""`memoir edit`."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import typer

from memoir import user_folders
from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli.options import DEFAULT, Key, Message, Namespace
from memoir.cli.session import session
from memoir.cli.signals import interrupts_left_to_child
from memoir.cli.writing import About, AllowSecret, Expires
from memoir.errors import InvalidInput, MemoirError
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import reworded
from memoir.records.record import Memory, Record

_EDITOR_HINT = "VISUAL or EDITOR names the editor, such as: EDITOR=nano memoir edit KEY"
_NUMBERED_LINE = re.compile(r"^# memoir: memory (\d+) of \d+; .*\n", re.MULTILINE)


def command(
    ctx: typer.Context,
    key: Key,
    about: About = None,
    expires: Expires = None,
    namespace: Namespace = DEFAULT,
    allow_secret: AllowSecret = False,
    message: Message = None,
) -> Answer:
    """Change a memory in your editor (VISUAL, EDITOR or vi).

    If a path holds several memories, a numbered line comes before each: remove a memory with its line to forget it.
    KEY#id edits one of them. A changed memory gets a new timestamp. If the file is emptied, nothing changes. No editor
    opens with --about, which ties the memory to that code as it is now, or with --expires, which sets when it expires.
    """
    repository = session(ctx).repository
    if about or expires:
        return shapes.edit(repository, key, None, about, expires, namespace, message, allow_secret)
    options = WriteOptions(message, allow_secrets=allow_secret)
    with _draft_file() as path:
        revise = partial(_revise, path=path)
        done = repository.edit(key, revise, namespace=namespace, options=options)
    return shapes.write(*done, "edited")


@contextmanager
def _draft_file() -> Iterator[Path]:
    """Yield a file to edit; if the typed text cannot be stored, keep the file and name it."""
    path = user_folders.new_draft()
    try:
        yield path
    except BaseException as error:
        if not _is_typed(path):
            shutil.rmtree(path.parent, ignore_errors=True)
        elif isinstance(error, MemoirError):
            error.hint = f"what you typed is kept in {path}" + (f"; {error.hint}" if error.hint else "")
        else:
            sys.stderr.write(f"what you typed is kept in {path}\n")
        raise
    shutil.rmtree(path.parent, ignore_errors=True)


def _is_typed(path: Path) -> bool:
    """Whether the editor has saved the file: before, `_run_editor` sets its time to 0."""
    try:
        about = path.stat()
    except OSError:
        return False
    return about.st_mtime_ns != 0 and about.st_size > 0


def _revise(record: Record, path: Path) -> Sequence[Memory]:
    """Return a record as edited; superseded memories stay unchanged."""
    active = [facet for facet in record if facet.active] or list(record[-1:])
    texts = _split_contents(_run_editor(path, _text_to_edit(active)), len(active))
    contents = (texts.get(position) for position in range(len(active)))
    after = []
    for facet in record:
        if facet not in active:
            after.append(facet)
        elif (content := next(contents)) is not None:
            after.append(facet if content == facet.content else reworded(facet, content))
    return after


def _text_to_edit(facets: Sequence[Memory]) -> str:
    if len(facets) == 1:
        return facets[0].content + "\n"
    headings = (
        f"# memoir: memory {number} of {len(facets)}; remove this line and its text to forget it\n"
        for number in range(1, len(facets) + 1)
    )
    return "".join(heading + facet.content + "\n" for heading, facet in zip(headings, facets, strict=True))


def _split_contents(text: str, count: int) -> dict[int, str]:
    """Return the content of each memory that was kept, by its position.

    Raises:
        MemoirError: nothing is left. InvalidInput: text before the first numbered line, or a line with another number.
    """
    if not text.strip():
        raise MemoirError("the file was emptied, so nothing was changed", "'memoir forget' removes a memory")
    if count == 1:
        return {0: text.removesuffix("\n")}
    before, *parts = _NUMBERED_LINE.split(text)
    numbers = [int(number) - 1 for number in parts[::2]]
    if before.strip() or len(set(numbers)) < len(numbers) or not set(numbers) <= set(range(count)):
        raise InvalidInput("the numbered lines between the memories were changed; nothing was written", "edit it again")
    return {number: content.removesuffix("\n") for number, content in zip(numbers, parts[1::2], strict=True)}


def _run_editor(path: Path, text: str) -> str:
    """Open a text in the user's editor, and return the edited text.

    Raises:
        MemoirError: the editor cannot be started or fails. InvalidInput: the file is not UTF-8 afterwards, or no
                    editor is set and there is no terminal for vi.
    """
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor and not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput("an editor needs a terminal", "'memoir remember TEXT -p KEY' stores a new text")
    editor = editor or "vi"
    path.write_bytes(text.encode())
    os.utime(path, ns=(0, 0))
    try:
        out = None if sys.stdout.isatty() else sys.stderr  # standard output is for the answer alone
        with interrupts_left_to_child():
            status = subprocess.call([*shlex.split(editor), str(path)], stdout=out)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise MemoirError(f"the editor {editor!r} could not be started: {reason}", _EDITOR_HINT) from error
    if status:
        raise MemoirError(f"the editor {editor!r} failed; nothing was changed", _EDITOR_HINT)
    try:
        return path.read_bytes().decode()
    except FileNotFoundError as error:
        raise MemoirError(
            "the edited file is gone; nothing was changed", "edit it again; a purge removes such files"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(
            "the edited file is not valid UTF-8; nothing was changed", "let the editor save UTF-8"
        ) from error
