"""Threads as a user of the library sees them: what is dormant, and what names a thread."""

import pytest

from memoir import InvalidInput, Memory, NotFound, Repository
from memoir.layers.threads import Story


@pytest.fixture
def apollo(repository: Repository) -> Repository:
    """Two threads, of a day in January and of one in March, and a memory that stands alone."""
    for path, content, day in (
        ("project.apollo.move", "We move Apollo to a new cluster.", "2026-01-01"),
        ("project.apollo.done", "The move of Apollo is done.", "2026-01-05"),
        ("project.lunch", "Lunch is at noon.", "2026-01-07"),
        ("project.zeus.parser", "Zeus gets a parser.", "2026-03-01"),
        ("project.zeus.bug", "The parser of Zeus has a bug.", "2026-03-02"),
    ):
        repository.remember(Memory.of(content, timestamp=f"{day}T12:00:00Z"), path)
    return repository


def paths(story: Story) -> list[str]:
    return [each.address.path for each in story.memories]


def test_a_thread_is_dormant_after_two_weeks_of_silence_and_a_new_memory_revives_it(apollo: Repository) -> None:
    lately = apollo.layers.threads(now="2026-03-10")
    all_of_them = apollo.layers.threads(now="2026-03-10", dormant=True)

    assert [each.first.address.path for each in lately.threads] == ["project.zeus.parser"]
    assert (lately.dormant, all_of_them.dormant) == (1, 0)
    assert [each.is_dormant for each in all_of_them.threads] == [False, True]
    assert apollo.layers.threads(now="2026-01-19T12:00:00Z").dormant == 0
    old = all_of_them.threads[1].id

    apollo.remember(Memory.of("Apollo is slow.", timestamp="2026-03-09T12:00:00Z"), "project.apollo.slow")

    assert apollo.layers.threads(now="2026-03-10").threads[0].id == old


def test_a_thread_has_a_story_words_and_many_names(apollo: Repository) -> None:
    story = apollo.layers.thread("project.apollo.done")

    assert paths(story) == ["project.apollo.move", "project.apollo.done"]
    assert story.thread.words == ["Apollo", "move"]
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

    assert all(each.id in str(error.value.hint) for each in apollo.layers.threads(dormant=True).threads)


def test_the_past_has_its_own_threads(apollo: Repository) -> None:
    assert len(apollo.layers.threads(at="HEAD~1", dormant=True).threads) == 1
    assert len(apollo.layers.threads(dormant=True).threads) == 2
