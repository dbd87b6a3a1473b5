"""Insights: the same memories give the same tree, only what changed is written again, and words are checked."""

import json
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recall.pickers import Answers
from support import built_once
from written_insights import write_insights

from memoir import InvalidInput, LlmUnavailable, Memory, NotFound, Repository, WriteOptions
from memoir.layers.insights import Build
from memoir.llm import conversation
from memoir.memory.read import keys
from memoir.memory.staleness import Staleness
from memoir.records.record import Record

LAYER = "default:insights"
FACTS = (
    ("project.apollo.move", "We move Apollo to a new cluster."),
    ("project.apollo.done", "The move of Apollo to the cluster is done."),
    ("debugging.apollo.slow", "Apollo is slow since the move."),
    ("project.zeus.parser", "Zeus gets a parser."),
    ("project.zeus.bug", "The parser of Zeus has a bug."),
    ("project.lunch", "Lunch is at noon."),
)


def remember(repository: Repository, *facts: tuple[str, str]) -> None:
    for path, content in facts:
        day = 1 + [fact for fact, _ in FACTS].index(path)
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{day}T00:00:00Z"), path)


def insights_of(repository: Repository) -> dict[str, Record | None]:
    addresses = keys(repository.store.head(), [LAYER])
    return {address.path: repository.get(address.full_key) for address in addresses}


def changes(done: Build) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for change, each in done.changes:
        groups.setdefault(change, []).append(each.level)
    return groups


@built_once
def full_store(repository: Repository) -> None:
    remember(repository, *FACTS)
    write_insights(repository)


def test_the_tree_has_a_leaf_a_thread_a_branch_a_first_level_and_a_root(full_store: Repository) -> None:
    tree = full_store.layers.insights()

    shape = [(each.level, each.size) for each in tree.insights]
    assert (shape[:2], sorted(shape[2:])) == ([("root", 5), ("branch", 5)], [("leaf", 2), ("leaf", 3)])
    assert tree.missing == 0
    apollo = next(each for each in tree.insights if each.level == "leaf" and each.size == 3)
    assert [source.path for source in apollo.sources] == [path for path, _ in FACTS[:3]]
    assert (apollo.by, apollo.terms[0]) == ("a-model", "Apollo")


TEXTS = st.lists(
    st.lists(st.sampled_from(["Apollo", "Zeus", "parser", "cluster", "lexer"]), min_size=1, max_size=3).map(" ".join),
    min_size=2,
    max_size=4,
)


@pytest.mark.slow
@settings(max_examples=3)
@given(TEXTS, st.randoms(use_true_random=False))
def test_built_at_once_or_memory_by_memory_in_any_order_the_insights_are_the_same(texts: list[str], dice: Any) -> None:
    lines = [
        f'{{"path": "{level}.note_{at}", "content": "{text}", "timestamp": "2026-01-0{at + 1}T00:00:00Z"}}'.encode()
        for at, (text, level) in enumerate(zip(texts, "abab", strict=False))
    ]
    with TemporaryDirectory() as one, TemporaryDirectory() as other, Repository.init(one) as by_steps:
        for line in dice.sample(lines, len(lines)):
            by_steps.import_lines([line])
            write_insights(by_steps)
        with Repository.init(other) as at_once:
            at_once.import_lines(lines)
            write_insights(at_once)

            assert insights_of(by_steps) == insights_of(at_once)


def test_only_insights_whose_sources_changed_are_written_again(full_store: Repository) -> None:
    before = insights_of(full_store)

    full_store.remember(
        Memory.of("The bug of Zeus is in the parser.", timestamp="2026-02-01T00:00:00Z"), "project.zeus.more"
    )
    stale = {each.level for each in full_store.layers.insights().insights if each.is_stale}
    done = write_insights(full_store)

    assert stale == {"root", "branch", "leaf"}
    assert (changes(done), done.unchanged) == ({"changed": ["leaf", "branch", "root"]}, 1)
    assert sum(insights_of(full_store)[path] == record for path, record in before.items()) == 1
    assert not any(each.is_stale for each in full_store.layers.insights().insights)


