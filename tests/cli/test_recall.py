"""`memoir recall` and `memoir explain`, as a user runs them."""

import json
from pathlib import Path
from typing import Any

import pytest
from messages_api import MessagesApi, error
from support import Memoir, built_once

QUESTION = "how do we run the tests?"


@built_once
def store(memoir: Memoir) -> None:
    """A store of four memories in two namespaces."""
    memoir.remember("preferences.coding.testing", "Run the tests with pytest, in parallel.")
    memoir.remember("preferences.coding.style", "Lines are 120 characters wide.")
    memoir.remember("debugging.ci.timeouts", "CI times out when the cache is cold.", "--meta", "person=Ada")
    memoir.remember("preferences.reviews.tone", "Reviews are kind.", "-n", "user:alice")
    memoir.ok("recall", QUESTION)  # which builds the index


def paths(answer: dict[str, Any]) -> list[str]:
    return [memory["path"] for memory in answer["memories"]]


def test_without_a_model_recall_ranks_and_reports_it(store: Memoir) -> None:
    answer = store.json("recall", QUESTION)

    assert paths(answer)[0] == "preferences.coding.testing"
    assert (answer["mode"], answer["degraded"], answer["metadata"]["embedder"]) == ("simple", None, "static-1")
    assert answer["metadata"]["usage"]["calls"] == 0


def test_a_question_needs_no_quotes(store: Memoir) -> None:
    answer = store.json("recall", "how", "do", "we", "run", "the", "tests", "-l", "1")

    assert (answer["query"], paths(answer)) == ("how do we run the tests", ["preferences.coding.testing"])


def test_fields_of_metadata_and_weights_hold_for_a_question_and_for_each_line_of_a_batch(store: Memoir) -> None:
    options = ("--where", "person=Ada", "--weight", "vectors=0", "--weight", "concepts=0")
    narrow = store.json("recall", QUESTION, *options, "--trace")
    lines = b'{"query": "tests"}\n{"query": "cold cache"}\n{"query": "tests", "where": []}\n'
    batch = [json.loads(line) for line in store.ok("recall", "--batch", "-", *options, stdin=lines).splitlines()]

    assert narrow["trace"]["candidates"] == []
    assert [paths(answer) for answer in batch] == [[], ["debugging.ci.timeouts"], ["preferences.coding.testing"]]
    assert {memory["ranking"]["vector_rank"] for answer in batch for memory in answer["memories"]} == {None}


def test_a_key_in_the_environment_changes_nothing(store: Memoir, api: MessagesApi) -> None:
    answer = store.json("recall", QUESTION)

    assert (answer["mode"], answer["degraded"], api.requests) == ("simple", None, [])


def test_the_mode_comes_from_the_option_then_the_users_setting(store: Memoir, api: MessagesApi) -> None:
    api.answers += ["default:preferences\ndefault:debugging", "NONE", "default:preferences.coding.testing"]

    store.ok("config", "--global", "memoir.recall.mode", "tiered")
    assert store.json("recall", QUESTION)["mode"] == "tiered"
    assert store.json("recall", QUESTION, "--mode", "single")["mode"] == "single"
    assert store.json("recall", QUESTION, "--mode", "simple")["mode"] == "simple"
    assert len(api.requests) == 3


@pytest.mark.parametrize(("setting", "value"), [("memoir.recall.mode", "tiered"), ("memoir.recall.rerank", "llm")])
def test_without_the_configured_model_recall_ranks(
    store: Memoir, api: MessagesApi, monkeypatch: pytest.MonkeyPatch, setting: str, value: str
) -> None:
    api.respond = lambda request: error(401, "no such key")
    store.ok("config", "--global", setting, value)

    answer = store.json("recall", QUESTION)
    assert (answer["mode"], paths(answer)[0]) == ("simple", "preferences.coding.testing")
    assert answer["degraded"].startswith(f"{setting} is {value}, but ") and len(api.requests) == 1
    for variable in api.env():
        monkeypatch.delenv(variable)
    assert "no language model is configured" in store.json("recall", QUESTION)["degraded"]


