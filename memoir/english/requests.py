"""Tell by its words what a question asks for: what an assistant said, code, a number, many things at once."""

import re
from functools import lru_cache
from itertools import pairwise

from memoir.english.patterns import word_set
from memoir.english.stopwords import STOP_WORDS

_SAID = (
    "advised answered calculated described estimated explained gave given helped listed mentioned offered proposed"
    " provided recommended said showed suggested told written wrote"
).replace(" ", "|")
_SAY = (
    "advise answer calculate describe estimate explain give help list mention offer propose provide recommend say show"
    " suggest tell write"
).replace(" ", "|")
_SAYINGS = (
    "advice answers? estimates? examples? explanations? list plan proposals? recommendations? repl(?:y|ies)"
    " suggestions? tips?"
).replace(" ", "|")
_ASSISTANT = rf"""(?ix)
    \b(?:did|do|would)\ you\ (?:\w+\ )?(?:{_SAY})\b        # did you recommend
    | \b(?:have|had|were)\ you\ (?:\w+\ )?(?:{_SAID})\b
    | \byou\ (?:\w+\ )?(?:{_SAID})\b                        # the film that you suggested
    | \byour\ (?:\w+\ )?(?:{_SAYINGS})\b                    # your advice
    | \b(?:assistant|ai|chatbot|model)(?:['’]s)?\ (?:\w+\ )?(?:{_SAY}|{_SAID}|{_SAYINGS})\b
    | \bthe\ (?:assistant|ai|chatbot)['’]s\ \w                # the assistant's objection
    | \b(?:did|does|has|had|would|should)\ the\ (?:assistant|ai|chatbot)\ \w
    | \b(?:was|were)\ (?:\w+\ )?(?:advised|calculated|estimated|proposed|recommended|suggested|told|worked\ out)\b
    | \b(?:advice|recommendations?|suggestions?|tips?)\b
    """
_OVERVIEW = (
    r"(?i)\bsummar|\bin (?:chronological |the )*order\b|\bthe order\b|\border in which\b|\bthroughout (?:our|the|my)\b"
    r"|\bacross (?:our|all|my)\b|\boverview\b|\bprogress(?:ed|ion)\b|\btimeline\b|\bover time\b"
)
_ORDER_OF_TALK = (
    r"(?is)(?:\border in which|\bin (?:chronological )?order\b(?! to\b).*) I (?:\w+ )?"
    r"(?:asked|brought|discussed|introduced|mentioned|raised|said|talked|told)\b"
    r"|\bin wh(?:at|ich) order did I (?:\w+ )?(?:ask|bring|discuss|introduce|mention|raise|say|talk|tell)\b"
)
_FRAME = (
    " across asked aspects bring brought chronological chronologically conversation conversations different discuss"
    " discussed discussion discussions introduce introduced items list mention mentioned only order raise raised said"
    " say talk talked tell things through throughout told topics various walk"
    " two three four five six seven eight nine ten "
)
"""Words of a question about the order of talk that are not its topic."""
_ASK_FACTS = frozenset({"when", "who", "where", "whose"})
_ASK_FACTS_WITH = {
    "how": "many much long old often",
    **dict.fromkeys(("what", "which"), "is was were did does has had"),
    **dict.fromkeys(("have", "had", "has", "did", "does", "is", "was", "were"), "a i we he she they it my our"),
}
"""The beginnings of a question about a fact: a first word, or a first word with a second."""

