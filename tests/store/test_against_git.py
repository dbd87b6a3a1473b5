"""memoir against git itself: the same history as plain files, one for each key, must give the same answers."""

import subprocess
import tempfile
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from hypothesis import event, given, settings
from hypothesis import strategies as st
from support import contents, write

from memoir.git.objects import Oid
from memoir.index.commits import CommitTable
from memoir.store import history, transaction
from memoir.store.create import create
from memoir.store.snapshot import Snapshot
from memoir.store.store import Store
from memoir.store.three_way import Clash, UndecidedKey, merge_bases, merge_trees
from memoir.store.transaction import Change
from memoir.tree.tree import Delta, diff

KEYS = [f"default=k{number}" for number in range(150)]
WATCHED = KEYS[:3]
EDITS = st.dictionaries(
    st.sampled_from([*WATCHED * 10, *KEYS]),
    st.none() | st.sampled_from(["1", "2", "3"]),
    min_size=1,
    max_size=8,
)
BRANCHES = st.sampled_from(["main", "side"])
Step = tuple[str, dict[str, str | None] | None]
STEPS = st.lists(st.tuples(BRANCHES, EDITS | st.none()), min_size=5, max_size=12)
"""On a branch, an edit, or a merge of the other branch."""


class Merge(NamedTuple):
    """A merge of two commits: the keys that both changed differently, or the commit that it made."""

    ours: Oid
    theirs: Oid
    conflicts: set[str]
    result: Oid | None = None


class PlainGit:
    """Commits with one file for each key, by the ids that they have in a store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[Oid, str] = {}
        self.ids: dict[Oid, str] = {}
        self.run("init", "-q", "--bare")

    def run(self, *args: str, data: bytes = b"", ok: Sequence[int] = (0,)) -> list[str]:
        """Run git and return what it prints, cut at each zero byte."""
        argv = ["git", f"--git-dir={self.folder}", "-c", "merge.renames=false", *args]
        done = subprocess.run(argv, input=data, capture_output=True, check=False)
        assert done.returncode in ok, done.stderr
        return done.stdout.decode().split("\0")[:-1]

    def add(self, store: Store, ids: Sequence[Oid]) -> None:
        """Make some commits of a store again, parents first."""
        stream = b""
        for number, commit in enumerate(store.commits(ids), 1):
            self.names[commit.id] = f"refs/commits/{number}"
            stream += f"commit {self.names[commit.id]}\nmark :{number}\n".encode()
            stream += b"committer T <t@example.org> 0 +0000\ndata 0\n"
            for verb, parent in zip(("from", "merge"), commit.parents, strict=False):
                stream += f"{verb} :{ids.index(parent) + 1}\n".encode()
            stream += b"deleteall\n"
            for key, value in contents(store, str(commit.id)).items():
                stream += f"M 100644 inline {key}\ndata {len(value)}\n{value}\n".encode()
        self.run("fast-import", "--quiet", data=stream)
        rows = self.run("for-each-ref", "--format=%(refname) %(objectname)%00", "refs/commits/")
        by_name = dict(row.strip().split(" ") for row in rows)
        self.ids = {commit: by_name[name] for commit, name in self.names.items()}

    def diff(self, old: Oid, new: Oid) -> list[Delta]:
        """The files that differ between two commits."""
        words = self.run("diff-tree", "-r", "-z", "--no-abbrev", "--no-renames", self.names[old], self.names[new])
        pairs = zip(words[::2], words[1::2], strict=True)
        return [Delta(name.encode(), *map(_oid, fields.split(" ")[2:4])) for fields, name in pairs]

    def log(self, tip: Oid, key: str) -> set[str]:
        """The commits that changed a file, by git's own simplification of histories."""
        return set(self.run("log", "-z", "--format=%H", self.names[tip], "--", key))

    def changes(self, tip: Oid, key: str) -> set[str]:
        """The commits in which a file differs from that of their first parent."""
        options = ("-z", "--full-history", "--diff-merges=first-parent", "--name-only", "--format=%H")
        words = self.run("log", *options, self.names[tip], "--", key)
        return {word for word, name in pairwise(words) if name.strip() == key}

    def merge(self, ours: Oid, theirs: Oid) -> tuple[str, set[str]]:
        """The tree of a merge, and the files in conflict."""
        options = ("merge-tree", "--write-tree", "-z", "--no-messages", "--name-only")
        tree, *names = self.run(*options, self.names[ours], self.names[theirs], ok=(0, 1))
        return tree, set(names)

    def tree(self, commit: Oid) -> str:
        """The tree of a commit."""
        return self.run("log", "-1", "-z", "--format=%T", self.names[commit])[0]


