"""Turns at a repository of this machine."""

import time
from pathlib import Path
from threading import Thread

import pytest
from support import git

from memoir.exchange import sync as module
from memoir.exchange.sync import turn


@pytest.fixture
def hub(tmp_path: Path) -> str:
    git("init", "-q", "--bare", str(tmp_path / "a hub.git"))
    return str(tmp_path / "a hub.git")


@pytest.mark.parametrize("form", ["{}", "file://{}"])
def test_one_has_the_turn_at_a_time_and_leaves_nothing(hub: str, form: str) -> None:
    before, counts = sorted(Path(hub).rglob("*")), [0, 0]

    def work() -> None:
        with turn(form.format(hub.replace(" ", "%20") if "file" in form else hub)):
            counts[0] += 1
            counts[1] = max(counts)
            time.sleep(0.02)
            counts[0] -= 1

    workers = [Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert counts == [0, 1]
    assert sorted(Path(hub).rglob("*")) == before


def test_a_turn_that_never_comes_is_not_waited_for(hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TURN_SECONDS", 0.1)
    with turn(hub), turn(hub):
        pass
    with turn("ssh://elsewhere.invalid/x.git"), turn("/nowhere"):
        pass
