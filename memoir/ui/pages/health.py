"""Health: how large the store is, whether it is sound, and what waits."""

from typing import Any

from memoir.ui.pages.screen import Screen

_MOST_PROBLEMS = 100


def health(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The sizes and the state of the index."""
    repository = screen.repository
    return "health.html", {
        "status": repository.status(),
        "index": repository.upkeep.index_status(),
        "captures": repository.captures.contents(),
        "is_on": repository.captures.on,
        "is_checked": screen.text("check") is not None,
        "versions": repository.versions(),
    }


def fsck(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The part of the page with what `memoir fsck` finds."""
    found = _anew(screen, "fsck")
    return "fsck.html", {
        "problems": found["problems"],
        "commits": found["commits"],
        "values": found["values"],
        "most": _MOST_PROBLEMS,
    }


def checks(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The part of the page with the checks of `memoir doctor`."""
    return "checks.html", {"checks": _anew(screen, "doctor")["checks"]}


def _anew(screen: Screen, command: str) -> dict[str, Any]:
    """The answer of a command that looks at the whole store, and at the machine as it is now."""
    return screen.later(command, lambda repository: screen.run(command), keep=lambda answer: False)
