"""Which branch is worked on, and who chose it."""

import re
from typing import NamedTuple

from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES


class Selection(NamedTuple):
    """The branch that reads and writes mean when they name none.

    Two processes, or two stores open in one, may select different branches: nothing of it is written down.

    Attributes:
        branch: Its short name; None for the branch that HEAD names.
        by: Who chose it, in words a user knows: `HEAD`, `--branch`, `MEMOIR_BRANCH`.
        begins: It need not exist: the first write begins it where another branch is; reads see that one until then.
        start: The other branch; HEAD's if None, or if there is none of that name.
    """

    branch: str | None = None
    by: str = "HEAD"
    begins: bool = False
    start: str | None = None


class BegunBranch(NamedTuple):
    """A selected branch that a write has begun: its name, who selected it, and the commit that it began at."""

    name: str
    by: str
    commit: Oid


FOLLOW = "memoir.branch.follow"
"""The setting by which a store's branch follows that of the code beside it."""

HEAD = Selection()
"""What holds unless somebody chooses: the branch that HEAD names."""

# 'HEAD' and '@' at the start of a revision, or nothing before '@{...}'; not '@{-1}', a branch that HEAD named before.
_HEAD_FIRST = r"(?:HEAD|@)(?=[~^]|$)|(?:HEAD)?(?=@\{(?!-))"
_SHORT_NAME_ONLY = ("@{u}", "@{upstream}", "@{push}")


def on_branch(revision: str, branch: str) -> str:
    """A revision with a leading `HEAD` or `@` read as the tip of a branch: `HEAD~1` on `a` is `refs/heads/a~1`."""
    match = re.match(_HEAD_FIRST, revision)
    if not match:
        return revision
    rest = revision[match.end() :]
    return (branch if rest.startswith(_SHORT_NAME_ONLY) else BRANCHES + branch) + rest
