"""Anchors from what people write, from texts, and made anew."""

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from anchors.code_project import AUTH, CodeProject, make
from support import copied

from memoir import Memory
from memoir.anchors.tie import find_named, tie, tie_again
from memoir.errors import InvalidInput, NotFound
from memoir.records.anchor import anchors_of
from memoir.repository.repository import Repository


@pytest.fixture
def project(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[CodeProject]:
    project = CodeProject(copied(tmp_path / "code", tmp_path_factory.getbasetemp() / "code-project", make))
    monkeypatch.chdir(project.folder)
    yield project
    project.repository.close()


def test_a_file_is_named_from_the_current_directory_or_from_the_root(
    project: CodeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.folder / "src")

    with project.tree() as tree:
        assert [anchor.file for anchor in tie(tree, ["auth.py", "src/auth.py:3"])] == ["src/auth.py", "src/auth.py"]


def test_a_file_whose_name_ends_like_lines_is_that_file(project: CodeProject) -> None:
    project.write("notes:3", "x\n")

    with project.tree() as tree:
        (anchor,) = tie(tree, ["notes:3"])

    assert (anchor.file, anchor.lines) == ("notes:3", None)


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("src/none.py", NotFound, "there is no file src/none.py"),
        ("../outside", InvalidInput, "not a file of the project"),
        ("src/auth.py:9", InvalidInput, "has no line 9: it has 7"),
        ("src/auth.py:4-3", InvalidInput, "names no lines"),
        ("src/auth.py:0", InvalidInput, "names no lines"),
        ("src", NotFound, "there is no file src"),
    ],
)
def test_what_is_no_file_or_line_is_refused(
    project: CodeProject, spec: str, error: type[Exception], words: str
) -> None:
    with project.tree() as tree, pytest.raises(error, match=words):
        tie(tree, [spec])


def test_without_a_project_nothing_can_be_tied() -> None:
    with pytest.raises(InvalidInput, match="lies in no project"):
        tie(None, ["a.py"])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("The check in src/auth.py:4 is too slow.", ["src/auth.py:4"]),
        ("See `src/auth.py`, src/auth.py and none.py.", ["src/auth.py"]),
        ("Lines src/auth.py:3-4 matter", ["src/auth.py:3-4"]),
        ("Line src/auth.py:99 does not exist", []),
        ("Node.js 20.10 e.g. on example.com, 3.5 times", []),
        ("../code/src/auth.py and /etc/hosts.conf", ["src/auth.py"]),
        ("In auth.py:4, e.g. as auth.py has it", ["src/auth.py:4", "src/auth.py"]),
        ("Both have a twin.py", []),
    ],
)
def test_a_text_names_the_files_that_exist(project: CodeProject, text: str, named: list[str]) -> None:
    project.write("one/twin.py", "1\n")
    project.write("two/twin.py", "2\n")
    project.commit()
    with project.tree() as tree:
        assert find_named(tree, text) == named
        assert [anchor.spec for anchor in tie(tree, ["auto"], text)] == named


def test_a_line_that_looks_like_a_credential_is_not_quoted(project: CodeProject) -> None:
    project.write("conf.py", "PASSWORD = 'hunter2hunter2'\n")

    (anchor,) = anchors_of(project.anchor("conf.py:1"))

    assert anchor.lines
    assert anchor.lines.words == ""


def test_anchors_made_anew_follow_the_text(project: CodeProject) -> None:
    about = project.anchor("src/auth.py:3-4")
    project.write("src/auth.py", "# new\n" + AUTH.replace("token ==", "tok =="))

    with project.tree() as tree:
        (anchor,) = anchors_of(tie_again(tree, about))

    assert anchor.spec == "src/auth.py:4-5"
    assert project.state({"about": [anchor.as_dict()]}).state == "fresh"


def test_a_memory_that_is_remembered_again_is_about_the_code_as_it_is_now(project: CodeProject) -> None:
    repository = project.repository
    repository.remember("It checks", "a.b", about=["src/auth.py"])
    project.write("src/auth.py", "new\n")

    repository.remember("It checks", "a.b", about=["src/auth.py"])

    (memory,) = repository.get("a.b") or ()
    assert len(memory.metadata["about"]) == 1
    assert project.state(dict(memory.metadata)).state == "fresh"


def test_a_merge_unites_what_two_branches_say_a_memory_is_about(project: CodeProject) -> None:
    repository = project.repository
    project.write("b.py", "b\n")
    repository.remember("It checks", "a.b")
    repository.branches.create("other")
    repository.annotate("a.b", about=["src/auth.py"])
    with Repository.open(project.folder, branch="other") as other:
        other.annotate("a.b", about=["b.py"])

    repository.merge("other")

    (memory,) = repository.get("a.b") or ()
    assert {anchor.file for anchor in anchors_of(memory.metadata)} == {"src/auth.py", "b.py"}


@pytest.mark.parametrize("kind", ["lines", "auto"])
def test_an_import_ties_its_memories_to_the_files_that_they_name_if_asked_to(project: CodeProject, kind: str) -> None:
    text = "Tokens are compared in auth.py:4."
    line = orjson.dumps({"path": "auth.tokens", "content": text})
    project.write("CLAUDE.md", f"# Auth\n\n- {text}\n")

    def bring(about: str | None) -> list[tuple[str, str]]:
        if kind == "lines":
            project.repository.import_lines([line], about=about)
        else:
            project.repository.import_from(project.folder / "CLAUDE.md", kind, about=about)
        records = [entry.record or () for entry in project.repository.get_many(["*"])]
        memories = [memory for record in records for memory in record]
        return [(memory.status, each.spec) for memory in memories for each in anchors_of(memory.metadata)]

    assert bring(None) == []
    project.repository.undo()
    assert bring("auto") == [("active", "src/auth.py:4")]
    project.write("src/auth.py", "# new\n" + AUTH)
    assert bring("auto") == [("active", "src/auth.py:4")], "there is one memory, and it is tied to one file"
    with pytest.raises(InvalidInput, match="must be auto, not src"):
        bring("src/auth.py")


def test_an_import_keeps_anchors(project: CodeProject) -> None:
    repository = project.repository
    repository.remember(Memory.of("It checks"), "a.b", about=["src/auth.py:3-4"])
    lines = list(repository.export_lines())
    repository.forget("a.b")

    repository.import_lines(lines)

    (found,) = repository.get_many(["a.b"])
    assert found.record
    assert found.record[0].metadata["about"][0]["state"] == "fresh"
