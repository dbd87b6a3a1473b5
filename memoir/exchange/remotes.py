"""A store's remotes: their names and addresses, which of them the user has named, and the last talks with each.

A store may have come with somebody's project, and the address of its `origin` with it. So what memoir sends by itself
goes only to a remote that the user has named before: by cloning from it, adding it, or sending memories to it. The list
of those is in the user's own folder, as digests.

Whether a remote answers, what it refused and how crowded it is lies in the user's cache, and may be lost: then one that
is away is tried once more than it need be, and one that is crowded refuses one push more.
"""

import json
import os
import re
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import quote

from memoir import user_folders
from memoir.errors import Conflict, InvalidInput, NotFound
from memoir.git.fsync import sync
from memoir.git.objects import BRANCHES, FETCHED, REMOTES, blake2b, is_ref_name
from memoir.settings import REMOTE_REFS, REMOTE_WRITERS
from memoir.store.config import edit
from memoir.store.locate import DIRECTORY
from memoir.store.store import Store
from memoir.times import from_epoch, now

_USER = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<user>[^/?#\s@]*(?:@[^/?#\s@]*)*)@")
_TRACKS = re.compile(r"branch\..*\.remote").fullmatch
_QUERY = re.compile(r"(https?://[^\s?#'\"]*)\?[^\s'\"]*")


def remotes(store: Store) -> dict[str, str]:
    """The remotes' names and URLs, sorted by name."""
    urls = {key: values[0] for key, values in sorted(store.settings.items()) if key.endswith(".url")}
    return {
        key.removeprefix("remote.").removesuffix(".url"): url for key, url in urls.items() if key.startswith("remote.")
    }


def addresses(store: Store, name: str) -> list[str]:
    """Every address that git would talk to for a remote, to fetch from or to push to."""
    return [url for kind in ("url", "pushurl") for url in store.settings.get(f"remote.{name}.{kind}", [])]


def push_addresses(store: Store, name: str) -> list[str]:
    """The addresses that a push to a remote goes to."""
    return store.settings.get(f"remote.{name}.pushurl") or store.settings.get(f"remote.{name}.url", [])


def without_credentials(text: str) -> str:
    """A URL, or a text that quotes some, without the credentials in them.

    A user's name is kept where it is not a secret (`ssh://git@host`); over http it is often the token itself.
    """

    def bare(match: re.Match[str]) -> str:
        scheme, user = match["scheme"], match["user"].partition(":")[0]
        return f"{scheme}://" if scheme.lower().startswith("http") or not user else f"{scheme}://{user}@"

    return _QUERY.sub(r"\1", _USER.sub(bare, text))


def add(store: Store, name: str, url: str) -> None:
    """Add a remote.

    Raises:
        Conflict: there is one of that name. InvalidInput: git refuses the name or memoir the URL.
    """
    if name in remotes(store):
        raise Conflict(f"a remote named {name!r} exists already", f"'memoir remote set-url {name} URL' changes it")
    if not is_ref_name(f"{REMOTES}{name}/x"):
        raise InvalidInput(f"{name!r} is not a valid remote name", "letters, digits, '-', '_' and '.' are safe")
    fetch = f"+{BRANCHES}*:{REMOTES}{name}/*"
    edit(store, (f"remote.{name}.url", check_url(url)), (f"remote.{name}.fetch", fetch))


def set_url(store: Store, name: str, url: str) -> None:
    """Change where a remote points; where it keeps memory is chosen anew."""
    require(store, name)
    edit(store, ("--replace-all", f"remote.{name}.url", check_url(url)), *_without(store, layout_key(name)))


def remove(store: Store, name: str) -> None:
    """Remove a remote, its settings, and what was fetched of it."""
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
    """The setting that keeps where a remote keeps memory."""
    return REMOTE_REFS.key_of(name)


def _without(store: Store, *keys: str) -> list[tuple[str, str]]:
    """The changes to the config that remove those keys which it has."""
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
    """Refuse URLs that name a program; make a local path absolute, and that of a store's folder its `.memoir`.

    A path with a line break, which a config cannot hold, becomes a `file://` URL.

    Raises:
        InvalidInput: an empty URL, an option, or a remote helper such as `ext::`.
    """
    if not url.isprintable() and os.path.isdir(url):
        return f"file://{quote(_store_in(url))}"
    if not url or url.startswith("-") or not url.isprintable() or "::" in url.split("/")[0]:
        raise InvalidInput(f"not a URL that memoir will use: {without_credentials(url)!r}")
    if "://" in url or not is_local(url):
        return url
    return _store_in(url)


def _store_in(folder: str) -> str:
    inner = os.path.join(os.path.abspath(folder), DIRECTORY)
    return inner if os.path.exists(os.path.join(inner, "HEAD")) else os.path.abspath(folder)


def is_local(url: str) -> bool:
    """Whether git opens an address itself, as a folder of this machine."""
    if url.startswith("file:"):
        return True
    return "://" not in url and (":" not in url.split("/")[0] or os.path.exists(url))


_FILE = "remotes"
_LARGEST = 1 << 20


def note(store: Store, name: str) -> None:
    """Note that the user has named a remote of a store; without a folder to note it in, it stays unnamed."""
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
    """Whether the user has named this remote, with these very addresses, of this very store."""
    folder = user_folders.state()
    with suppress(OSError):
        if folder:
            with open(folder / _FILE, "rb") as file:
                return digest(store, name) in file.read(_LARGEST).split()
    return False


def digest(store: Store, name: str) -> bytes:
    """What stands for this remote, with these very addresses, of this very store."""
    parts = [os.path.realpath(store.git_dir), name, *addresses(store, name)]
    return blake2b("\0".join(parts).encode(errors="surrogateescape"), size=16).hex().encode()


_FIRST_PAUSE, _LONGEST_PAUSE = 30, 3600
"""Seconds for which a remote that did not answer is left alone, the first time and at most; it doubles each time."""
_FRESH, _SHARE = 60, 10
"""For how many seconds a writer among many goes without reading, or for how many times as long as the last took."""
_AT_ONCE = 1.0
"""Seconds that nobody minds to wait for a failure."""
_LONGEST_REASON = 500
CALM = 10
"""The syncs in a row that met nobody else, after which a store sends to the branch itself again."""
_FAR_TOO_MUCH = 5


class Contact(NamedTuple):
    """The last talks with a remote."""

    failures: int = 0
    """How often in a row it did not answer."""
    since: int = 0
    """When it first did not, in seconds since 1970."""
    retry: int = 0
    """Until when it is left alone by what syncs by itself."""
    reason: str = ""
    """What git said the last time."""
    problem: str = ""
    """What the last sync by itself failed for, if it did."""
    unheard: str = ""
    """What the last success was to say, if nobody waited for it any more."""
    crowded: bool = False
    """Whether other stores pushed meanwhile, so that own refs are used where the setting is `auto`."""
    calm: int = 0
    """How many syncs in a row have met nobody since then."""
    received: int = 0
    """How many objects the last fetch brought, if they were many."""
    needed: int = 0
    """How many of them were new."""
    read_until: int = 0
    """Until when this store need not read again what others have sent, in seconds since 1970."""
    refuses_own: bool = False
    """Whether it takes no refs of single writers."""

    def is_left_alone(self) -> bool:
        """Whether it did not answer a short while ago; a clock that was set back does not make that longer."""
        return self.failures > 0 and 0 < self.retry - _seconds() <= _LONGEST_PAUSE

    def wait(self) -> str:
        """For how long it is still left alone, in words."""
        seconds = max(self.retry - _seconds(), 0)
        return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"

    def story(self, remote: str) -> str:
        """Since when it has not answered, in words."""
        times = "once" if self.failures == 1 else f"{self.failures} times"
        return f"{remote} has not answered since {from_epoch(self.since)} ({times})"

    def news(self, remote: str, after: "Contact") -> str | None:
        """What a sync that came to its end has changed, in words; None if there is nothing to say."""
        words = [self.unheard] if self.unheard else []
        if self.failures:
            words.append(f"{remote} answers again; {self.story('it')}")
        if after.refuses_own and not self.refuses_own:
            words.append(f"{remote} takes no refs of single writers: sync sends to the branch itself from now on")
        return "; ".join(words) or None

    def trouble(self, remote: str) -> str:
        """What the last talk failed for, in words; empty if it did not fail."""
        return f"{self.story(remote)}: {self.reason}" if self.failures else self.problem

    def failed(self, reason: str, seconds: float) -> "Contact":
        """After a talk of so many seconds in which it did not answer; one that fails at once is not left alone."""
        pause = min(_FIRST_PAUSE << min(self.failures, 10), _LONGEST_PAUSE) if seconds > _AT_ONCE else 0
        since = self.since if self.failures else _seconds()
        return self._replace(
            failures=self.failures + 1, since=since, retry=_seconds() + pause, reason=reason[:_LONGEST_REASON]
        )

    def heard(self) -> "Contact":
        """After a talk in which it answered, whatever it was about."""
        return self._replace(failures=0, since=0, retry=0, reason="")

    def answered(self, *, met_others: bool) -> "Contact":
        """After a sync that came to its end."""
        calm = 0 if met_others else self.calm + 1
        crowded = met_others or (self.crowded and calm < CALM)
        return self.heard()._replace(problem="", unheard="", crowded=crowded, calm=calm)

    def has_read(self, seconds: float) -> "Contact":
        """After a sync of so many seconds that read what others have sent."""
        pause = min(max(_FRESH, int(_SHARE * seconds)), _LONGEST_PAUSE)
        return self._replace(read_until=_seconds() - int(seconds) + pause)

    def is_fresh(self) -> bool:
        """Whether this store has read a short while ago; a clock that was set back does not make that longer."""
        return 0 < self.read_until - _seconds() <= _LONGEST_PAUSE

    @property
    def sends_too_much(self) -> bool:
        """Whether the remote does not recognise what this store has already."""
        return self.received > _FAR_TOO_MUCH * max(self.needed, 1)


def _seconds() -> int:
    return int(now().timestamp())


def read_contact(store: Store, remote: str) -> Contact:
    """What is remembered of a remote; of one that is new, or of which nothing can be read, nothing."""
    with suppress(ValueError, TypeError, AttributeError):
        values = json.loads(user_folders.read_cached(_contact_name(store, remote)) or b"{}")
        kinds = {name: type(value) for name, value in Contact()._asdict().items()}
        return Contact(**{name: kinds[name](value) for name, value in values.items() if name in kinds})
    return Contact()


def write_contact(store: Store, remote: str, contact: Contact) -> None:
    """Remember a contact, if it is not what is remembered."""
    if contact != read_contact(store, remote):
        user_folders.write_cached(_contact_name(store, remote), json.dumps(contact._asdict()).encode())


def _contact_name(store: Store, remote: str) -> str:
    return f"contact-{digest(store, remote).decode()}"
