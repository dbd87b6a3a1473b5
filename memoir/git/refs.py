"""Branches and tags: names, and updates by compare-and-swap."""

import os
from contextlib import suppress

from memoir.errors import Conflict, DamagedStore, InvalidInput, NotFound
from memoir.git.git import Git, output_lines
from memoir.git.messages import damage, failure, purged_meanwhile, require_writable
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, HEX_DIGITS, REMOTES, TAGS, find_clash, head_branch, is_ref_name

_LONGEST_PART, _LONGEST_NAME = 250, 1000
"""Bytes. Each part of a name is that of a file, of 255 bytes at most, and git writes one beside it, `NAME.lock`."""


def taken(kind: str, name: str) -> Conflict:
    """The error for a name that a branch or tag has already."""
    from shlex import quote

    way = f"'memoir checkout {quote(name)}' switches to it" if kind == "branch" else f"'memoir tag -d {quote(name)}'"
    return Conflict(f"a {kind} named {name!r} already exists", f"choose another name, or {way}")


class Refs:
    """The refs of one repository. Every update is a compare-and-swap through `git update-ref`."""

    def __init__(self, git: Git, id_size: int) -> None:
        self._git = git
        self._zero = "0" * (2 * id_size)

    def require_own_file(self, kind: str, name: str) -> None:
        """Refuse a name that has the file of another branch or tag where capitals do not count, and would move that.

        Raises:
            Conflict: there is another one.
        """
        for other in self.list(TAGS if kind == "tag" else BRANCHES):
            if find_clash((other, name)):
                raise Conflict(
                    f"this file system cannot tell the {kind} {name!r} from {other!r}",
                    f"write {other!r} if you mean that one, else choose another name",
                )

    def suggest(self, name: str, creation: str | None = None) -> str:
        """A hint that names the branch or tag most like a mistyped one, and how to create the one that was meant."""
        from difflib import get_close_matches

        names = [name for prefix in (BRANCHES, TAGS, REMOTES) for name in self.list(prefix)]
        close = get_close_matches(name, names, 1)
        if close:
            return f"did you mean {close[0]!r}?" + (f" ({creation})" if creation else "")
        return creation or "'memoir branch' and 'memoir log' list what there is"

    @property
    def current(self) -> str | None:
        """The branch in HEAD, as `head_branch` has it."""
        return head_branch(self._git.git_dir, len(self._zero) // 2)

    def switch(self, branch: str) -> None:
        """Make HEAD name a branch, whether or not it has commits.

        It does what `git symbolic-ref` does, which would not bring the new HEAD to disk before it replaces the old one.
        """
        from memoir.git.fsync import settle
        from memoir.git.lock import rewriting

        git_dir, before = self._git.git_dir, self.current or "HEAD"
        require_writable(git_dir)
        old, new = self.read("HEAD"), self.read(BRANCHES + branch)
        with rewriting(git_dir / "HEAD") as draft:
            draft.write_text(f"ref: {BRANCHES}{branch}\n", "utf-8")
        if new:
            with suppress(OSError):  # it costs no more than 'checkout -'
                self._note(old, new, f"checkout: moving from {before} to {branch}")  # git's words: '@{-1}' reads them
        settle(git_dir)

    def _note(self, old: Oid | None, new: Oid, reason: str) -> None:
        """Add a line to the log of HEAD."""
        from memoir.git.reflog import format_line
        from memoir.times import now

        line = format_line(old or self._zero, new, self._git.identity, int(now().timestamp()), reason)
        log = self._git.git_dir / "logs" / "HEAD"
        log.parent.mkdir(exist_ok=True)
        with log.open("ab") as file:
            file.write(line + b"\n")

    def before(self) -> str:
        """The branch that HEAD named before this one.

        Raises:
            NotFound: it is gone, or there was none.
        """
        done = self._git.try_run("rev-parse", "--symbolic-full-name", "@{-1}")
        ref = done.stdout.decode("utf-8", "replace").strip()
        if done.returncode or not ref.startswith(BRANCHES):
            raise NotFound("no branch was checked out before this one", "'memoir branch' lists them", revision="-")
        return ref.removeprefix(BRANCHES)

    def list(self, prefix: str) -> dict[str, Oid]:
        """The commits of the refs under a prefix such as `refs/heads/`, by the rest of their names, which are sorted.

        Annotated tags are peeled.
        """
        if prefix != TAGS and (plain := self._list_files(prefix)) is not None:
            return plain
        target = "%(*objectname)" if prefix == TAGS else ""  # peeling reads objects, which may be damaged
        done = self._git.try_run("for-each-ref", f"--format=%(refname)%00%(objectname)%00{target}%00%(symref)", prefix)
        if done.returncode or done.stderr:  # git only warns of a broken ref file
            raise self._git.loss(damage("for-each-ref", done.stderr, self._git.git_dir))
        rows = [line.split("\0") for line in output_lines(done.stdout)]
        pairs = [(name.removeprefix(prefix), commit or oid) for name, oid, commit, symbolic in rows if not symbolic]
        return {name: Oid.fromhex(oid) for name, oid in pairs}

    def _list_files(self, prefix: str) -> dict[str, Oid] | None:
        """The same without git; None if the store's files have something else than names and ids."""
        top, texts = os.path.join(self._git.git_dir, prefix), dict[str, str]()
        try:
            for parent, _, names in os.walk(top, onerror=_require_folder):
                start = os.path.join(prefix, parent[len(top) :], "")
                texts |= {start + name: self._text(start + name) for name in names if not name.endswith(".lock")}
            # Read after the others: git packs a ref before it removes the file.
            packed = self._text("packed-refs").split("\n")
        except OSError:
            return None
        for oid, _, ref in (line.partition(" ") for line in packed if line and line[0] not in "#^"):
            texts.setdefault(ref, oid)
        if not all(self._is_id(oid) and ref.isprintable() and is_ref_name(ref) for ref, oid in texts.items()):
            return None
        return {ref.removeprefix(prefix): Oid.fromhex(texts[ref]) for ref in sorted(texts) if ref.startswith(prefix)}

    def branches(self) -> dict[str, Oid]:
        """The commits of all branches; none of them is lost."""
        refs = self.list(BRANCHES)
        logs = self._git.git_dir / "logs" / BRANCHES
        for parent, _, names in os.walk(logs):
            for name in sorted(os.path.relpath(os.path.join(parent, name), logs) for name in names):
                if name not in refs and not name.endswith(".lock"):
                    self.insist_absent(BRANCHES + name)
        return refs

    def elsewhere(self) -> str | None:
        """The branch to go to where HEAD's has no commit: `main`, or the first that there is."""
        return min(self.branches(), key=lambda name: (name != "main", name), default=None)

    def insist_absent(self, ref: str) -> None:
        """Tell a ref that never existed from one that is lost.

        Raises:
            DamagedStore: it has a log, so it is lost; the message names the commit it was at.
        """
        from memoir.git.reflog import find_loss

        move = find_loss(self._git.git_dir, ref)
        if move and self.read(ref) is None:  # a revision such as `main~99` names nothing, though its branch is there
            name = ref.removeprefix(BRANCHES)
            raise DamagedStore(
                f"branch {name!r} is missing; it was last at commit {move.new}",
                "'memoir fsck --repair' brings it back",
            )

    def read(self, ref: str) -> Oid | None:
        """The id that a full ref name or HEAD holds, or None; git is asked only if the store's files do not say it."""
        with suppress(OSError):
            name = self._text("HEAD").removeprefix("ref: ") if ref == "HEAD" else ref
            text = self._text(name) if is_ref_name(name) else "?"
            if self._is_id(text):
                return Oid.fromhex(text)
            if not text and f" {name}\n" not in self._text("packed-refs") + "\n":
                return None
        done = self._git.try_run("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        text = done.stdout.decode().strip()
        return Oid.fromhex(text) if text.isalnum() else None

    def update(self, ref: str, new: Oid | None, old: Oid | None, reason: str) -> bool:
        """Move a ref from `old` to `new` (None: no such ref); False if it is no longer at `old`.

        It is read back, and its log is on disk, before this returns.

        Raises:
            GitError: git could not write, though the ref is where it was expected.
            Conflict: what it was to name was purged meanwhile.
        """
        from memoir.git.lock import remove_stale_locks

        require_writable(self._git.git_dir)
        args = ["update-ref", "-m", reason.split("\n")[0][:200], "--create-reflog"]
        before = str(old or self._zero)
        # A name for another branch, as `git symbolic-ref` makes one, goes alone: that branch stays.
        args += [ref, str(new), before] if new else ["--no-deref", "-d", ref, before]
        log_size = self._log_size(ref)
        for attempt in range(2):
            done = self._git.try_run(*args)
            # What went wrong is read off the ref itself, not off git's words.
            now_at = self.read(ref)
            if now_at != old or new == old:
                is_done = done.returncode == 0 or bool(old and new and now_at == new)
                if is_done:
                    self._complete(ref, new, old, log_size)
                return is_done
            if attempt or not remove_stale_locks(self._git.git_dir, ref):
                break
        if new:
            self._cut_log(ref, log_size)
        if b"nonexistent object" in done.stderr and self._git.is_overtaken():
            raise purged_meanwhile()
        raise failure("update-ref", done.stderr or b"it reported success, but the ref has not moved")

    def _complete(self, ref: str, new: Oid | None, old: Oid | None, log_size: int) -> None:
        """See to the log of a ref that has moved, and that the disk has both."""
        if new is None:
            self._drop_log(ref)
        try:
            self._settle(ref, is_moved=bool(old and new))
        except OSError as error:
            self._take_back(ref, new, old, log_size, error)
            raise

    def _log_size(self, ref: str) -> int:
        try:
            return (self._git.git_dir / "logs" / ref).stat().st_size
        except OSError:
            return 0

    def _cut_log(self, ref: str, size: int) -> None:
        """Take back what git noted of a move that failed after the note: 'undo' and 'fsck' would believe it."""
        log = self._git.git_dir / "logs" / ref
        with suppress(OSError):
            os.truncate(log, size) if size else log.unlink()

    def _take_back(self, ref: str, new: Oid | None, old: Oid | None, log_size: int, error: OSError) -> None:
        """Undo a move of which the disk will not say that it has it.

        Raises:
            Unsettled: that fails, too, or the ref and its log are gone: the change stands.
        """
        from memoir.git.fsync import Unsettled

        args = ["update-ref", ref, str(old), str(new)] if old else ["update-ref", "-d", ref, str(new)]
        if new is None or self._git.try_run(*args).returncode:
            raise Unsettled(error) from error
        self._cut_log(ref, log_size)

    def _drop_log(self, ref: str) -> None:
        """Remove or empty the log of a ref that is gone: git may leave it there, where it tells of a loss."""
        log = self._git.git_dir / "logs" / ref
        try:
            log.unlink(missing_ok=True)
        except OSError:
            with suppress(FileNotFoundError):
                os.truncate(log, 0)

    def drop_orphaned_logs(self, prefix: str) -> None:
        """Drop the logs under a prefix, such as that of a remote, whose refs git did not make, or has deleted."""
        top = self._git.git_dir / "logs" / prefix
        paths = [os.path.join(parent, name) for parent, _, names in os.walk(top) for name in names]
        names = [name for name in (os.path.relpath(path, top) for path in paths) if not name.endswith(".lock")]
        bare = [name for name in names if not (self._git.git_dir / prefix / name).is_file()]
        for name in set(bare).difference(self.list(prefix) if bare else ()):
            self._drop_log(prefix + name)

    def _is_id(self, text: str) -> bool:
        return len(text) == len(self._zero) and text != self._zero and set(text) <= HEX_DIGITS

    def _text(self, name: str) -> str:
        """What is in a file of the store, or nothing."""
        try:
            with open(os.path.join(self._git.git_dir, name), "rb", 0) as file:  # quickly: there may be thousands
                return file.read().decode("utf-8", "surrogateescape").strip()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return ""

    def _settle(self, ref: str, *, is_moved: bool) -> None:
        from memoir.git.fsync import sync

        git_dir = self._git.git_dir
        log = git_dir / "logs" / ref
        # Folders that come with a ref, or go with it, are named by the ones above them.
        depth = 1 if is_moved else ref.count("/") + 1
        folders = [folder for path in (git_dir / ref, log) for folder in list(path.parents)[:depth]]
        sync(log, *folders)

    def check_name(self, kind: str, name: str) -> str:
        """Return the full ref name of a well-formed branch or tag name.

        Raises:
            InvalidInput: git would not accept the name, or could not make a file of it.
            Conflict: the file system gives it the file of another one.
        """
        ref = (TAGS if kind == "tag" else BRANCHES) + name
        bad = name.startswith("-") or name in ("HEAD", "@") or not name.isprintable()
        if bad or not is_ref_name(ref):
            raise InvalidInput(f"not a {kind} name: {name!r}", "letters, digits, '-', '_', '.' and '/' are safe")
        lengths = [len(part.encode()) for part in name.split("/")]
        if max(lengths) > _LONGEST_PART or sum(lengths) > _LONGEST_NAME:
            allowed = f"{_LONGEST_PART} bytes are allowed between two '/', and {_LONGEST_NAME:,} in all"
            raise InvalidInput(f"the {kind} name {name[:20]!r}… is too long", allowed)
        if self._git.folds_case:
            self.require_own_file(kind, name)
        return ref

    def create(self, kind: str, name: str, commit: Oid) -> None:
        """Create a branch or tag that does not exist yet. Hold the writer lock, else a purge does not see it.

        Raises:
            Conflict: it exists, or the commit was purged meanwhile.
        """
        ref = self.check_name(kind, name)
        if self.read(ref) is None:
            self.insist_absent(ref)
        if rival := self.rival(ref):
            raise Conflict(f"{kind} {name!r} conflicts with {rival!r}", "'a' and 'a/b' cannot both be names")
        if not self.update(ref, commit, None, f"{kind}: created"):
            raise taken(kind, name)

    def delete(self, kind: str, name: str) -> Oid:
        """Delete a branch or tag and return where it pointed.

        Raises:
            NotFound: there is none.
        """
        ref = self.check_name(kind, name)
        old = self.read(ref)
        if old is None:
            raise NotFound(f"no {kind} named {name!r}", f"'memoir {kind}' lists them", revision=name)
        if not self.update(ref, None, old, f"{kind}: deleted"):
            raise Conflict(f"{kind} {name!r} moved while it was being deleted", "try again")
        return old

    def drop(self, prefix: str) -> None:
        """Delete every ref under a prefix, the symbolic ones included."""
        from memoir.git.lock import try_past_stale_locks

        names = output_lines(self._git.read("for-each-ref", "--format=%(refname)", prefix))
        orders = "".join(f"delete {name}\n" for name in names).encode()
        command = ("update-ref", "--no-deref", "--stdin")
        done = try_past_stale_locks(self._git.git_dir, lambda: self._git.try_run(*command, stdin=orders))
        if done.returncode:
            raise failure("update-ref", done.stderr)

    def rival(self, ref: str) -> str | None:
        """The short name of a ref that leaves no room for another: one that it continues, or that continues it."""
        kind, _, name = ref.removeprefix("refs/").partition("/")
        above = [name[:place] for place, char in enumerate(name) if char == "/"]
        heads = [head for head in above if self.read(f"refs/{kind}/{head}")]
        below = [f"{name}/{inner}" for inner in self.list(f"{ref}/")]
        return next(iter([*heads, *below]), None)


def _require_folder(error: OSError) -> None:
    """Go on where a folder is missing, whose refs git has packed or deleted, and nowhere else."""
    if not isinstance(error, FileNotFoundError):
        raise error
