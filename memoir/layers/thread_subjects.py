"""The subject of a thread: the nouns that its memories share, and a sentence that explains it to a stranger.

Most threads have none. In some, each memory shares rare words only with the one before; others share only general
words, such as "home" or "value"; in others no sentence names the subject and stands alone. A title would tell nothing
about these.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations
from typing import NamedTuple

from memoir.embedders.weights import is_common
from memoir.english.code_text import is_code
from memoir.english.lasting.statements import kind_of
from memoir.english.nouns import is_adjective, may_be_noun
from memoir.english.proper_names import tells_nothing
from memoir.english.sentences import prose_sentences
from memoir.english.stopwords import IRREGULAR_PARTICIPLES, REFERENCES, VAGUE_WORDS
from memoir.english.topics import topics
from memoir.memory.speaker import ASSISTANT, role_of, source_of_item, speaker
from memoir.records.metadata import persons
from memoir.records.record import Memory
from memoir.taxonomy.kinds import DIRECTIVE, PLAYBOOK

LEAST = 3
"""The fewest memories of a subject: two share a few words by chance."""
_SHORTEST, _LONGEST, _USUAL = 20, 110, 70
"""The characters of a title: the fewest, the most before it is cut, and the best number."""
_LEANING = re.compile(
    r"\b(?:it|its|this|that|these|those|they|them|their|he|him|his|she|her|there|here|such|one|ones|above|below)\b",
    re.IGNORECASE,
)
"""Words that mostly refer to another sentence."""
_DANGLING = re.compile(r"\b(?:it|its|these|those|this|they|them|their|he|him|his|she|her)\b", re.IGNORECASE)
"""Pronouns before which a sentence must have named its subject."""
_LEANS = 0.5
"""The factor of a sentence that refers to another."""
_ORDERS = 0.6
"""The factor of an order or a step, which mostly does not name its subject."""
_LISTENER = re.compile(r"\b(?:you|your|yours|you['’]\w+)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(?:I|[Mm]e|[Mm]y|[Mm]ine|[Ww]e|[Oo]ur)\b")
_ASIDES = re.compile(r"\[[^\]]*\](?!\()|\*\*|__")
"""Additions of a transcript, such as descriptions of pictures (but not Markdown links), and marks of emphasis."""
_ADDRESS = re.compile(r", [A-Z]\w+\W?$")
"""The name of the addressee at the end."""
_TOKENS = re.compile(r"[^\W_][\w'’-]*")


class Said(NamedTuple):
    """The text of a memory and its speaker, empty if unknown.

    `may_title` is false for an assistant's advice and a document's line, which do not describe the subject.
    """

    speaker: str
    text: str
    may_title: bool = True


class Subject(NamedTuple):
    """The nouns that memories share, the most frequent first, and a sentence with them."""

    words: tuple[str, ...]
    title: str


class _Candidate(NamedTuple):
    """A sentence, its speaker, and its weight."""

    speaker: str
    text: str
    weight: float


def said(memory: Memory) -> Said:
    """The text and the speaker of a memory, split."""
    people = persons(memory.metadata)
    name, colon, words = memory.content.partition(":")
    if colon and name.casefold() in map(str.casefold, people):
        return Said(name, words.strip(), role_of(name) != ASSISTANT)
    who = speaker(memory.metadata) or (people[0] if len(people) == 1 else "")
    is_of_document = source_of_item(memory.metadata) is not None and not who
    return Said(who, memory.content, role_of(who) != ASSISTANT and not is_of_document)


def subject(memories: Sequence[Said], words: Mapping[str, str]) -> Subject | None:
    """The subject of memories (oldest first); None if they have none, or no sentence names it.

    `words` maps the rare stems that several of them share to words.
    """
    plain = [each._replace(text=_ASIDES.sub("", each.text)) for each in memories]
    texts = [each.text for each in plain]
    held, shares = _shared(texts, words)
    telling = {stem for stem in shares if _identifies(words[stem], texts)}
    candidates = [(score, each) for each in _sentences(plain) if (score := _score(each, shares, telling, held))]
    best = max(candidates, key=lambda each: each[0], default=None)
    return Subject(tuple(words[stem] for stem in shares), _title(best[1])) if best else None


def may_have_subject(texts: Sequence[str], words: Mapping[str, str]) -> bool:
    """Whether texts share enough nouns for a subject, regardless of their speakers."""
    held, shares = _shared([_ASIDES.sub("", text) for text in texts], words)
    return len(texts) >= LEAST and _is_of_most(shares.keys(), shares.keys(), held)


def _shared(texts: Sequence[str], words: Mapping[str, str]) -> tuple[Sequence[Set[str]], dict[str, int]]:
    """The rare stems of each text, and the nouns that the texts share."""
    held = [{topic.stem for topic in topics(text)} & words.keys() for text in texts]
    return held, _shared_nouns(texts, held, words)


def _shared_nouns(texts: Sequence[str], held: Sequence[Set[str]], words: Mapping[str, str]) -> dict[str, int]:
    """The nouns in at least half of the memories, by number of memories, the greatest first."""
    counts = Counter(stem for stems in held for stem in stems)
    stems = [stem for stem, its in counts.items() if its > 1 and 2 * its >= len(texts)]
    nouns = [stem for stem in stems if _is_subject(words[stem], texts)]
    return {stem: counts[stem] for stem in sorted(nouns, key=lambda each: (-counts[each], each))}


def _is_subject(word: str, texts: Sequence[str]) -> bool:
    """Whether a word is mostly a noun in the texts."""
    lower = word.casefold()
    if lower in VAGUE_WORDS or lower in IRREGULAR_PARTICIPLES or tells_nothing(lower) or is_adjective(lower):
        return False
    uses = [
        may_be_noun(tokens, position)
        for tokens in map(_TOKENS.findall, texts)
        for position, token in enumerate(tokens)
        if token.casefold() == lower
    ]
    return 2 * sum(uses) > len(uses)


def _identifies(word: str, texts: Sequence[str]) -> bool:
    """Whether a word alone identifies a subject: a name, an identifier, or a rare word."""
    if not is_common(word.casefold()):
        return True
    tokens = (token for text in texts for token in _TOKENS.findall(text)[1:])
    capitals: list[bool] = [token[0].isupper() for token in tokens if token.casefold() == word.casefold()]
    return sum(capitals) > len(capitals) / 2


def _sentences(memories: Sequence[Said]) -> Iterator[_Candidate]:
    """Yield the sentences that stand alone and state something: no questions, reactions, code or orders to somebody."""
    for who, text in ((each.speaker, each.text) for each in memories if each.may_title):
        for sentence in prose_sentences(text):
            first = next(iter(_TOKENS.findall(sentence)), "").casefold()
            begins = first.partition("'")[0].partition("’")[0]
            is_whole = len(sentence) >= _SHORTEST and not sentence.endswith(("?", ":")) and not sentence[0].islower()
            if not is_whole or begins in REFERENCES or _ADDRESS.search(sentence) or is_code(sentence):
                continue
            if who and _LISTENER.search(sentence):
                continue
            whole = sentence if sentence.endswith((".", "!")) else f"{sentence}."
            if kind := kind_of(whole, talk=bool(who)):
                yield _Candidate(who, sentence, _ORDERS if kind in (DIRECTIVE, PLAYBOOK) else 1.0)


def _score(candidate: _Candidate, shares: Mapping[str, int], telling: Set[str], held: Sequence[Set[str]]) -> float:
    """Score how well a sentence names the subject; 0 if most memories are about something else."""
    sentence = candidate.text
    stems = {topic.stem for topic in topics(sentence)} & shares.keys()
    if not stems or not _is_of_most(stems, telling, held) or _dangles(sentence, stems):
        return 0.0
    fitting = sum(shares[stem] for stem in stems) / max(shares.values())
    leaning = _LEANS if _LEANING.search(sentence) else 1.0
    return candidate.weight * leaning * fitting / (1 + abs(len(sentence) - _USUAL) / _USUAL)


def _dangles(sentence: str, stems: Set[str]) -> bool:
    """Whether a pronoun comes before the nouns that it refers to."""
    pronoun = _DANGLING.search(sentence)
    return pronoun is not None and stems.isdisjoint(topic.stem for topic in topics(sentence[: pronoun.start()]))


def _is_of_most(stems: Set[str], telling: Set[str], held: Sequence[Set[str]]) -> bool:
    """Whether two thirds of the memories share one telling noun, or the same two nouns."""
    most = max((sum(stem in its for its in held) for stem in stems & telling), default=0)
    pairs = Counter(pair for its in held for pair in combinations(sorted(its & stems), 2))
    return (most >= LEAST and 3 * most >= 2 * len(held)) or 3 * max(pairs.values(), default=0) >= 2 * len(held)


def _title(said: _Candidate) -> str:
    """The sentence, after its speaker's name if they speak of themselves."""
    own = said.speaker and _OWN.search(said.text)
    return _shorten(f"{said.speaker}: {said.text}" if own else said.text)


def _shorten(title: str) -> str:
    """Remove a title's full stop, or cut a long one between words."""
    if len(title) <= _LONGEST:
        return title.removesuffix(".")
    return f"{title[: title.rfind(' ', 0, _LONGEST)].rstrip(' ,;:–—-')}…"
