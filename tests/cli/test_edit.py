"""`memoir edit`: in the user's editor, one commit, blame follows."""

import os
from pathlib import Path

import pytest
from support import Memoir


@pytest.fixture
def editor(tmp_path: Path) -> Path:
    """A script that stands for an editor; tests write what it does to the file it is given."""
    path = tmp_path / "editor"
    path.touch(0o755)
    return path


def editing(script: Path, commands: str) -> dict[str, str]:
    script.write_text(f"#!/bin/sh\n{commands}\n")
    return {"EDITOR": str(script)}


def test_an_edit_is_one_commit_with_a_version_before_it(memoir: Memoir, editor: Path) -> None:
    memoir.remember("a.b", "old text", "--confidence", "0.5", "--meta", "k=v")

    memoir.ok("edit", "a.b", **editing(editor, 'sed -i s/old/new/ "$1"'))

    value = memoir.json("get", "a.b")["items"][0]["value"]
    assert (value["content"], value["confidence"], value["metadata"]) == ("new text", 0.5, {"k": "v"})
    assert [entry["content"] for entry in memoir.json("blame", "a.b")["entries"]] == ["new text", "old text"]


def test_an_unchanged_text_is_no_commit(memoir: Memoir, editor: Path) -> None:
    memoir.remember("a.b", "text")

    assert memoir.run("edit", "a.b", "--json", **editing(editor, "true")).json["commit_hash"] is None
    assert memoir.json("status")["commit_count"] == 1


@pytest.mark.parametrize("commands", ["false", ': > "$1"', 'rm "$1"', "printf '\\377' > \"$1\""])
def test_an_editor_that_fails_changes_nothing(memoir: Memoir, editor: Path, commands: str) -> None:
    memoir.remember("a.b", "text")

    done = memoir.run("edit", "a.b", **editing(editor, commands))

    assert done.status in (1, 2)
    assert "hanged" in done.err
    assert memoir.content("a.b") == "text"


def test_an_editor_that_is_not_there_is_named(memoir: Memoir) -> None:
    memoir.remember("a.b", "text")

    assert "no-such-editor" in memoir.run("edit", "a.b", VISUAL="no-such-editor -w").err


def test_each_of_several_memories_can_be_changed_or_removed(memoir: Memoir, editor: Path) -> None:
    for content in ("one", "two", "three"):
        memoir.remember("experience.a", content)

    memoir.ok("edit", "experience.a", **editing(editor, 'sed -i -e s/three/THREE/ -e "/memory 1 of/,+1d" "$1"'))

    assert memoir.content("experience.a") == "two\nTHREE"


def test_rules_that_were_tampered_with_change_nothing(memoir: Memoir, editor: Path) -> None:
    for content in ("one", "two"):
        memoir.remember("experience.a", content)

    done = memoir.run("edit", "experience.a", **editing(editor, 'sed -i "s/memory 2 of/memory 7 of/" "$1"'))

    assert done.status == 2
    assert memoir.content("experience.a") == "one\ntwo"


def test_editing_nothing_is_an_error_before_the_editor_opens(memoir: Memoir, editor: Path) -> None:
    opened = editor.with_name("opened")

    done = memoir.run("edit", "no.such", **editing(editor, f"touch {opened}"))

    assert done.status == 4
    assert not os.path.exists(opened)
