"""The turns of sessions with what amends each in that turn itself, though it was said at the start of the next."""

import re
from collections.abc import Iterable, Sequence

from memoir.capture.spool import SessionTurn
from memoir.english.amendments import amended, with_amendments
from memoir.english.sentences import is_question, said_sentences

_WORD = re.compile(r"\w+")


def amended_turns(turns: Iterable[SessionTurn]) -> list[SessionTurn]:
    """Some turns, in which a sentence that amends the user's turn before it has moved to the end of that one."""
    result: list[SessionTurn] = []
    last: int | None = None
    for turn in turns:
        if turn.role == "user":
            if last is not None and (moved := _amendment(result[last:], turn)):
                result[last] = result[last]._replace(text=f"{result[last].text}\n{moved}")
                turn = turn._replace(text=turn.text.strip().removeprefix(moved))
            last = len(result)
        result.append(turn)
    return result


def _amendment(before: Sequence[SessionTurn], turn: SessionTurn) -> str:
    """The first sentence of a turn if it amends the last one of the first of the turns before it, else nothing.

    What may answer a question amends nothing, nor does what may be about a value that was only said in between.
    """
    own, *others = before
    if own.file != turn.file or any(is_question(each.text) for each in before):
        return ""
    first = next(said_sentences(turn.text), "")
    if not first or not turn.text.strip().startswith(first):
        return ""
    last = ["", *with_amendments(said_sentences(own.text))][-1]
    if not amended(last, first) or any(
        _is_about_another(sentence, first, last) for each in others for sentence in said_sentences(each.text)
    ):
        return ""
    return first


def _is_about_another(sentence: str, amendment: str, said: str) -> bool:
    """Whether an amendment fits a sentence, too, and there takes the place of something that was not said before."""
    new = amended(sentence, amendment)
    replaced = {*_WORD.findall(sentence)}.difference(_WORD.findall(new), _WORD.findall(said))
    return bool(new and replaced)
