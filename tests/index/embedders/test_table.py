"""The file of `static`: read in place, the same on every machine, and refused when it is damaged."""

from array import array
from pathlib import Path
from struct import pack

import pytest

from memoir.errors import EmbedderUnavailable
from memoir.index.embedders.static import HEADER, MAGIC, Table, open_table

PIECES = [b"ab", b"b", b"c"]
ROWS = [[1, -1], [127, -127], [0, 5]]
WEIGHTS = [1, 10, 1 << 22]


def table_file(magic: bytes = MAGIC, count: int = 3) -> bytes:
    text, bounds = b"".join(PIECES), (0, 2, 3, 4)
    rows = bytes(number + 128 for row in ROWS for number in row)
    return HEADER.pack(magic, count, 2, len(text)) + pack("<3I", *WEIGHTS) + pack("<4I", *bounds) + text + rows


def test_pieces_and_rows_are_read_in_place() -> None:
    table = Table(table_file())

    assert list(table.pieces) == PIECES
    for place, (row, weight) in enumerate(zip(ROWS, WEIGHTS, strict=True)):
        assert table.vector(table.row(place)) == array("f", [weight * number for number in row])


def test_sums_and_multiples_of_rows_are_those_of_every_component() -> None:
    table = Table(table_file())

    assert table.vector(3 * table.row(0) + 2 * table.row(1)) == array("f", [3 + 2540, -3 - 2540])
    assert table.vector(20_000 * 16_384 * table.row(2)) == array("f", [0, 5 * 20_000 * 16_384 * (1 << 22)])
    assert table.vector(0) == array("f", [0, 0])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "cannot mmap an empty file"),
        (b"memoir", "too short"),
        (table_file(b"memoir static 2\n"), "its header is wrong"),
        (table_file()[:-1], "its size differs"),
        (table_file() + b"x", "its size differs"),
        (table_file(count=4), "its size differs"),
        (table_file(count=(1 << 32) - 1), "its size differs"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "static.bin"
    file.write_bytes(content)

    with pytest.raises(EmbedderUnavailable, match=reason) as failure:
        open_table(file)
    assert failure.value.hint == "install memoir again"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"No such file .*static\.bin"):
        open_table(tmp_path / "static.bin")
