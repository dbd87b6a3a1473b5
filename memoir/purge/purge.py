"""Purging: what must not exist anywhere is taken out of every commit, and then looked for in every object and file.

wanted -> new commits in a pack -> the user's files -> refs and logs at once (`memoir.store.switchover`) -> search
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memoir.capture.spool import TurnSpool
from memoir.error_fields import Details
from memoir.errors import GitError, InvalidInput, MemoirError, NotFound, StoreBusy
from memoir.exchange.overtaken import MAP
from memoir.git.fsync import sync
from memoir.git.git import output_lines
from memoir.git.lock import held, is_ours, writer_lock
from memoir.git.messages import require_writable
from memoir.git.objects import Oid
from memoir.git.pack_writer import PackWriter
from memoir.git.ref_names import is_ref_name
from memoir.memory import tombstones
from memoir.memory.facets import ids_of, refuse_passages
from memoir.purge import traces
from memoir.purge.cut_credentials import cut_credentials
from memoir.purge.rewrite import Rewriting
from memoir.purge.sought import Sought
from memoir.purge.traces import RemoteTrace
from memoir.purge.wanted import BLOT, SHORTEST, Search, Wanted, clean_user_files, files_of_user, search
from memoir.purge.whole import Whole, whole, words_of
from memoir.records.damage import read_or_empty
from memoir.store import switchover
from memoir.store.maintenance import REPACK_LOCK
from memoir.store.signing import signing_key
from memoir.store.store import Store
from memoir.store.walk import commits_of_memories
from memoir.taxonomy.paths import Address, MemoryAddress, from_key


class PurgedValue(NamedTuple):
    """A record that goes, or that loses some of its words; `action` is `removed`, `reduced` or `blotted`."""

    address: Address
    action: str


class Purge(NamedTuple):
    """What was purged, or would be."""

    values: Sequence[PurgedValue]
    """The records, by address; each state of a path that changes is one."""
    commits: Mapping[Oid, Oid]
    """The new commit of each that was rewritten."""
    refs: Mapping[str, tuple[Oid, Oid | None]]
    """Where each ref that moves was, and where it is; None if it was removed."""
    unsigned: Sequence[Oid]
    """The commits and tags whose signatures are lost."""
    files: Sequence[str]
    """The logs that had something of it, and the files of the user that were cleaned or removed."""
    remotes: Sequence[RemoteTrace]
    """The refs of remotes that had something of it, or may have it."""
    too_short: Sequence[str]
    """The contents that were too short to be sought inside other texts."""
    absent: Sequence[str] = ()
    """The keys and namespaces of which there was nothing."""
    search: Search | None = None
    """The search afterwards; None if nothing was changed."""
    map: str | None = None
    """The file with the old and the new ids; None if nothing was changed."""


def purge(
    store: Store,
    targets: Sequence[MemoryAddress] = (),
    texts: Sequence[str] = (),
    *,
    namespaces: Sequence[str] = (),
    secrets: bool = False,
    sign: bool = False,
    dry_run: bool = False,
    tell: Callable[[str], None] = lambda step: None,
) -> Purge:
    """Remove memories, by key, text or namespace, or credentials, from a store and from what was made of it.

    Raises:
        NotFound: nothing of it is there. StoreBusy: another process writes for too long.
        InvalidInput: nothing is named, a text is too short or not valid Unicode, or git keeps a pack for ever.
        MemoirError: something of it is left.
    """
    if not (targets or texts or namespaces or secrets):
        hint = "'memoir purge KEY', --content TEXT, --whole NAMESPACE or --secrets"
        raise InvalidInput("nothing is named that could be purged", hint)
    _check(texts)
    require_writable(store.git_dir)
    with _alone(store.git_dir):
        _refuse_kept_packs(store.git_dir)
        tell("looking for it")
        wanted = _wanted(store, targets, texts, whole(namespaces), secrets=secrets)
        done = _rewrite(store, wanted, targets, tell, sign=sign, dry_run=dry_run)
    done = done._replace(absent=[*_absent(done, targets, namespaces)])
    if dry_run:
        return done
    tell("searching")
    with Store(store.git_dir, store.selection) as fresh:
        return done._replace(search=search(fresh, wanted.texts))


def _check(texts: Sequence[str]) -> None:
    for text in texts:
        if len(text.strip()) < 4:
            raise InvalidInput(f"too short to be sought everywhere: {text!r}", "give at least four characters")
    try:
        "".join(texts).encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("what is sought is not valid Unicode", "no memory has such a text") from error


def _rewrite(
    store: Store,
    wanted: Wanted,
    targets: Sequence[MemoryAddress],
    tell: Callable[[str], None],
    *,
    sign: bool,
    dry_run: bool,
) -> Purge:
    """Make the commits anew, clean what was made of them, and put the new ones in place."""
    with PackWriter(store.git, store.hash) as pack:
        rewriting = Rewriting(store, wanted, pack, signing_key(store) if sign else None)
        tell("rewriting commits")
        rewriting.run()
        _note_captured_credentials(store, wanted)
        done = _plan(store, wanted, rewriting)
        logs = _logs(store.git_dir, rewriting)  # they may name tags, which the plan makes anew
        done = done._replace(files=_with_something(store.git_dir / "logs", logs, wanted))
        _insist_on_something(store, done, wanted, targets)
        if dry_run:
            return done._replace(files=[*done.files, *map(str, files_of_user(store, wanted.texts))])
        pack.flush()
        switchover.reached("rewritten")
        files = [*done.files, *clean_user_files(store, wanted.texts)]
        done = done._replace(files=files, map=_write_map(store, rewriting))
        tombstones.add(store.git_dir, wanted.removed)
        tell("putting the new commits in place")
        pack.is_needed = True  # from here on
        switchover.stage(store.git_dir, done.refs, logs)
        store.close()
        _finish(store)
        return done


def _finish(store: Store) -> None:
    """Put what is staged in place.

    Raises:
        MemoirError: it cannot be, but stays staged.
    """
    try:
        switchover.finish(store.git)
    except (GitError, OSError) as error:
        message = f"the purge is decided, but not finished: {error}"
        raise MemoirError(message, "make the disk work, then run 'memoir status', which finishes it") from error


@contextmanager
def _alone(git_dir: Path) -> Iterator[None]:
    """Hold the locks of packing and of writers, for whom it waits as they do for each other."""
    with held(git_dir / REPACK_LOCK), writer_lock(git_dir):
        if any(map(is_ours, _kept(git_dir))):
            raise StoreBusy("another process syncs what it has just written", "try again when it is done")
        yield


def _refuse_kept_packs(git_dir: Path) -> None:
    if kept := next(_kept(git_dir), None):
        raise InvalidInput(f"{kept} makes git keep a pack for ever", "remove that file first, if it is yours")


def _kept(git_dir: Path) -> Iterator[Path]:
    return (git_dir / "objects" / "pack").glob("*.keep")


def _wanted(
    store: Store, targets: Sequence[MemoryAddress], texts: Sequence[str], namespaces: Whole, *, secrets: bool
) -> Wanted:
    """What is to be purged; the contents of keys are looked up in every commit."""
    keys = {target.place.key for target in targets if not target.id}
    contents: set[str] = set()
    parts = [target for target in targets if target.id]
    refuse_passages(parts)
    seen: set[Oid] = set()
    for commit in commits_of_memories(store) if targets else ():
        tree = store.of(commit.id).tree
        ids = tree.get([*keys, *(target.place.key for target in parts)])
        for key, data in zip(ids, store.reader.read([*ids.values()], "blob"), strict=True):
            if ids[key] in seen:
                continue
            seen.add(ids[key])
            record = read_or_empty(data)  # one that is damaged goes by its key
            contents |= {facet.content for facet in record} if key in keys else set()
            ids_here = tuple(target.id for target in parts if target.place.key == key)
            pairs = zip(ids_of(record), record, strict=True)
            contents |= {facet.content for identity, facet in pairs if ids_here and identity.startswith(ids_here)}
    words = [*texts, *words_of(store, namespaces, SHORTEST)]
    cut = cut_credentials(store) if secrets else {}
    return Wanted(keys, contents, words, by_scan=secrets, cut=cut, whole=namespaces)


def _note_captured_credentials(store: Store, wanted: Wanted) -> None:
    """Note the credentials in captures, from which the rules of their day were struck: today's may find more."""
    for turn in TurnSpool(store.git_dir).read()[0] if wanted.by_scan else ():
        wanted.blotted(turn.text)


