"""Where a remote keeps memory: in its plain branches, or beside somebody's code.

A project's own `origin` is the natural place for the project's memory, and its branches are not memoir's to touch. So a
remote whose branches hold anything that is not memoir's keeps memory under `refs/memoir/`, which no hosting service
shows and no `git clone` fetches. Every other remote keeps it in plain branches.

The choice is kept in the store's config, and `plain` there is a memo only: what the remote shows comes first, so a
config that came with somebody's store cannot make memoir write to a code repository's branches.
"""

from typing import NamedTuple

from memoir.exchange import strays
from memoir.exchange.code_repository import is_of_enclosing
from memoir.exchange.remotes import layout_key, push_addresses, require
from memoir.exchange.tips import memoirs
from memoir.exchange.transport import list_refs
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, TAGS
from memoir.settings import REMOTE_REFS
from memoir.store import config
from memoir.store.store import Store


class Layout(NamedTuple):
    """A name for people, and the prefixes under which a remote keeps memoir's branches and tags."""

    name: str
    heads: str
    tags: str


PLAIN = Layout("plain", BRANCHES, TAGS)
BESIDE = Layout("beside", "refs/memoir/heads/", "refs/memoir/tags/")
_LAYOUTS = {layout.name: layout for layout in (PLAIN, BESIDE)}


class RemotePlace(NamedTuple):
    """A remote as it was found, and where memory lies in it.

    Attributes:
        remote: Its name.
        layout: Where it keeps memory.
        is_new: Whether that was chosen just now.
        head: The branch that its HEAD names.
        refs: Its branches and memoir's refs, by full name.
        strays: The plain branches that hold memory although this remote keeps it beside code; see `strays`.
    """

    remote: str
    layout: Layout
    is_new: bool
    head: str | None
    refs: dict[str, Oid]
    strays: tuple[str, ...] = ()

    def tags(self) -> list[str]:
        """The names of memoir's tags there."""
        names = (ref.removeprefix(self.layout.tags) for ref in self.refs if ref.startswith(self.layout.tags))
        return [name for name in names if not name.endswith("^{}") and "\ufffd" not in name]


def place(store: Store, remote: str) -> RemotePlace:
    """Look at a remote, and find or choose where it keeps memory; a new choice is kept.

    Raises:
        NotFound: no such remote. GitError: it could not be reached. InvalidInput: the choice that is kept is none.
    """
    url = require(store, remote)
    choice = _read_setting(store, remote)
    patterns = (f"{prefix}*" for each in _LAYOUTS.values() for prefix in (each.heads, each.tags))
    head, refs = list_refs(store, remote, url, "HEAD", *patterns)
    if choice == BESIDE:
        mine = tuple(strays.look(store, remote, url, refs, BESIDE.heads))
        return RemotePlace(remote, BESIDE, False, head, refs, mine)
    layout, mine = _choose(store, remote, url, refs, choice)
    if layout != choice:
        config.put(store, layout_key(remote), layout.name)
    if layout == BESIDE and choice == PLAIN:
        strays.move_aside(store, remote)
    return RemotePlace(remote, layout, layout != choice, head, refs, mine if layout == BESIDE else ())


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
    """The layout of a name.

    Raises:
        InvalidInput: there is none of that name.
    """
    return _LAYOUTS[REMOTE_REFS.parse(value)]


def _read_setting(store: Store, remote: str) -> Layout | None:
    values = store.settings.get(layout_key(remote))
    return check(values[-1]) if values else None
