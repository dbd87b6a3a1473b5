"""Threads as a user of the library sees them: what is dormant, what names a thread, and what it is about as a whole."""

from collections.abc import Sequence

import pytest
from support import built_once

from memoir import InvalidInput, Memory, NotFound, Repository
from memoir.english.topics import topics
from memoir.layers.thread_subjects import Said, said, subject
from memoir.layers.threads import Story


@built_once
def apollo(repository: Repository) -> None:
    """Two threads, of a day in January and of one in March, and a memory that stands alone."""
    for path, content, day in (
        ("project.apollo.move", "We move Apollo to a new cluster.", "2026-01-01"),
        ("project.apollo.done", "The move of Apollo is done.", "2026-01-05"),
        ("project.apollo.off", "The old cluster of Apollo is off.", "2026-01-06"),
        ("project.lunch", "Lunch is at noon.", "2026-01-07"),
        ("project.zeus.parser", "Zeus gets a parser.", "2026-03-01"),
        ("project.zeus.bug", "The parser of Zeus has a bug.", "2026-03-02"),
        ("project.zeus.tests", "There are tests for the parser of Zeus.", "2026-03-02"),
    ):
        repository.remember(Memory.of(content, timestamp=f"{day}T12:00:00Z"), path)


def paths(story: Story) -> list[str]:
    return [each.address.path for each in story.memories]


def test_a_thread_is_dormant_after_two_weeks_of_silence_and_a_new_memory_revives_it(apollo: Repository) -> None:
    lately = apollo.layers.threads(now="2026-03-10")
    all_of_them = apollo.layers.threads(now="2026-03-10", every=True)

    assert [each.first.address.path for each in lately.threads] == ["project.zeus.parser"]
    assert (lately.dormant, all_of_them.dormant) == (1, 0)
    assert [each.is_dormant for each in all_of_them.threads] == [False, True]
    assert apollo.layers.threads(now="2026-01-19T12:00:00Z").dormant == 0
    assert [each.is_dormant for each in apollo.layers.threads().threads] == [False]  # counted from the newest memory
    old = all_of_them.threads[1].id

    apollo.remember(Memory.of("Apollo is slow.", timestamp="2026-03-09T12:00:00Z"), "project.apollo.slow")

    assert apollo.layers.threads(now="2026-03-10").threads[0].id == old


def test_a_thread_has_a_story_words_and_many_names(apollo: Repository) -> None:
    story = apollo.layers.thread("project.apollo.done")

    assert paths(story) == ["project.apollo.move", "project.apollo.done", "project.apollo.off"]
    assert (story.thread.title, story.thread.words) == ("The old cluster of Apollo is off", ["Apollo", "cluster"])
    assert story.thread.first.memory.content == "We move Apollo to a new cluster."
    assert paths(apollo.layers.thread(story.thread.id[:5])) == paths(story)


def test_moving_a_memory_within_its_namespace_does_not_rename_its_thread(apollo: Repository) -> None:
    before = apollo.layers.thread("project.apollo.done").thread.id

    apollo.move("project.apollo.move", "plans.apollo.move")

    assert apollo.layers.thread(before).thread.id == before


@pytest.mark.parametrize(
    ("which", "reason"),
    [("project.lunch", "stands alone"), ("no.such.path", "no memory"), ("0123456789ab", "no memory"), ("?", "no mem")],
)
def test_what_names_no_thread_is_not_found(apollo: Repository, which: str, reason: str) -> None:
    with pytest.raises(NotFound, match=reason):
        apollo.layers.thread(which)


def test_a_beginning_that_several_threads_share_is_refused_with_their_ids(apollo: Repository) -> None:
    with pytest.raises(InvalidInput) as error:
        apollo.layers.thread("")

    assert all(each.id in str(error.value.hint) for each in apollo.layers.threads(every=True).threads)


def test_the_past_has_its_own_threads(apollo: Repository) -> None:
    assert len(apollo.layers.threads(at="HEAD~2", every=True).threads) == 1
    assert len(apollo.layers.threads(every=True).threads) == 2


def test_where_all_threads_are_dormant_they_are_listed(apollo: Repository) -> None:
    listing = apollo.layers.threads(now="2030-01-01")

    assert [(each.title, each.is_dormant) for each in listing.threads] == [
        ("The parser of Zeus has a bug", True), ("The old cluster of Apollo is off", True),
    ]  # fmt: skip


