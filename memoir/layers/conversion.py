"""Converting PDF, DOCX and HTML into Markdown, by markitdown (the extra `documents`).

What somebody sends may be made to harm whoever opens it. So a file is converted by a process of its own, which has a
limit of memory, processor time and output, and an archive that would unpack to too much is not opened at all.
"""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from memoir.errors import InvalidInput
from memoir.layers.limits import MAX_BYTES, MAX_UNPACKED, SECONDS

ENDINGS = frozenset((".pdf", ".docx", ".html", ".htm"))
"""The endings of files that are converted."""
_MOST_FILES = 10_000
"""The most files in an archive."""
_INSTALL = "install it: pip install 'memoir[documents]'"


def convert(file: Path) -> bytes:
    """The text of a document, as Markdown.

    Raises:
        InvalidInput: markitdown is not installed, the document is too large or unpacks to too much, or it cannot be
            converted within the limits. OSError: it cannot be read.
    """
    if find_spec("markitdown") is None:
        raise InvalidInput(f"{file.name} needs the converter of documents, which is not installed", _INSTALL)
    if file.stat().st_size > MAX_BYTES:
        raise InvalidInput(f"{file.name} is larger than {MAX_BYTES >> 20} MiB", "cut it into several files")
    if file.suffix.lower() == ".docx":
        _refuse_bomb(file)
    return _convert_apart(file)


def _refuse_bomb(file: Path) -> None:
    """Refuse an archive that would unpack to too much; only its list of files is read.

    Raises:
        InvalidInput: it would, or it is no archive.
    """
    try:
        with ZipFile(file) as archive:
            entries = archive.infolist()
    except BadZipFile as error:
        raise InvalidInput(f"{file.name} is not a DOCX file") from error
    if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > MAX_UNPACKED:
        raise InvalidInput(f"{file.name} unpacks to more than {MAX_UNPACKED >> 20} MiB; it is not opened")


def _convert_apart(file: Path) -> bytes:
    # -P: the folder that the user works in may hold a `memoir` or `json.py` of somebody else's
    command = [sys.executable, "-P", "-m", "memoir.layers.limits", str(file.resolve())]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=2 * SECONDS)
    except subprocess.TimeoutExpired as error:
        raise InvalidInput(f"{file.name} cannot be converted: it takes longer than {2 * SECONDS} s") from error
    if done.returncode:
        raise InvalidInput(f"{file.name} cannot be converted: it is damaged, or takes too much memory or time")
    return done.stdout
