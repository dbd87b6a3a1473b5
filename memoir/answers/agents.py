"""The answers of `setup`, `prime`, `hook`, `doctor`, `mcp` and `batch`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memoir.answers.answer import COMMAND, Answer, Line, line, plural
from memoir.answers.parts import passing_note, place
from memoir.errors import ExitCode
from memoir.program import runnable

if TYPE_CHECKING:
    from memoir.answers.contract import agents as types
    from memoir.hosts.dialects import Host
    from memoir.hosts.doctor import Check
    from memoir.hosts.setup.host_files import FileChange
    from memoir.hosts.setup.recipes import Recipe, Scope
    from memoir.hosts.setup.setup import Renewal, SetupResult
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


def set_up(result: "SetupResult", action: "types.Action", *, dry_run: bool, store: Path | None = None) -> Answer:
    """`setup`: the changed files, the next step and how to undo it; a dry run shows the changes as diffs.

    For a file that memoir left alone, the text to add by hand is shown.
    """
    data: types.Setup = {
        "host": result.host,
        "scope": result.scope,
        "action": action,
        "installed": result.installed and not dry_run,
        "files": [_file(change) for change in result.changes],
        "store": str(store) if store else None,
        "permissions": result.permissions,
        "notes": list(result.notes),
        "next": result.next and runnable(result.next),
        "dry_run": dry_run,
    }

    def human() -> Iterator[Line]:
        if store:
            yield line(f"created a memoir store in {store}")
            yield from passing_note(store.parent)
        if action == "printed":
            yield from _additions(result)
        else:
            yield from _changes(result, dry_run=dry_run)
        if action == "removed":
            yield from _removed(result, dry_run=dry_run)
        elif not dry_run:
            yield from _installed(result)
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
    """`hook` without a host: the hosts, each with the events that memoir answers."""
    data: types.Hooks = {
        "hosts": [{"host": name, "events": list(host.events)} for name, host in hosts.items()],
        "count": len(hosts),
    }

    def human() -> Iterable[Line]:
        for name, host in hosts.items():
            yield line((f"{name:<10}", "bold"), " ".join(host.events))

    return Answer(data, human)


def doctor(checks: "Sequence[Check]") -> Answer:
    """`doctor`: each check and its result; exit 1 if one failed."""
    has_failure = any(each.health == "failed" for each in checks)
    data: types.Doctor = {
        "checks": [
            {"name": each.name, "status": each.health, "message": each.message, "fix": each.fix and runnable(each.fix)}
            for each in checks
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
            yield line("        ", (runnable(each.fix), COMMAND))


def mcp(calls: int) -> Answer:
    """`mcp`, after its client has disconnected: how many calls it answered; no lines for people."""
    data: types.Mcp = {"calls": calls}
    return Answer(data)


def batch(path: str, lines: int) -> Answer:
    """`batch -o FILE`: how many lines were answered."""
    data: types.Batch = {"path": path, "lines": lines}
    return Answer(data, lambda: [line(f"answered {plural(lines, 'line')} in {path}")], optional=True)


def _file(change: "FileChange") -> "types.SetupFile":
    return {
        "path": str(change.path),
        "status": change.status,
        "diff": "".join(f"{each}\n" for each in _diff(change)),
        "text": change.addition or None,
        "problem": change.problem,
    }


def _installed(result: "SetupResult") -> Iterator[Line]:
    """What the setup changes for sessions, how to undo it, and a command to go on with."""
    from memoir.hosts.setup.recipes import PROJECT, RECIPES

    if not result.installed:
        return
    recipe, here = RECIPES[result.host], result.scope == PROJECT
    is_news = any(change.status in ("created", "changed") for change in result.changes)
    title = recipe.title.partition(",")[0]
    yield line(f"{title} is set up{'' if is_news else ' already'}: {_effect(recipe, result.host, here)}.")
    option = " --project" if here and len(recipe.scopes) > 1 else ""
    yield line(runnable(f"'memoir setup {result.host}{option} --remove' takes it back."))
    if result.permissions:
        entries = plural(result.permissions, "permission")
        text = f"Agents read and remember without asking you, by {entries}: '{result.command} --diff' shows them."
        yield line(runnable(text))
    if result.next:
        text = f"next: '{result.next}' lets agents read and remember without asking you"
        yield line((runnable(text), "dim"))


def _effect(recipe: "Recipe", host: str, here: bool) -> str:
    if host == "agents":
        return "agents that read it know how to ask this project's memory, and how to add to it"
    where = "here" if here else "in every project with a store"
    if not recipe.has_hooks:
        return f"{where}, its next session has memoir's tools"
    return f"{where}, its next session begins with what is remembered, how to ask for more and how to add to it"


def _removed(result: "SetupResult", *, dry_run: bool) -> Iterator[Line]:
    """In how many files memoir's additions were removed, or would be."""
    gone = [change for change in result.changes if change.status in ("changed", "deleted")]
    if not gone:
        yield line(f"nothing of memoir's was set up for {result.host}")
    else:
        what = "memoir would remove what it has added" if dry_run else "memoir has removed what it had added"
        yield line(f"{what}, in {plural(len(gone), 'file')}")


def has_hooks() -> bool:
    """Whether memoir's hooks are installed in any host."""
    from memoir.hosts.setup.found import find
    from memoir.hosts.setup.recipes import RECIPES

    return any(find(host, scope).start for host, recipe in RECIPES.items() for scope in recipe.scopes)


def renewals(renewals: "Iterable[Renewal]") -> Iterator[Line]:
    """A line for each host whose hooks were updated, or could not be."""
    from memoir.hosts.setup.recipes import RECIPES

    for each in renewals:
        title = RECIPES[each.host].title
        if each.problem:
            yield line((f"{title}: its hooks were not updated: {each.problem}", "yellow"))
        else:
            trust = "; Codex skips new ones until you trust them in /hooks" if each.host == "codex" else ""
            yield line(f"{title}: its hooks are up to date, from its next session on{trust}")


_PLANS = {"created": "would create", "changed": "would change", "deleted": "would delete"}


def _changes(result: "SetupResult", *, dry_run: bool) -> Iterator[Line]:
    """The changed files, and the text to add to one that was left alone.

    A dry run shows diffs; for an unchanged file, the diff shows memoir's part of it.
    """
    for change in result.changes:
        if change.problem:
            yield line(("left alone", "yellow"), f"  {change.path}: {change.problem}")
            yield from _addition(change) if change.addition else ()
        elif change.status not in ("absent", "unchanged") or (dry_run and change.status != "absent"):
            word = _PLANS.get(change.status, change.status) if dry_run else change.status
            yield line((word, "yellow"), f"  {change.path}")
            shown = change._replace(before=change.base) if change.status == "unchanged" else change
            for each in _diff(shown)[2:] if dry_run else ():
                yield line((each, {"+": "green", "-": "red", "@": "cyan"}.get(each[:1], "")))


def _additions(result: "SetupResult") -> Iterator[Line]:
    """The text to add to each file by hand."""
    for change in result.changes:
        if change.problem:
            yield line(("left alone", "yellow"), f"  {change.path}: {change.problem}")
        yield from _addition(change)


def _addition(change: "FileChange") -> Iterator[Line]:
    yield line((f"add to {change.path}:", "bold"))
    yield from (line(each) for each in change.addition.split("\n"))


def _diff(change: "FileChange") -> Sequence[str]:
    from difflib import unified_diff

    before, after = ((data or b"").decode(errors="replace").splitlines() for data in (change.before, change.after))
    return list(unified_diff(before, after, str(change.path), str(change.path), lineterm=""))
