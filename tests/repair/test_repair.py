"""What a repair costs is listed whole before it is done; what is not memoir's is left alone."""

import subprocess

import pytest
from support import write

from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES
from memoir.repair.fsck import fsck
from memoir.repair.repair import repair
from memoir.store.store import Store


def commit_file(store: Store, name: str, mode: str = "100644", *, branch: str) -> Oid:
    """A branch whose only commit holds one file."""
    blob = store.git.run("hash-object", "-w", "--stdin", stdin=b"int main;").decode().strip()
    tree = store.git.run("mktree", stdin=f"{mode} blob {blob}\t{name}\n".encode()).decode().strip()
    store.git.identity = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "A") | dict.fromkeys(
        ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "a@b"
    )
    commit = store.git.run("commit-tree", "-m", "add code", tree).decode().strip()
    store.git.run("update-ref", BRANCHES + branch, commit)
    return Oid.fromhex(commit)


@pytest.mark.parametrize("name", ["main.c", "memoir-format-99"])
def test_a_branch_that_is_not_memoirs_is_left_alone_and_named(store: Store, name: str) -> None:
    write(store, {"default=a": "1"})
    commit = commit_file(store, name, branch="code")

    assert repair(store, accept_loss=True).losses == []
    assert store.refs.read("refs/heads/code") == commit
    assert any("'code' is not memoir's" in problem for problem in fsck(store, lambda key, value: None).problems)


def test_a_lost_foreign_branch_is_restored(store: Store) -> None:
    commit = commit_file(store, "main.c", branch="code")
    (store.git_dir / "refs/heads/code").unlink()

    assert repair(store).losses == []
    assert store.refs.read("refs/heads/code") == commit


def remove_objects(store: Store, *oids: Oid) -> None:
    """Take objects out of a store whose objects are loose."""
    for name in map(str, oids):
        (store.git_dir / "objects" / name[:2] / name[2:]).unlink()


def unpack(store: Store) -> None:
    packs = list((store.git_dir / "objects/pack").glob("*.pack"))
    data = [pack.read_bytes() for pack in packs]
    for path in (store.git_dir / "objects/pack").iterdir():
        path.unlink()
    for pack in data:
        subprocess.run(
            ["git", "--git-dir", store.git_dir, "unpack-objects", "-q"], input=pack, check=True, capture_output=True
        )


def test_lost_commits_are_listed_without_a_log(store: Store) -> None:
    commits = [write(store, {f"default=a{number}": str(number)}, f"write {number}") for number in range(4)]
    (store.git_dir / "logs/refs/heads/main").unlink()
    unpack(store)
    remove_objects(store, commits[2].tree, commits[3].tree)

    with Store(store.git_dir) as fresh_store:
        (loss,) = repair(fresh_store).losses

    assert loss.new == commits[1].id
    assert [text.partition(" ")[2] for text in loss.changes] == ["write 3", "write 2"]


def test_a_lost_commit_that_cannot_be_read_is_listed(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    (store.git_dir / "logs/refs/heads/main").unlink()
    unpack(store)
    remove_objects(store, commit)

    with Store(store.git_dir) as fresh_store:
        (loss,) = repair(fresh_store).losses

    assert loss.new is None
    assert [str(commit) in text for text in loss.changes] == [True]


def test_a_broken_file_is_removed_only_with_its_content_listed(store: Store) -> None:
    write(store, {"default=a": "1"})
    file = store.git_dir / "refs/heads/side"
    file.write_bytes(b"0123 half an id")

    (loss,) = repair(store).losses

    assert file.exists()
    assert "half an id" in loss.changes[0]


def test_lines_of_a_log_that_are_dropped_are_counted_and_named(store: Store) -> None:
    for number in range(3):
        write(store, {"default=a": str(number)})
    log = store.git_dir / "logs/refs/heads/main"
    first, *rest = log.read_bytes().splitlines(keepends=True)
    line = b"1" * 40 + b" " + b"2" * 40 + b" A <a@b> 1 +0000\ta lost one\n"
    log.write_bytes(first + b"no line of a log\n" + b"x" * 500 + b"\n" + line + b"".join(rest))

    done = repair(store).done

    assert log.read_bytes() == first + b"".join(rest)
    assert done[:1] == ["completed the log of 'main'"]
    assert f"that cannot be read (2): 'no line of a log', '{'x' * 80}'" in done[1]
    assert "dropped lines of the log of 'main' that name a commit that is lost (1): '1111" in done[2]
