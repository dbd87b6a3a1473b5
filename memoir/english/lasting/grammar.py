"""Classify sentences by their grammar: orders, habits, states of things, fragments.

The rules use a list of verbs, word endings and word order. A state is in the present and about a named thing: "it",
"this" and "your" point at the current task.
"""

import re

from memoir.english.nouns import VERBS
from memoir.english.patterns import word_set

_WORD = re.compile(r"[^\W_][\w'’/.:-]*[^\W_]|[^\W_]")
_CLAUSE = re.compile(r"[,;:]\s+|\s[-–—]\s|\s(?:because|so|but)\s")
_BASES = VERBS | word_set(
    """
    ask assume average belong call can come compile cost default do end exist expire finish give go happen have hide
    insist inherit last lag lie live make mean must name own page pull quote reside rotate sit swallow talk use want
    work
    """
)
_FINITE = word_set(
    """
    is are has have must should shall may can can't cannot isn't aren't hasn't haven't mustn't don't doesn't
    shouldn't always never only does do
    """
)
_AFTER_PLURALS = word_set("need go have take use come live require run end belong start expire get")
"""Verbs that may stand apart from their plural subject: "refunds above 200 need"."""
_ARTICLES = word_set(
    """
    a an the my our your his her its their this that these those it them me us all every each any which whichever what
    whatever whether
    """
)
_BEFORE_ARTICLES = word_set("all only both half")
_PREPOSITIONS = word_set("in on at for with from by as of since when while if after before though because to")
_POINTS_AT_NOW = _PREPOSITIONS | word_set(
    """
    i you he she it they this that these those there here your what who we one some something
    someone somebody and or let lets now
    """
)
_BEFORE_NOUNS = _ARTICLES | word_set("of for in on with from by to as per than and or into at no")
_OF_THE_MOMENT = word_set(
    """
    need want think know see get got hope guess mean still should could can can't might may will would won't did had
    were was have haven't just now wonder believe feel found saw tried wish forgot suppose appreciate thank expect
    notice understand agree didn't couldn't am went ran said made left lost hear click try also like mind remember
    """
)
"""Words after "we" or "I" that make a sentence one about the moment."""
_MOODS = word_set(
    """
    ready done good fine close behind late back sorry sure happy not here there off out stuck blocked almost still now
    so
    """
)
"""Passing states after "we are"."""
_ACTIONS = word_set("i we you he she they was were did would will i'm i've am had")
"""Words that show that somebody acts or acted."""
_AFTER_NAMES = word_set("called named from in at on a an the not based")
"""Words after a name whose `'s` means "is"."""
_MOST_WORDS_OF_A_SUBJECT = 9


def words_of(sentence: str) -> list[str]:
    """The words of a sentence, in lower case."""
    return [word.replace("’", "'").casefold() for word in _WORD.findall(sentence)]


def is_order(words: list[str]) -> bool:
    """Whether a sentence begins with an imperative."""
    words = words[1:] if words[:1] in (["please"], ["pls"], ["then"], ["now"]) else words
    if len(words) < 2 or words[0] in _POINTS_AT_NOW:
        return False
    is_word = words[0].isalpha() and not words[0].endswith(("ing", "ly")) and words[0] not in _BEFORE_ARTICLES
    if words[1] in _ARTICLES and is_word:
        return True  # "compare these", "wire it up": no noun stands before an article
    return words[0] in _BASES and not any(_is_finite(words, position) for position in range(1, min(len(words), 4)))


def is_habit(words: list[str]) -> bool:
    """Whether "we" or "I" do something regularly: the plain present of a verb that is not about the moment."""
    words = [word for word in _from_person(words) if not word.endswith("ly")]
    if words[:2] == ["we", "are"] or words[:1] == ["we're"]:
        of_us = words[2:] if words[1] == "are" else words[1:]
        return bool(of_us) and of_us[0] not in _MOODS and not of_us[0].endswith("ing")
    if words[:1] not in (["we"], ["i"]) or len(words) < 3:
        return False
    verb = words[2] if words[1] == "don't" else words[1]
    is_past = verb.endswith("ed") and not verb.endswith(("eed", "embed"))
    return verb.isalpha() and not is_past and verb not in _OF_THE_MOMENT


def _from_person(words: list[str]) -> list[str]:
    """A sentence without an opening such as "in our notebooks"."""
    if words[:1] in (["in"], ["on"], ["for"], ["at"]):
        for name in ("we", "i"):
            if name in words[2:6]:
                return words[words.index(name) :]
    return words


def is_state(sentence: str) -> bool:
    """Whether a sentence states in the present what something is, has or does, and requests nothing."""
    clauses = [words for part in _CLAUSE.split(sentence) if (words := words_of(part))]
    if any(is_order(words) and not {"it", "them"}.isdisjoint(words) for words in clauses[1:]):
        return False
    main = next((words for words in clauses if words[0] not in _PREPOSITIONS), clauses[0] if clauses else [])
    main = _without_place(main)
    if not main or main[0].partition("'")[0] in _POINTS_AT_NOW:
        return False
    return any(_is_finite(main, position) for position in range(1, min(len(main), _MOST_WORDS_OF_A_SUBJECT)))


def is_fragment(words: list[str]) -> bool:
    """Whether words (not an order) have neither a finite verb nor an acting person."""
    ends = min(len(words), _MOST_WORDS_OF_A_SUBJECT)
    return _ACTIONS.isdisjoint(words) and not any(_is_finite(words, position) for position in range(1, ends))


def _without_place(words: list[str]) -> list[str]:
    """A clause without an opening such as "on this board"."""
    return words[3:] if len(words) > 4 and words[0] in ("in", "on", "at", "for") else words


def _is_finite(words: list[str], position: int) -> bool:
    """Whether a word is a present-tense verb with a subject before it."""
    word, before = words[position], words[position - 1]
    if word in _FINITE:
        return before != "to"
    if word.endswith("'s") and words[position + 1 : position + 2] and words[position + 1] in _AFTER_NAMES:
        return True
    if before in _BEFORE_NOUNS or position + 1 == len(words):
        return False
    third = word.endswith("s") and not _BASES.isdisjoint({word[:-1], word[:-2], word[:-3] + "y"})
    return third or (word in _BASES and is_plural(before)) or (word in _AFTER_PLURALS and is_plural(words[0]))


def is_plural(word: str) -> bool:
    """Whether a word has a plural's ending, as some verbs do, too."""
    return word.endswith("s") and not word.endswith("ss")
