"""A branch that its owner renames at a remote: a sync says so, and does not make it there again under the old name."""

from pathlib import Path

import pytest
from exchange.conftest import Cloning
from support import git

from memoir.errors import Conflict, NotFound
from memoir.records.record import Memory
from memoir.repository.repository import Repository


@pytest.fixture(params=["shared", "own"])
def mine(fresh_clone: Cloning, hub: Path, request: pytest.FixtureRequest) -> Repository:
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


def test_it_is_not_made_anew_however_often_it_is_tried(mine: Repository, hub: Path) -> None:
    for _ in range(2):
        with pytest.raises(Conflict, match="has no branch 'main', but 'trunk'") as error:
            mine.remotes.sync()
        assert error.value.hint and "'memoir branch -m main trunk'" in error.value.hint
    with pytest.raises(NotFound, match="no branch 'main'") as missing:
        mine.remotes.pull()
    assert missing.value.hint and "'memoir branch -m main trunk'" in missing.value.hint

    assert git("for-each-ref", "--format=%(refname)", cwd=hub).split() == ["refs/heads/trunk"]


def test_a_push_that_names_no_branch_does_not_make_it_anew(mine: Repository, hub: Path) -> None:
    mine.remotes.fetch()

    with pytest.raises(Conflict, match="has no branch 'main', but 'trunk'"):
        mine.remotes.push()

    assert git("for-each-ref", "--format=%(refname)", cwd=hub).split() == ["refs/heads/trunk"]


def test_who_renames_it_too_goes_on(mine: Repository) -> None:
    mine.branches.rename("trunk", "main")

    mine.remotes.sync()

    assert mine.get("a.mine") and mine.get("a.yours")


def test_who_pushes_it_keeps_both(mine: Repository, hub: Path) -> None:
    mine.remotes.push("origin", "main")

    assert mine.remotes.sync().outcome in ("up_to_date", "pushed")
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
