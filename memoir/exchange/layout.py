"""Where a remote keeps memory: in its plain branches, or beside somebody's code.

A project's own `origin` is the natural place for the project's memory, and its branches are not memoir's to touch. So a
remote whose branches hold anything that is not memoir's keeps memory under `refs/memoir/`, which no hosting service
shows and no `git clone` fetches. Every other remote keeps it in plain branches. A remote without branches does not show
what it is for; at first it counts as code if it belongs to the code repository around the store.

The choice is kept in the store's config, and `plain` there is a memo only: what the remote shows comes first, so a
config that came with somebody's store cannot make memoir write to a code repository's branches.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memoir.exchange import strays
from memoir.exchange.remotes import layout_key, push_addresses, read_contact, require, write_contact
from memoir.exchange.strays import is_memoirs, memoirs
from memoir.exchange.transport import Listing, list_refs, list_unnamed
from memoir.exchange.writers import WRITERS
from memoir.git.git import around
from memoir.git.objects import BRANCHES, REMOTES, TAGS, Oid
from memoir.settings import REMOTE_REFS
from memoir.store import config
from memoir.store.store import Store

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/]*@)?(?P<host>[^/:@]*)(?::\d+)?/(?P<path>.*)")
_SCP = re.compile(r"(?:[^/@]*@)?(?P<host>[^/:@]+):(?P<path>.*)")
_SETTINGS = r"^(remote\..*\.(url|pushurl)|url\..*\.(push)?insteadof)$"


class _Project(NamedTuple):
    """A code repository: its folder, its remotes' addresses, and what an address that begins with a word becomes."""

    top: str
    git_dir: str
    urls: list[str]
    rewrites: dict[str, list[tuple[str, str]]]


def is_of_enclosing(folder: Path, url: str) -> bool:
    """Whether an address is that of the code repository a folder lies in, or of one of its remotes."""
    project = _project(folder)
    if project is None:
        return False
    theirs = {each for address in (project.git_dir, *project.urls) for each in _identities(address, project)}
    return not theirs.isdisjoint(_identities(url, project))


def _project(folder: Path) -> _Project | None:
    """The code repository that a folder lies in."""
    own = around(folder, "rev-parse", "--path-format=absolute", "--git-common-dir")
    if own.returncode:
        return None
    git_dir = os.fsdecode(own.stdout.removesuffix(b"\n"))
    tree = around(folder, "rev-parse", "--path-format=absolute", "--show-toplevel")
    top = git_dir if tree.returncode else os.fsdecode(tree.stdout.removesuffix(b"\n"))  # a bare one has no work tree
    done = around(folder, "config", "-z", "--get-regexp", _SETTINGS)
    rows = [item.partition("\n")[::2] for item in os.fsdecode(done.stdout).split("\0") if item]
    rewrites: dict[str, list[tuple[str, str]]] = {"insteadof": [], "pushinsteadof": []}
    for key, value in rows:
        if key.startswith("url."):
            base, _, kind = key.removeprefix("url.").rpartition(".")
            rewrites[kind].append((value, base))
    return _Project(top, git_dir, [value for key, value in rows if key.startswith("remote.")], rewrites)


def _identities(url: str, project: _Project) -> set[tuple[str, str]]:
    """The identities of an address: as it is written, and as the user has git read it for fetches and for pushes."""
    return {_identity(each, project.top) for each in (url, *_rewritten(url, project))}


def _rewritten(url: str, project: _Project) -> Iterator[str]:
    for pairs in project.rewrites.values():
        if fit := [pair for pair in pairs if url.startswith(pair[0])]:
            prefix, base = max(fit, key=lambda pair: len(pair[0]))
            yield base + url.removeprefix(prefix)


def _identity(url: str, top: str) -> tuple[str, str]:
    """The identity of a repository: host and path, however the user reaches them; a local one by its real path.

    git takes a relative path to begin at the top of the work tree.
    """
    local = url.removeprefix("file://")
    match = (
        None if local != url or os.path.exists(os.path.join(top, url)) else _URL.fullmatch(url) or _SCP.fullmatch(url)
    )
    if match:
        return match["host"].casefold(), _name(match["path"].strip("/"))
    return "", _name(os.path.realpath(os.path.join(top, local)))


def _name(path: str) -> str:
    """A repository's path without what may be left out."""
    return path.casefold().rstrip("/").removesuffix("/.git").removesuffix(".git").rstrip("/")


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
    """A remote as it was found, and where memory lies in it.

    Attributes:
        remote: Its name.
        layout: Where it keeps memory.
        is_new: Whether that was chosen just now.
        head: The branch that its HEAD names.
        refs: Its branches and memoir's refs, by full name.
        strays: The plain branches that hold memory although this remote keeps it beside code; see `strays`.
        unseen: Plain branches with news that were taken for memory without a look, because they held memory before.
    """

    remote: str
    layout: Layout
    is_new: bool
    head: str | None
    refs: dict[str, Oid]
    strays: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    def tags(self) -> list[str]:
        """The names of the tags that memoir keeps there."""
        names = (ref.removeprefix(self.layout.tags) for ref in self.refs if ref.startswith(self.layout.tags))
        return [name for name in names if not name.endswith("^{}") and "\ufffd" not in name]


def look(url: str) -> Listing:
    """What `place` has to see of a repository that is not yet the remote of any store."""
    return list_unnamed(url, *_PATTERNS)


def place(store: Store, remote: str, *, about_to_fetch: bool = False, seen: Listing | None = None) -> RemotePlace:
    """Look at a remote, unless it was `seen` just now, and find or choose where it keeps memory; a new choice is kept.

    Whoever is `about_to_fetch` has what is new there soon, so it is not looked at: it is named as `unseen`.
    """
    url = require(store, remote)
    choice = _read_setting(store, remote)
    head, refs = seen or list_refs(store, remote, url, *_PATTERNS, is_memoirs=choice == PLAIN)
    if (last := read_contact(store, remote)).failures:
        write_contact(store, remote, last.heard())
    if choice == PLAIN and about_to_fetch and (unseen := _plain_news(store, remote, url, refs)):
        return RemotePlace(remote, PLAIN, False, head, refs, unseen=unseen)
    if choice == BESIDE:
        mine = tuple(strays.look(store, remote, url, refs, BESIDE.heads))
        return RemotePlace(remote, BESIDE, False, head, refs, mine)
    layout, mine = _choose(store, remote, url, refs, choice)
    if layout != choice:
        config.put(store, layout_key(remote), layout.name)
    if layout == BESIDE and choice == PLAIN:
        strays.move_aside(store, remote)
    return RemotePlace(remote, layout, layout != choice, head, refs, mine if layout == BESIDE else ())


def _plain_news(store: Store, remote: str, url: str, refs: dict[str, Oid]) -> tuple[str, ...]:
    """The plain branches that moved, at a remote that held nothing but memory; none if only a look can tell."""
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
        strays.note_code(address, tips.keys() - ours)
        mine |= ours if address == url else set()
        code |= len(ours) < len(tips) or any(ref.startswith(BESIDE.heads) for ref in there)
        code |= not tips and setting is None and is_of_enclosing(store.git_dir.parent, address)
    return BESIDE if code else PLAIN, tuple(ref.removeprefix(BRANCHES) for ref in sorted(mine))


def check(value: str) -> Layout:
    """The layout of a name."""
    return _LAYOUTS[REMOTE_REFS.parse(value)]


def _read_setting(store: Store, remote: str) -> Layout | None:
    values = store.settings.get(layout_key(remote))
    return check(values[-1]) if values else None
