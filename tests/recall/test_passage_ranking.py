"""Passages of sources in recall: beside memories, joined, ranked by role, one hit with the items found in them."""

import json
from typing import Any

import pytest

from memoir import Memory, Repository
from memoir.layers.item_options import NONE, RULES, ItemOptions
from memoir.recall.answer import RecallAnswer
from memoir.recall.result import IntelligentSearchResult

TALK = """[2026-01-31 09:30] Ada: Good morning, Ben.
[2026-01-31 09:31] Ben: I adopted a zebra finch yesterday.
[2026-01-31 09:32] Ada: My zebra finch is called Pip, and he sings.
[2026-01-31 09:33] Ben: Mine is silent so far.
"""
CHAT = """user: My boiler is a Hearth 200 and it whistles. How do I stop that?
assistant: A boiler whistles when limescale narrows the pipes. Flush the boiler with vinegar, then bleed the radiators.
user: Thanks. Always answer me in metric units.
assistant: Of course, only metric units from here.
"""
LONG = "The boiler of the laundry is old. " * 15
OWN = "Our zebra is called Zelda."


def ingest(
    repository: Repository, text: str, name: str = "talk", *, items: bool = False, namespace: str = "default"
) -> None:
    reader = ItemOptions(RULES if items else NONE)
    repository.sources.ingest_text(text, name=name, namespace=namespace, items=reader)


def ask(repository: Repository, question: str, **options: Any) -> RecallAnswer:
    return repository.recall(question, **options)


def hits(repository: Repository, question: str, **options: Any) -> list[str]:
    return [each.content for each in ask(repository, question, **options).memories]


def only(answer: RecallAnswer) -> IntelligentSearchResult:
    (hit,) = answer.memories
    return hit


def passages_of(answer: RecallAnswer) -> list[IntelligentSearchResult]:
    return [each for each in answer.memories if each.layer == "raw"]


def test_what_was_said_is_found_with_its_speaker_day_and_source(repository: Repository) -> None:
    ingest(repository, TALK)

    best = ask(repository, "who adopted a finch", limit=1).memories[0]

    assert "Ben (2026-01-31): I adopted a zebra finch yesterday." in best.content
    assert (best.layer, best.source, best.namespace) == ("raw", "talk", "default:raw")


def test_a_passage_is_found_beside_memories(repository: Repository) -> None:
    repository.remember(Memory.of(OWN), "animals.zebra")
    ingest(repository, TALK)

    found = ask(repository, "zebra")

    assert {each.layer for each in found.memories} == {None, "raw"}


@pytest.mark.parametrize(("sources", "layers"), [("no", {None}), ("only", {"raw"}), ("yes", {None, "raw"})])
@pytest.mark.parametrize("mode", ["simple", "deep", "agent"])
def test_sources_are_searched_beside_memories_alone_or_not_at_all(
    repository: Repository, mode: str, sources: str, layers: set[str | None]
) -> None:
    repository.remember(Memory.of(OWN), "animals.zebra")
    ingest(repository, TALK)

    assert {each.layer for each in ask(repository, "zebra", mode=mode, sources=sources).memories} == layers


def test_a_namespace_means_what_was_said_in_it_too(repository: Repository) -> None:
    repository.remember(Memory.of(OWN), "user:animals.zebra")
    ingest(repository, TALK)
    ingest(repository, CHAT, "chat", namespace="user")

    assert [each.source for each in ask(repository, "boiler", namespace="user", limit=1).memories] == ["chat"]
    assert not passages_of(ask(repository, "finch", namespace="user", strict=True))
    assert {
        each.namespace for each in ask(repository, "zebra finch", namespace="default", sources="only").memories
    } == {"default:raw"}


def test_the_layer_can_be_named_itself(repository: Repository) -> None:
    repository.remember(Memory.of(OWN), "animals.zebra")
    ingest(repository, TALK)

    assert {each.layer for each in ask(repository, "zebra", namespace="default:raw").memories} == {"raw"}


def test_a_layer_that_is_named_holds_sources_only(repository: Repository) -> None:
    ingest(repository, TALK)

    assert passages_of(ask(repository, "zebra", namespace="default:raw", sources="only"))


