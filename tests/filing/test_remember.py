"""Remembering without a path, or with a model that merges: what is filed where, and that nothing is lost."""

import pytest
from index.indexing import Stub
from messages_api import MessagesApi, error, filing

from memoir import Memory, Repository
from memoir.english.lexicon.spotting import with_classes
from memoir.filing.remember import RememberResult
from memoir.index.index import Index
from memoir.index.view import View
from memoir.memory.write_options import WriteOptions
from memoir.store.store import Store

FACT = "I prefer tabs over spaces in Go code."
SPACES, TABS = "Spaces, please.", "preferences.coding.tabs"
DAY, NINE = "We deploy on Tuesdays.", "At nine."


def paths(result: RememberResult) -> list[str]:
    return [address.path for address in result.outcomes]


def by_model(repository: Repository) -> RememberResult:
    return repository.remember(FACT, classifier="model")


def merged(repository: Repository) -> RememberResult:
    repository.remember(DAY, "project.release.day")
    return repository.remember(NINE, "project.release.day", policy="llm_merge")


def test_a_person_whom_the_store_knows_has_no_settings_of_the_user(repository: Repository) -> None:
    text = "Zorp's keyboard layout is Dvorak"
    (before,) = paths(repository.remember(text))
    repository.forget(before)
    repository.remember(Memory.of("A new colleague", metadata={"person": "Zorp"}), "relationships.team.new")

    assert before.startswith("settings.")
    assert paths(repository.remember(text)) == ["relationships.colleagues.zorp"]


