"""Branches and tags: names, and updates by compare-and-swap."""

from typing import TYPE_CHECKING, NamedTuple

from memoir.errors import Conflict, DamagedStore, GitError, InvalidInput, NotFound
from memoir.store.git import Git, damage, failure, require_writable

if TYPE_CHECKING:
    from memoir.store.commit import CommitId

BRANCHES, TAGS, REMOTES = "refs/heads/", "refs/tags/", "refs/remotes/"


class Ref(NamedTuple):
    """A short name (`main`, `v1`, `origin/main`) and the commit it points at."""

    name: str
    commit: "CommitId"


class Refs:
    """The refs of one repository. Every update is a compare-and-swap through `git update-ref`."""

    def __init__(self, git: Git, id_size: int) -> None:
        self._git = git
        self._zero = "0" * (2 * id_size)

    @property
    def current(self) -> str | None:
        """The branch HEAD names (it may have no commit yet), or None if HEAD is detached.

        Raises:
            DamagedStore: HEAD is neither.
        """
        head = (self._git.git_dir / "HEAD").read_text("utf-8", "replace").strip()
        name = head.removeprefix("ref: " + BRANCHES)
        if name != head and name.isprintable() and name:
            return name
        if len(head) == len(self._zero) and set(head) <= set("0123456789abcdef"):
            return None
        raise DamagedStore("the store's HEAD names no branch", "its file HEAD should read 'ref: refs/heads/main'")

    def switch(self, branch: str) -> None:
        """Make HEAD name a branch, whether or not it has commits."""
        require_writable(self._git.git_dir)
        self._git.run("symbolic-ref", "-m", f"checkout: moving to {branch}", "HEAD", BRANCHES + branch)

    def list(self, prefix: str) -> list[Ref]:
        """The refs under a prefix such as `refs/heads/`, sorted by name; annotated tags are peeled."""
        target = "%(*objectname)" if prefix == TAGS else ""  # peeling reads objects, which may be damaged
        done = self._git.try_run("for-each-ref", f"--format=%(refname)%00%(objectname)%00{target}%00%(symref)", prefix)
        if done.returncode or done.stderr:  # git only warns of a ref's file that is broken
            raise damage("for-each-ref", done.stderr)
        rows = [line.split("\0") for line in done.stdout.decode("utf-8", "replace").splitlines()]
        return [Ref(name.removeprefix(prefix), peeled or oid) for name, oid, peeled, symbolic in rows if not symbolic]

    def read(self, ref: str) -> "CommitId | None":
        """The id a full ref name holds, or None."""
        done = self._git.try_run("rev-parse", "--verify", "--quiet", "--end-of-options", ref)
        return done.stdout.decode().strip() or None

    def update(self, ref: str, new: "CommitId | None", old: "CommitId | None", reason: str) -> bool:
        """Move a ref from `old` to `new` (None: no such ref); False if it is no longer at `old`.

        Raises:
            GitError: git could not write, though the ref is where it was expected.
        """
        require_writable(self._git.git_dir)
        args = ["update-ref", "-m", reason.split("\n")[0][:200], "--create-reflog"]
        args += [ref, new, old or self._zero] if new else ["-d", ref, old or self._zero]
        for attempt in range(2):
            done = self._git.try_run(*args)
            if done.returncode == 0:
                return True
            # What went wrong is read off the ref itself, not off git's words.
            if self.read(ref) != old:
                return False
            from memoir.store.lock import remove_stale_ref_lock

            if attempt or not remove_stale_ref_lock(self._git.git_dir, ref):
                break
        raise failure("update-ref", done.stderr)

    def check_name(self, kind: str, name: str) -> str:
        """Return the full ref name of a well-formed branch or tag name.

        Raises:
            InvalidInput: git would not accept the name.
        """
        ref = (TAGS if kind == "tag" else BRANCHES) + name
        bad = name.startswith("-") or name in ("HEAD", "@") or not name.isprintable()
        if bad or self._git.try_run("check-ref-format", ref).returncode:
            raise InvalidInput(f"not a {kind} name: {name!r}", "letters, digits, '-', '_', '.' and '/' are safe")
        return ref

    def create(self, kind: str, name: str, commit: "CommitId") -> None:
        """Create a branch or tag that does not exist yet.

        Raises:
            Conflict: it exists.
        """
        ref = self.check_name(kind, name)
        try:
            created = self.update(ref, commit, None, f"{kind}: created")
        except GitError as error:
            raise Conflict(f"a {kind} named {name!r} cannot stand beside those that exist", error.message) from None
        if not created:
            raise Conflict(
                f"a {kind} named {name!r} already exists", f"choose another name, or 'memoir {kind} -d {name}'"
            )

    def delete(self, kind: str, name: str) -> "CommitId":
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

    def rename(self, old: str, new: str) -> None:
        """Rename a branch, its reflog included; HEAD follows.

        Raises:
            NotFound, Conflict, InvalidInput: no such branch, the new name is taken, or malformed.
        """
        source, target = self.check_name("branch", old), self.check_name("branch", new)
        if self.read(source) is None:
            raise NotFound(f"no branch named {old!r}")
        if self.read(target) is not None:
            raise Conflict(f"a branch named {new!r} already exists")
        require_writable(self._git.git_dir)
        self._git.run("branch", "-m", old, new)
