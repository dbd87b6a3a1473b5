"""Hostile settings, links, FIFOs and folders at random places of a store: nothing runs, changes elsewhere or hangs."""

import os
import random
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest
from fault_tools import Trap
from support import git

from memoir.errors import MemoirError
from memoir.exchange import transport
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.store import guard, maintenance

_SECONDS = 60
_CASES = 50


class Scene:
    """A project with a store in it, as it might have been cloned, and what lies outside of that store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.trap = Trap(folder)
        self.outside = folder / "outside"
        self.project = folder / "project"
        self.store = self.project / ".memoir"
        self._sound = folder / "sound"
        self._build()

    def _build(self) -> None:
        git("init", "--quiet", str(self.project))
        for name in ("src", ".git/objects/pack"):
            (self.project / name).mkdir(parents=True, exist_ok=True)
            (self.project / name / "tmp_mine").write_text("mine")
        shutil.copytree(self.project / "src", self.outside / "src")
        git("init", "--quiet", "--bare", str(self.outside / "there"))
        with Repository.init(self.project) as repository:
            for number in range(3):
                repository.remember(Memory.of(f"memory {number}"), f"a.k{number}")
            head = repository.store.head().commit
            assert head
            repository.store.refs.create("branch", "side", head.id)
        git(f"--git-dir={self.store}", "push", "--quiet", str(self.outside / "there"), "main")
        git(f"--git-dir={self.store}", "remote", "add", "origin", str(self.outside / "there"))
        shutil.move(self.store, self._sound)

    def restore(self) -> None:
        """Put the sound store back in its place."""
        shutil.rmtree(self.store, ignore_errors=True)
        if self.store.is_symlink():
            self.store.unlink()
        shutil.copytree(self._sound, self.store)

    def surroundings(self) -> dict[str, bytes | str]:
        """Everything outside the store: path to contents."""
        contents: dict[str, bytes | str] = {}
        for top in (self.outside, self.project):
            for folder, folders, names in os.walk(top):
                if Path(folder) == self.project and ".memoir" in folders:
                    folders.remove(".memoir")
                for name in names:
                    path = Path(folder, name)
                    contents[str(path)] = os.readlink(path) if path.is_symlink() else path.read_bytes()
        return contents


_KEYS = (
    "core.bare", "core.worktree", "core.hooksPath", "core.fsmonitor", "core.sshCommand", "core.gitProxy", "core.fsync",
    "core.alternateRefsCommand", "core.attributesFile", "core.repositoryFormatVersion", "core.sharedRepository",
    "core.logAllRefUpdates", "extensions.worktreeConfig", "extensions.partialClone", "extensions.objectFormat",
    "extensions.refStorage", "remote.origin.url", "remote.origin.pushurl", "remote.origin.fetch", "remote.origin.vcs",
    "remote.origin.uploadpack", "remote.origin.promisor", "remote.origin.tagOpt", "remote.origin.mirror",
    "remote.origin.proxy", "branch.main.remote", "branch.main.merge", "gc.pruneExpire", "gc.recentObjectsHook",
    "gc.packRefs", "pack.packSizeLimit", "repack.writeBitmaps", "submodule.recurse", "fetch.recurseSubmodules",
    "include.path", "includeIf.gitdir:**.path", "credential.helper", "url.ext::sh .insteadOf", "protocol.allow",
    "alias.cat-file", "gpg.program", "log.showSignature", "diff.external", "receive.procReceiveRefs", "memoir.any",
    "memoir.embed.url", "uploadpack.packObjectsHook", "hook.x.command", "trailer.x.command", "user.name",
)  # fmt: skip

_PLACES = (
    "HEAD", "config", "config.worktree", "packed-refs", "index", "commondir", "gitdir", ".git", "shallow",
    "FETCH_HEAD", "ORIG_HEAD", "gc.pid", "config.lock", "HEAD.lock", "refs", "refs/heads", "refs/heads/main",
    "refs/heads/x", "refs/heads/x/y", "refs/tags", "refs/tags/v1", "refs/remotes", "refs/remotes/origin/main", "logs",
    "logs/HEAD", "logs/refs/heads", "logs/refs/heads/main", "logs/refs/heads/x", "objects", "objects/pack",
    "objects/pack/tmp_pack_x", "objects/pack/x.keep", "objects/pack/multi-pack-index", "objects/info",
    "objects/info/alternates", "objects/info/http-alternates", "objects/info/commit-graph", "objects/ab",
    "objects/ab/cdef", "hooks", "hooks/reference-transaction", "hooks/post-update", "hooks/pre-auto-gc", "info",
    "info/attributes", "info/grafts", "info/exclude", "worktrees", "worktrees/x", "worktrees/x/gitdir", "modules",
    "modules/x", "modules/x/config", "remotes/origin", "branches/origin", "rr-cache", "rr-cache/x", "lost-found",
    "memoir-write.lock", "memoir-repack.lock", "memoir-sync.lock", "memoir-index.db", "reftable", "new", "new/deep/er",
)  # fmt: skip


def _texts(scene: Scene) -> list[str]:
    outside, trap = scene.outside, scene.trap.program
    return [
        "", "true", "false", "1", "2", "no", "all", "never", "now", "0660", ".", "..", "-x", "evil", str(trap),
        str(outside), f"{outside}/src", f"{outside}/there", "../src", "../.git", f"ext::{trap} x", f"evil::{trap}",
        f"--upload-pack={trap}", f"!{trap}", "+refs/heads/*:refs/heads/*", "+refs/*:refs/*", "ref: refs/heads/main",
        "ref: refs/heads/../../../x", f"gitdir: {scene.project}/.git", f"{outside}/there/objects", "0" * 40,
        f"#!/bin/sh\n{trap}\n", "* filter=x diff=x\n", "sha1", "sha256", "files", "refs/heads/main",
    ]  # fmt: skip


def _set(scene: Scene, chance: random.Random) -> None:
    """A setting, by plain git."""
    command = ["config", "--file", str(scene.store / "config"), chance.choice(["--add", "--replace-all"])]
    with suppress(AssertionError):  # a config that is none any more
        git(*command, chance.choice(_KEYS), chance.choice(_texts(scene)))


def _plant(scene: Scene, chance: random.Random) -> None:
    """Something that is not a plain file, or a plain file with something in it, at a place that git may know."""
    path = scene.store / chance.choice(_PLACES)
    if not Path(os.path.realpath(path.parent)).is_relative_to(scene.store):
        return  # behind a link that was planted before
    with suppress(OSError):  # another that is there already
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = chance.choice(_KINDS)
        aside = path.with_name("kept")
        if os.path.lexists(path) and os.path.lexists(aside):
            return
        if os.path.lexists(path):
            path.rename(aside)
        kind(scene, chance, path)


def _link(scene: Scene, chance: random.Random, path: Path) -> None:
    there = [scene.outside / "src", scene.outside / "src" / "tmp_mine", scene.outside / "there" / "objects"]
    there += [scene.project / ".git", scene.project / ".git" / "objects" / "pack", Path("../src"), Path("nowhere")]
    path.symlink_to(chance.choice(there))


def _hard_link(scene: Scene, chance: random.Random, path: Path) -> None:
    os.link(chance.choice([scene.outside, scene.project]) / "src" / "tmp_mine", path)


def _fifo(scene: Scene, chance: random.Random, path: Path) -> None:
    os.mkfifo(path)


def _socket(scene: Scene, chance: random.Random, path: Path) -> None:
    os.chdir(path.parent)  # a socket's path may not be long
    with socket.socket(socket.AF_UNIX) as bound:
        try:
            bound.bind(path.name)
        finally:
            os.chdir(scene.project)


def _folder(scene: Scene, chance: random.Random, path: Path) -> None:
    path.mkdir()
    (path / "config").write_text(f"[core]\n\tsshCommand = {scene.trap.program}\n")


def _file(scene: Scene, chance: random.Random, path: Path) -> None:
    path.write_text(chance.choice(_texts(scene)) + chance.choice(["", "\n"]))
    path.chmod(0o755)
    os.utime(path, (0, 0))  # a lock that was left long ago is not waited for


_KINDS: tuple[Callable[[Scene, random.Random, Path], None], ...] = (
    _link, _link, _hard_link, _fifo, _socket, _folder, _file, _file,
)  # fmt: skip


def _use(scene: Scene) -> bool:
    """Everything that starts git in its own way; True if the store was opened."""
    is_open = False
    with suppress(MemoirError), Repository.open(scene.project) as repository:
        is_open = True
        for act in _ACTS:
            with suppress(MemoirError):
                act(repository)
    return is_open


_ACTS: tuple[Callable[[Repository], object], ...] = (
    lambda repository: repository.get("a.k1"),
    lambda repository: repository.remember(Memory.of("more"), "a.k9"),
    lambda repository: repository.store.refs.list("refs/heads/"),
    lambda repository: transport.fetch_from(repository.store, "origin", ["+refs/heads/*:refs/remotes/origin/*"]),
    lambda repository: maintenance.gc(repository.store),
)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"))


def _ring(seconds: int) -> None:
    signal.alarm(seconds)


@pytest.fixture
def deadline() -> Iterator[Callable[[], None]]:
    """A function that gives what follows a minute."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    yield lambda: _ring(_SECONDS)
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def _try_cases(scene: Scene, numbers: range, deadline: Callable[[], None]) -> int:
    before, count = scene.surroundings(), 0
    os.chdir(scene.project)
    for number in numbers:
        chance = random.Random(number)
        scene.restore()
        acts = chance.choices([_set, _plant], k=chance.choice([1, 1, 2, 3]))
        for act in sorted(acts, key=lambda act: act is _plant):  # git would write a setting through a planted link
            act(scene, chance)
        deadline()
        count += _use(scene)
        assert scene.trap.spring() == [], number
        assert scene.surroundings() == before, number
    return count