def test_keys_choose_sources(repository: Repository) -> None:
    repository.remember(Memory.of(OWN), "animals.zebra")
    ingest(repository, TALK)
    ingest(repository, TALK.replace("finch", "fish"), "other")

    assert {each.source for each in ask(repository, "zebra", keys="sources.other.*").memories} == {"other"}


def test_a_person_is_who_speaks(repository: Repository) -> None:
    ingest(repository, TALK)

    found = ask(repository, "zebra finch", person="Ada")

    assert {each.speaker for each in found.memories} == {"Ada"}


def test_since_goes_by_when_it_was_said(repository: Repository) -> None:
    ingest(repository, TALK)
    ingest(repository, TALK.replace("2026-01-31", "2025-01-31"), "older")

    assert {each.source for each in ask(repository, "finch", since="2026-01-01").memories} == {"talk"}
    assert {each.source for each in ask(repository, "finch", until="2025-12-31").memories} == {"older"}


def test_adjacent_talk_is_one_hit_whose_address_reads_all_of_it(repository: Repository) -> None:
    ingest(repository, TALK)

    best = ask(repository, "zebra finch").memories[0]

    assert best.id == "p1-4"
    assert best.content.splitlines()[1:3] == [
        "Ben: I adopted a zebra finch yesterday.",
        "Ada: My zebra finch is called Pip, and he sings.",
    ]
    (entry,) = repository.get_many([best.key])
    assert entry.record and entry.record[0].content == best.content


def test_talk_is_joined_up_to_900_characters(repository: Repository) -> None:
    turns = [f"{'Ada' if number % 2 else 'Ben'}: The zebra {'runs and runs ' * 25}." for number in range(4)]
    ingest(repository, "\n".join(turns) + "\n")

    assert all(len(each) < 950 for each in hits(repository, "zebra", limit=10))
    assert sorted(each.id for each in ask(repository, "zebra", limit=10).memories) == ["p1-2", "p3-4"]


def test_turns_of_an_assistant_are_not_joined(repository: Repository) -> None:
    ingest(repository, CHAT, "chat")

    assert all("-" not in each.id for each in ask(repository, "boiler metric units", limit=10).memories)


def test_an_item_and_its_passage_are_one_hit(repository: Repository) -> None:
    ingest(repository, "# Runbook\n\nWe cut releases on Thursdays.\n", "notes", items=True)
    (item,) = ask(repository, "releases", sources="no").memories

    hit = only(ask(repository, "when do we cut releases"))

    assert (hit.layer, hit.source, hit.items) == ("raw", "notes", (item.address.place.full_key,))
    assert "We cut releases on Thursdays." in hit.content


def test_an_edited_item_stands_on_its_own(repository: Repository) -> None:
    ingest(repository, "# Runbook\n\nWe cut releases on Thursdays.\n", "notes", items=True)
    (item,) = ask(repository, "releases", sources="no").memories
    repository.edit(item.key, lambda record: [record[0]._replace(content="We cut releases on Fridays.")])

    found = ask(repository, "when do we cut releases").memories

    assert {each.layer for each in found} == {None, "raw"}
    assert all(each.items == () for each in found)


def test_a_moved_item_is_still_one_hit_with_its_passage(repository: Repository) -> None:
    ingest(repository, "# Runbook\n\nWe cut releases on Thursdays.\n", "notes", items=True)
    (item,) = ask(repository, "releases", sources="no").memories
    repository.move(item.key, "team.days")

    assert only(ask(repository, "when do we cut releases")).items == ("default:team.days",)


def test_an_item_that_was_moved_and_edited_stands_on_its_own(repository: Repository) -> None:
    ingest(repository, "# Runbook\n\nWe cut releases on Thursdays.\n", "notes", items=True)
    (item,) = ask(repository, "releases", sources="no").memories
    repository.move(item.key, "team.days")
    repository.edit("team.days", lambda record: [record[0]._replace(content="We cut releases on Fridays.")])

    found = ask(repository, "when do we cut releases").memories

    assert {each.path for each in found if not each.layer} == {"team.days"}
    assert all(each.items == () for each in found)


def test_an_item_found_by_its_path_alone_is_a_memory(repository: Repository) -> None:
    ingest(repository, "# Runbook\n\nWe cut releases on Thursdays.\n", "notes", items=True)
    (item,) = ask(repository, "releases", sources="no").memories

    assert only(ask(repository, "releases", keys=item.path)).layer is None