def _oid(digits: str) -> Oid | None:
    return Oid.fromhex(digits) if digits.strip("0") else None


class History:
    """A history made of some steps in a store: its commits, parents first, and what its merges met."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.commits: list[Oid] = []
        self.merges: list[Merge] = []

    def follow(self, steps: Sequence[Step]) -> None:
        """Take some steps, each on one of two branches that begin at the first commit."""
        self.commits.append(write(self.store, {"default=first": "1"}).id)
        self.store.refs.create("branch", "side", self.commits[0])
        for branch, edits in steps:
            old = self.store.commit(branch).id
            if edits is None:
                self._merge(branch)
            elif edits != {key: contents(self.store, branch).get(key) for key in edits}:
                write(self.store, edits, branch=branch)
            new = self.store.commit(branch).id
            self.commits += [new] if new != old and new not in self.commits else []

    def _merge(self, branch: str) -> None:
        ours, theirs = (self.store.commit(name).id for name in (branch, "side" if branch == "main" else "main"))
        bases = merge_bases(self.store, ours, theirs)
        if len(bases) > 1 or bases[0].id in (ours, theirs):
            return

        def change(head: Snapshot) -> Change | None:
            result = merge_trees(
                self.store, head, self.store.of(theirs).tree, [self.store.of(bases[0].id).tree], refuse
            )
            names = {clash.key.decode() for clash in result.clashes}
            self.merges.append(Merge(ours, theirs, names))
            return None if names else Change(result.edits.items(), "merge", further_parents=(theirs,))

        transaction.write(self.store, change, branch=branch, reason="merge")
        if not self.merges[-1].conflicts:
            self.merges[-1] = self.merges[-1]._replace(result=self.store.commit(branch).id)


def refuse(clash: Clash) -> bytes | None:
    raise UndecidedKey


@settings(max_examples=20)
@given(STEPS)
def test_memoir_and_git_tell_the_same_of_a_history(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as name, create(Path(name) / "store") as store:
        past = History(store)
        past.follow(steps)
        plain = PlainGit(Path(name) / "plain.git")
        plain.add(store, past.commits)

        compare_diffs(store, plain, past.commits)
        compare_logs(store, plain, past.commits)
        for merge in past.merges:
            tree, conflicts = plain.merge(merge.ours, merge.theirs)
            assert conflicts == merge.conflicts
            assert merge.result is None or tree == plain.tree(merge.result)
            event("conflict" if conflicts else "merge")


def compare_diffs(store: Store, plain: PlainGit, commits: Sequence[Oid]) -> None:
    for old, new in pairwise(commits):
        for one, two in ((old, new), (new, old)):
            assert list(diff(store.of(one).tree, store.of(two).tree)) == sorted(plain.diff(one, two))


def compare_logs(store: Store, plain: PlainGit, commits: Sequence[Oid]) -> None:
    """`blame` keeps to the versions that led to what is there, as git does by default; `log` has every change."""
    store.make_table = partial(CommitTable, store)
    for tip in commits[-2:]:
        for key in WATCHED:
            versions = list(history.versions(store, store.commit(str(tip)), key.encode()))
            assert {plain.ids[version.commit.id] for version in versions} == plain.log(tip, key)
            spans = [(key.encode(), key.encode() + b"\0")]
            touching = history.commits_touching(store, store.commit(str(tip)), spans)
            assert {plain.ids[commit.id] for commit in touching} == plain.changes(tip, key)