def test_building_again_changes_nothing_and_undo_takes_it_back(full_store: Repository) -> None:
    assert (write_insights(full_store).commit, write_insights(full_store).changes) == (None, [])
    assert len(insights_of(full_store)) == 4

    full_store.undo()

    assert insights_of(full_store) == {}
    assert full_store.layers.insights().missing == 4


def test_a_dry_run_says_what_would_change_and_writes_nothing(repository: Repository) -> None:
    remember(repository, *FACTS)
    done = write_insights(repository, WriteOptions(dry_run=True))

    assert (changes(done), done.commit) == ({"added": ["leaf", "leaf", "branch", "root"]}, None)
    assert insights_of(repository) == {}


def test_an_insight_whose_memories_are_gone_is_stale_and_goes_with_them(full_store: Repository) -> None:
    full_store.forget("project.zeus.bug")
    leaf = next(each for each in full_store.layers.insights().insights if each.level == "leaf" and each.size == 2)

    assert leaf.is_stale
    assert Staleness(full_store.store.head()).of(leaf.address)
    assert changes(write_insights(full_store))["removed"] == ["leaf"]


def test_an_insight_names_its_sources_as_links_that_why_follows(full_store: Repository) -> None:
    (leaf,) = (each for each in full_store.layers.insights().insights if each.level == "leaf" and each.size == 2)

    tree = full_store.why(leaf.address.path, namespace=LAYER)

    assert [link.address.path for link in tree.links] == ["project.zeus.parser", "project.zeus.bug"]
    assert not Staleness(full_store.store.head()).of(leaf.address)


def test_only_memoir_writes_insights_and_no_path_is_not_found(full_store: Repository) -> None:
    with pytest.raises(InvalidInput, match="layer"):
        full_store.remember(Memory.of("mine"), "project.mine", namespace=LAYER)
    with pytest.raises(NotFound):
        full_store.layers.insights("preferences")
    for path in ("project", "project."):
        assert [each.level for each in full_store.layers.insights(path).insights] == ["branch", "leaf", "leaf"]


def test_insights_are_in_no_thread_and_name_nothing(full_store: Repository) -> None:
    assert sum(each.size for each in full_store.layers.threads(every=True).threads) == 5
    assert next(each.size for each in full_store.layers.entities("apollo").entities) == 3


@pytest.mark.parametrize("by", [None, "rules", "magic"])
def test_nobody_but_a_model_writes_insights(full_store: Repository, by: str | None) -> None:
    with pytest.raises(InvalidInput) as error:
        full_store.layers.build_insights(by=by)

    assert "model" in f"{error.value.message} {error.value.hint}"


ABOUT_APOLLO = (
    ("project.apollo.move", "We move Apollo to a new cluster."),
    ("project.apollo.done", "The move of Apollo to the cluster is done."),
    ("project.apollo.slow", "Apollo is slow since the move to the cluster."),
)
LEAF = "Apollo is on the new cluster, and slow since the move."


def answer(text: str, *numbers: int) -> str:
    return "Here you are:\n```json\n" + json.dumps({"insight": text, "memories": list(numbers)}) + "\n```"


@built_once
def apollo(repository: Repository) -> None:
    for day, (path, content) in enumerate(ABOUT_APOLLO, 1):
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{day}T00:00:00Z"), path)


def build(
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    *texts: str,
    dry_run: bool = False,
    calls: int | None = None,
) -> tuple[Answers, Build]:
    model = Answers(*texts)
    monkeypatch.setattr(conversation, "choose_model", lambda config: model)
    options = WriteOptions(dry_run=dry_run)
    return model, repository.layers.build_insights(by="model", llm_calls=calls, options=options)


