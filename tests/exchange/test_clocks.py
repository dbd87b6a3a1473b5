"""Clones whose clocks are wrong: nothing is lost, and nothing that was forgotten comes back."""

import pytest

from memoir.records.record import Memory
from memoir.repository.repository import Repository

RIGHT, WRONG = "2026-05-01T12:00:00Z", ("1970-01-02T00:00:00Z", "2150-01-01T00:00:00Z")


@pytest.mark.parametrize("writers", ["shared", "own"])
@pytest.mark.parametrize("wrong", WRONG)
def test_what_was_forgotten_by_a_wrong_clock_stays_so(
    pair: tuple[Repository, Repository], monkeypatch: pytest.MonkeyPatch, writers: str, wrong: str
) -> None:
    mine, yours = pair
    for each in pair:
        each.config.set("memoir.remote.origin.writers", writers)
    monkeypatch.setenv("MEMOIR_NOW", wrong)
    yours.forget("a.first")
    for number in range(8):
        yours.remember(Memory.of("text"), f"b.n{number}")

    assert yours.remotes.sync().outcome == "pushed", "nobody else wrote"

    monkeypatch.setenv("MEMOIR_NOW", RIGHT)
    mine.remember(Memory.of("text"), "a.mine")
    mine.remotes.sync()
    yours.remotes.sync()
    names = {place.path for place in mine.keys(())}
    assert names == {"a.mine", *(f"b.n{number}" for number in range(8))}
    assert mine.store.head().stored_root == yours.store.head().stored_root
    assert not mine.upkeep.fsck().report.problems
