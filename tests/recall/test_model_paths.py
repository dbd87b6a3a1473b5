"""Prompts that ask for paths, and a model's picks in any format of its answer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.recall import model_paths
from memoir.recall.model_paths import Choice, parse_choice
from memoir.taxonomy.paths import Address, address


def test_data_is_inserted_once() -> None:
    tail = model_paths.PROMPTS.fill("select", query="{inventory}", inventory="{number} {query}", number="\\1")

    assert "{inventory}" in tail and "{number} {query}" in tail and "\\1" in tail


OFFERED_PATHS = [
    address(key) for key in ("preferences.coding", "preferences.coding.testing", "work.tools", "context", "x.1")
]


def _paths(answer: str) -> list[str]:
    return [pick.path for pick in parse_choice(answer, OFFERED_PATHS).picks]


@pytest.mark.parametrize(
    "answer",
    [
        "work.tools\npreferences.coding",
        "\n\n  work.tools  \r\n\tpreferences.coding\n",
        "- work.tools\n- preferences.coding",
        "* work.tools\n• preferences.coding",
        "1. work.tools\n2. preferences.coding",
        "1) work.tools\n2) preferences.coding",
        "- `work.tools`\n- **preferences.coding**",
        "1. **work.tools** — about tools\n2. **`preferences.coding`** – about coding",
        "'work.tools'\n“preferences.coding”",
        "```\nwork.tools\npreferences.coding\n```",
        "Here they are:\n\n~~~text\nwork.tools\npreferences.coding\n~~~\nHope this helps!",
        "```work.tools```\n```preferences.coding```",
        "work.tools — because it has tools, work.secret and context\npreferences.coding - likewise",
        "work.tools: it has tools\npreferences.coding: it has code",
        "work.tools (3 memories)\npreferences.coding (single, 1)",
        'work.tools (single, 1): "Use make, not context"\npreferences.coding (aggregated, 2): "a"',
        "work.tools.\npreferences.coding.",
        "work.tools, preferences.coding",
        "`work.tools`, `preferences.coding`.",
        "work.tools (1, single), preferences.coding (2 memories)",
        "work.tools; preferences.coding",
        "work.tools, preferences.coding — both fit, unlike context",
        '["work.tools", "preferences.coding"]',
        '[\n  "work.tools",\n  "preferences.coding",\n]',
        '["work.tools", "preferences.coding"',
        '{"paths": ["work.tools", "preferences.coding"], "reason": "because"}',
        'Of course:\n```json\n{"paths": ["work.tools", "preferences.coding"]}\n```\nIt is clear.',
        '[{"path": "work.tools", "why": "context"}, {"path": "preferences.coding"}]'.replace('"context"', '"it fits"'),
        "default:work.tools\ndefault:preferences.coding",
        "work.tools\nwork.tools\npreferences.coding\nwork.tools",
        "work.unknown\nwork.tools\npreferences.coding.unknown\npreferences.coding",
        "work.tools.*\npreferences.coding/",
    ],
)
def test_a_choice_is_read_in_many_forms(answer: str) -> None:
    assert parse_choice(answer, OFFERED_PATHS) == Choice((OFFERED_PATHS[2], OFFERED_PATHS[0]), none=False)


@pytest.mark.parametrize(
    "answer",
    [
        "I would choose preferences.coding.testing because it fits.",
        "The best of them, preferences.coding, is about code.",
        "For work, work.tools is best.",
        "See (work.tools) or 'preferences.coding'.",
        "preferences.codin",
        "Preferences.Coding",
        "preferences coding",
        "preferences.coding.testing.deeper",
        "preferences",
        "coding.testing",
        "other:work.tools",
        "context is not relevant to this",
        "```context",
        "",
        "```\n```",
        "{}",
        "[1, 2, null]",
        "nonesuch",
    ],
)
def test_a_mentioned_or_misspelled_path_is_not_picked(answer: str) -> None:
    assert parse_choice(answer, OFFERED_PATHS) == Choice((), none=False)


@pytest.mark.parametrize(
    "answer",
    [
        "NONE",
        "none",
        "None.",
        " **NONE** ",
        "`none`",
        "```\nNONE\n```",
        "- NONE",
        "NONE — nothing here is about that.",
        "NONE: nothing fits\n\n- preferences.coding: is about code instead",
        "None of the paths are relevant.",
        "I looked at all of them.\n\nNONE",
        '["NONE"]',
        '{"paths": ["none"]}',
        "[]",
        '{"paths": []}',
    ],
)
def test_none_is_read_in_many_forms(answer: str) -> None:
    assert parse_choice(answer, OFFERED_PATHS) == Choice((), none=True)


def test_a_path_named_after_none_is_picked() -> None:
    assert _paths("None of them is perfect, but these are close:\nwork.tools") == ["work.tools"]


def test_a_path_called_none_is_a_path() -> None:
    assert parse_choice("none", [address("none")]) == Choice((address("none"),), none=False)


def test_a_single_word_is_picked_only_by_itself() -> None:
    for answer in ("context", "- context", "context: 12", "context (12)", "context — it is current", "context, x.1"):
        assert _paths(answer)[0] == "context", answer


def test_numbers_may_be_segments() -> None:
    places = [address("1"), address("2024.notes")]
    assert parse_choice("1. 2024.notes\n2. 1", places).picks == (places[1], places[0])
    assert parse_choice("1\n2024.notes", places).picks == tuple(places)


def test_a_namespace_can_be_left_out_if_only_one_has_the_path() -> None:
    places = [address(key) for key in ("user:alice:work.tools", "user:bob:work.tools", "user:bob:work.hours")]

    assert parse_choice("work.hours\nwork.tools", places).picks == (places[2],)
    assert parse_choice("user:bob:work.tools: his tools", places).picks == (places[1],)
    assert parse_choice("bob:work.tools", places).picks == ()


_LETTERS = st.sampled_from("aZ09_éßж漢कि")
_SEGMENTS = st.builds(str.__add__, st.sampled_from("aZ1_éж漢क"), st.text(_LETTERS | st.just("-"), max_size=4))
_PATHS = st.lists(_SEGMENTS, min_size=1, max_size=3).map(".".join)
_ADDRESSES = st.builds(Address, st.sampled_from(["default", "user:alice", "bob@home"]), _PATHS)
_LINES = ["{}", "- {}", "* {}", "• {}", "`{}`", '"{}"', "- **{}**", "{} — because", "{}: reason", "{} (3 memories)"]


def _forms(names: list[str]) -> list[str]:
    """Every way in which a model may write a list of paths."""
    forms = ["\n".join(line.format(name) for name in names) for line in _LINES]
    forms += ["\n".join(f"{n}{mark} {name}" for n, name in enumerate(names, 1)) for mark in ".)"]
    forms += [f"```\n{forms[0]}\n```", f"Sure!\n```text\n{forms[0]}\n```", ", ".join(names)]
    as_json = [json.dumps(names), json.dumps(names, indent=2, ensure_ascii=False), json.dumps({"paths": names})]
    return forms + as_json + [f"```json\n{as_json[1]}\n```", as_json[1].replace('"\n]', '",\n]')]


@given(st.data(), st.sets(_ADDRESSES, min_size=1, max_size=8))
def test_any_choice_in_any_form_is_read_back(data: st.DataObject, places: set[Address]) -> None:
    order = data.draw(st.permutations(sorted(places)))
    picks = tuple(order[: data.draw(st.integers(1, len(order)))])
    paths = [place.path for place in places]
    short = data.draw(st.booleans())
    names = [p.path if short and paths.count(p.path) == 1 else p.full_key for p in picks]

    for form in _forms(names):
        assert parse_choice(form, places) == Choice(picks, none=False), form


@given(st.text() | st.text('abz.:-_`"[]{},()\n 1*#\\\u2028'), st.sets(_ADDRESSES, max_size=4))
def test_any_text_can_be_parsed(answer: str, places: set[Address]) -> None:
    assert set(parse_choice(answer, places).picks) <= places


@pytest.mark.parametrize("answer", ["[" * 100_000, "[" * 400 + "]" * 400, '{"a":' * 100_000, "[" + "9" * 10_000 + "]"])
def test_very_deep_or_large_json_can_be_parsed(answer: str) -> None:
    assert parse_choice(answer, OFFERED_PATHS) == Choice((), none=False)
