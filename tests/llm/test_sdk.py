"""When the SDK is imported, and what happens when it cannot be."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from messages_api import MessagesApi

from memoir.errors import LlmUnavailable
from memoir.llm import anthropic
from memoir.llm.anthropic import AnthropicModel
from memoir.llm.model import Prompt, read_access

COMPLETE = """
from memoir.errors import LlmUnavailable
from memoir.llm.anthropic import AnthropicModel
from memoir.llm.model import Prompt
{}
try:
    print(AnthropicModel().complete(Prompt("", "question")).text)
except LlmUnavailable as error:
    print(error, error.hint)
"""


def python(code: str, **env: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **env}, capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return done.stdout.strip()


def test_asking_whether_a_model_is_configured_does_not_import_the_sdk() -> None:
    code = """
import sys, threading
from memoir.llm.anthropic import AnthropicModel
from memoir.llm.model import is_configured
is_configured({"ANTHROPIC_API_KEY": "k"}), AnthropicModel().preload()
print(sorted({"anthropic", "httpx", "pydantic"} & set(sys.modules)), threading.active_count())
"""
    assert python(code) == "[] 1"


@pytest.mark.slow
def test_the_first_completion_waits_for_the_preload(api: MessagesApi) -> None:
    assert python(COMPLETE.format("AnthropicModel().preload(); AnthropicModel().preload()")) == "ok"
    assert len(api.requests) == 1


@pytest.mark.slow
def test_the_command_lines_deferred_modules_do_not_disturb_the_preload(api: MessagesApi) -> None:
    code = "from memoir.cli.deferral import defer\ndefer()\n" + COMPLETE.format("AnthropicModel().preload()")

    assert python(code) == "ok"


def test_the_preloaded_client_is_the_one_that_is_used(api: MessagesApi) -> None:
    AnthropicModel().preload()
    (thread,) = anthropic._preload_threads
    thread.join()

    assert anthropic._connect.cache_info().misses == 1
    assert AnthropicModel().complete(Prompt("", "question")).text == "ok"
    assert anthropic._connect.cache_info()[:2] == (1, 1)
    assert thread.daemon


def test_a_preload_with_other_settings_is_not_used(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    AnthropicModel().preload()
    monkeypatch.setenv("ANTHROPIC_API_KEY", "another")

    AnthropicModel().complete(Prompt("", "question"))

    assert "another" in str(api.requests[0].headers)


def test_a_command_that_needs_no_model_after_all_ends(api: MessagesApi) -> None:
    python("from memoir.llm.anthropic import AnthropicModel; AnthropicModel().preload(); import os; os._exit(0)")

    assert not api.requests


@pytest.mark.parametrize("before", ["", "AnthropicModel().preload()"])
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise ModuleNotFoundError('none', name='anthropic')", "the Anthropic SDK is not installed"),
        ("import no_such_part", "cannot be imported: ModuleNotFoundError: No module named 'no_such_part'"),
        ("raise SystemError('damaged')", "cannot be imported: SystemError: damaged"),
    ],
    ids=["missing", "incomplete", "broken"],
)
def test_an_sdk_that_cannot_be_imported(api: MessagesApi, tmp_path: Path, before: str, source: str, words: str) -> None:
    (tmp_path / "anthropic.py").write_text(source)

    text = python(COMPLETE.format(before), PYTHONPATH=str(tmp_path))

    assert words in text and "pip install anthropic" in text


def test_an_environment_that_the_sdk_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:port")

    with pytest.raises(LlmUnavailable, match="cannot be set up: InvalidURL") as error:
        anthropic.client(read_access(os.environ), 1.0, 0)
    assert "proxies" in str(error.value.hint)
