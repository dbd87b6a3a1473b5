"""A small project in git with a store in it."""

from pathlib import Path

from support import git

from memoir.anchors.mark import AnchorState, Checker
from memoir.anchors.tie import tie
from memoir.anchors.working_tree import WorkingTree, working_tree
from memoir.records.anchor import with_anchors
from memoir.repository.repository import Repository

AUTH = """import os

def check(token):
    return token == os.environ["T"]

def other():
    pass
"""


def make(folder: Path, *, in_git: bool = True) -> None:
    """A file of code, and a store beside it."""
    (folder / "src").mkdir(parents=True)
    (folder / "src/auth.py").write_text(AUTH)
    if in_git:
        git("init", "--quiet", cwd=folder)
        commit(folder)
    Repository.init(folder).close()


def commit(folder: Path) -> None:
    """Commit all that is in the folder of a project."""
    git("add", "--all", cwd=folder)
    git("-c", "user.name=Tess", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "code", cwd=folder)


class CodeProject:
    """The project: its folder, and a store beside its code."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repository = Repository.open(folder)

    def write(self, file: str, text: str | bytes) -> None:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def commit(self) -> None:
        commit(self.folder)

    def tree(self) -> WorkingTree:
        found = working_tree(self.repository.store)
        assert found
        return found

    def anchor(self, spec: str) -> dict[str, object]:
        """The metadata of a memory that is about a file."""
        with self.tree() as tree:
            return with_anchors({}, tie(tree, [f"{self.folder}/{spec}"]))

    def state(self, metadata: dict[str, object]) -> AnchorState:
        with self.tree() as tree:
            (state,) = Checker(tree).check(metadata)
        return state
