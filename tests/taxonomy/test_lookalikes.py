"""Paths that could be taken for others are not made; those that are there are read."""

import re
from pathlib import Path

import pytest

from memoir.errors import InvalidInput
from memoir.filing.classifier import third_level
from memoir.filing.naming import Namer
from memoir.filing.regression import static_meaning
from memoir.memory.export import export_lines
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory, encode
from memoir.repository.repository import Repository
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import address, check_new

SECRET = "The key is AKIAIOSFODNN7QRSTUVW."
ALIKE = {
    "а.b": "cyrillic small letter a", "pаypal.x": "mixes scripts: .*cyrillic small letter a", "a.сахар": "looks Latin",
    "αι.x": "greek small letter alpha", "ａ.b": "fullwidth", "ﬁ.b": "ligature", "１.b": "fullwidth digit one",
    "a.ſ": "another form of 's'", "中文ж": "mixes scripts: .*letter zhe",
    "한국ひらがな": "hiragana letter hi", "a٣": "arabic-indic digit three",
    "a.b\u3164c": "cannot be seen", "a.b\u1160c": "cannot be seen", "a.b\u115fc": "cannot be seen",
    "a.b\uffa0c": "cannot be seen", "a.b\ufe0fc": "cannot be seen",
}  # fmt: skip


@pytest.mark.parametrize("path", ALIKE)
def test_no_path_is_made_that_could_be_taken_for_another(repository: Repository, path: str) -> None:
    line = f'{{"path": "{path}", "content": "x"}}'.encode()
    repository.remember(Memory.of("x"), "there")

    with pytest.raises(InvalidInput, match=ALIKE[path]) as error:
        repository.remember(Memory.of("x"), path)
    assert error.value.hint
    with pytest.raises(InvalidInput, match="not importable") as error:
        repository.import_lines([b'{"path": "fine", "content": "x"}', line])
    assert [(bad["line"], bool(re.search(ALIKE[path], bad["message"]))) for bad in error.value.details["lines"]] == [
        (2, True)
    ]
    assert [place.path for place in repository.keys([])] == ["there"]


@pytest.mark.parametrize("blank", "\u115f\u1160\u2800\u3164\uffa0\ufe0f")
def test_the_path_that_is_proposed_has_nothing_that_cannot_be_seen(blank: str) -> None:
    with pytest.raises(InvalidInput) as error:
        check_new(address(f"rules.Ignore{blank}all"))
    assert error.value.hint == "did you mean 'rules.Ignoreall'?"
    with pytest.raises(InvalidInput) as error:
        check_new(address(f"rules.{blank}"))
    assert error.value.hint and blank not in error.value.hint


@pytest.mark.parametrize("name", ["ａ", "tеam", "а", "user:а"])
def test_a_namespace_is_a_path_too(repository: Repository, name: str) -> None:
    with pytest.raises(InvalidInput, match="could be taken for another"):
        repository.remember(Memory.of("x"), "a.b", namespace=name)


@pytest.mark.parametrize(
    "path",
    ["preferences.кофе", "проект.тест", "сахар", "日本語のtest", "カタカナ.中文abc", "한국어abc", "café.é",
     "ελιά.x", "น้ำ", "हिन्दी.x", "עברית"],
)  # fmt: skip
def test_what_people_write_in_their_own_script_is_accepted(path: str) -> None:
    assert check_new(address(path)).path == path


@pytest.mark.parametrize("name", ["user:алиса", "команда", "小明@例え"])
def test_so_is_a_namespace_in_their_own_script(name: str) -> None:
    assert check_new(address("notes.x", name)).namespace == name


def test_what_is_there_already_is_read_and_written(repository: Repository) -> None:
    place = address("а.b")
    write(repository.store, lambda head: Change([(place.key, encode([Memory.of("old")]))], "old"), reason="old")

    repository.remember(Memory.of("new"), "а.b", policy="append")
    repository.import_lines(['{"path": "а.b", "content": "third"}'.encode()], policy="append")
    assert [facet.content for facet in repository.get("а.b") or ()] == ["old", "new", "third"]
    repository.forget("а.b")
    assert list(repository.keys([])) == []


def test_what_a_store_exports_can_be_imported(repository: Repository, tmp_path: Path) -> None:
    edits = [(address(path).key, encode([Memory.of(SECRET)])) for path in ("plain", *ALIKE)]
    write(repository.store, lambda head: Change(sorted(edits), "older"), reason="older")
    lines = list(export_lines(repository.store.head()))

    with Repository.init(tmp_path / "renewed") as copy:
        with pytest.raises(InvalidInput) as refusal:
            copy.import_lines(lines)
        assert re.findall("--allow-[a-z-]+", refusal.value.hint or "") == ["--allow-secret", "--allow-look-alike"]
        copy.import_lines(lines, allow_look_alikes=True, options=WriteOptions(allow_secrets=True))
        again = [line.replace(b'{"origin":["import"]}', b"{}") for line in export_lines(copy.store.head())]
        assert again == lines


def test_filing_names_no_such_path() -> None:
    text = "Ｐｙｔｈｏｎ pythonистам сахар"

    assert third_level(Namer(text, static_meaning(text)), "preferences.coding", text) == "general"
