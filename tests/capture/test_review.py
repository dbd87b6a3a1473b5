"""Captures: proposed with numbers, then accepted or rejected; accepted ones are one commit that names their origin."""

import json
import os
import re
import threading
from pathlib import Path

import pytest

from memoir import InvalidInput, Memory, NotFound, Repository
from memoir.capture.finder import Finder
from memoir.capture.proposals import Proposal, Proposals
from memoir.capture.review import Acceptance, review
from memoir.capture.spool import SessionTurn, TurnSpool
from memoir.english.lasting.session_sentences import TurnFinding
from memoir.filing.filer import Filer
from memoir.memory.write_options import WriteOptions

SESSION = "bf020496-88aa-468f-a112-b9c29ad28e8c"
RULE, LESSON = (
    "From now on run the type checker before you are done.",
    "Root cause: the advisory lock 42 is taken twice, so the second worker waits.",
)
CONVERSATION = (
    ("user", f"{RULE} Fix the parser."),
    ("user", RULE),
    ("user", "Why is CI red? The password is hunter2hunter2 in our tests."),
    ("assistant", f"I fixed it. {LESSON}"),
    ("user", "Scratch that, forget about the type checker."),
)


def say(repository: Repository, *texts: str, session: str = SESSION, role: str = "user", began: float = 0) -> None:
    spool = TurnSpool(repository.path)
    spool.switch(True)
    for number, text in enumerate(texts):
        spool.add(SessionTurn("claude", session, 1_760_000_000.5 + began + number, role, text))


@pytest.fixture
def talk(repository: Repository) -> Repository:
    for number, (role, text) in enumerate(CONVERSATION):
        say(repository, text, role=role, began=number)
    return repository


def contents(proposals: list[Proposal]) -> dict[int, str]:
    return {each.number: each.content for each in proposals}


def commits(repository: Repository) -> list[str]:
    return [commit.message for commit in repository.log()]


@pytest.mark.parametrize(
    "texts", [("The release day is Monday. Actually Tuesday.",), ("The release day is Monday.", "Actually Tuesday.")]
)
def test_what_somebody_corrects_at_once_is_proposed_as_it_holds_at_the_end(
    repository: Repository, texts: tuple[str, ...]
) -> None:
    say(repository, *texts)
    assert [*contents(repository.captures.review().proposals).values()] == ["The release day is Tuesday."]


def test_a_proposal_names_the_older_memory_that_it_contradicts_and_what_is_accepted_can_replace_it(
    repository: Repository,
) -> None:
    old, new = "Always squash commits before merging.", "Never squash commits before merging."
    repository.remember(Memory.of(old, timestamp="2025-01-01"), "team.merging")
    repository.remember(Memory.of("I hate tabs in YAML", timestamp="2030-01-01"), "team.tabs")
    say(repository, f"From now on: {new}", "I prefer tabs in YAML.")

    review = repository.captures.review()
    (number, (similar,)), (later, (newer,)) = review.similar.items()

    assert (newer.is_newer, newer.command) == (True, f"memoir capture reject {later}")
    assert contents(review.proposals)[number].endswith(new)
    assert (similar.facet.memory.content, similar.relation) == (old, "contradicts")
    assert similar.command == f"memoir capture accept {number} --replace-similar"
    (offer,) = repository.captures.accept(number, options=WriteOptions(dry_run=True)).filed[number].similar
    done = repository.captures.accept(number, replace_similar=True)
    superseded = done.filed[number].superseded
    assert offer.facet.memory == similar.facet.memory == superseded and not done.filed[number].similar
    assert done.filed[number].target.short_key == done.done[0].path == "team.merging"
    record = repository.get("team.merging") or ()
    assert [(memory.content.endswith(new), memory.active) for memory in record] == [(False, False), (True, True)]


def test_two_proposals_that_contradict_one_memory_each_name_a_command_that_makes_it_the_successor(
    repository: Repository,
) -> None:
    repository.remember(Memory.of("The default branch is main", timestamp="2025-01-01"), "workflow.git.branch")
    say(repository, "From now on the default branch is trunk.", "From now on the default branch is develop.")
    commands = [each.command for (each,) in repository.captures.review().similar.values()]
    assert commands == [f"memoir capture accept {number} --replace-similar" for number in (1, 2)]

    done = repository.captures.accept(1, 2)
    offers = [(offer.facet.memory.content, offer.command) for offer in done.filed[1].similar]
    assert [content.split()[-1] for content, _ in offers] == ["main", "develop."]
    repository.replace(*offers[0][1].split()[2:])

    active = [memory.content for memory in repository.get("workflow.git.branch") or () if memory.active]
    assert "From now on the default branch is trunk." in active and "The default branch is main" not in active


