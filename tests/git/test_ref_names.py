"""Names of refs that come out of files: only those that git accepts become paths."""

import os
import subprocess
import time
from pathlib import Path

import pytest
from support import write

from memoir.errors import DamagedStore, UnsafeStore
from memoir.git import reflog
from memoir.git.lock import remove_stale_locks
from memoir.git.objects import Oid
from memoir.git.ref_names import file_of, find_clash, is_ref_name
from memoir.repair import ref_logs
from memoir.repair.repair import repair
from memoir.store.store import Store

OUTWARD = ["refs/heads/../../../victim", "refs/../../victim", "refs/tags/a/../../../../victim", "refs/./../../victim"]
NAMES = [
    "refs/heads/main", "refs/heads/a/b", "refs/tags/v1.0", "refs/heads/ä", "refs/heads/@", "refs/heads/a@b", "refs/x",
    "refs/heads/a.lockx", "refs/heads/lock", "refs/heads/-a", "refs/heads/a-", "refs/heads/'", "refs/heads/a{",
    "refs/heads/../x", "refs/heads/.x", "refs/heads/a/.b", "refs/heads/a..b", "refs/heads/a.", "refs/heads/a./b",
    "refs/heads/a.lock", "refs/heads/a.lock/b", "refs//heads", "refs/heads/", "refs/heads/a@{b", "refs/heads/a b",
    "refs/heads/a~", "refs/heads/a^", "refs/heads/a:b", "refs/heads/a?", "refs/heads/a*", "refs/heads/[a",
    "refs/heads/]", "refs/heads/a\\b", "refs/heads/a\tb", "refs/heads/a\nb", "refs/heads/a\n",
    "refs/heads/a\x7f", "refs/heads/\x01",
    "refs/", "refs/.", *OUTWARD,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_ref_name_is_what_git_takes_for_one(name: str) -> None:
    is_valid = subprocess.run(["git", "check-ref-format", name], check=False).returncode == 0

    assert is_ref_name(name) == is_valid


@pytest.mark.parametrize("name", ["HEAD", "/etc/passwd", "main", "heads/main", "../x", ""])
def test_what_is_not_below_refs_is_not_a_ref(name: str) -> None:
    assert not is_ref_name(name)


def add_packed(store: Store, name: str, commit: Oid) -> None:
    with (store.git_dir / "packed-refs").open("a") as file:
        file.write(f"{commit} {name}\n")


@pytest.mark.parametrize("name", OUTWARD)
def test_a_store_whose_packed_refs_lead_out_of_it_is_refused(store: Store, name: str) -> None:
    commit = write(store, {"default=a": "1"}).id
    store.git.run("pack-refs", "--all")
    add_packed(store, name, commit)

    with pytest.raises(UnsafeStore, match="packed-refs"):
        Store(store.git_dir)


@pytest.mark.parametrize("accept_loss", [False, True])
@pytest.mark.parametrize("oid", ["tip", "lost"])
@pytest.mark.parametrize("name", [*OUTWARD, "refs/heads/a..b"])
def test_a_repair_writes_and_removes_nothing_outside(store: Store, name: str, oid: str, accept_loss: bool) -> None:
    commit = write(store, {"default=a": "1"}).id
    add_packed(store, name, commit if oid == "tip" else Oid(b"\1" * 20))
    victim = Path(os.path.normpath(store.git_dir / name))
    victim.write_text("precious")
    log = Path(os.path.normpath(store.git_dir / "logs" / name))
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text(f"{commit} {commit} A <a> 1 +0000\tprecious\n{commit} {commit} A <a> 1 +0000")

    done = repair(store, accept_loss=accept_loss)

    assert victim.read_text() == "precious"
    assert "precious" in log.read_text() and not log.read_text().endswith("\n")
    assert name not in ref_logs.names(store.git_dir)
    assert any(repr(name) in text for text in done.done)
    assert not done.losses


def test_a_name_that_is_not_a_refs_is_a_problem(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    add_packed(store, "refs/heads/a..b", commit)

    assert any("'refs/heads/a..b'" in problem for problem in ref_logs.problems(store))


def test_what_a_bad_tag_pointed_at_is_dropped_with_it(store: Store) -> None:
    commit = write(store, {"default=a": "1"}).id
    store.git.run("pack-refs", "--all")
    before = (store.git_dir / "packed-refs").read_text()
    add_packed(store, f"refs/tags/a..b\n^{'2' * 40}", commit)

    repair(store)

    assert (store.git_dir / "packed-refs").read_text() == before


@pytest.mark.parametrize("name", OUTWARD)
def test_a_head_that_leads_out_of_the_store_is_damage(store: Store, name: str) -> None:
    (store.git_dir / "HEAD").write_text(f"ref: refs/heads/../{name.removeprefix('refs/')}\n")

    with pytest.raises(DamagedStore, match="HEAD"):
        _ = store.refs.current


def test_no_lock_or_log_outside_is_changed(store: Store) -> None:
    outside = store.git_dir.parent / "poetry.lock"
    outside.write_text("precious")
    os.utime(outside, (time.time() - 3600,) * 2)
    (store.git_dir.parent / "poetry").write_text(f"{'0' * 40} {'1' * 40} A <a> 1 +0000\tprecious\n")

    remove_stale_locks(store.git_dir, "refs/../../poetry")

    assert outside.read_text() == "precious"
    assert reflog.lines(store.git_dir, "refs/../../../poetry") == []
    assert not ref_logs.complete(store, "refs/../../../poetry", Oid(b"\1" * 20), frozenset())


@pytest.mark.parametrize("link", ["refs/heads/x", "refs/heads", "refs"])
def test_no_ref_is_written_through_a_link(tmp_path: Path, link: str) -> None:
    (tmp_path / link).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / link).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(UnsafeStore):
        file_of(tmp_path, "refs/heads/x")


@pytest.mark.parametrize(
    ("names", "clash"),
    [
        (["main", "side", "Side"], ("side", "Side")),
        (["side/a", "SIDE/b"], ("side/a", "SIDE/b")),
        (["side", "Side/a"], ("side", "Side/a")),
        (["É", "é"], ("É", "é")),
        (["caf\u00e9", "cafe\u0301/a"], ("caf\u00e9", "cafe\u0301/a")),
        (["side", "side/a", "side/b", "sides", "a/Side", "b/side"], None),
    ],
)
def test_names_clash_if_they_or_their_folders_differ_in_capitals_alone(
    names: list[str], clash: tuple[str, str] | None
) -> None:
    assert find_clash(names) == clash
