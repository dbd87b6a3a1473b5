"""Find the standing instructions, preferences and facts in a session with an agent, without a model.

A standing instruction says how to do things always; a fact states how things are, apart from the current task. One-time
tasks, questions, thanks and suppositions are not memories. "Never mind what I said" is reported as a retraction;
nothing is forgotten automatically. `benchmarks.capture` measures this on labelled turns. A user's clause is judged by
all its words (`lasting_words`); one that a rule finds (`lasting_clauses`) needs a lower likelihood.
`memoir.english.lasting.statements` covers documents and chats between people.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from memoir.english.lasting import grammar
from memoir.english.lasting import session_phrases as phrases
from memoir.english.lasting.amendments import with_amendments
from memoir.english.lasting.corrections import correction, is_use
from memoir.english.lasting.lasting_clauses import (
    FEWEST_WORDS,
    LONGEST_REQUEST,
    LastingClause,
    is_deed,
    is_measured,
    is_placed,
    is_too_short,
    names_value,
)
from memoir.english.lasting.lasting_words import SaidClause, Verdict, clauses_of, judge
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
"""The kind of a sentence that takes something back; not a memory."""
_LEAST = {DIRECTIVE: 0.42, PREFERENCE: 0.7, FACT: 0.75}
"""The threshold of likelihood for the likeliest clause of a turn, by its kind.

Chosen on held-out authors (`docs/benchmarks.md`).
"""
_LEAST_PLACED = 0.3
"""The threshold of a fact that names a port, a host or a file."""
_LEAST_BESIDE = 0.93
"""The threshold of a clause beside a likelier one: most turns state one lasting thing at most."""
_LEAST_AFTER = 0.5
"""The threshold of a sentence that continues one that was kept."""
_HARDLY = 0.2
"""A clause below this likelihood keeps its sentence from being captured whole.

A rule's clause below it is kept only if it is all that its turn says, or names a value that has a unit or reaches
`_LEAST_ALONE`.
"""
_LEAST_ALONE = 0.05
"""The threshold of a rule's clause that is all its turn says, or has a value without a unit."""
_LEAST_SAID = 0.7
"""The threshold of an agent's sentence; chosen on held-out authors, like those above."""
_LEAST_MEANT = 0.67
"""The threshold of an agent's sentence with a vector."""
_LEAST_LEARNT = 0.5
"""The threshold of a sentence in which the agent says that it learnt something."""
_LEAST_READ = 0.1
"""The likelihood by signs from which a vector is computed, which takes some 10 ms."""
_REASONS = {
    DIRECTIVE: "it says how things are always to be done",
    PREFERENCE: "it says what the user prefers, or who they are",
    FACT: "it tells of the user, or of what they work on",
}
_BETWEEN_RULES = re.compile(
    rf"(?:[,;]?\s+(?:and|but)|;)\s+(?=(?:always|never|do not|don['’]t) (?!(?:{phrases.NO_VERB})\b))",
    re.IGNORECASE,
)
"""The gap between two rules, the second with its own verb: "always use tabs and never push on Fridays"."""
_SCOPE = re.compile(r"(?:when|whenever|if|in|on|for|before|after|while|unless|during|once)\b", re.IGNORECASE)

VectorOf: TypeAlias = Callable[[str], Sequence[float]]
"""Computes the MiniLM vector of a sentence; empty if that is impossible."""
JudgedClause = tuple[SaidClause, Verdict]
"""A clause of a turn, and its likelihood of lasting."""


class TurnFinding(NamedTuple):
    """A capture: a text from a turn that may be worth remembering, its kind, and the reason in words."""

    content: str
    kind: str
    reason: str