def test_the_taste_of_the_user_by_name_is_a_preference(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Zorp prefers green tea"
    (of_another,) = paths(repository.remember(text))
    repository.forget(of_another)
    monkeypatch.setenv("MEMOIR_AUTHOR", "Zorp Palmer <zorp@example.org>")

    assert of_another.startswith("relationships.")
    assert paths(repository.remember(text)) == ["preferences.food.green_tea"]


def test_a_repeated_fact_is_confirmed_and_any_other_is_added(repository: Repository) -> None:
    fact = "Always run the tests with pytest in parallel, four at a time."
    first = repository.remember(fact)

    again = repository.remember(fact.replace("tests with", "tests  with"))

    assert paths(again) == paths(first) and [outcome.policy for outcome in again.outcomes.values()] == ["confirmed"]
    assert [len(outcome.record) for outcome in again.outcomes.values()] == [1]
    for text in (fact.replace(".", "!"), "Never run the tests with pytest."):
        assert "confirmed" not in [outcome.policy for outcome in repository.remember(text).outcomes.values()]


def test_a_memory_leaves_the_inbox_for_the_path_that_somebody_names(repository: Repository) -> None:
    (waiting,) = repository.by("user").remember("Qwerty zork blat.").outcomes
    repository.remember("Qwerty zork blat!")

    done = repository.remember("Qwerty zork blat.", "team.zork", "user:ada:zork")

    assert waiting.path.startswith("inbox.") and done.moved_from and done.moved_from.place == waiting
    assert [key for key in repository.keys() if key.path.startswith("inbox.")] != [waiting]  # noqa: SIM118
    assert repository.get(waiting.path) is None
    for address in done.outcomes:
        (memory,) = repository.get(address.full_key) or ()
        assert (memory.content, memory.metadata["origin"]) == ("Qwerty zork blat.", ["user", "agent"])
    assert [version.operation for version in repository.blame("team.zork")] == ["moved", "added"]
    repository.undo()
    assert repository.get(waiting.path) and not repository.get("team.zork")


def test_a_memory_that_leaves_the_inbox_is_as_sure_as_it_is_said_to_be(repository: Repository) -> None:
    repository.remember("Qwerty zork blat.")
    repository.remember(Memory.of("Zork is a game.", confidence=0.9), "team.zork")

    done = repository.remember(Memory.of("Qwerty zork blat.", confidence=0.2), "team.zork", policy="confidence_gated")

    (outcome,) = done.outcomes.values()
    assert done.moved_from and not outcome.new_is_active
    assert repository.content("team.zork") == "Zork is a game."


def test_a_memory_stays_in_the_inbox_if_another_is_named(repository: Repository) -> None:
    (waiting,) = repository.remember(Memory.of("Qwerty zork blat.", metadata={"person": "Ada"})).outcomes

    for new in ("Qwerty zork blat!", Memory.of("Qwerty zork blat.", metadata={"person": "Ben"})):
        assert repository.remember(new, "team.zork").moved_from is None
    assert repository.get(waiting.path)


def test_a_model_files_with_one_call(repository: Repository, api: MessagesApi) -> None:
    api.answers.append(filing((TABS, 0.9), ("knowledge.go.tabs", 0.8), runner_up="context.go.x"))

    result = by_model(repository)
    decision = result.decision

    assert paths(result) == [TABS] and decision and decision.runner_up
    assert (decision.by, decision.reason, decision.usage.calls) == ("model", "it says so", len(api.requests) == 1)
    assert (decision.runner_up.path, decision.runner_up.confidence) == ("knowledge.go.tabs", 0.8)
    assert "relationships.family" in api.requests[0].prelude and FACT in api.requests[0].tail


@pytest.mark.parametrize(
    "answer",
    [
        "I cannot help with that.",
        "{}",
        filing(("unheard_of.level.one", 0.9)),
        filing(("preferences.coding", 0.9)),
        filing(("preferences.coding.Über Tabs", 0.9)),
        '{"memory": false, "reason": "a greeting"}',
        '{"memory": true, "paths": [{"path": "preferences.coding.tabs", "confidence": "high"}]}',
        filing((TABS, 0.1)),
    ],
)
def test_a_memory_that_the_model_does_not_file_goes_to_the_inbox(
    repository: Repository, api: MessagesApi, answer: str
) -> None:
    api.answers.append(answer)

    (path,) = paths(by_model(repository))

    assert path.startswith("inbox.unsorted.") and repository.content(path) == FACT


def test_a_failed_call_leads_to_the_inbox_and_is_reported(repository: Repository, api: MessagesApi) -> None:
    api.answers.append(error(401, "no such key"))

    result = by_model(repository)

    (path,) = paths(result)
    assert path.startswith("inbox.unsorted.") and result.degraded and repository.content(path) == FACT


def test_a_second_path_of_the_same_first_level_is_one_too_many(repository: Repository, api: MessagesApi) -> None:
    api.answers.append(filing((TABS, 0.9), ("preferences.editor.tabs", 0.9), ("goals.a.b", 0.9)))
    repository.config.set("memoir.filing.paths", "2")

    assert paths(by_model(repository)) == [TABS, "goals.a.b"]


def test_filing_the_inbox_on_an_occupied_path_loses_nothing(repository: Repository, api: MessagesApi) -> None:
    repository.remember(SPACES, TABS)
    api.answers += ["no idea", filing((TABS, 0.9))]
    by_model(repository)

    repository.classify(classifier="model")

    assert repository.content(TABS) == f"{SPACES}\n{FACT}"


def test_the_threshold_decides_what_goes_to_the_inbox(repository: Repository) -> None:
    repository.config.set("memoir.filing.threshold", "1")

    assert paths(repository.remember(FACT))[0].startswith("inbox.")


def test_two_facts_that_are_filed_at_one_path_are_both_active(repository: Repository) -> None:
    facts = ["I prefer Python type hints everywhere", "I dislike Python list comprehensions that are nested"]

    (first,), (second,) = (paths(repository.remember(fact)) for fact in facts)

    assert first == second and repository.content(first) == "\n".join(facts)


def test_without_a_model_llm_merge_appends_and_reports_it(repository: Repository) -> None:
    assert "appended instead" in str(merged(repository).degraded)
    assert repository.content("project.release.day") == f"{DAY}\n{NINE}"


@pytest.mark.parametrize("answer", ["NONE", '{"memory": "joined"}', "password=hunter2hunter2", "x" * 5000])
def test_an_unusable_merged_text_is_not_stored(repository: Repository, api: MessagesApi, answer: str) -> None:
    api.answers.append(answer)

    assert "appended instead" in str(merged(repository).degraded)
    assert repository.content("project.release.day") == f"{DAY}\n{NINE}"


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    """What stands for MiniLM."""
    stub = Stub("minilm-1", 384)
    stub.is_minilm = True
    monkeypatch.setattr("memoir.filing.filer.embedder_of", lambda _: stub)
    return stub


@pytest.mark.parametrize("text", [DAY, "Crashes land in Rollbar."], ids=["plain", "with a name of a known class"])
def test_no_question_waits_for_the_vectors_of_what_was_filed(store: Store, stub: Stub, text: str) -> None:
    Repository(store).remember(text)
    assert sorted(stub.texts) == sorted({text, with_classes(text)})
    Index(store, stub, wait=True).read(store.head(), View.total)
    assert sorted(stub.texts) == sorted({text, with_classes(text)})


@pytest.mark.parametrize("dry_run", [False, True], ids=["stored", "a dry run"])
@pytest.mark.parametrize("text", [DAY, "Crashes land in Rollbar."], ids=["plain", "with a name of a known class"])
def test_what_is_embedded_ahead_is_what_filing_asks_for_first(
    store: Store, stub: Stub, monkeypatch: pytest.MonkeyPatch, text: str, dry_run: bool
) -> None:
    expected = list[str]()
    monkeypatch.setattr(stub, "expect", expected.append)
    monkeypatch.setattr("memoir.embedders.choose_embedder.embedder_of", lambda _: stub)
    repository = Repository(store)
    repository.embed_ahead(text, stored=not dry_run)
    repository.remember(text, options=WriteOptions(dry_run=dry_run))
    assert expected == stub.texts[:1]


def test_what_is_not_stored_leaves_no_vectors(store: Store, stub: Stub) -> None:
    Repository(store).remember(DAY, options=WriteOptions(dry_run=True))
    assert not Index(store, stub).read(store.head(), lambda view: view.vector_lookup()(DAY))
