"""How `agent` chooses and splits without a model: by the form of the question."""

import re

_ASK = r"(?:who|whom|whose|what|which|when|where|why|how)"
_RELATION = re.compile(
    r"\bthe (?:[\w-]+ ){1,4}?(?:of|where|that|which|who|whom|whose|\w{2,}(?:ed|ing))\b|"
    rf"\b(?!(?:{_ASK}|it|that|there|let)['’])\w+['’]s? [\w-]+",
    re.IGNORECASE,
)
"""Describes something instead of naming it: "the author of", "the city where", "Ada's team"."""
_QUESTION = re.compile(rf"{_ASK} (?:is|was|are|were) ", re.IGNORECASE)
"""Begins a question whose first relation is what it asks for, such as "Who is the author of"."""
_SENTENCES = re.compile(r"(?<=\?)\s+")
_TWO_QUESTIONS = re.compile(rf",?\s+(?:and|or)\s+(?:also\s+)?(?={_ASK}\b)", re.IGNORECASE)
_NAME = r"[A-Z0-9][\w.&'’-]*(?: (?:of |the )?[A-Z0-9][\w.&'’-]*)*"
_NAMES = re.compile(rf"(?P<first>{_NAME})(?P<more>(?:, {_NAME})*),? (?:and|or|nor) (?P<last>{_NAME})")
_COMPARISON = re.compile(
    r"\b(?:(?:differences?|similarities|relations?|connections?) between|compare|both|either|neither) "
    r"(?P<first>[\w.'’ -]+?)(?P<more>(?:, [\w.'’-]+)*),? (?:and|or|nor|with|to) (?P<last>[\w.'’-]+)",
    re.IGNORECASE,
)


def select(question: str) -> str:
    """`split` if the question can be split, `chain` if it describes something by relations, else `direct`."""
    if len(split(question)) > 1:
        return "split"
    relations = len(_RELATION.findall(question)) - bool(_QUESTION.match(question))
    return "chain" if relations > 0 else "direct"


def split(question: str) -> list[str]:
    """The questions that a question is made of, or the question alone.

    Each question of several is one, and each name of a list of names is asked for by itself.
    """
    parts = [part.strip() for part in _SENTENCES.split(question) if part.strip()]
    parts = [piece for part in parts for piece in _TWO_QUESTIONS.split(part) if piece]
    return [each for part in parts for each in _each_name(part)]


def _each_name(question: str) -> list[str]:
    match = _COMPARISON.search(question) or _NAMES.search(question)
    if match is None:
        return [question]
    names = [match["first"], *match["more"].split(", "), match["last"]]
    before, after = question[: match.start()], question[match.end() :]
    return [f"{before}{name}{after}".strip() for name in names if name]
