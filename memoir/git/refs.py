"""Branches and tags: names, and updates by compare-and-swap."""

import os
from contextlib import suppress

from memoir.errors import Conflict, DamagedStore, InvalidInput, NotFound
from memoir.git.git import Git, output_lines
from memoir.git.messages import damage, failure, purged_meanwhile, require_writable
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, HEX_DIGITS, REMOTES, TAGS, find_clash, head_branch, is_ref_name

_LONGEST_PART, _LONGEST_NAME = 250, 1000
"""The most bytes of a part and of a whole name. Each part is a file name, at most 255 bytes with git's `.lock`."""


def taken(kind: str, name: str) -> Conflict:
    """The error for the name of an existing branch or tag."""
    from shlex import quote

    way = f"'memoir checkout {quote(name)}' switches to it" if kind == "branch" else f"'memoir tag -d {quote(name)}'"
    return Conflict(f"a {kind} named {name!r} already exists", f"choose another name, or {way}")


class Refs:
    """The refs of one repository. Every update is a compare-and-swap through `git update-ref`."""

    def __init__(self, git: Git, id_size: int) -> None:
        self._git = git
        self._zero = "0" * (2 * id_size)

    def require_own_file(self, kind: str, name: str) -> None:
        """Refuse a name that shares the file of another branch or tag, because the file system ignores case.

        Raises:
            Conflict: there is such a branch or tag.
        """
        for other in self.list(TAGS if kind == "tag" else BRANCHES):
            if find_clash((other, name)):
                raise Conflict(
                    f"this file system cannot tell the {kind} {name!r} from {other!r}",
                    f"write {other!r} if you mean that one, else choose another name",
                )

    def suggest(self, name: str, creation: str | None = None) -> str:
        """A hint with the branch or tag nearest to a mistyped name, and the command to create the name."""
        from difflib import get_close_matches

        names = [name for prefix in (BRANCHES, TAGS, REMOTES) for name in self.list(prefix)]
        close = get_close_matches(name, names, 1)
        if close:
            return f"did you mean {close[0]!r}?" + (f" ({creation})" if creation else "")
        return creation or "'memoir branch' and 'memoir log' list what there is"

    @property
    def current(self) -> str | None:
        """The branch in HEAD; see `head_branch`."""
        return head_branch(self._git.git_dir, len(self._zero) // 2)

    def switch(self, branch: str) -> None:
        """Make HEAD name a branch, whether or not it has commits.

        Like `git symbolic-ref`, but flushes the new HEAD before it replaces the old one.
        """
        from memoir.git.fsync import settle
        from memoir.git.lock import rewriting

        git_dir, before = self._git.git_dir, self.current or "HEAD"
        require_writable(git_dir)
        old, new = self.read("HEAD"), self.read(BRANCHES + branch)
        with rewriting(git_dir / "HEAD") as draft:
            draft.write_text(f"ref: {BRANCHES}{branch}\n", "utf-8")
        if new:
            with suppress(OSError):  # only 'checkout -' needs it
                self._note(old, new, f"checkout: moving from {before} to {branch}")  # '@{-1}' reads git's words
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
        """The previous branch in HEAD.

        Raises:
            NotFound: there was none.
        """
        done = self._git.try_run("rev-parse", "--symbolic-full-name", "@{-1}")
        ref = done.stdout.decode("utf-8", "replace").strip()
        if done.returncode or not ref.startswith(BRANCHES):
            raise NotFound("no branch was checked out before this one", "'memoir branch' lists them", revision="-")
        return ref.removeprefix(BRANCHES)

    def list(self, prefix: str) -> dict[str, Oid]:
        """The commits of the refs under a prefix such as `refs/heads/`, sorted by the rest of their names.

        Annotated tags are peeled.
        """
        if prefix != TAGS and (plain := self._list_files(prefix)) is not None:
            return plain
        target = "%(*objectname)" if prefix == TAGS else ""  # peeling reads objects, which may be damaged
        done = self._git.try_run("for-each-ref", f"--format=%(refname)%00%(objectname)%00{target}%00%(symref)", prefix)
        if done.returncode or done.stderr:  # git only warns about a broken ref file
            raise self._git.loss(damage("for-each-ref", done.stderr, self._git.git_dir))
        rows = [line.split("\0") for line in output_lines(done.stdout)]
        pairs = [(name.removeprefix(prefix), commit or oid) for name, oid, commit, symbolic in rows if not symbolic]
        return {name: Oid.fromhex(oid) for name, oid in pairs}

    def _list_files(self, prefix: str) -> dict[str, Oid] | None:
        """As `list`, without git; None if a file has anything but names and ids."""
        top, texts = os.path.join(self._git.git_dir, prefix), dict[str, str]()
        try:
            for parent, _, names in os.walk(top, onerror=_require_folder):
                start = os.path.join(prefix, parent[len(top) :], "")
                texts |= {start + name: self._read_text(start + name) for name in names if not name.endswith(".lock")}
            # Read last: git packs a ref before it removes the file.
            packed = self._read_text("packed-refs").split("\n")
        except OSError:
            return None
        for oid, _, ref in (line.partition(" ") for line in packed if line and line[0] not in "#^"):
            texts.setdefault(ref, oid)
        if not all(self._is_id(oid) and ref.isprintable() and is_ref_name(ref) for ref, oid in texts.items()):
            return None
        return {ref.removeprefix(prefix): Oid.fromhex(texts[ref]) for ref in sorted(texts) if ref.startswith(prefix)}

    def branches(self) -> dict[str, Oid]:
        """The commits of all branches; raises DamagedStore if one is lost."""
        refs = self.list(BRANCHES)
        logs = self._git.git_dir / "logs" / BRANCHES
        for parent, _, names in os.walk(logs):
            for name in sorted(os.path.relpath(os.path.join(parent, name), logs) for name in names):
                if name not in refs and not name.endswith(".lock"):
                    self.insist_absent(BRANCHES + name)
        return refs

    def elsewhere(self) -> str | None:
        """The branch to use if HEAD's has no commit: `main`, else the first one; None if there is none."""
        return min(self.branches(), key=lambda name: (name != "main", name), default=None)

    def insist_absent(self, ref: str) -> None:
        """Raise an error if a missing ref is lost, rather than never created.

        Raises:
            DamagedStore: it has a log, so it is lost; the message names its last commit.
        """
        from memoir.git.reflog import find_loss

        move = find_loss(self._git.git_dir, ref)
        if move and self.read(ref) is None:  # `main~99` may name nothing although its branch exists
            name = ref.removeprefix(BRANCHES)
            raise DamagedStore(
                f"branch {name!r} is missing; it was last at commit {move.new}",
                "'memoir fsck --repair' brings it back",
            )

    def read(self, ref: str) -> Oid | None:
        """The id of a full ref name or HEAD, or None; git is started only if the files do not have it."""
        with suppress(OSError):
            name = self._read_text("HEAD").removeprefix("ref: ") if ref == "HEAD" else ref
            text = self._read_text(name) if is_ref_name(name) else "?"
            if self._is_id(text):
                return Oid.fromhex(text)
            if not text and f" {name}\n" not in self._read_text("packed-refs") + "\n":
                return None
        done = self._git.try_run("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        text = done.stdout.decode().strip()
        return Oid.fromhex(text) if text.isalnum() else None

    def update(self, ref: str, new: Oid | None, old: Oid | None, reason: str) -> bool:
        """Move a ref from `old` to `new` (None: no such ref); False if it is no longer at `old`.

        Before this returns, the ref has been read back and its log is on disk.

        Raises:
            GitError: git could not write, although the ref is at `old`.
            Conflict: the new commit was purged meanwhile.
        """
        from memoir.git.lock import remove_stale_locks

        require_writable(self._git.git_dir)
        args = ["update-ref", "-m", reason.split("\n")[0][:200], "--create-reflog"]
        before = str(old or self._zero)
        # Of a symbolic ref, only the name is deleted, not the branch that it names.
        args += [ref, str(new), before] if new else ["--no-deref", "-d", ref, before]
        log_size = self._log_size(ref)
        for attempt in range(2):
            done = self._git.try_run(*args)
            # The outcome is read from the ref itself, not from git's messages.
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
        """Remove the log of a deleted ref, and flush the ref and its log."""
        if new is None:
            self._drop_log(ref)
        try:
            self._flush_ref(ref, is_moved=bool(old and new))
        except OSError as error:
            self._take_back(ref, new, old, log_size, error)
            raise

    def _log_size(self, ref: str) -> int:
        try:
            return (self._git.git_dir / "logs" / ref).stat().st_size
        except OSError:
            return 0

    def _cut_log(self, ref: str, size: int) -> None:
        """Remove git's log line of a failed move: 'undo' and 'fsck' would believe it."""
        log = self._git.git_dir / "logs" / ref
        with suppress(OSError):
            os.truncate(log, size) if size else log.unlink()

    def _take_back(self, ref: str, new: Oid | None, old: Oid | None, log_size: int, error: OSError) -> None:
        """Undo a move that the disk does not confirm.

        Raises:
            Unsettled: this fails, too, or the ref was deleted: the change stands.
        """
        from memoir.git.fsync import Unsettled

        args = ["update-ref", ref, str(old), str(new)] if old else ["update-ref", "-d", ref, str(new)]
        if new is None or self._git.try_run(*args).returncode:
            raise Unsettled(error) from error
        self._cut_log(ref, log_size)

    def _drop_log(self, ref: str) -> None:
        """Remove or empty the log of a deleted ref; git may leave it, and it would look like a loss."""
        log = self._git.git_dir / "logs" / ref
        try:
            log.unlink(missing_ok=True)
        except OSError:
            with suppress(FileNotFoundError):
                os.truncate(log, 0)

    def drop_orphaned_logs(self, prefix: str) -> None:
        """Drop the logs under a prefix, such as a remote's, that have no refs."""
        top = self._git.git_dir / "logs" / prefix
        paths = [os.path.join(parent, name) for parent, _, names in os.walk(top) for name in names]
        names = [name for name in (os.path.relpath(path, top) for path in paths) if not name.endswith(".lock")]
        bare = [name for name in names if not (self._git.git_dir / prefix / name).is_file()]
        for name in set(bare).difference(self.list(prefix) if bare else ()):
            self._drop_log(prefix + name)

    def _is_id(self, text: str) -> bool:
        return len(text) == len(self._zero) and text != self._zero and set(text) <= HEX_DIGITS

    def _read_text(self, name: str) -> str:
        """The text of a file of the store; empty if it is missing."""
        try:
            with open(os.path.join(self._git.git_dir, name), "rb", 0) as file:  # unbuffered: faster, for thousands
                return file.read().decode("utf-8", "surrogateescape").strip()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return ""

    def _flush_ref(self, ref: str, *, is_moved: bool) -> None:
        from memoir.git.fsync import sync

        git_dir = self._git.git_dir
        log = git_dir / "logs" / ref
        # Creating or deleting a ref may create or delete its folders, so those above are flushed, too.
        depth = 1 if is_moved else ref.count("/") + 1
        folders = [folder for path in (git_dir / ref, log) for folder in list(path.parents)[:depth]]
        sync(log, *folders)

    def check_name(self, kind: str, name: str) -> str:
        """Return the full ref name of a well-formed branch or tag name.

        Raises:
            InvalidInput: git would not accept the name, or it is too long for a file.
            Conflict: on this file system it shares the file of another one.
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
        """Create a new branch or tag. Hold the writer lock, so that a purge does not miss it.

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
        """Delete a branch or tag and return its commit.

        Raises:
            NotFound: there is no such branch or tag.
        """
        ref = self.check_name(kind, name)
        old = self.read(ref)
        if old is None:
            raise NotFound(f"no {kind} named {name!r}", f"'memoir {kind}' lists them", revision=name)
        if not self.update(ref, None, old, f"{kind}: deleted"):
            raise Conflict(f"{kind} {name!r} moved while it was being deleted", "try again")
        return old

    def drop(self, prefix: str) -> None:
        """Delete every ref under a prefix, including symbolic ones."""
        from memoir.git.lock import try_past_stale_locks

        names = output_lines(self._git.read("for-each-ref", "--format=%(refname)", prefix))
        orders = "".join(f"delete {name}\n" for name in names).encode()
        command = ("update-ref", "--no-deref", "--stdin")
        done = try_past_stale_locks(self._git.git_dir, lambda: self._git.try_run(*command, stdin=orders))
        if done.returncode:
            raise failure("update-ref", done.stderr)

    def rival(self, ref: str) -> str | None:
        """The short name of a ref that conflicts with another, like `a` with `a/b`; None without one."""
        kind, _, name = ref.removeprefix("refs/").partition("/")
        above = [name[:position] for position, char in enumerate(name) if char == "/"]
        heads = [head for head in above if self.read(f"refs/{kind}/{head}")]
        below = [f"{name}/{inner}" for inner in self.list(f"{ref}/")]
        return next(iter([*heads, *below]), None)


def _require_folder(error: OSError) -> None:
    """Ignore a missing folder, whose refs git has packed or deleted; raise any other error."""
    if not isinstance(error, FileNotFoundError):
        raise error
