"""A namespace is purged whole, and what others say stays, even if it is the same."""

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import built_once, examples, git

from memoir.errors import Conflict, InvalidInput, NotFound
from memoir.git.git import Git
from memoir.memory.write_options import WriteOptions
from memoir.repository.repository import Repository
from memoir.store.store import Store
from memoir.store.walk import everything

EVE, BEN = "user:eve", "user:ben"
TEA = "Prefers tea over coffee."


@built_once
def shared(repository: Repository) -> None:
    """A store of two people who both prefer tea; what Eve said is in her past, on a branch and in a source, too."""
    repository.remember(TEA, f"{EVE}:preferences.drinks")
    repository.remember(TEA, f"{BEN}:preferences.drinks")
    repository.remember("Sees Dr. Marlow on Mondays.", f"{EVE}:profile.health.marlow")
    repository.remember(f"{TEA} Since 2020 at least.", "notes.drinks")
    repository.forget(f"{EVE}:profile.health.marlow")
    repository.branches.create("side")
    repository.remember("Moved to Zanzibar in May.", f"{EVE}:profile.home", options=WriteOptions(branch="side"))
    repository.sources.ingest_text("user: We use zircon for the rings.", name="talk", namespace=EVE)
    repository.remember("Use pytest.", "preferences.tests")


def _all(git_dir: Path) -> bytes:
    """All objects of a store, and all its files."""
    files = (path.read_bytes() for path in git_dir.rglob("*") if path.is_file())
    return b"\n".join([Git(git_dir).read("cat-file", "--batch-all-objects", "--batch"), *files])


def test_a_namespace_goes_with_its_past_its_branches_and_its_sources(shared: Repository) -> None:
    done = shared.upkeep.purge(whole=[EVE])

    assert done.search and done.search.found == []
    left = _all(shared.path)
    for word in (b"user:eve", b"user_3a_eve", b"Marlow", b"marlow", b"Zanzibar", b"zircon", b"profile.h"):
        assert word not in left, word
    assert shared.upkeep.fsck().report.problems == []


def test_what_others_say_stays_even_if_it_is_the_same(shared: Repository) -> None:
    shared.upkeep.purge(whole=[EVE])

    assert shared.content(f"{BEN}:preferences.drinks") == TEA
    assert shared.content("notes.drinks") == f"{TEA} Since 2020 at least."
    told = [commit.message.strip() for commit in everything(shared.store)]
    assert [message for message in told if message != "…"] == [
        "remember preferences.tests: Use pytest.",
        "remember notes.drinks: Prefers tea over coffee. Since 2020 at least.",
        "remember preferences.drinks: Prefers tea over coffee.",
    ]


def test_a_mistyped_name_beside_others_is_told(shared: Repository) -> None:
    done = shared.upkeep.purge("preferences.test", "preferences.tests", whole=[EVE, "user:bne"])

    assert done.absent == ["default:preferences.test", "user:bne"]


def test_it_can_be_tried_first_and_says_what_it_would_do(shared: Repository) -> None:
    before = _all(shared.path)
    planned = shared.upkeep.purge(whole=[EVE], dry_run=True)
    assert _all(shared.path) == before
    done = shared.upkeep.purge(whole=[EVE])
    assert (planned.values, planned.commits) == (done.values, done.commits)
    assert {value.action for value in done.values} == {"removed"}


def test_code_that_was_pushed_into_the_store_is_no_obstacle(shared: Repository) -> None:
    git_dir = f"--git-dir={shared.path}"

    def commit(tree: str, *parents: str) -> str:
        who = ("-c", "user.name=T", "-c", "user.email=t@example.org")
        return git(git_dir, *who, "commit-tree", tree, *parents, "-m", "code, or memories again").strip()

    code = git(git_dir, "hash-object", "-t", "tree", "-w", os.devnull).strip()
    git(git_dir, "update-ref", "refs/heads/apart", commit(code))
    git(git_dir, "update-ref", "refs/heads/between", commit("main^{tree}", "-p", commit(code, "-p", "main")))

    done = shared.upkeep.purge(whole=[EVE], secrets=True)

    assert done.search and done.search.found == []
    assert git(git_dir, "rev-parse", "apart^{tree}", "between^^{tree}").split() == [code, code]
    assert shared.content(f"{BEN}:preferences.drinks", at="between") == TEA