def test_a_model_option_without_effect_is_refused(store: Memoir) -> None:
    done = store.run("recall", QUESTION, "--model", "another")

    assert done.status == 2 and "--mode single" in done.err


@pytest.mark.parametrize(("setting", "value"), [("memoir.recall.mode", "single"), ("memoir.recall.rerank", "llm")])
def test_a_stores_config_cannot_turn_on_a_model(store: Memoir, api: MessagesApi, setting: str, value: str) -> None:
    store.git("config", setting, value)

    answer = store.json("recall", QUESTION)

    assert (answer["mode"], api.requests) == ("simple", [])
    assert f"ignored {setting} in the store's own config" in answer["degraded"]


def test_a_mode_that_needs_a_model_fails_without_one(store: Memoir) -> None:
    done = store.run("recall", QUESTION, "--mode", "single")

    assert (done.status, done.out) == (6, "")
    assert "no language model is configured" in done.err and "--mode simple" in done.err


def test_a_model_that_fails_is_never_an_empty_success(store: Memoir, api: MessagesApi) -> None:
    api.answers.append(error(401, "no such key"))

    answer = store.json("recall", QUESTION, "--mode", "single", status=6)

    assert answer["error"]["code"] == "llm_unavailable"


def test_single_picks_with_one_call_and_tells_what_it_cost(store: Memoir, api: MessagesApi) -> None:
    api.answers.append("- default:debugging.ci.timeouts\n- user:alice:preferences.reviews.tone\n- default:not.there")

    answer = store.json("recall", QUESTION, "--mode", "single", "--timings", "--prompts")

    assert paths(answer) == ["debugging.ci.timeouts", "preferences.reviews.tone"]
    assert [memory["relevance_score"] for memory in answer["memories"]] == [1.0, 0.5]
    assert answer["memories"][0]["metadata"]["person"] == "Ada"
    assert answer["metadata"]["usage"]["calls"] == len(api.requests) == 1
    assert list(answer["metadata"]["step_timings"]) == [
        "step1_path_discovery", "step2_path_selection", "step3_memory_retrieval", "total_search",
    ]  # fmt: skip
    assert "Run the tests with pytest" in answer["metadata"]["llm_prompts"]["path_selection"]


def test_tiered_descends_with_two_calls(store: Memoir, api: MessagesApi) -> None:
    api.answers += ["default:preferences", "default:preferences.coding.testing"]

    answer = store.json("recall", QUESTION, "--mode", "tiered", "--timings")

    assert paths(answer) == ["preferences.coding.testing"]
    assert {memory["metadata"]["mode"] for memory in answer["memories"]} == {"tiered"}
    steps = answer["metadata"]["step_timings"]
    assert set(steps) == {
        "step1_path_discovery", "l1_survey", "l1_pick_llm", "descend", "key_pick_llm", "memory_retrieval",
        "total_search",
    }  # fmt: skip
    assert len(api.requests) == answer["metadata"]["usage"]["calls"] == 2


def test_no_match_is_an_empty_list_with_the_timings_still_there(store: Memoir, api: MessagesApi) -> None:
    api.answers.append("NONE")

    answer = store.json("recall", QUESTION, "--mode", "single", "--timings")

    assert (answer["memories"], answer["count"], answer["degraded"]) == ([], 0, None)
    assert answer["metadata"]["step_timings"]["total_search"] > 0


def test_a_models_answer_is_cached_until_a_memory_changes(store: Memoir, api: MessagesApi) -> None:
    api.respond = lambda request: "default:preferences.coding.testing"
    ask = ("recall", QUESTION, "--mode", "single")

    first = store.json(*ask)
    again = store.json(*ask)
    assert (first["metadata"]["cached"], again["metadata"]["cached"], len(api.requests)) == (False, True, 1)
    assert again["memories"] == first["memories"] and again["metadata"]["usage"]["calls"] == 0

    store.json(*ask, "--no-cache")
    store.json(*ask, "--model", "another")
    store.json(*ask, "-n", "default")
    store.remember("preferences.coding.naming", "Names are English.")
    store.json(*ask)
    assert len(api.requests) == 5
    assert {request.body["model"] for request in api.requests} == {"claude-haiku-4-5", "another"}


