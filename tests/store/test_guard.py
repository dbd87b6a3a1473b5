"""The guard: which stores are opened, and how their config is read."""

import os
import re
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import examples

from memoir.errors import DamagedStore, NoStore, UnsafeStore
from memoir.repair.ref_logs import restore_files
from memoir.store import guard
from memoir.store.allowed_settings import allows, parse_config
from memoir.store.store import Store


def test_a_new_store_is_opened_and_its_settings_read(store: Store) -> None:
    assert guard.inspect(store.git_dir)["core.fsync"] == ["committed"]


@pytest.mark.parametrize(
    "text",
    [
        '[core]\n\thooksPath = hooks\n',
        '[core]\n\tsshCommand = touch x\n',
        '[remote "origin"]\n\tuploadpack = touch x\n',
        '[remote "origin"]\n\turl = ext::touch x\n',
        '[include]\n\tpath = other\n',
        '[includeIf "gitdir:/"]\n\tpath = other\n',
        '[gpg]\n\tprogram = x\n',
        '[alias]\n\tlog = !x\n',
    ],
)  # fmt: skip
def test_what_could_execute_something_is_not_opened(store: Store, text: str) -> None:
    with (store.git_dir / "config").open("a") as config:
        config.write(text)

    with pytest.raises(UnsafeStore):
        guard.inspect(store.git_dir)


@pytest.mark.parametrize(
    "text", ["[core] x = 1", "[core]\na = b\\\n c", "a = 1", "[core", "[core]\n=x", '[a "b\\"c"]\nd=1']
)
def test_what_the_parser_does_not_understand_git_is_not_given(text: str) -> None:
    with pytest.raises(DamagedStore):
        parse_config(text)


# A value of the wrong form for every kind of form there is, and some that git would take.
_MALFORMED_SETTINGS = (
    "core.bare=false", "core.bare=no", "core.bare=", "core.bare=0", "core.bare=2", "core.filemode=perhaps",
    "core.repositoryformatversion=2", "core.fsync=all;reboot", "core.compression=many", "core.compression=1e3",
    "core.sharedRepository=0x7", "extensions.objectFormat=md5", "remote.o.url=ext::touch x", "remote.o.url=-u",
    "remote.o.url=ext://x", "remote.o.url=s3://bucket", "remote.o.url=ssh://-oProxyCommand=x/y",
    "remote.o.url=ssh://a@-oProxyCommand=x/y", "remote.o.url=", "remote.o.url=a\tb", "remote.o.pushurl=fd::7",
    "remote.o.fetch=--upload-pack=x", "remote.o.fetch=+refs/heads/* :x", "remote.o.tagOpt=--upload-pack=x",
    "remote.o.prune=x", "remote.-x.url=/y", "remote.a b.url=/y", "branch.main.remote=-x", "branch.main.merge=--x",
    "branch.main.rebase=exec", "receive.denyCurrentBranch=updateInstead", "transfer.unpackLimit=x", "user.name=a\nb",
    "gc.auto=often", "gc.pruneExpire=$(x)", "gc.logExpiry=", "pack.windowMemory=1t", "repack.writeBitmaps=x",
    "memoir.x=a\nb", "core.x.bare=true", "remote.url=/x", "gc.refs/x.reflogExpire=now",
)  # fmt: skip

_WELL_FORMED = (
    "core.bare=true", "core.bare=YES", "core.fsync=committed,loose-object", "core.sharedRepository=group",
    "core.sharedRepository=0640", "core.logAllRefUpdates=always", "core.bigFileThreshold=512m",
    "remote.o.url=git@example.org:a/b.git", "remote.o.url=https://u:p@example.org/a b", "remote.o.url=../there",
    "remote.o.url=file:///x", "remote.o.url=/x y/z", "remote.o.url=/x/a::b", "remote.o.url=ssh://[::1]/x",
    "remote.o.fetch=+refs/heads/*:refs/remotes/o/*", "remote.o.fetch=^refs/heads/x", "remote.o.push=:",
    "remote.o.tagOpt=--no-tags", "remote.o.mirror=true", "remote.a/b.c.url=/x", "branch.main.remote=.",
    "branch.main.remote=https://example.org/x", "branch.main.merge=refs/heads/main", "branch.a/b.rebase=merges",
    "branch.main.description=two\nlines", "user.name=Tess Ter \u00e9", "gc.reflogExpire=2.weeks.ago",
    "gc.pruneExpire=never", "gc.packRefs=notbare", "pack.window=-1", "memoir.any.thing-At.all=a\tb # ; \\",
)  # fmt: skip


def _set(store: Store, setting: str) -> None:
    key, _, value = setting.partition("=")
    command = ["git", "config", "--file", str(store.git_dir / "config"), "--replace-all", key, value]
    subprocess.run(command, check=True)


@pytest.mark.parametrize("setting", _MALFORMED_SETTINGS)
def test_a_value_must_have_the_form_of_its_key(store: Store, setting: str) -> None:
    _set(store, setting)

    with pytest.raises(UnsafeStore) as error:
        guard.inspect(store.git_dir)
    assert setting.partition("=")[0].lower() in error.value.message


