"""Which sentences of a session with an agent are standing instructions or facts, by rules alone.

A standing instruction says how things are always to be done; a fact says how things are, outside of the task at hand.
A task that is done with once, a question, thanks and a supposition are not memories. "Never mind what I said" takes
something back, and is shown as that; nothing is forgotten by itself. `benchmarks.capture` prints how often this is
right on turns that were labelled apart from these rules. What is worth keeping of documents and chats is for
`memoir.english.statements` to say.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from memoir.english import grammar
from memoir.english import session_phrases as phrases
from memoir.english.lasting_clauses import LONGEST_REQUEST, find_lasting, is_mixed, split_clauses
from memoir.english.lasting_words import Verdict, judge
from memoir.english.sentences import LONGEST_SAID, SUPPOSITION, is_question, said_sentences, without_lead
from memoir.taxonomy.kinds import DIRECTIVE, FACT, PREFERENCE, RESOLUTION

RETRACTION = "retraction"
"""The kind of a sentence that takes something back. It is not a memory."""
_FEWEST_WORDS = 3
_HARDLY, _LIKELY = 0.2, 0.6
"""The likelihoods below which a whole sentence is left out, and from which a clause is taken without a rule."""
_OF_THEMSELVES = frozenset({"i", "we", "it"})
_OF_RULE = 2
"""How much more the kind that a rule gives counts than another one."""
_STANDS, _PREFERS = "it says how things are always to be done", "it says what the user prefers, or who they are"
_OF_CLAUSES = {DIRECTIVE: (DIRECTIVE, _STANDS), PREFERENCE: (PREFERENCE, _PREFERS)}
_OF_OTHER_CLAUSES = (FACT, "it tells of the user, or of what they work on")
"""The kinds of captures for those of clauses, and the rules that find them; what happened is a fact."""

_BETWEEN_RULES = re.compile(
    r"(?:[,;]?\s+(?:and|but)|[,;])\s+"
    r"(?=(?:always|never|do not|don['’]t) (?!(?:a|an|the|on|in|at|with|without|for|to)\b))",
    re.IGNORECASE,
)
"""What is between two rules, of which the second has a verb of its own: "always use tabs and never push on Fridays"."""
_SCOPE = re.compile(r"(?:when|whenever|if|in|on|for|before|after|while|unless|during|once)\b", re.IGNORECASE)


class TurnFinding(NamedTuple):
    """A capture: a text of a turn that may be worth remembering, its kind, and the rule that found it, in words."""

    content: str
    kind: str
    reason: str


def findings(text: str, role: str, *, by_words: bool = True) -> list[TurnFinding]:
    """The captures in a turn of a `user` or an `assistant`, in order.

    A sentence that points back ("that's how we do it") is joined to the one before it. The phrases of the rules say
    what may be one; with `by_words` all the words of a user's clauses have a say, too (`lasting_words`).
    """
    results: list[TurnFinding] = []
    before, is_kept = "", False
    for sentence in said_sentences(text, LONGEST_REQUEST):
        finding = _whole(sentence, before, role)
        found = [finding] if finding else _clauses(sentence) if role == "user" else []
        found = _weigh(sentence, found, _HARDLY if finding else 0) if by_words and role == "user" else found
        if finding in found and before and phrases.POINTS_BACK.match(found[0].content):
            start = results.pop().content if is_kept else before
            found[0] = found[0]._replace(content=f"{start} {found[0].content}")
        results += [part for each in found for part in (_apart(each) if role == "user" else [each])]
        before, is_kept = sentence, bool(found)
    return results


def _apart(found: TurnFinding) -> list[TurnFinding]:
    """The rules that an instruction joins, if each could stand alone; all of it where they share a condition."""
    parts = [] if _SCOPE.match(without_lead(found.content)) else _BETWEEN_RULES.split(found.content)
    rules = [_of_user(part) for part in parts if found.kind == DIRECTIVE]
    apart = [rule for rule in rules if rule and rule.kind == DIRECTIVE]
    return apart if len(apart) > 1 and len(apart) == len(parts) else [found]


def _weigh(sentence: str, found: list[TurnFinding], least: float) -> list[TurnFinding]:
    """What was found, without what is less likely than `least` to last, and the other clauses that do; in order."""
    verdicts = {clause: judge(clause, sentence) for clause in split_clauses(sentence)}
    kept = [weighed for each in found if (weighed := _weighed(each, verdicts, least))]
    new = [
        TurnFinding(clause, _kind(clause, verdict.kinds), "its words are those of what lasts")
        for clause, verdict in verdicts.items()
        if verdict.share >= _LIKELY
        and len(clause.split()) >= _FEWEST_WORDS
        and not any(_shares(each.content, clause) for each in kept)
    ]
    return sorted([*kept, *new], key=lambda each: sentence.find(each.content))


def _weighed(found: TurnFinding, verdicts: dict[str, Verdict], least: float) -> TurnFinding | None:
    """What the rules found, with the kind that its words speak for far more; None if it is less likely to last."""
    of_it = [verdict for clause, verdict in verdicts.items() if _shares(found.content, clause)]
    if found.kind == RETRACTION or not of_it or phrases.POINTS_BACK.match(found.content):
        return found
    share, kinds = max(of_it, key=lambda each: each.share)
    weighed = {kind: likelihood * (_OF_RULE if kind == found.kind else 1) for kind, likelihood in kinds.items()}
    return found._replace(kind=_kind(found.content, weighed)) if share >= least else None


def _kind(text: str, kinds: Mapping[str, float]) -> str:
    """The likeliest kind; what somebody says of themselves, and not to "you", is no instruction."""
    first, *rest = grammar.words_of(without_lead(text)) or [""]
    is_own = first.partition("'")[0] in _OF_THEMSELVES and "you" not in rest
    return max(kinds, key=lambda each: 0 if each == DIRECTIVE and is_own else kinds[each])


def _shares(content: str, clause: str) -> bool:
    """Whether a text and a clause of its sentence are the same, or one is a part of the other."""
    plain = without_lead(clause).strip()
    return plain in content or content in clause


def _whole(sentence: str, before: str, role: str) -> TurnFinding | None:
    """The capture that a sentence is as a whole; a fact within a request is one of its clauses instead."""
    if len(sentence) > LONGEST_SAID:
        return None
    if role != "user":
        return _of_assistant(sentence, before)
    finding = _of_user(sentence)
    is_part = finding and finding.kind in (FACT, PREFERENCE) and is_mixed(sentence)
    return None if is_part else finding


def _clauses(sentence: str) -> list[TurnFinding]:
    """The captures in a sentence of the user that is none as a whole: its clauses that last."""
    if phrases.OTHERS_WORDS.match(sentence) or phrases.COMPLAINT.match(sentence):
        return []
    return [TurnFinding(text, *_OF_CLAUSES.get(kind, _OF_OTHER_CLAUSES)) for kind, text in find_lasting(sentence)]


def _of_user(sentence: str) -> TurnFinding | None:
    """The capture that a sentence of the user is, if it is one."""
    if phrases.RETRACTION.search(sentence):
        return TurnFinding(sentence, RETRACTION, "it takes something back")
    plain = without_lead(sentence)
    if len(plain.split()) < _FEWEST_WORDS or _is_passing(plain):
        return None
    return _rule(plain) or _statement(plain, told=bool(phrases.REMINDER.search(sentence)))


def _is_passing(sentence: str) -> bool:
    """Whether a sentence is a question, a supposition, about what is done right now, or leads to what follows."""
    if is_question(sentence) or phrases.QUESTION.match(sentence) or SUPPOSITION.search(sentence):
        return True
    if phrases.OTHERS_WORDS.match(sentence):
        return True
    if sentence.endswith(":") or phrases.ONCE.search(sentence) or phrases.HERE_AND_NOW.search(sentence):
        return True
    return grammar.points_at_task(grammar.words_of(sentence))


def _rule(sentence: str) -> TurnFinding | None:
    """A standing instruction or a preference."""
    lasts = grammar.is_ban(grammar.words_of(sentence)) or (
        _is_order(sentence) and phrases.LASTING_ORDER.search(sentence)
    )
    if phrases.STANDING_INSTRUCTION.match(sentence) or lasts:
        return TurnFinding(sentence, DIRECTIVE, _STANDS)
    if phrases.CURT.match(sentence):
        return TurnFinding(sentence, PREFERENCE, _PREFERS)
    if grammar.is_choice(sentence):
        return TurnFinding(sentence, DIRECTIVE, "it says what is wanted, and no more")
    if _is_order(sentence):
        return None
    if phrases.MINE.search(sentence):
        return TurnFinding(sentence, PREFERENCE, _PREFERS)
    if phrases.CHANGED.search(sentence):
        return None
    if phrases.GENERAL.search(sentence) or (
        phrases.MUST.search(sentence) and not phrases.PASSING_MATTER.search(sentence)
    ):
        return TurnFinding(sentence, DIRECTIVE, "it holds in general, not for one task")
    return None


def _is_order(sentence: str) -> bool:
    """Whether a sentence tells the agent to do something."""
    return bool(phrases.TASK.match(sentence)) or grammar.is_order(grammar.words_of(sentence))


def _statement(sentence: str, *, told: bool) -> TurnFinding | None:
    """A fact about the project, its people or its systems."""
    if _is_order(sentence) or (phrases.PASSING_MATTER.search(sentence) and not told):
        return None
    words = grammar.words_of(sentence)
    if phrases.OURS.search(sentence) or grammar.is_habit(words):
        return TurnFinding(sentence, FACT, "it says how things are here")
    if told:
        return TurnFinding(sentence, FACT, "it was told to be remembered")
    if phrases.CHANGED.search(sentence):
        return TurnFinding(sentence, FACT, "it says what has changed")
    if grammar.is_state(sentence):
        return TurnFinding(sentence, FACT, "it states a fact")
    return TurnFinding(sentence, FACT, "it gives a value") if grammar.is_label(sentence) else None


def _of_assistant(sentence: str, before: str) -> TurnFinding | None:
    """The capture that a sentence of the agent is: a fact that it says it has learnt, never a report of its work."""
    plain = without_lead(sentence)
    if len(plain.split()) < _FEWEST_WORDS or _is_passing(sentence):
        return None
    is_reason = phrases.DISCOVERY.match(before) and phrases.BECAUSE.search(sentence) and grammar.is_state(plain)
    if not is_reason and not phrases.LESSON.search(sentence):
        return None
    return TurnFinding(plain, RESOLUTION, "the agent says that it has learnt this")
