"""The last contacts with a remote: whether it answers, what it refused, and how crowded it is.

They are kept in the user's cache and may be lost: then an unreachable remote is tried once more than needed, and a
crowded one refuses one more push.
"""

import json
from contextlib import suppress
from typing import NamedTuple

from memoir import user_folders
from memoir.exchange.remotes import digest
from memoir.store.store import Store
from memoir.times import from_epoch, now

_FIRST_PAUSE, _LONGEST_PAUSE = 30, 3600
"""Seconds without contact after no answer, the first time and at most; the pause doubles each time."""
_FRESH, _SHARE = 60, 10
"""How long a writer among many does not read: this many seconds, or this many times the last reading."""
_AT_ONCE = 1.0
"""Seconds within which a failure needs no pause."""
_LONGEST_REASON = 500
_CALM = 10
"""The consecutive syncs without other writers after which a store sends to the branch itself again."""
_FAR_TOO_MUCH = 5


class Contact(NamedTuple):
    """The state of the contact with a remote."""

    failures: int = 0
    """The number of consecutive failures to answer."""
    since: int = 0
    """The time of the first of these, in seconds since 1970."""
    retry: int = 0
    """The time until which automatic syncs do not contact it."""
    reason: str = ""
    """git's message at the last failure."""
    problem: str = ""
    """The problem of the last automatic sync; empty if it succeeded."""
    unheard: str = ""
    """The message of the last background sync, if it has not been shown yet."""
    crowded: bool = False
    """Whether other stores pushed at the same time, so that the setting `auto` uses own refs."""
    calm: int = 0
    """The consecutive syncs since then that met no other writers."""
    received: int = 0
    """The number of objects of the last fetch, if large."""
    needed: int = 0
    """The number of new ones among them."""
    read_until: int = 0
    """The time until which this store need not read from others, in seconds since 1970."""
    refuses_own: bool = False
    """Whether it refuses refs of single writers."""

    def is_left_alone(self) -> bool:
        """Whether automatic syncs pause now, because it did not answer; a clock set back does not prolong that."""
        return self.failures > 0 and 0 < self.retry - _seconds() <= _LONGEST_PAUSE

    def wait(self) -> str:
        """The rest of the pause, in words."""
        seconds = max(self.retry - _seconds(), 0)
        return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"

    def story(self, remote: str, has: str = "has") -> str:
        """The time since which it has not answered, in words."""
        times = "once" if self.failures == 1 else f"{self.failures} times"
        return f"{remote} {has} not answered since {from_epoch(self.since)} ({times})"

    def news(self, remote: str, after: "Contact") -> str | None:
        """The message after a successful sync; None if there is nothing to report."""
        words = [self.unheard] if self.unheard else []
        if self.failures:
            words.append(f"{remote} answers again; {self.story('it', 'had')}")
        if after.refuses_own and not self.refuses_own:
            words.append(f"{remote} takes no refs of single writers: sync sends to the branch itself from now on")
        return "; ".join(words) or None

    def trouble(self, remote: str) -> str:
        """The reason why the last contact failed, in words; empty if it succeeded."""
        return f"{self.story(remote)}: {self.reason}" if self.failures else self.problem

    def failed(self, reason: str, seconds: float) -> "Contact":
        """The state after `seconds` without an answer; a failure at once causes no pause."""
        pause = min(_FIRST_PAUSE << min(self.failures, 10), _LONGEST_PAUSE) if seconds > _AT_ONCE else 0
        since = self.since if self.failures else _seconds()
        return self._replace(
            failures=self.failures + 1, since=since, retry=_seconds() + pause, reason=reason[:_LONGEST_REASON]
        )

    def heard(self) -> "Contact":
        """The state after any answer."""
        return self._replace(failures=0, since=0, retry=0, reason="")

    def answered(self, *, met_others: bool) -> "Contact":
        """The state after a completed sync."""
        calm = 0 if met_others else self.calm + 1
        crowded = met_others or (self.crowded and calm < _CALM)
        return self.heard()._replace(problem="", unheard="", crowded=crowded, calm=calm)

    def has_read(self, seconds: float) -> "Contact":
        """The state after a sync of `seconds` that read from others."""
        pause = min(max(_FRESH, int(_SHARE * seconds)), _LONGEST_PAUSE)
        return self._replace(read_until=_seconds() - int(seconds) + pause)

    def is_fresh(self) -> bool:
        """Whether this store has read from others recently; a clock set back does not prolong that."""
        return 0 < self.read_until - _seconds() <= _LONGEST_PAUSE

    @property
    def sends_too_much(self) -> bool:
        """Whether the remote sends far more objects than this store needs."""
        return self.received > _FAR_TOO_MUCH * max(self.needed, 1)


def _seconds() -> int:
    return int(now().timestamp())


def read_contact(store: Store, remote: str) -> Contact:
    """The stored contact with a remote; a new one if there is none or it cannot be read."""
    with suppress(ValueError, TypeError, AttributeError):
        values = json.loads(user_folders.read_cached(_contact_name(store, remote)) or b"{}")
        kinds = {name: type(value) for name, value in Contact()._asdict().items()}
        return Contact(**{name: kinds[name](value) for name, value in values.items() if name in kinds})
    return Contact()


def write_contact(store: Store, remote: str, contact: Contact) -> None:
    """Store a contact, if it has changed."""
    if contact != read_contact(store, remote):
        user_folders.write_cached(_contact_name(store, remote), json.dumps(contact._asdict()).encode())


def _contact_name(store: Store, remote: str) -> str:
    return f"contact-{digest(store, remote).decode()}"
