"""Finding the store of a folder, in git worktrees and submodules too."""

import os
import shlex
import shutil
from pathlib import Path

import pytest
from support import copied, git

from memoir.errors import NoStore, ReadOnlyStore
from memoir.store.create import create
from memoir.store.locate import discover, locate, user_store


def make(folder: Path) -> None:
    """A git project with a commit, and a store."""
    git("init", "-q", "-b", "main", str(folder))
    for key, value in (("user.name", "A"), ("user.email", "a@example.org")):
        git("config", key, value, cwd=folder)
    (folder / "packages").mkdir()
    (folder / "packages" / "code").write_text("x")
    git("add", ".", cwd=folder)
    git("commit", "-q", "-m", "begin", cwd=folder)
    create(folder).close()


@pytest.fixture
def project(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That project, with a linked worktree beside it, `wt`."""
    folder = copied(tmp_path / "project", tmp_path_factory.getbasetemp() / "located", make)
    git("worktree", "add", "-q", str(tmp_path / "wt"), cwd=folder)
    return folder


def test_a_worktree_finds_the_store_of_the_main_one(project: Path) -> None:
    worktree = project.parent / "wt"

    assert discover(worktree) == discover(worktree / "packages") == project / ".memoir"


def test_it_is_looked_for_from_the_same_folder_there(project: Path) -> None:
    create(project / "packages").close()

    assert discover(project.parent / "wt" / "packages") == project / "packages" / ".memoir"
    assert discover(project.parent / "wt") == project / ".memoir"


def test_the_worktrees_own_store_comes_first(project: Path) -> None:
    worktree = project.parent / "wt"
    create(project.parent).close()
    assert discover(worktree) == project / ".memoir"

    create(worktree).close()
    assert discover(worktree / "packages") == worktree / ".memoir"

    shutil.rmtree(worktree / ".memoir")
    shutil.rmtree(project / ".memoir")
    assert discover(worktree) == project.parent / ".memoir"


def test_relative_links_lead_there_too(project: Path) -> None:
    worktree, git_dir = project.parent / "wt", project / ".git" / "worktrees" / "wt"
    (worktree / ".git").write_text(f"gitdir: {os.path.relpath(git_dir, worktree)}\n")
    (git_dir / "gitdir").write_text(f"{os.path.relpath(worktree / '.git', git_dir)}\n")

    assert discover(worktree) == project / ".memoir"


def test_a_submodule_has_the_store_of_its_superproject(project: Path, tmp_path: Path) -> None:
    options = ("-c", "protocol.file.allow=always")
    git("clone", "-q", "--no-local", str(project), str(tmp_path / "library"))
    git(*options, "submodule", "--quiet", "add", str(tmp_path / "library"), "sub", cwd=project)
    git("commit", "-q", "-m", "sub", cwd=project)
    git("worktree", "add", "-q", str(tmp_path / "second"), cwd=project)
    git(*options, "submodule", "--quiet", "update", "--init", cwd=tmp_path / "second")

    assert discover(project / "sub") == project / ".memoir"
    assert discover(tmp_path / "second" / "sub") == project / ".memoir"


def test_a_worktree_that_lost_its_repository_by_a_move_names_what_joins_them(project: Path, tmp_path: Path) -> None:
    worktree = tmp_path / "wt"
    for old, new, place in ((project, tmp_path / "new", worktree), (worktree, tmp_path / "moved wt", None)):
        os.rename(old, new)
        folder = place or new

        with pytest.raises(NoStore) as error:
            discover(folder / "packages")
        assert error.value.hint and f"git worktree repair {shlex.quote(str(folder))}" in error.value.hint
        git("worktree", "repair", str(folder), cwd=tmp_path / "new")
        assert discover(folder) == tmp_path / "new" / ".memoir"


def test_the_worktrees_of_a_bare_repository_have_the_store_in_it(project: Path, tmp_path: Path) -> None:
    bare = tmp_path / "code.git"
    git("clone", "-q", "--bare", str(project), str(bare))
    for name in ("one", "two"):
        git("worktree", "add", "-q", "-b", name, str(tmp_path / "elsewhere" / name), cwd=bare)
    with pytest.raises(NoStore) as error:
        discover(tmp_path / "elsewhere" / "one")
    assert "memoir init" in str(error.value.hint)

    create(bare).close()

    assert discover(tmp_path / "elsewhere" / "one" / "packages") == bare / ".memoir"
    git("worktree", "remove", str(tmp_path / "elsewhere" / "one"), cwd=bare)
    assert discover(tmp_path / "elsewhere" / "two") == bare / ".memoir"


def test_a_folder_that_does_not_exist_is_told_from_one_without_a_store(tmp_path: Path) -> None:
    with pytest.raises(NoStore) as missing:
        locate(tmp_path / "no such")
    with pytest.raises(NoStore) as empty:
        locate(tmp_path)

    assert missing.value.message == f"no memoir store in {tmp_path}/no such: the folder does not exist"
    assert str(missing.value.hint).endswith(f": memoir init '{tmp_path}/no such'")
    assert empty.value.message == f"no memoir store in {tmp_path}"
    assert empty.value.hint == f"create one: memoir init {tmp_path}"


def test_a_file_in_place_of_a_folder_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.touch()

    with pytest.raises(NoStore, match="it is not a folder") as error:
        locate(file)
    with pytest.raises(ReadOnlyStore, match="it is not a folder"):
        create(file)

    assert error.value.hint == "name the folder that holds .memoir/"


def _copy(worktree: Path, git_dir: Path) -> None:
    """Another folder claims to be this worktree."""
    shutil.copytree(worktree, worktree.parent / "claim")
    shutil.rmtree(worktree)
    os.rename(worktree.parent / "claim", worktree)
    (git_dir / "gitdir").write_text(f"{worktree.parent / 'true' / '.git'}\n")


def _link(worktree: Path, git_dir: Path) -> None:
    os.rename(worktree / ".git", worktree / "file")
    os.symlink("file", worktree / ".git")


def _fifo(worktree: Path, git_dir: Path) -> None:
    (worktree / ".git").unlink()
    os.mkfifo(worktree / ".git")


def _commondir_is_elsewhere(worktree: Path, git_dir: Path) -> None:
    other = worktree.parent / "other"
    git("init", "-q", str(other))
    create(other).close()
    (git_dir / "commondir").write_text(f"{other / '.git'}\n")


def _commondir_is_a_fifo(worktree: Path, git_dir: Path) -> None:
    (git_dir / "commondir").unlink()
    os.mkfifo(git_dir / "commondir")


def _config_is_a_fifo(worktree: Path, git_dir: Path) -> None:
    repository = git_dir.parent.parent
    common = repository.with_name("named-otherwise")
    repository.rename(common)
    (worktree / ".git").write_text(f"gitdir: {common / 'worktrees' / 'wt'}\n")
    (common / "config").unlink()
    os.mkfifo(common / "config")


def _two_lines(worktree: Path, git_dir: Path) -> None:
    (worktree / ".git").write_text(f"gitdir: {git_dir}\n\n")


def _not_utf8(worktree: Path, git_dir: Path) -> None:
    (worktree / ".git").write_bytes(b"gitdir: \xff\xfe\0\n")


def _huge(worktree: Path, git_dir: Path) -> None:
    (worktree / ".git").write_text(f"gitdir: {'./' * 5000}{git_dir}\n")


def _repository_is_gone(worktree: Path, git_dir: Path) -> None:
    (git_dir.parent.parent / "HEAD").unlink()


@pytest.mark.parametrize(
    "oddity",
    [
        _copy, _link, _fifo, _commondir_is_elsewhere, _commondir_is_a_fifo, _config_is_a_fifo, _two_lines, _not_utf8,
        _huge, _repository_is_gone,
    ],
)  # fmt: skip
def test_what_git_did_not_lay_this_way_is_not_followed(project: Path, oddity: object) -> None:
    assert callable(oddity)
    oddity(project.parent / "wt", project / ".git" / "worktrees" / "wt")

    with pytest.raises(NoStore):
        discover(project.parent / "wt")


def test_a_home_that_is_a_link_is_the_users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, link = tmp_path / "data" / "ada", tmp_path / "home"
    (real / "code").mkdir(parents=True)
    link.symlink_to(real)
    create(real).close()
    monkeypatch.setenv("HOME", str(link))

    for start in (real / "code", link / "code", real, link):
        with pytest.raises(NoStore):
            discover(start)
    own = user_store()
    assert own and own.samefile(real / ".memoir")


def test_the_hint_for_a_store_that_is_gone_makes_it_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(NoStore) as error:
        locate(tmp_path / "gone" / ".memoir")

    assert error.value.hint and error.value.hint.endswith(f"memoir init {tmp_path / 'gone'}")
