"""Numbers of segments: always room between two, in order, and few digits."""

from hypothesis import given
from hypothesis import strategies as st

from memoir.layers.segments import between, is_number, value


def test_numbers_are_whole_where_there_is_room() -> None:
    assert between(value("0"), None, 3) == ["0001", "0002", "0003"]
    assert between(value("0003"), value("0007"), 3) == ["0004", "0005", "0006"]
    assert between(value("0003"), value("0004"), 1) == ["0003-5"]
    assert between(value("9999"), None, 1) == ["10000"]


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 30)), max_size=12))
def test_there_is_always_room_and_the_order_holds(insertions: list[tuple[int, int]]) -> None:
    numbers: list[str] = []
    for place, count in insertions:
        at = min(place, len(numbers))
        low = value(numbers[at - 1]) if at else value("0")
        numbers[at:at] = between(low, value(numbers[at]) if at < len(numbers) else None, count)

    assert all(map(is_number, numbers))
    assert sorted(set(map(value, numbers))) == list(map(value, numbers))
