"""The answers of the commands for agents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.errors import ExitCode
from memoir.output.answer import Answer, Line, line
from memoir.output.parts import commit_fields, place, short, usage
from memoir.output.text import one_line, plural
from memoir.program import NAME
from memoir.times import from_epoch

if TYPE_CHECKING:
    from memoir.capture.proposals import Proposal
    from memoir.capture.review import Acceptance, Review
    from memoir.capture.spool import Contents
    from memoir.hosts.dialects import Host
    from memoir.hosts.doctor import Check
    from memoir.hosts.setup.recipes import Recipe, Scope
    from memoir.hosts.setup.setup import SetupResult
    from memoir.hosts.setup.upkeep import Renewal
    from memoir.output.contract import agents as types
    from memoir.output.contract import shapes
    from memoir.primer.primer import Primer
    from memoir.repository.captures import Captures

_LONGEST = 100
"""The characters of a memory that is quoted beside a proposal."""


def hosts(hosts: "Mapping[str, tuple[Recipe, list[Scope]]]") -> Answer:
    """`setup --list`: the hosts, and the scopes in which each is set up."""
    data: types.SetupList = {
        "hosts": [
            {
                "host": name,
                "title": recipe.title,
                "scopes": list(recipe.scopes),
                "hooks": recipe.has_hooks,
                "installed": installed,
            }
            for name, (recipe, installed) in hosts.items()
        ],
        "count": len(hosts),
    }

    def human() -> Iterator[Line]:
        for name, (recipe, installed) in hosts.items():
            kind = "hooks, MCP" if recipe.has_hooks else "rules" if name == "agents" else "MCP"
            state = (f"  set up ({', '.join(installed)})", "green") if installed else ("", "")
            yield line((f"{name:<10}", "bold"), f"{kind:<12}", recipe.title, state)

    return Answer(data, human)


def set_up(
    result: "SetupResult", action: "types.Action", *, dry_run: bool, diff: bool = False, store: Path | None = None
) -> Answer:
    """`setup`: what happens next, and how it is undone; with `diff` or before it is done, what changes in which files.

    A file that was left to the user comes with what to add to it.
    """
    from memoir.output import setup

    data: types.Setup = {
        "host": result.host,
        "scope": result.scope,
        "action": action,
        "installed": result.installed and not dry_run,
        "files": [setup.file(change) for change in result.changes],
        "store": str(store) if store else None,
        "permissions": result.permissions,
        "notes": list(result.notes),
        "next": result.next,
        "dry_run": dry_run,
    }

    def human() -> Iterator[Line]:
        if store:
            yield line(f"created a memoir store in {store}")
        if action == "printed":
            yield from setup.additions(result)
        else:
            yield from setup.changes(result, diff=diff or dry_run, dry_run=dry_run)
        if action == "removed":
            yield from setup.removed(result, dry_run=dry_run)
        elif not dry_run:
            yield from setup.installed(result)
        yield from (line((note, "yellow")) for note in result.notes)

    return Answer(data, human, ExitCode.FAILURE if result.refused and action != "printed" else ExitCode.OK)


def setup_check(result: "SetupResult") -> Answer:
    """`setup --check`: whether a host is set up, where, and what is in the way; exit 1 if it is not."""
    data: types.SetupCheck = {
        "host": result.host,
        "scope": result.scope,
        "action": "checked",
        "installed": result.installed,
        "files": [str(change.path) for change in result.changes],
        "notes": list(result.notes),
    }

    def human() -> Iterator[Line]:
        yield line(f"{result.host} is set up ({result.scope})" if result.installed else f"{result.host} is not set up")
        yield from (line(f"  {change.path}") for change in result.changes)
        yield from (line((note, "yellow")) for note in result.notes)

    return Answer(data, human, ExitCode.OK if result.installed else ExitCode.FAILURE)


def prime(primer: "Primer") -> Answer:
    """`prime`: the text, how long it is, and the memories that it quotes."""
    data: types.Prime = {
        "text": primer.text,
        "characters": len(primer.text),
        "tokens": primer.tokens,
        "sections": [{"name": each.name, "memories": list(map(place, each.places))} for each in primer.sections],
        "degraded": primer.degraded,
    }
    return Answer(data, lambda: [line(each) for each in primer.text.splitlines()])


def hooks(hosts: "Mapping[str, Host]") -> Answer:
    """`hook` without a host: the hosts, each with the events that are answered."""
    data: types.Hooks = {
        "hosts": [{"host": name, "events": list(host.events)} for name, host in hosts.items()],
        "count": len(hosts),
    }

    def human() -> Iterable[Line]:
        for name, host in hosts.items():
            yield line((f"{name:<10}", "bold"), " ".join(host.events))

    return Answer(data, human)


def capture_status(
    status: "Captures", renewals: "Sequence[Renewal]" = (), deleted: "Contents | None" = None, word: str = NAME
) -> Answer:
    """`capture on`, `off` and `status`: whether turns are kept, how many are, what changed, and what happens next."""
    from memoir.output import setup

    contents = status.contents()
    data: types.CaptureStatus = {
        "on": status.on,
        "folder": status.folder,
        "turns": contents.turns,
        "sessions": contents.sessions,
        "bytes": contents.size,
        "oldest": from_epoch(int(contents.oldest)) if contents.oldest is not None else None,
        "deleted": deleted.turns if deleted else 0,
        "hosts": [
            {"host": each.host, "scope": each.scope, "files": list(map(str, each.files)), "problem": each.problem}
            for each in renewals
        ],
    }

    def human() -> Iterable[Line]:
        yield line("capture is ", ("on" if data["on"] else "off", "bold"))
        if deleted:
            yield line(f"deleted {_amount(deleted)}")
        elif contents.turns:
            yield line(
                f"{_amount(contents)} to review in {status.folder}: '{word} capture review' shows what to remember"
            )
        elif data["on"] and not setup.has_hooks():
            yield line("nothing is kept before 'memoir setup HOST', which makes a host hand over what is said")
        elif data["on"]:
            yield line(f"what is said in your next sessions is kept in {status.folder}")
            yield line((f"then '{word} capture review' shows what of it to remember", "dim"))
        else:
            yield line("nothing is kept")
        yield from setup.renewals(renewals)

    return Answer(data, human)


def _amount(contents: "Contents") -> str:
    size = f" ({-(-contents.size // 1024):,} KiB)" if contents.size else ""
    return f"{plural(contents.turns, 'turn')} of {plural(contents.sessions, 'session')}{size}"


def capture_review(review: "Review", word: str = NAME) -> Answer:
    """`capture review`: what may be worth remembering; `word` begins the commands that it offers."""
    count = sum(1 for each in review.proposals if each.number)
    data: types.CaptureReview = {
        "proposals": [{**_proposal(each), "similar": _similar(review, each, word)} for each in review.proposals],
        "count": count,
        "usage": usage(review.usage) if review.usage else None,
        "degraded": "; ".join(review.degraded) or None,
    }

    def human() -> Iterable[Line]:
        from memoir.output.write import led

        for each in review.proposals:
            number = f"{each.number:>3}" if each.number else "  -"
            yield line((number, "yellow"), "  ", (each.path or each.kind, "bold"), (f"  ({each.reason})", "dim"))
            yield line("     " + each.content)
            for older in review.similar.get(each.number, ()):
                beside = f'{older.facet.target.short_key}: "{one_line(older.facet.memory.content, _LONGEST)}"'
                command = led(older.command, word)
                yield line((f"     (beside {beside}; once accepted, {command} makes it the successor)", "dim"))
        if not review.proposals:
            yield line("nothing to remember")
        elif count:
            yield line(
                (f"'{word} capture accept N', or --all, remembers them; '{word} capture reject' does not", "dim")
            )

    return Answer(data, human, paged=True)


def capture_decision(result: "Acceptance", verb: str, word: str = NAME) -> Answer:
    """`capture accept` and `reject`: the proposals that were decided on; exit 1 if one cannot be stored."""
    data: types.CaptureDecision = {
        **commit_fields(result.commit),
        "proposals": [_proposal(each) for each in result.done],
        "count": len(result.done),
        "refused": [
            {"number": each.number, "path": each.path, "error": error.message} for each, error in result.refused
        ],
        "left": result.left,
        "usage": usage(result.review.usage) if result.review.usage else None,
        "degraded": "; ".join(result.review.degraded) or None,
    }

    def human() -> Iterable[Line]:
        first = short(result.commit) if verb == "accepted" else verb
        for each in result.done:
            yield line((first, "yellow"), "  ", (each.path or each.kind, "bold"))
            yield line("    " + each.content)
        for each, error in result.refused:
            yield line(("left out", "red"), f"  {each.number}  {each.path}: {error.message}")
        if not (result.done or result.refused):
            yield line("there is no proposal")
        if result.left:
            yield line((f"{plural(result.left, 'proposal')} left: '{word} capture review' shows them", "dim"))

    code = ExitCode.FAILURE if result.refused else ExitCode.OK
    return Answer(data, human, code, optional=not result.refused)


def _similar(review: "Review", proposal: "Proposal", word: str) -> "list[shapes.SimilarMemory]":
    from memoir.output.write import similar

    return [similar(each, word) for each in review.similar.get(proposal.number, ())]


def _proposal(proposal: "Proposal") -> "types.Proposal":
    return {
        "number": proposal.number or None,
        "path": proposal.path,
        "content": proposal.content,
        "kind": proposal.kind,
        "source": proposal.host,
        "session": proposal.session,
        "timestamp": from_epoch(int(proposal.time)),
        "reason": proposal.reason,
    }


def doctor(checks: "Sequence[Check]") -> Answer:
    """`doctor`: what was looked at, and how it is; exit 1 if something does not work."""
    has_failure = any(each.health == "failed" for each in checks)
    data: types.Doctor = {
        "checks": [
            {"name": each.name, "status": each.health, "message": each.message, "fix": each.fix} for each in checks
        ],
        "count": len(checks),
        "ok": not has_failure,
    }
    return Answer(data, lambda: _check_lines(checks), ExitCode.FAILURE if has_failure else ExitCode.OK)


def _check_lines(checks: "Sequence[Check]") -> Iterable[Line]:
    colours = {"ok": "green", "warning": "yellow", "failed": "red"}
    for each in checks:
        yield line((f"{each.health:<8}", colours[each.health]), f"{each.name}: {each.message}")
        if each.fix:
            yield line(("        " + each.fix, "dim"))


def mcp(calls: int) -> Answer:
    """`mcp`, after its client has gone: how many calls it answered. People see nothing."""
    data: types.Mcp = {"calls": calls}
    return Answer(data)
