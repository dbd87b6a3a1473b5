"""What became of the code that a memory is about."""

import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from anchors.code_project import AUTH, CodeProject, make
from hypothesis import given
from hypothesis import strategies as st
from support import copied, git

from memoir.anchors.mark import CHANGED, FRESH, GONE, MOVED, UNKNOWN, Checker, Limits, find_lines, share_changed
from memoir.anchors.working_tree import working_tree
from memoir.records.anchor import lines_at
from memoir.repository.repository import Repository


@pytest.fixture
def project(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeProject]:
    project = CodeProject(copied(tmp_path / "code", tmp_path_factory.getbasetemp() / "code-project", make))
    yield project
    project.repository.close()


def test_code_that_nobody_touched_is_fresh(project: CodeProject) -> None:
    assert project.state(project.anchor("src/auth.py")).state == FRESH
    assert project.state(project.anchor("src/auth.py:3-4")).state == FRESH


def test_a_blob_id_is_the_one_that_git_gives(project: CodeProject) -> None:
    with project.tree() as tree:
        blob, commit = (git("rev-parse", name, cwd=project.folder).strip() for name in ("HEAD:src/auth.py", "HEAD"))
        assert project.state(project.anchor("src/auth.py")).anchor.blob == blob
        assert tree.head() == commit


def test_lines_are_found_again_where_they_have_moved(project: CodeProject) -> None:
    about = project.anchor("src/auth.py:3-4")
    project.write("src/auth.py", "# one\n# two\n" + AUTH)

    state = project.state(about)

    assert (state.state, state.now) == (MOVED, "src/auth.py:5-6")


def test_of_lines_that_stand_twice_the_nearest_count(project: CodeProject) -> None:
    project.write("a.py", "def f():\n    pass\n\ndef f():\n    pass\n")
    about = project.anchor("a.py:4-5")
    project.write("a.py", "# new\ndef f():\n    pass\n\ndef f():\n    pass\n")

    assert project.state(about).now == "a.py:5-6"


def test_changed_lines_say_how_much_and_where_they_begin_now(project: CodeProject) -> None:
    about = project.anchor("src/auth.py:3-4")
    project.write("src/auth.py", "# new\n" + AUTH.replace("token ==", "secrets.compare(token,"))

    state = project.state(about)

    assert (state.state, state.changed, state.now) == (CHANGED, 0.5, "src/auth.py:4-5")
    assert state.is_stale


def test_a_change_elsewhere_in_the_file_leaves_lines_fresh(project: CodeProject) -> None:
    about = project.anchor("src/auth.py:3-4")
    project.write("src/auth.py", AUTH.replace("pass", "return 1"))

    assert project.state(about).state == FRESH


def test_a_file_that_git_renamed_is_followed(project: CodeProject) -> None:
    whole, lines = project.anchor("src/auth.py"), project.anchor("src/auth.py:3-4")
    git("mv", "src/auth.py", "src/login.py", cwd=project.folder)

    assert (project.state(whole).state, project.state(whole).now) == (MOVED, "src/login.py")
    assert project.state(lines).now == "src/login.py:3-4"
    project.commit()
    assert project.state(whole).now == "src/login.py"


def test_a_file_that_is_deleted_is_gone(project: CodeProject) -> None:
    about = project.anchor("src/auth.py:3-4")
    (project.folder / "src/auth.py").unlink()

    assert project.state(about).state == GONE


def test_other_ends_of_lines_are_no_change(project: CodeProject) -> None:
    about = project.anchor("src/auth.py")
    project.write("src/auth.py", AUTH.replace("\n", "\r\n"))

    assert project.state(about).state == FRESH


def test_a_linked_worktree_is_compared_with_itself(project: CodeProject, tmp_path: Path) -> None:
    about = project.anchor("src/auth.py")
    linked = tmp_path / "linked"
    git("worktree", "add", "--quiet", str(linked), cwd=project.folder)
    (linked / "src/auth.py").write_text("all new\n")

    with Repository.open(project.folder, work=linked) as there, working_tree(there.store) or nullcontext() as tree:
        (state,) = Checker(tree).check(about)

    assert state.state == CHANGED
    assert project.state(about).state == FRESH


