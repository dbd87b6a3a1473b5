"""Writing lines to a file that appears whole or not at all."""

import os
import tempfile
from collections.abc import Iterable
from typing import IO

from memoir.errors import MemoirError


def write_lines(path: str, lines: Iterable[bytes]) -> int:
    """Write lines to a file and return how many there were; a device or pipe is written to as it is.

    Raises:
        MemoirError: the folder does not exist. OSError: the file cannot be written.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            return _copy(lines, file)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise MemoirError(f"{path}: there is no folder {folder}")
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".memoir-", delete=False) as draft:
        try:
            count = _copy(lines, draft)
            draft.flush()
            os.chmod(draft.name, 0o666 & ~_umask())
            os.replace(draft.name, target)
            return count
        except BaseException:
            os.unlink(draft.name)
            raise


def _copy(lines: Iterable[bytes], file: IO[bytes]) -> int:
    count = 0
    for line in lines:
        file.write(line)
        count += 1
    return count


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
