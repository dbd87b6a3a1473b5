"""Layouts: where a remote keeps memory, in its plain branches or beside code.

A project's own `origin` is the natural place for the project's memory, but memoir must not touch its branches. So a
remote with any branch that is not memoir's keeps memory under `refs/memoir/`, which no hosting service shows and no
`git clone` fetches. Every other remote keeps it in plain branches. A remote without branches counts as code if it
belongs to the code repository around the store.

The choice is stored in the store's config, but `plain` there is only a note: the remote's actual branches take
precedence, so a config that came with a foreign store cannot make memoir write to a code repository's branches.

A remote with memory beside code may also have memory in plain branches, for instance from before the code: strays. They
stay there, and are fetched under their full names, as REMOTE/refs/heads/BRANCH, because a branch of the same name may
have other memory. Once fetched, a stray stays here even if the branch there changes or goes.
"""

import os
from collections.abc import Mapping, Set
from contextlib import closing
from typing import NamedTuple

from memoir import user_folders
from memoir.errors import Conflict
from memoir.exchange.code_repository import is_of_enclosing
from memoir.exchange.remote_health import read_contact, write_contact
from memoir.exchange.remotes import layout_key, push_addresses, require
from memoir.exchange.transport import (
    NO_GC,
    Listing,
    list_refs,
    list_unnamed,
    program_option,
    prompt,
    transport,
    unreachable,
)
from memoir.exchange.writers.writer_refs import WRITERS
from memoir.git.git import Git, output_lines
from memoir.git.object_reader import ObjectReader
from memoir.git.objects import Oid, sha256
from memoir.git.ref_names import BRANCHES, REMOTES, TAGS
from memoir.git.refs import Refs
from memoir.settings import REMOTE_REFS
from memoir.store import ancestry, config
from memoir.store.snapshot import tree_of
from memoir.store.store import Store
from memoir.tree.node import MARKERS


class Layout(NamedTuple):
    """A name for people, and the prefixes under which a remote keeps memoir's branches and tags."""

    name: str
    heads: str
    tags: str


PLAIN = Layout("plain", BRANCHES, TAGS)
BESIDE = Layout("beside", "refs/memoir/heads/", "refs/memoir/tags/")
_LAYOUTS = {layout.name: layout for layout in (PLAIN, BESIDE)}
_PATTERNS = ("HEAD", *(f"{prefix}*" for prefix in (*PLAIN[1:], *BESIDE[1:], WRITERS)))


class RemotePlace(NamedTuple):
    """A remote as listed, and the place of memory in it."""

    remote: str
    """Its name."""
    layout: Layout
    """Its layout."""
    is_new: bool
    """Whether the layout was chosen just now."""
    head: str | None
    """The branch that its HEAD names; None if unknown."""
    refs: dict[str, Oid]
    """Its branches and memoir's refs, by full name."""
    strays: tuple[str, ...] = ()
    """The plain branches with memory in a remote that keeps it beside code; see `find_strays`."""
    unseen: tuple[str, ...] = ()
    """The plain branches with news that are assumed to be memory, unchecked, because they were before."""

    def tags(self) -> list[str]:
        """The names of the tags that memoir keeps there."""
        names = (ref.removeprefix(self.layout.tags) for ref in self.refs if ref.startswith(self.layout.tags))
        return [name for name in names if not name.endswith("^{}") and "\ufffd" not in name]


def look(url: str) -> Listing:
    """List a repository that is not yet a remote of any store, for `place`."""
    return list_unnamed(url, *_PATTERNS)


def place(store: Store, remote: str, *, about_to_fetch: bool = False, seen: Listing | None = None) -> RemotePlace:
    """List a remote, unless it was `seen` just now, and find or choose its layout; a new choice is stored.

    With `about_to_fetch`, new commits are not checked but listed as `unseen`, because the fetch brings them anyway.
    """
    url = require(store, remote)
    choice = _read_setting(store, remote)
    head, refs = seen or list_refs(store, remote, url, *_PATTERNS, is_memoirs=choice == PLAIN)
    if (last := read_contact(store, remote)).failures:
        write_contact(store, remote, last.heard())
    if choice == PLAIN and about_to_fetch and (unseen := _plain_news(store, remote, url, refs)):
        return RemotePlace(remote, PLAIN, False, head, refs, unseen=unseen)
    if choice == BESIDE:
        mine = tuple(find_strays(store, remote, url, refs))
        return RemotePlace(remote, BESIDE, False, head, refs, mine)
    layout, mine = _choose(store, remote, url, refs, choice)
    if layout != choice:
        config.put(store, layout_key(remote), layout.name)
    if layout == BESIDE and choice == PLAIN:
        move_aside(store, remote)
    return RemotePlace(remote, layout, layout != choice, head, refs, mine if layout == BESIDE else ())


