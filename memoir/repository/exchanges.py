"""The results of an exchange with a remote: a fetch, a pull, or a push."""

from typing import NamedTuple

from memoir.exchange import fetch
from memoir.exchange.layout import RemotePlace
from memoir.exchange.merge import MergeResult


class FetchResult(NamedTuple):
    """The result of a fetch.

    Attributes:
        place: Where the remote keeps memory.
        moves: Its branches that moved.
    """

    place: RemotePlace
    moves: list[fetch.FetchedBranch]


class PullResult(NamedTuple):
    """The result of a pull.

    Attributes:
        place: Where the remote keeps memory.
        branch: The branch merged into.
        moves: The remote's branches that moved.
        merge: How the merge went.
    """

    place: RemotePlace
    branch: str
    moves: list[fetch.FetchedBranch]
    merge: MergeResult


class PushResult(NamedTuple):
    """The result of a push.

    Attributes:
        place: Where the remote keeps memory.
        results: The name of each of its refs with the result.
    """

    place: RemotePlace
    results: list[tuple[str, str]]
