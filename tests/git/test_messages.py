"""What git and a remote say: bounded, and apart from how far they have come."""

from io import BufferedReader, BytesIO

import pytest

from memoir.git.messages import KEPT_BYTES, listen


def _pipe(data: bytes) -> BufferedReader:
    return BufferedReader(BytesIO(data))


OUTPUT = (
    b"remote: Counting objects:  50% (1/2)\rremote: Counting objects: 100% (2/2), done.\n"
    b"Receiving objects: 100% (2/2), done.\nremote: \x1b]52;c;AAAA\x07\nFrom x\nfatal: no such thing\n"
)


def test_progress_is_shown_and_other_output_is_kept() -> None:
    lines: list[str] = []

    rest = listen(_pipe(OUTPUT), lines.append)

    assert lines == [
        "remote: Counting objects:  50% (1/2)\r", "remote: Counting objects: 100% (2/2), done.\n",
        "Receiving objects: 100% (2/2), done.\n", "remote: \x1b]52;c;AAAA\x07\n",
    ]  # fmt: skip
    assert rest == b"remote: \x1b]52;c;AAAA\x07\nFrom x\nfatal: no such thing\n"


@pytest.mark.parametrize("flood", [b"remote: spam\n" * 1_000_000, b"x" * 10_000_000])
@pytest.mark.slow
def test_a_flood_is_not_kept(flood: bytes) -> None:
    assert len(listen(_pipe(flood))) < 2 * KEPT_BYTES
