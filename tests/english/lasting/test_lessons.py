"""An agent's statements of fact are told from its reports, and the weights are those of the script."""

import json

import fit_lessons
import pytest

from benchmarks.capture import AGENTS, count
from memoir.english.lasting.lessons import FILE, WEIGHTS, likelihood, signs
from memoir.english.lasting.session_sentences import VectorOf, findings
from memoir.taxonomy.kinds import FACT, RESOLUTION

TURNS = [json.loads(line) for line in AGENTS.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(
    "text",
    [
        "The staging API rejects any key that is longer than 36 characters, so we hash them in `keys.py`.",
        "Timestamps in `events_raw` are in local time, while all other tables have UTC.",
        "Deploys to staging need the VPN, because the gateway in `infra/gw` rejects public addresses.",
    ],
)
def test_how_things_are_is_a_fact_whoever_found_it(text: str) -> None:
    assert [(each.content, each.kind) for each in findings(text, "assistant")] == [(text, FACT)]


def test_what_an_agent_says_that_it_has_learnt_is_a_resolution() -> None:
    text = "Turns out the seed script must run after the migrations."

    assert [each.kind for each in findings(text, "assistant")] == [RESOLUTION]


@pytest.mark.parametrize(
    "text",
    [
        "I renamed the function in all 12 files, and the tests pass now.",
        "Do you want me to keep the old endpoint because of the mobile app?",
        "It may be that the cache in `store.py` never expires.",
        "I'll move the config next, so that the build works again.",
        "Added `retry` to the client and updated the docs.",
    ],
)
def test_a_report_a_question_a_guess_and_a_plan_are_no_captures(text: str) -> None:
    assert findings(text, "assistant") == []


@pytest.mark.parametrize(("vector_of", "share", "others"), [(None, 0.5, 0.2), (fit_lessons.vector_of, 0.65, 0.15)])
def test_of_messages_to_which_nothing_is_fitted_half_of_what_lasts_is_found_and_little_else(
    vector_of: VectorOf | None, share: float, others: float
) -> None:
    found = count([turn for turn in TURNS if turn["set"] in fit_lessons.MEASURED], vector_of)

    assert found["fact found"] / found["fact"] >= share
    assert found["false"] / found["findings"] <= others
    assert found["taken"] / found["others"] <= 0.1


def test_each_sign_has_a_weight_and_each_weight_is_that_of_a_sign() -> None:
    assert {sign for turn in TURNS for sign in signs(turn["text"])} | {"fewer than 6 words"} == WEIGHTS.keys()
    assert 0 < likelihood("Done.") < 0.1


def test_the_weights_of_the_vector_are_what_the_script_fits_to_the_sentences_of_today() -> None:
    assert fit_lessons.digest([*fit_lessons.examples()]) in FILE.read_text("ascii"), "run scripts/fit_lessons.py"


@pytest.mark.slow
def test_the_weights_are_what_the_script_fits_to_the_messages_and_signs_of_today() -> None:
    pytest.importorskip("numpy")
    weights, numbers = fit_lessons.fit([*fit_lessons.examples()])

    assert {name: pytest.approx(pair, abs=0.011) for name, pair in weights.items()} == WEIGHTS
    assert numbers == pytest.approx(list(map(int, FILE.read_text("ascii").splitlines()[1].split())), abs=1)