def test_a_model_words_each_insight_and_names_what_it_rests_on(
    apollo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, done = build(apollo, monkeypatch, answer(LEAF, 1, 3), answer(LEAF, 1), answer(LEAF, 1))

    assert [prompt.prelude.splitlines()[0] for prompt in model.prompts] == [
        "step: insights.leaf", "step: insights.branch", "step: insights.root",
    ]  # fmt: skip
    assert "[2] project.apollo.done: The move of Apollo to the cluster is done." in model.prompts[0].tail
    leaf = done.changes[0][1]
    assert (leaf.memory.content, leaf.by) == (LEAF, model.name)
    assert [source.path for source in leaf.sources] == ["project.apollo.move", "project.apollo.slow"]
    assert (done.usage.calls, done.degraded) == (3, ())
    assert not any(Staleness(apollo.store.head()).among(each.address for _, each in done.changes).values())


@pytest.mark.parametrize(
    "text",
    [
        answer("Apollo moved to Porto, and is slow since the move.", 1, 3),
        answer("Apollo is on the new cluster since 2019.", 1),
        answer(LEAF, 7),
        answer("Bananas are yellow when ripe.", 1),
        answer("", 1),
        '{"insight": "Apollo is slow."}',
        '{"insight": "Apollo is slow.", "memories": [[1], {"n": 1}]}',
        "I cannot say.",
    ],
)
def test_what_the_memories_do_not_say_is_not_taken(
    apollo: Repository, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    _, done = build(apollo, monkeypatch, text, calls=1)

    assert (done.changes, done.missing, done.commit) == ([], 3, None)
    assert any(note.startswith("insights.leaf: ") for note in done.degraded)
    assert done.degraded[-1] == "3 insights are still missing; build again"


def test_a_model_whose_answers_cannot_be_used_is_named_as_too_small(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("Apollo cluster", "Borealis printer", "Cygnus invoice", "Draco balcony", "Eridanus bicycle"):
        for number in (1, 2):
            repository.remember(Memory.of(f"{name} {name} note"), f"project.{name.split()[0].lower()}.n{number}")

    model, done = build(repository, monkeypatch, *["I cannot say."] * 9)

    assert (done.changes, done.commit) == ([], None)
    count = len(model.prompts)
    assert count >= 5
    assert done.degraded[-1] == (
        f"{done.missing} insights are still missing; of {count} answers of {model.name} 0 could be used: "
        "'memoir config --global memoir.llm.model NAME' names a larger model"
    )


def test_beyond_the_budget_insights_are_missing_and_the_next_build_writes_them(
    apollo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, first = build(apollo, monkeypatch, answer(LEAF, 1, 3), calls=1)
    missing = apollo.layers.insights().missing
    _, second = build(apollo, monkeypatch, answer(LEAF, 1), answer(LEAF, 1))

    assert ([each.level for _, each in first.changes], first.missing, missing) == (["leaf"], 2, 2)
    assert first.degraded == (
        "budget: the limit of 1 model call is reached", "2 insights are still missing; build again",
    )  # fmt: skip
    assert [each.level for _, each in second.changes] == ["branch", "root"]
    assert (second.missing, second.unchanged, build(apollo, monkeypatch)[1].commit) == (0, 1, None)


def test_what_is_not_written_anew_stays_and_is_stale(apollo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    build(apollo, monkeypatch, answer(LEAF, 1, 3), answer(LEAF, 1), answer(LEAF, 1))
    apollo.remember(
        Memory.of("Apollo moved to the cluster in May.", timestamp="2026-02-01T00:00:00Z"), "project.apollo.may"
    )

    _, done = build(apollo, monkeypatch, calls=0)

    assert (done.changes, done.missing) == ([], 3)
    assert [each.is_stale for each in apollo.layers.insights().insights] == [True] * 3


def test_a_dry_run_asks_nobody(apollo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    model, done = build(apollo, monkeypatch, dry_run=True)

    assert (model.prompts, len(done.changes), done.commit) == ([], 3, None)
    assert done.cost and done.cost.calls == 3 and 100 < done.cost.input_tokens < 3_000


def test_without_a_model_nothing_is_built(apollo: Repository) -> None:
    with pytest.raises(LlmUnavailable):
        apollo.layers.build_insights(by="model")
