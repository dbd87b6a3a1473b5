"""Finding near-duplicates: what comparing each with each would find, and the newest of them stands."""

import json
import math
from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from index.indexing import Contents, hashing, memory, memory_store, name

from memoir.filing import duplicates as module
from memoir.filing.duplicates import Duplicate, duplicates
from memoir.filing.sameness import THRESHOLD, say_the_same
from memoir.index.embedders.embedder import Embedder, Vector
from memoir.index.vectors import unit
from memoir.memory.record import Memory
from memoir.taxonomy.paths import Address, address

FACT = "The integration tests of the billing service are run with pytest in parallel"


def day(number: int) -> str:
    return f"2026-01-{number:02}T12:00:00Z"


def found(
    contents: Contents, threshold: float = THRESHOLD, embedder: Embedder | None = None, namespaces: Sequence[str] = ()
) -> list[Duplicate]:
    with memory_store() as store:
        return store.index().read(
            store.snapshot(contents),
            lambda database: duplicates(database, embedder or hashing(), threshold, namespaces),
        )


def pairs(contents: Contents, **options: Any) -> dict[str, str]:
    """Each superfluous memory's full key, and that of the one that stands for it."""
    return {older.address.full_key: newer.address.full_key for older, newer, _ in found(contents, **options)}


def test_of_two_that_say_the_same_the_newer_stands() -> None:
    contents = {"z": [memory(FACT, day(1))], "a": [memory(FACT + "!", day(2))], "b": [memory("I like owls.", day(3))]}

    (only,) = found(contents)

    assert (only.older.content, only.newer.content) == (FACT, FACT + "!")
    assert (only.older.address.path, only.newer.address.path) == ("z", "a")
    assert only.cosine == pytest.approx(1)


def test_the_newest_of_many_stands_for_all() -> None:
    contents = {name(number): [memory(FACT + "!" * number, day(number))] for number in (1, 2, 3, 4)}

    assert set(pairs(contents).values()) == {f"default:{name(4)}"} and len(pairs(contents)) == 3


def test_they_are_listed_by_their_paths() -> None:
    contents = {path: [memory(FACT, day(number))] for number, path in enumerate(["c", "b", "d", "a"], 1)}

    assert list(pairs(contents)) == ["default:b", "default:c", "default:d"]


def test_namespaces_are_kept_apart() -> None:
    contents = {
        "a": [memory(FACT, day(1))], "user:ann:a": [memory(FACT, day(2))],
        "user:bo:a": [memory(FACT, day(3))], "user:bo:b": [memory(FACT, day(4))],
    }  # fmt: skip

    assert pairs(contents) == {"user:bo:a": "user:bo:b"}


def test_only_the_namespaces_asked_for_are_looked_at() -> None:
    contents = {f"{space}:{path}": [memory(FACT, day(1 + (path == "b")))] for space in ("x", "y") for path in "ab"}

    assert pairs(contents, namespaces=["y"]) == {"y:a": "y:b"}
    assert len(pairs(contents, namespaces=["x", "y"])) == len(pairs(contents)) == 2
    assert pairs(contents, namespaces=["nobody"]) == {}


def test_people_are_kept_apart() -> None:
    contents = {
        "a": [memory(FACT, day(1), person="Ada")], "b": [memory(FACT, day(2), person="Bo")],
        "c": [memory(FACT, day(3))], "d": [memory(FACT, day(4), person=["Ada", "Bo"])],
        "e": [memory(FACT, day(5), person="ADA")], "f": [memory(FACT, day(6), person=["Bo", "Ada"])],
    }  # fmt: skip

    assert pairs(contents) == {"default:a": "default:e", "default:d": "default:f"}


def test_what_is_superseded_neither_stands_nor_goes() -> None:
    contents = {"a": [memory(FACT, day(1))], "b": [memory(FACT, day(2), active=False)]}

    assert pairs(contents) == {}


def test_a_path_may_say_the_same_twice() -> None:
    (only,) = found({"a": [memory(FACT, day(1)), memory("I like owls.", day(2)), memory(FACT, day(3))]})

    assert (only.older.ordinal, only.newer.ordinal) == (0, 2)


def test_of_one_instant_the_later_in_a_record_is_the_newer() -> None:
    """A record is oldest first, whatever its clock says."""
    (only,) = found({"a": [memory(FACT, day(1)), memory(FACT + "!", day(1))]})

    assert (only.older.ordinal, only.newer.ordinal) == (0, 1)


class Along:
    """An embedder for which texts lie along an arc by their last letters, ten degrees from one to the next."""

    name, learned, trust, floor = "along", False, 1.0, 0.0

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        angles = [math.radians(10 * ord(text[-1])) for text in texts]
        turned = [[angle + plane for plane in range(60)] for angle in angles]
        return [array("f", [part(angle) for angle in row for part in (math.cos, math.sin)]) for row in turned]


def along(**numbers: int) -> dict[str, str]:
    """Which of the texts on an arc say the same if fifteen degrees do, by the letters that end them."""
    contents = {letter: [memory(f"{FACT} x{letter}", day(number))] for letter, number in numbers.items()}
    found_ = pairs(contents, embedder=Along(), threshold=math.cos(math.radians(15)))
    return {older[-1]: newer[-1] for older, newer in found_.items()}


def test_what_is_gone_stands_for_nothing() -> None:
    """c is like b, and b like a, but c is not like a: it stays, because b does not."""
    assert along(c=1, b=2, a=3) == {"b": "a"}
    assert along(d=1, c=2, b=3, a=4) == {"b": "a", "d": "c"}