def test_silence_is_counted_in_each_namespace_of_its_own(apollo: Repository) -> None:
    apollo.remember(Memory.of("Nothing else.", timestamp="2029-01-01T00:00:00Z"), "other:a.b")

    assert not apollo.layers.thread("project.zeus.bug").thread.is_dormant


def test_a_chain_of_memories_without_a_subject_is_listed_only_on_request(repository: Repository) -> None:
    for day, content in enumerate(
        (
            "Bob plays tennis with Eve.", "A tenor for Eve and Tom.", "He writes sonnets for Tom and Ann.",
            "Trams are new to Ann and Kim.", "Copper wires cost Kim and Joe 90 euros.",
        ), 1,
    ):  # fmt: skip
        repository.remember(Memory.of(content, timestamp=f"2026-01-0{day}T00:00:00Z"), f"a.n{day}")
    listing, every = repository.layers.threads(), repository.layers.threads(every=True)

    assert listing.threads == [] and listing.vague == len(every.threads) > 0
    assert [each.title for each in every.threads] == [None] * len(every.threads)


def title_of(*texts: str) -> str | None:
    return title_among([Said("", text) for text in texts])


def title_among(memories: Sequence[Said]) -> str | None:
    words = {topic.stem: topic.word for each in memories for topic in topics(each.text)}
    about = subject(memories, words)
    return about.title if about else None


def test_a_title_is_a_sentence_that_names_what_most_memories_share() -> None:
    assert title_of(
        "Yeah! I went to a yoga class. It was fun.", "Is the yoga class on Monday?", "This yoga class is relaxing.",
    ) == "I went to a yoga class"  # fmt: skip


@pytest.mark.parametrize(
    "texts",
    [
        ("The parser reads a file.", "The parser has a bug."),
        ("We always appreciate this.", "I appreciate it.", "They appreciate us."),
        ("The vibe is a thing.", "A vibe of joy.", "What a vibe."),
        ("Is the parser slow?", "Why does the parser fail?", "It needs the parser."),
        ("The parser is slow.", "The lexer is slow.", "The printer is slow."),
    ],
    ids=["two memories", "a verb", "vague words", "no sentence stands alone", "an adjective"],
)
def test_without_a_noun_that_most_share_there_is_no_subject(texts: tuple[str, ...]) -> None:
    assert title_of(*texts) is None


def test_a_long_title_is_cut_between_words_and_asides_are_left_out() -> None:
    title = title_of(
        "[shares a picture: a parser] The parser " + "reads and checks " * 10 + "it.", "The parser", "A parser.",
    )  # fmt: skip

    assert title and title.startswith("The parser reads") and title.endswith(("reads…", "and…")) and len(title) <= 111


def test_a_title_names_who_says_it_of_themselves() -> None:
    texts = ("I went to a yoga class on Monday.", "Is the yoga class fun?", "The yoga class is over.")

    assert title_among([Said("Emi", text) for text in texts]) == "Emi: I went to a yoga class on Monday"
    assert title_among([Said("Emi", text) for text in texts[1:]] + [Said("", texts[0])]) == texts[0].removesuffix(".")


@pytest.mark.parametrize(
    "texts",
    [
        ("Your yoga class sounds amazing!", "What a yoga class!", "A yoga class must be relaxing."),
        ("I loved it so much, the yoga class.", "She went to her yoga class.", "They are so good, these yoga classes."),
        ("    yoga_class = open();", "if (yoga_class) { return; }", "yoga_class.close();"),
    ],
    ids=["pleasantries", "pronouns before what they stand for", "code"],
)
def test_a_thread_whose_best_sentence_tells_a_stranger_nothing_has_no_title(texts: tuple[str, ...]) -> None:
    assert title_among([Said("Emi", text) for text in texts]) is None


def test_words_that_people_use_of_everything_are_no_subject_alone() -> None:
    of_home = ("The plumber comes home.", "A cat lives at home.", "Our home burns down.")

    assert title_of(*of_home) is None
    assert title_of(*(text.replace("home", "hostel") for text in of_home)) is not None


def test_what_an_assistant_says_and_a_line_of_a_document_are_no_titles() -> None:
    text = "Helmet sets several headers of the responses."
    links = {"links": {"derives_from": "default:raw:sources.manual.0001"}}

    assert said(Memory.of(text)).may_title
    assert said(Memory.of(text, metadata={"speaker": "user"})).may_title
    assert not said(Memory.of(text, metadata={"speaker": "assistant"})).may_title
    assert not said(Memory.of(text, metadata=links)).may_title
    assert said(Memory.of(f"Ann: {text}", metadata={"person": "ann"})) == Said("Ann", text)
