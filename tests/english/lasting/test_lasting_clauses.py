"""The lasting clauses of requests, each in its own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.english.lasting.lasting_clauses import find_lasting, is_request, split_clauses
from memoir.taxonomy.kinds import DIRECTIVE, EVENT, FACT, PREFERENCE


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("I prefer tea, so can you change the order?", ["I prefer tea", "can you change the order?"]),
        ("Could you check it, please? I'm new here", ["Could you check it", "please? I'm new here"]),
        ("We ship in May and I need a banner but my printer is slow", [
            "We ship in May", "I need a banner", "my printer is slow",
        ]),
        ("A plan: we rent a van - how much is that?", ["A plan", "we rent a van", "how much is that?"]),
        ("I like salty, crunchy snacks and fruit", ["I like salty, crunchy snacks and fruit"]),
        ("I bought a bike, which is red, and a lock", ["I bought a bike, which is red, and a lock"]),
        ("I want to be sure that I pass", ["I want to be sure that I pass"]),
        ("As of June we meet on Mondays, considering my train is late", [
            "As of June we meet on Mondays", "my train is late",
        ]),
        (", and ", []),
        ("", []),
    ],
)  # fmt: skip
def test_a_clause_begins_where_somebody_does_something_or_a_question_begins(sentence: str, clauses: list[str]) -> None:
    assert split_clauses(sentence) == clauses


@given(
    st.lists(st.sampled_from(["I ", "and ", "so ", "my ", "can you ", "tea", ", ", "; ", " - ", "?", "given that "]))
)
def test_each_clause_stands_in_the_sentence_word_for_word(words: list[str]) -> None:
    sentence = "".join(words)
    at = 0
    for clause in split_clauses(sentence):
        assert clause.strip()
        at = sentence.index(clause, at) + len(clause)


def found(sentence: str) -> list[tuple[str, str]]:
    return [(kind, text) for kind, text in find_lasting(sentence)]


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("My stove is small, so I'd rather bake bread in a pan, can you adapt it?", "I'd rather bake bread in a pan"),
        ("Can you plan the day, I really like quiet museums", "I really like quiet museums"),
        ("I always use metric units, so what is that in litres?", "I always use metric units"),
        ("Small steps work best for me, could you cut the task?", "Small steps work best for me"),
        ("Can you shorten it because I like plain words better?", "I like plain words better"),
    ],
)
def test_a_preference_is_kept_without_the_request_around_it(sentence: str, clause: str) -> None:
    assert (PREFERENCE, clause) in found(sentence)


@pytest.mark.parametrize("helper", ["A sketch helps", "Sketches help", "Sketches really help"])
def test_what_helps_somebody_is_a_preference(helper: str) -> None:
    assert found(f"{helper} me to understand it, so please draw one") == [(PREFERENCE, f"{helper} me to understand it")]


@pytest.mark.parametrize(
    "wish", ["I was wondering if you could help me understand it", "I think this will really help me understand it"]
)
def test_what_is_to_help_once_is_none(wish: str) -> None:
    assert found(f"Here is a sum, and {wish}") == []


@pytest.mark.parametrize(
    ("sentence", "clause"),
    [
        ("The deadline is now 3 May, can you move the reminders?", "The deadline is now 3 May"),
        ("I'm trying to meet the new limit of 20 pages, but how?", "I'm trying to meet the new limit of 20 pages"),
        ("We've increased the cache to 64 GB, so why is it slow?", "We've increased the cache to 64 GB"),
        ("Instead of paper we use a shared calendar now, could you print it?",
         "Instead of paper we use a shared calendar now"),
        ("I'm worried about my rent of 900, what can I do?", "I'm worried about my rent of 900"),
        ("Can you help me to stay within my budget of 300 for the trip?",
         "my budget of 300 for the trip"),
        ("I see that we trimmed the form from 30 fields to 12, so why is it slow?",
         "I see that we trimmed the form from 30 fields to 12"),
    ],
)  # fmt: skip
def test_a_new_value_or_a_term_lasts_even_if_it_stands_in_what_is_tried_or_asked(sentence: str, clause: str) -> None:
    assert [text for _, text in found(sentence)] == [clause]


@pytest.mark.parametrize(
    ("sentence", "kind", "clause"),
    [
        ("I'm a nurse in Leeds and I'd like to run, any ideas?", FACT, "I'm a nurse in Leeds"),
        ("Please redo the query, we use MariaDB 11 at work", FACT, "we use MariaDB 11 at work"),
        ("My daughter is allergic to nuts, so which of these are safe?", FACT, "My daughter is allergic to nuts"),
        ("I've decided against the loan, can you recalculate?", EVENT, "I've decided against the loan"),
        ("I passed the exam with 82 points and now I'd like a harder one", EVENT, "I passed the exam with 82 points"),
        ("I've never baked before, so where do I start?", EVENT, "I've never baked before"),
        ("From now on round all prices, and can you redo the first table?", DIRECTIVE, "From now on round all prices"),
    ],
)
def test_facts_events_and_rules_are_kept_as_such(sentence: str, kind: str, clause: str) -> None:
    assert found(sentence) == [(kind, clause)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Can you explain how a heat pump works?",
        "I'm trying to understand why my loop never ends, could you look at it?",
        "I've tried turning it off, but the light still blinks, what now?",
        "I want to make sure I'm using the right form, can you check?",
        "I'm not sure which of these two is right",
        "I've been considering ways to learn Rust, any ideas?",
        "I've been using the following query on Postgres 16, is it right?",
        "Would I prefer the red one?",
        "Suppose I earn 4,000 and my rent is 900, what is left?",
        "If my budget is 500, can I buy both?",
        "I get an error 500 when I press save",
        "My build is failing with exit code 137, any ideas?",
        "We need to migrate the table by Friday",
        "He always wins, so how do I beat him?",
        "so P(A or B) = P(A) + P(B), right?",
        "",
    ],
)
def test_what_is_about_the_moment_does_not_last(sentence: str) -> None:
    assert found(sentence) == []


def test_a_request_asks_or_says_what_is_tried() -> None:
    assert is_request("We moved to Porto, can you help?")
    assert is_request("I'm trying to bake.")
    assert not is_request("We moved to Porto, and my cat came along.")


@given(st.lists(st.sampled_from(["I ", "my ", "prefer ", "by ", "May 3", " to 5", "now ", ", so ", "?", "if ", "`"])))
def test_any_sentence_is_read_and_what_lasts_stands_in_it(words: list[str]) -> None:
    sentence = "".join(words)
    assert all(text.strip() and text in sentence for _, text in find_lasting(sentence))
