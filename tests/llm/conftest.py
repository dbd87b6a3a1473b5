"""Nothing in these tests reaches further than the loopback, whatever its user has set up."""

from collections.abc import Iterator

import pytest
from messages_api import MessagesApi

from memoir.llm import sdk


@pytest.fixture(autouse=True)
def unconfigured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is preloaded; tests/conftest.py has seen to it that nothing is configured."""
    monkeypatch.setattr(sdk, "_preloading", [])
    sdk._connect.cache_clear()


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesApi]:
    """A stub of the Messages API that the environment points at."""
    with MessagesApi() as api:
        for name, value in api.env().items():
            monkeypatch.setenv(name, value)
        yield api
