"""Templates: every value is escaped, and invisible characters are shown as escapes.

Also notices: what an action did, with its commit for an undo, kept in a cookie until the next page shows it.
"""

import base64
from functools import cache
from typing import Any, NamedTuple

import orjson
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from memoir.answers.answer import local, one_line, plural
from memoir.visible import neutralise_all


@cache
def environment() -> Environment:
    """The templates of the package."""
    made = Environment(
        loader=PackageLoader("memoir.ui"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: neutralise_all(value) if type(value) is str else value,  # markup of a template stays
    )
    made.globals |= {"plural": plural, "local": local, "one_line": one_line, "exact": exact, "when": _when}
    return made


def exact(text: str) -> Markup:
    """A text for a form field, with a line break in front because browsers drop the first one."""
    return Markup("\n") + escape(text)


def _when(seconds: int) -> str:
    from memoir.times import from_epoch

    return local(from_epoch(seconds))


def html(template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """A page."""
    return HTMLResponse(environment().get_template(template).render(values), status)


COOKIE = "memoir-notice"
_LONGEST = 600
_SECONDS = 60


class Notice(NamedTuple):
    """A sentence about what was done, and the commit that did it; None if there is nothing to undo."""

    text: str
    commit: str | None = None
    branch: str | None = None


def leave_notice(answer: Response, notice: Notice) -> None:
    """Let the next page show a notice."""
    value = orjson.dumps([notice.text[:_LONGEST], notice.commit, notice.branch])
    answer.set_cookie(
        COOKIE, base64.urlsafe_b64encode(value).decode(), max_age=_SECONDS, path="/", httponly=True, samesite="strict"
    )


def read_notice(request: Request) -> Notice | None:
    """The notice in a request's cookie; None if there is no valid one."""
    try:
        fields = orjson.loads(base64.urlsafe_b64decode(request.cookies.get(COOKIE, "")))
        text, commit, branch = fields
    except (ValueError, TypeError):
        return None
    is_notice = isinstance(text, str) and isinstance(commit, str | None) and isinstance(branch, str | None)
    return Notice(text, commit, branch) if is_notice else None
