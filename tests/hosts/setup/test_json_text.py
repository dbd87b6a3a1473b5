"""Changes of JSON text: what is inserted can be cut out again, and nothing else moves."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples

from memoir.errors import InvalidInput
from memoir.hosts.setup.json_text import insert, load, parse, remove

names = st.sampled_from(["a", "b", "hooks", 'q"u,o{te', "é"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
indents = st.sampled_from([None, 2, 4, "\t"])


@settings(max_examples=examples(40))
@given(st.dictionaries(names, values, max_size=4), indents, st.sampled_from(["", "\n"]))
def test_what_is_inserted_can_be_cut_out_again(value: dict[str, Any], indent: Any, end: str) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False) + end

    after = insert(text, ("new", "list", -1), {"x": [1, "]"]})

    assert json.loads(after) == {**value, "new": {"list": [{"x": [1, "]"]}]}}
    before = remove(after, ("new", "list", 0))
    assert json.loads(before) == value
    assert before == text if value else before.strip() == "{}"


@settings(max_examples=examples(40))
@given(st.lists(st.integers(), min_size=1, max_size=4), st.data())
def test_an_item_goes_with_its_comma(items: list[int], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(items) - 1))
    text = json.dumps({"keep": 1, "list": items})

    rest = items[:at] + items[at + 1 :]
    assert json.loads(remove(text, ("list", at))) == ({"keep": 1, "list": rest} if rest else {"keep": 1})


@given(values, st.data())
def test_an_edit_keeps_every_byte_around_it(value: Any, data: st.DataObject) -> None:
    """Any layout: the blanks between the tokens are the user's, and whatever is neither put in nor cut out stays."""
    tokens = json.JSONEncoder(ensure_ascii=False).iterencode({"old": value, "list": [1, value], "last": 2})
    text = "".join(lay_out(token, data) for token in tokens)

    after = insert(text, ("list", -1), "new")
    before, rest = split_around(text, after)
    assert before + rest == text and json.loads(after)["list"] == [1, value, "new"]
    assert remove(after, ("list", 2)) == text

    for path in (("old",), ("list", 1), ("list",), ("last",)):
        assert is_cut_out(text, remove(text, path))


BLANKS = st.text(" \t\n", max_size=2)


def lay_out(token: str, data: st.DataObject) -> str:
    """A token of JSON with blanks around it; those of the encoder are one value, mark or bracket each."""
    return data.draw(BLANKS) + token + data.draw(BLANKS) if token.strip() in "{}[]," else token


def split_around(text: str, longer: str) -> tuple[str, str]:
    """The beginning and the end that a text shares with a longer one."""
    at = next((n for n, (one, two) in enumerate(zip(text, longer, strict=False)) if one != two), len(text))
    return text[:at], longer[len(longer) - (len(text) - at) :]


def is_cut_out(text: str, shorter: str) -> bool:
    """Whether a text is another one without one piece."""
    before, _ = split_around(shorter, text)
    return text.startswith(before) and text.endswith(shorter[len(before) :])


def test_the_users_own_layout_stays() -> None:
    text = '{\n\t"hooks": {"Stop": [ {"a": 1} ]}, "z": 1e5 }\n'

    after = insert(text, ("hooks", "Stop", -1), {"b": 2})

    assert after.startswith('{\n\t"hooks": {"Stop": [ {"a": 1},\n') and after.endswith(' ]}, "z": 1e5 }\n')
    assert remove(after, ("hooks", "Stop", 1)) == text
    assert remove(text, ("no", "such")) == text


@pytest.mark.parametrize("path", [("hooks", "Stop", -1), ("z",)])
def test_a_file_keeps_its_ends_of_lines(path: tuple[str | int, ...]) -> None:
    text = '{\r\n  "hooks": {\r\n  }\r\n}\r\n'

    after = insert(text, path, {"b": [2]})

    assert after.count("\n") == after.count("\r\n") > text.count("\n")
    assert json.loads(after)


COMMENTED = """\
{
  // mine, {"a": 1,}
  "theme": "dark // no comment, }", /* and
  so on */
  "hooks": {
    "Stop": [ {"a": 1}, ], // the first
    // "Start": []
  },
}
"""


@pytest.mark.parametrize("text", [COMMENTED, COMMENTED.replace("\n", "\r\n"), "\ufeff" + COMMENTED])
@pytest.mark.parametrize("path", [("hooks", "Stop", -1), ("hooks", "Start", -1), ("more",)], ids=str)
def test_comments_and_a_comma_after_the_last_member_stay(text: str, path: tuple[str | int, ...]) -> None:
    after = insert(text, path, {"b": "// 2"})

    before, rest = load(text), load(after)
    assert before != rest
    place = (*path[:-1], 1 if path[1:2] == ("Stop",) else 0) if path[-1] == -1 else path
    assert load(remove(after, place)) == before
    for changed in (after, remove(after, place)):
        assert all(
            comment in changed.replace("\r", "")
            for comment in ("// mine, {", "so on */", "// the first\n", '\n    // "Start": []')
        )


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ('{"a": 1, // one\n "b": 2 // two\n}', '{"a": 1 // one\n // two\n}'),
        ('{"b": 2, // two\n "a": 1}', '{ // two\n"a": 1}'),
        ('{/* all */ "b": 2 // two\n}', "{/* all */ // two\n}"),
        ('{"b": 2 // two\n, "a": 1}', '{ // two\n"a": 1}'),
    ],
)
def test_a_comment_stays_when_its_value_is_cut_out(text: str, rest: str) -> None:
    assert remove(text, ("b",)) == rest
    assert load(rest) == {key: value for key, value in load(text).items() if key != "b"}


@pytest.mark.parametrize(
    ("text", "words"),
    [('{"a": 1} // mine', "comments"), ('\ufeff{"a": 1}', "byte order mark"), ('{"a": 1', "not plain JSON: .* line 1")],
)
def test_a_host_that_reads_plain_json_alone_says_what_is_in_the_way(text: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        parse(text, strictly=True)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", '{"a": 1} / no', '{"a": 1,,}', "{,}", '{"a": 1 /* b }', '{"hooks": {}, "hooks": {}}',
        '{"hooks": 3}', "[" * 9999,
    ],
)  # fmt: skip
def test_what_cannot_be_changed_without_loss_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        insert(text, ("hooks", "Stop", -1), 1)
