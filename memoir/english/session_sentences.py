"""Which sentences of a session with an agent are standing instructions, preferences or facts, without a model.

A standing instruction says how things are always to be done; a fact says how things are, outside of the task at hand.
A task that is done with once, a question, thanks and a supposition are not memories. "Never mind what I said" takes
something back, and is shown as that; nothing is forgotten by itself. `benchmarks.capture` prints how often this is
right on labelled turns. All words of a user's clause have a say (`lasting_words`); a clause that a rule finds
(`lasting_clauses`) has less to prove. What is worth keeping of documents, and of what people say
in chats, is for `memoir.english.statements` to say.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from memoir.english import grammar
from memoir.english import session_phrases as phrases
from memoir.english.amendments import with_amendments
from memoir.english.corrections import correction, is_use
from memoir.english.lasting_clauses import (
    FEWEST_WORDS,
    LONGEST_REQUEST,
    LastingClause,
    is_deed,
    is_measured,
    is_placed,
    is_too_short,
    names_value,
)
from memoir.english.lasting_words import SaidClause, Verdict, clauses_of, judge
from memoir.english.sentences import (
    LONGEST_SAID,
    SUPPOSITION,
    asked_to_remember,
    is_question,
    said_sentences,
    without_lead,
)
from memoir.taxonomy.kinds import DIRECTIVE, EVENT, FACT, PREFERENCE, RESOLUTION

RETRACTION = "retraction"
"""The kind of a sentence that takes something back. It is not a memory."""
_LEAST = {DIRECTIVE: 0.42, PREFERENCE: 0.7, FACT: 0.75}
"""The likelihood from which the likeliest clause of a turn is taken, by its kind.

Chosen on authors left out (`docs/benchmarks.md`).
"""
_LEAST_PLACED = 0.3
"""The same of a fact that names a place: a port, a host, a file."""
_LEAST_BESIDE = 0.93
"""The likelihood from which a clause is taken beside a likelier one: most turns say one thing that lasts, if any."""
_LEAST_AFTER = 0.5
"""The likelihood from which a sentence is taken that goes on from one that was kept: it is no capture of its own."""
_HARDLY = 0.2
"""The likelihood below which a clause is no part of what the others of its sentence say.

