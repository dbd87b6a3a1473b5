"""Near-duplicates: which memories say the same, and which of them is kept."""

from index.indexing import Contents, memory, memory_store

from memoir.filing.similar import active_memories, near_duplicates

FACT = "The integration tests are run with pytest"
SAME = "Integration tests are run with pytest."


def day(number: int) -> str:
    return f"2026-01-{number:02}T12:00:00Z"


def pairs(contents: Contents, namespaces: tuple[str, ...] = ()) -> dict[str, str]:
    """The full key of each near-duplicate, and that of the memory that is kept."""
    with memory_store() as store:
        matches = near_duplicates(active_memories(store.snapshot(contents), namespaces))
    return {older.address.full_key: newer.address.full_key for older, newer in matches}


def test_the_newest_near_duplicate_is_kept() -> None:
    texts = [FACT, SAME, FACT, SAME]

    contents = {name: [memory(text, day(at))] for at, (name, text) in enumerate(zip("dcba", texts, strict=True), 1)}

    assert pairs(contents) == {
        "default:b": "default:a", "default:c": "default:a", "default:d": "default:a",
    }  # fmt: skip


def test_at_one_time_the_more_confident_is_kept_then_the_first_path() -> None:
    sure, unsure = memory(FACT), memory(SAME)._replace(confidence=0.5)

    assert pairs({"a": [unsure], "b": [sure]}) == {"default:a": "default:b"}
    assert pairs({"b": [sure], "a": [sure]}) == {"default:b": "default:a"}


def test_at_one_path_and_time_the_later_is_kept() -> None:
    with memory_store() as store:
        ((older, newer),) = near_duplicates(active_memories(store.snapshot({"a": [memory(FACT), memory(SAME)]})))

    assert (older.ordinal, newer.ordinal) == (0, 1)


def test_namespaces_and_people_are_kept_apart() -> None:
    contents = {
        "a": [memory(FACT, day(1))], "user:ann:a": [memory(FACT, day(2))],
        "b": [memory(FACT, day(3), person="Ada")], "c": [memory(FACT, day(4), person="Bo")],
        "d": [memory(FACT, day(5), person=["Ada", "Bo"])], "e": [memory(FACT, day(6), person="ADA")],
        "user:bo:a": [memory(FACT, day(1))], "user:bo:b": [memory(FACT, day(2))],
    }  # fmt: skip

    assert pairs(contents) == {"user:bo:a": "user:bo:b"}, "ADA is a name of Ada's that the metadata would lose"
    assert pairs(contents, ("default",)) == {}


def test_contradicting_metadata_keep_both_memories() -> None:
    lunches = [memory("Met Anna for lunch", day(n), occurred_at=f"2026-01-0{n}") for n in (1, 2)]

    assert pairs({"a": [lunches[0]], "b": [lunches[1]]}) == {}
    assert pairs({"a": [lunches[0]], "b": [memory("Met Anna for lunch.", day(2))]}) == {"default:a": "default:b"}


def test_a_superseded_memory_supersedes_nothing() -> None:
    assert pairs({"a": [memory(FACT, day(1))], "b": [memory(FACT, day(2), active=False)]}) == {}
