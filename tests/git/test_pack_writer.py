"""How objects are compressed."""

import random
import zlib

import pytest

from memoir.git.pack_writer import _deflate


@pytest.mark.parametrize("size", [0, 1, 40, 127, 128, 300, 1000, 4095, 4096, 4097])
def test_a_small_window_makes_no_object_larger(size: int) -> None:
    dice = random.Random(size)
    data = "".join(dice.choices("etaoinshrdlu etaoin cmfwyp", k=size)).encode()

    assert zlib.decompress(_deflate(data)) == data
    assert len(_deflate(data)) <= len(zlib.compress(data)) + 16