def test_what_a_user_says_is_before_what_an_assistant_says(repository: Repository) -> None:
    ingest(repository, CHAT, "chat")

    assert [each.speaker for each in ask(repository, "boiler whistles", limit=2).memories] == ["user", "assistant"]


def test_what_a_user_says_comes_first_where_the_order_of_talk_is_asked_for(repository: Repository) -> None:
    ingest(repository, "user: ok\nassistant: The boiler whistles.\nuser: The boiler is of 1990.\n", "chat")

    for question, speaker in (("the boiler", "assistant"), ("in what order did I mention the boiler", "user")):
        assert ask(repository, f"{question} that whistles", limit=1).memories[0].speaker == speaker


def test_the_words_that_ask_for_the_order_of_talk_are_not_searched_for(repository: Repository) -> None:
    ingest(repository, "user: List five different topics.\nassistant: Yes.\nuser: My boiler is old.\n", "chat")

    question = "In what order did I mention different topics of boilers? List five topics."

    assert "boiler" in ask(repository, question, limit=1).memories[0].content


def test_what_an_assistant_says_counts_in_full_if_it_is_asked_for(repository: Repository) -> None:
    ingest(repository, CHAT, "chat")

    assert ask(repository, "what did you recommend for the boiler", limit=1).memories[0].speaker == "assistant"


def test_a_users_request_is_no_question(repository: Repository) -> None:
    ingest(repository, "user: My boiler whistles, is that bad?\nassistant: No.\nuser: ok\nassistant: Yes.\n", "chat")
    ingest(repository, "Ada: My boiler whistles, is that bad?\nBen: No, no.\nAda: Fine.\nBen: Yes.\n", "talk")

    ranking = ask(repository, "boiler whistles").ranking
    assert ranking
    factors = {
        each.document.role: each.base.question for each in ranking.candidates if "whistles" in each.document.content
    }
    assert factors == {"user": 1.0, "talk": 0.9}


def factor(repository: Repository, question: str, words: str) -> float:
    ranking = ask(repository, question).ranking
    assert ranking
    (factor,) = (each.base.question for each in ranking.candidates if words in each.document.content)
    return round(factor, 2)


def test_code_counts_less_unless_it_is_asked_for(repository: Repository) -> None:
    code = "boiler.start({heat: 60});\nboiler.stop();"
    ingest(repository, f"user: {code}\nassistant: No.\nuser: The boiler is old.\nassistant: Yes.\n", "chat")

    assert factor(repository, "boiler", "boiler.start") == 0.6 and factor(repository, "boiler", "is old") == 1.0
    assert factor(repository, "boiler code", "boiler.start") == 1.0


def test_what_introduces_its_speaker_counts_twice_where_a_person_is_asked_for(repository: Repository) -> None:
    ingest(repository, "user: I'm Ada, a locksmith, and my boiler is old.\nassistant: Good.\n", "chat")

    assert factor(repository, "what does Ada do for a living?", "locksmith") == 2.0
    assert factor(repository, "is Ada's boiler old?", "locksmith") == 1.0


def test_an_assistants_offer_of_more_help_counts_half(repository: Repository) -> None:
    ingest(repository, "user: My boiler is old.\nassistant: If the boiler stops, feel free to ask!\n", "chat")

    assert factor(repository, "what did you say of the boiler?", "feel free") == 0.5


@pytest.mark.parametrize(
    "days",
    [
        pytest.param(["2024-03-01", "2024-03-01", "2024-03-02", "2024-03-02", "2024-03-09"], id="on several days"),
        pytest.param(["2024-03-01"] * 5, id="all on one day"),
    ],
)
def test_where_the_present_is_asked_for_the_newest_comes_first(repository: Repository, days: list[str]) -> None:
    said = ["The boiler has 60 degrees.", "Good.", "I feed the cat.", "Good.", "The boiler now gives us 70 degrees."]
    lines = [
        json.dumps({"role": "assistant" if text == "Good." else "user", "content": text, "timestamp": day})
        for text, day in zip(said, days, strict=True)
    ]
    ingest(repository, "\n".join(lines), "chat")

    then, now = (
        hits(repository, f"how many degrees has the boiler{when}?", limit=1)[0] for when in ("", " at present")
    )

    assert "60" in then and "70" in now


