"""What `deep` reads from a model's answers, however they are dressed up."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples

from memoir.recall.deep_plan import (
    EXPANSIONS,
    LONGEST,
    Expansion,
    SufficiencyVerdict,
    read_expansions,
    read_verdict,
)

ANSWER = {"sufficient": False, "reasoning": "no", "gaps": ["where"], "key_information": ["Ada"], "evidences": [2]}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (json.dumps(ANSWER), SufficiencyVerdict(False, ("where",), ("Ada",), (2,))),
        (f"Well:\n```json\n{json.dumps(ANSWER)}\n```\nDone.", SufficiencyVerdict(False, ("where",), ("Ada",), (2,))),
        ('{"sufficient": "Yes", "evidences": ["[1]", "3", "it says so", 9, true]}',
         SufficiencyVerdict(True, (), (), (1, 3, "it says so", "9"))),
        ('{"sufficient": true, "gaps": "none", "key_information": null}', SufficiencyVerdict(True, ("none",), (), ())),
        ('{"sufficient": "perhaps"}', None),
        ('{"enough": true}', None),
        ("Yes, it is sufficient.", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_verdict(answer: str, verdict: SufficiencyVerdict | None) -> None:
    assert read_verdict(answer, 3) == verdict


@pytest.mark.parametrize(
    ("answer", "expansions"),
    [
        ("lex: Quillon owner\nvec: who runs it?", (("lex", "Quillon owner"), ("vec", "who runs it?"))),
        (
            "Here you are:\n\n1. **LEX:** a b\n- hyde: \"Ines runs it.\"\n* `vec`: c",
            (("lex", "a b"), ("hyde", "Ines runs it."), ("vec", "c")),
        ),
        ("```\nlex: a\nlex: A\nlex: a\nlex: b\nlex: c\n```", (("lex", "a"), ("lex", "A"), ("lex", "b"))),
        ("vec: Where is it?\nlex: it", (("lex", "it"),)),
        ("lex: ", None),
        ("None of these would help.", ()),
        ("I would search for lex and vec.", None),
    ],
)  # fmt: skip
def test_expansions(answer: str, expansions: tuple[tuple[str, str], ...] | None) -> None:
    expected = None if expansions is None else tuple(Expansion(*each) for each in expansions)

    assert read_expansions(answer, "where is it?") == expected


@settings(max_examples=examples(30))
@given(st.text(max_size=60), st.integers(0, 30))
def test_no_answer_is_too_odd(answer: str, most: int) -> None:
    expansions = read_expansions(f"lex: {answer}", "?") or ()
    verdict = read_verdict(json.dumps({"sufficient": True, "evidences": [answer]}), most)

    assert len(expansions) <= EXPANSIONS and all(len(each.text) <= LONGEST for each in expansions)
    assert verdict and all(isinstance(each, str) or 1 <= each <= most for each in verdict.evidences)
