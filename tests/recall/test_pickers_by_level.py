"""Two or three small calls."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from recall.pickers import USAGE, Answers, Picks, PlainInventory, keys, picks_of, serving

from memoir.errors import LlmUnavailable
from memoir.llm.anthropic import AnthropicModel
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import MAX_TOKENS, ModelReply, Prompt
from memoir.llm.usage import Usage
from memoir.recall import pickers


def _many(prefix: str, number: int, groups: int = 1) -> dict[str, list[str]]:
    """Paths below a prefix, spread over some second segments (`prefix.g0.m000`)."""
    return {f"{prefix}.g{i % groups}.m{i:03}": [f"Memory {i} of {prefix}."] for i in range(number)}


SMALL = {**_many("preferences", 5), **_many("workflow", 4), **_many("profile", 3), **_many("goals", 2), **_many("x", 1)}
WIDE = {**_many("work", 60, groups=5), **_many("home", 50, groups=4), **_many("goals", 3)}


def _listing(text: str) -> list[str]:
    """The paths or prefixes that a prompt lists."""
    return [line.split()[1].rstrip(":") for line in text.splitlines() if line.startswith("- ")]


def _pick(memories: Mapping[str, Sequence[str]], *answers: str, best: Sequence[str] = ()) -> tuple[Picks, Answers]:
    model = Answers(*answers)
    return picks_of(pickers.pick_by_level, PlainInventory(memories, best), "How do I work?", model), model


def test_two_calls_lead_to_paths() -> None:
    picks, model = _pick(SMALL, "workflow\npreferences", "preferences.g0.m001\nworkflow.g0.m003")

    assert keys(picks) == ["preferences.g0.m001", "workflow.g0.m003"]
    assert picks.degraded == ()
    assert picks.usage == USAGE.plus(USAGE)
    assert len(model.prompts) == 2


def test_the_first_call_sees_prefixes_and_counts_only() -> None:
    _, model = _pick(SMALL, "workflow", "NONE")

    prompt = model.prompts[0]
    assert prompt.prelude.startswith("step: tiered.l1\n\nMemories are kept at dotted paths")
    assert "- preferences: 5\n- profile: 3\n- workflow: 4" in prompt.tail
    assert prompt.tail.startswith("Question: How do I work?\n")
    assert "Memory" not in prompt.tail


def test_the_last_call_lists_the_picked_branches_only() -> None:
    _, model = _pick(SMALL, "goals, x", "NONE")
    _, alone = _pick({**_many("goals", 2), **_many("x", 1)}, "goals, x", "NONE")
    whole = Answers("NONE")
    inventory = PlainInventory({**_many("goals", 2), **_many("x", 1)})
    pickers.pick_at_once(inventory, "How do I work?", ModelConversation(whole))

    assert model.prompts[1] == alone.prompts[1]
    assert model.prompts[1].prelude == whole.prompts[0].prelude.replace("single.select", "tiered.select")
    assert model.prompts[1].tail == whole.prompts[0].tail.replace("1 to 3", "3 to 7")


def test_timings_and_prompts_of_two_calls() -> None:
    picks, model = _pick(SMALL, "goals", "NONE")

    assert list(picks.timings) == ["step1_path_discovery", "l1_survey", "l1_pick_llm", "descend", "key_pick_llm"]
    assert picks.prompts == {"l1_pick": model.prompts[0].text, "key_pick": model.prompts[1].text}


def test_an_empty_store_needs_no_model() -> None:
    picks, model = _pick({})

    assert (picks.addresses, picks.usage, picks.degraded, picks.prompts) == ((), Usage(), (), {})
    assert model.prompts == []
    assert "step1_path_discovery" in picks.timings and "l1_survey" in picks.timings


def test_a_branch_is_wide_from_41_paths() -> None:
    assert len(_pick(_many("work", 40), "work", "NONE")[1].prompts) == 2
    assert len(_pick(_many("work", 41), "work", "work.g0", "NONE")[1].prompts) == 3


def test_wide_branches_are_narrowed_in_one_call() -> None:
    answers = ("work\nhome\ngoals", "home.g1\nwork.g4\nwork.g2", "work.g2.m002\ngoals.g0.m000")

    picks, model = _pick(WIDE, *answers)

    assert keys(picks) == ["work.g2.m002", "goals.g0.m000"]
    assert picks.usage == Usage(*(3 * count for count in USAGE))
    assert picks.degraded == ()
    second = model.prompts[1]
    assert second.prelude.startswith("step: tiered.l2\n\n")
    assert "Within work:\n- work.g0: 12\n" in second.tail and "Within home:\n- home.g0: 13\n" in second.tail
    assert "goals" not in second.tail
    below = [key for key in WIDE if key.startswith(("home.g1.", "work.g4.", "work.g2.", "goals."))]
    assert _listing(model.prompts[2].tail) == sorted(below)


def test_timings_and_prompts_of_three_calls() -> None:
    picks, model = _pick(WIDE, "work", "work.g0", "NONE")

    steps = ["step1_path_discovery", "l1_survey", "l1_pick_llm", "descend", "l2_pick_llm", "key_pick_llm"]
    assert list(picks.timings) == steps
    assert list(picks.prompts) == ["l1_pick", "l2_pick", "key_pick"]
    assert list(picks.prompts.values()) == [prompt.text for prompt in model.prompts]


@pytest.mark.parametrize(("answer", "reason"), [("NONE", "answered NONE"), ("It depends.", "names no prefix")])
def test_without_an_l1_pick_the_four_largest_are_taken(answer: str, reason: str) -> None:
    picks, model = _pick(SMALL, answer, "workflow.g0.m000")

    assert _listing(model.prompts[1].tail) == sorted(key for key in SMALL if not key.startswith("x."))
    assert keys(picks) == ["workflow.g0.m000"]
    (note,) = picks.degraded
    assert note.startswith("L1 pick: ") and reason in note and note.endswith("took the 4 largest")


@pytest.mark.parametrize(("answer", "reason"), [("NONE", "answered NONE"), ("It depends.", "names no prefix")])
def test_without_an_l2_pick_each_branchs_two_largest_are_taken(answer: str, reason: str) -> None:
    memories = {**WIDE, "work.g3.more": ["x"], "work.g1.more": ["x"], "home.g2.more": ["x"], "home.g2.again": ["x"]}

    picks, model = _pick(memories, "work, home", answer, "NONE")

    prefixes = ("work.g1.", "work.g3.", "home.g0.", "home.g2.")
    assert _listing(model.prompts[2].tail) == sorted(key for key in memories if key.startswith(prefixes))
    assert [reason in note and note.startswith("L2 pick: ") for note in picks.degraded] == [True, True]
    assert ["work" in note for note in picks.degraded] == [True, False]


def test_a_branch_without_a_pick_falls_back_by_itself() -> None:
    picks, model = _pick(WIDE, "work\nhome", "home.g3", "NONE")

    below = ("home.g3.", "work.g0.", "work.g1.")
    assert _listing(model.prompts[2].tail) == sorted(key for key in WIDE if key.startswith(below))
    (note,) = picks.degraded
    assert "within work; took its 2 largest" in note


def test_extra_picks_are_ignored() -> None:
    five, model = _pick(SMALL, "x\ngoals\nprofile\nworkflow\npreferences", "\n".join(SMALL))
    _, wide = _pick(WIDE, "work", "work.g4\nwork.g3\nwork.g2\nwork.g1", "NONE")

    assert {key.partition(".")[0] for key in _listing(model.prompts[1].tail)} == {"x", "goals", "profile", "workflow"}
    assert len(five.addresses) == 7
    assert {key[:7] for key in _listing(wide.prompts[2].tail)} == {"work.g4", "work.g3", "work.g2"}


def test_unknown_prefixes_are_ignored() -> None:
    picks, model = _pick(WIDE, "nothing\nwork", "g1\nwork\nwork.g9\nwork.g1", "work.g9.m000\nwork.g1.m001")

    assert keys(picks) == ["work.g1.m001"]
    assert picks.degraded == ()
    assert {key[:7] for key in _listing(model.prompts[2].tail)} == {"work.g1"}


def test_none_at_the_end_is_an_answer() -> None:
    picks, _ = _pick(SMALL, "goals", "NONE")

    assert (picks.addresses, picks.degraded) == ((), ())


def test_an_unusable_key_pick_falls_back_on_ranking_and_says_so() -> None:
    best = ["workflow.g0.m001", "preferences.g0.m004", *SMALL]

    picks, _ = _pick(SMALL, "preferences\nprofile\ngoals", "Hm.", best=best)

    assert len(picks.addresses) == 7
    assert keys(picks)[0] == "preferences.g0.m004"
    (note,) = picks.degraded
    assert note.startswith("key pick: ")


@pytest.mark.parametrize("answers", [(), ("work",), ("work", "work.g0")])
def test_a_failing_model_is_an_error(answers: tuple[str, ...]) -> None:
    with pytest.raises(LlmUnavailable):
        _pick(WIDE, *answers)


def test_prefixes_may_be_paths_themselves() -> None:
    memories = {**_many("work", 45, groups=3), "work": ["All of it."], "work.g1": ["Some."], "todo": ["Sleep."]}

    picks, model = _pick(memories, "work\ntodo", "work\nwork.g1", "todo\nwork.g1\nwork")

    assert keys(picks) == ["todo", "work.g1", "work"]
    assert "- work: 1\n" in model.prompts[1].tail and "- work.g1: 16\n" in model.prompts[1].tail
    below = [key for key in memories if key.startswith("work.g1")]
    assert _listing(model.prompts[2].tail) == sorted(["todo", "work", *below])


def test_a_wide_branch_of_short_paths() -> None:
    picks, _ = _pick({f"work.m{i:03}": ["x"] for i in range(41)}, "work", "work.m007\nwork.m003", "work.m003")

    assert keys(picks) == ["work.m003"]
    assert picks.degraded == ()


def test_the_same_prefix_in_two_namespaces_is_two_branches() -> None:
    memories = {**_many("work", 2), **_many("user:bob:work", 45, groups=2)}

    picks, model = _pick(memories, "user:bob:work", "user:bob:work.g1", "work.g1.m001")

    assert keys(picks) == ["user:bob:work.g1.m001"]
    assert "- default:work: 2\n- user:bob:work: 45" in model.prompts[0].tail
    assert all(key.startswith("user:bob:work.g1.") for key in _listing(model.prompts[2].tail))


def test_of_very_many_paths_the_best_are_shown_in_order() -> None:
    memories = _many("work", 300)
    best = [f"work.g0.m{i}" for i in range(299, 219, -1)]

    _, model = _pick(memories, "work", "work.g0", "NONE", best=best)

    assert _listing(model.prompts[2].tail) == sorted([*best, *list(memories)[:20]])


def test_of_very_many_prefixes_those_with_the_best_paths_are_shown() -> None:
    store = {f"a{i:03}": ["x"] for i in range(500)} | _many("big", 3)
    branch = {f"work.m{i:03}": ["x"] for i in range(500)} | _many("work.big", 3)

    _, first = _pick(store, "a444", "NONE", best=["a444"])
    _, second = _pick(branch, "work", "work.m444", "NONE", best=["work.m444"])

    assert len(_listing(first.prompts[0].tail)) == pickers.L1_AT_MOST
    assert {"a444", "big"} <= set(_listing(first.prompts[0].tail))
    assert len(_listing(second.prompts[1].tail)) == pickers.L2_AT_MOST
    assert {"work.m444", "work.big"} <= set(_listing(second.prompts[1].tail))


def test_over_the_api_every_steps_instructions_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    model = AnthropicModel("some-model")
    with serving(monkeypatch, "work", "work.g0", "work.g0.m000", "x", "NONE") as api:
        picks = picks_of(pickers.pick_by_level, PlainInventory(WIDE), "How do I work?", model)
        after = picks_of(pickers.pick_by_level, PlainInventory(SMALL), "And now?", model)

    assert keys(picks) == ["work.g0.m000"]
    assert picks.usage.calls == 3
    assert ["cache_control" in str(request.body) for request in api.requests] == [True] * 5
    assert 0 < after.usage.cache_read_input_tokens < picks.usage.cache_creation_input_tokens
    assert after.usage.cache_creation_input_tokens == 0


_AREAS = (
    "preferences",
    "workflow",
    "profile",
    "project",
    "debugging",
    "learning",
    "goals",
    "context",
    "people",
    "topics",
)
_NOTE = "The release is cut on Tuesdays from main, after the full suite has passed twice, and is then announced."


def _balance(i: int) -> str:
    return f"{_AREAS[i % 10]}.subject{i // 10 % 10}.detail{i:04}"


def _giant(i: int) -> str:
    return f"project.subject{i % 60:02}.detail{i:04}" if i % 20 else f"{_AREAS[i // 20 % 10]}.subject.detail{i:04}"


SHAPES: dict[str, Callable[[int], str]] = {
    "balanced": _balance,
    "one giant branch": _giant,
    "all below one prefix of depth 2": lambda i: f"project.decisions.detail{i:04}",
    "second segments all different": lambda i: f"project.decision-{i:04}",
    "first segments all different": lambda i: f"decision-{i:04}",
    "many namespaces": lambda i: f"user:{i % 50:02}:{_balance(i)}",
}


class _Greedy(Answers):
    """A model that picks all it is shown, from the end, which is where the giant branch is."""

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        self.prompts.append(prompt)
        return ModelReply("\n".join(reversed(_listing(prompt.tail))), USAGE)


@pytest.mark.parametrize("length", [40, 100])
@pytest.mark.parametrize("shape", SHAPES)
def test_at_a_thousand_memories_tiered_sends_a_fifth_of_what_single_sends(shape: str, length: int) -> None:
    """Even if the model picks as much as it may."""
    plain = PlainInventory({SHAPES[shape](i): [_NOTE[:length]] for i in range(1000)})
    greedy, whole = _Greedy(), Answers("NONE")

    pickers.pick_by_level(plain, "When is the release cut?", ModelConversation(greedy))
    pickers.pick_at_once(plain, "When is the release cut?", ModelConversation(whole))

    sizes = [sum(len(prompt.text) for prompt in model.prompts) for model in (greedy, whole)]
    assert sizes[0] * 5 <= sizes[1]
