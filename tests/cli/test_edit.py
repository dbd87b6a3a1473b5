"""`memoir edit`: in the user's editor, one commit, blame follows."""

import os
import re
import shutil
from pathlib import Path

import pytest
from support import COMMAND, Memoir, RunResult

from memoir.git.lock import LOCK_NAME, held


@pytest.fixture
def editor(tmp_path: Path) -> Path:
    """A script that stands for an editor; tests write what it does to the file it is given."""
    path = tmp_path / "editor"
    path.touch(0o755)
    return path


def editor_environment(script: Path, commands: str) -> dict[str, str]:
    script.write_text(f"#!/bin/sh\n{commands}\n")
    return {"EDITOR": str(script)}


def test_an_edit_is_one_commit_with_a_version_before_it(memoir: Memoir, editor: Path) -> None:
    memoir.remember("a.b", "old text", "--confidence", "0.5", "--meta", "k=v")

    memoir.ok("edit", "a.b", **editor_environment(editor, 'perl -pi -e s/old/new/ "$1"'))

    value = memoir.json("get", "a.b")["items"][0]["value"]
    assert (value["content"], value["confidence"], value["metadata"]) == ("new text", 0.5, {"k": "v"})
    assert [entry["content"] for entry in memoir.json("blame", "a.b")["entries"]] == ["new text", "old text"]


def test_an_unchanged_text_is_no_commit(memoir: Memoir, editor: Path) -> None:
    memoir.remember("a.b", "text")

    assert memoir.run("edit", "a.b", "--json", **editor_environment(editor, "true")).json["commit_hash"] is None
    assert memoir.json("status")["commit_count"] == 1


@pytest.mark.parametrize(
    ("commands", "words"),
    [
        ("false", "failed; nothing was changed"),
        (': > "$1"', "the file was emptied, so nothing was changed"),
        ('rm "$1"', "the edited file is gone; nothing was changed"),
        ("printf '\\377' > \"$1\"", "the edited file is not valid UTF-8; nothing was changed"),
    ],
)
def test_an_editor_that_fails_changes_nothing(memoir: Memoir, editor: Path, commands: str, words: str) -> None:
    memoir.remember("a.b", "text")

    done = memoir.run("edit", "a.b", **editor_environment(editor, commands))

    assert done.status in (1, 2)
    assert words in done.err
    assert memoir.content("a.b") == "text"


def test_an_editor_that_is_not_there_is_named(memoir: Memoir) -> None:
    memoir.remember("a.b", "text")

    assert "no-such-editor" in memoir.run("edit", "a.b", VISUAL="no-such-editor -w").err


def test_each_of_several_memories_can_be_changed_or_removed(memoir: Memoir, editor: Path) -> None:
    for content in ("one", "two", "three"):
        memoir.remember("experience.a", content)

    memoir.ok(
        "edit",
        "experience.a",
        **editor_environment(editor, 'perl -0pi -e "s/three/THREE/; s/.*memory 1 of.*\\n.*\\n//" "$1"'),
    )

    assert memoir.content("experience.a") == "two\nTHREE"


def test_changed_lines_between_memories_change_nothing(memoir: Memoir, editor: Path) -> None:
    for content in ("one", "two"):
        memoir.remember("experience.a", content)

    done = memoir.run(
        "edit", "experience.a", **editor_environment(editor, 'perl -pi -e "s/memory 2 of/memory 7 of/" "$1"')
    )

    assert done.status == 2
    assert memoir.content("experience.a") == "one\ntwo"


def test_editing_nothing_is_an_error_before_the_editor_opens(memoir: Memoir, editor: Path) -> None:
    mark = editor.with_name("opened")

    done = memoir.run("edit", "no.such", **editor_environment(editor, f"touch {mark}"))

    assert done.status == 4
    assert not os.path.exists(mark)


def file_in_hint(done: RunResult) -> Path:
    """The file that the hint of a failure names; the folder goes with the test."""
    match = re.search(r"what you typed is kept in (\S+MEMORY\.md)", done.err)
    assert match, done
    return Path(match[1])


