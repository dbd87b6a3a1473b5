"""The status of a store: its branch, its remotes and how much it holds."""

from collections.abc import Mapping
from typing import NamedTuple

from memoir.exchange.remote_health import read_contact
from memoir.exchange.remotes import layout_key, remotes, without_credentials
from memoir.git.objects import Oid
from memoir.git.ref_names import BRANCHES, REMOTES
from memoir.memory.read import count_below
from memoir.memory.survey import summarize
from memoir.store import ancestry
from memoir.store.ancestry import count_commits
from memoir.store.commit import Commit
from memoir.store.store import Store
from memoir.taxonomy.paths import INBOX, Address


class RemoteStatus(NamedTuple):
    """A remote, and the number of commits that the current branch is ahead of and behind it; None before a fetch.

    `trouble` says since when it has not answered, or why the last automatic sync failed; None if that succeeded.
    `surplus` has the numbers of objects and of new objects in its last answer to a fetch, if it sent far too many.
    """

    name: str
    url: str
    ahead: int | None
    behind: int | None
    trouble: str | None = None
    surplus: tuple[int, int] | None = None


class BranchChoice(NamedTuple):
    """The selected branch."""

    branch: str | None
    """Its name; None with a detached HEAD."""
    by: str
    """What selected it: an option, a variable, or `HEAD`."""
    begun: bool
    """Whether the branch has a commit."""
    head: str | None
    """The branch of HEAD."""
    start: str | None
    """The branch from which the first write creates it, if it does not exist yet."""
    elsewhere: str | None = None
    """A branch with commits if HEAD's has none, as in a clone by git of a hub without a `master`."""


class Status(NamedTuple):
    """The answer of `memoir status`. `root` identifies the snapshot: stores with equal memories have equal roots."""

    path: str
    branch: str | None
    commit: Commit | None
    commit_count: int
    memories: int
    """The number of paths with memories of the user, as in a survey."""
    namespaces: dict[str, int]
    apart: Mapping[str, str]
    """The namespaces whose paths are not counted, with what each holds."""
    root: Oid | None
    remotes: list[RemoteStatus]
    selection: BranchChoice
    captures: bool = False
    """Whether texts of sessions from hosts are kept (`memoir capture`)."""
    inbox: int = 0
    """The number of these paths in the inbox."""


def choice(store: Store) -> BranchChoice:
    """Describe the current branch of a store."""
    head = store.refs.current
    branch = store.selection.branch or head
    has_begun = branch is not None and store.resolve(BRANCHES + branch) is not None
    start = store.selection.start
    start_exists = start is not None and store.resolve(BRANCHES + start) is not None
    elsewhere = None if has_begun or store.selection.branch else store.refs.elsewhere()
    return BranchChoice(branch, store.selection.by, has_begun, head, start if start_exists else head, elsewhere)


def status(store: Store) -> Status:
    """Describe the selected branch and its remotes."""
    head = store.at(None)
    survey = summarize(head)
    selection = choice(store)
    branch = selection.branch
    commit = head.commit
    return Status(
        path=str(store.git_dir),
        branch=branch,
        commit=commit,
        commit_count=count_commits(store, commit.id) if commit else 0,
        memories=survey.total,
        namespaces=survey.namespaces,
        apart=survey.apart,
        root=commit.tree if commit else None,
        remotes=[
            RemoteStatus(
                name, without_credentials(url), *_distance(store, name, branch, commit), *_last_talk(store, name)
            )
            for name, url in remotes(store).items()
        ],
        selection=selection,
        inbox=sum(count_below(head, Address(name, INBOX)) for name in survey.namespaces.keys() - survey.apart.keys()),
    )


def _last_talk(store: Store, remote: str) -> tuple[str | None, tuple[int, int] | None]:
    last = read_contact(store, remote)
    return last.trouble("it") or None, (last.received, last.needed) if last.sends_too_much else None


def _distance(store: Store, remote: str, branch: str | None, commit: Commit | None) -> tuple[int | None, int | None]:
    """The distance of the branch from the remote's; None for a remote not contacted since its address changed."""
    is_known = branch and layout_key(remote) in store.settings
    theirs = store.resolve(f"{REMOTES}{remote}/{branch}") if is_known else None
    if theirs is None or commit is None:
        return None, None
    return ancestry.ahead_behind(store, commit.id, theirs.id)
