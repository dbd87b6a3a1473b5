"""The choice of the branch that is worked on.

With `memoir.branch.follow`, it follows the code beside the store: then it is the branch with the name of the code's.
"""

import os
import re
from pathlib import Path

from memoir.errors import InvalidInput
from memoir.git.git import around, output_lines
from memoir.git.ref_names import BRANCHES
from memoir.store.locate import find, only_line, path_in


class Selection:
    """The branch for reads and writes that name none.

    Two processes, or two open stores in one process, may select different branches: the choice is never stored.

    Raises:
        InvalidInput: the name is empty.
    """

    def __init__(
        self, branch: str | None = None, by: str = "HEAD", begins: bool = False, start: str | None = None
    ) -> None:
        if branch == "":
            raise InvalidInput("an empty name is no branch", "leave the branch out for the current one")
        self.branch = branch
        """Its short name; None for the branch that HEAD names."""
        self.by = by
        """What chose it, in the user's terms: `HEAD`, `--branch`, `MEMOIR_BRANCH`."""
        self.begins = begins
        """Whether the branch may be missing: the first write creates it at another branch, which reads see until
        then."""
        self.start = start
        """That other branch; HEAD's if None, or if it does not exist."""


FOLLOW = "memoir.branch.follow"
"""The setting that makes a store's branch follow that of the code beside it."""

HEAD = Selection()
"""The default selection: the branch that HEAD names."""

# 'HEAD' and '@' at the start of a revision, or nothing before '@{...}'; not '@{-1}', an earlier branch of HEAD.
_HEAD_FIRST = r"(?:HEAD|@)(?=[~^]|$)|(?:HEAD)?(?=@\{(?!-))"
_SHORT_NAME_ONLY = ("@{u}", "@{upstream}", "@{push}")


def on_branch(revision: str, branch: str) -> str:
    """A revision with a leading `HEAD` or `@` read as the tip of a branch: `HEAD~1` on `a` is `refs/heads/a~1`."""
    match = re.match(_HEAD_FIRST, revision)
    if not match:
        return revision
    rest = revision[match.end() :]
    return (branch if rest.startswith(_SHORT_NAME_ONLY) else BRANCHES + branch) + rest


TRUNK = "main"
"""The branch at which branches that follow the code are created."""
_TRUNKS = ("refs/remotes/origin/HEAD", BRANCHES + "main", BRANCHES + "master")
"""The branch into which the code's branches are merged: the first of these that exists."""


def selection(git_dir: Path, folder: str | os.PathLike[str] | None = None) -> Selection:
    """The store's branch with the name of the code's branch; HEAD's branch if the code is on none.

    Args:
        git_dir: The store's git directory.
        folder: The folder of the work, such as a linked worktree; by default the current directory. It counts only if
            its store is this one.
    """
    here = Path(folder or os.getcwd())
    if (own := find(here)) is None or not os.path.samefile(own, git_dir):
        here = git_dir.parent
    name = code_branch(here)
    return Selection(name, FOLLOW, begins=True, start=TRUNK) if name else HEAD


def code_branch(folder: Path) -> str | None:
    """The branch of the code around a folder; None if it is on none, or there is no code."""
    for each in (folder, *folder.parents):
        git_dir = each / ".git" if (each / ".git").is_dir() else path_in(each / ".git", "gitdir: ")
        if git_dir and (line := only_line(git_dir / "HEAD")) is not None:
            head = line.decode("utf-8", "replace")
            name = head.removeprefix("ref: " + BRANCHES)
            return name if name != head and name != ".invalid" else _ask_git(each)
    return None


def _ask_git(folder: Path) -> str | None:
    """The branch according to git; in a repository of git's newest format, the HEAD file does not name it."""
    answer = around(folder, "symbolic-ref", "-q", "HEAD")
    name = answer.stdout.decode("utf-8", "replace").removesuffix("\n").removeprefix(BRANCHES)
    return None if answer.returncode else name


def find_landed(folder: Path) -> set[str]:
    """The finished branches of the code around a folder: merged, or with an upstream that is gone.

    After a squash merge, only the missing upstream shows it. A branch that is checked out, or that never had a commit
    of its own, does not count.
    """
    trunk = next((ref for ref in _TRUNKS if not _git(folder, "rev-parse", "-q", "--verify", ref)[0]), None)
    refs_in_trunk = {row[0] for row in _rows(folder, f"--merged={trunk}")} if trunk else set()
    branches = set()
    for ref, track, worktree in _rows(folder):
        if not worktree and ref != trunk and (track == "[gone]" or (ref in refs_in_trunk and _has_grown(folder, ref))):
            branches.add(ref.removeprefix(BRANCHES))
    return branches


def _rows(folder: Path, *options: str) -> list[list[str]]:
    form = "--format=%(refname)%09%(upstream:track)%09%(worktreepath)"
    return [line.split("\t", 2) for line in _git(folder, "for-each-ref", form, *options, BRANCHES)[1]]


def _has_grown(folder: Path, ref: str) -> bool:
    """Whether a branch has moved since it was created."""
    return not _git(folder, "rev-parse", "-q", "--verify", ref + "@{1}")[0]


def _git(folder: Path, *arguments: str) -> tuple[int, list[str]]:
    done = around(folder, *arguments)
    return done.returncode, output_lines(done.stdout)


IN_USERS_STORE = Selection(by="the user's store")
"""The branch in the user's own store: always that of its HEAD, whatever is selected for a project's store."""
