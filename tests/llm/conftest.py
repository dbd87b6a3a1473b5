"""Nothing in these tests reaches further than the loopback, whatever its user has set up."""

import pytest

from memoir.llm import sdk


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is preloaded; tests/conftest.py has seen to it that nothing is configured."""
    monkeypatch.setattr(sdk, "_preload_threads", [])
    sdk._connect.cache_clear()
