"""Every way in which the API can fail has a message, a hint and exit status 6, and none shows the key."""

import socket
import traceback
from typing import Any

import pytest
from messages_api import KEY, Fault, MessagesApi, error, garbage, hang_up, html, message, slow, usage, with_body

from memoir.errors import ExitCode, LlmUnavailable
from memoir.llm.anthropic import AnthropicModel
from memoir.llm.model import Prompt


def fail(timeout: float = 30.0) -> LlmUnavailable:
    """The error of a completion that must fail."""
    with pytest.raises(LlmUnavailable) as failure:
        AnthropicModel("some-model", timeout=timeout, retries=0).complete(Prompt("rules", "question"))
    assert failure.value.exit_code == ExitCode.LLM_UNAVAILABLE
    assert failure.value.hint
    assert KEY not in f"{failure.value} {failure.value.hint} {failure.value.details}"
    return failure.value


@pytest.mark.parametrize(
    ("status", "words", "hint"),
    [
        (400, "refused", "what to change"),
        (401, "key was refused", "ANTHROPIC_API_KEY"),
        (402, "cannot pay", "billing"),
        (403, "may not", "ANTHROPIC_API_KEY"),
        (404, "no such model", "another model"),
        (413, "too large", "shorter"),
        (418, "refused", "ANTHROPIC_BASE_URL"),
        (429, "rate limit", "again"),
        (500, "failed", "again"),
        (502, "failed", "again"),
        (503, "overloaded", "again"),
        (529, "overloaded", "again"),
    ],
)
def test_a_refusal_says_what_and_what_to_do(api: MessagesApi, status: int, words: str, hint: str) -> None:
    api.answers.append(error(status, "the server's own words"))

    failure = fail()

    assert words in failure.message and hint in str(failure.hint)
    assert "some-model" in failure.message and str(status) in failure.message
    assert "the server's own words" in failure.message


@pytest.mark.parametrize("status", [400, 404, 502])
@pytest.mark.parametrize("body", [b"<html><b>no</b></html>", b"", b'"words"', b'{"error": "words"}', b"[1]", b"\xff"])
def test_a_refusal_of_another_shape_is_named_by_its_status(api: MessagesApi, status: int, body: bytes) -> None:
    api.answers.append(Fault(status, body))

    failure = fail()

    assert failure.message.endswith(f"(model some-model, status {status})")


def test_the_servers_words_are_one_short_line(api: MessagesApi) -> None:
    api.answers.append(error(400, "much\nto say\n" * 200))

    failure = fail()

    assert "\n" not in failure.message and len(failure.message) < 400


def test_a_key_that_the_server_repeats_is_blotted_out(api: MessagesApi) -> None:
    api.answers.append(error(401, f"invalid x-api-key: {KEY}"))

    failure = fail()

    assert "invalid x-api-key: [key]" in failure.message
    chain = "".join(traceback.format_exception(failure))
    assert "AuthenticationError" in chain and KEY not in chain


@pytest.mark.parametrize(
    ("after", "hint"),
    [("7", "try again in 7 seconds"), ("Wed, 21 Oct 2026 07:28:00 GMT", "try again after Wed, 21 Oct 2026")],
)
def test_a_rate_limit_says_when_to_come_back(api: MessagesApi, after: str, hint: str) -> None:
    api.answers.append(error(429, retry_after=after))

    assert hint in str(fail().hint)


def test_a_timeout_says_how_long_it_waited(api: MessagesApi) -> None:
    api.answers.append(slow(30))

    assert f"no answer from {api.url} within 0.2 seconds" in fail(timeout=0.2).message


def test_a_closed_connection(api: MessagesApi) -> None:
    api.answers.append(hang_up())

    assert "cannot be reached" in fail().message


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{silent.getsockname()[1]}")

        failure = fail()

    assert "cannot be reached: Connection refused" in failure.message
    assert "ANTHROPIC_BASE_URL" in str(failure.hint)


def test_a_host_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://gateway.invalid")

    assert "http://gateway.invalid cannot be reached: Name or service not known" in fail().message


@pytest.mark.parametrize("url", ["http://", "http://[", "http://127.0.0.1:port", "http://127.0.0.1:99999"])
def test_an_address_that_is_none(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)

    assert "ANTHROPIC_BASE_URL" in str(fail().hint)


def test_an_address_with_a_path_that_is_not_the_api(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{api.url}/elsewhere")

    assert "ANTHROPIC_BASE_URL" in str(fail().hint)


@pytest.mark.parametrize("answer", [garbage(), html(), Fault(body=b""), Fault(body=b"ok", content_type="text/plain")])
def test_an_answer_that_is_not_json(api: MessagesApi, answer: Fault) -> None:
    api.answers.append(answer)

    assert fail().message == f"the answer from {api.url} is not JSON"


@pytest.mark.parametrize("value", ["words", 1, None, [], {}, {"content": None}, {"content": "words"}, {"id": "msg"}])
def test_an_answer_without_content(api: MessagesApi, value: Any) -> None:
    api.answers.append(with_body(value))

    assert "has no content" in fail().message


@pytest.mark.parametrize(
    "counts",
    [
        None,
        {},
        [],
        "many",
        {"input_tokens": 1},
        usage() | {"output_tokens": "5"},
        usage(read=-1),
        {"input_tokens": True},
    ],
)
def test_an_answer_without_its_cost(api: MessagesApi, counts: Any) -> None:
    api.answers.append(with_body(message("ok", usage=counts)))

    assert "does not count its tokens" in fail().message


@pytest.mark.parametrize(
    "content",
    [[], [None], ["words"], [{}], [{"type": "text"}], [{"type": "text", "text": 1}], [{"type": "text", "text": " \n"}],
     [{"type": "tool_use", "id": "t", "name": "n", "input": {}}]],
)  # fmt: skip
def test_an_answer_without_text(api: MessagesApi, content: Any) -> None:
    api.answers.append(with_body(message("", content=content, stop_reason="max_tokens")))

    assert fail().message == "the model's answer has no text (stop reason max_tokens)"


def test_an_interrupt_is_not_an_answer(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    from anthropic.resources.messages import Messages

    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Messages, "create", interrupt)

    with pytest.raises(KeyboardInterrupt):
        AnthropicModel().complete(Prompt("", "question"))


def test_an_sdk_that_does_not_know_the_call_is_named(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    from anthropic.resources.messages import Messages

    def refuse(*_: Any, **__: Any) -> None:
        raise TypeError(f"no such argument: {KEY}")

    monkeypatch.setattr(Messages, "create", refuse)

    assert fail().message == "the Anthropic SDK failed: TypeError: no such argument: [key]"
