"""The answer of `timeline`."""

from typing import TYPE_CHECKING

from memoir.answers.answer import Answer, Line
from memoir.answers.hits import moment_line
from memoir.answers.parts import memory, nothing, omitted_note, target
from memoir.recall.timeline import DEFAULT_LIMIT

if TYPE_CHECKING:
    from memoir.answers.contract import recall as types
    from memoir.index.vectors import Progress
    from memoir.repository.repository import Repository


def timeline(
    repository: "Repository", around: str | None = None, since: str | None = None, until: str | None = None,
    limit: int = DEFAULT_LIMIT, namespace: list[str] | None = None, at: str | None = None, *, wait: bool = False,
    progress: "Progress" = lambda done, total: None,
) -> Answer:  # fmt: skip
    """Show memories by the time they were learnt, newest first.

    `progress` is called with how much of the index is complete; `wait` waits for all of it.
    """
    moments, omitted, degraded = repository.timeline(
        around=around, since=since, until=until, limit=limit, namespaces=namespace or (), at=at, wait=wait,
        progress=progress,
    )  # fmt: skip
    data: types.Timeline = {
        "moments": [{**target(moment.target), **memory(moment.memory), "here": moment.here} for moment in moments],
        "count": len(moments),
        "degraded": "; ".join(degraded) or None,
        "omitted": omitted,
    }

    def notes() -> list[Line]:
        return [*nothing(moments), *omitted_note(len(moments), omitted, "memory", "memories")]

    return Answer(data, lambda: map(moment_line, moments), paged=True, notes=notes)