def test_a_middle_one_that_is_newest_stands_for_both_sides() -> None:
    assert along(c=1, a=2, b=3) == {"a": "b", "c": "b"}


@pytest.mark.parametrize("threshold", [0.5, THRESHOLD, 1.0])
def test_equal_texts_are_as_like_as_can_be(threshold: float) -> None:
    texts = ["I like owls.", "vi", FACT, "zebra and lion", "a fox in the snow", "The build takes an hour.", "日本語"]
    contents = {
        f"{space}{number}": [memory(text, day(1 + (space == "b")))]
        for number, text in enumerate(texts) for space in "ab"
    }  # fmt: skip

    assert pairs(contents, threshold=threshold) == {
        f"default:a{number}": f"default:b{number}" for number in range(len(texts))
    }


def test_texts_without_a_word_that_counts_are_like_nothing() -> None:
    contents = {"a": [memory("It is what it was.", day(1))], "b": [memory("We are who we were.", day(2))],
                "c": [memory("?!", day(3))], "d": [memory(FACT, day(4))]}  # fmt: skip

    assert pairs(contents) == {}


def test_an_empty_store_has_none() -> None:
    assert found({}) == []


EDITS = ["", "!", " today", " right now", " please", " for Ada", " in 2 shards", " in 3 shards", " and never alone"]
STARTS = ["", "Note: ", "note that ", "Never forget: "]
TEXTS = st.one_of(
    st.builds(lambda start, end: start + FACT + end, st.sampled_from(STARTS), st.sampled_from(EDITS)),
    st.builds(
        lambda at, char: FACT[:at] + char + FACT[at + 1 :], st.integers(0, len(FACT) - 1), st.sampled_from(" aXs9")
    ),
    st.builds(lambda at: " ".join(FACT.split()[:at] + FACT.split()[at + 1 :]), st.integers(0, 12)),
    st.sampled_from(["I like owls.", "I like owls", "vi", "Vi!", "vim", "the of", "to be"]),
)
HELD = st.lists(
    st.tuples(TEXTS, st.sampled_from(["default", "default", "user:ann"]), st.sampled_from([None, None, "Ada"])),
    max_size=12,
)


def exhaustively(contents: Contents, threshold: float, embedder: Embedder) -> dict[str, str]:
    """The same by comparing each memory with all that stand, the newest first."""
    stand: list[tuple[Address, Memory, Vector]] = []
    gone: dict[str, str] = {}
    for key, (one,) in sorted(contents.items(), key=lambda item: item[1][0].timestamp, reverse=True):
        place, vector = address(key), unit(embedder.embed([one.content])[0])
        for other_place, other, other_vector in stand:
            cosine = sum(a * b for a, b in zip(vector, other_vector, strict=True))
            together = place.namespace == other_place.namespace and one.metadata == other.metadata
            if together and say_the_same(other.content, one.content, cosine, threshold):
                gone[place.full_key] = other_place.full_key
                break
        else:
            stand.append((place, one, vector))
    return gone


@given(HELD, st.sampled_from([0.8, 0.9, 0.95]))
@settings(max_examples=60)
def test_they_are_those_that_comparing_each_with_each_finds(
    held: list[tuple[str, str, str | None]], threshold: float
) -> None:
    contents = {
        f"{space}:{name(number)}": [
            memory(text, day(1 + number))._replace(metadata={"person": person} if person else {})
        ]
        for number, (text, space, person) in enumerate(held)
    }

    assert pairs(contents, threshold=threshold) == exhaustively(contents, threshold, hashing())


class Dense:
    """An embedder without zeros: `x stands` lies anywhere, `x stands firm` at about a given cosine from it."""

    name, learned, trust, floor = "dense", False, 1.0, 0.0

    def __init__(self, cosine: float) -> None:
        self._cosine = cosine

    def embed(self, texts: Sequence[str], *, query: bool = False) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        base, noise = (Random(seed) for seed in (text.split()[0], text))
        share = self._cosine if text.endswith("firm") else 1.0
        rest = math.sqrt(1 - share**2)
        return array("f", [share * base.gauss(0, 1) + rest * noise.gauss(0, 1) for _ in range(256)])


@pytest.mark.parametrize("threshold", [0.95, 0.9, 0.8, 0.5])
def test_however_low_the_threshold_what_is_like_enough_is_found(threshold: float) -> None:
    embedder = Dense(threshold + 0.02)
    contents = {
        f"{name(number)}.{kind}": [memory(f"{name(number)} stands{word}", when)]
        for number in range(40)
        for kind, word, when in (("new", "", day(2)), ("old", " firm", day(1)))
    }

    expected = exhaustively(contents, threshold, embedder)

    assert len(expected) > 20
    assert pairs(contents, threshold=threshold, embedder=embedder) == expected


def test_few_of_all_pairs_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a store of thousands would take minutes."""
    facts = Path(__file__).with_name("facts.jsonl").read_text().splitlines()[:200]
    compared = []

    def noted(one: str, other: str, cosine: float, threshold: float) -> bool:
        compared.append((one, other))
        return say_the_same(one, other, cosine, threshold)

    monkeypatch.setattr(module, "say_the_same", noted)
    found({name(number): [memory(json.loads(fact)["text"], day(1))] for number, fact in enumerate(facts)})

    assert len(compared) < len(facts) * (len(facts) - 1) / 2 / 4
