"""The stub itself, spoken to without the SDK."""

import json
from http.client import HTTPConnection
from typing import Any

from messages_api import MessagesApi, error


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
