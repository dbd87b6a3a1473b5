"""The table of claims finds the pairs that the rules mark, and no others, whatever else the index holds."""

import json
from pathlib import Path

import pytest
from index.indexing import memory, memory_store

from memoir import Memory
from memoir.english.claims.claims import claims, contradict
from memoir.index.claim_table import disputing
from memoir.index.documents import Place
from memoir.index.view import View
from memoir.taxonomy.paths import address

PAIRS = Path(__file__).parents[2] / "benchmarks" / "pairs" / "pairs.jsonl"


def test_the_pairs_of_the_labelled_ones_are_those_that_the_rules_mark() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    contents = {f"n{at}:a.{side}": [memory(row[side])] for at, row in enumerate(rows) for side in ("one", "other")}
    places: list[Place] = [(address("a.one", f"n{at}"), 0) for at in range(len(rows))]

    with memory_store() as store:
        found = store.index().read(store.snapshot(contents), lambda view: view.contradicting(places))

    marked = [at for at, row in enumerate(rows) if contradict(claims(row["one"]), claims(row["other"]))]
    assert sorted({int(one.namespace[1:]) for (one, _), _ in found}) == marked
    assert len(marked) > 50


def test_what_a_text_contradicts_is_among_what_gives_its_clauses_other_values() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text("utf-8").splitlines()]
    contents = {f"n{at}:a.one": [memory(row["one"])] for at, row in enumerate(rows)}

    def look(view: View) -> set[int]:
        asked = ((at, row["other"], f"n{at}") for at, row in enumerate(rows))
        return {at for at, text, name in asked if view.giving_other_values(text, name, [(address("a.one", name), 0)])}

    with memory_store() as store:
        found = store.index().read(store.snapshot(contents), look)

    assert {at for at, row in enumerate(rows) if contradict(claims(row["one"]), claims(row["other"]))} <= found
    assert len(found) < len(rows) / 2


def texts(*values: int) -> dict[str, list[Memory]]:
    return {f"default:a.p{value}": [memory(f"The port is {value}")] for value in values}


def test_of_a_whole_index_only_what_gives_a_clause_several_values_may_be_in_a_dispute() -> None:
    others = {"default:b.one": [memory("We use Redis")], "work:a.p7": [memory("The port is 7")]}
    with memory_store() as store:
        index, snapshot = store.index(), store.snapshot({**texts(8, 9), **others})

        assert set(index.read(snapshot, lambda view: view.disputable(9))) == {address("a.p8"), address("a.p9")}
        assert index.read(snapshot, lambda view: view.disputable(1)) == [address("a.p9")]


def test_of_one_clause_the_latest_fifty_values_may_be_in_a_dispute() -> None:
    with memory_store() as store:
        index, snapshot = store.index(), store.snapshot(texts(*range(60)))

        assert len(index.read(snapshot, lambda view: view.disputable(99))) == 50


def test_without_a_cache_folder_there_is_no_index_to_dispute_a_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")

    assert claims("We use tabs")
    assert disputing(tmp_path, [("default", "We use tabs")]) == []
