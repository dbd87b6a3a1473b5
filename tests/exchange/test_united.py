"""Paths at which a merge keeps what both sides wrote side by side: no conflict, but somebody should know."""

from collections.abc import Sequence

from memoir.exchange.united import united
from memoir.exchange.writers.fold import fold
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.taxonomy.paths import Address


def put(repository: Repository, content: str, path: str, policy: str | None = None, branch: str | None = None) -> None:
    repository.remember(Memory.of(content), path, policy=policy, options=WriteOptions(branch=branch))


def paths(united: Sequence[Address]) -> list[str]:
    return [address.path for address in united]


def test_a_sync_names_a_new_path_at_which_both_stores_wrote(mine: Repository, yours: Repository) -> None:
    put(yours, "the release is on 3 May", "project.release")
    put(yours, "only yours", "project.yours")
    put(mine, "the release is on 7 June", "project.release")
    yours.remotes.sync()

    assert paths(mine.remotes.sync().united) == ["project.release"]
    assert paths(mine.remotes.sync().united) == []
    assert paths(yours.remotes.sync().united) == []


def test_a_sync_that_was_fetched_for_before_names_it_too(mine: Repository, yours: Repository) -> None:
    put(yours, "the release is on 3 May", "project.release")
    put(mine, "the release is on 7 June", "project.release")
    yours.remotes.sync()
    mine.remotes.fetch()

    assert paths(mine.remotes.sync().united) == ["project.release"]


def test_a_pull_names_it(mine: Repository, yours: Repository) -> None:
    put(yours, "the release is on 3 May", "project.release")
    put(mine, "the release is on 7 June", "project.release")
    yours.remotes.sync()

    assert paths(mine.remotes.pull().merge.united) == ["project.release"]


def test_what_one_side_replaced_and_the_other_added_to_is_named(mine: Repository, yours: Repository) -> None:
    put(mine, "another beginning", "a.first")
    put(yours, "what came next", "a.first", policy="append")
    yours.remotes.sync()

    assert paths(mine.remotes.sync().united) == ["a.first"]


def test_events_and_the_same_words_are_not_named(mine: Repository, yours: Repository) -> None:
    for store, day in ((mine, "Monday"), (yours, "Tuesday")):
        put(store, f"it rained on {day}", "experience.rain")
        put(store, "we use PostgreSQL", "context.database")
        store.lexicon.add(f"barn = {day}")
    yours.remotes.sync()

    assert paths(mine.remotes.sync().united) == []


def test_what_one_side_has_whole_is_not_named(mine: Repository, yours: Repository) -> None:
    put(yours, "the second", "a.first", policy="append")
    yours.remotes.sync()
    put(mine, "elsewhere", "a.elsewhere")

    assert paths(mine.remotes.sync().united) == []


def test_what_three_wrote_is_named_to_whoever_brings_it_together(mine: Repository) -> None:
    for branch in ("one", "two"):
        mine.branches.create(branch)
        put(mine, f"the lead is {branch}", "project.lead", branch=branch)
    tips = [mine.store.commit(name).id for name in ("main", "one", "two")]

    done = fold(mine.store, tips, first=tips[0])

    assert paths(united(mine.store, tips, done.tip)) == ["project.lead"]


def test_a_category_that_both_sides_added_is_named_because_one_of_them_decides(
    mine: Repository, yours: Repository
) -> None:
    for store, about in ((mine, "what we cook"), (yours, "how we deploy")):
        store.taxonomy.add("recipes", about)
    yours.remotes.sync()

    assert [address.full_key for address in mine.remotes.sync().united] == ["memoir:taxonomy:recipes"]
