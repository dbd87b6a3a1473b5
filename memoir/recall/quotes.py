"""A hit in one line: the speaker, the day, the sentence that answers, and the dates that it means."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from math import hypot
from operator import mul
from typing import TYPE_CHECKING

from memoir.english.named_days import NamedDay, named_days
from memoir.memory.speaker import TALK, speaker

if TYPE_CHECKING:
    from collections.abc import Callable

    from memoir.embedders.embedder import Embedder, Vector
    from memoir.english.excerpts import Sought
    from memoir.recall.ranking import Ranking
    from memoir.recall.result import IntelligentSearchResult


Turn = tuple[str, str, str]
"""Speaker, time and text."""


class Quote:
    """The words of a hit that answer. `speaker` or `day` is empty if unknown.

    `asks` is true if they are a question, which somebody else answers.
    """

    def __init__(self, speaker: str, day: str, text: str, days: tuple[NamedDay, ...] = (), asks: bool = False) -> None:
        self.speaker, self.day, self.text, self.days, self.asks = speaker, day, text, days, asks


class SoughtByQuery:
    """What a query looks for in a text, computed on first use."""

    def __init__(self, ranking: "Ranking | None", query: str) -> None:
        self._ranking, self._query = ranking, query

    @cached_property
    def words(self) -> Mapping[str, float]:
        """The search words with their rarity; for an unranked query, its own words."""
        from memoir.english.excerpts import weights_by_stem

        words = self._ranking.clues.words if self._ranking else None
        if words and words.terms:
            return weights_by_stem({term.word: term.idf for term in (*words.other_forms, *words.terms)})
        from memoir.english.stopwords import STOP_WORDS
        from memoir.english.words import plain_words

        return weights_by_stem({word: 1.0 for word in plain_words(self._query) if word not in STOP_WORDS})

    @cached_property
    def number(self) -> bool:
        """Whether the query asks for a number or a date."""
        from memoir.english.requests import asks_for_a_number

        return asks_for_a_number(self._query)

    @cached_property
    def says(self) -> str:
        """A pattern of answers that share no words with the query."""
        from memoir.english.requests import introduction_sought

        return introduction_sought(self._query)

    @cached_property
    def near(self) -> "Callable[[str], float]":
        """A function for the similarity of a sentence to the query."""
        return _kept_nearness(self._query, tuple(self.words.items()))


@lru_cache(maxsize=4)  # called once to count omissions, once to show the rest
def _kept_nearness(query: str, weights: tuple[tuple[str, float], ...]) -> "Callable[[str], float]":
    return nearness(query, dict(weights))


def nearness(query: str, weights: Mapping[str, float]) -> "Callable[[str], float]":
    """A function for the similarity of a sentence to a query, by the fast embedder `static`.

    `weights` are those of the query's word stems; a missing one is 1.
    """

    @cache
    def asked() -> tuple["Embedder", "Vector", float]:
        from memoir.embedders.static import StaticEmbedder
        from memoir.english.words import stem

        embedder = StaticEmbedder()
        vector = embedder.embed_query(query, lambda word: weights.get(stem(word), 1.0))
        return embedder, vector, hypot(*vector)

    @cache  # called twice for an excerpt: to compare it, and to show it
    def near(sentence: str) -> float:
        embedder, query_vector, length = asked()
        (vector,) = embedder.embed([sentence])
        norm = length * hypot(*vector)
        cosine = sum(map(mul, query_vector, vector)) / norm if norm else 0.0
        return max(cosine - _CHANCE, 0.0) / (1 - _CHANCE)

    return near


_CHANCE = 0.1
"""The cosine of unrelated sentences."""


def quote(hit: "IntelligentSearchResult", wanted: "Sought", most: int, *, longest: int = 0) -> Quote:
    """Quote the words of a hit that answer a query, at most `most` characters; the best of joined turns.

    The sentence that answers is kept whole up to `longest` characters.
    """
    from memoir.english.excerpts import asks

    (who, day, text), shown = _best_turn(hit, wanted, most, longest)
    return Quote(who, day[:10], shown, tuple(named_days(text, day, shown)), asks(text, wanted))


def words_said(hit: "IntelligentSearchResult", wanted: "Sought", most: int) -> str:
    """The text of a quote alone."""
    return _best_turn(hit, wanted, most)[1]


def printed_in(hits: "Sequence[IntelligentSearchResult]") -> set[tuple[str, str]]:
    """The time and content of every passage and neighbour printed on a line of its own."""
    said = {(each.timestamp, each.content) for hit in hits for each in hit.parts}
    return said | {(each.timestamp, each.content) for hit in hits for each in hit.context or ()}


def without_printed_replies(hits: "Sequence[IntelligentSearchResult]", number: int) -> "list[IntelligentSearchResult]":
    """Remove the replies that are printed anyway, as parts of the first `number` hits."""
    printed = printed_in(hits[:number])
    is_printed = (each.reply is not None and (each.reply.timestamp, each.reply.content) in printed for each in hits)
    return [each._replace(reply=None) if has_line else each for each, has_line in zip(hits, is_printed, strict=True)]


def in_brief(hit: "IntelligentSearchResult", query: str, most: int) -> "IntelligentSearchResult":
    """Shorten a hit over `most` characters to the words that answer a query; a question gets its reply.

    Room is left for the speaker's name.
    """
    from memoir.english.excerpts import asks

    wanted, room = SoughtByQuery(None, query), most - len(hit.speaker or "") - 2
    if hit.reply and asks(hit.content, wanted):
        text = words_said(hit, wanted, room // 2)
        return hit._replace(content=f"{text} | {reply_to(hit, wanted, room - len(text) - 5)}")
    return hit if len(hit.content) <= most else hit._replace(content=words_said(hit, wanted, room))


def reply_to(hit: "IntelligentSearchResult", wanted: "Sought", most: int) -> str:
    """The reply to a hit in at most `most` characters, with its speaker; empty without one."""
    from memoir.english.excerpts import excerpt
    from memoir.memory.passages import words_of

    if not hit.reply:
        return ""
    who = str(hit.reply.metadata.get("speaker") or "")
    text = excerpt(words_of(hit.reply), wanted, max(most - len(who), 1))
    return f"{who}: {text}"


def question_before(hit: "IntelligentSearchResult", wanted: "Sought", text: str, most: int) -> str:
    """The question right before a hit in talk between people, at most `most` characters; empty without one.

    It is left out if it adds no word of the query to `text`, unless `text` begins like a bare answer ("yes").
    """
    from memoir.english.excerpts import is_bare_answer, last_question, score
    from memoir.memory.passages import words_of

    if hit.asked is None or hit.role != TALK:
        return ""
    who = str(hit.asked.metadata.get("speaker") or "")
    question = last_question(words_of(hit.asked), max(most - len(who), 1))
    is_telling = score(f"{question} {text}", wanted.words) > score(text, wanted.words) or is_bare_answer(text)
    return f"{who}: {question}" if question and is_telling else ""


def days_of(hit: "IntelligentSearchResult") -> list[NamedDay]:
    """The dates in a hit that depend on the day it was said, such as "yesterday"."""
    return [each for _, day, text in _turns(hit) for each in named_days(text, day, hit.content)]


def _best_turn(hit: "IntelligentSearchResult", wanted: "Sought", most: int, longest: int = 0) -> tuple[Turn, str]:
    """The turn of a hit that answers best, and the excerpt that answers."""
    from memoir.english.excerpts import best_score, excerpt

    is_talk = bool(hit.parts) and hit.role == TALK
    best, *others = _turns(hit)
    if others:
        best = max((best, *others), key=lambda turn: best_score(turn[2], wanted, is_talk=is_talk))
    return best, excerpt(best[2], wanted, most, is_talk=is_talk, longest=longest)


def _turns(hit: "IntelligentSearchResult") -> list[Turn]:
    """The turns of a hit; a hit without parts is one turn."""
    if hit.parts:
        from memoir.memory.passages import words_of

        return [(str(each.metadata.get("speaker") or ""), each.timestamp, words_of(each)) for each in hit.parts]
    who, text = _split_speaker(hit)
    return [(who, hit.timestamp, text)]


def _split_speaker(hit: "IntelligentSearchResult") -> tuple[str, str]:
    """The speaker and the words of a memory; a leading name is split off if it is its person's."""
    name, colon, text = hit.content.partition(": ")
    person = hit.metadata.get("person")
    if colon and isinstance(person, str) and name.casefold() == person.casefold():
        return name, text
    return speaker(hit.metadata) or "", hit.content
