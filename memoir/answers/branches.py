"""The answers of `branch`, `checkout`, `merge` and `tag`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from memoir.answers.answer import Answer, Line, line, lines, plural
from memoir.answers.parts import commit_fields, place, short, united_lines, written
from memoir.errors import InvalidInput
from memoir.program import runnable

if TYPE_CHECKING:
    from memoir.answers.contract import branches as types
    from memoir.repository.repository import Repository
    from memoir.store.branch_choice import Selection
    from memoir.types import BranchChoice, Commit, MergeResult, Oid, Ref


def branches(repository: "Repository", remotes: bool = False) -> Answer:
    """List the branches."""
    return _list_of(repository.branches.list(remotes=remotes), repository.branches.choice())


def _list_of(refs: Sequence["Ref"], choice: "BranchChoice") -> Answer:
    """The branches' names, and which one is current (it may have no commit yet)."""
    data: types.Branches = {
        "branches": [ref.name for ref in refs],
        "current": choice.branch,
        "commits": {ref.name: str(ref.commit) for ref in refs},
        "head": choice.head,
        "selected_by": choice.by,
    }
    width = _name_width(refs)
    return Answer(data, lambda: [*(_branch_line(ref, choice.branch, width) for ref in refs), *choice_lines(choice)])


def choice_lines(choice: "BranchChoice") -> list[Line]:
    """A note if commands use another branch than HEAD's, or if the memories are on another branch."""
    if choice.by == "HEAD":
        return [line(_elsewhere_text(choice.elsewhere))] if choice.elsewhere else []
    if choice.begun:
        return [line(f"{choice.by} chooses {choice.branch}; HEAD is {choice.head or '(none)'}")]
    text = f"{choice.by} chooses {choice.branch}: no such branch yet; the first write creates it from {choice.start}"
    return [line(text)]


def _elsewhere_text(branch: str) -> str:
    from shlex import quote

    return runnable(f"there are memories on branch {branch}: 'memoir checkout {quote(branch)}' switches to it")


def begun_line(selection: "Selection", commit: "Oid") -> Line:
    """The note that a write created the selected branch, at a commit."""
    return line((f"created branch {selection.branch!r} at {commit.short} (chosen by {selection.by})", "yellow"))


def branches_to_merge(repository: "Repository") -> Answer:
    """`branch --landed`: the branches with merged code and with memory that the current branch lacks."""
    refs = repository.branches.landed()
    answer = _list_of(refs, repository.branches.choice())
    return answer if refs else answer._replace(human=lines("no branch has merged code and unmerged memory"))


def merge_landed(results: Sequence[tuple[str, "MergeResult"]], target: str, *, dry_run: bool) -> Answer:
    """`merge --landed`: the branches that were merged, and how."""
    last = results[-1][1].commit if results else None
    data: types.MergeLanded = {
        "target_branch": target,
        "merged": [
            {"source_branch": name, "outcome": result.outcome, "changed": result.changed} for name, result in results
        ],
        "count": len(results),
        **written(last, dry_run=dry_run),
    }
    texts = [_merge_text(result, name, target, dry_run) for name, result in results]
    return Answer(data, lines(*texts or ["no branch has merged code and unmerged memory"]), optional=not dry_run)


def _branch_line(ref: "Ref", current: str | None, width: int) -> Line:
    is_current = ref.name == current
    name = (f"{ref.name:<{width}}", "bold green" if is_current else "")
    return line(("* " if is_current else "  ", "green"), name, (f"  {ref.commit.short}", "yellow"))


def _name_width(refs: Sequence["Ref"]) -> int:
    """The characters of the longest name, so that the commits stand in one column."""
    return max((len(ref.name) for ref in refs), default=0)


def tags(repository: "Repository", glob: str | None = None) -> Answer:
    """List the tags."""
    refs = repository.tags.list(glob)
    data: types.Tags = {"tags": [{"name": ref.name, "commit": str(ref.commit)} for ref in refs], "count": len(refs)}
    width = _name_width(refs)
    return Answer(data, lambda: [line(f"{ref.name:<{width}}", (f"  {ref.commit.short}", "yellow")) for ref in refs])


