"""Who commits: `MEMOIR_AUTHOR`, git's settings, or memoir itself."""

from pathlib import Path
from subprocess import CompletedProcess

import pytest
from support import write

from memoir.errors import InvalidInput
from memoir.git.git import around
from memoir.settings import USER_EMAIL, USER_NAME
from memoir.store.identity import name_and_email
from memoir.store.store import Store


def test_a_project_is_asked_once_for_the_name_and_the_address_that_nobody_else_knows(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()

    def note(folder: Path, *args: str) -> "CompletedProcess[bytes]":
        asked.append(args[0])
        return around(folder, *args)

    monkeypatch.delenv("MEMOIR_AUTHOR")
    monkeypatch.setattr("memoir.store.identity.around", note)

    assert name_and_email(store) == (USER_NAME.default, USER_EMAIL.default)
    assert asked == ["config"]


def test_an_author_that_is_none_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMOIR_AUTHOR", "a\nb <c>")

    with pytest.raises(InvalidInput):
        write(store, {"default=a": "1"})


def test_without_any_identity_memoir_supplies_one(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMOIR_AUTHOR")

    assert write(store, {"default=a": "1"}).author.name == "memoir"
