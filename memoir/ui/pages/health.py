"""Health: how large the store is, whether it is sound, and what waits."""

from typing import Any

from memoir.hosts.doctor import examine
from memoir.ui.pages.screen import Screen


def health(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The sizes and the state of the index; with `check=1`, also what fsck finds."""
    repository = screen.repository
    report = repository.upkeep.fsck() if screen.text("check") else None
    return "health.html", {
        "status": repository.status(),
        "index": repository.upkeep.index_status(),
        "captures": repository.captures.contents(),
        "is_on": repository.captures.on,
        "damage": dict(list(repository.store.damage.items())[:50]),
        "report": report,
        "versions": repository.versions(),
    }


def checks(screen: Screen) -> tuple[str, dict[str, Any]]:
    """The part of the page with the checks of `memoir doctor`, which the script loads after the rest."""
    return "checks.html", {"checks": examine(str(screen.repository.path.parent))}
