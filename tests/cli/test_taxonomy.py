"""A store's own categories, as versioned as its memories."""

import json

import pytest
from support import Memoir


@pytest.mark.parametrize("about", ["Dogs & cats", "!", "x – y", "…"])
def test_punctuation_is_ignored_as_evidence(memoir: Memoir, about: str) -> None:
    memoir.ok("taxonomy", "add", "animals", "--about", about, "--example", "- my dog & I -", "--cue", "&")

    assert memoir.json("remember", "I prefer tabs over spaces in Go code.")["key"].startswith("preferences.")


def test_repeating_a_change_makes_no_commit(memoir: Memoir) -> None:
    (memoir.folder / "own.toml").write_text('[zoo]\nabout = "Animals"\n')
    for args in (
        ("add", "cook", "--about", "Food", "--cue", "soup"), ("load", "own.toml", "--extend"), ("load", "own.toml"),
    ):  # fmt: skip
        assert memoir.json("taxonomy", *args)["commit_hash"]
        before = memoir.ok("log", "--oneline")
        memoir.json("taxonomy", *args)
        assert memoir.ok("log", "--oneline") == before


def test_a_merge_decides_for_the_taxonomy_too(memoir: Memoir) -> None:
    memoir.ok("taxonomy", "add", "cook", "--about", "base")
    memoir.ok("branch", "x")
    memoir.ok("taxonomy", "add", "cook", "--about", "from x", "--branch", "x", MEMOIR_NOW="2026-01-03T00:00:00Z")
    memoir.ok("taxonomy", "add", "cook", "--about", "from main", MEMOIR_NOW="2026-01-04T00:00:00Z")

    memoir.ok("merge", "x", "--strategy", "theirs")

    (cook,) = [each for each in memoir.json("taxonomy")["categories"] if each["path"] == "cook"]
    assert cook["about"] == memoir.content("memoir:taxonomy:cook") == "from x"


def test_memories_stay_out_of_it(memoir: Memoir) -> None:
    memoir.remember("r.a", "x")
    memoir.ok("taxonomy", "add", "cook", "--about", "Food")

    assert memoir.run("mv", "r.a", "memoir:taxonomy:r.a").status == 2
    assert memoir.run("mv", "memoir:taxonomy:cook", "default:cook").status == 2
    line = {"namespace": "memoir:taxonomy", "path": "a.b.c", "content": "x"}
    assert memoir.run("import", "-", stdin=json.dumps(line)).status == 2
    assert memoir.run("import", "-", stdin=json.dumps({**line, "path": "cook.soup"})).status == 0


def test_a_second_level_whose_first_another_side_dropped_is_listed_by_its_whole_path(memoir: Memoir) -> None:
    memoir.ok("taxonomy", "add", "cook", "--about", "Food")
    memoir.ok("branch", "x")
    memoir.ok("taxonomy", "add", "cook.bread", "--about", "Bread", "--branch", "x")
    assert "\n  bread               Bread\n" in memoir.ok("taxonomy", "--branch", "x")
    memoir.ok("taxonomy", "reset")
    memoir.ok("merge", "x")

    assert "\ncook.bread            Bread\n" in memoir.ok("taxonomy")
