"""A store's own words as records: added, removed, found damaged, and kept apart from memories."""

import pytest
from orjson import dumps

from memoir import Memory, Repository, WriteOptions
from memoir.english.lexicon.own_words import OwnLine
from memoir.errors import InvalidInput, NotFound
from memoir.memory import soundness
from memoir.memory.export import export_lines
from memoir.records.record import encode
from memoir.store.transaction import Change, write
from memoir.taxonomy.paths import address

BARN = OwnLine(("barn", "the barn"), ("staging cluster", "preprod"))
SECRET = "AKIAIOSFODNN7QRSTUVW"


def lines(repository: Repository) -> list[str]:
    """The lines of a store."""
    return [each.line.text for each in repository.lexicon.list()]


def plant(repository: Repository, key: str, content: str) -> None:
    """Write a record past all guards, as somebody with git may."""
    write(repository.store, lambda head: Change([(address(key).key, encode([Memory.of(content)]))], "x"), reason="x")


def test_words_are_added_once(repository: Repository) -> None:
    assert repository.lexicon.add(BARN.text).lines == [BARN]
    again = repository.lexicon.add("Barn = Preprod, rehearsal")

    assert again.lines == [OwnLine(("Barn",), ("rehearsal",))]
    assert repository.lexicon.add("barn = rehearsals").commit is None
    assert lines(repository) == [BARN.text, "Barn = rehearsal"]


def test_a_name_or_some_of_its_words_are_removed(repository: Repository) -> None:
    repository.lexicon.add(BARN.text)
    repository.lexicon.add("Mercury = billing service")

    assert repository.lexicon.remove("the barn = preprod").lines == [OwnLine(BARN.names, ("preprod",))]
    assert lines(repository) == ["barn, the barn = staging cluster", "Mercury = billing service"]
    repository.lexicon.remove("Barn")
    assert lines(repository) == ["Mercury = billing service"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [("preprod", "memoir lexicon remove 'barn = preprod'"), ("bran", "did you mean 'barn'?"), ("x", "lexicon list")],
)
def test_what_is_no_name_cannot_be_removed(repository: Repository, text: str, hint: str) -> None:
    repository.lexicon.add(BARN.text)

    with pytest.raises(NotFound, match="is not a name here") as failure:
        repository.lexicon.remove(text)
    assert hint in str(failure.value.hint)


def test_a_dry_run_or_a_credential_changes_nothing(repository: Repository) -> None:
    assert repository.lexicon.add(BARN.text, WriteOptions(dry_run=True)).lines == [BARN]
    with pytest.raises(InvalidInput, match="credential"):
        repository.lexicon.add(f"key = {SECRET}")
    with pytest.raises(InvalidInput, match="credential"):
        repository.lexicon.add(BARN.text, WriteOptions(SECRET))
    assert lines(repository) == []
    repository.lexicon.add(BARN.text)
    assert repository.lexicon.remove("barn", WriteOptions(dry_run=True)).lines == [BARN]
    assert lines(repository) == [BARN.text]


def test_the_words_of_a_branch_and_of_a_revision_are_its_own(repository: Repository) -> None:
    repository.lexicon.add(BARN.text)
    repository.branches.create("side")
    repository.lexicon.add("Mercury = billing service", WriteOptions(branch="side"))
    repository.lexicon.remove("barn", WriteOptions(branch="side"))

    def told(text: str, at: str) -> list[str]:
        return [line.text for spot in repository.lexicon.why(text, at=at) for line in spot.lines]

    assert lines(repository) == [BARN.text]
    assert [told(text, "side") for text in ("the barn", "Mercury")] == [[], ["Mercury = billing service"]]
    assert [told(text, "main") for text in ("the barn", "Mercury")] == [[BARN.text], []]


def test_own_words_are_no_memories(repository: Repository) -> None:
    def seen() -> list[object]:
        recalled = [each.path for each in repository.recall("staging").memories]
        moments = [each.target.short_key for each in repository.timeline().moments]
        return [
            recalled,
            moments,
            [*repository.grep("staging|pytest")],
            repository.agents.prime().text.splitlines()[2:],
        ]

    repository.remember(Memory.of("Use pytest."), "preferences.testing")
    before = seen()
    repository.lexicon.add(BARN.text)

    assert seen() == before
    assert repository.summarize().total == 1
    with pytest.raises(InvalidInput, match="only memories can be pinned"):
        repository.agents.pin("memoir:lexicon:barn")


def test_an_export_brings_the_words_along(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> None:
    repository.lexicon.add(BARN.text)
    other = Repository.init(tmp_path_factory.mktemp("other"))

    other.import_lines(export_lines(repository.store.head()))

    assert lines(other) == [BARN.text]


@pytest.mark.parametrize(
    ("path", "content", "why"),
    [
        ("barn", "Do as I say.", "has no '='"), ("stable", BARN.text, "the path of 'barn' is barn"),
        ("barn", "barn  = x1", "not written as memoir writes it"), ("barn", "barn = " + "x" * 1000, "is too long"),
    ],
)  # fmt: skip
def test_what_is_no_line_is_neither_imported_nor_sound_nor_read(
    repository: Repository, path: str, content: str, why: str
) -> None:
    line = dumps({"namespace": "memoir:lexicon", "path": path, "content": content})
    with pytest.raises(InvalidInput) as failure:
        repository.import_lines([line])
    assert why in failure.value.details["lines"][0]["message"]

    plant(repository, f"memoir:lexicon:{path}", content)
    place = address(f"memoir:lexicon:{path}")
    assert why in str(soundness.fault(place.key, encode([Memory.of(content)])))
    assert lines(repository) == []
    assert why in str(repository.upkeep.fsck().report.problems)
    repository.forget(place.full_key)
    assert repository.count() == 0


def test_damage_costs_no_other_line(repository: Repository) -> None:
    repository.lexicon.add(BARN.text)
    write(repository.store, lambda head: Change([(b"memoir:lexicon=x", b"no record")], "x"), reason="x")

    assert lines(repository) == [BARN.text]
    assert repository.recall("where is the barn?").memories == []
