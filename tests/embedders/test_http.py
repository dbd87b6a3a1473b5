"""The embedder behind a URL: its requests, the answers that it accepts, and every kind of failure."""

import pytest
from embedders.ollama_api import OllamaApi, dead, saying
from index.indexing import MemoryStore, memory, name, ranking

from memoir.embedders.http import HttpEmbedder
from memoir.errors import EmbedderUnavailable, InvalidInput
from memoir.index import state


@pytest.fixture(autouse=True)
def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect to the loopback directly, whatever proxies the environment names."""
    monkeypatch.setenv("no_proxy", "*")


def test_texts_become_vectors_in_their_order() -> None:
    with OllamaApi() as api:
        one, other = HttpEmbedder(api.url, "any").embed(["aab", "c"])

    assert list(one) == pytest.approx([2.01, 1.01, *[0.01] * 7])
    assert list(other) == pytest.approx([0.01, 0.01, 1.01, *[0.01] * 6])
    assert api.requests == [{"model": "any", "input": ["aab", "c"]}]


@pytest.mark.parametrize("model", ["nomic-embed-text", "nomic-embed-text:v1.5"])
def test_nomic_gets_prefixes_for_queries_and_documents(model: str) -> None:
    with OllamaApi() as api:
        embedder = HttpEmbedder(api.url + "/", model)
        embedder.embed(["a"])
        embedder.embed_query("a", lambda word: 1.0)

    assert [body["input"] for body in api.requests] == [["search_document: a"], ["search_query: a"]]


def test_other_models_get_no_prefix() -> None:
    with OllamaApi() as api:
        HttpEmbedder(api.url, "mxbai").embed_query("a", lambda word: 1.0)

    assert api.requests[0]["input"] == ["a"]


def test_vectors_of_two_models_have_two_names() -> None:
    assert HttpEmbedder(model="one").name != HttpEmbedder(model="two").name


@pytest.mark.parametrize("url", ["", "ftp://x", "file:///etc/passwd", "127.0.0.1:11434"])
def test_only_http_urls_are_accepted(url: str) -> None:
    with pytest.raises(InvalidInput, match="must begin with http"):
        HttpEmbedder(url)


@pytest.mark.parametrize(
    ("status", "body", "part"),
    [
        (404, b'{"error":"model not found"}', "refused: 404"),
        (500, b"", "refused: 500"),
        (200, b"", "does not answer"),
        (200, b"\xff\x00garbage", "does not answer"),
        (200, b'{"embeddings": [[1, 2]', "does not answer"),
        (200, b"{}", "with one vector"),
        (200, b"[]", "with one vector"),
        (200, b'{"embeddings": null}', "with one vector"),
        (200, b'{"embeddings": [[1, 2]]}', "with one vector"),
        (200, b'{"embeddings": [[1], [2], [3]]}', "with one vector"),
        (200, b'{"embeddings": [[1, 2], [1]]}', "with one vector"),
        (200, b'{"embeddings": [[], []]}', "with one vector"),
        (200, b'{"embeddings": ["ab", "cd"]}', "with one vector"),
        (200, b'{"embeddings": [["a"], ["b"]]}', "with one vector"),
        (200, b'{"embeddings": [1, 2]}', "with one vector"),
    ],
)
def test_an_unusable_answer_is_named(status: int, body: bytes, part: str) -> None:
    with OllamaApi(answer=(status, body)) as api, pytest.raises(EmbedderUnavailable, match=part) as failure:
        HttpEmbedder(api.url).embed(["a", "b"])

    assert api.url in failure.value.message
    assert failure.value.hint and "ollama pull nomic-embed-text" in failure.value.hint


@pytest.mark.parametrize(
    "answer",
    [b"", b"garbage\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}", b"HTTP/1.1 900000 No\r\n\r\n"],
    ids=["nothing", "not HTTP", "cut short", "an impossible status"],
)
def test_a_server_that_does_not_speak_http_is_named(answer: bytes) -> None:
    with saying(answer) as server, pytest.raises(EmbedderUnavailable, match="does not answer"):
        HttpEmbedder(server.url).embed(["a"])


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(EmbedderUnavailable, match=r"does not answer: .*refused"):
        HttpEmbedder(dead()).embed(["a"])


def test_memories_are_found_by_its_vectors(memories: MemoryStore) -> None:
    contents = {"x": [memory("aaa")], "y": [memory("bbb")], "z": [memory("ccc")]}
    with OllamaApi() as api:
        index = memories.index(HttpEmbedder(api.url, "any"))
        best, *_ = ranking(index, memories.snapshot(contents), "abb").candidates

    assert best.document.content == "bbb"
    assert index.degraded == []


def test_without_the_server_memories_are_found_by_words(memories: MemoryStore) -> None:
    index = memories.index(HttpEmbedder(dead()))

    best, *_ = ranking(index, memories.snapshot({"x": [memory("lion")], "y": [memory("owl")]}), "owl").candidates

    assert best.document.content == "owl"
    (reason,) = index.degraded
    assert "does not answer" in reason and reason.endswith("ranked by words alone")


LETTERS = {f"p.{name(n)}": [memory("abcdefghi"[n % 9] * (1 + n // 9))] for n in range(27)}
"""Memories of one letter each, so that those of two letters have nothing in common."""


@pytest.mark.parametrize("start", [0.7, 0.9])
def test_cosines_that_start_high_are_counted_from_their_median(memories: MemoryStore, start: float) -> None:
    with OllamaApi() as low, OllamaApi(start=start) as high:
        plain = _cosines(memories, HttpEmbedder(low.url, "low"))
        cosines = _cosines(memories, HttpEmbedder(high.url, "high"))

    assert cosines["default:p.aaa"] > 0.99 and cosines["default:p.aab"] < 0.05  # those of "a" and of "b"
    assert cosines == pytest.approx(plain, abs=0.05)


def test_the_median_is_measured_again_when_there_are_twice_as_many(memories: MemoryStore) -> None:
    few = {key: LETTERS[key] for key in list(LETTERS)[:16]}
    with OllamaApi(start=0.7) as api:
        index = memories.index(HttpEmbedder(api.url, "any"))
        medians = []
        for contents in (
            dict(list(few.items())[:15]),
            few,
            LETTERS,
            {**LETTERS, **{f"q.{key}": [memory(key)] for key in few}},
        ):
            index.begin()
            index.read(memories.snapshot(contents), lambda view: medians.append(state.baseline_bits(view.database)))

    assert medians == [0, 5, 5, 6]


def _cosines(memories: MemoryStore, embedder: HttpEmbedder) -> dict[str, float]:
    """The cosines with a query of the letter a."""
    index = memories.index(embedder)
    result = ranking(index, memories.snapshot(LETTERS), "a", {"pool": 100, "weights": {"bm25": 0.0}})
    index.close()
    everyone = (*result.candidates, *result.others)
    return {each.document.address.full_key: each.numbers()["cosine"] or 0.0 for each in everyone}
