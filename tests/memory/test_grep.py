"""Searching contents takes time in proportion to the text, whatever the pattern; the first lines come, if asked for."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support import built_once, without_endless_work

from memoir.errors import InvalidInput
from memoir.memory.facets import ids_of
from memoir.memory.grep import Line, Match, grep
from memoir.records.record import Memory
from memoir.repository.repository import Repository


def search(
    repository: Repository, pattern: str, *, fixed: bool = False, ignore_case: bool | None = False, **options: Any
) -> list[Match]:
    head = repository.store.at(None)
    return list(grep(head, pattern, ["default"], fixed=fixed, ignore_case=ignore_case, **options))


def found(matches: Iterable[Match]) -> list[tuple[int, str, list[tuple[int, int]]]]:
    return [(hit.line.number, hit.line.text, hit.spans) for match in matches for hit in match.lines]


@pytest.mark.parametrize("pattern", ["(a+)+$", r"(\w+\s?)*$", "(a|aa)*$", "a*a*a*a*a*a*a*a*b", "(.*.*.*.*.*)=x"])
def test_search_time_is_linear_for_every_pattern(repository: Repository, pattern: str) -> None:
    repository.remember(Memory.of("a" * 20_000 + "!"), "a.b")

    with without_endless_work():  # an engine that goes back does not come to an end
        assert isinstance(search(repository, pattern), list)


@pytest.mark.parametrize("pattern", ["(" * 5000, "(" * 20, "[", "*", "(?<=x)a", r"(a)\1", "a{1000}{1000}", "\udc80"])
def test_an_invalid_pattern_is_quoted_in_short(repository: Repository, pattern: str) -> None:
    with pytest.raises(InvalidInput, match=r"^not a regular expression: ") as error:
        search(repository, pattern)

    assert len(error.value.message) < 250 and "-F" in str(error.value.hint)


def test_lines_are_matched_one_by_one_in_any_script(repository: Repository) -> None:
    repository.remember(Memory.of("Größe 3\nÉté\nx"), "a.b")

    assert found(search(repository, "^é", ignore_case=True)) == [(2, "Été", [(0, 1)])]
    assert found(search(repository, "ö.e|x$")) == [(1, "Größe 3", [(2, 5)]), (3, "x", [(0, 1)])]
    assert found(search(repository, "ÉTÉ", fixed=True, ignore_case=True)) == [(2, "Été", [(0, 3)])]
    assert search(repository, ".", fixed=True) == []


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        ("dolt", ["dolt", "Dolt"]),
        ("Dolt", ["Dolt"]),
        (r"\bdolt\B\w*|dolt$", ["dolt", "Dolt"]),
        (r"(?P<Name>dolt)", ["dolt", "Dolt"]),
        (r"\p{Ll}olt", ["dolt", "Dolt"]),
        ("[D]olt", ["Dolt"]),
        ("dolt|Ada", ["dolt", "Dolt"]),
        ("ada|Dolt", ["Dolt"]),
    ],
)
def test_a_pattern_without_capitals_matches_them_too(repository: Repository, pattern: str, texts: list[str]) -> None:
    repository.remember(Memory.of("dolt\nDolt"), "a.b")

    assert [text for _, text, _ in found(search(repository, pattern, ignore_case=None))] == texts


def test_whole_words_are_no_parts_of_others_in_any_alphabet(repository: Repository) -> None:
    repository.remember(Memory.of("tea\nteam\nthé\nthéâtre\niced_tea tea"), "a.b")

    matched = found(search(repository, "te|tea|thé", whole_words=True))

    assert matched == [(1, "tea", [(0, 3)]), (3, "thé", [(0, 3)]), (5, "iced_tea tea", [(9, 12)])]


def test_a_match_that_reaches_into_a_word_hides_no_shorter_one_of_whole_words(repository: Repository) -> None:
    repository.remember(Memory.of("a xb a b bc\nxa a b\nab\na a a"), "a.b")

    assert found(search(repository, "a.*b", whole_words=True)) == [
        (1, "a xb a b bc", [(0, 8)]), (2, "xa a b", [(3, 6)]), (3, "ab", [(0, 2)])
    ]  # fmt: skip
    assert found(search(repository, "a a|a", whole_words=True))[-1] == (4, "a a a", [(0, 3), (4, 5)])
    assert found(search(repository, "a a", fixed=True, whole_words=True)) == [(4, "a a a", [(0, 3)])]
    assert found(search(repository, "a b", fixed=True, whole_words=True)) == [
        (1, "a xb a b bc", [(5, 8)]), (2, "xa a b", [(3, 6)])
    ]  # fmt: skip


def test_fixed_text_has_no_escapes_so_every_capital_of_it_counts(repository: Repository) -> None:
    repository.remember(Memory.of("a\\W\na\\w"), "a.b")

    assert [text for _, text, _ in found(search(repository, r"a\W", fixed=True, ignore_case=None))] == ["a\\W"]


@built_once
def chat(repository: Repository) -> None:
    """A store that has ingested a talk, and holds turns of another one as memories."""
    turns = [
        ("Caroline", "Hey!"),
        ("Melanie", "What is new?"),
        ("Caroline", "I wrote to an agency.\nIt is for adoption.\n"),
        ("Melanie", "How long will it take?"),
    ]
    talk = repository.path.with_name("talk.jsonl")
    talk.write_text("".join(json.dumps({"speaker": who, "content": words}) + "\n" for who, words in turns))
    repository.sources.ingest(talk)
    for number in (9, 10, 11):
        repository.remember(Memory.of(f"Eve: turn {number}"), f"chat.t_{number}")
    repository.remember(Memory.of("turn away"), "chat.other")


def test_a_line_of_a_talk_names_who_says_it_even_if_the_name_is_lines_above(chat: Repository) -> None:
    (match,) = chat.grep("for adoption", sources="only")
    (hit,) = match.lines

    assert (match.address.namespace, hit.line.number) == ("default:raw", 4)
    assert (hit.line.speaker, hit.line.said) == ("Caroline", "Caroline: It is for adoption.")
    assert [line.said for line in chat_lines(chat, "new")] == ["Melanie: What is new?"]


def test_a_line_behind_a_date_names_its_own_speaker(repository: Repository, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text("13/05/23, 10:00 - Ada: Hi.\n13/05/23, 10:01 - Ben: It is new,\nreally new.\n")
    repository.sources.ingest(talk)

    (match,) = repository.grep("new", sources="only")

    assert [hit.line.said for hit in match.lines] == ["Ben: It is new,", "Ben: really new."]
    assert list(repository.grep("Hi", person="Ada")) and not list(repository.grep("new", person="Ada"))


def test_the_lines_of_a_time_alone_are_found(repository: Repository) -> None:
    for day in ("2026-01-30", "2026-01-31", "2026-02-01"):
        repository.remember(Memory(f"Lunch of {day}", 1.0, f"{day}T12:00:00Z"), f"food.day_{day[8:]}")

    def days(since: str | None = None, until: str | None = None) -> list[str]:
        found = repository.grep("lunch", since=since, until=until)
        return [hit.line.text[-2:] for match in found for hit in match.lines]

    assert sorted(days()) == ["01", "30", "31"]
    assert sorted(days(since="2026-01-31")) == ["01", "31"]
    assert sorted(days(until="2026-01-31")) == ["30", "31"]
    assert days(since="2026-01-31", until="2026-01-31") == ["31"]
    repository.remember(Memory("Lunch of 19", 1.0, "1960-01-01T00:00:00Z"), "food.long_ago")
    assert sorted(days(until="2026-01-30")) == ["19", "30"]
    with pytest.raises(InvalidInput, match="later"):
        days(since="2026-02-01", until="2026-01-31")


def test_a_line_of_a_talk_has_the_address_of_its_passage(chat: Repository) -> None:
    for pattern in ("agency", "for adoption", "How long"):
        ((hit,),) = (match.lines for match in chat.grep(pattern, sources="only"))
        (passage,) = chat.get(hit.target.full_key) or ()

        assert pattern in passage.content and hit.target.names_passage


def test_a_line_that_ends_like_an_earlier_one_has_the_address_of_its_own_passage(
    repository: Repository, tmp_path: Path
) -> None:
    turns = [("Ada", "Maybe."), ("Ben", "Why not now?"), ("Ada", "Let me think of it. Maybe.")]
    talk = tmp_path / "talk.jsonl"
    talk.write_text("".join(json.dumps({"speaker": who, "content": words}) + "\n" for who, words in turns))
    repository.sources.ingest(talk)

    (match,) = repository.grep("maybe")

    assert [hit.target.id for hit in match.lines] == ["p1", "p3"]


def test_a_namespace_that_has_only_sources_is_searched(repository: Repository, tmp_path: Path) -> None:
    talk = tmp_path / "talk.txt"
    talk.write_text("Ada: Shall we go?\nBen: Why not now?\n")
    repository.sources.ingest(talk, namespace="work")

    assert [match.address.namespace for match in repository.grep("now")] == ["work:raw"]
    assert [match.address.namespace for match in repository.grep("now", namespaces=["work"])] == ["work:raw"]
    assert {hit.address.namespace for hit in repository.recall("Why not now?", namespace="work").memories} == {
        "work:raw"
    }


def test_what_was_taken_from_a_talk_word_for_word_is_shown_once(chat: Repository) -> None:
    assert [match.address.namespace for match in chat.grep("agency")] == ["default:raw"]
    assert [match.address.namespace for match in chat.grep("agency", sources="no")] == ["default"]


def chat_lines(chat: Repository, pattern: str) -> list[Line]:
    return [hit.line for match in chat.grep(pattern, sources="only") for hit in match.lines]


def test_lines_around_a_match_are_of_neighbours_in_a_sequence_and_of_no_other_memory(chat: Repository) -> None:
    (turn,) = chat.grep("turn 10", context=1)
    (other,) = chat.grep("turn away", context=1)
    (agency,) = chat.grep("agency", sources="only", context=2)

    assert [line.text for line in (*turn.lines[0].before, *turn.lines[0].after)] == ["Eve: turn 9", "Eve: turn 11"]
    assert (other.lines[0].before, other.lines[0].after) == ((), ())
    assert [line.said for line in agency.lines[0].after] == [
        "Caroline: It is for adoption.", "Melanie: How long will it take?",
    ]  # fmt: skip


def test_memories_and_what_was_said_are_searched_but_insights_only_by_name(chat: Repository) -> None:
    def places(**options: Any) -> set[str]:
        return {match.address.namespace for match in chat.grep("agency|turn", **options)}

    assert places() == places(namespaces=["default"]) == {"default", "default:raw"}
    assert places(sources="no") == {"default"}
    assert places(sources="only") == places(namespaces=["default:raw"]) == {"default:raw"}
    with pytest.raises(InvalidInput, match="sources"):
        places(sources="maybe")


def test_a_line_names_its_memory_where_several_stand_at_the_path(repository: Repository) -> None:
    repository.remember(Memory.of("Bo met Anna"), "a.alone")
    several = Memory.of("Anna has\ntwo cats, Anna says"), Memory.of("Anna sings")
    for memory in several:
        repository.remember(memory, "a.several", policy="append")
    first, second = ids_of(several)

    targets = [hit.target.short_key for match in search(repository, "Anna") for hit in match.lines]

    assert targets == ["a.alone", f"a.several#{first}", f"a.several#{first}", f"a.several#{second}"]


def test_as_many_lines_come_as_are_wanted_in_all_and_for_each_word(repository: Repository) -> None:
    repository.remember(Memory.of("She swims.\nShe swims a mile.\nShe hikes."), "a")
    repository.remember(Memory.of("She hikes again."), "b")

    def lines(limit: int | None = None, each: int | None = None) -> tuple[list[str], bool]:
        found = repository.grep("swim|hike", limit=limit, each=each)
        return [hit.line.text for match in found for hit in match.lines], found.has_more

    assert lines(limit=2) == (["She swims.", "She swims a mile."], True)
    assert lines(each=1) == (["She swims.", "She hikes."], True)
    assert lines(limit=4) == lines() == lines(each=2) and lines()[1] is False
    with pytest.raises(InvalidInput, match="limit"):
        repository.grep("swim", limit=0)


def test_the_best_line_for_a_word_is_one_about_what_all_the_words_are_about(repository: Repository) -> None:
    repository.remember(Memory.of("He came running across the seats.\nI started running, and I swim too."), "a")
    repository.remember(Memory.of("Did you play tennis?\nThe tennis match was hard.\nOur yoga class is at five."), "b")

    found = repository.grep(r"runn\w+|swim|tennis|yoga", each=1)

    assert [hit.line.text for match in found for hit in match.lines] == [
        "I started running, and I swim too.",
        "The tennis match was hard.",
        "Our yoga class is at five.",
    ]


def test_all_forms_of_a_word_are_one(repository: Repository) -> None:
    repository.remember(Memory.of("We hike.\nWe hiked with Ada in Norway.\nShe hikes."), "a")

    (match,) = repository.grep(r"hik\w+", each=1)

    assert [hit.line.text for hit in match.lines] == ["We hiked with Ada in Norway."]
