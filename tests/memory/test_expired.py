"""Which paths of a list have expired, without reading those that never will."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support import built_once

from memoir import user_folders
from memoir.errors import DamagedStore
from memoir.git.objects import Oid
from memoir.memory.expired import ExpiryMarks, LastingNodes
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.snapshot import Snapshot

LATER = datetime(2030, 1, 1, tzinfo=UTC)


def expired(repository: Repository, prefix: str | None = None) -> list[str]:
    """The paths that `ls` marks, of all or of those below a prefix."""
    snapshot = repository.store.head()
    marks = ExpiryMarks(repository.store, snapshot, repository.keys(prefix=prefix), LATER)
    return [address.path for address in marks.addresses() if marks.is_expired(address)]


def reads(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many values a list of everything reads."""
    seen: list[object] = []
    values = Snapshot.values

    def counting(self: Snapshot, pairs: Iterable[tuple[bytes, Oid]]) -> Iterator[tuple[bytes, bytes]]:
        pairs = list(pairs)
        seen.extend(pairs)
        return values(self, pairs)

    with monkeypatch.context() as patch:
        patch.setattr(Snapshot, "values", counting)
        expired(repository)
    return len(seen)


@built_once
def large(repository: Repository) -> None:
    """A store of many nodes, of whose memories every 500th expires."""
    entries = [(f"Fact {number}.", f"facts.n{number:04}") for number in range(2_000)]
    repository.remember_many(entries)
    for number in range(0, 2_000, 500):
        repository.annotate(f"facts.n{number:04}", expires="2029-01-01")


MARKED = ["facts.n0000", "facts.n0500", "facts.n1000", "facts.n1500"]


def test_what_expires_is_found_in_the_first_list_and_in_later_ones(large: Repository) -> None:
    assert expired(large) == MARKED
    assert expired(large) == MARKED
    assert expired(large, "facts.n0500") == ["facts.n0500"]


def test_what_expires_later_or_has_been_replaced_is_not_marked(repository: Repository) -> None:
    for name, date in (("soon", "2029-01-01"), ("later", "2031-01-01"), ("replaced", "2029-01-01")):
        repository.remember("It holds.", f"a.{name}")
        repository.annotate(f"a.{name}", expires=date)
    repository.remember("It holds for good.", "a.replaced", policy="replace")

    assert expired(repository) == ["a.soon"]


@pytest.mark.slow
def test_a_change_is_seen_wherever_it_is_and_on_every_branch(large: Repository) -> None:
    expired(large)
    large.annotate("facts.n0777", expires="2029-01-01")
    large.annotate("facts.n0500", expires="never")
    large.remember(Memory.of('It says "expires": never.', metadata={"note": '"expires"'}), "facts.quoted")

    assert expired(large) == ["facts.n0000", "facts.n0777", "facts.n1000", "facts.n1500"]
    large.undo(3)
    assert expired(large) == MARKED


@pytest.mark.slow
def test_only_what_is_new_or_beside_what_expires_is_read_again(
    large: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in MARKED:
        large.annotate(path, expires="never")
    assert reads(large, monkeypatch) >= 2_000
    assert reads(large, monkeypatch) == 0
    large.remember("One more.", "facts.n0777b")
    assert 0 < reads(large, monkeypatch) < 500


@pytest.mark.slow
def test_a_cache_that_holds_nonsense_or_cannot_be_written_hides_nothing(
    large: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expired(large)
    (name,) = (each.name for each in (user_folders.cache() or tmp_path).glob("lasting-*"))
    user_folders.write_cached(name, b"nonsense of no length")
    assert expired(large) == MARKED

    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/nowhere")
    assert expired(large) == MARKED


@pytest.mark.slow
def test_a_lost_value_that_is_not_listed_keeps_nobody_from_a_list(
    large: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = Snapshot.values
    snapshot = large.store.head()
    (lost,) = snapshot.tree.get([b"default=facts.n0001"]).values()

    def failing(self: Snapshot, pairs: Iterable[tuple[bytes, Oid]]) -> Iterator[tuple[bytes, bytes]]:
        pairs = list(pairs)
        if any(oid == lost for _, oid in pairs):
            raise DamagedStore("an object is lost")
        return values(self, pairs)

    monkeypatch.setattr(Snapshot, "values", failing)

    lasting = LastingNodes(large.store)
    assert lasting.mentions(snapshot, b"default=facts.n0000", b"default=facts.n0001") == {b"default=facts.n0000"}
    with pytest.raises(DamagedStore):
        lasting.mentions(snapshot, b"default=facts.n0000", b"default=facts.n0002")


def test_a_commit_that_names_a_time_beyond_all_years_is_read(repository: Repository) -> None:
    repository.remember("The licence ends.", "facts.licence", expires="2029-01-01")
    store = repository.store
    far = store.reader.read([store.head().id or Oid()], "commit")[0]
    for word in (b"author", b"committer"):
        far = re.sub(rb"(?m)^(%b .*> )\d+" % word, rb"\g<1>99999999999999999", far)
    commit = store.git.try_run("hash-object", "-t", "commit", "-w", "--stdin", stdin=far).stdout.decode().strip()

    marks = repository.expiry_marks(repository.keys(at=commit), at=commit)

    assert [marks.is_expired(address) for address in marks.addresses()] == [True]
