"""What a hit says in one line: who says it, on which day, the sentence that answers, and the days that it means."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from math import hypot
from operator import mul
from typing import TYPE_CHECKING

from memoir.english.named_days import NamedDay, named_days
from memoir.memory.origin import TALK, role_of, speaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoir.embedders.embedder import Embedder, Vector
    from memoir.english.excerpts import Sought
    from memoir.recall.ranking import Ranking
    from memoir.recall.result import IntelligentSearchResult


Turn = tuple[str, str, str]
"""Who says something, when, and what."""


class Quote:
    """The words of a hit that answer. `speaker` is empty if nobody is known to say them, `day` if no day is known.

    `asks` says whether they are a question, which somebody else answers.
    """

    def __init__(self, speaker: str, day: str, text: str, days: tuple[NamedDay, ...] = (), asks: bool = False) -> None:
        self.speaker, self.day, self.text, self.days, self.asks = speaker, day, text, days, asks


class SoughtByQuery:
    """What a query asks for, worked out for the first text that is too long to be shown whole."""

    def __init__(self, ranking: "Ranking | None", query: str) -> None:
        self._ranking, self._query = ranking, query

    @cached_property
    def words(self) -> Mapping[str, float]:
        """The words that it was searched by, with their rarity; of a query that was not ranked, its own words."""
        from memoir.english.excerpts import weights_by_stem

        words = self._ranking.clues.words if self._ranking else None
        if words and words.terms:
            return weights_by_stem({term.word: term.idf for term in (*words.other_forms, *words.terms)})
        from memoir.english.stopwords import STOP_WORDS
        from memoir.english.words import plain_words

        return weights_by_stem({word: 1.0 for word in plain_words(self._query) if word not in STOP_WORDS})

    @cached_property
    def number(self) -> bool:
        """Whether it asks for a number or a date."""
        from memoir.english.requests import asks_for_a_number

        return asks_for_a_number(self._query)

    @cached_property
    def says(self) -> str:
        """The pattern of what answers it in whatever words."""
        from memoir.english.requests import introduction_sought

        return introduction_sought(self._query)

    @cached_property
    def near(self) -> "Callable[[str], float]":
        """How near a sentence is to it."""
        return _kept_nearness(self._query, tuple(self.words.items()))


@lru_cache(maxsize=4)  # once to count what an answer leaves out, once to show the rest
def _kept_nearness(query: str, weights: tuple[tuple[str, float], ...]) -> "Callable[[str], float]":
    return nearness(query, dict(weights))


def nearness(query: str, weights: Mapping[str, float]) -> "Callable[[str], float]":
    """How near a sentence is to a query, by `static`, which needs no time to speak of, whatever embedder ranks.

    `weights` are those of the stems of its words, 1 where it has none.
    """

    @cache
    def asked() -> tuple["Embedder", "Vector", float]:
        from memoir.embedders.static import StaticEmbedder
        from memoir.english.words import stem

        embedder = StaticEmbedder()
        vector = embedder.embed_query(query, lambda word: weights.get(stem(word), 1.0))
        return embedder, vector, hypot(*vector)

    @cache  # an excerpt is cut once to compare it with others, and once to be shown
    def near(sentence: str) -> float:
        embedder, query_vector, length = asked()
        (vector,) = embedder.embed([sentence])
        norm = length * hypot(*vector)
        cosine = sum(map(mul, query_vector, vector)) / norm if norm else 0.0
        return max(cosine - _CHANCE, 0.0) / (1 - _CHANCE)

    return near


_CHANCE = 0.1
"""The cosine of sentences that have nothing in common."""


def quote(hit: "IntelligentSearchResult", wanted: "Sought", most: int, *, longest: int = 0) -> Quote:
    """The words of a hit that answer a query, in at most `most` characters; of joined turns, from the best one.

    The sentence that answers is shown whole if it has no more than `longest` characters.
    """
    from memoir.english.excerpts import asks

    (who, day, text), shown = _said(hit, wanted, most, longest)
    return Quote(who, day[:10], shown, tuple(named_days(text, day, shown)), asks(text, wanted))


def words_said(hit: "IntelligentSearchResult", wanted: "Sought", most: int) -> str:
    """The words of a quote alone."""
    return _said(hit, wanted, most)[1]


def printed_in(hits: "Sequence[IntelligentSearchResult]") -> set[tuple[str, str]]:
    """The time and content of all that has a line of its own."""
    said = {(each.timestamp, each.content) for hit in hits for each in hit.parts}
    return said | {(each.timestamp, each.content) for hit in hits for each in hit.context or ()}


def without_printed_replies(hits: "Sequence[IntelligentSearchResult]", number: int) -> "list[IntelligentSearchResult]":
    """Some hits without the replies that have lines of their own if the first `number` hits are printed."""
    printed = printed_in(hits[:number])
    is_printed = (each.reply is not None and (each.reply.timestamp, each.reply.content) in printed for each in hits)
    return [each._replace(reply=None) if has_line else each for each, has_line in zip(hits, is_printed, strict=True)]


def in_brief(hit: "IntelligentSearchResult", query: str, most: int) -> "IntelligentSearchResult":
    """A hit with those of its words that answer a query, if it has more than `most` characters or is a question.

    To a question belongs the reply. Room is left for who says the words.
    """
    from memoir.english.excerpts import asks

    wanted, room = SoughtByQuery(None, query), most - len(hit.speaker or "") - 2
    if hit.reply and asks(hit.content, wanted):
        text = words_said(hit, wanted, room // 2)
        return hit._replace(content=f"{text} | {reply_to(hit, wanted, room - len(text) - 5)}")
    return hit if len(hit.content) <= most else hit._replace(content=words_said(hit, wanted, room))


def reply_to(hit: "IntelligentSearchResult", wanted: "Sought", most: int) -> str:
    """What somebody else says to a hit at once, in at most so many characters; empty if nobody does."""
    from memoir.english.excerpts import excerpt
    from memoir.memory.passages import words_of

    if not hit.reply:
        return ""
    who = str(hit.reply.metadata.get("speaker") or "")
    text = excerpt(words_of(hit.reply), wanted, max(most - len(who), 1))
    return f"{who}: {text}"


def question_before(hit: "IntelligentSearchResult", wanted: "Sought", text: str, most: int) -> str:
    """What somebody asks right before a hit in talk between people, at most so many characters; empty if nobody does.

    It is left out where it has nothing of the query that the words shown of the hit lack, unless they are a mere yes.
    """
    from memoir.english.excerpts import is_bare_answer, last_question, score
    from memoir.memory.passages import words_of

    if hit.asked is None or role_of(hit.speaker or "") != TALK:
        return ""
    who = str(hit.asked.metadata.get("speaker") or "")
    question = last_question(words_of(hit.asked), max(most - len(who), 1))
    is_telling = score(f"{question} {text}", wanted.words) > score(text, wanted.words) or is_bare_answer(text)
    return f"{who}: {question}" if question and is_telling else ""


def days_of(hit: "IntelligentSearchResult") -> list[NamedDay]:
    """The times in the content of a hit that only the day on which it was said tells."""
    return [each for _, day, text in _turns(hit) for each in named_days(text, day, hit.content)]


def _said(hit: "IntelligentSearchResult", wanted: "Sought", most: int, longest: int = 0) -> tuple[Turn, str]:
    """The turn of a hit that answers best, and its words that do."""
    from memoir.english.excerpts import best_score, excerpt

    is_talk = bool(hit.parts) and role_of(hit.speaker or "") == TALK
    best, *others = _turns(hit)
    if others:
        best = max((best, *others), key=lambda turn: best_score(turn[2], wanted, is_talk=is_talk))
    return best, excerpt(best[2], wanted, most, is_talk=is_talk, longest=longest)


def _turns(hit: "IntelligentSearchResult") -> list[Turn]:
    """The turns of a hit, of which one without parts is one."""
    if hit.parts:
        from memoir.memory.passages import words_of

        return [(str(each.metadata.get("speaker") or ""), each.timestamp, words_of(each)) for each in hit.parts]
    who, text = _named(hit)
    return [(who, hit.timestamp, text)]


def _named(hit: "IntelligentSearchResult") -> tuple[str, str]:
    """Who says a memory, and what; the name that its content begins with is the one of its metadata."""
    name, colon, text = hit.content.partition(": ")
    person = hit.metadata.get("person")
    if colon and isinstance(person, str) and name.casefold() == person.casefold():
        return name, text
    return speaker(hit.metadata) or "", hit.content
