"""Move a sentence that amends a user's previous turn from the start of the next turn to the end of that one."""

import re
from collections.abc import Iterable, Sequence

from memoir.capture.spool import SessionTurn
from memoir.english.lasting.amendments import amended, with_amendments
from memoir.english.sentences import is_question, said_sentences

_WORD = re.compile(r"\w+")


def amended_turns(turns: Iterable[SessionTurn]) -> list[SessionTurn]:
    """The turns, each amendment moved from the start of a turn to the end of the user's turn that it amends."""
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
    """The first sentence of a turn, if it amends the last sentence of the user's previous turn; else empty.

    `before` begins with that turn. A possible answer to a question is no amendment, nor is a sentence that may refer to
    a value said in between.
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
    """Whether an amendment also fits another sentence, and there replaces words that were not in `said`."""
    new = amended(sentence, amendment)
    replaced = {*_WORD.findall(sentence)}.difference(_WORD.findall(new), _WORD.findall(said))
    return bool(new and replaced)