@pytest.mark.parametrize("block", range(4))
def test_a_hostile_store_does_no_harm(scene: Scene, block: int, deadline: Callable[[], None]) -> None:
    count = _try_cases(scene, range(block * _CASES, (block + 1) * _CASES), deadline)

    assert 0 < count < _CASES  # some are harmless, most are not


@pytest.mark.soak
@pytest.mark.parametrize("block", range(100))
def test_ten_thousand_hostile_stores_do_no_harm(scene: Scene, block: int, deadline: Callable[[], None]) -> None:
    assert _try_cases(scene, range(1000 + block * 100, 1100 + block * 100), deadline)


def test_the_fuzz_would_notice_harm(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the guard a link below `objects/` lets a write remove files elsewhere, which the cases must see."""
    monkeypatch.setattr(guard, "_find_unsafe_file", lambda git_dir: None)
    before = scene.surroundings()
    victim = scene.outside / "src" / "tmp_mine"
    scene.restore()
    shutil.copytree(scene.store / "objects" / "pack", scene.outside / "src", dirs_exist_ok=True)
    shutil.rmtree(scene.store / "objects" / "pack")
    (scene.store / "objects" / "pack").symlink_to(scene.outside / "src")
    os.utime(victim, (0, 0))

    _use(scene)
    assert not victim.exists()
    shutil.rmtree(scene.outside / "src")
    (scene.outside / "src").mkdir()
    victim.write_text("mine")
    assert scene.surroundings() == before
