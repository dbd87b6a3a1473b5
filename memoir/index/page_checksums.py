"""A checksum on every page of the index's file, so that damage is an error and never another answer.

SQLite notices damage only if the structure of a page is broken; it reads a changed word, or two exchanged pages,
without an error. So the last bytes of each page, which SQLite does not use (they are *reserved*), hold a CRC-32 of the
page's number and of everything before them. It is written with the page and compared at every read.

Other programs do not write these checksums, so a row that one of them deleted is noticed too. The write-ahead log has
SQLite's own checksums, which are compared when the file is opened.
"""

from array import array
from functools import cache
from zlib import crc32

import apsw

PAGE = 8192
"""Bytes of a page: 15 vectors of the default embedder fill two of them with little to spare."""
_RESERVED_BYTES = 8
_HEADER_READS = {(100, 0), (16, 24)}
"""The reads of the first page (size, offset) that SQLite makes before it knows the size of a page."""


def connect_checked(file: str) -> apsw.Connection:
    """Open a database file with checksums; it is created if it is missing."""
    database = apsw.Connection(file, vfs=_vfs())
    try:
        reserve = array("i", [_RESERVED_BYTES])  # these two have an effect only on an empty file
        database.file_control("main", apsw.SQLITE_FCNTL_RESERVE_BYTES, reserve.buffer_info()[0])
        database.execute(f"PRAGMA page_size = {PAGE}")
    except BaseException:
        database.close()
        raise
    return database


@cache
def _vfs() -> str:
    """The name of the VFS, which the first call registers."""
    _CheckedFiles.instance = _CheckedFiles("memoir-checked", "")
    return "memoir-checked"


class _CheckedFiles(apsw.VFS):
    instance: "_CheckedFiles | None" = None  # SQLite does not keep it alive

    def xOpen(self, name: "str | apsw.URIFilename | None", flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        if flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            return _CheckedFile(name, flags)
        return apsw.VFSFile("", name, flags)


class _CheckedFile(apsw.VFSFile):
    def __init__(self, name: "str | apsw.URIFilename | None", flags: list[int]) -> None:
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        if (amount, offset) in _HEADER_READS:
            return super().xRead(amount, offset)
        within = offset % PAGE  # of a long value SQLite may read no more of its last page than it needs
        return self._page(offset - within)[within:][:amount]

    def _page(self, offset: int) -> bytes:
        data = super().xRead(PAGE, offset)
        if len(data) != PAGE and (offset or data):
            raise apsw.CorruptError(f"page {offset // PAGE} is cut short")
        if data and data[-_RESERVED_BYTES:] != _checksum(data, offset):
            raise apsw.CorruptError(f"page {offset // PAGE} is damaged")
        return data

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        if len(data) != PAGE:
            raise apsw.IOError(f"{len(data)} bytes are not a page")
        super().xWrite(data[:-_RESERVED_BYTES] + _checksum(data, offset), offset)


def _checksum(page: bytes, offset: int) -> bytes:
    return crc32(memoryview(page)[:-_RESERVED_BYTES], offset // PAGE).to_bytes(_RESERVED_BYTES, "big")