Nor is it taken if a rule finds it, unless it is all that its turn says or names a value that has a unit or is a little
likely.
"""
_LEAST_ALONE = 0.05
"""The likelihood from which a rule is enough for a clause that is all its turn says, or has a value without a unit."""
_LEAST_SAID = 0.7
"""The likelihood from which a sentence of an agent is taken; chosen on authors left out, as those above."""
_LEAST_MEANT = 0.67
"""The same of one whose vector has a say."""
_LEAST_LEARNT = 0.5
"""The same of one in which the agent says that it has learnt something."""
_LEAST_READ = 0.1
"""The likelihood by its signs from which a sentence gets a vector, which takes some 10 ms; others hardly last."""
_REASONS = {
    DIRECTIVE: "it says how things are always to be done",
    PREFERENCE: "it says what the user prefers, or who they are",
    FACT: "it tells of the user, or of what they work on",
}
_BETWEEN_RULES = re.compile(
    rf"(?:[,;]?\s+(?:and|but)|;)\s+(?=(?:always|never|do not|don['’]t) (?!(?:{phrases.NO_VERB})\b))",
    re.IGNORECASE,
)
"""What is between two rules, of which the second has a verb of its own: "always use tabs and never push on Fridays"."""
_SCOPE = re.compile(r"(?:when|whenever|if|in|on|for|before|after|while|unless|during|once)\b", re.IGNORECASE)

VectorOf: TypeAlias = Callable[[str], Sequence[float]]
"""Makes the vector that a sentence has by MiniLM; an empty one if that cannot be done."""
JudgedClause = tuple[SaidClause, Verdict]
"""A clause of a turn, and how likely it is to last."""


class TurnFinding(NamedTuple):
    """A capture: a text of a turn that may be worth remembering, its kind, and why, in words."""

    content: str
    kind: str
    reason: str


def findings(text: str, role: str, vector_of: VectorOf | None = None) -> list[TurnFinding]:
    """The captures in a turn of a `user` or an `assistant`, in order.

    A sentence that points back ("that's how we do it") is joined to the one before it. Without `vector_of` signs alone
    tell what of an agent's lasts.
    """
    results: list[TurnFinding] = []
    before, is_kept = "", False
    sentences = with_amendments(said_sentences(text, LONGEST_REQUEST))
    clauses = clauses_of(sentences) if role == "user" else ([] for _ in sentences)
    judged = [[(clause, judge(clause.features)) for clause in parts] for parts in clauses]
    shares = [verdict.share for parts in judged for _, verdict in parts]
    for sentence, parts in zip(sentences, judged, strict=True):
        if role == "user":
            found = _of_user(sentence, before, parts, shares)
        else:
            stated = statement_of_agent(sentence, before, vector_of)
            found = [stated] if stated else []
        if not found and is_kept and _goes_on(sentence, parts):
            found = [_finding(sentence, FACT)]
        if found and before and _leans(found[0], before) and not is_question(before):
            start = results.pop().content if is_kept else before
            found[0] = found[0]._replace(content=f"{start} {found[0].content}")
        results += [part for each in found for part in _apart(each)]
        before, is_kept = sentence, bool(found)
    return results


def _goes_on(sentence: str, clauses: list[JudgedClause]) -> bool:
    """Whether a sentence says of what was kept before it how it is now: "it's NATS everywhere now"."""
    if is_question(sentence) or not phrases.POINTS_BACK.match(sentence):
        return False
    return any(verdict.share >= _LEAST_AFTER for _, verdict in clauses)


def _leans(found: TurnFinding, before: str) -> bool:
    """Whether a finding cannot be read without the sentence before it."""
    if phrases.POINTS_BACK.match(found.content) or phrases.ALWAYS_ALONE.match(found.content):
        return True
    return found.kind == DIRECTIVE and bool(phrases.POINTS_THERE.search(found.content)) and grammar.is_state(before)


def _is_rule(sentence: str, after: str) -> bool:
    """Whether a sentence is a rule, as the one after it says: "always" of any order, "everywhere" of what is forbidden.

    An order that holds everywhere is mostly a task: "rename it. everywhere".
    """
    words = grammar.words_of(without_lead(sentence))
    forbids = words[:1] in (["don't"], ["no"], ["not"], ["never"]) and not is_question(sentence)
    return forbids or (grammar.is_order(words) and not phrases.PLACE_ALONE.match(after))


def _apart(found: TurnFinding) -> list[TurnFinding]:
    """The rules that an instruction joins, if each could stand alone; all of it where they share a condition."""
    parts = _BETWEEN_RULES.split(found.content) if found.kind == DIRECTIVE else []
    is_joined = _SCOPE.match(without_lead(found.content)) or any(len(part.split()) < FEWEST_WORDS for part in parts)
    return [found] if is_joined or not parts else [found._replace(content=part) for part in parts]


def _of_user(sentence: str, before: str, clauses: list[JudgedClause], shares: list[float]) -> list[TurnFinding]:
    """The captures in a sentence of the user: the whole of it if nothing in it is of the moment, else clauses of it."""
    if len(sentence) <= LONGEST_SAID and phrases.RETRACTION.search(sentence):
        return [TurnFinding(sentence, RETRACTION, "it takes something back")]
    plain = without_lead(sentence)
    if phrases.OTHERS_WORDS.match(plain) or phrases.COMPLAINT.match(plain):
        return []
    found = [kept for each in clauses if (kept := _kept(*each, shares))]
    if said := asked_to_remember(sentence):
        return [(found or [_finding(said, FACT)])[0]._replace(content=said, reason="it was told to be remembered")]
    if corrected := correction(sentence, before):
        kind = DIRECTIVE if is_use(corrected) else FACT
        others = (each for each in found if corrected not in each.content and each.content not in corrected)
        return [TurnFinding(corrected, kind, "it corrects what held before"), *others]
    if not found and phrases.ALWAYS_ALONE.match(sentence) and _is_rule(before, sentence):
        return [_finding(sentence, DIRECTIVE)]
    if len(sentence) > LONGEST_SAID or any(verdict.share < _HARDLY for _, verdict in clauses):
        return found
    if len({each.kind for each in found}) == 1:
        return [found[0]._replace(content=_as_order(plain))]
    return found


def _kept(clause: SaidClause, verdict: Verdict, shares: list[float]) -> TurnFinding | None:
    """What is to be kept of a clause of a turn whose clauses have these shares: by its words, or by a rule."""
    rule, kinds = clause.rule, verdict.kinds
    if is_too_short(clause.text) or _ends_at_once(clause.text):
        return None
    happened = rule is not None and rule.kind == EVENT
    kind = FACT if happened else max(kinds, key=kinds.__getitem__)
    least = _LEAST_PLACED if kind == FACT and is_placed(clause.text) else _LEAST[kind]
    if verdict.share >= (least if verdict.share == max(shares) else _LEAST_BESIDE):
        return _finding(_as_order(without_lead(clause.text)), kind)
    if rule and _suffices(rule, verdict.share, len(shares)):
        return _finding(without_lead(rule.text), FACT if happened else rule.kind)
    return None


def _as_order(clause: str) -> str:
    """A clause without the words that make a request for any such case a question."""
    asked = phrases.ASKED_FOR_GOOD.match(clause)
    return clause[asked.start("what") :].rstrip("?") if asked else clause


def _ends_at_once(clause: str) -> bool:
    """Whether a clause is a question without a mark, or says that it holds only for once."""
    plain = without_lead(clause)
    asks = phrases.UNMARKED_QUESTION.match(plain) and not phrases.ASKED_FOR_GOOD.match(plain)
    return bool(asks or phrases.OF_THE_TALK.match(plain) or phrases.FOR_ONCE.search(plain))


def _suffices(rule: LastingClause, share: float, size: int) -> bool:
    """Whether a rule is enough to take a clause that is so likely, of a turn of a size.

    A value with a unit is. Anything else has to be a little likely, as "I prefer the second draft" is not. How things
    are has to be all that the turn says, and more than what is done again and again, or now.
    """
    text = without_lead(rule.text)
    if names_value(text):
        return share >= _LEAST_ALONE or is_measured(text)
    if share < (_LEAST_ALONE if size == 1 else _HARDLY):
        return False
    passes = grammar.is_habit(grammar.words_of(text)) or phrases.GOING_ON.search(text)
    is_whole = size == 1 and not passes
    return rule.kind in (DIRECTIVE, PREFERENCE) or is_deed(text) or is_whole


def _finding(text: str, kind: str) -> TurnFinding:
    return TurnFinding(text, kind, _REASONS[kind])


def statement_of_agent(sentence: str, before: str = "", vector_of: VectorOf | None = None) -> TurnFinding | None:
    """What a sentence of the agent says of how things are, or what it has learnt; None for a report of its work."""
    if not may_last(sentence):
        return None
    from memoir.english import lessons  # few texts are an agent's

    plain = without_lead(sentence)
    share, least = lessons.likelihood(plain), _LEAST_SAID
    if share >= _LEAST_READ and (vector := vector_of(plain) if vector_of else ()):
        share, least = lessons.likelihood(plain, vector), _LEAST_MEANT
    says_so = bool(phrases.LESSON.search(sentence))
    is_reason = phrases.DISCOVERY.match(before) and phrases.BECAUSE.search(sentence) and grammar.is_state(plain)
    if is_reason or (says_so and share >= _LEAST_LEARNT):
        return TurnFinding(plain, RESOLUTION, "the agent says that it has learnt this")
    return TurnFinding(plain, FACT, "the agent says how things are") if share >= least else None


def may_last(sentence: str) -> bool:
    """Whether a sentence of an agent is long enough, and neither a question nor a guess nor an "I have noted it"."""
    plain = without_lead(sentence)
    if len(plain.split()) < FEWEST_WORDS or is_question(sentence) or SUPPOSITION.search(sentence):
        return False
    return not phrases.ACKNOWLEDGED.match(plain)  # it says "from now on" and the like of nothing
