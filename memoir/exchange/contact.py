"""The last talks with a remote: whether it answers, what it refused, and how crowded it is.

That lies in the user's cache, and may be lost: then a remote that is away is tried once more than it need be, and one
that is crowded refuses one push more.
"""

import json
from contextlib import suppress
from typing import NamedTuple

from memoir import user_folders
from memoir.exchange.remotes import digest
from memoir.store.store import Store
from memoir.times import from_epoch, now

_FIRST_PAUSE, _LONGEST_PAUSE = 30, 3600
"""Seconds for which a remote that did not answer is left alone, the first time and at most; it doubles each time."""
_FRESH, _SHARE = 60, 10
"""For how many seconds a writer among many goes without reading, or for how many times as long as the last took."""
_AT_ONCE = 1.0
"""Seconds that nobody minds to wait for a failure."""
_LONGEST_REASON = 500
_CALM = 10
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

    def story(self, remote: str, has: str = "has") -> str:
        """Since when it has not answered, in words."""
        times = "once" if self.failures == 1 else f"{self.failures} times"
        return f"{remote} {has} not answered since {from_epoch(self.since)} ({times})"

    def news(self, remote: str, after: "Contact") -> str | None:
        """What a sync that came to its end has changed, in words; None if there is nothing to say."""
        words = [self.unheard] if self.unheard else []
        if self.failures:
            words.append(f"{remote} answers again; {self.story('it', 'had')}")
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
        crowded = met_others or (self.crowded and calm < _CALM)
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