_HOW = word_set("many much long big large small fast slow far old often high tall soon late heavy")
_COUNTED = word_set(
    """
    percentage share rate average number size limit quota figure version release code price cost score amount total
    date day time year month hour age budget deadline line distance length duration latency coverage goal target
    increase decrease
    """
)
_NEAR_WHICH = 5
"""How many words after `what` or `which` may name what is asked for."""
_PERSON = (
    r"\bfor a living\b|\bdo(?:es)? for work\b|\b(?:occupation|profession|job title)\b"
    r"|\b[Ww]hat (?:is|was) [^?]{1,40}\bjob\b"
    r"|\b[Hh]ow old (?:is|am|are)\b|\b[Ww]ho (?:is|am) [A-Z]"
)
_INTRODUCTION = (
    r"\bI(?:'m|’m| am) (?:[A-Z]\w+(?: [A-Z]\w+)?, )?an? (?!bit|little|lot|(?:\w+ )?fan)\w"
    r"|\b(?:I (?:currently |now |still )?work (?:as|at|for|in)|[Mm]y (?:job|profession|occupation|name) (?:is|as))\b"
)
_PLACES = word_set("town city village country state region place")
_ARE = word_set("do does did am is are was were")
_SOMEBODY = word_set("I you he she they we")
_LIVE = word_set("live living from based grow born")
_SAYS_HOME = (
    r"\bI(?:'m|’m| am| was| live| lived| come| grew)\b(?: (?!\w+ing\b)\w+){0,4} (?:from|in|near) (?:the )?[A-Z]\w"
    r"|\b[Mm]y home ?town\b"
)
ASK = r"(?:who|whom|whose|what|which|when|where|why|how)"
"""A pattern of question words."""
_DESCRIBED = r"\bthe (?:[\w-]+ ){1,4}?(?:of|where|that|which|who|whom|whose|\w{2,}(?:ed|ing))\b"
"""A description instead of a name: "the author of", "the city where"."""
_OWNED = rf"\b(?!(?:{ASK}|he|here|it|let|she|that|there)['’])\w+['’]s? [\w-]+"
"""A thing named by its owner: "Ada's team"."""
_INSTRUCTIONS = r"(?i)\b(?:always|rules?|instructions?|instruct(?:ed)?|tell you to|told you to)\b"
_CASE = r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b"
_SHORT = 160
"""The most characters of a bare question."""
_LONGEST_OFFER = 250
_OFFERS = ("feel free to", "let me know if", "hesitate to", "happy to help", "here to help", "further assistance")
_PRESENT = (
    r"(?i)\b(?:now|nowadays|currently|current|present(?:ly)?|at the moment|these days|newest|latest"
    r"|most recent(?:ly)?|so far|by this time|updated)\b"
)
_CODE = (
    r"(?i)\b(?:code|snippets?|functions?|methods?|scripts?|syntax|commands?|config\w*|implement\w*|import\w*|quer(?:y|ies)"
    r"|class(?:es)?|variables?|parameters?)\b|\w\(\)|`"
)


def _has(question: str, words: str, pattern: str) -> bool:
    """Whether a question matches a pattern whose matches all contain one of the words.

    Most questions lack the words, and searching them is far faster than compiling the pattern.
    """
    small = question.lower()
    return any(word in small for word in words.split("|")) and re.search(pattern, question) is not None


@lru_cache(maxsize=16)  # called for each passage of an assistant with one question
def asks_for_the_assistants_words(question: str) -> bool:
    """Whether a question asks what an assistant said: `what did you recommend?`."""
    return _has(question, "you|assistant|ai|chatbot|model|was |were |advice|recommend|suggest|tip", _ASSISTANT)


def asks_for_an_overview(question: str) -> bool:
    """Whether a question asks for many things at once: a summary, or an order of events."""
    words = "summar|order|throughout|across|overview|progress|timeline|over time"
    return _has(question, words, _OVERVIEW) or asks_for_the_order_of_talk(question)


@lru_cache(maxsize=16)
def asks_for_the_order_of_talk(question: str) -> bool:
    """Whether a question asks for the order of the user's topics: `in what order did I bring up my plans?`."""
    return _has(question, "order", _ORDER_OF_TALK)


def subject(question: str) -> str:
    """The topic of a question about the order of talk, without its question words; any other question unchanged."""
    if not asks_for_the_order_of_talk(question):
        return question
    words = ((word, word.strip(",.:;!?").lower()) for word in question.split())
    return " ".join(word for word, plain in words if f" {plain} " not in _FRAME and plain not in STOP_WORDS) or question


