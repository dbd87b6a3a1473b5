"""The results of an exchange with a remote: a fetch, a pull, or a push."""

from typing import NamedTuple

from memoir.memory.merge import MergeResult
from memoir.store import remote
from memoir.store.layout import RemotePlace


class FetchResult(NamedTuple):
    """Where a remote keeps memory, and its branches that moved."""

    place: RemotePlace
    moves: list[remote.FetchedBranch]


class PullResult(NamedTuple):
    """Where a remote keeps memory, the branch merged into, the remote's branches that moved, and how the merge went."""

    place: RemotePlace
    branch: str
    moves: list[remote.FetchedBranch]
    merge: MergeResult


class PushResult(NamedTuple):
    """Where a remote keeps memory, and the name of each of its refs with the result."""

    place: RemotePlace
    results: list[tuple[str, str]]
