"""Reviewing captures: shown first, then filed with their origin, each in a commit of its own on a branch."""

import pytest

from memoir import Repository
from memoir.capture.spool import SessionTurn, TurnSpool

CONVERSATION = (
    ("user", "From now on run the type checker before you are done. Fix the parser."),
    ("user", "From now on run the type checker before you are done."),
    ("user", "Why is CI red? The password is hunter2hunter2 in our tests."),
    ("assistant", "I fixed it. Root cause: the advisory lock 42 is taken twice."),
    ("user", "Scratch that, forget about the type checker."),
)


@pytest.fixture
def talk(repository: Repository) -> Repository:
    spool = TurnSpool(repository.path)
    spool.switch(True)
    for number, (role, text) in enumerate(CONVERSATION):
        spool.add(SessionTurn("claude", "s1", 1_760_000_000.5 + number, role, text))
    return repository


def test_a_review_shows_what_would_be_remembered_and_changes_nothing(talk: Repository) -> None:
    findings = talk.captures.review().found

    assert [(each.kind, each.content) for each in findings] == [
        ("directive", "From now on run the type checker before you are done."),
        ("resolution", "Root cause: the advisory lock 42 is taken twice."),
        ("retraction", "Scratch that, forget about the type checker."),
    ]
    assert [each.path is None for each in findings] == [False, False, True]
    assert talk.captures.review().found == findings
    assert talk.count() == 0 and talk.branches.choice().branch == "main"


def test_each_capture_is_a_commit_with_its_origin_and_can_be_undone(talk: Repository) -> None:
    done = talk.captures.review(apply=True).found

    assert [each.commit is None for each in done] == [False, False, True]
    assert talk.count() == 0 and talk.captures.contents().turns == 0
    first = done[0]
    record = talk.get(str(first.path), at="capture")
    assert record and record[0].confidence < 1 and record[0].timestamp == "2025-10-09T08:53:20Z"
    assert {name: record[0].metadata[name] for name in ("source", "session", "item_kind")} == {
        "source": "capture:claude", "session": "s1", "item_kind": "directive",
    }  # fmt: skip
    talk.undo(branch="capture")
    assert talk.get(str(done[1].path), at="capture") is None
    assert talk.get(str(first.path), at="capture")
    assert talk.captures.review(apply=True).found == []


def test_the_branch_is_a_setting(talk: Repository) -> None:
    talk.config.set("memoir.capture.branch", "heard")
    talk.captures.review(apply=True)

    assert talk.count(at="heard") == 2


def test_status_says_that_capture_is_on(talk: Repository) -> None:
    assert talk.status().captures
    talk.captures.switch(False)
    assert not talk.status().captures
