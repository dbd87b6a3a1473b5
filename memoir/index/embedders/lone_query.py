"""The vector of one query, by a MiniLM that has only the rows of that query's word pieces.

Half of the weights are the rows of 30,522 pieces, of which a query needs a dozen; to load all of them takes longer than
the rest of a command. So there is a second layout with `SLOTS` rows. A process writes the rows that it needs there,
under a lock, and loads it. Its tokenizer knows each slot by a name, so that a text of such names has the ids of its
slots. All that follows is computed from the same numbers in the same order: the vector is the same, bit for bit.

The other rows are those of earlier queries, and nobody reads them. What a killed process left half written is written
again by the next one that needs the slot. Where the lock is held, or the text is not plain ASCII, the whole model is
used instead.
"""

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from memoir.index.embedders import weights
from memoir.index.embedders.embedder import Vector

_PLAIN = re.compile(r"[\t\n\r -~]*")
"""ASCII without control characters: BERT's tokenizer only splits it and makes it small."""
_WORDS = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
_LONGEST = 100
"""Characters of a word; a longer one is unknown."""
_UNKNOWN = "[UNK]"


class LoneModel:
    """A model with the rows of one query, whose vector it has."""

    def __init__(self, query: list[int], slots: dict[int, int], model: Any, vector: Sequence[float]) -> None:
        self._query, self._slots, self._model, self._vector = query, slots, model, vector

    def vector(self, text: str) -> Vector | None:
        """The vector of a text that has no other pieces than the query, such as the query without a date; else None."""
        numbers = _pieces(text)
        if numbers is None or not self._slots.keys() >= set(numbers):
            return None
        is_query = numbers == self._query
        return array("f", self._vector if is_query else self._model.embed(_names(numbers, self._slots)))


def load(folder: Path, text: str, open_model: Callable[[Path, str], tuple[Any, list[float]]]) -> LoneModel | None:
    """A model for a text, as `open_model` loads it, with its vector, from the layout beside a folder of whole weights.

    None if this way is closed: the text is not plain, or the layout is missing, in use or cannot be written.

    Raises whatever `open_model` raises.
    """
    if (numbers := _pieces(text)) is None:
        return None
    import fcntl

    slots = {number: slot for slot, number in enumerate(dict.fromkeys(numbers))}
    with suppress(OSError), (weights.query_folder(folder) / weights.MODEL).open("r+b", buffering=0) as target:
        fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with (folder / weights.MODEL).open("rb", buffering=0) as source:
            for number, slot in slots.items():
                weights.write_row(target.fileno(), slot, weights.read_row(source.fileno(), number))
        return LoneModel(numbers, slots, *open_model(weights.query_folder(folder), _names(numbers, slots)))
    return None


def _pieces(text: str) -> list[int] | None:
    """The numbers of the pieces of a text that the model reads; None if it is not plain."""
    if not _PLAIN.fullmatch(text) or any(word in text for word in weights.SPECIAL):
        return None
    return list(_numbers(text.lower()))[: weights.TOKENS - 2]


def _names(numbers: list[int], slots: dict[int, int]) -> str:
    return " ".join(weights.slot_name(slots[number]) for number in numbers)


def _numbers(text: str) -> Iterator[int]:
    """The numbers of a text's pieces in the vocabulary, as for BERT: the longest piece first, from the left."""
    vocabulary = b"\n" + weights.VOCABULARY.read_bytes()
    for word in _WORDS.findall(text):
        yield from _cut(word, vocabulary) or _cut(_UNKNOWN, vocabulary)


def _cut(word: str, vocabulary: bytes) -> list[int]:
    """The numbers of a word's pieces; none if it is too long, or if no pieces make it up."""
    found: list[int] = []
    start = 0
    while start < len(word) <= _LONGEST:
        ends = range(len(word), start, -1)
        mark = "##" if start else ""
        places = ((end, vocabulary.find(f"\n{mark}{word[start:end]}\n".encode())) for end in ends)
        start, at = next(((end, at) for end, at in places if at >= 0), (len(word), -1))
        if at < 0:
            return []
        found.append(vocabulary.count(b"\n", 0, at))
    return found
