"""Embed in other processes: a text is sent with its length before it, and its vector is returned."""

import os
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO

from memoir.embedders.embedder import MINILM_DIMENSION, Vector
from memoir.left_process import leave

_MOST_SECONDS = 30
_LENGTH_BYTES = 4
_MODEL = "memoir.embedders.serve_model"
_NUMBER_BYTES = array("f").itemsize


class QueryProcess:
    """Gets the vectors of a query, and of later texts, from another process. For one thread only.

    prollytree holds Python's global lock while it loads weights, which stops all threads. A forked process loads them
    on another core, while this one imports the modules that need the vector.
    """

    def __init__(self, query: str, embed: Callable[[str], Vector], dimension: int) -> None:
        """Start to embed the query; `embed` runs in the other process. This process must not have threads."""
        self._vectors: dict[str, Vector] = {}
        self._asked: list[str] = []
        self._dimension = dimension
        theirs, to_them = os.pipe()
        from_them, to_us = os.pipe()
        self._process = leave(lambda: _serve_pipes(embed, theirs, to_us), _MOST_SECONDS, keep=(theirs, to_us))
        os.close(theirs)
        os.close(to_us)
        self._questions, self._answers = os.fdopen(to_them, "wb"), os.fdopen(from_them, "rb")
        with suppress(OSError):
            self._ask(query)

    def vector(self, text: str) -> Vector | None:
        """The vector of a text; None if the process failed, for whatever reason."""
        with suppress(OSError):
            if text not in (*self._vectors, *self._asked):
                self._ask(text)
            while text not in self._vectors and (vector := _answer(self._answers, self._dimension)):
                self._vectors[self._asked.pop(0)] = vector
        return self._vectors.get(text)

    def close(self) -> None:
        """End the process by closing its pipes."""
        with suppress(OSError):
            self._answers.close()
            self._questions.close()
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)

    def _ask(self, text: str) -> None:
        self._asked.append(text)
        _ask(self._questions, text)


class ModelProcess:
    """Embeds with a prollytree model in a newly started process.

    A forked process lacks prollytree's threads, and would wait for them forever.
    """

    def __init__(self, folder: Path) -> None:
        """Start the process for the model in a folder."""
        import atexit
        from subprocess import DEVNULL, PIPE, Popen

        command = [sys.executable, "-P", "-m", _MODEL, str(folder)]  # -P: see `memoir.left_process.ask`
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._lock = Lock()
        atexit.register(self.close)

    def embed(self, text: str) -> Vector:
        """The vector of a text.

        Raises:
            ChildProcessError: the process has ended.
        """
        assert self._process.stdin and self._process.stdout
        with self._lock, suppress(BrokenPipeError):
            _ask(self._process.stdin, text)
            if vector := _answer(self._process.stdout, MINILM_DIMENSION):
                return vector
        raise ChildProcessError("the process that embeds for a forked one has ended")

    def close(self) -> None:
        """End the process by closing its pipes."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe and pipe.close()
        self._process.wait()


def _ask(questions: IO[bytes], text: str) -> None:
    data = text.encode(errors="surrogatepass")
    questions.write(len(data).to_bytes(_LENGTH_BYTES, "big") + data)
    questions.flush()


def _answer(answers: IO[bytes], dimension: int) -> Vector | None:
    data = answers.read(dimension * _NUMBER_BYTES)
    return array("f", data) if len(data) == dimension * _NUMBER_BYTES else None


def _serve_pipes(embed: Callable[[str], Vector], questions: int, answers: int) -> None:
    with open(questions, "rb") as asked, open(answers, "wb") as answered:
        serve(embed, asked, answered)


def serve(embed: Callable[[str], Vector], asked: IO[bytes], answered: IO[bytes]) -> None:
    """Answer until the input ends."""
    while length := asked.read(_LENGTH_BYTES):
        text = asked.read(int.from_bytes(length, "big")).decode(errors="surrogatepass")
        answered.write(embed(text).tobytes())
        answered.flush()
