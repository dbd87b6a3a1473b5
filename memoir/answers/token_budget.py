"""Cut an answer of recall to a number of tokens, counting everything that is printed."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING

from memoir.answers.answer import json_length
from memoir.answers.recall import Display, data, lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memoir.recall.answer import RecallAnswer
    from memoir.recall.result import IntelligentSearchResult

CHARACTERS_PER_TOKEN = 4
"""The assumed length of a token: a little low for English text, a little high for JSON."""


def cut_to(
    answer: "RecallAnswer", display: Display, tokens: int, size_of: "Callable[[Mapping[str, object]], int] | None"
) -> "RecallAnswer":
    """Keep as many of the best memories as can be printed within some tokens.

    `size_of` measures JSON, in characters; without it, the lines for people are measured. In whole JSON, the first
    memory that does not fit is truncated, if a useful part of it fits. Standing instructions get the remaining room.
    """
    from memoir.answers.hits import characters

    most = tokens * CHARACTERS_PER_TOKEN
    cut = _cut_memories(answer._replace(standing=()), display, most, size_of)
    if answer.memories and not cut.memories:
        return cut
    for count in range(len(answer.standing), 0, -1):
        whole = cut._replace(standing=answer.standing[:count])
        if (size_of(data(whole, display)) if size_of else characters(lines(whole, display))) <= most:
            return whole
    return cut


def _cut_memories(
    answer: "RecallAnswer", display: Display, most: int, size_of: "Callable[[Mapping[str, object]], int] | None"
) -> "RecallAnswer":
    """Keep as many of the best memories as fit into `most` characters."""
    every = answer.memories

    def part(memories: "Sequence[IntelligentSearchResult]") -> "RecallAnswer":
        return answer._replace(memories=list(memories), omitted=answer.omitted + len(every) - len(memories))

    if size_of is None:
        from memoir.answers.hits import characters, hit_lines

        hits = hit_lines(answer, whole=display.is_whole, with_scores=display.trace, in_shell=True)
        return part(every[: _fitting(map(characters, hits), most - characters(lines(part([]), display)))])
    if display.lean:
        return part(every[: _fitting_lines(answer, display, most - size_of(data(part(every[:1]), display)))])

    def room(memories: "Sequence[IntelligentSearchResult]") -> int:
        return most - size_of(data(part(memories), display))

    count = bisect_right(range(len(every) + 1), 0, key=lambda number: -room(every[:number])) - 1
    kept = list(every[: max(count, 0)])
    if len(kept) < len(every):
        following = every[len(kept)]
        spare = room([*kept, following._replace(content="", truncated=len(following.content))])
        if spare >= _LEAST_PART:
            content = following.content[: spare - _ESCAPES]
            kept.append(following._replace(content=content, truncated=len(following.content)))
    return part(kept)


_LEAST_PART, _ESCAPES = 80, 20
"""The shortest part of a memory that is shown, and the reserve for JSON's escapes, in characters."""


def _fitting(sizes: Iterable[int], room: int) -> int:
    """How many of the sizes fit together, from the first on."""
    return sum(total <= room for total in accumulate(sizes))


def _fitting_lines(answer: "RecallAnswer", display: Display, room: int) -> int:
    """How many memories fit into lean JSON; `room` is what is left beside the first."""
    from memoir.answers.hits import hit_texts, shared_beginning

    texts, keys = hit_texts(answer, whole=display.is_whole), [each.key for each in answer.memories]
    sizes = [json_length(text) + len(",") for text in texts]
    ends = [*accumulate(sizes, initial=-sum(sizes[:1]))]
    count = bisect_right(range(len(ends)), room, key=lambda count: ends[count] - shared_beginning(keys[:count])[1])
    return max(count - 1, 0)