def test_a_degraded_answer_is_reported_and_not_cached(store: Memoir, api: MessagesApi) -> None:
    api.respond = lambda request: "I would rather not say."

    answer = store.json("recall", QUESTION, "--mode", "single")
    store.json("recall", QUESTION, "--mode", "single")

    assert paths(answer)[0] == "preferences.coding.testing"
    assert answer["degraded"] is not None and len(api.requests) == 2
    assert "degraded: " in store.run("recall", QUESTION, "--mode", "single").err


def test_a_model_reranks_on_request(store: Memoir, api: MessagesApi) -> None:
    api.answers.append("2\n1")

    answer = store.json("recall", "tests or CI", "--mode", "simple", "--rerank", "llm")

    plain = store.json("recall", "tests or CI", "--mode", "simple")
    assert paths(answer) == [paths(plain)[1], paths(plain)[0]]
    assert answer["metadata"]["usage"]["calls"] == 1


def test_the_past_and_branches_are_recalled_as_they_were(store: Memoir) -> None:
    store.ok("tag", "before")
    store.ok("branch", "other")
    store.ok("forget", "preferences.coding.testing")
    store.ok("remember", "Run the tests on Windows too.", "-p", "goals.testing", "--branch", "other")

    assert "preferences.coding.testing" not in paths(store.json("recall", QUESTION))
    assert "preferences.coding.testing" in paths(store.json("recall", QUESTION, "--at", "before"))
    assert "goals.testing" in paths(store.json("recall", QUESTION, "--at", "other"))
    assert "goals.testing" not in paths(store.json("recall", QUESTION))


def test_it_is_narrowed_by_namespace_glob_person_and_time(store: Memoir) -> None:
    assert paths(store.json("recall", "reviews kind", "-n", "user:alice")) == ["preferences.reviews.tone"]
    assert set(paths(store.json("recall", "lines tests cache", "--keys", "*.coding.*"))) == {
        "preferences.coding.testing", "preferences.coding.style",
    }  # fmt: skip
    assert paths(store.json("recall", "cache tests", "--person", "ada")) == ["debugging.ci.timeouts"]
    assert paths(store.json("recall", "tests", "--until", "2001-01-01")) == []
    assert paths(store.json("recall", "tests", "--since", "2001-01-01"))


def test_limit_threshold_boost_and_max_chars_shape_the_answer(store: Memoir) -> None:
    everything = store.json("recall", "tests lines cache")

    assert len(paths(store.json("recall", "tests lines cache", "-l", "1"))) == 1
    assert store.json("recall", "tests lines cache", "--threshold", "1")["memories"] == []
    assert (
        paths(store.json("recall", "tests lines cache", "--boost", f"{paths(everything)[-1]}=100"))[0]
        == (paths(everything)[-1])
    )
    short = store.json("recall", "tests lines cache", "--max-chars", "10")
    assert [len(memory["content"]) for memory in short["memories"]] == [10]
    assert short["metadata"]["omitted"] == everything["count"] - 1
    assert short["memories"][0]["truncated"] == len(everything["memories"][0]["content"])


def test_a_batch_continues_after_a_bad_line(store: Memoir) -> None:
    lines = [
        '{"query": "tests", "limit": 1}',
        '{"query": "kind", "namespace": "user:alice"}',
        '{"query": "tests", "nonsense": 1}',
        '{"query": "cache", "mode": "simple"}',
    ]

    done = store.run("recall", "--batch", "-", "--mode", "simple", stdin="\n".join(lines))

    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer.get("query") for answer in answers] == ["tests", "kind", None, "cache"]
    assert answers[2]["error"]["line"] == 3
    assert paths(answers[1]) == ["preferences.reviews.tone"]
    assert done.status == 2