def test_ordinary_values_are_allowed(store: Store) -> None:
    for setting in _WELL_FORMED:
        _set(store, setting)
        key, _, value = setting.partition("=")
        section, _, rest = key.partition(".")
        assert guard.inspect(store.git_dir)[section + "." + _lower_last(rest)] == [value]


def _lower_last(rest: str) -> str:
    middle, dot, name = rest.rpartition(".")
    return middle + dot + name.lower()


def test_a_store_must_say_that_it_is_bare(store: Store) -> None:
    for config in ("", "[core]\n\tbare = true\n\tbare = false\n", "[core]\n\tbare = false\n\tbare = true\n"):
        (store.git_dir / "config").write_text(config)
        with pytest.raises(UnsafeStore, match=r"core\.bare"):
            guard.inspect(store.git_dir)
    (store.git_dir / "config").write_text("[core]\n\tbare\n")
    guard.inspect(store.git_dir)


def test_a_huge_config_is_not_read(store: Store) -> None:
    with (store.git_dir / "config").open("ab") as config:
        config.truncate(1 << 40)  # of holes

    with pytest.raises(UnsafeStore, match="larger than"):
        guard.inspect(store.git_dir)


def _link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def _link_to_a_folder(path: Path) -> None:
    path.symlink_to("/etc")


def _link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def _hard_link(path: Path) -> None:
    other = path.with_name("twin")
    other.write_text("mine")
    os.link(other, path)


def _socket(path: Path) -> None:
    here = os.getcwd()
    os.chdir(path.parent)  # a socket's path may not be long
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path.name)
    os.chdir(here)


_KINDS: tuple[Callable[[Path], None], ...] = (
    _link,
    _link_to_a_folder,
    _link_to_nothing,
    _hard_link,
    os.mkfifo,
    _socket,
)
_PLACES = (
    "config", "HEAD", "packed-refs", "refs/heads/main", "refs/heads/deep/er/x", "refs/new", "logs/HEAD",
    "logs/refs/heads/x", "hooks/post-update", "info/exclude", "memoir-index.db", "memoir-write.lock", "new", "a/b/c/d",
    "FETCH_HEAD", "shallow", "gc.pid", "rr-cache/x",
)  # fmt: skip
_BELOW_OBJECTS = ("objects/info/alternates", "objects/pack/x.keep", "objects/pack/pack-1.pack", "objects/ab/cd")


@pytest.mark.parametrize("kind", _KINDS)
def test_a_file_that_leads_elsewhere_is_refused_wherever_it_lies(store: Store, kind: Callable[[Path], None]) -> None:
    places = []
    for place in _PLACES + (() if kind is _hard_link else _BELOW_OBJECTS):
        path = store.git_dir / place
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_bytes() if path.exists() else None
        path.unlink(missing_ok=True)
        kind(path)
        try:
            guard.inspect(store.git_dir)
            places.append(place)
        except UnsafeStore:
            pass
        path.unlink()
        if before is not None:
            path.write_bytes(before)

    assert places == []
    guard.inspect(store.git_dir)


@pytest.mark.parametrize(
    "folder", ["objects", "objects/pack", "objects/info", "refs", "refs/heads", "logs", "logs/refs"]
)
def test_a_folder_that_is_a_link_is_refused(store: Store, tmp_path: Path, folder: str) -> None:
    path = store.git_dir / folder
    path.mkdir(parents=True, exist_ok=True)
    path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / "moved")

    with pytest.raises(UnsafeStore, match="symbolic link"):
        guard.inspect(store.git_dir)


@pytest.mark.parametrize("name", ["HEAD", "config"])
def test_a_store_with_a_missing_file_is_checked_before_its_log(store: Store, name: str) -> None:
    """Else a FIFO in the place of the log would keep memoir waiting for ever."""
    (store.git_dir / name).unlink()
    (store.git_dir / "logs").mkdir(exist_ok=True)
    (store.git_dir / "logs" / "HEAD").unlink(missing_ok=True)
    os.mkfifo(store.git_dir / "logs" / "HEAD")

    for act in (Store, restore_files):
        with pytest.raises(UnsafeStore, match="logs/HEAD"):
            act(store.git_dir)
    assert not (store.git_dir / name).exists()


def test_a_store_that_is_a_link_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / ".memoir").symlink_to(store.git_dir)

    with pytest.raises(UnsafeStore, match="MEMOIR_STORE"):
        guard.inspect(tmp_path / ".memoir")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("commondir", "."), ("gitdir", "."), ("config.worktree", ""), ("index", "DIRC"), ("worktrees/x/gitdir", "."),
        ("modules/x/config", ""), (".git", "gitdir: ../other\n"), (".git", "gitdir: .\ngitdir: ..\n"),
        ("remotes/origin", "URL: x"), ("branches/origin", "x"), ("objects/info/alternates", "/x/objects\n"),
        ("objects/info/alternates", "# x\n../../../x/objects\n"), ("objects/info/http-alternates", "http://x/"),
    ],
)  # fmt: skip
def test_what_makes_git_look_elsewhere_is_refused(store: Store, path: str, text: str) -> None:
    (store.git_dir / path).parent.mkdir(parents=True, exist_ok=True)
    (store.git_dir / path).write_text(text)

    with pytest.raises(UnsafeStore):
        guard.inspect(store.git_dir)


