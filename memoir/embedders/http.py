"""`http`: an endpoint that speaks Ollama's `POST /api/embed`, by default a model server on this machine.

The endpoint sees every memory and every query, so only the environment and the user's configuration name it:
a store can come with somebody else's project.
"""

import json
from array import array
from collections.abc import Sequence
from typing import Any

from memoir.embedders.embedder import Embedder, Idf, Vector
from memoir.errors import EmbedderUnavailable, InvalidInput
from memoir.settings import EMBED_MODEL, EMBED_URL

TIMEOUT = 60.0
"""Seconds to wait for one answer."""

_PREFIXES = {"nomic-embed-text": ("search_document: ", "search_query: ")}
"""The prefixes of documents and queries that a model requires."""


class HttpEmbedder(Embedder):
    """The embedder behind a URL."""

    def __init__(self, url: str = EMBED_URL.default, model: str = EMBED_MODEL.default) -> None:
        """Store the address and the model's name.

        Raises:
            InvalidInput: the URL is not one of http or https.
        """
        if not url.startswith(("http://", "https://")):
            raise InvalidInput(f"the URL of an embedder must begin with http:// or https://, not {url!r}")
        self.url = url.rstrip("/") + "/api/embed"
        self.model = model
        self.name = f"http-{model}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector for each text."""
        return self._embed([self._prefixes[0] + text for text in texts])

    def embed_query(self, query: str, idf: Idf) -> Vector:
        """The vector of a query, with the model's prefix for queries."""
        return self._embed([self._prefixes[1] + query])[0]

    @property
    def _prefixes(self) -> tuple[str, str]:
        return _PREFIXES.get(self.model.partition(":")[0], ("", ""))

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        answer = self._post({"model": self.model, "input": texts})
        try:
            vectors = [array("f", vector) for vector in answer["embeddings"]]
        except (KeyError, TypeError, OverflowError):
            vectors = []
        if len(vectors) != len(texts) or not all(len(v) == len(vectors[0]) > 0 for v in vectors):
            raise EmbedderUnavailable(f"{self.url} did not answer with one vector for each string", self._hint())
        return vectors

    def _post(self, body: dict[str, Any]) -> Any:
        from http.client import HTTPException
        from urllib.error import HTTPError
        from urllib.request import Request, urlopen

        request = Request(self.url, json.dumps(body).encode(), {"Content-Type": "application/json"})  # noqa: S310
        try:
            with urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
                return json.load(response)
        except HTTPError as error:
            raise EmbedderUnavailable(f"{self.url} refused: {error.code} {error.reason}", self._hint()) from error
        except (OSError, ValueError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise EmbedderUnavailable(f"{self.url} does not answer: {reason}", self._hint()) from error

    def _hint(self) -> str:
        return f"is the server running, and is the model installed? ('ollama pull {self.model}')"
