"""Standing instructions and facts are told from tasks, questions, thanks, suppositions and quotations."""

import json

import fit_lasting
import pytest
from support import PROJECT, without_endless_work

from benchmarks.capture import count
from memoir.english.lasting.lasting_clauses import find_lasting
from memoir.english.lasting.lasting_words import clauses_of, judge
from memoir.english.lasting.session_sentences import RETRACTION, findings
from memoir.taxonomy.kinds import DIRECTIVE

TURNS = [json.loads(line) for line in (PROJECT / "benchmarks/turns/turns.jsonl").read_text("utf-8").splitlines()]

LABELS = ("", "directive", "preference", "change", "fact", "decision")


def contents(text: str, role: str = "user") -> list[str]:
    return [finding.content for finding in findings(text, role) if finding.kind != RETRACTION]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({turn["set"] for turn in TURNS} - fit_lasting.MEASURED))
def test_half_are_found_and_of_ten_findings_at_most_one_is_none(name: str) -> None:
    counts = count([turn for turn in TURNS if turn["set"] == name])
    found, labelled = (sum(counts[f"{kind}{end}"] for kind in LABELS) for end in (" found", ""))

    assert 2 * found >= labelled > 0
    assert 10 * counts["false"] <= counts["findings"]
    assert 10 * counts["taken"] <= counts["others"]


def test_what_is_found_of_turns_that_nothing_is_fitted_to() -> None:
    counts = count([turn for turn in TURNS if turn["set"] == "last"])

    assert counts["directive found"] >= 0.7 * counts["directive"] > 0
    assert counts["preference found"] >= 0.45 * counts["preference"] > 0
    assert counts["change found"] >= 0.5 * counts["change"] > 0
    assert counts["taken"] <= 0.05 * counts["others"]
    assert counts["false"] <= 0.06 * counts["findings"]


def test_a_value_that_is_unlikely_to_last_needs_a_unit() -> None:
    assert contents("I've now had three rounds of review on that. Can you read it too, and say what you think?") == []
    assert contents("I'm trying to speed up the login, which currently takes around 500ms. Can you read it too?") != []


def test_what_no_rule_finds_is_found_by_its_words() -> None:
    text = "Any draft you hand me needs a word count on top"

    assert not [*find_lasting(text)]
    assert [(each.kind, each.content) for each in findings(text, "user")] == [("directive", text)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'm vegetarian.", "fact"),
        ("I’m colour-blind", "fact"),
        ("I only drink oat milk.", "preference"),
        ("I mostly read on paper", "preference"),
    ],
)
def test_two_words_say_who_somebody_is_and_only_says_what_they_choose(text: str, kind: str) -> None:
    assert [(each.kind, each.content) for each in findings(text, "user")] == [(kind, text)]


@pytest.mark.parametrize(
    "text",
    ["I'm back.", "I'm done", "I only use it once", "I only drink this one", "Only in this report use short words"],
)
def test_what_somebody_is_or_does_for_the_moment_is_not_taken(text: str) -> None:
    assert contents(text) == []


@pytest.mark.parametrize("text", ["Is 31 days in August", "are my invoices always late"])
def test_a_question_is_none_the_less_one_without_its_mark(text: str) -> None:
    assert contents(text) == []


def test_what_somebody_asks_to_be_remembered_is_taken_whatever_it_is() -> None:
    assert contents("Remember that pears make me sneeze") == ["pears make me sneeze"]


def test_beside_a_likelier_clause_one_has_to_be_surer() -> None:
    text, likelier = "Yoga is every second week now", "Never write in capitals in anything you send me."

    assert contents(text) == [text]
    assert contents(f"{likelier} {text}") == [likelier]


def test_of_a_long_turn_a_clause_has_to_be_surer() -> None:
    ((alone,),) = clauses_of([text := "Give me the answer in a table"])
    *_, (among,) = clauses_of(["Look at the plan.", "It is open.", "They came at four.", "He left.", text])

    assert judge(among.features).share < judge(alone.features).share


@pytest.mark.parametrize("text", ["Of these I prefer the second draft", "I never know what to say here"])
def test_what_a_rule_finds_is_not_taken_if_its_words_make_it_unlikely(text: str) -> None:
    assert [*find_lasting(text)]
    assert contents(f"{text}. Can you check it?") == []