@pytest.mark.parametrize("options", [["--lean"], ["--json", "--max-tokens", "200"], ["--lean", "--max-tokens", "30"]])
def test_a_line_of_a_batch_is_answered_as_the_question_is_alone(store: Memoir, options: list[str]) -> None:
    turns = [{"role": role, "content": f"{role} asks for tests."} for role in ("user", "assistant")]
    store.ok("ingest", "-", stdin="\n".join(map(json.dumps, turns)))

    assert store.ok("recall", "--batch", "-", *options, stdin=json.dumps({"query": "tests"})) == store.ok(
        "recall", "tests", *options
    )


def test_a_batch_answers_a_line_before_the_next_one_is_there(store: Memoir) -> None:
    import subprocess

    argv = store.argv("recall", "--batch", "-", "--mode", "simple")
    with subprocess.Popen(argv, cwd=store.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as talk:
        assert talk.stdin and talk.stdout
        for query in ("tests", "cache"):
            talk.stdin.write(json.dumps({"query": query}).encode() + b"\n")
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["query"] == query
        talk.stdin.close()
    assert talk.returncode == 0


def test_people_see_a_line_and_with_full_or_a_trace_more_and_how_it_was_found(store: Memoir) -> None:
    done = store.run("recall", QUESTION, "-l", "1")
    full, trace = (store.run("recall", QUESTION, "-l", "1", option) for option in ("--full", "--trace"))

    assert "Run the tests with pytest" in done.out and done.out.endswith("  preferences.coding.testing\n")
    assert (done.out.count("\n"), done.err) == (1, "")
    assert full.out.startswith("preferences.coding.testing\n      Run the tests with pytest")
    assert "  preferences.coding.testing\n      Run the tests with pytest" in trace.out
    assert trace.err == "mode simple (static-1)\n"


def test_nothing_found_is_not_printed_as_an_answer(store: Memoir) -> None:
    assert store.run("recall", QUESTION, "--threshold", "1") == (0, "", "nothing found\n")


def test_a_trace_and_an_explanation_fit_into_80_columns(store: Memoir) -> None:
    trace = store.ok("recall", QUESTION, "--trace")
    explanation = store.ok("explain", QUESTION, "preferences.coding.testing")

    for text in (trace, explanation):
        assert "        words     rank 1, bm25 " in text and "        channels  person 0.0000, " in text
        assert [row for row in text.splitlines() if len(row) > 80 and "dropped" not in row] == []


@pytest.mark.parametrize("mode", [("--mode", "single"), ()], ids=["named", "by the setting"])
def test_what_only_simple_recall_has_is_refused_elsewhere(
    store: Memoir, api: MessagesApi, mode: tuple[str, ...]
) -> None:
    store.ok("config", "--global", "memoir.recall.mode", "single")

    done = store.run("recall", "tests", *mode, "--rerank", "deterministic")

    assert (done.status, api.requests) == (2, []) and "simple" in done.err
    assert store.run("recall", "tests", "--mode", "simple", "--rerank", "deterministic").status == 0


def test_a_trace_shows_every_candidate_and_why_it_was_dropped(store: Memoir) -> None:
    trace = store.json("recall", "tests lines cache", "-l", "1", "--trace")["trace"]

    assert [term["word"] for term in trace["terms"]] == ["cache", "lines", "tests"]
    assert [candidate["dropped"] for candidate in trace["candidates"]][:2] == [None, "beyond the limit of 1"]


def test_explain_tells_why_a_memory_is_not_found(store: Memoir) -> None:
    present = store.json("explain", QUESTION, "preferences.coding.testing")["memories"][0]
    absent = store.json("explain", QUESTION, "preferences.coding.testing", "--keys", "debugging.*")["memories"][0]

    assert (present["rank"], present["dropped"]) == (1, None)
    assert (absent["rank"], absent["dropped"]) == (None, "its path matches none of debugging.*")
    assert store.run("explain", QUESTION, "no.such.path").status == 4


def test_a_lost_index_costs_nothing_but_time(store: Memoir) -> None:
    before = store.json("recall", QUESTION)
    for file in store.git_dir.glob("memoir-index*"):
        file.unlink()

    assert store.json("recall", QUESTION) == before


def test_a_budget_ends_any_mode_with_what_there_is(store: Memoir, api: MessagesApi) -> None:
    api.respond = lambda request: "default:preferences" if "step: tiered.l1" in request.prelude else "NONE"

    once = store.json("recall", QUESTION, "--mode", "tiered", "--llm-calls", "1")
    never = store.json("recall", QUESTION, "--mode", "single", "--llm-tokens", "3")
    rerank = store.json("recall", QUESTION, "--rerank", "llm", "--mode", "simple", "--llm-calls", "0")

    assert len(api.requests) == once["metadata"]["usage"]["calls"] == 1
    assert all(answer["degraded"].startswith("budget: ") and answer["count"] for answer in (once, never, rerank))


def test_every_prompt_names_its_step_and_has_the_question_on_a_line(store: Memoir, api: MessagesApi) -> None:
    api.respond = lambda request: "default:preferences" if "step: tiered.l1" in request.prelude else "NONE"
    question = 'Who said "use \\ pytest"?'

    for options in (["--mode", "single"], ["--mode", "tiered"], ["--mode", "simple", "--rerank", "llm"]):
        store.json("recall", question, *options)

    steps = [request.prelude.partition("\n")[0] for request in api.requests]
    assert steps == ["step: single.select", "step: tiered.l1", "step: tiered.select", "step: rerank"]
    assert all(request.tail.splitlines()[0] == f"Question: {question}" for request in api.requests)


def test_only_the_user_replaces_a_prompt(store: Memoir, api: MessagesApi, tmp_path: Path) -> None:
    own = tmp_path / "select.txt"
    own.write_text("Choose in my words.")
    api.respond = lambda request: "NONE"

    store.git("config", "memoir.prompt.single-select", str(tmp_path / "not there"))
    store.json("recall", QUESTION, "--mode", "single")
    store.git("config", "--unset", "memoir.prompt.single-select")
    store.ok("config", "--global", "memoir.prompt.single-select", str(own))
    store.json("recall", QUESTION, "--mode", "single")

    assert "Choose in my words." not in api.requests[0].prelude
    assert api.requests[1].prelude == "step: single.select\n\nChoose in my words."
    assert "preferences.coding.testing" in api.requests[1].tail


def test_an_agent_uses_a_model_only_if_it_may(store: Memoir, api: MessagesApi) -> None:
    api.respond = lambda request: "split" if "agent.select" in request.prelude else "how do tests run?\nwho is kind?"

    by_rules = store.json("recall", QUESTION, "--mode", "agent", "--planner", "rules")
    by_model = store.json("recall", QUESTION, "--mode", "agent", "--strategy", "auto", "--timings")
    (line,) = store.ok("recall", "--batch", "-", stdin=json.dumps({"query": QUESTION, "mode": "agent"})).splitlines()

    assert (by_rules["metadata"]["planner"], by_rules["metadata"]["usage"]["calls"]) == ("rules", 0)
    assert (by_model["metadata"]["planner"], by_model["strategy"]) == ("model", "split")
    assert by_model["metrics"]["queries"] == [QUESTION, "how do tests run?", "who is kind?"]
    assert by_model["metrics"]["input_token"] > 0 and by_model["metrics"]["llm_time"] > 0
    assert json.loads(line)["metadata"]["cached"] and len(api.requests) == 2


@pytest.mark.parametrize("status", [401, 529])
def test_an_agent_never_fails_for_its_model(store: Memoir, api: MessagesApi, status: int) -> None:
    api.respond = lambda request: error(status)

    answer = store.json("recall", QUESTION, "--mode", "agent", "--rerank", "llm")

    assert paths(answer)[0] == "preferences.coding.testing"
    assert answer["degraded"].startswith("agent.select: ") and answer["metadata"]["planner"] == "rules"


def test_the_hint_for_a_missing_model_names_options_that_need_none(memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")

    done = memoir.run("recall", "hello", "--rerank", "llm")

    assert done.status == 6
    assert done.err.endswith("; --mode simple --rerank none needs none\n")
    assert "a.b" in memoir.ok("recall", "hello", "--mode", "simple", "--rerank", "none")