@lru_cache(maxsize=16)
def asks_for_a_number(question: str) -> bool:
    """Whether a question asks for a number or a date: `how many`, `what percentage`, `when`."""
    return any(_asks_for_a_number(part.split()) for part in re.split(r"[^\w\s]+", question.lower()))


def _asks_for_a_number(words: list[str]) -> bool:
    for at, word in enumerate(words):
        following = [each.removesuffix("s") for each in words[at + 1 : at + 1 + _NEAR_WHICH]]
        if (
            word == "when"
            or (word == "how" and not _HOW.isdisjoint(words[at + 1 : at + 2]))
            or (word == "by" and "date" in following[:2])
            or (word in ("what", "which") and not _COUNTED.isdisjoint(following))
        ):
            return True
    return False


@lru_cache(maxsize=16)
def asks_for_the_present(question: str) -> bool:
    """Whether a question asks for the present state of something that may have changed."""
    words = "now|current|present|moment|these days|newest|latest|recent|so far|this time|updated"
    return _has(question, words, _PRESENT)


_UNDECIDED = (
    "tbd", "to be decided", "undecided:",
    *(f"undecided {word} " for word in ("about", "how", "on", "when", "where", "whether", "which", "who")),
    *(f"open {word}{plural}:" for word in ("question", "point", "issue") for plural in ("", "s")),
    *(
        f"{to} {verb} "
        for to in ("to", "todo", "todo:")
        for verb in ("agree", "choose", "clarify", "decide", "find out", "pick a", "pick an", "pick one")
    ),
)  # fmt: skip
"""The beginnings of a text that says what is to be decided."""


@lru_cache(maxsize=16)
def asks_for_code(question: str) -> bool:
    """Whether a question is about code: it has a programming word."""
    words = (
        "code|snippet|function|method|script|syntax|command|config|implement|import|quer|class|variable|parameter|()|`"
    )
    return _has(question, words, _CODE)


def count_relations(question: str) -> int:
    """Count the things that a question describes by a relation: `the author of Emma`, `Ada's team`."""
    small = question.lower()
    patterns = [_DESCRIBED] if "the " in small else []
    patterns += [_OWNED] if "'" in small or "’" in small else []
    return sum(len(re.findall(pattern, small)) for pattern in patterns)


def asks_for_instructions(question: str) -> bool:
    """Whether a question asks for the user's standing instructions: `which rules did I give?`."""
    return _has(question, "always|rule|instruct|tell you to|told you to", _INSTRUCTIONS)


@lru_cache(maxsize=16)
def introduction_sought(question: str) -> str:
    """A pattern of introductions, if a question asks who somebody is or where from; else empty.

    `I'm Ada, a locksmith` gives the occupation; `I come from York` the home.
    """
    if _has(question, "for a living|for work|occupation|profession|job|how old|who is |who am ", _PERSON):
        return _INTRODUCTION
    return _SAYS_HOME if _asks_for_a_home(question) else ""


def _asks_for_a_home(question: str) -> bool:
    """Whether a question asks where somebody lives or is from: `where do you live?`, `which town is Ada from?`.

    Words are tested one by one, which is faster than compiling a pattern of them.
    """
    words = re.findall(r"\w+", question)
    for at, word in enumerate(words):
        after = words[at + 1 : at + 6]
        if word.lower() in ("which", "what") and after and after[0] in _PLACES:
            after = after[1:]
        elif word.lower() != "where":
            continue
        verb, who, other, last, *_ = [*after, "", "", "", ""]
        is_somebody = who in _SOMEBODY or "A" <= who[:1] <= "Z"
        if verb in _ARE and is_somebody and not _LIVE.isdisjoint((other, last)):
            return True
    return "hometown" in words or ("home", "town") in pairwise(words)


def is_mere_question(text: str) -> bool:
    """Whether a text is one short question without any facts of the speaker."""
    return len(text) <= _SHORT and text.endswith("?") and re.search(_CASE, text) is None


