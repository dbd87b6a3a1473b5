"""The remotes of a store: their names and addresses, and whether the user has named them.

A store may have come with a foreign project, and the address of its `origin` with it. So automatic syncs send only to a
remote that the user has named before: by cloning from it, adding it, or sending memories to it. The list of these is in
the user's own folder, as digests.
"""

import os
import re
from contextlib import suppress
from urllib.parse import quote

from memoir import user_folders
from memoir.errors import Conflict, InvalidInput, NotFound
from memoir.git.fsync import sync
from memoir.git.objects import blake2b
from memoir.git.ref_names import BRANCHES, FETCHED, REMOTES, is_ref_name
from memoir.settings import REMOTE_REFS, REMOTE_WRITERS
from memoir.store.config import edit
from memoir.store.locate import DIRECTORY
from memoir.store.store import Store

_USER = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<user>[^/?#\s@]*(?:@[^/?#\s@]*)*)@")
_TRACKS = re.compile(r"branch\..*\.remote").fullmatch
_QUERY = re.compile(r"(https?://[^\s?#'\"]*)\?[^\s'\"]*")


def remotes(store: Store) -> dict[str, str]:
    """The names and URLs of the remotes, sorted by name."""
    urls = {key: values[0] for key, values in sorted(store.settings.items()) if key.endswith(".url")}
    return {
        key.removeprefix("remote.").removesuffix(".url"): url for key, url in urls.items() if key.startswith("remote.")
    }


def addresses(store: Store, name: str) -> list[str]:
    """All addresses of a remote, for fetches and for pushes."""
    return [url for kind in ("url", "pushurl") for url in store.settings.get(f"remote.{name}.{kind}", [])]


def push_addresses(store: Store, name: str) -> list[str]:
    """The addresses for pushes to a remote."""
    return store.settings.get(f"remote.{name}.pushurl") or store.settings.get(f"remote.{name}.url", [])


def without_credentials(text: str) -> str:
    """A URL, or a text with URLs, without their credentials.

    A user's name is kept if it is no secret (`ssh://git@host`); for http it is often the token itself.
    """

    def bare(match: re.Match[str]) -> str:
        scheme, user = match["scheme"], match["user"].partition(":")[0]
        return f"{scheme}://" if scheme.lower().startswith("http") or not user else f"{scheme}://{user}@"

    return _QUERY.sub(r"\1", _USER.sub(bare, text))


def add(store: Store, name: str, url: str) -> None:
    """Add a remote.

    Raises:
        Conflict: the name is taken. InvalidInput: git refuses the name or memoir the URL.
    """
    if name in remotes(store):
        raise Conflict(f"a remote named {name!r} exists already", f"'memoir remote set-url {name} URL' changes it")
    if not is_ref_name(f"{REMOTES}{name}/x"):
        raise InvalidInput(f"{name!r} is not a valid remote name", "letters, digits, '-', '_' and '.' are safe")
    fetch = f"+{BRANCHES}*:{REMOTES}{name}/*"
    edit(store, (f"remote.{name}.url", check_url(url)), (f"remote.{name}.fetch", fetch))


def set_url(store: Store, name: str, url: str) -> None:
    """Change the URL of a remote; its layout is chosen anew."""
    require(store, name)
    edit(store, ("--replace-all", f"remote.{name}.url", check_url(url)), *_without(store, layout_key(name)))


def remove(store: Store, name: str) -> None:
    """Remove a remote, its settings, and its fetched refs."""
    require(store, name)
    tracking = [key.removesuffix("remote") for key, values in store.settings.items() if _TRACKS(key) and name in values]
    keys = [f"{each}{word}" for each in tracking for word in ("remote", "merge")]
    edit(
        store,
        ("--remove-section", f"remote.{name}"),
        *_without(store, layout_key(name), REMOTE_WRITERS.key_of(name), *keys),
    )
    for kind in (REMOTES, FETCHED):
        store.refs.drop(f"{kind}{name}/")


def layout_key(name: str) -> str:
    """The setting with the layout of a remote."""
    return REMOTE_REFS.key_of(name)


def _without(store: Store, *keys: str) -> list[tuple[str, str]]:
    """The changes to the config that remove the keys, if present."""
    return [("--unset-all", key) for key in keys if key in store.settings]


def require(store: Store, name: str) -> str:
    """The URL of a remote.

    Raises:
        NotFound: there is no such remote.
    """
    urls = remotes(store)
    if name not in urls:
        hint = f"there is: {', '.join(urls)}" if urls else "add one with 'memoir remote add origin URL'"
        raise NotFound(f"no remote named {name!r}", hint)
    return urls[name]


def check_url(url: str) -> str:
    """Refuse URLs that name a program; make local paths absolute, and replace a store's folder by its `.memoir`.

    A path that is not UTF-8 or has a line break, which a config cannot store, becomes a `file://` URL.

    Raises:
        InvalidInput: an empty URL, an option, or a remote helper such as `ext::`.
    """
    if not url.isprintable() and os.path.isdir(url):
        return f"file://{quote(os.fsencode(_store_in(url)))}"
    if not url or url.startswith("-") or not url.isprintable() or "::" in url.split("/")[0]:
        what = f"not a URL that memoir will use: {without_credentials(url)!r}" if url else "the URL is empty"
        raise InvalidInput(what, "give a path, or a URL such as https://host/project.git")
    if "://" in url or not is_local(url):
        return url
    return _store_in(url)


def _store_in(folder: str) -> str:
    inner = os.path.join(os.path.abspath(folder), DIRECTORY)
    return inner if os.path.exists(os.path.join(inner, "HEAD")) else os.path.abspath(folder)


def is_local(url: str) -> bool:
    """Whether an address is a folder on this machine."""
    if url.startswith("file:"):
        return True
    return "://" not in url and (":" not in url.split("/")[0] or os.path.exists(url))


_FILE = "remotes"
_LARGEST = 1 << 20


def note(store: Store, name: str) -> None:
    """Note that the user has named a remote of a store; does nothing if there is no folder for the note."""
    folder = user_folders.state()
    if folder is None or is_named(store, name):
        return
    with suppress(OSError):
        user_folders.make(folder)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(folder / _FILE, flags, 0o600), "ab") as file:
            file.write(b"\n" + digest(store, name) + b"\n")  # a power cut may have torn the line before it
        sync(folder / _FILE, folder)


def is_named(store: Store, name: str) -> bool:
    """Whether the user has named this remote of this store, with the same addresses."""
    folder = user_folders.state()
    with suppress(OSError):
        if folder:
            with open(folder / _FILE, "rb") as file:
                return digest(store, name) in file.read(_LARGEST).split()
    return False


def digest(store: Store, name: str) -> bytes:
    """The digest of this store, a remote and its addresses."""
    parts = [os.path.realpath(store.git_dir), name, *addresses(store, name)]
    return blake2b("\0".join(parts).encode(errors="surrogateescape"), size=16).hex().encode()