def test_a_namespace_that_never_was_and_one_of_memoir_are_refused(shared: Repository) -> None:
    with pytest.raises(NotFound):
        shared.upkeep.purge(whole=["user:ev"])
    for name in ("memoir:layers", "a b"):
        with pytest.raises(InvalidInput):
            shared.upkeep.purge(whole=[name])


def test_what_others_say_later_is_taken_from_a_remote_and_what_went_is_not(shared: Repository, tmp_path: Path) -> None:
    with Repository.clone(str(shared.path), tmp_path / "clone") as clone:
        shared.upkeep.purge(whole=[EVE])
        shared.remotes.add("origin", str(clone.path))
        clone.branches.checkout("new", create=True)
        with pytest.raises(Conflict, match=r"user:eve") as refused:
            shared.remotes.fetch()
        assert "--whole as here" in (refused.value.hint or "")
    with Repository.init(tmp_path / "other") as other:
        other.remember("Sees Dr. Marlow on Mondays.", f"{BEN}:profile.doctor")
        shared.remotes.add("other", str(other.path))
        shared.remotes.fetch("other")
        assert shared.content(f"{BEN}:profile.doctor", at="other/main") == "Sees Dr. Marlow on Mondays."


def test_a_colleague_purges_the_same_and_both_go_on(shared: Repository, tmp_path: Path) -> None:
    hub = tmp_path / "hub.git"
    Git(hub).run("init", "--bare", "--quiet", str(hub))
    shared.remotes.add("origin", str(hub))
    shared.remotes.sync()
    with Repository.clone(str(hub), tmp_path / "clone") as clone:
        (trace,) = [each for each in shared.upkeep.purge(whole=[EVE]).remotes if each.branch == "main"]
        subprocess.run(shlex.split(trace.command), check=True, capture_output=True)
        clone.remember("Use ruff.", "preferences.lint")

        with pytest.raises(Conflict) as stopped:
            clone.remotes.sync()
        clone.upkeep.purge(whole=[EVE])
        clone.remotes.sync()
        shared.remotes.sync()

    assert "--whole as there" in (stopped.value.hint or "")
    assert shared.content("preferences.lint") == "Use ruff." and shared.content(f"{BEN}:preferences.drinks") == TEA


_MEMORIES = st.tuples(st.sampled_from([EVE, BEN, "user:ev", "default"]), st.sampled_from("abc"), st.integers(0, 3))


@given(st.lists(_MEMORIES, min_size=1, max_size=8))
@settings(max_examples=examples(25))
def test_every_state_of_everything_else_is_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, memories: list[tuple[str, str, int]]
) -> None:
    with Repository.init(tmp_path_factory.mktemp("store")) as repository:
        repository.remember("The first of all memories.", f"{EVE}:first")
        for namespace, name, at in memories:
            repository.remember(f"What somebody says, number {at}.", f"{namespace}:{name}.x", policy="replace")
        before = {commit.id: _others(repository.store, str(commit.id)) for commit in everything(repository.store)}

        done = repository.upkeep.purge(whole=[EVE])

        with Store(repository.path, repository.store.selection) as fresh:
            for old, state in before.items():
                assert _others(fresh, str(done.commits.get(old, old))) == state
        assert b"user:eve=" not in _all(repository.path) and b"user:eve:" not in _all(repository.path)


def _others(store: Store, revision: str) -> dict[bytes, bytes]:
    """What is in a commit outside of Eve's namespace, by key."""
    snapshot = store.at(revision)
    return {key: data for key, data in snapshot.values(snapshot.tree.scan()) if not key.startswith(b"user:eve=")}