def _plain_news(store: Store, remote: str, url: str, refs: dict[str, Oid]) -> tuple[str, ...]:
    """The moved plain branches of a remote that had only memory; none if they must be checked."""
    tips = {ref.removeprefix(BRANCHES): oid for ref, oid in refs.items() if ref.startswith(BRANCHES)}
    before = store.refs.list(f"{REMOTES}{remote}/")
    is_plain = set(push_addresses(store, remote)) <= {url} and not any(ref.startswith(BESIDE.heads) for ref in refs)
    if not is_plain or not tips.keys() <= before.keys():
        return ()
    old = {before[name] for name in tips}
    sound = all(is_memoirs(store, oid) for oid in old)
    return tuple(name for name, oid in tips.items() if oid != before[name]) if sound else ()


def _choose(
    store: Store, remote: str, url: str, refs: dict[str, Oid], setting: Layout | None
) -> tuple[Layout, tuple[str, ...]]:
    mine: set[str] = set()
    code = False
    for address in dict.fromkeys([url, *push_addresses(store, remote)]):
        there = refs if address == url else list_refs(store, remote, address, f"{BRANCHES}*", f"{BESIDE.heads}*")[1]
        tips = {ref: oid for ref, oid in there.items() if ref.startswith(BRANCHES)}
        ours = memoirs(store, remote, address, tips)
        note_code(address, tips.keys() - ours)
        mine |= ours if address == url else set()
        code |= len(ours) < len(tips) or any(ref.startswith(BESIDE.heads) for ref in there)
        code |= not tips and setting is None and is_of_enclosing(store.git_dir.parent, address)
    return BESIDE if code else PLAIN, tuple(ref.removeprefix(BRANCHES) for ref in sorted(mine))


def check(value: str) -> Layout:
    """The layout with the given name."""
    return _LAYOUTS[REMOTE_REFS.parse(value)]


def _read_setting(store: Store, remote: str) -> Layout | None:
    values = store.settings.get(layout_key(remote))
    return check(values[-1]) if values else None


_MARKER = os.fsdecode(MARKERS[0])
_TIPS = "refs/tips/"


def memoirs(store: Store, remote: str, url: str, tips: dict[str, Oid]) -> set[str]:
    """The branches among `tips` (full names with ids, at an address) whose commits are memoir's.

    Commits in the store are checked there. The others are fetched, without history and files if the remote supports
    that, into a temporary folder.
    """
    memory_refs = {ref for ref, oid in tips.items() if is_memoirs(store, oid)}
    unknown = [ref for ref, oid in tips.items() if ref not in memory_refs and not store.reader.has(oid)]
    return memory_refs | _fetch_memoirs(store, remote, url, unknown)


def is_memoirs(store: Store, oid: Oid) -> bool:
    """Whether the store has a commit and it is memoir's: its tree has the marker of the first format, as all have."""
    return store.reader.has(oid, _MARKER)


_REMOTE = "there"
_MOST_NAMED_REFS = 500
"""The most refs named on a command line; if there are more, every branch is fetched."""


def _fetch_memoirs(store: Store, remote: str, url: str, refs: list[str]) -> set[str]:
    """The branches at an address whose commits are memoir's, checked in a temporary folder."""
    if not refs:
        return set()
    with user_folders.scratch_folder() as folder:
        git = Git(folder)
        git.run("init", "--quiet", "--template=", f"--object-format={store.object_format}")
        git.run("remote", "add", "--", _REMOTE, url)  # git can leave out files only for a named remote
        env = {**prompt(), **transport(store.git_settings.of_user)}
        theirs = program_option(store, remote, [url], "upload-pack")
        options = ("--quiet", "--depth=1", "--no-tags", "--filter=tree:1", "--refmap=", "--no-recurse-submodules")
        exact = len(refs) <= _MOST_NAMED_REFS and not any("\ufffd" in ref for ref in refs)  # a name that is not UTF-8
        names = refs if exact else [f"{BRANCHES}*"]
        specs = [f"+{name}:{_TIPS}{name.removeprefix(BRANCHES)}" for name in names]
        done = git.talk(*NO_GC, "fetch", *options, theirs, "--", _REMOTE, *specs, env=env)
        if done.returncode:
            raise unreachable(remote, url, done.stderr)
        with closing(ObjectReader(git)) as reader:
            tips = Refs(git, store.id_size).list(_TIPS)
            return {BRANCHES + name for name, oid in tips.items() if _holds_marker(reader, oid)} & set(refs)


