"""The answers of `memoir capture`.

The HTTP API offers the functions that take a repository, without their keyword-only parameters.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memoir.answers.answer import COMMAND, Answer, Line, line, one_line, plural
from memoir.answers.filing import name_lines, offers
from memoir.answers.parts import commit_fields, led, short, usage
from memoir.errors import ExitCode
from memoir.program import NAME, runnable
from memoir.times import format_instant, from_epoch, instant_at

if TYPE_CHECKING:
    from memoir.answers.contract import agents as types
    from memoir.answers.contract import shapes
    from memoir.hosts.setup.setup import Renewal
    from memoir.repository.repository import Repository
    from memoir.types import Acceptance, Contents, Proposal, Review, SimilarMemory, WithheldLine

_TIE = "memoir capture accept {} --about"
_FORGETTING = "'{0} recall QUESTION' finds the memory that this takes back, '{0} forget KEY' removes it"
_LONGEST = 100
"""The most characters of a memory that is quoted beside a proposal."""


def status(
    repository: "Repository", *, renewals: "Sequence[Renewal]" = (), deleted: "Contents | None" = None, word: str = NAME
) -> Answer:
    """Show whether capture is on, and how much is kept.

    `renewals` are the hosts whose hooks were changed, and `deleted` counts the deleted captures.
    """
    from memoir.answers import agents

    captures = repository.captures
    contents = captures.contents()
    data: types.CaptureStatus = {
        "on": captures.on, "folder": captures.folder, "turns": contents.turns, "sessions": contents.sessions,
        "bytes": contents.size,
        "oldest": from_epoch(int(contents.oldest)) if contents.oldest is not None else None,
        "deleted": deleted.turns if deleted else 0,
        "hosts": [
            {"host": each.host, "scope": each.scope, "files": list(map(str, each.files)), "problem": each.problem}
            for each in renewals
        ],
    }  # fmt: skip

    def human() -> Iterable[Line]:
        yield line("capture is ", ("on" if data["on"] else "off", "bold"))
        if deleted:
            yield line(f"deleted {_amount(deleted)}")
        elif contents.turns:
            yield line(
                f"{_amount(contents)} to review in {captures.folder}: ",
                runnable(f"'{word} capture review' shows what to remember"),
            )
        elif data["on"] and not agents.has_hooks():
            yield line(
                runnable("nothing is kept before 'memoir setup HOST', which makes a host hand over what is said")
            )
        elif data["on"]:
            yield line(f"what is said in your next sessions is kept in {captures.folder}")
            yield line((runnable(f"then '{word} capture review' shows what of it to remember"), "dim"))
        else:
            yield line("nothing is kept")
        yield from agents.renewals(renewals)

    return Answer(data, human)


def _amount(contents: "Contents") -> str:
    size = f" ({-(-contents.size // 1024):,} KiB)" if contents.size else ""
    return f"{plural(contents.turns, 'turn')} of {plural(contents.sessions, 'session')}{size}"


def review_by_rules(repository: "Repository") -> Answer:
    """Propose memories from the kept texts, by rules."""
    return review(repository.captures.review(by="rules"))


def review(found: "Review", word: str = NAME) -> Answer:
    """`capture review`: the proposed memories; `word` begins the commands that the answer offers."""
    count = sum(1 for each in found.proposals if each.number)
    data: types.CaptureReview = {
        "proposals": [
            {
                **_proposal(each),
                "similar": _similar(found.similar.get(each.number, ()), word),
                "beside": found.beside.get(each.number),
                "named": [
                    {"file": file, "command": led(f"{_TIE.format(each.number)} {shlex.quote(file)}", word)}
                    for file in found.named.get(each.number, ())
                ],
            }
            for each in found.proposals
        ],
        "count": count,
        "withheld": list(map(_withheld, found.withheld)),
        "unread": found.unread,
        "usage": usage(found.usage) if found.usage else None,
        "degraded": "; ".join(found.degraded) or None,
        "lexicon": offers(found.own_lines, word),
    }

    return Answer(data, lambda: _review_lines(found, count, word), paged=True)


def _review_lines(found: "Review", count: int, word: str) -> Iterable[Line]:
    for each in found.proposals:
        yield from _proposal_lines(each)
        if each.number:
            yield from _around_lines(found, each.number, word)
        else:
            yield line(("     " + runnable(_FORGETTING.format(word)), "dim"))
    yield from name_lines(found.own_lines, word)
    yield from _withheld_lines(found.withheld)
    yield from _unread_lines(found.unread, word)
    if not found.proposals:
        text = f"; '{word} capture reject --all' deletes what was said" if found.has_read else ""
        yield line("nothing to remember", (runnable(text), "dim"))
    elif count:
        text = f"'{word} capture accept N', or --all, remembers them; '{word} capture reject' does not"
        yield line((runnable(text), "dim"))


def _proposal_lines(proposal: "Proposal") -> Iterable[Line]:
    number = f"{proposal.number:>3}" if proposal.number else "  -"
    name = (proposal.path or proposal.kind, "bold")
    yield line((number, "yellow"), "  ", name, (f"  ({proposal.reason})", "dim"))
    yield line("     " + proposal.content)


def _around_lines(found: "Review", number: int, word: str) -> Iterable[Line]:
    """The stored memories that are near a proposal, and the file that it names."""
    for at, other in enumerate(found.similar.get(number, ())):
        yield _similar_line(other, at == 0, word)
    if number in found.beside:
        yield line((f'     (there is "{one_line(found.beside[number], _LONGEST)}")', "dim"))
    for file in found.named.get(number, ())[:1]:
        tie = runnable(f"'{word} capture accept {number} --about auto'")
        yield line((f"     (names {file}; {tie} ties it to that code)", "dim"))


def _similar_line(other: "SimilarMemory", is_first: bool, word: str) -> Line:
    newer = "the newer " if other.is_newer else ""
    beside = f'{newer}{other.facet.target.short_key}: "{one_line(other.facet.memory.content, _LONGEST)}"'
    effect = "makes it the successor" if is_first else "says how to replace it"
    effect = "drops this one" if other.is_newer else effect
    return line((f"     (beside {beside}; ", "dim"), (led(other.command, word), COMMAND), (f" {effect})", "dim"))


def accept(
    repository: "Repository", numbers: list[int] | None = None, every: bool = False, message: str | None = None, *,
    about: Sequence[str] = (), replace_similar: bool = False, word: str = NAME,
) -> Answer:  # fmt: skip
    """Remember proposals of a review of captures."""
    from memoir.memory.write_options import WriteOptions

    options = WriteOptions(message)
    done = repository.captures.accept(
        *numbers or (), every=every, about=about, replace_similar=replace_similar, options=options
    )
    return _decision(done, "accepted", word)


def reject(
    repository: "Repository", numbers: list[int] | None = None, every: bool = False, *, word: str = NAME
) -> Answer:
    """Drop proposals of a review of captures."""
    return _decision(repository.captures.reject(*numbers or (), every=every), "rejected", word)


def _decision(result: "Acceptance", verb: str, word: str) -> Answer:
    """The proposals that were decided on; exit 1 if one cannot be stored."""
    data: types.CaptureDecision = {
        **commit_fields(result.commit),
        "proposals": [_decided(result, each, word) for each in result.done],
        "count": len(result.done),
        "refused": [
            {"number": each.number, "path": each.path, "error": error.message} for each, error in result.refused
        ],
        "left": result.left,
        "retractions": list(map(_proposal, result.retractions)),
        "withheld": list(map(_withheld, result.withheld)),
        "unread": result.unread,
        "usage": usage(result.review.usage) if result.review.usage else None,
        "degraded": "; ".join(result.review.degraded) or None,
    }

    has_news = bool(result.refused or result.withheld or result.retractions or result.unread)
    code = ExitCode.FAILURE if result.refused else ExitCode.OK
    return Answer(data, lambda: _decision_lines(result, verb, word), code, optional=not has_news)


def _decision_lines(result: "Acceptance", verb: str, word: str) -> Iterable[Line]:
    first = short(result.commit) if verb == "accepted" else verb
    for each in result.done:
        yield from _done_lines(result, each, first, word)
    for each, error in result.refused:
        yield line(("left out", "red"), f"  {each.number}  {each.path}: {error.message}")
    for each in result.retractions:
        yield line(("not forgotten", "yellow"), "  " + each.content)
        yield line(("    " + runnable(_FORGETTING.format(word)), "dim"))
    yield from _withheld_lines(result.withheld)
    yield from _unread_lines(result.unread, word)
    if not (result.done or result.refused or result.retractions):
        yield line("there is no proposal")
    if result.left:
        text = f"{plural(result.left, 'proposal')} left: '{word} capture review' shows them"
        yield line((runnable(text), "dim"))


def _done_lines(result: "Acceptance", proposal: "Proposal", first: str, word: str) -> Iterable[Line]:
    from memoir.answers.write import similar_lines

    became = result.filed.get(proposal.number)
    name = became.target.short_key if became else proposal.path or proposal.kind
    yield line((first, "yellow"), "  ", (name, "bold"))
    yield line("    " + proposal.content)
    if became and became.superseded:
        yield line(("    superseded: " + one_line(became.superseded.content), "dim"))
    yield from similar_lines(became.similar if became else (), "added", word)


def _decided(result: "Acceptance", proposal: "Proposal", word: str) -> "types.DecidedProposal":
    became = result.filed.get(proposal.number)
    return {
        **_proposal(proposal),
        "id": became.target.id or None if became else None,
        "superseded": [became.superseded.content] if became and became.superseded else [],
        "similar": _similar(became.similar if became else (), word),
    }


def _similar(found: "Iterable[SimilarMemory]", word: str) -> "list[shapes.SimilarMemory]":
    from memoir.answers.write import similar

    return [similar(each, word) for each in found]


def _proposal(proposal: "Proposal") -> "types.Proposal":
    return {
        "number": proposal.number or None,
        "path": proposal.path,
        "content": proposal.content,
        "kind": proposal.kind,
        "source": proposal.host,
        "session": proposal.session,
        "timestamp": format_instant(instant_at(proposal.time)),
        "reason": proposal.reason,
    }


def _withheld(each: "WithheldLine") -> "types.WithheldLine":
    from memoir.secrets.secrets import redact

    return {
        "source": each.host,
        "session": redact(each.session),
        "timestamp": from_epoch(int(each.time)),
        "line": each.line,
        "rule": each.rule,
    }


def _withheld_lines(withheld: "Sequence[WithheldLine]") -> Iterator[Line]:
    """The place and the kind of each withheld credential, never the credential itself."""
    if withheld:
        yield line(("left out", "yellow"), f"  {plural(len(withheld), 'line')} with a credential:")
    for each in map(_withheld, withheld):
        turn = f"{each['source']} session {each['session']}, {each['timestamp']}"
        yield line(f"    {turn}, line {each['line']} (rule: {each['rule']})")


def _unread_lines(count: int, word: str) -> Iterator[Line]:
    """The commands that deal with turns in other languages than English."""
    if count:
        turns = plural(count, "turn is", "turns are")
        yield line(("not read", "yellow"), f"  {turns} in another language than English, and kept:")
        text = f"    '{word} capture review --by model' reads them, '{word} capture reject --all' deletes them"
        yield line((runnable(text), "dim"))