def test_further_passages_of_a_turn_rank_behind(repository: Repository) -> None:
    ingest(repository, f"user: {LONG}\n\n{LONG}\nassistant: I see.\nuser: A boiler.\nassistant: Fine.\n", "chat")

    ranking = ask(repository, "boiler laundry old", limit=10).ranking
    assert ranking
    scores = [each.score / each.base.score for each in ranking.candidates if "laundry" in each.document.content]
    assert sorted(round(score, 3) for score in scores) == [0.8, 1.0]


def test_a_summary_has_one_hit_a_turn_of_150_characters(repository: Repository) -> None:
    ingest(repository, f"user: {LONG}\n\n{LONG}\nassistant: I see.\nuser: {LONG}\nassistant: Fine.\n", "chat")

    found = ask(repository, "summarize what I said about the boiler of the laundry", limit=10).memories

    long = [each for each in found if each.truncated]
    assert len(long) == 2 and all(len(each.content) <= 150 < (each.truncated or 0) for each in long)


def test_a_document_is_found_by_paragraph_with_its_heading(repository: Repository) -> None:
    paragraphs = [
        f"{word} {'is a word that stands here again and again. ' * 9}" for word in ("Lantern", "Harbour", "Meadow")
    ]
    ingest(repository, "# Guide\n\n## Words\n\n" + "\n\n".join(paragraphs) + "\n", "guide")

    best = ask(repository, "harbour", limit=1).memories[0]

    assert best.content.startswith("Guide > Words: Harbour is") and "Lantern" not in best.content
    assert best.speaker is None and best.id == "p2"


def test_a_heading_finds_the_paragraphs_below_it(repository: Repository) -> None:
    ingest(repository, "# Guide\n\n## Installing\n\nRun it twice.\n\n## Removing\n\nDelete it.\n", "guide")

    assert "Run it twice." in hits(repository, "installing", limit=1)[0]


def test_standing_instructions_are_apart_from_the_hits(repository: Repository) -> None:
    ingest(repository, CHAT, "chat")

    answer = ask(repository, "which metric units should I use for the boiler")

    (standing,) = answer.standing
    assert (standing.kind, standing.content) == ("directive", "Always answer me in metric units.")
    assert (standing.source, standing.speaker, standing.address.id) == ("chat", "user", "p3")
    (entry,) = repository.get_many([standing.address.full_key])
    assert entry.record and "Always answer me in metric units." in entry.record[0].content


def test_there_are_two_instructions_and_one_preference_at_most(repository: Repository) -> None:
    said = [
        f"user: Always mention the {word} of a bird.\nassistant: Yes.\n" for word in ("colour", "size", "song", "nest")
    ]
    said += [f"user: I prefer {word} birds to others.\nassistant: Yes.\n" for word in ("small", "large", "red")]
    ingest(repository, "".join(said), "chat")

    kinds = [each.kind for each in ask(repository, "mention a bird with colour, song and nest").standing]

    assert kinds == ["directive", "directive", "preference"]


def test_the_same_instruction_is_named_once(repository: Repository) -> None:
    ingest(repository, CHAT, "chat")
    ingest(repository, f"user: Hello again.\n{CHAT}", "again")

    assert len(ask(repository, "which metric units should I use").standing) == 1


def test_standing_instructions_keep_within_max_chars(repository: Repository) -> None:
    ingest(repository, CHAT, "chat")
    question = "which metric units should I use"

    whole = ask(repository, question, limit=1)
    size = len(whole.memories[0].content)

    assert whole.standing and not ask(repository, question, limit=1, max_chars=size + 5).standing
    assert ask(repository, question, limit=1, max_chars=size + 40).standing


def test_what_people_say_to_each_other_is_no_instruction(repository: Repository) -> None:
    ingest(repository, CHAT.replace("user:", "Ada:").replace("assistant:", "Ben:"), "talk")

    assert ask(repository, "which metric units should I use").standing == ()


def test_there_are_no_instructions_without_sources(repository: Repository) -> None:
    ingest(repository, CHAT, "chat")

    assert ask(repository, "which metric units should I use", sources="no").standing == ()


def test_standing_instructions_are_of_the_namespaces_searched(repository: Repository) -> None:
    repository.remember(Memory.of(OWN), "user:animals.zebra")
    ingest(repository, CHAT, "chat")

    assert ask(repository, "which metric units should I use", namespace="user").standing == ()
