"""Values are read by key in input order, whether they were in memory or in files."""

import random

import pytest

from memoir.memory.external_sort import ValueSpool


@pytest.mark.parametrize("run", [1, 7, 1000])
def test_values_are_read_by_key_in_input_order(run: int) -> None:
    chance = random.Random(run)
    keys = [f"ключ={chance.randrange(40)}".encode() for _ in range(300)]
    with ValueSpool(run) as spool:
        for number, key in enumerate(keys):
            spool.add(key, b"text\n\t%d" % number, number)
        for _ in range(2):
            groups = [(key, [(spool.read(place), place.line) for place in places]) for key, places in spool.groups()]

            assert groups == [
                (key, [(b"text\n\t%d" % number, number) for number, each in enumerate(keys) if each == key])
                for key in sorted(set(keys))
            ]
