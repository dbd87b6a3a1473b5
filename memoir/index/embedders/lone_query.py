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
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from memoir.index.embedders import weights
from memoir.index.embedders.embedder import Vector

_PLAIN = re.compile(r"[\t\n\r -~]*")
"""ASCII without control characters: BERT's tokenizer only splits it and makes it small."""
_WORDS = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
_LONGEST = 100
"""Characters of a word; a longer one is unknown."""
_UNKNOWN = "[UNK]"


def embed(folder: Path, text: str, embed_from: Callable[[Path, str], Vector]) -> Vector | None:
    """The vector of a text, as `embed_from` takes it from the layout for one query beside a folder of whole weights.

    None if this way is closed: the text is not plain, or the layout is missing, in use or cannot be written.

    Raises whatever `embed_from` raises.
    """
    if not _PLAIN.fullmatch(text) or any(word in text for word in weights.SPECIAL):
        return None
    import fcntl

    numbers = list(_numbers(text.lower()))[: weights.TOKENS - 2]
    slots = {number: slot for slot, number in enumerate(dict.fromkeys(numbers))}
    with suppress(OSError), (weights.query_folder(folder) / weights.MODEL).open("r+b", buffering=0) as target:
        fcntl.flock(target, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with (folder / weights.MODEL).open("rb", buffering=0) as source:
            for number, slot in slots.items():
                weights.write_row(target.fileno(), slot, weights.read_row(source.fileno(), number))
        names = " ".join(weights.slot_name(slots[number]) for number in numbers)
        return embed_from(weights.query_folder(folder), names)
    return None


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
