"""Extract the claims of a text, to tell texts that contradict each other from merely similar ones.

A claim is a clause with one open place, and the value that fills it: "Releases are cut on Fridays" claims `friday` for
`release be cut on {day}`, and `yes` for `release be cut on friday`. Two texts contradict each other if they fill the
same place of the same clause with different values, so they share all words but one value of one kind: a number, a day,
a name, or yes and no. A clause has a place only if it can have just one value: "the default branch is main", not "we
use Redis". A thing that has ended, as in "we no longer use Redis", has ended for every purpose ("for the queue"). A
text that reports, supposes or asks, or that names one of several things, claims nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from memoir.english.claims import claim_words as lists
from memoir.english.claims.choices import choices
from memoir.english.claims.claim_sentence import Word, first_sentence, words_of
from memoir.english.claims.claim_words import rivals
from memoir.english.claims.restatements import restatements
from memoir.english.stopwords import STOP_WORDS

Claims = Mapping[str, str]
"""The values that a text claims, by clause."""

_MOST_WORDS = 30
"""The most words of a clause that is read."""
_PERHAPS = "?"
"""Marks a value beside which there may be others: two such values agree."""
_HOURS = frozenset(map(str, range(25)))
_MOST_LIMITS = 2
"""How often a clause is also read without its restrictions."""
_ONE_PERSON = r"\bis (?:the|our|on call\b|in charge\b)"


@lru_cache(maxsize=1_000)
def claims(text: str) -> Claims:
    """The claims of a text's first sentence."""
    sentence = first_sentence(text)
    return {clause: value for said in (sentence, *restatements(sentence)) for clause, value in _claims_in(said)}


def contradict(one: Claims, other: Claims) -> bool:
    """Whether the claims of two texts cannot both be true."""
    return any(not may_agree(one[clause], other[clause]) for clause in one.keys() & other.keys())