def test_the_sentences_of_others_between_quotation_marks_are_not_what_the_user_says() -> None:
    assert contents('"Why is it red? Our cat is never let out of the house."') != []
    assert contents('"Always knock first. Never leave the door open. Our cat is shy." is that sign polite?') == []


def test_only_the_sentence_is_taken_and_a_sentence_that_points_back_takes_the_one_before() -> None:
    text = "Fix the parser, please. We never log personal data. Thanks!"
    assert contents(text) == ["We never log personal data."]
    assert contents("We log in UTC only. Never in local time.") == ["We log in UTC only. Never in local time."]
    assert contents("Fix the parser. Never push on Fridays.") == ["Never push on Fridays."]
    assert contents("Why does it fail? Always run the linter first.") == ["Always run the linter first."]


@pytest.mark.parametrize(
    "text",
    [
        "```\n# always call this first\n```\nwhy is it None?",
        "> we always use tabs\nis that true?",
        "2026-11-22 10:00:00 ERROR the server must always be set",
        "the issue says: 'we always return 200'. can you reproduce it?",
        "translate: our team never sleeps",
    ],
)
def test_code_logs_and_quotations_are_not_what_the_user_says(text: str) -> None:
    assert contents(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "staging is barn-02 and listens on port 8011",
        "the admin's id is `root-city`, from the header X-City-User",
        "the config lives in deploy/prod.toml",
    ],
)
def test_where_something_is_is_kept(text: str) -> None:
    assert contents(text) == [text]


@pytest.mark.parametrize(
    "text",
    ["the error is in `foo()`", "is staging on port 8011?", "the failing test is tests/test_a.py, can you look"],
)
def test_where_something_fails_is_not_kept(text: str) -> None:
    assert contents(text) == []


@pytest.mark.parametrize(
    "text", ["I will remember that.", "I have noted it and scheduled the command for 18:30.", "I'll always remember"]
)
def test_an_agent_that_only_says_that_it_has_heard_has_learnt_nothing(text: str) -> None:
    assert findings(text, "assistant") == []


def test_of_a_request_the_clauses_that_last_are_taken() -> None:
    text = "I'm trying to bake bread, but I've switched to 2 ovens, and I prefer rye, so can you find a recipe?"

    assert [(each.kind, each.content) for each in findings(text, "user")] == [
        ("fact", "I've switched to 2 ovens"),
        ("preference", "I prefer rye"),
    ]
    assert findings(text, "assistant") == []
    assert contents("I prefer rye, please find a recipe.") == ["I prefer rye"]


def test_how_things_are_is_taken_where_it_is_all_that_is_said() -> None:
    assert contents("My seating chart is full of dates") == ["My seating chart is full of dates"]
    assert contents("My seating chart is full of dates. How do I stop Excel?") == []
    assert contents("My rent went from 900 to 950. How do I pay less?") == ["My rent went from 900 to 950."]
    assert contents("my manager is moving to Berlin") == ["my manager is moving to Berlin"]
    assert contents("my boss is breathing down my neck so be quick") == []


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("always use tabs and never push on Fridays", ["always use tabs", "never push on Fridays"]),
        ("Please always use tabs; don't add comments", ["Please always use tabs", "don't add comments"]),
        ("When you deploy, always run the tests and never skip the lint", None),
        ("Always use tabs and never spaces", None),
        ("Never push on Fridays and never without a review", None),
        ("Always run the tests and push", None),
        ("From now on, always run the linter before you push", None),
    ],
)
def test_rules_that_are_said_together_are_several_if_each_can_stand_alone(text: str, rules: list[str] | None) -> None:
    found = findings(text, "user")

    assert [each.content for each in found] == (rules or [text])
    assert {each.kind for each in found} == {DIRECTIVE}


def test_of_a_sentence_that_somebody_dictates_the_clauses_are_taken_too() -> None:
    for length in (40, 400):
        text = f"{'I want to see it, ' * length} and we've moved to Porto, can you help?"

        assert contents(text) == ["we've moved to Porto"]