@pytest.mark.parametrize(
    ("commands", "status"),
    [
        ('echo typed > "$1"; COMMAND remember other -p a.b', 5),
        ('echo "key AKIAQ7RZ3MNB5VCX2WLP typed" > "$1"', 2),
        ('echo typed > "$1"; false', 1),
        ('echo typed > "$1"; rm -r .memoir/refs/heads', 7),
    ],
    ids=["changed meanwhile", "refused", "the editor fails", "the store is damaged"],
)
def test_text_that_cannot_be_stored_is_kept_in_a_named_file(
    memoir: Memoir, editor: Path, commands: str, status: int
) -> None:
    memoir.remember("a.b", "text")

    done = memoir.run("edit", "a.b", **editor_environment(editor, commands.replace("COMMAND", str(COMMAND))))

    assert done.status == status, done
    assert "typed" in file_in_hint(done).read_text()
    shutil.rmtree(file_in_hint(done).parent)


def test_the_editor_does_not_open_when_the_store_is_locked(memoir: Memoir, editor: Path) -> None:
    memoir.remember("a.b", "text")
    mark = editor.with_name("opened")

    with held(memoir.git_dir / LOCK_NAME):
        done = memoir.run("edit", "a.b", MEMOIR_LOCK_TIMEOUT="0.1", **editor_environment(editor, f"touch {mark}"))

    assert done.status == 1 and not mark.exists()
    assert "kept" not in done.err


def test_an_edit_leaves_no_file_behind(memoir: Memoir, editor: Path, tmp_path: Path) -> None:
    memoir.remember("a.b", "text")
    folder = tmp_path / "temporary"
    folder.mkdir()

    memoir.ok("edit", "a.b", TMPDIR=str(folder), **editor_environment(editor, 'echo new > "$1"'))
    memoir.run("edit", "a.b", TMPDIR=str(folder), **editor_environment(editor, "false"))
    memoir.run("edit", "a.b", TMPDIR=str(folder), **editor_environment(editor, ': > "$1"'))

    assert list(folder.iterdir()) == []


def test_ctrl_c_in_the_editor_is_the_editors(memoir: Memoir, editor: Path) -> None:
    memoir.remember("a.b", "text")
    script = editor_environment(editor, 'trap "" INT; kill -INT $PPID; echo typed > "$1"')

    memoir.ok("edit", "a.b", **script)

    assert memoir.content("a.b") == "typed"


def test_metadata_about_the_old_words_is_removed(memoir: Memoir) -> None:
    memoir.ok("import", "-", stdin='{"path": "a.b", "content": "old words", "metadata": {"person": "Ada"}}')
    memoir.remember("a.b", "old words")
    assert "last_confirmed" in memoir.json("get", "a.b")["items"][0]["value"]["metadata"]

    memoir.ok("edit", "a.b", EDITOR="perl -pi -e s/old/new/")

    value = memoir.json("get", "a.b")["items"][0]["value"]
    assert (value["content"], value["metadata"]) == ("new words", {"person": "Ada"})


def test_without_a_terminal_no_editor_opens_that_nobody_chose(memoir: Memoir) -> None:
    """An agent would wait for `vi` for ever, or read its escapes."""
    memoir.remember("a.b", "hello")

    done = memoir.run("edit", "a.b", EDITOR="", VISUAL="")

    assert (done.status, done.err.splitlines()[0]) == (2, "memoir: an editor needs a terminal")
    assert "'memoir remember TEXT -p KEY'" in done.err


@pytest.mark.parametrize(
    ("editor", "trouble"), [("nosuch", "could not be started: No such file or directory"), ("false", "failed; nothing")]
)
def test_an_editor_that_fails_can_be_replaced(editor: str, trouble: str, memoir: Memoir) -> None:
    memoir.remember("a.b", "hello")

    done = memoir.run("edit", "a.b", EDITOR=editor)

    assert f"the editor '{editor}' {trouble}" in done.err and "EDITOR=nano memoir edit KEY" in done.err
