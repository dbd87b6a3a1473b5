"""The answers of the commands for agents."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.answers.answer import Answer, Line, line, plural
from memoir.answers.parts import place
from memoir.errors import ExitCode

if TYPE_CHECKING:
    from memoir.answers.contract import agents as types
    from memoir.hosts.dialects import Host
    from memoir.hosts.doctor import Check
    from memoir.hosts.setup.recipes import Recipe, Scope
    from memoir.hosts.setup.setup import SetupResult
    from memoir.primer.primer import Primer


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
    from memoir.answers import setup

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


def batch(path: str, lines: int) -> Answer:
    """`batch -o FILE`: how many lines were answered."""
    data: types.Batch = {"path": path, "lines": lines}
    return Answer(data, lambda: [line(f"answered {plural(lines, 'line')} in {path}")], optional=True)