def branch(
    repository: "Repository", name: str, start: str | None = None, rename: str | None = None, delete: bool = False,
    force: bool = False,
) -> Answer:  # fmt: skip
    """Create a branch; with `rename` give it another name, with `delete` delete it."""
    if sum(map(bool, (delete, rename, start))) > 1:
        raise InvalidInput("start, rename and delete exclude each other", "give one of them")
    branches = repository.branches
    if rename:
        return _branch_change(rename, "renamed", branches.rename(rename, name), name)
    if delete:
        return _branch_change(name, "deleted", branches.delete(name, force=force))
    return _branch_change(name, "created", branches.create(name, start).id)


def _branch_change(
    name: str, action: 'Literal["created", "renamed", "deleted"]', commit: "Oid", old: str | None = None
) -> Answer:
    """`branch NAME`, `-d`, `-m`: the branch that changed; `old` is its name before it was renamed."""
    data: types.BranchChanged = {"branch": name, "action": action, "commit": str(commit), "old": old}
    before = f" (was {old})" if old else ""
    return Answer(data, lines(f"{action} branch {name}{before} at {commit.short}"), optional=True)


def tag(repository: "Repository", name: str, revision: str | None = None, delete: bool = False) -> Answer:
    """Create a tag, or delete one."""
    commit = repository.tags.delete(name) if delete else repository.tags.create(name, revision)
    action: Literal["created", "deleted"] = "deleted" if delete else "created"
    data: types.TagChanged = {"tag": name, "action": action, "commit": str(commit), "old": None}
    return Answer(data, lines(f"{action} tag {name} at {commit.short}"), optional=True)


def checkout(
    name: str, choice: "BranchChoice", *, created: bool, commit: "Commit | None", origin: str | None
) -> Answer:
    """`checkout`: the branch that HEAD names now, and the one that commands work on; `origin` is a remote's branch."""
    data: types.Checkout = {
        "target": name, "current_branch": choice.branch or name, "created": created or origin is not None,
        "commit": str(commit.id) if commit else None, "selected_by": choice.by,
    }  # fmt: skip
    source = f", created from {origin}" if origin else ""
    first = line(f"switched to {'a new ' if created else ''}branch {name}{source}")
    return Answer(data, lambda: [first, *choice_lines(choice)], optional=True)


def merge(
    repository: "Repository", source: str, strategy: str | None = None, choices: list[str] | None = None,
    dry_run: bool = False, message: str | None = None, *, into: str | None = None,
) -> Answer:  # fmt: skip
    """Merge a branch or another revision, memory by memory; `choices` are KEY=STRATEGY or KEY#id=STRATEGY."""
    from memoir.memory.write_options import WriteOptions

    options = WriteOptions(message, into, dry_run)
    result = repository.merge(source, strategy=strategy, choices=choices or (), options=options)
    target = into or repository.branch
    data: types.Merge = {
        "source_branch": source,
        "target_branch": target,
        "outcome": result.outcome,
        "changed": result.changed,
        **commit_fields(result.commit),
        "strategy": strategy,
        "conflicts": [],
        "dry_run": dry_run,
        "united": [*map(place, result.united)],
    }
    text, notes = _merge_text(result, source, target, dry_run), united_lines(result.united)
    return Answer(data, lines(text), optional=not dry_run, notes=lambda: notes)


def _merge_text(result: "MergeResult", source: str, target: str, dry_run: bool) -> str:
    if result.outcome == "up_to_date":
        return f"{target} already holds everything in {source}"
    verb = "would be " if dry_run else ""
    how = {"fast_forward": "fast-forwarded to", "merged": "merged with"}[result.outcome]
    at = f" ({short(result.commit)})" if result.commit else ""
    return f"{target} {verb}{how} {source}{at}: {plural(result.changed, 'path')} changed"
