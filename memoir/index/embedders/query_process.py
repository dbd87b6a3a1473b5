"""A process that embeds a query beside this one.

prollytree's code holds Python's lock while it loads its weights, so a thread that loads them stops all others. Forked,
a process loads them on another core, while this one imports the modules that need the vector.
"""

import os
from array import array
from collections.abc import Callable
from contextlib import suppress

from memoir.index.embedders.embedder import Vector
from memoir.left_process import leave

_SECONDS = 30
_LENGTH_BYTES = 4


class QueryProcess:
    """Has the vectors of a query, and of texts asked for later, from the other process. It serves one thread."""

    def __init__(self, query: str, embed: Callable[[str], Vector], dimension: int) -> None:
        """Begin to embed the query; `embed` is called in the other process. Only a process without threads may."""
        self._vectors: dict[str, Vector] = {}
        self._asked = [query]
        self._bytes = dimension * array("f").itemsize
        theirs, to_them = os.pipe()
        from_them, to_us = os.pipe()
        self._process = leave(lambda: _serve(query, embed, theirs, to_us), _SECONDS, keep=(theirs, to_us))
        os.close(theirs)
        os.close(to_us)
        self._questions, self._answers = os.fdopen(to_them, "wb"), os.fdopen(from_them, "rb")

    def vector(self, text: str) -> Vector | None:
        """The vector of a text; None if the process failed, of which it says nothing."""
        with suppress(OSError):
            if text not in (*self._vectors, *self._asked):
                self._asked.append(text)
                data = text.encode(errors="surrogatepass")
                self._questions.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
                self._questions.flush()
            while text not in self._vectors and len(data := self._answers.read(self._bytes)) == self._bytes:
                self._vectors[self._asked.pop(0)] = array("f", data)
        return self._vectors.get(text)

    def close(self) -> None:
        """End the process: it finds its pipes closed."""
        with suppress(OSError):
            self._answers.close()
            self._questions.close()
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)


def _serve(query: str, embed: Callable[[str], Vector], questions: int, answers: int) -> None:
    """Answer until nobody asks any more."""
    with open(questions, "rb") as asked, open(answers, "wb") as answered:
        text = query
        while True:
            answered.write(embed(text).tobytes())
            answered.flush()
            if not (length := asked.read(_LENGTH_BYTES)):
                return
            text = asked.read(int.from_bytes(length, "big")).decode(errors="surrogatepass")
