"""The answers of `init`, `status`, `config`, `index`, `embed`, `fsck`, `gc` and `version`."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memoir.answers.answer import Answer, Line, line, lines, plural
from memoir.answers.branches import choice_lines
from memoir.answers.parts import id_field, namespace_line, passing_note, short, total_line
from memoir.errors import ExitCode
from memoir.program import runnable

if TYPE_CHECKING:
    from memoir.answers.contract import store as types
    from memoir.embedders.installed import InstalledModel
    from memoir.exchange.status import RemoteStatus, Status
    from memoir.hosts.setup.setup import Renewal
    from memoir.index.index_status import IndexState, IndexStatus
    from memoir.memory.soundness import Confusable
    from memoir.repair.repair import Loss, Repair
    from memoir.repository.repository import Repository
    from memoir.repository.upkeep import CheckResult, Installation, Versions
    from memoir.store.config import SettingValue

_UNITS = ("kB", "MB", "GB", "TB")


def size(count: int) -> str:
    """`640 B`, `19.7 MB`: a number of bytes in the unit that leaves up to three digits before the point."""
    if count < 1000:
        return f"{count} B"
    number, unit = float(count), ""
    for unit in _UNITS:  # noqa: B007
        number /= 1000
        if number < 999.95:
            break
    return f"{number:.1f} {unit}"


def init(path: str, branch: str, *, new: bool, other: "Path | None" = None) -> Answer:
    """`init`: where the store is, and whether it is new; `other` is the store that commands there used before."""
    folder = Path(path).parent
    data: types.Init = {"path": path, "branch": branch, "initialized": True, "created": new}

    def notes() -> Iterator[Line]:
        if other:
            yield line(f"until now, commands in {folder} used the store in {other}; from now on they use the new one")
        if new:
            yield from passing_note(folder)

    human = lines(f"{path} is a memoir store already")
    return Answer(data, (lambda: _created(path)) if new else human, optional=True, notes=notes)


def _created(path: str) -> Iterator[Line]:
    from memoir.hosts.setup.found import find_scopes
    from memoir.hosts.setup.recipes import RECIPES
    from memoir.store.locate import user_store

    yield line(f"created a memoir store in {path}")
    if (own := user_store()) and own.samefile(path):
        yield line(
            runnable("it is your own store, read beside each project's; 'memoir remember --global' writes to it")
        )
    if not any(map(find_scopes, RECIPES)):
        yield line(
            (
                runnable("next: 'memoir setup claude' tells your agents of it; 'memoir setup --list' has other hosts"),
                "dim",
            )
        )


def status(repository: "Repository", *, short: bool = False) -> Answer:
    """Describe the store."""
    status = repository.status()
    data: types.Status = {
        "path": status.path,
        "exists": True,
        "initialized": True,
        "branch": status.branch,
        "commit": str(status.commit.id) if status.commit else None,
        "commit_count": status.commit_count,
        "memory_count": status.memories,
        "path_count": status.memories,
        "namespaces": status.namespaces,
        "remotes": [
            {
                "name": remote.name,
                "url": remote.url,
                "ahead": remote.ahead,
                "behind": remote.behind,
                "trouble": remote.trouble,
            }
            for remote in status.remotes
        ],
        "root": id_field(status.root),
        "head": status.selection.head,
        "selected_by": status.selection.by,
        "capture": status.captures,
        "inbox_count": status.inbox,
    }
    return Answer(data, lambda: [_status_line(status)] if short else _status_lines(status, repository))


def _status_line(status: "Status") -> Line:
    """The branch, its number of paths, and how far each remote is ahead or behind."""
    total = plural(status.memories, "path")
    far = [f"{each.name} +{each.ahead} -{each.behind}" for each in status.remotes if each.ahead or each.behind]
    return line((status.branch or "(none)", "bold green"), ", ".join([f": {total}", *far]))


def _status_lines(status: "Status", repository: "Repository") -> Iterator[Line]:
    at = short(status.commit) if status.commit else "no commits yet"
    yield line("On branch ", (status.branch or "(none)", "bold green"), f" ({at})")
    yield from choice_lines(status.selection)
    yield line(f"{status.path}")
    commits = plural(status.commit_count, "commit")
    yield [*total_line(status.memories, status.namespaces, status.apart), (f", {commits}", "")]
    for name in status.namespaces:
        yield namespace_line(name, status.namespaces, status.apart)
    if status.inbox:
        waiting = plural(status.inbox, "path waits", "paths wait")
        yield line((waiting, "yellow"), runnable(" in the inbox: 'memoir classify' files them, or says how to"))
    if status.captures:
        turns = repository.captures.contents().turns
        kept = f"{plural(turns, 'turn')} of sessions" if turns else "prompts and answers of sessions"
        are = "is" if turns == 1 else "are"
        yield line(("capture is on", "yellow"), runnable(f": {kept} {are} kept for 'memoir capture review'"))
    for remote in status.remotes:
        yield line(f"remote {remote.name}: ", (_distance(remote, status.branch), "yellow"), (f"  {remote.url}", "dim"))
        if remote.trouble:
            yield line(("  " + remote.trouble, "yellow"))


def _distance(remote: "RemoteStatus", branch: str | None) -> str:
    if remote.ahead is None or remote.behind is None:
        return f"its branch {branch} has not been fetched yet"
    parts = [f"{remote.ahead} ahead"] * bool(remote.ahead) + [f"{remote.behind} behind"] * bool(remote.behind)
    return ", ".join(parts) or "up to date"


def settings(entries: Sequence["SettingValue"], *, origin: bool) -> Answer:
    """`config --list`: the values of every setting, the active one last, and whether one is ignored."""
    data: types.Config = {
        "settings": [
            {"key": each.key, "value": each.value, "origin": each.origin, "ignored": each.ignored} for each in entries
        ],
        "count": len(entries),
    }
    return Answer(data, lambda: [_setting_line(each, origin=origin) for each in entries])


def _setting_line(setting: "SettingValue", *, origin: bool) -> Line:
    """`KEY=VALUE  (ORIGIN)`, or the origin first as git prints it."""
    source = "not set" if setting.value is None else setting.origin
    before, after = (f"{source}\t", "") if origin else ("", f"  ({source})")
    note = "  (ignored: only you may set it, not a store)" if setting.ignored else ""
    value = "" if setting.value is None else f"={setting.value}"
    return line((before, "dim"), f"{setting.key}{value}", (after, "dim"), (note, "yellow"))


def setting(
    key: str,
    value: str | None,
    origin: str | None,
    action: 'Literal["read", "set", "removed"]',
    renewals: "Sequence[Renewal]" = (),
) -> Answer:
    """`config KEY [VALUE]`: one setting, and as notes the hosts whose hooks changed with it."""
    from memoir.answers import agents

    data: types.ConfigChange = {"key": key, "value": value, "origin": origin, "action": action}
    text = (value or "") if action == "read" else f"{action} {key}"
    return Answer(data, lines(text), optional=action != "read", notes=lambda: list(agents.renewals(renewals)))


def index(state: "IndexState", *, rebuilt: bool) -> Answer:
    """`index`: what the index holds now."""
    data: types.Index = {
        "memories": state.paths,
        "documents": state.documents,
        "embedder": state.embedder,
        "rebuilt": rebuilt,
        "bytes": state.size,
        "degraded": "; ".join(state.degraded) or None,
    }
    what = f"indexed {plural(state.paths, 'path')} ({state.size / 1e6:.1f} MB)"
    return Answer(data, lines(what), optional=True)


def embedder(status: "IndexStatus") -> Answer:
    """`embed status`."""
    data: types.EmbedStatus = {
        "embedder": status.embedder,
        "minilm_installed": status.minilm_installed,
        "minilm_folder": status.minilm_folder,
        "documents": status.documents,
        "embedded": status.embedded,
        "installed": _installed(status.installed) if status.installed else None,
    }
    minilm = (
        f"unpacked in {status.minilm_folder}"
        if status.minilm_installed
        else "not unpacked yet; the first recall does it"
    )
    index_state = "not built yet; the first recall builds it"
    if status.documents is not None:
        index_state = f"{plural(status.documents, 'memory', 'memories')}, {status.embedded:,} with a vector"
    own = f"installed {_in_words(status.installed)}" if status.installed else None
    texts = (f"embedder  {status.embedder}", f"minilm    {minilm}", own, f"index     {index_state}")
    return Answer(data, lines(*filter(None, texts)))


def embed_install(weights: "Installation") -> Answer:
    """`embed install`: the embedder, and where its weights are now."""
    data: types.EmbedInstalled = {
        "embedder": weights.name, "folder": str(weights.folder), "bytes": weights.size, "installed": None
    }  # fmt: skip
    return Answer(
        data, lines(f"unpacked {weights.name} in {weights.folder} ({weights.size / 1e6:.0f} MB)"), optional=True
    )


def embed_install_model(model: "InstalledModel") -> Answer:
    """`embed install --from`: the model, and how to choose it."""
    data: types.EmbedInstalled = {
        "embedder": model.name, "folder": str(model.folder), "bytes": model.size, "installed": _installed(model)
    }  # fmt: skip
    what = f"installed {_in_words(model)} in {model.folder} ({model.size / 1e6:.0f} MB)"
    step = "to use it: 'memoir config --global memoir.embed.provider installed'"
    return Answer(data, lambda: [line(what), line(runnable(step))], optional=True)


def _installed(model: "InstalledModel") -> "types.InstalledModel":
    form = model.form
    return {
        "embedder": model.name, "folder": str(model.folder), "title": form.title, "runner": form.runner,
        "dimensions": form.dimensions, "pooling": form.pooling, "tokens": form.tokens,
        "document_prefix": form.document, "query_prefix": form.query,
    }  # fmt: skip


def _in_words(model: "InstalledModel") -> str:
    """A model in a few words: `all-MiniLM-L6-v2 (384 dimensions, mean pooling, by onnx)`."""
    form = model.form
    prefixes = f", prefixes {form.document!r} and {form.query!r}" if form.document or form.query else ""
    return f"{form.title} ({form.dimensions} dimensions, {form.pooling} pooling{prefixes}, by {form.runner})"


def fsck(check: "CheckResult", files: Sequence[str], *, accepted: bool, is_instead: bool = False) -> Answer:
    """`fsck`: what was checked, every problem, and what was repaired; exit 7 if there is a problem.

    `files` were rewritten before the check. `accepted`: losses were accepted. `is_instead`: the user's own store was
    checked because there is no project's.
    """
    report, branch_names, repair, confusables = check
    done = [*files, *repair.done]
    data: types.Fsck = {
        "commits": report.commits,
        "values": report.values,
        "problems": report.problems,
        "repaired": branch_names,
        "ok": not report.problems,
        "restored": done,
        "losses": [_loss(loss, accepted) for loss in repair.losses],
        "look_alikes": [
            {"key": address.path, "namespace": address.namespace, "reason": reason, "branches": branches}
            for address, reason, branches in confusables
        ],
        "signers": dict(report.signers) if report.signers is not None else None,
    }

    status = ExitCode.DAMAGED if report.problems else ExitCode.OK
    place = " in your own store, as there is none of a project here" if is_instead else ""
    return Answer(data, lambda: _fsck_lines(check, done, accepted, place), status, optional=not report.problems)


def _fsck_lines(check: "CheckResult", repairs: Sequence[str], accepted: bool, place: str) -> Iterator[Line]:
    report, branch_names, repair, confusables = check
    yield from (line(f"branch {name}: corrected by a new commit") for name in branch_names)
    yield from (line(text) for text in repairs)
    for loss in repair.losses:
        yield from _loss_lines(loss, accepted)
    yield from (line(f"{plural(count, 'commit')} signed by {name}") for name, count in (report.signers or {}).items())
    yield from (line((problem, "red")) for problem in report.problems)
    counts = f"{plural(report.commits, 'commit')}, {plural(report.values, 'stored value')} checked{place}"
    yield line(f"{counts}: {plural(len(report.problems), 'problem') if report.problems else 'no problems'}")
    if report.problems:
        yield line(runnable(_next_step(repair, accepted)))
    yield from _look_alike_lines(confusables)


def _loss(loss: "Loss", accepted: bool) -> "types.Loss":
    old, new = id_field(loss.old), id_field(loss.new)
    return {"ref": loss.ref, "old": old, "new": new, "changes": list(loss.changes), "accepted": accepted}


def _loss_lines(loss: "Loss", accepted: bool) -> Iterator[Line]:
    name = loss.ref.removeprefix("refs/").removeprefix("heads/")
    verb = "was" if accepted else "could be"
    way = (
        f"set back to {loss.new:.12}, its newest undamaged state" if loss.new else "removed: all its states are damaged"
    )
    yield line((f"{name} {verb} {way}; this loses:", "yellow"))
    yield from (line(f"  {text}") for text in loss.changes)


def _look_alike_lines(pairs: "Sequence[Confusable]") -> Iterator[Line]:
    for address, reason, branches in pairs:
        yield line(f"note: {address.short_key!r} on {', '.join(branches)} could be taken for another path: {reason}")
    if pairs:
        yield line(runnable("that is not damage; 'memoir mv KEY NEW' gives a memory another path"))


def _next_step(repair: "Repair", accepted: bool) -> str:
    if repair.losses and not accepted:
        return "'memoir fsck --repair --yes' accepts these losses; docs/recovery.md says who may still have the changes"
    return "'memoir fsck --repair' repairs what it can; docs/recovery.md describes the rest"


def gc(before: int, after: int, index: int) -> Answer:
    """`gc`: bytes on disk before and after, and the bytes of the index, which is not packed."""
    data: types.Gc = {"bytes_before": before, "bytes_after": after, "index_bytes": index}
    text = f"store: {size(before - index)} before, {size(after - index)} after"
    return Answer(data, lines(text, *([f"index: {size(index)}"] if index else [])), optional=True)


def version(versions: "Versions") -> Answer:
    """`version`: memoir, Python, git and the store format."""
    data: types.Version = {
        "memoir": versions.memoir,
        "python": versions.python,
        "git": versions.git,
        "format": versions.format,
    }
    return Answer(data, lambda: [line(f"{name} {number}") for name, number in data.items()])
