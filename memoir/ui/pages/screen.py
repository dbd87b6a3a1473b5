"""The common parts of pages: the store, the viewed branch, revision and namespace, and the last action's notice."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from memoir.answers.answer import Line
from memoir.answers.differences import record_changes
from memoir.errors import MemoirError
from memoir.git.objects import Oid
from memoir.git.ssh_signatures import SignatureCheck
from memoir.records.record import Record
from memoir.repository.repository import Repository
from memoir.store.commit import Commit
from memoir.taxonomy.paths import DEFAULT_NAMESPACE, Address, MemoryAddress
from memoir.ui.rendering import COOKIE, html, read_notice
from memoir.ui.served_store import Pending, ServedStore, entity_tag

_MOST_BRANCHES = 200
_MOST_NAMESPACES = 100
"""The most choices that a page offers; others can be written into its URL."""
THEME = "memoir-theme"
"""The cookie in which the script keeps the choice of a light or dark theme."""
T = TypeVar("T")

TABS = (
    ("/", "Tree", "t"),
    ("/ask", "Ask", "a"),
    ("/timeline", "Timeline", "l"),
    ("/history", "History", "h"),
    ("/inbox", "Inbox", "i"),
    ("/sources", "Sources", "s"),
    ("/threads", "Threads", "r"),
    ("/entities", "Entities", "e"),
    ("/health", "Health", "d"),
)
"""The main pages, with the letter to type after `g` to open them."""
_BELOW = {
    "/memory": "/", "/find": "/", "/commit": "/history", "/compare": "/history", "/merge": "/history",
    "/source": "/sources", "/thread": "/threads",
}  # fmt: skip
"""Pages that belong to a main page."""
_PARTS = frozenset(("/find", "/memory/related", "/inbox/suggestions", "/health/checks", "/health/fsck"))
"""Parts that another page loads later, with `part` in the URL; without it, each is a whole page."""


class View(NamedTuple):
    """A branch (None: the checked-out one), a revision or date, and a namespace: what every link of a page keeps."""

    branch: str | None = None
    at: str | None = None
    namespace: str | None = None

    @property
    def namespaces(self) -> tuple[str, ...]:
        """The namespaces to read; none stands for all."""
        return (self.namespace,) if self.namespace else ()

    @property
    def home(self) -> str:
        """The default namespace for keys without one."""
        return self.namespace or DEFAULT_NAMESPACE

    @property
    def options(self) -> list[str]:
        """The branch and the revision as a command takes them."""
        pairs = (("--branch", self.branch), ("--at", self.at))
        return [word for option, value in pairs if value for word in (option, value)]

    def link(self, path: str, **parameters: object) -> str:
        """The URL of a page with the same view."""
        pairs = {"branch": self.branch, "at": self.at, "namespace": self.namespace, **parameters}
        query = urlencode({name: value for name, value in pairs.items() if value not in (None, "")}, doseq=True)
        return f"{path}?{query}" if query else path

    def memory(self, target: Address | MemoryAddress | str) -> str:
        """The URL of the page of a path."""
        return self.link("/memory", key=target if isinstance(target, str) else target.full_key)


class Screen:
    """One request for a page."""

    def __init__(self, request: Request, repository: Repository, served: ServedStore) -> None:
        self.repository = repository
        self._served = served
        self.read_only = served.read_only
        self._query = request.query_params
        self.path = request.url.path
        self.tab = _BELOW.get(self.path, self.path)
        self.here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        self.view = View(self.text("branch"), self.text("at"), self.text("namespace"))

    def text(self, name: str) -> str | None:
        """A parameter of the page; None if it is not given or empty."""
        return self._query.get(name) or None

    def number(self, name: str, usual: int, most: int) -> int:
        """A parameter as a whole number from 1 to `most`; `usual` if it gives none."""
        given = self.text(name) or ""
        return min(max(int(given), 1), most) if given.isascii() and given.isdigit() and len(given) < 10 else usual

    def kept(self) -> list[tuple[str, str]]:
        """The parameters of the page without the view and the position in a list."""
        left_out = ("branch", "at", "namespace", "after", "page", "part", "token")
        return [(name, value) for name, value in self._query.multi_items() if name not in left_out]

    def later(self, name: str, make: Callable[[Repository], T], keep: Callable[[T], bool] = lambda answer: True) -> T:
        """An answer that needs the whole store: computed in the background, once for a page and its commits."""

        def made() -> T:
            with self._served.repository(self.view.branch) as repository:
                return make(repository)

        query = sorted(pair for pair in self._query.multi_items() if pair[0] != "part")
        key = (name, str(query), entity_tag(self.repository, {"at": self.view.at}))
        return self._served.background.answer(key, made, keep)

    def run(self, *arguments: str) -> dict[str, Any]:
        """The JSON of a command on this store, run beside the server."""
        return self._served.background.run(*arguments, "--store", str(self.repository.path.parent))

    def signatures(self, commits: Sequence[Commit]) -> Mapping[Oid, SignatureCheck]:
        """The signatures of commits, only if the page asks for them: each takes a process."""
        return self.repository.signatures([each.id for each in commits]) if self.text("signatures") else {}

    @property
    def is_past(self) -> bool:
        """Whether the page shows a past revision, which cannot be changed."""
        return self.view.at is not None

    @property
    def can_write(self) -> bool:
        """Whether the page offers changes."""
        return not (self.is_past or self.read_only)

    def choices(self) -> dict[str, Any]:
        """The branches and namespaces to choose from."""
        names: list[str] = []
        with suppress(MemoirError):
            survey = self.repository.summarize(at=self.view.at)
            names = [name for name in survey.namespaces if name not in survey.apart]
        branches = self.repository.branches.list()
        return {
            "branches": [ref.name for ref in islice(branches, _MOST_BRANCHES)],
            "current": self.repository.branches.choice().branch,
            "namespaces": names[:_MOST_NAMESPACES],
        }


Page = Callable[[Screen], tuple[str, dict[str, Any]]]
"""Reads what a page shows, and returns the name of its template with the values."""


def page_route(path: str, page: Page, served: ServedStore) -> Route:
    """The route of a page."""

    async def answer(request: Request) -> HTMLResponse:
        return await run_in_threadpool(_render, request, page, served)

    return Route(path, answer)


def _render(request: Request, page: Page, served: ServedStore) -> HTMLResponse:
    """Make a page; the header `Server-Timing` says how long that took."""
    began = time.perf_counter()
    with served.repository(request.query_params.get("branch")) as repository:
        screen = Screen(request, repository, served)
        template, values, status = _content(page, screen)
        is_part = screen.path in _PARTS and screen.text("part") is not None
        frame: dict[str, Any] = {} if is_part else {**screen.choices(), "tabs": TABS, "notice": read_notice(request)}
        frame["damaged"] = sorted(repository.store.damage)
        answer = html(
            template,
            status,
            screen=screen,
            view=screen.view,
            is_part=is_part,
            frame=frame,
            theme=_theme(request),
            **values,
        )
    if not is_part:
        answer.delete_cookie(COOKIE, path="/")
    answer.headers["Server-Timing"] = f"page;dur={(time.perf_counter() - began) * 1000:.1f}"
    return answer


def _theme(request: Request) -> str | None:
    """Light or dark, if the user has chosen; else the system decides."""
    chosen = request.cookies.get(THEME)
    return chosen if chosen in ("light", "dark") else None


def _content(page: Page, screen: Screen) -> tuple[str, dict[str, Any], int]:
    """The template and values of a page, with its status: 202 while the answer is still being computed."""
    try:
        return *page(screen), 200
    except Pending as pending:
        title = next((name for path, name, _ in TABS if path == screen.path), "One moment")
        return "working.html", {"title": title, "seconds": pending.seconds}, 202


LONGEST = 20_000
"""The most characters of a memory that a page shows at first."""
MOST_EDITED = 200_000
"""The most characters of a memory that can be edited in a page."""
_MOST_COMPARED = 40_000
_MOST_LINES, _LONGEST_LINE = 80, 1_200


class Shortened(NamedTuple):
    """The beginning of a text, and how many characters were left out."""

    text: str
    omitted: int


def shorten(text: str, most: int = LONGEST) -> Shortened:
    """The beginning of a text."""
    return Shortened(text[:most], max(len(text) - most, 0))


def can_edit(text: str) -> bool:
    """Whether a form returns a text unchanged: browsers drop or change control characters."""
    return len(text) <= MOST_EDITED and all(char >= " " or char in "\n\t" for char in text)


def changed_lines(old: Record | None, new: Record | None) -> list[Line]:
    """The changes between two records of a path, changed words marked; only a note if they are too long."""
    size = sum(len(memory.content) for memory in (*(old or ()), *(new or ())))
    if size > _MOST_COMPARED:
        return [[(f"({size:,} characters are too many to compare here: 'memoir diff' compares them)", "dim")]]
    return bounded(record_changes(old or (), new or ()))


def bounded(lines: Iterable[Line]) -> list[Line]:
    """Cut lines to what a page shows."""
    rows = list(islice(lines, _MOST_LINES + 1))
    shown = [[(text[:_LONGEST_LINE], style) for text, style in row] for row in rows[:_MOST_LINES]]
    return [*shown, [("… and more lines", "dim")]] if len(rows) > _MOST_LINES else shown
