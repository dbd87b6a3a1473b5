"""What an action did, kept in a cookie until the next page shows it, with the commit that can be undone."""

import base64
from typing import NamedTuple

import orjson
from starlette.requests import Request
from starlette.responses import Response

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
    """The notice that a request brings; None for what is none."""
    try:
        fields = orjson.loads(base64.urlsafe_b64decode(request.cookies.get(COOKIE, "")))
        text, commit, branch = fields
    except (ValueError, TypeError):
        return None
    is_notice = isinstance(text, str) and isinstance(commit, str | None) and isinstance(branch, str | None)
    return Notice(text, commit, branch) if is_notice else None
