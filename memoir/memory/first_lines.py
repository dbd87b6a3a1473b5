"""The first of the lines that match a pattern, in all and for each of its words."""

from collections import Counter
from collections.abc import Iterator

from memoir.memory.grep import FoundLine, Match


class FirstLines(Iterator[Match]):
    """Matches as they come, with at most `limit` lines in all, and `each` for each of the words that match.

    `limit` and `each` are None without a limit. Once the matches are read, `has_more` tells whether other lines match.
    """

    def __init__(self, matches: Iterator[Match], limit: int | None = None, each: int | None = None) -> None:
        self.limit, self.each = limit, each
        self.has_more = False
        self._counts = Counter[str]()
        self._matches = self._first(matches)

    def __next__(self) -> Match:
        return next(self._matches)

    def _first(self, matches: Iterator[Match]) -> Iterator[Match]:
        room = self.limit
        for match in matches:
            lines = [line for line in match.lines if self._is_among_first(line)]
            self.has_more |= len(lines) < len(match.lines)
            if room is not None and len(lines) > room:
                self.has_more = True
                if room:
                    yield match._replace(lines=lines[:room])
                return
            room = None if room is None else room - len(lines)
            if lines:
                yield match._replace(lines=lines)

    def _is_among_first(self, found: FoundLine) -> bool:
        """Whether a line is among the first of one of its words."""
        if self.each is None:
            return True
        words = {found.line.text[start:end].casefold() for start, end in found.spans}
        is_first = any(self._counts[word] < self.each for word in words)
        self._counts.update(words if is_first else ())
        return is_first
