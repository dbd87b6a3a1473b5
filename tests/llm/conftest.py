"""Nothing in these tests reaches further than the loopback, whatever its user has set up."""

import pytest

from memoir.llm import anthropic


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is preloaded; tests/conftest.py has seen to it that nothing is configured."""
    monkeypatch.setattr(anthropic, "_preload_threads", [])
    anthropic._connect.cache_clear()
