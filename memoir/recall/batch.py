"""Answer many questions in one process: JSON lines in, one answer each, in order, as soon as it is ready."""

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any, NamedTuple, cast

from memoir.errors import InvalidInput, MemoirError
from memoir.recall.answer import RecallAnswer
from memoir.recall.joint_answer import Answerer
from memoir.recall.query import QueryFields

MAX_LINE = 1 << 20
"""The most bytes of a line."""


class BatchOutcome(NamedTuple):
    """The answer to one line, or its error."""

    answer: RecallAnswer | None
    error: MemoirError | None


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file; a line over `MAX_LINE` is cut one byte beyond it."""
    while line := file.readline(MAX_LINE + 1):
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = file.readline(MAX_LINE + 1)
        yield line


def recall_lines(
    engine: Answerer, lines: Iterable[bytes], defaults: Mapping[str, Any], *, joined: bool = True
) -> Iterator[BatchOutcome]:
    """Answer each line `{"query": …, "namespace"?: …, "limit"?: …, …}`; blank lines are skipped.

    A line's fields win over `defaults`. A line that fails does not stop the others. With `joined`, adjacent turns of a
    conversation are merged into one hit.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield BatchOutcome(_answer(engine, line, defaults, joined=joined), None)
            except MemoirError as error:
                error.message = f"line {number}: {error.message}"
                error.details = {**error.details, "line": number}
                yield BatchOutcome(None, error)


def _answer(engine: Answerer, line: bytes, defaults: Mapping[str, Any], *, joined: bool) -> RecallAnswer:
    import orjson

    if len(line) > MAX_LINE:
        raise InvalidInput(f"a line may have {MAX_LINE >> 20} MiB at most", 'write {"query": "…"}')
    try:
        fields = orjson.loads(line)
    except ValueError as error:
        raise InvalidInput(f"not JSON: {error}", 'write {"query": "…"}') from error
    if not isinstance(fields, dict):
        raise InvalidInput("not a JSON object", 'write {"query": "…"}')
    text = fields.pop("query", None)
    return engine.recall(engine.query(text, cast(QueryFields, {**defaults, **fields}))._replace(joined=joined))
