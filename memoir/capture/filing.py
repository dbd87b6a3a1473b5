"""Filing what somebody accepted: memories that name the host and the session they were said in, in one commit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoir.capture.proposals import Proposal
from memoir.english.wording import same_as_written
from memoir.errors import InvalidInput
from memoir.filing.decision import RULES, Decision
from memoir.filing.filer import Filer
from memoir.memory.origin import CAPTURE, SOURCE
from memoir.memory.read import records
from memoir.memory.write_options import WriteOptions, subject
from memoir.records.policy import combine, confirm
from memoir.records.record import Memory, Record, encode
from memoir.secrets.secrets import refusals
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.transaction import Change, write
from memoir.taxonomy.kinds import ITEM_KIND
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, check_new
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.store.commit import Commit

CONFIDENCE = 0.6
"""How sure a captured memory is: less than one that somebody remembered on purpose."""
_NAMED = 3
"""So many paths stand in a commit's message."""


class CaptureFiling:
    """Files some proposals. What is there already in the very words is confirmed, all else is added to what is there.

    Attributes:
        done: The proposals that were filed.
        refused: Those that cannot be stored, each with the reason.
    """

    def __init__(self, store: Store, proposals: Sequence[Proposal], options: WriteOptions) -> None:
        self.done: list[Proposal] = []
        self.refused: list[tuple[Proposal, InvalidInput]] = []
        self._store = store
        self._options = options
        self._memories = self._memories_of(proposals)

    def write(self) -> "Commit | None":
        """Write them, in one commit; None if that changes nothing."""
        options, refused = self._options, self.refused

        def change(head: Snapshot) -> Change:
            self.done, self.refused = [], [*refused]
            return self._change(head)

        return write(self._store, change, branch=options.branch, dry_run=options.dry_run, reason=lambda: self._deed())

    def _memories_of(self, proposals: Sequence[Proposal]) -> list[tuple[Proposal, Memory, Sequence[Address]]]:
        """The memories that proposals become, and their places; a proposal that may not be stored is refused."""
        memories = list[tuple[Proposal, Memory, Sequence[Address]]]()
        for proposal in proposals:
            places = [Address(DEFAULT_NAMESPACE, path) for path in proposal.paths]
            try:
                memories.append((proposal, _memory(proposal), places))
            except InvalidInput as error:
                self.refused.append((proposal, error))
        bad = dict(refusals([(memory, places[0]) for _, memory, places in memories]))
        self.refused += [(memories[at][0], error) for at, error in bad.items()]
        return [each for at, each in enumerate(memories) if at not in bad]

    def _change(self, head: Snapshot) -> Change:
        before = records(head, dict.fromkeys(place for _, _, places in self._memories for place in places))
        after: dict[Address, Record] = {}
        for proposal, memory, places in self._memories:
            try:
                for place in places:
                    if place not in before:
                        check_new(place)
            except InvalidInput as error:
                self.refused.append((proposal, error))
                continue
            for place in places:
                after[place] = _join(after.get(place, before.get(place)), memory)
            self.done.append(proposal)
        edits = {place.key: encode(record) for place, record in after.items()}
        return Change(edits.items(), self._options.message or self._subject())

    def _deed(self) -> str:
        paths = [*dict.fromkeys(str(each.path) for each in self.done)]
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        return f"accept {', '.join(paths[:_NAMED])}{more}"

    def _subject(self) -> str:
        return subject(self._deed(), self.done[0].content if len(self.done) == 1 else "")


def _memory(proposal: Proposal) -> Memory:
    metadata = {SOURCE: f"{CAPTURE}{proposal.host}", "session": proposal.session, ITEM_KIND: proposal.kind}
    instant = from_epoch(int(proposal.time))
    memory = Memory.of(proposal.content, confidence=CONFIDENCE, timestamp=instant, metadata=metadata)
    return Filer.annotate(memory, Decision(RULES, (), proposal.confidence, proposal.reason))


def _join(record: Record | None, new: Memory) -> Record:
    """A record with a memory added; one that is there in the very words is confirmed, and is not from a session now."""
    for facet in record or ():
        if record and facet.active and same_as_written(facet.content, new.content):
            outcome = confirm(record, new._replace(metadata={})) if new.instant > facet.instant else None
            return outcome.record if outcome else record
    return combine("append", record, new).record