def test_without_git_a_file_is_compared_by_its_digest(tmp_path: Path) -> None:
    make(tmp_path / "plain", in_git=False)
    plain = CodeProject(tmp_path / "plain")
    about = plain.anchor("src/auth.py")
    assert plain.state(about).anchor.commit is None
    assert plain.state(about).state == FRESH

    plain.write("src/auth.py", "other\n")

    assert (plain.state(about).state, plain.state(about).changed) == (CHANGED, None)
    plain.repository.close()


def test_the_project_of_a_store_that_is_opened_by_its_own_folder_is_the_one_around_it(project: CodeProject) -> None:
    with Repository.open(project.folder / ".memoir") as repository:
        tree = working_tree(repository.store)

    assert tree and tree.root == project.folder


def test_without_a_project_nothing_is_known(project: CodeProject, tmp_path: Path) -> None:
    about = project.anchor("src/auth.py")
    git("clone", "--quiet", "--bare", str(project.folder / ".memoir"), str(tmp_path / "hub.git"))

    (state,) = Checker(None).check(about)

    assert state.state == UNKNOWN


def test_an_anchor_made_in_git_means_nothing_in_a_folder_without_it(project: CodeProject, tmp_path: Path) -> None:
    about = project.anchor("src/auth.py")
    make(tmp_path / "plain", in_git=False)
    plain = CodeProject(tmp_path / "plain")

    assert plain.state(about).state == UNKNOWN
    plain.repository.close()


@pytest.mark.parametrize("file", ["../secret", "/etc/passwd", "src/../../secret", "link", "pipe", "src", ".", "a//b"])
def test_nothing_but_regular_files_of_the_project_is_read(project: CodeProject, tmp_path: Path, file: str) -> None:
    (tmp_path / "secret").write_text("x")
    (project.folder / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(project.folder / "pipe")

    with project.tree() as tree:
        assert tree.read(file) is None


def test_no_more_is_read_than_the_limits_say(project: CodeProject) -> None:
    project.write("b.py", "b\n" * 100)
    first, second = project.anchor("src/auth.py"), project.anchor("b.py")
    project.write("src/auth.py", "changed\n")
    project.write("b.py", "changed\n" * 100)

    with project.tree() as tree:
        one_file = Checker(tree, Limits(files=1))
        assert [one_file.check(each)[0].state for each in (first, second, first)] == [CHANGED, UNKNOWN, CHANGED]
        small = Checker(tree, Limits(size=50))
        assert small.check(second)[0].state == UNKNOWN


def test_a_commit_that_the_project_lacks_is_no_failure(project: CodeProject) -> None:
    about = project.anchor("src/auth.py")
    entry = {**about["about"][0], "commit": "0" * 40, "blob": "1" * 40}  # type: ignore[index]

    assert (project.state({"about": [entry]}).state, project.state({"about": [entry]}).changed) == (CHANGED, None)
    (project.folder / "src/auth.py").unlink()
    assert project.state({"about": [entry]}).state == GONE


@given(
    st.lists(st.sampled_from([b"", b"a", b"b", b"  c", b"d e"]), min_size=1, max_size=12),
    st.data(),
    st.lists(st.sampled_from([b"x", b"", b"y"]), max_size=4),
)
def test_lines_with_words_are_found_wherever_they_were_put(
    lines: list[bytes], data: st.DataObject, before: list[bytes]
) -> None:
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    cited = lines_at(lines, first, last)

    found = find_lines([*before, *lines], cited)

    if cited.words:
        assert found is not None
        assert [*before, *lines][found - 1 : found + last - first] == lines[first - 1 : last]


@given(st.lists(st.sampled_from([b"a", b"b", b"c"])), st.lists(st.sampled_from([b"a", b"b", b"c"])))
def test_the_share_of_change_is_0_for_equal_lines_and_1_without_a_common_one(
    old: list[bytes], new: list[bytes]
) -> None:
    share = share_changed(old, new, None)

    assert 0 <= share <= 1
    assert share == share_changed(new, old, None)
    if old and new and not set(old) & set(new):
        assert share == 1
    if old and sorted(old) == sorted(new):
        assert share == 0