def leaves_open(text: str) -> bool:
    """Whether a text is nothing but a question, or says that something is still to be decided."""
    said = text.strip()
    is_alone = said.endswith(("?", "？")) and re.search(r"[.!?:;？]\s", said) is None
    return is_alone or _is_undecided(said.lower())


def _is_undecided(small: str) -> bool:
    """Whether a lower-case text says what is to be decided; this is faster than compiling a pattern.

    "To find out the version, type …" says how to do it, and leaves nothing open.
    """
    is_purpose = small.startswith("to ") and (", " in small or ": " in small) and " or " not in small
    for opening in ("we ", "i ", "still ", "need ", "have "):
        small = small.removeprefix(opening)
    return not is_purpose and f"{small} ".startswith(_UNDECIDED)


def asks_what_is_open(question: str) -> bool:
    """Whether a question is about what is still to be decided or done."""
    return (
        re.search(r"(?i)\b(?:open|todos?|to do|tbd|undecided|to decide|pending|questions?|unclear)\b", question)
        is not None
    )


def is_offer(text: str) -> bool:
    """Whether a short text merely offers more help: `If you have more questions, feel free to ask!`."""
    small = text.lower() if len(text) <= _LONGEST_OFFER else ""
    return any(phrase in small for phrase in _OFFERS)


def asks_for_a_fact(question: str) -> bool:
    """Whether a question asks for a fact, and not for advice or action."""
    first, second, *_ = [*re.split(r"\W+", question.strip(), maxsplit=2), "", ""]
    small = first.lower()
    with_name = small in ("did", "does", "is", "was", "has", "had") and second[:1].isupper()  # did Ada move?
    return small in _ASK_FACTS or with_name or second.lower() in _ASK_FACTS_WITH.get(small, "").split()


_WHEN = (
    *(f"when {verb} " for verb in ("did", "was", "were", "has", "have", "had", "will")), "how long ",
    *(f"{which} {unit} " for which in ("what", "which") for unit in ("year", "month", "date", "day")),
)  # fmt: skip


def asks_when(query: str) -> bool:
    """Whether a query begins by asking for a time.

    "When did" asks for a time; "when do we" may ask for a condition, as in questions about a project's rules.
    """
    return query.lstrip().lower().startswith(_WHEN)


_FEWEST = 3
"""The fewest things of a list."""
_MOST_WORDS = 5
"""The most words of a thing in a list without a colon."""
_SEPARATOR = r"(?i)[,;]\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+"
_RUN = r"(?i)(?:[\w.'’/-]+ ){1,20}?[\w.'’/-]+(?:, [\w.'’/ -]+)+,? (?:and|or) [\w.'’/ -]+"
"""Things separated by commas, and the words before the first one."""
_LEAD = r"(?i)^.*\b(?:for|of|about|between|like|with|on|in|to|from|were|are|is|did|use|used)\s+"
_ASKS = r"(?i)(?:which|what|who)\b"
_SMALL = r"(?i)^(?:(?:for|of|about|with|on|in|to|the|a|an|my|our|her|his|their|and|or|where|how|when)\s+)+"


def listed(question: str) -> tuple[str, ...]:
    """The things that a question lists, after a colon or separated by commas; empty if fewer than three."""
    _, colon, tail = question.strip().rstrip("?.!").partition(": ")
    if colon:
        return _things(re.split(_SEPARATOR, tail))
    if not (run := re.search(_RUN, question)):
        return ()
    first, *others = re.split(_SEPARATOR, run[0])
    first = re.sub(_LEAD, "", first)
    return _things([first, *others]) if all(len(each.split()) <= _MOST_WORDS for each in (first, *others)) else ()


def _things(pieces: list[str]) -> tuple[str, ...]:
    things = (re.sub(_SMALL, "", each.strip()) for each in pieces)
    found = tuple(dict.fromkeys(each for each in things if len(each) > 1 and not re.match(_ASKS, each)))
    return found if len(found) >= _FEWEST else ()
