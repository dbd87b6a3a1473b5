"""The values that an index keeps of itself."""

import apsw
import pytest

from memoir.index import database, state


@pytest.fixture
def index() -> apsw.Connection:
    return database.in_memory()


def test_a_value_has_a_default_until_it_is_set(index: apsw.Connection) -> None:
    assert (state.root(index), state.total(index), state.embedder(index)) == (b"", 0, "")

    state.root.put(index, b"root")
    state.total.add(index, 3)
    state.total.add(index, -1)

    assert (state.root(index), state.total(index)) == (b"root", 2)


def test_an_index_is_complete_without_a_rest(index: apsw.Connection) -> None:
    state.set_rest(index, b"default=m")
    assert state.rest(index) == b"default=m"

    state.set_rest(index, None)
    assert state.rest(index) is None


def test_a_value_of_another_type_is_damage(index: apsw.Connection) -> None:
    index.execute("INSERT INTO state VALUES('total', 'many')")

    with pytest.raises(apsw.CorruptError, match="'total' is not of the type int"):
        state.total(index)