def _plan(store: Store, wanted: Wanted, rewriting: Rewriting) -> Purge:
    moved: dict[str, tuple[Oid, Oid]] = {}
    rows = store.git.run("for-each-ref", "--format=%(objecttype) %(objectname) %(refname)%(if)%(symref)%(then) @%(end)")
    for row in output_lines(rows):
        kind, hex_id, ref = row.split(" ", 2)
        old = Oid.fromhex(hex_id)
        if ref.endswith(" @"):
            continue
        new = rewriting.commits.get(old, old)
        if kind == "tag":
            new = rewriting.tag(old, store.reader.read([old], "tag")[0])
        if new != old:
            moved[ref] = (old, new)
    found = [*traces.find(store, moved)]
    gone = {ref for _, ref, kept in found if not kept}
    refs = {ref: (old, None if ref in gone else new) for ref, (old, new) in moved.items()}
    values = {PurgedValue(from_key(key), _action(key, new, wanted)) for (key, _), new in rewriting.places.items()}
    too_short = sorted(each for each in wanted.contents if len(each) < SHORTEST)
    return Purge(
        sorted(values), rewriting.commits, refs, rewriting.unsigned, [], [trace for trace, _, _ in found], too_short
    )


def _action(key: bytes, new: Oid | None, wanted: Wanted) -> str:
    if new is None:
        return "removed"
    return "blotted" if wanted.by_scan or b":raw=" in key else "reduced"


