"""A review in Markdown, whatever memories say."""

import re

from hypothesis import given
from hypothesis import strategies as st

from memoir.answers.code import MARKER, code, markdown
from memoir.git.objects import Oid
from memoir.layers.code_memories import ChangeReview
from memoir.memory.revisions import Difference
from memoir.records.record import Memory
from memoir.taxonomy.paths import address


def review_of(*contents: str) -> ChangeReview:
    differences = [
        Difference(address(f"a.n{number}"), "added", None, (Memory.of(text),)) for number, text in enumerate(contents)
    ]
    return ChangeReview(Oid(b"1" * 20), Oid(b"2" * 20), "main", differences, [], [], complete=True)


@given(st.text(st.sampled_from("ab `\n<>@#[]()!*_\\\u202e\x1b")))
def test_a_text_stays_within_its_code(text: str) -> None:
    shown = code(text)

    fence = re.match("`+", shown)
    assert fence
    inner = shown[len(fence[0]) : -len(fence[0])]
    assert shown.startswith(fence[0]) and shown.endswith(fence[0])
    assert all(len(run) < len(fence[0]) for run in re.findall("`+", inner))
    assert "\n" not in shown and "\u202e" not in shown and "\x1b" not in shown


@given(st.lists(st.text(min_size=1, max_size=80).filter(str.strip), max_size=15), st.integers(400, 1000))
def test_a_comment_keeps_to_its_length_and_counts_what_it_leaves_out(contents: list[str], most: int) -> None:
    found = review_of(*contents)

    lines = markdown(found, most)

    assert lines[0] == MARKER
    assert sum(len(line) + 1 for line in lines) <= most
    whole = markdown(found, 10**9)
    if len(lines) < len(whole):
        (left_out,) = re.findall(r"and (\d+) more lines", lines[-1])
        assert len(lines) - 2 + int(left_out) == len(whole)
    else:
        assert lines == whole