def findings(text: str, role: str, vector_of: VectorOf | None = None) -> list[TurnFinding]:
    """The captures in a turn of a `user` or an `assistant`, in order.

    A sentence that points back ("that's how we do it") is joined to the one before it. Without `vector_of`, an agent's
    sentences are judged by signs alone.
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
        if found and before and _needs_previous(found[0], before) and not is_question(before):
            start = results.pop().content if is_kept else before
            found[0] = found[0]._replace(content=f"{start} {found[0].content}")
        results += [part for each in found for part in _split_rules(each)]
        before, is_kept = sentence, bool(found)
    return results


def _goes_on(sentence: str, clauses: list[JudgedClause]) -> bool:
    """Whether a sentence continues the one kept before it: "it's NATS everywhere now"."""
    if is_question(sentence) or not phrases.POINTS_BACK.match(sentence):
        return False
    return any(verdict.share >= _LEAST_AFTER for _, verdict in clauses)


def _needs_previous(found: TurnFinding, before: str) -> bool:
    """Whether a finding cannot be read without the sentence before it."""
    if phrases.POINTS_BACK.match(found.content) or phrases.ALWAYS_ALONE.match(found.content):
        return True
    return found.kind == DIRECTIVE and bool(phrases.POINTS_THERE.search(found.content)) and grammar.is_state(before)


def _is_rule(sentence: str, after: str) -> bool:
    """Whether the sentence after makes this one a rule: "always" any order, "everywhere" only a prohibition.

    An order followed by "everywhere" is usually a task: "rename it. everywhere".
    """
    words = grammar.words_of(without_lead(sentence))
    forbids = words[:1] in (["don't"], ["no"], ["not"], ["never"]) and not is_question(sentence)
    return forbids or (grammar.is_order(words) and not phrases.PLACE_ALONE.match(after))


def _split_rules(found: TurnFinding) -> list[TurnFinding]:
    """Split an instruction into its rules, unless they share a condition or one is too short."""
    parts = _BETWEEN_RULES.split(found.content) if found.kind == DIRECTIVE else []
    is_joined = _SCOPE.match(without_lead(found.content)) or any(len(part.split()) < FEWEST_WORDS for part in parts)
    return [found] if is_joined or not parts else [found._replace(content=part) for part in parts]


def _of_user(sentence: str, before: str, clauses: list[JudgedClause], shares: list[float]) -> list[TurnFinding]:
    """The captures in a user's sentence: the whole sentence if no clause is about the moment, else its clauses."""
    if len(sentence) <= LONGEST_SAID and phrases.RETRACTION.search(sentence):
        return [TurnFinding(sentence, RETRACTION, "it takes something back")]
    plain = without_lead(sentence)
    if phrases.OTHERS_WORDS.match(plain) or phrases.COMPLAINT.match(plain):
        return []
    found = [kept for each in clauses if (kept := _capture_of(*each, shares))]
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


def _capture_of(clause: SaidClause, verdict: Verdict, shares: list[float]) -> TurnFinding | None:
    """The capture from a clause, by its words or by a rule; `shares` are the likelihoods of the turn's clauses."""
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
    """A general request turned into an order: "can you always …?" loses its question."""
    asked = phrases.ASKED_FOR_GOOD.match(clause)
    return clause[asked.start("what") :].rstrip("?") if asked else clause


def _ends_at_once(clause: str) -> bool:
    """Whether a clause is a question without a mark, about the talk itself, or limited to the moment."""
    plain = without_lead(clause)
    asks = phrases.UNMARKED_QUESTION.match(plain) and not phrases.ASKED_FOR_GOOD.match(plain)
    return bool(asks or phrases.OF_THE_TALK.match(plain) or phrases.FOR_ONCE.search(plain))


def _suffices(rule: LastingClause, share: float, size: int) -> bool:
    """Whether a rule suffices for a clause with this likelihood in a turn of `size` clauses.

    For a value with a unit it does. Anything else must be a little likely, as "I prefer the second draft" is not. A
    state must be all that the turn says, and be more than a habit or something going on now.
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
    """The capture from an agent's sentence that states a fact or a lesson; None for a report of its work."""
    if not may_last(sentence):
        return None
    from memoir.english.lasting import lessons  # few texts are an agent's

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
    """Whether an agent's sentence is long enough and is no question, guess or bare acknowledgement."""
    plain = without_lead(sentence)
    if len(plain.split()) < FEWEST_WORDS or is_question(sentence) or SUPPOSITION.search(sentence):
        return False
    return not phrases.ACKNOWLEDGED.match(plain)  # it has phrases such as "from now on" without content
