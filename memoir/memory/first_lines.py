"""The first of the lines that match a pattern, and for each of its words those that say most of it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from memoir.english.excerpts import sentence_around, worth_in_talk
from memoir.english.words import stem
from memoir.memory.grep import FoundLine, Match


class _Place:
    """Where a word matches: which of the lines that match, and the span in it."""

    def __init__(self, number: int, line: FoundLine, span: tuple[int, int]) -> None:
        self.number, self.line, self.span = number, line, span

    def sentence(self) -> str:
        """The sentence that the word is in, without the name of who says it."""
        text = self.line.line.text
        start, end = sentence_around(text, self.span[0])
        return text[start:end].removeprefix(f"{self.line.line.speaker}: ")


class FirstLines(Iterator[Match]):
    """Matches as they come, with at most `limit` lines in all, and `each` for each of the words that match.

    All forms of a word are one word. Its lines are those that say most and are nearest to what all words of the pattern
    are about: `near` tells how near a sentence is. They come in the order of the matches, and their spans are those of
    the words that they were chosen for. `limit` and `each` are None without a limit. Once the matches are read,
    `has_more` tells whether other lines match.
    """

    def __init__(
        self,
        matches: Iterator[Match],
        limit: int | None = None,
        each: int | None = None,
        near: Callable[[str], float] = lambda sentence: 0.0,
    ) -> None:
        self.limit, self.each, self._near = limit, each, near
        self.has_more = False
        self._matches = self._first(matches if each is None else self._best(list(matches), each))

    def __next__(self) -> Match:
        return next(self._matches)

    def _first(self, matches: Iterator[Match]) -> Iterator[Match]:
        room = self.limit
        for match in matches:
            if room is not None and len(match.lines) > room:
                self.has_more = True
                if room:
                    yield match._replace(lines=match.lines[:room])
                return
            room = None if room is None else room - len(match.lines)
            yield match

    def _best(self, matches: list[Match], each: int) -> Iterator[Match]:
        """The matches with the best lines for each word."""
        spans = defaultdict[int, list[tuple[int, int]]](list)
        for places in _places_of_words(line for match in matches for line in match.lines):
            best = places if len(places) <= each else sorted(places, key=self._strength, reverse=True)[:each]
            for place in best:
                spans[place.number].append(place.span)
        numbers = count()
        for match in matches:
            numbered = [(next(numbers), line) for line in match.lines]
            lines = [line._replace(spans=sorted(spans[number])) for number, line in numbered if number in spans]
            self.has_more |= len(lines) < len(numbered)
            if lines:
                yield match._replace(lines=lines)

    def _strength(self, place: _Place) -> float:
        sentence = place.sentence()
        return (1 + self._near(sentence)) * worth_in_talk(sentence)


def _places_of_words(lines: Iterable[FoundLine]) -> Iterable[list[_Place]]:
    """For each word that matches, its first place in each line that has it."""
    places = defaultdict[str, list[_Place]](list)
    for number, line in enumerate(lines):
        firsts = {stem(line.line.text[start:end].casefold()): (start, end) for start, end in reversed(line.spans)}
        for word, span in firsts.items():
            places[word].append(_Place(number, line, span))
    return places.values()
