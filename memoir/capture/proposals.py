"""Proposals: the memories that a review has found, with numbers that hold until each is accepted or rejected.

They are kept beside their turns, with the positions up to which these were read: a number always means the same
memory, and a turn is read once.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import orjson

from memoir.capture.spool import ANSWERS, PROPOSALS, SessionTurn, TurnSpool
from memoir.english.lasting.session_sentences import RETRACTION, TurnFinding
from memoir.english.words import as_written
from memoir.errors import NotFound
from memoir.filing.decision import Decision
from memoir.git.objects import blake2b
from memoir.taxonomy.paths import DEFAULT_NAMESPACE


class Proposal(NamedTuple):
    """A memory that may be worth storing."""

    number: int
    """Its number, to accept or reject it by; 0 for a retraction, which is only shown."""
    content: str
    """What was said."""
    kind: str
    """The kind of memory, or `retraction`."""
    reason: str
    """The rule that found it, or the model."""
    host: str
    """The host of the session."""
    session: str
    """The session, by the host's name for it."""
    time: float
    """When it was said, in seconds since 1970."""
    paths: Sequence[str]
    """The paths to file it under if it is accepted; none for a retraction."""
    confidence: float = 0.0
    """The confidence in the first of them."""

    @property
    def path(self) -> str | None:
        """The first of its paths."""
        return self.paths[0] if self.paths else None


class WithheldLine(NamedTuple):
    """A line of a turn that holds a credential, which is never proposed."""

    host: str
    """The host of the session."""
    session: str
    """The session, by the host's name for it."""
    time: float
    """When the turn was said, in seconds since 1970."""
    line: int
    """The line of the turn, from 1."""
    rule: str
    """The rule that found the credential."""


class Proposals:
    """The proposals of a spool."""

    def __init__(self, spool: TurnSpool) -> None:
        record = spool.load(PROPOSALS)
        self._spool = spool
        self.open = [Proposal(*fields) for fields in record.get("open", ())]
        """The undecided proposals."""
        self.withheld = [WithheldLine(*fields) for fields in record.get("withheld", ())]
        """The lines with credentials in the turns that were read; kept until no proposal is open."""
        self.ends: dict[str, int] = record.get("ends", {})
        """The positions up to which the turns were read."""
        self.unread: dict[str, int] = record.get("unread", {})
        """How many turns the rules could not read, by session file; these files stay when all proposals are decided."""
        self._last: int = record.get("last", 0)
        self._decided: set[str] = {*record.get("decided", ())}

    def read(self, *, again: bool = False) -> list[SessionTurn]:
        """The turns that no review has read yet, or with `again` all; drop the findings of deleted sessions."""
        turns, self.ends = self._spool.read({} if again else self.ends)
        sessions = {name.partition(".")[0] for name in self.ends}
        self.open = [each for each in self.open if _session_of(each) in sessions]
        self.withheld = [] if again else [each for each in self.withheld if _session_of(each) in sessions]
        self.unread = {} if again else {name: count for name, count in self.unread.items() if name in self.ends}
        self.withhold((turn, rule, line) for turn in turns for rule, line in turn.struck)
        return turns

    def leave_unread(self, turns: Iterable[SessionTurn]) -> None:
        """Note turns that could not be read."""
        for turn in turns:
            self.unread[turn.file] = self.unread.get(turn.file, 0) + 1

    def withhold(self, lines: Iterable[tuple[SessionTurn, str, int]]) -> None:
        """Note lines with credentials, each once, with the rules that found them."""
        new = (WithheldLine(turn.host, turn.session, turn.time, line, rule) for turn, rule, line in lines)
        self.withheld = list(dict.fromkeys((*self.withheld, *new)))

    def add(self, findings: Iterable[tuple[TurnFinding, SessionTurn]], *, again: bool = False) -> None:
        """Add findings, each text once; with `again` they replace the earlier ones.

        Decided texts are left out. A later finding in a turn gets a later time, by a thousandth of a second.
        """
        numbers = {_digest(each.content): each.number for each in self.open}
        self.open = [] if again else self.open
        names = self._decided | {_digest(each.content) for each in self.open}
        at, last = 0, None
        for (content, kind, reason), turn in findings:
            at, last = at + 1 if turn is last else 0, turn
            if (name := _digest(content)) not in names:
                names.add(name)
                number = 0 if kind == RETRACTION else numbers.get(name) or self._next()
                self.open.append(
                    Proposal(number, content, kind, reason, turn.host, turn.session, turn.time + at / 1000, [])
                )

    def _next(self) -> int:
        self._last += 1
        return self._last

    def choose(self, numbers: Sequence[int]) -> list[Proposal]:
        """The proposals with some numbers, in order.

        Raises:
            NotFound: there is no such proposal.
        """
        by_number = {each.number: each for each in self.open if each.number}
        for number in numbers:
            if number not in by_number:
                raise NotFound(f"there is no proposal {number}", "'memoir capture review' shows them")
        return [by_number[number] for number in sorted({*numbers})]

    def place(self, choose: Callable[[Sequence[str]], Sequence[Decision]]) -> None:
        """Choose paths for the proposals that have none yet."""
        new = [at for at, each in enumerate(self.open) if each.number and not each.paths]
        contents = [self.open[at].content for at in new]
        for at, text, decision in zip(new, contents, choose(contents) if new else (), strict=True):
            paths = [address.path for address in decision.addresses(text, DEFAULT_NAMESPACE)]
            self.open[at] = self.open[at]._replace(paths=paths, confidence=decision.confidence)

    def close(self, numbers: Iterable[int]) -> tuple[Proposal, ...]:
        """Note that some proposals are decided.

        When none is open, the turns that were read are dropped, with everything made of them. Sessions with unreadable
        turns stay, but nothing that was read in them is shown again.

        Returns:
            The retractions that are dropped with them.
        """
        done = {*numbers}
        self._decided |= {_digest(each.content) for each in self.open if each.number in done}
        self.open = [each for each in self.open if each.number not in done]
        if any(each.number for each in self.open):
            self.save()
            return ()
        retractions, self.open, self.withheld = tuple(self.open), [], []
        ends, self.ends = self.ends, {name: end for name, end in self.ends.items() if name in self.unread}
        self._spool.write(ANSWERS, None)
        if self.ends:
            self.save()
        else:
            self._spool.write(PROPOSALS, None)
        # last, because turns that remain after a crash are only read again
        self._spool.drop({name: end for name, end in ends.items() if name not in self.ends})
        return retractions

    def save(self) -> None:
        """Write the proposals beside the turns."""
        record = {"open": [[*each] for each in self.open], "ends": self.ends, "last": self._last}
        record |= {"withheld": [[*each] for each in self.withheld], "unread": self.unread}
        self._spool.write(PROPOSALS, orjson.dumps({**record, "decided": sorted(self._decided)}))


def _session_of(found: Proposal | WithheldLine) -> str:
    turn = SessionTurn(found.host, found.session, found.time, "", "")
    return turn.file.partition(".")[0]


def _digest(content: str) -> str:
    return blake2b(as_written(content).encode(errors="replace"), size=8).hex()