def _insist_on_something(store: Store, done: Purge, wanted: Wanted, targets: Sequence[MemoryAddress]) -> None:
    """Raise NotFound if neither the history has anything of it, nor any object or file."""
    if not (done.values or done.commits or done.refs or done.files or search(store, wanted.texts).found):
        keys: Details = {"keys": [target.full_key for target in targets]} if targets else {}
        hint = "'memoir grep PATTERN' and 'memoir log KEY' look for memories"
        raise NotFound("nothing of that is in the store or its history", hint, **keys)


def _absent(done: Purge, targets: Sequence[MemoryAddress], namespaces: Sequence[str]) -> Iterator[str]:
    places = {each.address for each in done.values}
    yield from (target.full_key for target in targets if target.place not in places)
    yield from (name for name in namespaces if not any(whole([name]).has(place.key) for place in places))


def _write_map(store: Store, rewriting: Rewriting) -> str:
    """Write which new commit stands for which old one."""
    path = store.git_dir / MAP
    with path.open("a", encoding="ascii") as file:
        file.writelines(f"{old} {new}\n" for old, new in rewriting.commits.items())
    sync(path)
    for old in store.distrusted & rewriting.commits.keys():
        store.distrust(rewriting.commits[old])
    return str(path)


def _logs(git_dir: Path, rewriting: Rewriting) -> dict[str, bytes]:
    """The new text of each log that changes, by the name of its ref."""
    logs = {}
    for path in (git_dir / "logs").rglob("*"):
        ref = str(path.relative_to(git_dir / "logs"))
        if path.is_file() and (ref == "HEAD" or is_ref_name(ref)):
            old = path.read_bytes()
            new = b"".join(_log_line(line, rewriting) for line in old.splitlines(keepends=True))
            if new != old:
                logs[ref] = new
    return logs


def _with_something(folder: Path, logs: Iterable[str], wanted: Wanted) -> list[str]:
    """The logs that have something of it, and not only ids that change."""
    sought = Sought(wanted.texts)
    return [str(folder / ref) for ref in logs if sought.is_in((folder / ref).read_bytes())]


def _log_line(line: bytes, rewriting: Rewriting) -> bytes:
    """A line of a log: two ids, who, when, and behind a tab what was done; digits of an id or a time say nothing."""
    match = re.fullmatch(rb"(?s)(\S* \S*)([^\t]*)(> [^\t>]*)(\t.*)?", line)
    if not match:  # it is cut, or not git's
        return rewriting.without(line)
    ids, who, when, deed = match.groups(b"")
    if ids.rpartition(b" ")[2] in rewriting.untold:
        deed = re.sub(rb"\t[^\n]*", f"\t{BLOT}".encode(), deed)
    return rewriting.with_new_ids(ids) + rewriting.without(who, scan=False) + when + rewriting.without(deed)