@pytest.mark.parametrize("replace_similar", [True, False])
def test_the_next_session_is_told_what_was_corrected_or_which_of_both_is_newer(
    repository: Repository, replace_similar: bool
) -> None:
    old, new = "Always use npm for packages", "Not npm, we use pnpm here"
    repository.remember(Memory.of(old, timestamp="2025-01-01"), "rules.packages")
    say(repository, new)
    repository.captures.accept(every=True, replace_similar=replace_similar)

    told = repository.agents.prime().text

    assert new in told and (old in told) is not replace_similar
    assert ("disputes the older rules.packages" in told) is not replace_similar


@pytest.mark.parametrize(
    ("turns", "old", "new"),
    [
        (1, "Always use npm for packages.", "Not npm, we use pnpm here."),
        (2, "We deploy with Helm.", "We no longer deploy with Helm, we deploy with Kustomize."),
    ],
)
@pytest.mark.parametrize("newest_first", [True, False])
def test_of_what_is_said_in_one_second_the_later_is_newer(
    repository: Repository, turns: int, old: str, new: str, newest_first: bool
) -> None:
    """In one turn, or in two, whose paths are in another order; whichever is accepted first."""
    for at, text in enumerate([old, new] if turns == 2 else [f"{old} {new}"]):
        say(repository, text, began=at / 5)
    numbers = contents(repository.captures.review().proposals)
    assert [*numbers.values()] == [old, new]

    for number in sorted(numbers, reverse=newest_first):
        repository.captures.accept(number)

    hits = {each.content: each for each in repository.recall(old).memories}
    (older,), (newer,) = hits[new].disputes, hits[old].disputes
    assert older.order > newer.order and older.memory.content == old
    told = repository.agents.prime().text
    key, its = newer.target.short_key, older.target.short_key
    assert re.search(rf"{key}( \(.*\))? disputes the older {its}", told)


def test_of_two_that_are_accepted_in_place_of_one_memory_the_later_is_the_last_successor(
    repository: Repository,
) -> None:
    repository.remember(Memory.of("The default branch is main", timestamp="2025-01-01"), "workflow.git.branch")
    say(repository, "From now on the default branch is trunk.", "From now on the default branch is develop.")

    done = repository.captures.accept(every=True, replace_similar=True)

    record = repository.get("workflow.git.branch") or ()
    assert [memory.content.split()[-1] for memory in record if memory.active] == ["develop."]
    gone = [each.superseded.content.split()[-1] for each in done.filed.values() if each.superseded]
    assert gone == ["main", "trunk."] and len(commits(repository)) == 2


def test_a_review_shows_what_would_be_remembered_and_changes_nothing(talk: Repository) -> None:
    proposals = talk.captures.review().proposals

    assert [(each.number, each.kind, each.content) for each in proposals] == [
        (1, "directive", RULE),
        (2, "resolution", LESSON),
        (0, "retraction", "Scratch that, forget about the type checker."),
    ]
    assert [each.path is None for each in proposals] == [False, False, True]
    assert talk.captures.review().proposals == proposals
    assert talk.count() == 0 and talk.captures.contents().turns == 5


def test_a_review_offers_what_gives_two_names_to_one_thing_unless_the_store_knows(repository: Repository) -> None:
    say(repository, "From now on deploy to the staging cluster, aka the barn.")

    assert [line.text for line in repository.captures.review().own_lines] == ["barn = staging cluster"]
    repository.lexicon.add("staging cluster = barn")
    assert repository.captures.review().own_lines == []


def test_a_number_means_the_same_proposal_whatever_was_said_and_decided_since(talk: Repository) -> None:
    talk.captures.review()
    say(talk, "We never log personal data.", session="another", began=-1_000)
    talk.captures.accept(1)

    assert contents(talk.captures.review().proposals) | {0: ""} == {0: "", 2: LESSON, 3: "We never log personal data."}
    talk.captures.reject(2)
    assert contents(talk.captures.review().proposals)[3] == "We never log personal data."
    for numbers in ((1,), (2, 3), (0,), (9,)):
        with pytest.raises(NotFound):
            talk.captures.accept(*numbers)
    assert talk.count() == 1


def test_what_is_accepted_is_one_commit_that_names_its_origin_and_can_be_undone(talk: Repository) -> None:
    talk.remember(Memory.of("before"), "a.b")
    done = talk.captures.accept(every=True)

    assert [each.content for each in done.done] == [RULE, LESSON]
    assert (done.left, done.refused, talk.captures.contents().turns) == (0, [], 0)
    assert talk.branches.choice().branch == "main" and len(commits(talk)) == 2
    (facet,) = talk.get(str(done.done[0].path)) or ()
    assert facet.timestamp == "2025-10-09T08:53:20.500000Z"
    assert {name: facet.metadata[name] for name in ("source", "session", "item_kind")} == {
        "source": "capture:claude", "session": SESSION, "item_kind": "directive",
    }  # fmt: skip
    talk.undo()
    assert talk.count() == 1 and talk.get("a.b")


