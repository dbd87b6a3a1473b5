"""The parts of an answer, each as soon as it is found."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Thread
from typing import NamedTuple

from memoir.recall.answer import RecallAnswer
from memoir.recall.query import Query
from memoir.recall.result import IntelligentSearchResult


class AnswerPart(NamedTuple):
    """The memories that a stage of recall has found. The last part has the answer, whose memories they are."""

    stage: str
    memories: list[IntelligentSearchResult]
    answer: RecallAnswer | None = None


def stream(query: Query, recall: Callable[[Query], RecallAnswer]) -> Iterator[AnswerPart]:
    """Recall in a thread of its own, and yield each part that it finds, the answer last.

    A caller who stops in between leaves the rest of the work to that thread.

    Raises:
        MemoirError: as the recall raises it.
    """
    parts: SimpleQueue[AnswerPart | BaseException] = SimpleQueue()

    def work() -> None:
        try:
            answer = recall(query._replace(listener=lambda stage, memories: parts.put(AnswerPart(stage, memories))))
            parts.put(AnswerPart("result", answer.memories, answer))
        except BaseException as error:  # it is raised where the parts are taken
            parts.put(error)

    Thread(target=work, name="memoir-recall", daemon=True).start()
    while True:
        part = parts.get()
        if isinstance(part, BaseException):
            raise part
        yield part
        if part.answer is not None:
            return
