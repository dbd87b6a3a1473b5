"""The answers of `serve` and `ui`."""

from typing import Annotated, TypedDict

from memoir.answers.contract import Schema


class Server(TypedDict):
    """A server, printed when it listens; the command goes on until the server ends."""

    url: str
    """The address of the explorer and, with `api/` behind it, of the API."""
    link: str
    """The address with the token, for a browser to open once."""
    host: str
    port: Annotated[int, Schema(minimum=1, maximum=65535)]
    token: str
    """The token that programs send as `Authorization: Bearer TOKEN`."""
    store: str
    """The git directory of the store."""
    read_only: bool
    """Whether it refuses every write."""


class Explorer(Server):
    """A server whose explorer is shown in a browser."""

    opened: bool
    """Whether a browser was asked to open the link."""


ANSWERS: dict[str, type] = {"serve": Server, "ui": Explorer}