def test_the_primer_of_the_next_session_quotes_what_was_accepted(talk: Repository) -> None:
    talk.captures.accept(every=True)

    assert RULE in talk.agents.prime().text


def test_what_was_decided_is_not_proposed_again_and_at_the_end_nothing_is_kept(talk: Repository) -> None:
    talk.captures.review()
    talk.captures.reject(1)
    say(talk, RULE, began=100)

    assert contents(talk.captures.review().proposals).keys() == {0, 2}
    assert talk.captures.accept(2).left == 0
    assert talk.count() == 1
    folder = Path(str(talk.captures.folder))
    assert {file.name for file in folder.iterdir()} == {"on", "lock", "store"}
    assert talk.captures.review().proposals == [] and talk.captures.accept(every=True) == Acceptance([], [], 0)


def test_all_includes_what_nobody_has_reviewed(talk: Repository) -> None:
    talk.captures.review()
    say(talk, "We never log personal data.", began=100)

    assert len(talk.captures.accept(every=True).done) == 3
    say(talk, "We always deploy on Tuesdays.", began=200)
    assert len(talk.captures.reject(every=True).done) == 1
    assert talk.count() == 3 and talk.captures.contents().turns == 0


def test_one_that_cannot_be_stored_is_left_out_and_named_and_stays(talk: Repository) -> None:
    say(talk, "We never log personal data.", session="ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8", began=9)

    done = talk.captures.accept(every=True)

    assert [each.content for each in done.done] == [RULE, LESSON]
    ((bad, error),) = done.refused
    assert bad.content == "We never log personal data." and isinstance(error, InvalidInput)
    assert "ghp_" not in error.message and done.left == 1
    assert [*contents(talk.captures.review().proposals)] == [0, bad.number]
    assert talk.captures.reject(bad.number).left == 0


def test_either_numbers_or_all_are_given(talk: Repository) -> None:
    for numbers, every in (((), False), ((1,), True)):
        with pytest.raises(InvalidInput):
            talk.captures.accept(*numbers, every=every)
        with pytest.raises(InvalidInput):
            talk.captures.reject(*numbers, every=every)


def test_a_dry_run_files_nothing_and_decides_nothing(talk: Repository) -> None:
    done = talk.captures.accept(every=True, options=WriteOptions(dry_run=True))

    assert (len(done.done), done.left, done.commit) == (2, 2, None)
    assert talk.count() == 0 and talk.captures.contents().turns == 5


def test_what_somebody_remembered_by_hand_stays_theirs(talk: Repository) -> None:
    talk.remember(Memory.of(RULE), "workflow.checks")
    talk.captures.accept(every=True)

    (facet,) = talk.get("workflow.checks") or ()
    assert "source" not in facet.metadata and facet.confidence == 1
    assert talk.count() == 2


def test_what_is_there_is_never_superseded(talk: Repository) -> None:
    path = talk.captures.review().proposals[0].path
    talk.remember(Memory.of("Another rule."), str(path))
    talk.captures.accept(1)

    assert [(facet.content, facet.active) for facet in talk.get(str(path)) or ()] == [
        ("Another rule.", True), (RULE, True),
    ]  # fmt: skip


def test_a_store_cannot_choose_the_branch(talk: Repository) -> None:
    talk.remember(Memory.of("x"), "a.b")
    talk.branches.create("other")
    with (talk.path / "config").open("a") as file:
        file.write('[memoir "capture"]\n\tbranch = other\n')
    with Repository.open(talk.path.parent) as again:
        again.captures.accept(every=True)

        assert again.count() == 3 and again.count(at="other") == 1