@pytest.mark.parametrize("name", ["HEAD", "config", "packed-refs", "config.lock", "refs/heads/x.lock"])
def test_a_folder_in_the_place_of_a_file_is_refused(store: Store, name: str) -> None:
    (store.git_dir / name).unlink(missing_ok=True)
    (store.git_dir / name).mkdir()

    with pytest.raises(UnsafeStore, match=f"'{name}' is a folder"):
        guard.inspect(store.git_dir)


def test_what_plain_git_makes_is_allowed(store: Store, tmp_path: Path) -> None:
    """A clone shares its objects by hard links; old templates have empty folders and sample hooks."""
    (store.git_dir / "objects" / "pack" / "x").write_text("x")
    os.link(store.git_dir / "objects" / "pack" / "x", tmp_path / "x")
    (store.git_dir / "branches").mkdir()
    (store.git_dir / "hooks").mkdir()
    (store.git_dir / "hooks" / "post-update.sample").write_text("#!/bin/sh\n")
    (store.git_dir / "objects" / "info" / "alternates").write_text("\n")

    guard.inspect(store.git_dir)


# What was thought through one by one; all else that git knows, now or later, is refused.
_ALLOWED_SETTINGS = """
branch.x.description branch.x.merge branch.x.rebase branch.x.remote core.bare core.bigfilethreshold core.compression
core.filemode core.fsync core.fsyncmethod core.ignorecase core.logallrefupdates core.precomposeunicode
core.repositoryformatversion core.sharedrepository core.symlinks extensions.objectformat gc.aggressivedepth
gc.aggressivewindow gc.auto gc.autodetach gc.autopacklimit gc.bigpackthreshold gc.cruftpacks gc.logexpiry gc.packrefs
gc.pruneexpire gc.reflogexpire gc.reflogexpireunreachable gc.worktreepruneexpire gc.writecommitgraph pack.compression
pack.depth pack.packsizelimit pack.threads pack.window pack.windowmemory pack.writereverseindex
receive.denycurrentbranch receive.denydeletes receive.denynonfastforwards receive.fsckobjects
receive.unpacklimit remote.x.fetch remote.x.mirror
remote.x.prune remote.x.push remote.x.pushurl remote.x.tagopt remote.x.url repack.packkeptobjects
repack.usedeltabaseoffset repack.writebitmaps transfer.fsckobjects transfer.unpacklimit user.email user.name
"""
# Not in the list that git gives of its own settings.
_UNLISTED_SETTINGS = (
    "core.fsmonitor", "remote.x.vcs", "remote.x.uploadpack", "remote.x.receivepack", "remote.x.promisor",
    "hook.x.command",
    "extensions.worktreeconfig", "extensions.partialclone", "extensions.refstorage", "gc.recentobjectshook",
    "promisor.acceptfromserver", "fetch.bundleuri", "trailer.x.command", "tar.x.command", "safe.barerepository",
    "submodule.x.fetchrecursesubmodules", "remote.pushdefault", "trace2.normaltarget", "interactive.difffilter",
)  # fmt: skip


def test_no_other_setting_of_git_is_allowed() -> None:
    text = subprocess.run(["git", "help", "--config"], capture_output=True, text=True, check=True).stdout.lower()
    keys = {re.sub(r"<[^>]*>", "x", key).replace("*", "x") for key in text.split()}
    open_keys = {key for key in keys | set(_UNLISTED_SETTINGS) if allows(key)}

    assert len(keys) > 500
    assert open_keys <= set(_ALLOWED_SETTINGS.split())


def test_there_must_be_a_store(tmp_path: Path) -> None:
    with pytest.raises(NoStore):
        guard.inspect(tmp_path)
    with pytest.raises(NoStore):
        guard.inspect(tmp_path / "none")


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(
    st.sampled_from(["memoir", "user", 'remote "o.r-x"', 'branch "a/b"']),
    st.from_regex(r"[a-zA-Z][a-zA-Z0-9-]{0,6}", fullmatch=True),
    st.text(st.characters(min_codepoint=32, max_codepoint=1000, exclude_characters="\x7f\x85\xa0"), max_size=12),
)
def test_values_are_read_as_git_reads_them(
    tmp_path_factory: pytest.TempPathFactory, section: str, name: str, value: str
) -> None:
    file = tmp_path_factory.mktemp("config") / "config"
    subject = section.replace(' "', ".").rstrip('"')
    done = subprocess.run(["git", "config", "--file", str(file), f"{subject}.{name}", value], capture_output=True)
    assert done.returncode == 0

    assert parse_config(file.read_text()) == {f"{subject}.{name.lower()}": [value]}
