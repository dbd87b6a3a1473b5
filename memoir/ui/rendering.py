"""Templates: every value is escaped, and what nobody would see in a memory is shown as an escape."""

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

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
        finalize=_visible,
    )
    made.globals |= {"plural": plural, "local": local, "one_line": one_line, "exact": exact, "when": _when}
    return made


def _visible(value: Any) -> Any:
    """A text of a store as it may be shown; markup that a template has made stays."""
    return neutralise_all(value) if type(value) is str else value


def exact(text: str) -> Markup:
    """A text as it is, for a field that gives it back; a browser drops the first line break."""
    return Markup("\n") + escape(text)


def _when(seconds: int) -> str:
    """A commit's time in the local time zone."""
    from memoir.times import from_epoch

    return local(from_epoch(seconds))


def html(template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """A page."""
    return HTMLResponse(environment().get_template(template).render(values), status)
