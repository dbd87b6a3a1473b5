"""The answers of `serve` and `ui`: where the server listens."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from memoir.answers.answer import Answer, Line, line
from memoir.errors import ExitCode

if TYPE_CHECKING:
    from memoir.answers.contract import explorer as types


class Endpoint(NamedTuple):
    """The address of a server, and the token that it requires."""

    host: str
    port: int
    token: str

    @property
    def url(self) -> str:
        """The address of the explorer, without the token."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.port}/"

    @property
    def link(self) -> str:
        """The address that a browser opens once, with the token."""
        return f"{self.url}?token={self.token}"


def listening(
    endpoint: Endpoint, store: str, run: Callable[[], ExitCode], *, read_only: bool, opened: bool | None = None
) -> Answer:
    """`serve` and `ui`: the address, printed as soon as the server listens; `run` serves until it ends.

    `opened` is for `ui` alone: whether a browser was asked to show the address.
    """
    server: types.Server = {
        "url": endpoint.url,
        "link": endpoint.link,
        "host": endpoint.host,
        "port": endpoint.port,
        "token": endpoint.token,
        "store": store,
        "read_only": read_only,
    }

    def human() -> Iterable[Line]:
        yield line((endpoint.link, "bold"))

    def notes() -> Iterable[Line]:
        yield line(f"serving {store}{', read-only' if read_only else ''}; Ctrl-C ends it")
        if opened is False:
            yield line("open the link in a browser: it holds the token, and works until the server ends")

    data: types.Server | types.Explorer = server if opened is None else {**server, "opened": opened}
    return Answer(data, human, notes=notes, finish=run)
