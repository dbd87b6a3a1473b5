"""Words that tell facts apart."""

import pytest

from memoir.memory.policy import confirm, repeats
from memoir.memory.record import Memory
from memoir.memory.wording import as_written


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I use vi", "I  use\tvi"),
        ("I use vi", " I use vi\n"),
        ("jobs:\n  test: {}", "\njobs:  \n  test: {}\n"),
    ],
)
def test_white_space_tells_nothing_apart(one: str, other: str) -> None:
    assert as_written(one) == as_written(other)
    assert repeats(Memory.of(one), Memory.of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ship it?", "Ship it."),
        ("Ship it!", "Ship it"),
        ("She likes go", "She likes Go"),
        ("Run a", "Run"),
        ("Polish the report", "polish the report"),
        ("Let's eat, Grandma", "Let's eat Grandma"),
        ("Don't use tabs", "Do not use tabs"),
        ("don't", "don’t"),
        ("the tests", "tests"),
        ("We use the R language", "We use the C language"),
        ("I deploy from drive C", "I deploy from drive D"),
        ("staging host is db-a.internal", "staging host is db-b.internal"),
        ("Team A owns the API", "Team B owns the API"),
        ("clean up with rm -r", "clean up with rm -f"),
        ("pip install -e .", "pip install ."),
        ("pip install -e .", "pip install -e"),
        ("I prefer .NET", "I prefer net"),
        ("deploy to US", "deploy to us"),
        ("use C++", "use C"),
        ("tabs before spaces", "spaces before tabs"),
        ("my key", "your key"),
        ("Use plan A for the release.", "Use the plan for release."),
        ("I take vitamin A", "I take a vitamin"),
        ("press `a` to append", "press to append"),
        ("exit with :q!", "exit with :q"),
        ("a String? field", "a String field"),
        ("the cable is 5' long", 'the cable is 5" long'),
        ("trinkt in Maßen", "trinkt in Massen"),
        ("jobs:\n  test: {}", "jobs:\n    test: {}"),
        ("port 8080:", "port 8080"),
        ("call 'make'", "call I am"),
        (
            "Rollbacks are done by Alice " + "on every single weekday " * 20,
            "Rollbacks are done by Carol " + "on every single weekday " * 20,
        ),
    ],
)
def test_what_tells_facts_apart_is_kept(one: str, other: str) -> None:
    assert as_written(one) != as_written(other)
    assert not repeats(Memory.of(one), Memory.of(other))


@pytest.mark.parametrize(
    ("kept", "added", "repeated"),
    [
        ({}, {"source": "a"}, True),
        ({"source": "a"}, {}, True),
        ({"source": "a"}, {"source": "b"}, False),
        ({"tag": ["a"]}, {"tag": ["b"]}, True),
        ({"person": "Ada"}, {"person": "Bo"}, False),
        ({"person": ["Ada"]}, {"person": ["Bo"]}, False),
        ({"links": {"calls": ["a"]}}, {"links": {"calls": ["b"], "causes": ["c"]}}, True),
        ({"at": {"line": 1}}, {"at": {"line": 2}}, False),
        ({"filing": {"by": "rules"}}, {"filing": {"by": "model"}}, True),
    ],
)
def test_a_memory_is_repeated_only_if_nothing_of_its_metadata_would_be_lost(
    kept: dict[str, object], added: dict[str, object], repeated: bool
) -> None:
    one, other = Memory.of("x y", metadata=kept), Memory.of("x y", metadata=added)

    assert repeats(one, other) is repeated
    if repeated:
        outcome = confirm((one,), other)
        assert outcome
        (confirmed,) = outcome.record
        for name, value in added.items():
            held = confirmed.metadata[name]
            if name == "links":
                assert held == {"calls": ["a", "b"], "causes": ["c"]}
            elif name == "tag":
                assert held == ["a", "b"]
            elif name != "filing":
                assert held == value


def test_what_holds_since_an_earlier_time_is_no_repetition() -> None:
    known = Memory.of("Met Anna for lunch", timestamp="2024-01-01")

    assert confirm((known,), Memory.of("Met Anna for lunch", timestamp="2024-05-01"))
    assert confirm((known,), Memory.of("Met Anna for lunch", timestamp="2023-12-31")) is None