def test_what_is_said_while_somebody_accepts_is_kept(talk: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    drop = TurnSpool.drop

    def slow(self: TurnSpool, ends: dict[str, int]) -> None:
        say(talk, "We never log personal data.", began=100)
        say(talk, "We always deploy on Tuesdays.", session="other", began=100)
        drop(self, ends)

    with monkeypatch.context() as patch:
        patch.setattr(TurnSpool, "drop", slow)
        talk.captures.accept(every=True)

    found = {*contents(talk.captures.review().proposals).values()}
    assert found == {"We never log personal data.", "We always deploy on Tuesdays."}


def test_of_two_that_accept_at_once_neither_takes_from_the_other(talk: Repository) -> None:
    results: list[Acceptance] = []

    def accept() -> None:
        with Repository.open(talk.path.parent) as own:
            results.append(own.captures.accept(every=True))

    threads = [threading.Thread(target=accept) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(len(each.done) for each in results) == [0, 0, 2]
    assert talk.count() == 2


def test_an_end_before_the_turns_are_dropped_files_nothing_twice(
    talk: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object, numbers: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Proposals, "close", fail)
        with pytest.raises(KeyboardInterrupt):
            talk.captures.accept(every=True)

    before = commits(talk)
    assert len(talk.captures.accept(every=True).done) == 2
    assert talk.count() == 2 and commits(talk) == before
    assert talk.captures.contents().turns == 0


@pytest.mark.slow
def test_many_captures_are_placed_in_one_read_of_the_index(talk: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    say(talk, *(f"We always deploy service {number} on Tuesdays." for number in range(40)), began=100)
    decide, calls = Filer.decide_by_rules, list[int]()

    def note(self: Filer, texts: list[str], *args: object, **more: object) -> object:
        calls.append(len(texts))
        return decide(self, texts, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Filer, "decide_by_rules", note)
    talk.captures.review()
    talk.captures.review()
    talk.captures.accept(every=True)

    assert calls == [42]


def test_a_review_survives_a_damaged_file_of_proposals(talk: Repository) -> None:
    before = talk.captures.review().proposals
    for data in (b"{", b"[]", b""):
        Path(str(talk.captures.folder), "proposals").write_bytes(data)
        assert talk.captures.review().proposals == before


def test_status_says_that_capture_is_on(talk: Repository) -> None:
    assert talk.status().captures
    talk.captures.switch(False)
    assert not talk.status().captures


def test_a_purge_deletes_what_was_said_and_what_was_made_of_it(talk: Repository) -> None:
    talk.captures.review()
    deleted = talk.captures.purge()

    assert (deleted.turns, deleted.sessions) == (5, 1)
    assert talk.captures.contents().turns == 0 and talk.captures.on
    assert not [name for name in os.listdir(str(talk.captures.folder)) if name not in ("on", "lock", "store")]
    assert json.dumps(contents(talk.captures.review().proposals)) == "{}"


def test_words_that_are_a_credential_only_in_a_finding_are_withheld_with_their_line(repository: Repository) -> None:
    class Joiner(Finder):
        def find(self, turn: SessionTurn) -> list[TurnFinding]:
            return [TurnFinding(turn.text.replace(" and ", ""), "fact", "test"), TurnFinding("Use tabs.", "fact", "t")]

    say(repository, "Hello.\nghp_a1B2c3D4e5F6a7B8 and c9D0e1F2a3B4c5D6e7F8")

    found = review(repository.store, Joiner())

    assert [each.content for each in found.proposals] == ["Use tabs."]
    assert [(each.session, each.rule) for each in found.withheld] == [(SESSION, "github-token")]


def test_a_proposal_that_names_a_file_of_the_project_can_be_tied_to_it(repository: Repository) -> None:
    file = repository.path.parent / "parse.py"
    file.write_text("def parse():\n    pass\n")
    say(repository, "From now on: Never import re in parse.py.", "I prefer tabs in YAML.")

    review = repository.captures.review()
    ((number, files),) = review.named.items()
    assert list(files) == ["parse.py"]
    repository.captures.accept(every=True, about=["auto"])

    items = [memory for item in repository.get_many(["*"]) for memory in item.record or ()]
    about = {memory.content: [each["file"] for each in memory.metadata.get("about", ())] for memory in items}
    assert sorted(about.values()) == [[], ["parse.py"]]
    assert number and all(memory.metadata["origin"] == ["capture"] for memory in items)


def test_a_file_that_is_not_there_ties_nothing_and_accepts_nothing(talk: Repository) -> None:
    talk.captures.review()

    with pytest.raises(NotFound, match="no file gone"):
        talk.captures.accept(every=True, about=["gone.py"])

    assert talk.count() == 0


GERMAN = "Nein, wir benutzen seit letztem Monat ruff. Bitte immer ruff verwenden."


def test_what_is_said_in_another_language_stays_until_somebody_rejects_it(repository: Repository) -> None:
    say(repository, GERMAN, "pnpm をつかってください")
    say(repository, "Thanks!", session="english")

    assert repository.captures.review() == repository.captures.review()
    assert (repository.captures.review().proposals, repository.captures.review().unread) == ([], 2)
    done = repository.captures.accept(every=True)
    assert (done.unread, repository.captures.contents().turns) == (2, 2)

    assert repository.captures.reject(every=True).unread == 0
    assert repository.captures.contents().turns == 0


def test_what_was_decided_beside_an_unread_turn_is_not_shown_again(repository: Repository) -> None:
    say(repository, f"{RULE} Fix the parser.", "Never mind what I said about tabs.", GERMAN)

    done = repository.captures.accept(every=True)
    assert (done.left, [each.kind for each in done.retractions]) == (0, ["retraction"])
    assert not repository.captures.accept(every=True).retractions
    say(repository, RULE, began=9)
    assert repository.captures.review().proposals == []