def _holds_marker(reader: ObjectReader, tip: Oid) -> bool:
    """Whether a commit's tree lists the marker, which itself may be missing."""
    commit = reader.resolve(str(tip))
    return commit is not None and b"100644 " + MARKERS[0] + b"\0" in reader.read([tree_of(commit.data)], "tree")[0]


def stray_ref(remote: str, branch: str = "") -> str:
    """The local ref for a stray plain branch; without a branch, the prefix of all such refs."""
    return f"{REMOTES}{remote}/{BRANCHES}{branch}"


def refs_of(store: Store, remote: str, branch: str) -> list[str]:
    """The fetched refs of a branch: that of memoir's branch, and that of a stray with the same name."""
    refs = (f"{REMOTES}{remote}/{branch}", stray_ref(remote, branch))
    return [ref for ref in refs if store.resolve(ref) is not None]


def find_strays(store: Store, remote: str, url: str, refs: Mapping[str, Oid]) -> list[str]:
    """The plain branches of a code remote with memory, among those that may have some.

    Code changes often, and checking a branch can be expensive, so a branch that was code once is not checked again.
    """
    tips = {ref: oid for ref, oid in refs.items() if ref.startswith(BRANCHES)}
    stray_names = set(store.refs.list(stray_ref(remote)))
    names = stray_names.union(store.refs.list(BRANCHES))
    names |= {ref.removeprefix(BESIDE.heads) for ref in refs if ref.startswith(BESIDE.heads)}
    code = _known_code(url) - stray_names
    unknown = {
        ref: oid
        for ref, oid in tips.items()
        if (name := ref.removeprefix(BRANCHES)) in names and (name not in code or store.reader.has(oid))
    }
    memory_refs = memoirs(store, remote, url, unknown)
    note_code(url, unknown.keys() - memory_refs)
    return [ref.removeprefix(BRANCHES) for ref in sorted(memory_refs)]


def note_code(url: str, refs: Set[str]) -> None:
    """Store the branches at an address that have code."""
    names = {ref.removeprefix(BRANCHES) for ref in refs}
    if names - (before := _known_code(url)):
        user_folders.write_cached(_code_name(url), "\n".join(sorted(before | names)).encode())


def _known_code(url: str) -> set[str]:
    return set(output_lines(user_folders.read_cached(_code_name(url)) or b""))


def _code_name(url: str) -> str:
    return f"code-{sha256(url.encode('utf-8', 'surrogateescape')).hex()[:16]}"


def move_aside(store: Store, remote: str) -> None:
    """Keep the fetched branches of a remote from before it became code, under their full names."""
    refs = store.refs.list(f"{REMOTES}{remote}/")
    for name, commit in refs.items():
        if name.startswith(BRANCHES):
            continue
        if is_memoirs(store, commit) and store.refs.read(stray_ref(remote, name)) is None:
            store.refs.update(stray_ref(remote, name), commit, None, "fetched before code came")
        store.refs.update(f"{REMOTES}{remote}/{name}", None, commit, "moved aside")


def require_merged(store: Store, remote: str, branch: str, there: Oid | None) -> None:
    """Check that a branch contains the memory of the remote's plain branch of the same name, now and before.

    Args:
        store: The store that has the branch.
        remote: The remote.
        branch: The branch.
        there: The commit of the plain branch, if that has memory.

    Raises:
        Conflict: it lacks some.
    """
    ours = store.refs.read(BRANCHES + branch)
    for theirs in filter(None, (there, store.refs.read(stray_ref(remote, branch)))):
        if ours and not (store.reader.has(theirs) and ancestry.is_ancestor(store, theirs, ours)):
            raise Conflict(
                f"{remote} has memory in its plain branch {branch!r} that your branch lacks",
                "run 'memoir pull', then push again",
            )
