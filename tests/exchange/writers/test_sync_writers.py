"""Writers' own refs: never refused, folded by whoever reads, the same whoever folds, and nothing is lost."""

import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from exchange.conftest import Cloning, is_fresh, paths
from git_servers import HttpServer
from support import Memoir, git, write

from memoir import times
from memoir.answers import sync as answers
from memoir.errors import Conflict, InvalidInput, StoreBusy
from memoir.exchange import push as push_module
from memoir.exchange import sync as module
from memoir.exchange.layout import RemotePlace, place
from memoir.exchange.push import OwnRefRefused
from memoir.exchange.remote_health import Contact, read_contact
from memoir.exchange.writers import send_only, sync_writers, writer_refs
from memoir.git.lock import LOCK_NAME, held
from memoir.git.objects import Oid
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store.store import Store
from memoir.store.transaction import BranchMoved


@pytest.fixture(autouse=True)
def no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """As between machines; here one store syncs while another has the turn."""
    monkeypatch.setattr(module, "TURN_SECONDS", 0.0)


@pytest.fixture
def clone(hub: Path, fresh_clone: Cloning, tmp_path: Path) -> Iterator[Cloning]:
    """Clones that send to refs of their own."""
    opened: list[Repository] = []

    def make(name: str) -> Repository:
        repository = fresh_clone(name) if is_fresh(hub) else Repository.clone(str(hub), tmp_path / name)
        repository.config.set("memoir.remote.origin.writers", "own")
        repository.config.set("memoir.writer", name)
        opened.append(repository)
        return repository

    yield make
    for each in opened:
        each.close()


def refs(hub: Path) -> list[str]:
    return git("for-each-ref", "--format=%(refname)", cwd=hub).split()


def remember(repository: Repository, key: str, text: str = "text") -> None:
    repository.remember(Memory.of(text), key)