def _claims_in(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the claims of a sentence."""
    words = words_of(sentence)
    if words[-1:] and words[-1].base == "only":  # on Fridays: a clause with one value says so anyhow
        words.pop()
    for clause in _clauses(words):
        yield from _claims_of(clause, sentence)
    yield from _label(words, sentence)
    yield from _changed(words, sentence)
    yield from ((f"{{choice}} {choice}", holds) for choice, holds in choices(sentence, states=_states(words)))


def _clauses(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the sentence, and the part before its first comma or reason, unless the rest restricts that part."""
    yield [word for word in words if word.kind != "stop"]
    for at, word in enumerate(words[:-1]):
        is_stop = word.kind == "stop"
        if (is_stop and words[at + 1].base not in lists.SCOPES) or word.base in lists.REASONS:
            yield words[:at]
        if is_stop or word.base in lists.REASONS:
            return


def _claims_of(words: Sequence[Word], sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the claims of a clause."""
    if len(words) > _MOST_WORDS or not _states(words):
        return
    said, holds = _without_denials(words)
    clause = _as_rule(said)
    bases = [word.base for word in clause]
    if holds:
        for start, end, kind, value in rivals([word.text for word in clause], bases, sentence):
            is_run = bases[start - 1 : start] == ["run"]
            before = [*bases[: start - 1], "use"] if is_run else bases[:start]
            yield " ".join((*before, f"{{{kind}}}", *bases[end:])), value
    verbs = [at for at, base in enumerate(bases) if base in lists.VERBS or base in lists.AUXILIARIES]
    if not verbs or len(clause) < 2 or all(base in STOP_WORDS or base in lists.VERBS for base in bases):
        return
    yield " ".join("like" if base == "prefer" else base for base in bases), "yes" if holds else "no"
    if holds or _has_ended(words):
        yield from _ongoing(bases, verbs[0], holds=holds)
    if holds:
        for start, end, kind, value in (*_typed(clause, verbs[0]), *_names(clause, sentence), *_choices(clause)):
            yield " ".join((*bases[:start], f"{{{kind}}}", *bases[end:])), value


def _as_rule(clause: Sequence[Word]) -> Sequence[Word]:
    """Reword a clause as a rule about what we do: "releases are on Fridays" as "we release on Fridays"."""
    if clause and clause[0].base == "we":
        return clause[1:]
    is_deed = len(clause) > 3 and clause[0].base in lists.VERBS and clause[1].base == "be" and clause[3].kind
    return [clause[0], *clause[2:]] if is_deed else clause


def _states(words: Sequence[Word]) -> bool:
    """Whether a clause states a fact: it does not report, suppose, or name one of several."""
    bases = [word.base for word in words]
    lowers = {word.text.lower() for word in words}
    if (
        not bases
        or bases[0] in lists.NOT_ALONE
        or bases[:2] == ["1", "of"]
        or lowers & (lists.OPEN | lists.PASSING | lists.PAST)
    ):
        return False
    has_auxiliary = any(base in lists.AUXILIARIES for base in bases)
    return has_auxiliary or not any(
        len(lower) > 4 and lower.endswith("ed") and lower not in lists.VERBS for lower in lowers
    )


def _without_denials(words: Sequence[Word]) -> tuple[list[Word], bool]:
    """A clause without denials and words that change no claim, and whether it is affirmed."""
    rest: list[Word] = []
    holds = True
    for at, word in enumerate(words):
        base, before = word.base, rest[-1].base if rest else ""
        pair = (words[at - 1].base if at else "", base)
        if base == "port" and [each.kind for each in words[at + 1 : at + 2]] == ["number"]:
            continue
        if base == "never" or (base == "not" and before in lists.AUXILIARIES) or (base == "no" and _denies(words, at)):
            holds = not holds
            if before == "do":
                rest.pop()
        elif base == "stand" and before == "can" and not holds:
            rest[-1] = word._replace(base="like")
        elif base in lists.DENIALS:
            holds = not holds
            rest.append(word._replace(base=lists.DENIALS[base]))
        elif word.text.lower() not in lists.NOISE and pair not in lists.PHRASES:
            rest.append(word)
    return rest, holds


def _ongoing(bases: Sequence[str], verb: int, *, holds: bool) -> Iterator[tuple[str, str]]:
    """Yield claims that something continues or has ended: "no longer use Redis" excludes "use Redis for the queue".

    To work at Initech is also to belong to it, until one leaves; to take lessons, to have them, until one cancels them.
    """
    limits = [at for at in range(verb + 2, len(bases)) if bases[at] in lists.LIMITS][:_MOST_LIMITS]
    for end in limits if holds else [len(bases)]:
        yield " ".join((*bases[:end], "{still}")), "yes" if holds else "no"
    has_preposition = not lists.PREPOSITIONS.isdisjoint(bases[verb + 1 : verb + 2])
    if holds and bases[verb] in lists.LASTING and (has_preposition or bases[verb] != "be"):
        for end in (*limits, len(bases)):
            thing = [base for base in bases[verb + 1 + has_preposition : end] if base not in lists.CONTRACTS]
            yield " ".join((*bases[:verb], lists.LASTING[bases[verb]], *thing, "{still}")), "yes"


def _has_ended(words: Sequence[Word]) -> bool:
    """Whether a denied clause held before: "no longer", "not any more"."""
    bases = [word.base for word in words]
    return "anymore" in bases or not lists.PHRASES.isdisjoint(pairwise(bases))


def _denies(words: Sequence[Word], at: int) -> bool:
    """Whether a "no" denies the whole clause: "no pushes on Fridays", "no longer"."""
    return at == 0 or [word.base for word in words[at + 1 : at + 2]] == ["longer"]


_Place = tuple[int, int, str, str]
"""The start and end of a value in a clause, its kind, and the value."""


def _typed(clause: Sequence[Word], verb: int) -> Iterator[_Place]:
    """Yield the numbers and times after a clause's verb; before it they belong to the subject ("version 2 returns")."""
    for at, word in enumerate(clause):
        is_label = word.kind == "number" and clause[at - 1].base in lists.SERIES
        is_repeated = word.kind == "day" and clause[verb].base in lists.WHOLE_DAYS
        if at > verb and word.kind and not is_label and not is_repeated:
            kind, value = _as_hour(clause, at) or (word.kind, word.value)
            yield at, at + 1, kind, value


def _as_hour(clause: Sequence[Word], at: int) -> tuple[str, str] | None:
    """The kind and value of a number that is a time: "at 10", unless it counts something, as in "at 10 requests"."""
    is_alone = at + 1 == len(clause) or clause[at + 1].base in lists.LIMITS or clause[at + 1].kind == "day"
    is_hour = clause[at - 1].base == "at" and clause[at].value in _HOURS
    return ("time", lists.VALUES["time"](clause[at].value)) if is_hour and is_alone else None


def _choices(clause: Sequence[Word]) -> Iterator[_Place]:
    """Yield a clause's choices among alternatives, and its preferences."""
    bases = [word.base for word in clause]
    chosen = next((at for at, base in enumerate(bases) if base in lists.CHOICES), len(bases))
    for at, base in enumerate(bases):
        end = at + 1
        for rivalry in (*lists.RIVALRY, *(("to",) if "prefer" in bases[:at] else ())):
            other = at + 1 + len(rivalry.split())
            if bases[at + 1 : other] == rivalry.split() and other < len(bases):
                end = other + 1
                yield at, end, " or ".join(sorted((base, bases[other]))), base
        if at > chosen and base in lists.ALTERNATIVES:
            yield at, end, lists.ALTERNATIVES[base], base
        elif bases[at - 1 : at] == ["prefer"] and base in lists.TASTES:
            yield at, end, lists.TASTES[base], base


def _names(clause: Sequence[Word], sentence: str) -> Iterator[_Place]:
    """Yield the names at places of a clause that can have only one."""
    for at, word in enumerate(clause):
        if at and _end_of_name(clause, 0) == at:
            if word.base in lists.HEADS or (word.base == "be" and re.search(_ONE_PERSON, sentence)):
                yield 0, at, "name", _text(clause[:at])
        elif at and word.text == "is":
            any_word = any(each.base in lists.ONE_OF_A_KIND for each in clause[:at])
            yield from _name_at(clause, at + 1, any_word=any_word, closed=True)
        if word.base in lists.PLACED:
            yield from _places(clause, at)


def _places(clause: Sequence[Word], verb: int) -> Iterator[_Place]:
    """Yield the name after a verb that says where a thing is, or what it was made with.

    Of several things, such as tests, each can be in a place of its own, until all are moved.
    """
    is_one = clause[verb].text.endswith("s")
    start = verb + 1
    settled = clause[verb].base == "be" and start < len(clause) and clause[start].base in lists.SETTLED
    is_sure = settled or is_one or clause[verb].base in lists.OF_ALL
    if not is_sure and clause[verb].base != "be":
        return
    start += settled
    after = clause[start].base if start < len(clause) else ""
    has_preposition = after in lists.PREPOSITIONS and (clause[verb].base, after) != ("work", "with")
    if has_preposition or settled:
        for first, end, kind, value in _name_at(clause, start + has_preposition, any_word=settled):
            if is_one or "/" not in value:
                yield (start if settled else first), end, kind, value if is_sure else _PERHAPS + value


def _name_at(clause: Sequence[Word], start: int, *, any_word: bool = False, closed: bool = False) -> Iterator[_Place]:
    """Yield the name that begins at a word; with `any_word` also the last word of the clause."""
    start += start < len(clause) and clause[start].base in lists.NAMED_GROUPS
    end = _end_of_name(clause, start)
    if end == start and any_word and start == len(clause) - 1 and not clause[start].kind:
        end = start + 1
    after = clause[end].base if end < len(clause) else ""
    if end > start and after not in ("and", "or") and not (closed and after and after not in lists.PREPOSITIONS):
        yield start, end, "name", _text(clause[start:end])


def _end_of_name(words: Sequence[Word], start: int) -> int:
    end = start
    while end < len(words) and words[end].is_name and (end or words[end].base not in STOP_WORDS | lists.VERBS):
        end += 1
    return end


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text.lower() for word in words)


def _label(words: Sequence[Word], sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the claims of a line such as "package manager: yarn" or "retries = 3", as of "… is …".

    One word before a colon may be a speaker.
    """
    sign = next((at for at, word in enumerate(words) if word.base in (":", "=")), 0)
    label, value = words[:sign], words[sign + 1 :]
    is_setting = sign > 0 and words[sign].base == "="
    if not 2 - is_setting <= len(label) <= 4 or not 1 <= len(value) <= 3 or not (_states(label) and _states(value)):
        return
    is_one = label[-1].base not in lists.SERIES and not label[-1].kind and all(word.kind != "stop" for word in value)
    if is_one and (is_setting or not all(word.is_name for word in label)):
        yield " ".join(word.base for word in label) + " {}", _text(value)
        yield from _claims_of([*label, *_IS[0], *value], sentence)


_WHERE = [[Word(word, word)] for word in ("at", "in", "on")]
_IS = [[Word("be", "is"), *where] for where in ([], *_WHERE)]
_IS_PLACED = [*_IS, *([Word(base, f"{base}s"), *where] for base in ("live", "run") for where in _WHERE)]
"""Phrases before a thing's value or place."""
_MOST_FROM = 4
"""The most words between a change and the new value: "from 30 seconds to 60"."""


def _changed(words: Sequence[Word], sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the current value of a changed thing: "the timeout was raised to 60 s" claims what "it is 60 s" does.

    A thing is where it moved to: "staging moved to db-05" excludes "staging runs on db-02". A day may be that of this
    week only.
    """
    words = [word for word in words if word.base != "the"]
    bases = [word.base for word in words]
    at = next((at for at, base in enumerate(bases) if base in lists.CHANGES), 0)
    new = next((to + 1 for to in range(at + 1, min(at + 3 + _MOST_FROM, len(words) - 1)) if bases[to] == "to"), 0)
    subject = [word for word in words[:at] if word.text.lower() not in lists.NOISE | lists.BEFORE_CHANGES]
    if not new or bases[at + 1] not in ("to", "from") or not 0 < len(subject) <= 4 or not _states(subject):
        return
    end = name = _end_of_name(words, new)
    if name == new:
        end = next((stop for stop in range(new, len(words)) if words[stop].kind == "stop"), len(words))
    if subject[0].base in ("we", "i"):
        if bases[at] == "moved" and name > new:  # to a town, or to another program
            yield ("" if bases[0] == "we" else "i ") + "live in {name}", _PERHAPS + _text(words[new:name])
    elif (words[new].kind != "day" or words[new].text.endswith("s")) and bases[end : end + 1] not in (["and"], ["or"]):
        for verb in _IS_PLACED if name > new else _IS:
            yield from _claims_of([*subject, *verb, *words[new:end]], sentence)


def may_agree(one: str, other: str) -> bool:
    """Whether two values of a clause may both be right, because one is more detailed."""
    if one.startswith(_PERHAPS) and other.startswith(_PERHAPS):
        return True
    short, long = sorted((one.removeprefix(_PERHAPS), other.removeprefix(_PERHAPS)), key=len)
    if long.replace(" ", "").startswith(short.replace(" ", "")) and (not short.isdigit() or short == long):
        return True
    return set(short.split()) <= set(long.split()) or long.endswith(f"-{short}") or _abbreviates(short, long)


def _abbreviates(short: str, long: str) -> bool:
    """Whether a value abbreviates another: `aws` for Amazon Web Services, `k8s` for Kubernetes."""
    initials = "".join(word[0] for word in long.split())
    if len(initials) > 1:
        return short.startswith(initials) or (len(short) > 2 and initials.startswith(short))
    return short == f"{long[0]}{len(long) - 2}{long[-1]}"