@pytest.mark.parametrize(
    "text",
    [
        "I'm trying to draw a map with a maximum width of 900 pixels.",
        "For two cards I should use the other rule.",
        "My settings are:",
        "The pictures aren't showing up.",
        "It's clear how our rota works now.",
    ],
)
def test_trouble_wishes_and_what_leads_to_something_are_nothing_to_remember(text: str) -> None:
    assert contents(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Use the metric system when you write down sizes", "directive"),
        ("Never give the door code to anybody without my OK", "directive"),
        ("Plan a walk every Monday without me asking", "directive"),
        ("I can't stand raisins", "preference"),
        ("Give me tea over coffee any time", "preference"),
        ("I find bright themes hard on my eyes", "preference"),
        ("I much prefer short shelves", "preference"),
        ("Ada runs the rota now, not Ben", "fact"),
        ("Yoga is every second week now", "fact"),
        ("The rent went from 900 to 950", "fact"),
    ],
)
def test_rules_preferences_and_changes_are_told_apart(text: str, kind: str) -> None:
    assert [each.kind for each in findings(text, "user")] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "My aunt says you should never wash mushrooms.",
        "My old colleague prefers tabs",
        "My sister in law swears by a plan for the week",
        "always get a blank page when I click save, why?",
        "240 thousand over three years",
    ],
)
def test_the_words_of_others_and_complaints_are_nothing_to_remember(text: str) -> None:
    assert contents(text) == []


def test_what_somebody_never_did_is_no_rule() -> None:
    text = "I've never baked bread, but I want to learn it."

    assert [(each.kind, each.content) for each in findings(text, "user")] == [("fact", "I've never baked bread")]


def test_a_retraction_is_shown_as_one() -> None:
    assert [(each.kind, each.content) for each in findings("Never mind what I said about pnpm.", "user")] == [
        (RETRACTION, "Never mind what I said about pnpm.")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "a" * 499,
        "a " * 249,
        "as " * 166 + "x",
        "we " * 50_000,
        "never, " * 20_000,
        "\n".join(["our x is y."] * 20_000),
    ],
)
def test_a_long_text_takes_no_long_time(text: str) -> None:
    findings(text[:20_000], "user")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("correction: make fmt is slow, run `just fmt` instead", ["make fmt is slow, run `just fmt` instead"]),
        ("Small correction to the plan: the number ends in 4471.", ["the number ends in 4471."]),
        ("that's wrong again. the gateway listens on 8443", ["the gateway listens on 8443"]),
        ("correction: the second one", []),
        ("Correction: use the blue button for this page instead", []),
        ("Correction: I meant line 40 of the file", []),
        ("Correction: is that really the right port?", []),
    ],
)
def test_what_corrects_is_kept(text: str, kept: list[str]) -> None:
    assert contents(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("don't unwrap in lib code. ever.", "don't unwrap in lib code. ever."),
        (
            "the vendor dir is generated. hands off, don't edit anything in there",
            "the vendor dir is generated. hands off, don't edit anything in there",
        ),
        ("we ditched kafka in march. it's NATS everywhere now", "we ditched kafka in march. it's NATS everywhere now"),
        (
            "could you please run pnpm install rather than npm install whenever you need a dependency?",
            "run pnpm install rather than npm install whenever you need a dependency",
        ),
    ],
)
def test_what_needs_the_sentence_before_is_kept_with_it(text: str, kept: str) -> None:
    assert contents(text) == [kept]


@pytest.mark.parametrize("text", ["don't you agree? always.", "Rename getUser to fetchUser. Everywhere."])
def test_what_says_always_of_a_question_or_everywhere_of_a_task_is_no_rule(text: str) -> None:
    assert contents(text) == []


@pytest.mark.parametrize("text", ["I said the handler, not the middleware.", "No worries at all, take your time"])
def test_what_is_said_of_the_talk_is_none(text: str) -> None:
    assert contents(text) == []


def test_what_is_found_of_corrections_that_no_rule_was_written_for() -> None:
    counts = count([turn for turn in TURNS if turn["set"] == "rebukes"])

    assert counts["directive found"] + counts["change found"] >= 0.75 * (counts["directive"] + counts["change"]) > 0
    assert counts["taken"] <= 0.05 * counts["others"]


@pytest.mark.parametrize("text", ["use" + " " * 100_000 + "x", "use" + "\n" * 100_000 + "x", "“" * 50_000])
def test_no_turn_takes_long(text: str) -> None:
    with without_endless_work():
        assert findings(text, "user") == []
