"""A branch that was renamed or rewritten at a remote: nothing is sent as if it were not."""

from pathlib import Path

import pytest
from exchange.conftest import Cloning
from support import git

from memoir.errors import Conflict, NotFound
from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.fixture(params=["shared", "own"])
def renamed(fresh_clone: Cloning, hub: Path, request: pytest.FixtureRequest) -> Repository:
    """A clone with news, whose branch has another name at the remote by now, and news of somebody else."""
    mine, yours = fresh_clone("mine"), fresh_clone("yours")
    mine.config.set("memoir.remote.origin.writers", request.param)
    mine.remotes.sync()
    git("branch", "-m", "main", "trunk", cwd=hub)
    git("symbolic-ref", "HEAD", "refs/heads/trunk", cwd=hub)
    yours.branches.rename("trunk")
    yours.remember(Memory.of("news of yours"), "a.yours")
    yours.remotes.sync()
    mine.remember(Memory.of("news of mine"), "a.mine")
    return mine


def test_it_is_not_made_anew_however_often_it_is_tried(renamed: Repository, hub: Path) -> None:
    for _ in range(2):
        with pytest.raises(Conflict, match="has no branch 'main', but 'trunk'") as error:
            renamed.remotes.sync()
        assert error.value.hint and "'memoir branch -m main trunk'" in error.value.hint
    with pytest.raises(NotFound, match="no branch 'main'") as missing:
        renamed.remotes.pull()
    assert missing.value.hint and "'memoir branch -m main trunk'" in missing.value.hint

    assert git("for-each-ref", "--format=%(refname)", cwd=hub).split() == ["refs/heads/trunk"]


def test_a_push_that_names_no_branch_does_not_make_it_anew(renamed: Repository, hub: Path) -> None:
    renamed.remotes.fetch()

    with pytest.raises(Conflict, match="has no branch 'main', but 'trunk'"):
        renamed.remotes.push()

    assert git("for-each-ref", "--format=%(refname)", cwd=hub).split() == ["refs/heads/trunk"]


def test_who_renames_it_too_goes_on(renamed: Repository) -> None:
    renamed.branches.rename("trunk", "main")

    renamed.remotes.sync()

    assert renamed.get("a.mine") and renamed.get("a.yours")


def test_who_pushes_it_keeps_both(renamed: Repository, hub: Path) -> None:
    renamed.remotes.push("origin", "main")

    assert renamed.remotes.sync().outcome in ("up_to_date", "pushed")
    assert {"refs/heads/main", "refs/heads/trunk"} < {*git("for-each-ref", "--format=%(refname)", cwd=hub).split(), ""}


def test_a_new_branch_is_sent_as_ever(fresh_clone: Cloning) -> None:
    mine = fresh_clone("mine")
    mine.branches.checkout("topic", create=True)
    mine.remember(Memory.of("news of mine"), "a.mine")

    assert mine.remotes.sync().outcome == "pushed"


def test_a_branch_that_an_agent_chooses_is_new_and_not_renamed(fresh_clone: Cloning) -> None:
    mine = fresh_clone("mine")
    mine.branches.checkout("dev", create=True)
    mine.remotes.push("origin", "dev")
    mine.branches.delete("main")
    with Repository.open(mine.path.parent, branch="agent-7") as agent:
        agent.remember(Memory.of("news of an agent"), "a.agent")

        assert agent.remotes.sync().outcome == "pushed"


@pytest.fixture
def rewritten(fresh_clone: Cloning, hub: Path) -> Repository:
    """A clone with a memory that the remote's branch has lost."""
    mine = fresh_clone("mine")
    mine.remember(Memory.of("to be lost"), "a.lost")
    mine.remotes.sync()
    who = ("-c", "user.name=Tess", "-c", "user.email=t@example.org")
    other = git(*who, "commit-tree", "-p", "main~1", "-m", "rewritten", "main~1^{tree}", cwd=hub).strip()
    git("update-ref", "refs/heads/main", other, cwd=hub)
    mine.remotes.fetch()
    return mine


def _blob(repository: Path) -> str:
    return git("hash-object", "-w", str(Path(__file__)), cwd=repository).strip()


def test_a_tag_of_something_else_is_sent_as_ever(rewritten: Repository, hub: Path) -> None:
    rewritten.branches.create("without-it", "origin/main")
    git("tag", "of-a-file", _blob(rewritten.path), cwd=rewritten.path)

    rewritten.remotes.push(branch="without-it", tags=True)

    assert git("tag", cwd=hub).split() == ["of-a-file"]
