"""Purges memories or credentials: removes them from every commit, then searches every object and file for them.

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
from memoir.exchange.purged_during_push import MAP
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
    """A record that was removed or lost some of its words; `action` is `removed`, `reduced` or `blotted`."""

    address: Address
    action: str


class Purge(NamedTuple):
    """The result of a purge, or of a dry run."""

    values: Sequence[PurgedValue]
    """The changed records, by address; each version of a path counts."""
    commits: Mapping[Oid, Oid]
    """The new commit by each rewritten one."""
    refs: Mapping[str, tuple[Oid, Oid | None]]
    """The old and new commit of each moved ref; None if the ref was removed."""
    unsigned: Sequence[Oid]
    """The commits and tags that lost their signatures."""
    files: Sequence[str]
    """The logs that contained purged text, and the user's files that were cleaned or removed."""
    remotes: Sequence[RemoteTrace]
    """The refs of remotes that contained it, or may contain it."""
    too_short: Sequence[str]
    """The contents that are too short to be searched for inside other texts."""
    absent: Sequence[str] = ()
    """The keys and namespaces that were not found."""
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
    """Remove memories, by key, text or namespace, or credentials, from a store and everything derived from it.

    Raises:
        NotFound: none of it is there. StoreBusy: another process writes for too long.
        InvalidInput: nothing is named, a text is too short or not valid Unicode, or a `.keep` file protects a pack.
        MemoirError: the purge could not be finished.
    """
    if not (targets or texts or namespaces or secrets):
        hint = "'memoir purge KEY', --content TEXT, --whole NAMESPACE or --secrets"
        raise InvalidInput("nothing is named that could be purged", hint)
    _check_texts(texts)
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


def _check_texts(texts: Sequence[str]) -> None:
    for text in texts:
        if len(text.strip()) < 4:
            raise InvalidInput(f"too short to purge wherever it stands: {text!r}", "give at least four characters")
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
    """Rewrite the commits, clean everything derived from them, and put the new ones in place."""
    with PackWriter(store.git, store.hash) as pack:
        rewriting = Rewriting(store, wanted, pack, signing_key(store) if sign else None)
        tell("rewriting commits")
        rewriting.run()
        _note_captured_credentials(store, wanted)
        done = _plan(store, wanted, rewriting)
        logs = _logs(store.git_dir, rewriting)  # after the plan, which rewrites tags that logs may name
        done = done._replace(files=_with_purged_text(store.git_dir / "logs", logs, wanted))
        _require_finding(store, done, wanted, targets)
        if dry_run:
            return done._replace(files=[*done.files, *map(str, files_of_user(store, wanted.texts))])
        pack.flush()
        switchover.reached("rewritten")
        files = [*done.files, *clean_user_files(store, wanted.texts)]
        done = done._replace(files=files, map=_write_map(store, rewriting))
        tombstones.add(store.git_dir, wanted.removed)
        tell("putting the new commits in place")
        pack.is_needed = True  # a ref may need it from here on
        switchover.stage(store.git_dir, done.refs, logs)
        store.close()
        _finish(store)
        return done


def _finish(store: Store) -> None:
    """Put the staged refs and logs in place.

    Raises:
        MemoirError: it failed, but they stay staged.
    """
    try:
        switchover.finish(store.git)
    except (GitError, OSError) as error:
        message = f"the purge is decided, but not finished: {error}"
        raise MemoirError(message, "make the disk work, then run 'memoir status', which finishes it") from error


@contextmanager
def _alone(git_dir: Path) -> Iterator[None]:
    """Hold the repack lock and the writer lock, after waiting for other holders."""
    with held(git_dir / REPACK_LOCK), writer_lock(git_dir):
        if any(map(is_ours, _keep_files(git_dir))):
            raise StoreBusy("another process syncs what it has just written", "try again when it is done")
        yield


def _refuse_kept_packs(git_dir: Path) -> None:
    if kept := next(_keep_files(git_dir), None):
        raise InvalidInput(f"{kept} makes git keep a pack for ever", "remove that file first, if it is yours")


