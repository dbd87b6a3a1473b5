"""The official SDK against a stub of the API on the loopback."""

import json
from http.client import HTTPConnection
from typing import Any

import pytest
from messages_api import KEY, MessagesApi, error, message, usage, with_body

from memoir.errors import LlmUnavailable
from memoir.llm.anthropic import AnthropicModel
from memoir.llm.model import Model, Prompt
from memoir.llm.usage import Usage
from memoir.settings import LLM_MODEL

PROMPT = Prompt("How to answer.", "What is it?")


def test_a_completion_and_what_it_cost(api: MessagesApi) -> None:
    api.answers.append(with_body(message("It is this.", usage=usage(read=12, output=7, creation=3, cache=4))))

    reply = AnthropicModel().complete(PROMPT)

    assert reply.text == "It is this."
    assert reply.usage == Usage(1, 12, 7, 3, 4)


def test_the_request_is_plain(api: MessagesApi) -> None:
    AnthropicModel("some-model").complete(PROMPT, max_tokens=77)

    (request,) = api.requests
    assert request.body == {
        "model": "some-model",
        "max_tokens": 77,
        "system": [{"type": "text", "text": "How to answer.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "What is it?"}],
    }


def test_without_a_prelude_nothing_is_cached(api: MessagesApi) -> None:
    AnthropicModel().complete(Prompt("", "What is it?"))

    (request,) = api.requests
    assert request.body["model"] == LLM_MODEL.default == "claude-haiku-4-5"
    assert "system" not in request.body and "cache_control" not in str(request.body)


def test_a_shared_prelude_is_read_from_the_cache_the_second_time(api: MessagesApi) -> None:
    model: Model = AnthropicModel()

    first, second = model.complete(PROMPT).usage, model.complete(PROMPT).usage

    assert first.cache_creation_input_tokens > 0 == first.cache_read_input_tokens
    assert second.cache_read_input_tokens > 0 == second.cache_creation_input_tokens


def test_text_outside_ascii_arrives_as_it_is(api: MessagesApi) -> None:
    api.respond = lambda request: request.tail[::-1]

    assert AnthropicModel().complete(Prompt("", "äé✓😀")).text == "😀✓éä"


def test_several_text_blocks_are_one_text(api: MessagesApi) -> None:
    blocks = [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "b"}]
    api.answers.append(with_body(message("", content=blocks)))

    assert AnthropicModel().complete(PROMPT).text == "ab"


def test_a_gateway_may_count_no_cache(api: MessagesApi) -> None:
    api.answers.append(with_body(message("ok", usage={"input_tokens": 3, "output_tokens": 2})))
    api.answers.append(with_body(message("ok", usage={**usage(3, 2), "cache_read_input_tokens": None})))

    assert [AnthropicModel().complete(PROMPT).usage for _ in range(2)] == [Usage(1, 3, 2)] * 2


def _credentials(api: MessagesApi) -> str:
    headers = api.requests[-1].headers
    return f"{headers.get('x-api-key', '')} {headers.get('authorization', '')}".strip()


def test_the_key_is_sent(api: MessagesApi) -> None:
    AnthropicModel().complete(PROMPT)

    assert _credentials(api).removeprefix("Bearer ") == KEY


def test_a_token_is_sent_as_a_bearer(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "a-token")

    AnthropicModel().complete(PROMPT)

    assert _credentials(api) == "Bearer a-token"
    assert "x-api-key" not in api.requests[0].headers


def test_of_a_key_and_a_token_only_the_key_is_sent(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "a-token")

    AnthropicModel().complete(PROMPT)

    assert "a-token" not in str(api.requests[0].headers)


def test_a_gateway_without_a_key_works(api: MessagesApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")

    assert AnthropicModel().complete(PROMPT).text == "ok"


@pytest.mark.parametrize("status", [429, 500, 529])
def test_what_may_pass_is_tried_again(api: MessagesApi, status: int) -> None:
    api.answers += [error(status, retry_after_ms="10"), "at last"]

    assert AnthropicModel().complete(PROMPT).text == "at last"
    assert len(api.requests) == 2


def test_it_is_tried_so_often_and_not_more(api: MessagesApi) -> None:
    api.respond = lambda _: error(529, retry_after_ms="10")

    with pytest.raises(LlmUnavailable):
        AnthropicModel(retries=2).complete(PROMPT)
    assert len(api.requests) == 3


def test_what_will_not_pass_is_not_tried_again(api: MessagesApi) -> None:
    api.respond = lambda _: error(401)

    with pytest.raises(LlmUnavailable):
        AnthropicModel().complete(PROMPT)
    assert len(api.requests) == 1


def test_a_failure_does_not_spoil_the_model(api: MessagesApi) -> None:
    model = AnthropicModel(retries=0)
    api.answers.append(error(500))

    with pytest.raises(LlmUnavailable):
        model.complete(PROMPT)
    assert model.complete(PROMPT).text == "ok"


def post(api: MessagesApi, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    connection = HTTPConnection(api.url.removeprefix("http://"))
    connection.request("POST", path, json.dumps(body), {"X-Test": "yes"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_queued_answers_come_first_then_those_of_the_function() -> None:
    body = {"messages": [{"role": "user", "content": "question"}]}

    with MessagesApi(["queued", error(429)], lambda request: request.tail.upper()) as api:
        answers = [post(api, "/v1/messages", body) for _ in range(3)]

    assert [status for status, _ in answers] == [200, 429, 200]
    assert answers[0][1]["content"] == [{"type": "text", "text": "queued"}]
    assert answers[1][1]["error"]["type"] == "rate_limit_error"
    assert answers[2][1]["content"] == [{"type": "text", "text": "QUESTION"}]
    assert [request.headers["x-test"] for request in api.requests] == ["yes"] * 3


def test_another_path_is_not_found_and_not_counted() -> None:
    with MessagesApi() as api:
        assert post(api, "/v1/complete", {})[0] == 404
    assert not api.requests