def lose_the_race_to(other: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another store sync whenever one is about to send."""
    send = sync_writers.gather

    def late(*args: object, **options: object) -> object:
        monkeypatch.setattr(module, "gather", send)
        other.remotes.sync()
        return send(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "gather", late)


def test_a_lost_race_needs_no_second_try(clone: Cloning, hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, yours = clone("mine"), clone("yours")
    remember(mine, "a.mine")
    remember(yours, "a.yours")
    lose_the_race_to(yours, monkeypatch)

    done = mine.remotes.sync()

    assert (done.tries, done.outcome) == (1, "pushed")
    assert done.gathering
    assert not done.gathering.moved
    assert "refs/memoir/writers/mine/main" in refs(hub)
    assert git("for-each-ref", "--format=%(refname)", "refs/heads", cwd=hub).split() == ["refs/heads/main"]
    assert yours.remotes.sync().outcome == "folded"
    assert mine.remotes.sync().outcome == "fast_forward"
    assert paths(mine) == paths(yours) == {"a.first", "a.mine", "a.yours"}
    assert mine.store.head().tree.root == yours.store.head().tree.root
    assert [str(entry.commit.author.name) for entry in mine.blame("a.mine")] == ["Tess Ter"]
    assert not mine.upkeep.fsck().report.problems


def test_one_undo_takes_a_fold_back(clone: Cloning, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, yours = clone("mine"), clone("yours")
    remember(mine, "a.mine")
    remember(yours, "a.yours")
    lose_the_race_to(yours, monkeypatch)
    mine.remotes.sync()
    remember(yours, "a.more")
    yours.remotes.sync()

    yours.undo()

    assert paths(yours) == {"a.first", "a.yours", "a.more"}
    yours.remotes.sync()
    assert paths(yours) == {"a.first", "a.mine", "a.yours", "a.more"}


def test_whoever_reads_sees_what_nobody_has_folded(
    clone: Cloning, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, yours, reader = clone("mine"), clone("yours"), clone("reader")
    reader.config.set("memoir.remote.origin.writers", "shared")
    remember(mine, "a.mine")
    remember(yours, "a.yours")
    lose_the_race_to(yours, monkeypatch)
    mine.remotes.sync()

    everything = {"a.first", "a.mine", "a.yours"}
    with Repository.clone(str(hub), tmp_path / "new") as new:
        assert paths(new) == everything
    reader.remotes.pull()
    assert paths(reader) == everything
    assert reader.remotes.sync().outcome == "pushed"
    assert git("ls-tree", "-r", "--name-only", "main", cwd=hub).count("a.mine") == 1


def test_a_writer_that_contradicts_others_is_left_out_and_named(
    clone: Cloning, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = clone("mine")
    remember(mine, "preferences.editor", "ed")
    mine.remotes.sync()
    yours, third = clone("yours"), clone("third")
    remember(mine, "preferences.editor", "vi")
    remember(mine, "a.mine")
    remember(yours, "preferences.editor", "emacs")
    remember(third, "a.third")
    lose_the_race_to(yours, monkeypatch)
    mine.remotes.sync()

    done = third.remotes.sync().gathering

    assert done
    assert [(left.writer, left.conflicts) for left in done.left] == [("mine", 1)]
    assert paths(third) == {"a.first", "a.third", "preferences.editor"}
    remember(mine, "a.more")
    with pytest.raises(Conflict, match="1 path"):
        mine.remotes.sync()
    assert git("log", "-1", "--format=%s", "refs/memoir/writers/mine/main", cwd=hub).startswith("remember a.more")

    mine.remotes.sync(strategy="newest")

    third.remotes.sync()
    assert paths(third) == {"a.first", "a.third", "a.mine", "a.more", "preferences.editor"}
    assert third.store.head().tree.root == mine.store.head().tree.root


@pytest.mark.parametrize("kind", ["blob", "tree", "tag"])
def test_a_ref_that_names_no_commit_stops_nobody_but_the_writer_whose_it_is(
    clone: Cloning, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    mine, yours = clone("mine"), clone("yours")
    remember(mine, "a.mine")
    remember(yours, "a.yours")
    lose_the_race_to(yours, monkeypatch)
    mine.remotes.sync()
    git("-c", "user.name=a", "-c", "user.email=a@b", "tag", "-a", "-m", "x", "tag", cwd=hub)
    odd = git("rev-parse", {"blob": "main:memoir-format-1", "tree": "main^{tree}", "tag": "tag"}[kind], cwd=hub).strip()
    git("tag", "-d", "tag", cwd=hub)
    git("update-ref", "refs/memoir/writers/odd/main", odd, cwd=hub)

    done = yours.remotes.sync().gathering

    assert done
    assert [(left.writer, left.problem) for left in done.left] == [("odd", "what its ref names is no commit")]
    assert paths(yours) == {"a.first", "a.mine", "a.yours"}
    with Repository.clone(str(hub), tmp_path / "new") as new:
        assert paths(new) == paths(yours)
        new.remotes.pull()
    text = Memoir(yours.path.parent).ok("fold")
    assert "'git push URL :refs/memoir/writers/odd/main' removes its ref" in text

    yours.config.set("memoir.writer", "odd")
    remember(yours, "a.late")
    with pytest.raises(Conflict) as error:
        yours.remotes.sync()
    assert error.value.hint and error.value.hint.startswith("'git push URL :refs/memoir/writers/odd/main' removes it")
    git("update-ref", "-d", "refs/memoir/writers/odd/main", cwd=hub)
    assert yours.remotes.sync().sent == 1


def test_a_store_that_contradicts_what_others_sent_at_the_same_time_is_named_too(
    clone: Cloning, hub: Path, tmp_path: Path
) -> None:
    """Each of two stores meets the other's ref before it has sent its own; the same one is left out."""
    both = {"mine": clone("mine"), "yours": clone("yours")}
    remember(both["mine"], "preferences.editor", "ed")
    for each in both.values():
        each.remotes.sync()
    for name, each in both.items():
        remember(each, "preferences.editor", name)
    left: list[str] = []
    for name, other in (("mine", "yours"), ("yours", "mine")):
        copy = tmp_path / f"{name}.git"
        git("clone", "-q", "--mirror", str(hub), str(copy))
        git("push", "-q", str(copy), f"main:refs/memoir/writers/{other}/main", cwd=both[other].path)
        both[name].remotes.set_url("origin", str(copy))
        done = both[name].remotes.sync().gathering
        left += [each.writer for each in done.left] if done else []

    assert left in (["mine", "mine"], ["yours", "yours"])


def test_a_fold_says_that_refs_may_not_be_removed(clone: Cloning, hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hook = hub / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\ncase $3 in 0000000*) echo "nothing goes" >&2; exit 1;; esac\n')
    hook.chmod(0o755)
    git("config", "http.receivepack", "true", cwd=hub)
    mine = clone("mine")
    remember(mine, "a.mine")
    with HttpServer(hub.parent) as server:
        mine.remotes.set_url("origin", server.url("hub"))
        mine.remotes.sync()

        memoir = Memoir(mine.path.parent)
        assert "refs were not removed: origin refused 'refs/memoir/writers/mine/main'" in memoir.ok("fold")
        assert "nothing goes" in memoir.json("fold")["refused"]


def lose_a_race(monkeypatch: pytest.MonkeyPatch, winner: Repository) -> list[str]:
    """Let another store sync right before the next push; and again once the returned list is cleared."""
    push, races = push_module.push, list[str]()

    def late(*args: object, **options: object) -> object:
        if not races:
            races.append("a.yours")
            remember(winner, "a.yours")
            winner.remotes.sync()
        return push(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "push", late)
    return races


def test_auto_begins_shared_turns_to_own_refs_when_a_race_is_lost_and_back_when_it_is_calm(
    clone: Cloning, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, yours = clone("mine"), clone("yours")
    mine.config.set("memoir.remote.origin.writers", "auto")
    remember(mine, "a.mine")
    assert mine.remotes.sync().gathering is None
    assert refs(hub) == ["refs/heads/main"]
    lose_a_race(monkeypatch, yours)
    remember(mine, "a.more")

    done = mine.remotes.sync()

    assert (done.tries, bool(done.gathering and done.gathering.own)) == (2, True)
    for number in range(10):
        remember(mine, f"a.n{number}")
        done = mine.remotes.sync()
        assert (done.tries, bool(done.gathering and done.gathering.own)) == (1, True)
    assert not (done := mine.remotes.sync()).gathering or not done.gathering.own
    assert paths(mine) >= {"a.mine", "a.yours", "a.more", "a.n9"}


def close_branches(hub: Path, name: str = "update") -> None:
    """Let nobody move a branch of a remote; a hook `pre-receive` then refuses all that comes with one."""
    hook = hub / "hooks" / name
    hook.parent.mkdir(exist_ok=True)
    named = "$1" if name == "update" else '" $(cat)"'
    hook.write_text(f'#!/bin/sh\ncase {named} in *refs/heads/*) echo "branches are closed" >&2; exit 1;; esac\n')
    hook.chmod(0o755)


def refuse_own_refs(hub: Path, how: str) -> None:
    """Let a remote hide writers' refs, so that it refuses only these, or a hook refuse all that comes with them."""
    git("config", "receive.hideRefs", "refs/memoir", cwd=hub)
    if how == "hook":
        git("config", "--unset", "receive.hideRefs", cwd=hub)
        hook = hub / "hooks" / "pre-receive"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\n! grep refs/memoir/\n")
        hook.chmod(0o755)


def allow_own_refs(hub: Path, how: str) -> None:
    """Take back what `refuse_own_refs` did."""
    if how == "hook":
        (hub / "hooks" / "pre-receive").unlink()
    else:
        git("config", "--unset", "receive.hideRefs", cwd=hub)


@pytest.mark.parametrize("how", ["hidden", "hook"])
def test_auto_goes_back_to_the_branch_where_own_refs_are_refused_and_says_so_once(
    clone: Cloning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    with HttpServer(tmp_path) as server:
        server.create("hub2")
        refuse_own_refs(hub := tmp_path / "hub2.git", how)
        mine, yours = clone("mine"), clone("yours")
        for each in (mine, yours):
            each.remotes.set_url("origin", server.url("hub2"))
            each.config.set("memoir.remote.origin.writers", "auto")
        races = lose_a_race(monkeypatch, yours)
        remember(mine, "a.mine")

        done = mine.remotes.sync()

        assert (done.sent, done.tries) == (1, 3)
        assert done.outcome in ("pushed", "replayed")
        assert done.relief == "origin takes no refs of single writers: sync sends to the branch itself from now on"
        races.clear()
        remember(mine, "a.more")
        again = mine.remotes.sync()
        assert (again.tries, again.gathering, again.relief) == (2, None, None)
        assert refs(hub) == ["refs/heads/main"]
        assert "a.more" in git("ls-tree", "-r", "--name-only", "main", cwd=hub)
        yours.remotes.sync()
        assert paths(yours) == paths(mine) >= {"a.mine", "a.yours", "a.more"}

        allow_own_refs(hub, how)
        mine.config.set("memoir.remote.origin.writers", "own")
        remember(mine, "a.own")
        mine.remotes.sync()
        assert not read_contact(mine.store, "origin").refuses_own


def test_own_where_it_is_refused_is_an_error_that_says_what_arrived_and_the_way_out(clone: Cloning, hub: Path) -> None:
    refuse_own_refs(hub, "hidden")
    mine = clone("mine")
    remember(mine, "a.mine")

    with pytest.raises(OwnRefRefused) as error:
        mine.remotes.sync()

    assert error.value.message.endswith("; what was sent is in 'main' all the same (commits: 1)")
    assert error.value.hint == "'memoir config memoir.remote.origin.writers shared' sends to the branch itself"
    mine.config.set("memoir.remote.origin.writers", "shared")
    assert mine.remotes.sync().outcome == "up_to_date"
    assert "a.mine" in git("ls-tree", "-r", "--name-only", "main", cwd=hub)


def test_refs_that_are_folded_are_removed_and_no_other(
    clone: Cloning, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("config", "receive.denyDeletes", "true", cwd=hub)
    mine, yours, third = clone("mine"), clone("yours"), clone("third")
    for each in (mine, yours, third):
        remember(each, f"a.{each.path.parent.name}")
    lose_the_race_to(yours, monkeypatch)
    mine.remotes.sync()
    third.remotes.sync()
    assert "refs/memoir/writers/mine/main" in refs(hub), "its writer may go on with it"

    monkeypatch.setenv("MEMOIR_NOW", "2026-01-04T00:00:00Z")
    remember(mine, "a.late")
    lose_the_race_to(mine, monkeypatch)
    remember(third, "a.again")
    third.remotes.sync()

    assert git("log", "-1", "--format=%s", "refs/memoir/writers/mine/main", cwd=hub).startswith("remember a.late")
    assert "refs/memoir/writers/yours/main" not in refs(hub)
    third.remotes.sync()
    assert paths(third) == {"a.first", "a.mine", "a.yours", "a.third", "a.late", "a.again"}


def test_a_store_and_its_copy_have_one_ref_and_lose_nothing(
    clone: Cloning, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, twin, other = clone("mine"), clone("twin"), clone("other")
    twin.config.set("memoir.writer", "mine")
    for number in range(3):
        for name, each in (("mine", mine), ("twin", twin)):
            remember(each, f"a.{name}{number}")
            remember(other, f"a.other{name}{number}")
            lose_the_race_to(other, monkeypatch)
            each.remotes.sync()
    for each in (mine, twin, other, mine, twin):
        each.remotes.sync()
    assert len(paths(mine)) == 1 + 6 + 6
    assert paths(mine) == paths(twin) == paths(other)


def test_a_copy_that_sends_at_the_same_time_takes_a_name_of_its_own(
    clone: Cloning, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "copies.git"))
    with HttpServer(tmp_path) as server:
        git("config", "http.receivepack", "true", cwd=tmp_path / "copies.git")
        close_branches(tmp_path / "copies.git")
        mine, twin = clone("mine"), clone("twin")
        send, at = sync_writers.gather, list[str]()
        for each in (mine, twin):
            each.remotes.set_url("origin", server.url("copies"))
            each.config.set("memoir.writer", "image-1234abcd")

        def late(*args: object, **options: object) -> object:
            if len(at) < 2:
                remember(twin, f"a.twin{len(at)}")
                at.append(git("rev-parse", "main", cwd=twin.path).strip())
                git(
                    "push",
                    "-q",
                    str(tmp_path / "copies.git"),
                    f"+{at[-1]}:{writer_refs.ref_of('image-1234abcd', 'main')}",
                    cwd=twin.path,
                )
            return send(*args, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(module, "gather", late)
        remember(mine, "a.mine")

        assert mine.remotes.sync().tries == 3

        (name,) = mine.store.config["memoir.writer"]
        assert name.startswith("image-") and name != "image-1234abcd"
        assert mine.remotes.sync().tries == twin.remotes.sync().tries == 1
        assert twin.store.config["memoir.writer"] == ["image-1234abcd"]
        mine.remotes.sync()
    assert paths(mine) == paths(twin) == {"a.first", "a.mine", "a.twin0", "a.twin1"}


def test_a_branch_that_is_deleted_at_a_remote_takes_its_writers_refs_along(clone: Cloning, hub: Path) -> None:
    mine, yours = clone("mine"), clone("yours")
    mine.branches.create("topic")
    mine.branches.checkout("topic")
    remember(mine, "a.mine")
    mine.remotes.sync()
    git("push", "-q", str(hub), "main:refs/memoir/writers/yours/topic", cwd=yours.path)
    mine.remotes.sync()
    remember(yours, "a.yours")
    git("push", "-q", str(hub), "main:refs/memoir/writers/yours/topic", cwd=yours.path)

    with pytest.raises(Conflict, match="lacks what these writers have sent: yours") as error:
        mine.remotes.delete_branch("origin", "topic")

    assert error.value.hint == "'memoir checkout topic' and 'memoir fold origin' bring it together; then delete it"
    mine.remotes.sync()
    assert mine.remotes.delete_branch("origin", "topic")[1] == [("refs/heads/topic", "deleted")]
    assert refs(hub) == ["refs/heads/main"]
    mine.branches.checkout("main")
    mine.branches.delete("topic", force=True)
    mine.branches.create("topic/two")
    mine.branches.checkout("topic/two")
    remember(mine, "a.two")
    assert mine.remotes.sync().outcome == "pushed", "a ref of the old name would have no room for one of the new"


def test_a_ref_that_leaves_no_room_for_another_is_named_with_the_command_that_removes_it(
    clone: Cloning, hub: Path
) -> None:
    """As after somebody has deleted a branch with git, and left its writers' refs."""
    mine = clone("mine")
    git("update-ref", "refs/memoir/writers/mine/topic", "main", cwd=hub)
    mine.branches.create("topic/two")
    mine.branches.checkout("topic/two")
    remember(mine, "a.mine")

    with pytest.raises(OwnRefRefused, match=r"'refs/memoir/writers/mine/topic' exists|refname conflict") as error:
        mine.remotes.sync()

    assert error.value.hint and "'git push URL :REF' removes it there" in error.value.hint
    git("update-ref", "-d", "refs/memoir/writers/mine/topic", cwd=hub)
    remember(mine, "a.more")
    assert mine.remotes.sync().sent == 1


def test_beside_code_writers_have_refs_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = tmp_path / "code"
    git("init", "-q", "-b", "main", str(code))
    (code / "main.c").write_text("int main;")
    git("add", ".", cwd=code)
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "code", cwd=code)
    git("clone", "-q", "--bare", str(code), str(tmp_path / "code.git"))
    both = []
    for name in ("mine", "yours"):
        repository = Repository.init(tmp_path / name)
        repository.remotes.add("origin", str(tmp_path / "code.git"))
        repository.config.set("memoir.remote.origin.writers", "own")
        repository.config.set("memoir.writer", name)
        remember(repository, f"a.{name}")
        both.append(repository)
    mine, yours = both
    lose_the_race_to(yours, monkeypatch)
    mine.remotes.sync()
    yours.remotes.sync()
    mine.remotes.sync()

    assert paths(mine) == paths(yours) == {"a.mine", "a.yours"}
    heads = [ref for ref in refs(tmp_path / "code.git") if not ref.startswith(writer_refs.WRITERS)]
    assert heads == ["refs/heads/main", "refs/memoir/heads/main"]
    assert git("log", "-1", "--format=%s", "main", cwd=tmp_path / "code.git") == "code\n"
    assert git("ls-remote", "--heads", str(tmp_path / "code.git")).split()[1:] == ["refs/heads/main"]
    git("clone", "-q", str(tmp_path / "code.git"), str(tmp_path / "plain"))
    assert not [ref for ref in refs(tmp_path / "plain") if "memoir" in ref]
    remember(mine, "a.wrong")
    mine.remotes.sync()
    mine.undo()
    mine.forget("a.mine")
    mine.remotes.sync()
    yours.remotes.sync()
    assert paths(mine) == paths(yours) == {"a.yours"}, "what undo took back was published already"
    for each in both:
        each.close()


@pytest.mark.parametrize("hook", ["update", "pre-receive"])
def test_a_branch_that_nobody_may_move_is_left_to_whoever_may(clone: Cloning, hub: Path, hook: str) -> None:
    mine = clone("mine")
    close_branches(hub, hook)
    git("config", "http.receivepack", "true", cwd=hub)
    remember(mine, "a.mine")
    with HttpServer(hub.parent) as server:
        mine.remotes.set_url("origin", server.url("hub"))

        done = mine.remotes.sync()

    assert done.tries == 1
    assert done.gathering
    assert "branches are closed" in (done.gathering.refused or "")
    assert refs(hub) == ["refs/heads/main", "refs/memoir/writers/mine/main"]


def test_a_name_that_is_none_for_a_ref_is_refused_and_not_replaced(clone: Cloning) -> None:
    mine = clone("mine")
    with pytest.raises(InvalidInput, match="small letters, digits and '-', 63 at most, not 'Ada'"):
        mine.config.set("memoir.writer", "Ada")
    git("config", "memoir.writer", "Ada", cwd=mine.path)
    mine.store.reload()
    remember(mine, "a.mine")

    with pytest.raises(InvalidInput):
        mine.remotes.sync()

    assert git("config", "memoir.writer", cwd=mine.path) == "Ada\n"


def test_push_sends_to_the_branch_whatever_the_setting(clone: Cloning, hub: Path) -> None:
    mine, yours = clone("mine"), clone("yours")
    remember(mine, "a.mine")
    mine.remotes.push()
    remember(yours, "a.yours")

    assert refs(hub) == ["refs/heads/main"]
    with pytest.raises(Conflict):
        yours.remotes.push()
    assert yours.remotes.sync().outcome == "replayed"
    assert paths(yours) == {"a.first", "a.mine", "a.yours"}


def crowded(there: RemotePlace) -> RemotePlace:
    """The same place, to which 500 others have sent."""
    more = {f"{writer_refs.WRITERS}w{number}/main": Oid(number.to_bytes(20, "big")) for number in range(1, 501)}
    return there._replace(refs={**there.refs, **more})


def test_most_of_many_who_send_leave_it_to_others_to_read(clone: Cloning) -> None:
    random.seed(1)
    mine = clone("mine")
    found = place(mine.store, "origin")

    assert send_only.draw(mine.store, crowded(found), "main") is None, "it has nothing to send"
    remember(mine, "a.mine")
    errand = send_only.draw(mine.store, crowded(found), "main")
    assert errand
    assert errand.commit == mine.store.head().id
    assert send_only.draw(mine.store, found, "main") is None, "nobody else has sent"
    mine.remotes.sync()
    assert send_only.draw(mine.store, crowded(place(mine.store, "origin")), "main") is None, "all is sent"


def test_a_writer_among_many_sends_to_its_own_ref_and_the_next_to_read_folds_it(
    clone: Cloning, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, yours = clone("mine"), clone("yours")
    mine.remotes.sync()
    remember(yours, "a.yours")
    yours.remotes.sync()
    remember(mine, "a.mine")
    monkeypatch.setattr(send_only, "AT_ONCE", 0)

    done = mine.remotes.sync()

    assert (done.outcome, done.sent, done.tries, done.moves) == ("sent", 1, 1, [])
    assert "nothing was fetched" in str([*answers.sync(done).human()])
    assert git("rev-parse", "refs/memoir/writers/mine/main", cwd=hub).strip() == str(mine.store.head().id)
    assert paths(mine) == {"a.first", "a.mine"}
    assert mine.remotes.sync().outcome != "sent", "it has no more to send, so it reads"
    assert paths(mine) == {"a.first", "a.mine", "a.yours"}
    remember(mine, "a.more")
    assert mine.remotes.sync().outcome == "sent"
    monkeypatch.setenv("MEMOIR_NOW", (times.now() + timedelta(minutes=1)).isoformat())
    remember(mine, "a.late")
    assert mine.remotes.sync().outcome != "sent", "a minute is over"
    monkeypatch.setenv("MEMOIR_NOW", (times.now() - timedelta(days=1)).isoformat())
    remember(mine, "a.early")
    assert mine.remotes.sync().outcome != "sent", "the clock was wrong"
    monkeypatch.delenv("MEMOIR_NOW")
    monkeypatch.setattr(send_only, "AT_ONCE", 5)
    yours.remotes.sync()
    assert paths(yours) == paths(mine) == {"a.first", "a.yours", "a.mine", "a.more", "a.late", "a.early"}
    assert yours.store.head().tree.root == mine.store.head().tree.root


def test_commits_that_were_made_again_are_not_sent_without_a_look(
    clone: Cloning, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sync that is killed after its push leaves here what the remote has in another form, and may have forgotten."""
    mine, yours = clone("mine"), clone("yours")
    remember(yours, "a.yours")
    yours.remotes.push()
    mine.config.set("memoir.remote.origin.writers", "shared")
    remember(mine, "a.mine")
    with monkeypatch.context() as patch:
        patch.setattr(module, "move_branch", killed)
        with pytest.raises(KeyboardInterrupt):
            mine.remotes.sync()
    yours.remotes.pull()
    yours.forget("a.mine")
    yours.remotes.push()
    mine.config.set("memoir.remote.origin.writers", "own")
    monkeypatch.setattr(send_only, "AT_ONCE", 0)
    monkeypatch.setattr(Contact, "is_fresh", lambda self: True)
    remember(mine, "a.more")

    mine.remotes.sync()
    yours.remotes.sync()

    assert paths(mine) == paths(yours) == {"a.first", "a.yours", "a.more"}


def killed(*args: object) -> None:
    raise KeyboardInterrupt


def test_a_sent_branch_is_moved_under_the_lock_by_which_a_purge_sees_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, last = write(store, {"default=a": "1"}).id, write(store, {"default=a": "2"}).id
    monkeypatch.setenv("MEMOIR_LOCK_TIMEOUT", "0")

    with held(store.git_dir / LOCK_NAME), pytest.raises(StoreBusy):
        sync_writers.move_branch(store, "origin", "main", last, first)
    sync_writers.move_branch(store, "origin", "main", last, first)
    with pytest.raises(BranchMoved):
        sync_writers.move_branch(store, "origin", "main", last, first)

    assert store.refs.branches() == {"main": first}