def _keep_files(git_dir: Path) -> Iterator[Path]:
    return (git_dir / "objects" / "pack").glob("*.keep")


def _wanted(
    store: Store, targets: Sequence[MemoryAddress], texts: Sequence[str], namespaces: Whole, *, secrets: bool
) -> Wanted:
    """Collect what to purge; the contents of keys are looked up in every commit."""
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
            record = read_or_empty(data)  # a damaged one is purged by its key
            contents |= {facet.content for facet in record} if key in keys else set()
            ids_here = tuple(target.id for target in parts if target.place.key == key)
            pairs = zip(ids_of(record), record, strict=True)
            contents |= {facet.content for identity, facet in pairs if ids_here and identity.startswith(ids_here)}
    words = [*texts, *words_of(store, namespaces, SHORTEST)]
    cut = cut_credentials(store) if secrets else {}
    return Wanted(keys, contents, words, by_scan=secrets, cut=cut, whole=namespaces)


def _note_captured_credentials(store: Store, wanted: Wanted) -> None:
    """Note the credentials in captures: today's rules may find more than the rules at the time."""
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


def _require_finding(store: Store, done: Purge, wanted: Wanted, targets: Sequence[MemoryAddress]) -> None:
    """Raise NotFound if neither the history nor any object or file contains any of it."""
    if not (done.values or done.commits or done.refs or done.files or search(store, wanted.texts).found):
        keys: Details = {"keys": [target.full_key for target in targets]} if targets else {}
        hint = "'memoir grep PATTERN' and 'memoir log KEY' look for memories"
        raise NotFound("nothing of that is in the store or its history", hint, **keys)


def _absent(done: Purge, targets: Sequence[MemoryAddress], namespaces: Sequence[str]) -> Iterator[str]:
    addresses = {each.address for each in done.values}
    yield from (target.full_key for target in targets if target.place not in addresses)
    yield from (name for name in namespaces if not any(whole([name]).has(address.key) for address in addresses))


def _write_map(store: Store, rewriting: Rewriting) -> str:
    """Write the file with the old and new ids of commits."""
    path = store.git_dir / MAP
    with path.open("a", encoding="ascii") as file:
        file.writelines(f"{old} {new}\n" for old, new in rewriting.commits.items())
    sync(path)
    for old in store.distrusted & rewriting.commits.keys():
        store.distrust(rewriting.commits[old])
    return str(path)


def _logs(git_dir: Path, rewriting: Rewriting) -> dict[str, bytes]:
    """The new text of each changed log, by the name of its ref."""
    logs = {}
    for path in (git_dir / "logs").rglob("*"):
        ref = str(path.relative_to(git_dir / "logs"))
        if path.is_file() and (ref == "HEAD" or is_ref_name(ref)):
            old = path.read_bytes()
            new = b"".join(_log_line(line, rewriting) for line in old.splitlines(keepends=True))
            if new != old:
                logs[ref] = new
    return logs


def _with_purged_text(folder: Path, logs: Iterable[str], wanted: Wanted) -> list[str]:
    """The logs that contain purged text, not only changed ids."""
    sought = Sought(wanted.texts)
    return [str(folder / ref) for ref in logs if sought.is_in((folder / ref).read_bytes())]


def _log_line(line: bytes, rewriting: Rewriting) -> bytes:
    """Rewrite a line of a log: two ids, author, time, and after a tab the reason; ids and times are not searched."""
    match = re.fullmatch(rb"(?s)(\S* \S*)([^\t]*)(> [^\t>]*)(\t.*)?", line)
    if not match:  # truncated, or not git's
        return rewriting.without(line)
    ids, who, when, deed = match.groups(b"")
    if ids.rpartition(b" ")[2] in rewriting.untold:
        deed = re.sub(rb"\t[^\n]*", f"\t{BLOT}".encode(), deed)
    return rewriting.with_new_ids(ids) + rewriting.without(who, scan=False) + when + rewriting.without(deed)
