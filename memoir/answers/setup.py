"""What `memoir setup` says: what happens next and how to undo it, and what changes in which file."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memoir.answers.answer import Line, line, plural

if TYPE_CHECKING:
    from memoir.answers.contract import agents as types
    from memoir.hosts.setup.host_files import FileChange
    from memoir.hosts.setup.recipes import Recipe
    from memoir.hosts.setup.setup import Renewal, SetupResult


def file(change: "FileChange") -> "types.SetupFile":
    """The fields of a file."""
    return {
        "path": str(change.path),
        "status": change.status,
        "diff": "".join(f"{each}\n" for each in _diff(change)),
        "text": change.addition or None,
        "problem": change.problem,
    }


def installed(result: "SetupResult") -> Iterator[Line]:
    """What happens next, how to undo it, and what could come next."""
    from memoir.hosts.setup.recipes import PROJECT, RECIPES

    if not result.installed:
        return
    recipe, here = RECIPES[result.host], result.scope == PROJECT
    is_news = any(change.status in ("created", "changed") for change in result.changes)
    title = recipe.title.partition(",")[0]
    yield line(f"{title} is set up{'' if is_news else ' already'}: {_next(recipe, result.host, here)}.")
    option = " --project" if here and len(recipe.scopes) > 1 else ""
    yield line(f"'memoir setup {result.host}{option} --remove' takes it back.")
    if result.permissions:
        entries = plural(result.permissions, "permission entry", "permission entries")
        yield line(
            f"With {entries} agents run memoir's reading commands and remember unasked: "
            f"'{result.command} --diff' shows them."
        )
    if result.next:
        yield line((f"next: '{result.next}' lets agents run memoir's reading commands and remember unasked", "dim"))


def _next(recipe: "Recipe", host: str, here: bool) -> str:
    if host == "agents":
        return "agents that read it know how to ask this project's memory, and how to add to it"
    where = "here" if here else "in every project with a store"
    if not recipe.has_hooks:
        return f"{where}, its next session has memoir's tools"
    return f"{where}, its next session begins with what is remembered, how to ask for more and how to add to it"


def removed(result: "SetupResult", *, dry_run: bool) -> Iterator[Line]:
    """How many files are without memoir now, or would be."""
    gone = [change for change in result.changes if change.status in ("changed", "deleted")]
    if not gone:
        yield line(f"nothing of memoir's was set up for {result.host}")
    else:
        what = "memoir would remove what it has added" if dry_run else "memoir has removed what it had added"
        yield line(f"{what}, in {plural(len(gone), 'file')}")


def has_hooks() -> bool:
    """Whether a host has hooks of memoir."""
    from memoir.hosts.setup.found import find
    from memoir.hosts.setup.recipes import RECIPES

    return any(find(host, scope).start for host, recipe in RECIPES.items() for scope in recipe.scopes)


def renewals(renewals: "Iterable[Renewal]") -> Iterator[Line]:
    """The hosts whose hooks were brought up to date, or could not be."""
    from memoir.hosts.setup.recipes import RECIPES

    for each in renewals:
        title = RECIPES[each.host].title
        if each.problem:
            yield line((f"{title}: its hooks are as they were: {each.problem}", "yellow"))
        else:
            trust = "; Codex skips new ones until you trust them in /hooks" if each.host == "codex" else ""
            yield line(f"{title}: its hooks are up to date, from its next session on{trust}")


_PLANS = {"created": "would create", "changed": "would change", "deleted": "would delete"}


def changes(result: "SetupResult", *, diff: bool, dry_run: bool = False) -> Iterator[Line]:
    """What becomes of each file, or would, and what to add to one that was left alone.

    The diff of a file that is as it was shows what of it is memoir's.
    """
    for change in result.changes:
        if change.problem:
            yield line(("left alone", "yellow"), f"  {change.path}: {change.problem}")
            yield from _addition(change)
        elif change.status not in ("absent", "unchanged") or (diff and change.status != "absent"):
            word = _PLANS.get(change.status, change.status) if dry_run else change.status
            yield line((word, "yellow"), f"  {change.path}")
            shown = change._replace(before=change.base) if change.status == "unchanged" else change
            for each in _diff(shown)[2:] if diff else ():
                yield line((each, {"+": "green", "-": "red", "@": "cyan"}.get(each[:1], "")))


def additions(result: "SetupResult") -> Iterator[Line]:
    """What to add to each file by hand."""
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
