"""The one table of the API: what may be asked, and which command's answer it has."""

from collections.abc import Callable
from typing import NamedTuple

from memoir.answers.answer import Answer
from memoir.ui import read_calls as read
from memoir.ui import write_calls as write


class ApiRoute(NamedTuple):
    """A method and a path, and what answers them.

    Attributes:
        command: The command whose answer it has, field by field.
        call: Takes a repository and the arguments of the request.
        by_commit: Whether the answer follows from commits alone, so that it needs no second answer at the same ones.
    """

    method: str
    path: str
    command: str
    call: Callable[..., Answer]
    by_commit: bool = False


ROUTES = (
    ApiRoute("GET", "/api/recall", "recall", read.ask),
    ApiRoute("GET", "/api/explain", "explain", read.explain),
    ApiRoute("GET", "/api/timeline", "timeline", read.timeline),
    ApiRoute("GET", "/api/get", "get", read.get, by_commit=True),
    ApiRoute("GET", "/api/ls", "ls", read.ls),
    ApiRoute("GET", "/api/grep", "grep", read.grep, by_commit=True),
    ApiRoute("GET", "/api/summarize", "summarize", read.summarize, by_commit=True),
    ApiRoute("GET", "/api/suggest", "suggest", read.suggest),
    ApiRoute("GET", "/api/sources", "sources", read.list_sources, by_commit=True),
    ApiRoute("GET", "/api/entities", "entities", read.entities),
    ApiRoute("GET", "/api/related", "related", read.related),
    ApiRoute("GET", "/api/threads", "threads", read.threads),
    ApiRoute("GET", "/api/thread", "thread", read.thread),
    ApiRoute("GET", "/api/insights", "insights", read.insights),
    ApiRoute("GET", "/api/log", "log", read.log, by_commit=True),
    ApiRoute("GET", "/api/show", "show", read.show, by_commit=True),
    ApiRoute("GET", "/api/blame", "blame", read.blame, by_commit=True),
    ApiRoute("GET", "/api/diff", "diff", read.diff, by_commit=True),
    ApiRoute("GET", "/api/why", "why", read.why, by_commit=True),
    ApiRoute("GET", "/api/reflog", "reflog", read.reflog),
    ApiRoute("GET", "/api/branches", "branch", read.branches),
    ApiRoute("GET", "/api/tags", "tag", read.tags),
    ApiRoute("GET", "/api/status", "status", read.status),
    ApiRoute("GET", "/api/capture", "capture", read.capture),
    ApiRoute("GET", "/api/capture/review", "capture", read.review),
    ApiRoute("POST", "/api/remember", "remember", write.remember),
    ApiRoute("POST", "/api/edit", "edit", write.edit),
    ApiRoute("POST", "/api/replace", "replace", write.replace),
    ApiRoute("POST", "/api/mv", "mv", write.mv),
    ApiRoute("POST", "/api/forget", "forget", write.forget),
    ApiRoute("POST", "/api/restore", "restore", write.restore),
    ApiRoute("POST", "/api/pin", "pin", write.pin),
    ApiRoute("POST", "/api/unpin", "unpin", write.unpin),
    ApiRoute("POST", "/api/classify", "classify", write.classify),
    ApiRoute("POST", "/api/consolidate", "consolidate", write.consolidate),
    ApiRoute("POST", "/api/revert", "revert", write.revert),
    ApiRoute("POST", "/api/undo", "undo", write.undo),
    ApiRoute("POST", "/api/redo", "redo", write.redo),
    ApiRoute("POST", "/api/branch", "branch", write.branch),
    ApiRoute("POST", "/api/merge", "merge", write.merge),
    ApiRoute("POST", "/api/tag", "tag", write.tag),
    ApiRoute("POST", "/api/capture/accept", "capture", write.accept),
    ApiRoute("POST", "/api/capture/reject", "capture", write.reject),
)
EVENTS, DESCRIPTION = "/api/events", "/api/openapi.json"
"""The stream of new commits, and the description of all of this."""
