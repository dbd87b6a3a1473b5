"""Convert PDF, DOCX and HTML into Markdown, by markitdown (the extra `documents`).

A file may be malicious. So it is converted by a process of its own with limits of memory, processor time and output,
and an archive that would unpack to too much is not opened at all.
"""

import os
import resource
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from io import BytesIO
from os.path import splitext
from zipfile import BadZipFile, ZipFile

from memoir.errors import InvalidInput
from memoir.secrets.secrets import strip_private

MAX_BYTES = 64 << 20
"""The most bytes of a source, and of the text made of it."""
MAX_UNPACKED = 256 << 20
"""The most bytes that an archive may unpack to."""
SECONDS = 60
"""The processor time of a conversion."""
NO_CONVERTER = 3
"""The exit status if markitdown, or a package that it needs, is missing."""
_MEMORY = 2 << 30
"""The memory of a conversion, in bytes of address space."""
_MARKUP = frozenset((".html", ".htm"))
ENDINGS = frozenset((".pdf", ".docx")) | _MARKUP
"""The endings of files that are converted."""
_PDF, _HEAD = b"%PDF-", 1024
"""The mark of a PDF, and the number of first bytes in which it must occur."""
_MOST_FILES = 10_000
"""The most files in an archive."""
_INSTALL = "install it: pip install 'memoir[documents]'"


def convert(name: str, data: bytes, most_unpacked: int = MAX_UNPACKED) -> bytes:
    """The text of a document as Markdown; its format is known by the ending of its name.

    Raises:
        InvalidInput: markitdown is not installed, the document is too large or unpacks to too much, or it cannot be
            converted within the limits.
    """
    ending = ending_of(name)
    data = _without_private_elements(data) if ending in _MARKUP else data
    if find_spec("markitdown") is None:
        raise InvalidInput(f"{name} needs the converter of documents, which is not installed", _INSTALL)
    if len(data) > MAX_BYTES:
        raise InvalidInput(f"{name} is larger than {MAX_BYTES >> 20} MiB", "cut it into several files")
    if ending == ".docx":
        _refuse_bomb(name, data, most_unpacked)
    if ending == ".pdf" and _PDF not in data[:_HEAD]:
        raise InvalidInput(f"{name} is not a PDF file")
    return _convert_apart(name, ending, data)


def _without_private_elements(data: bytes) -> bytes:
    """Replace `<private>` elements of HTML by empty tags as text; the converter would keep their contents."""
    tags = "&lt;private&gt;&lt;/private&gt;"
    return strip_private(data.decode("latin-1"), tags)[0].encode("latin-1") if b"private" in data.lower() else data


def ending_of(name: str) -> str:
    """The ending of a file's name, in lower case."""
    return splitext(name)[1].lower()


def _refuse_bomb(name: str, data: bytes, most: int) -> None:
    """Refuse an archive that would unpack to too much; only its list of files is read."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            entries = archive.infolist()
    except BadZipFile as error:
        raise InvalidInput(f"{name} is not a DOCX file") from error
    if len(entries) > _MOST_FILES or sum(entry.file_size for entry in entries) > most:
        raise InvalidInput(f"{name} unpacks to more than {most >> 20} MiB; it is not opened")


def _convert_apart(name: str, ending: str, data: bytes) -> bytes:
    # -P: the working folder may contain an alien `memoir` or `json.py`
    command = [sys.executable, "-P", "-m", "memoir.sources.conversion", ending]
    try:
        # The converter's error output is unlimited and never read.
        done = subprocess.run(
            command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=2 * SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise InvalidInput(f"{name} cannot be converted: it takes longer than {2 * SECONDS} s") from error
    if done.returncode == NO_CONVERTER:
        raise InvalidInput(f"{name} needs the converter of documents, which cannot be loaded", _INSTALL)
    if done.returncode or done.stdout.startswith(_PDF):  # markitdown may take unreadable files for plain text
        raise InvalidInput(f"{name} cannot be converted: it is damaged, or takes too much memory or time")
    return done.stdout


def main(ending: str) -> None:
    """Print the document on standard input as Markdown, without other output of the converter.

    This is the process with the limits: `python -m memoir.sources.conversion ENDING`.
    """
    with suppress(ValueError):  # macOS refuses a limit below the mapped memory; the others hold
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(os.dup(1), "wb") as answer:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            from markitdown import MarkItDown, StreamInfo
        except ImportError:
            raise SystemExit(NO_CONVERTER) from None
        document = BytesIO(sys.stdin.buffer.read())
        text = MarkItDown(enable_plugins=False).convert_stream(document, stream_info=StreamInfo(extension=ending))
        answer.write(text.markdown.encode("utf-8", "replace")[: MAX_BYTES + 1])


if __name__ == "__main__":
    main(sys.argv[1])
