"""Split texts into sentences: a turn's own words, and the prose and lists of documents and chats.

The phrases that mark a sentence as not worth keeping in any of them are here, too.
"""

import re
from collections.abc import Iterable, Iterator

from memoir.english.code_text import is_code, without_fenced
from memoir.english.patterns import alternatives, anywhere, at_start

_CALLS = r"""
    hey|hi|hello|yo|oh|ah|wow|whoa|woohoo|yay|aww?|haha\w*|lol|yeah|yes|yep|yup|nope?|nah|ok(?:ay)?|sure|right|alright
    well|so|and|but|also|plus|anyway|actually|honestly|basically|totally|absolutely|exactly|definitely|of course
    thanks(?: so much| a lot)?|thank you(?: so much)?|sorry|cool|great|nice|awesome|amazing
    good (?:morning|evening|afternoon)|guess what|in short|as (?:a reminder|mentioned)
"""
"""Opening words, if followed by a mark, or by a name and a mark."""
_LEADS = r"""
    ok(?:ay)?|so|and|but|also|oh|hey|hm+|no(?=[,.!])|yes|nope|well|cool|right|again|btw|by the way|fyi|heads up
    (?:please )?note(?: that)?|note for later|one more thing|for (?:future )?reference|for the record
    (?:please |pls )?remember(?: that)?|keep in mind(?: that)?|just so you know|you should know(?: that)?
    be aware(?: that)?
"""
"""Opening words, whatever follows them."""
_LEAD = re.compile(
    rf"(?:(?:{alternatives(_CALLS)})(?:\s+(?-i:[A-Z])[\w'’-]+)?\s*[,!.:;—-]+\s*"
    rf"|(?:{alternatives(_LEADS)})\b(?:[\s,:.!-]+|$))+",
    re.IGNORECASE,
)
SUPPOSITION = anywhere(
    r"""
    if we ever|imagine|suppose|maybe|perhaps|might|i (?:think|guess|suppose|wonder|doubt|feel like|bet)
    i(?:'m| am) guessing|not sure|what if|could always|could be|would be|wouldn'?t|probably
    hypothetically|let me know|hopefully|hope|wish|fingers crossed|it depends|kidding|if only
    """
)
NEW_SUBJECT = at_start(
    """
    anyway|by the way|btw|on another note|on a different note|changing the subject|to change the subject|new topic
    different topic|unrelated|one more thing|another thing|next topic
    """
)
"""The beginning of a change of subject."""


def without_lead(sentence: str) -> str:
    """A sentence without its opening words: "by the way, "."""
    return sentence[lead.end() :] if (lead := _LEAD.match(sentence)) else sentence


_TO_KEEP = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|also|please|pls|(?:can|could|will|would) you)\b[\s,]*)*"
    r"(?:remember|keep in mind|bear in mind|make a note|note|don['’]?t forget|do not forget)(?:\s+that\b|\s*:)[\s,:]*"
    r"(?=\S+\s+\S+\s+\S)",
    re.IGNORECASE,
)


def asked_to_remember(sentence: str) -> str:
    """The content of a request to remember, "please remember that …"; empty for other sentences and questions."""
    asked = _TO_KEEP.match(sentence)
    return sentence[asked.end() :] if asked and not is_question(sentence) else ""


def is_question(text: str) -> bool:
    """Whether a text ends in a question mark."""
    return "?" in text.rstrip()[-3:]


LONGEST = 400
"""The most characters of a sentence of prose; anything longer is not one."""
LONGEST_SAID, _MOST_SAID = 500, 200
"""The most characters of a sentence of a turn, and the most sentences read of a turn."""
_NOT_SAID = re.compile(
    r"""^\s*(?:
        > | \$\s | \#\s*include | at\s[\w.$]+\( | Traceback\s\(most | File\s" | [\w.]*(?:Error|Exception|Warning):\s
        | \[?\d{4}-\d\d-\d\d[T\s]\d\d: | (?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL)\b | [+-]{3}\s | @@ | \|
        | [{}\]\[);]+\s*$
    )""",
    re.VERBOSE,
)
_QUOTATION = re.compile(
    r"\b(?:says|said|wrote|writes|reads|called out|quote|log|output|message|error|sentence|prints?)\b"
    r"[^.\n\"“]{0,40}[:,]?\s*(?:\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']{6,}'(?!\w)|:\s.*$)",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCES_QUOTED = re.compile(r"(?<!\w)\"(?=(?:[^\s\"]+\s+){5})[^\"]{12,1500}\"|“(?=(?:[^\s“”]+\s+){5})[^”]{12,1500}”")
"""Quoted sentences of others: six or more words; fewer are a name or a value."""
_ALL_QUOTED = re.compile(r'\s*"[^"]*"\s*')
_TRANSLATE = re.compile(r"^\s*(?:please )?(?:translate|proofread|rephrase|correct)\b.*", re.IGNORECASE | re.DOTALL)
_SHORT = "".join(rf"(?<!\b{each}\.)" for each in ("Mr", "Mrs", "Ms", "Dr", "vs", "No", r"e\.g", r"i\.e"))
_END_SAID = re.compile(
    rf"{_SHORT}(?<=[.!?])[\"'”)]*\s+(?=\S)|\s+but\s+(?=(?:the|our|we|in|all|every) )"
    r"|\n\s*(?:[-*•]|\d+[.)])?\s*|;\s+|\s[-–—]\s|,\s+and\s+(?=remember\b|keep in mind\b)|(?<=…)\s+(?=[A-Z])"
)
_ABBREVIATIONS = re.compile(
    "e[.]g|i[.]e|etc|vs|cf|mr|mrs|ms|dr|prof|st|no|fig|al|approx|inc|ltd|co|jr|sr|ca|dept|est|min|max|[ap][.]m|u[.]s"
)
_END = re.compile(r"(?<=[.!?…])([\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[A-Z0-9`@#À-Þ])")
_BLOCK = re.compile(r"\n[ \t]*\n")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_NO_PROSE = re.compile(r"\s*(?:#{1,6}\s|\||<[!/a-z]|={3,}|-{3,}|~{3,}|\.\. |:[\w -]+:(?:\s|$)|\[[^\]]+\]:)")
_ASIDE = re.compile(r"\[(?:shares?|sends?|image|photo|picture|laughs?|sighs?)\b[^\]]*\]", re.IGNORECASE)


def said_sentences(text: str, longest: int = LONGEST_SAID) -> Iterator[str]:
    """Yield the speaker's own sentences in a turn, without code, logs and quotations."""
    lines = without_fenced(text, "\n").splitlines()
    speech = "\n".join(line for line in lines if not _NOT_SAID.match(line) and not is_code(line))
    if not _ALL_QUOTED.fullmatch(speech):  # as some hosts hand a prompt over
        speech = _SENTENCES_QUOTED.sub("…", speech)
    speech = _QUOTATION.sub("…", _TRANSLATE.sub("", speech))
    plain = "\n".join(" ".join(line.split()) for line in speech.splitlines())  # long white space is slow to search
    for part in _END_SAID.split(plain)[:_MOST_SAID]:
        sentence = " ".join(part.split())
        if sentence and len(sentence) <= longest:
            yield sentence


def prose_sentences(text: str, longest: int = LONGEST) -> Iterator[str]:
    """Yield the sentences of prose and lists, each on one line; headings, code, tables and markup are skipped."""
    for block in _without_literals(_BLOCK.split(_ASIDE.sub("", without_fenced(text, "\n\n")))):
        for paragraph in _paragraphs(block):
            yield from (sentence for sentence in _sentences(paragraph) if len(sentence) <= longest)


def _without_literals(blocks: Iterable[str]) -> Iterator[str]:
    """Skip reStructuredText's literal blocks: they are indented and follow a double colon."""
    literal = False
    for block in blocks:
        if literal and all(line[:1].isspace() for line in block.splitlines() if line):
            continue
        last = block.rstrip().rpartition("\n")[2].strip()
        literal = last.endswith("::")
        yield block


def _paragraphs(block: str) -> Iterator[str]:
    """The paragraphs and list items of a block of lines; an indented block is code."""
    lines: list[str] = []
    for line in block.splitlines():
        begins = _ITEM.match(line)
        if begins or _NO_PROSE.match(line):
            yield " ".join(lines)
            lines = [line[begins.end() :].strip()] if begins else []
        elif lines or not line.startswith(("    ", "\t")):
            lines.append(line.strip())
    yield " ".join(lines)


def _sentences(paragraph: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(paragraph):
        word = paragraph[start : end.start()].rstrip(".").rpartition(" ")[2].strip("(\"'").casefold()
        if paragraph[end.start() - 1] == "." and (
            _ABBREVIATIONS.fullmatch(word) or (len(word) == 1 and word.isalpha())
        ):
            continue
        yield " ".join(paragraph[start : end.end()].split())
        start = end.end()
    if rest := " ".join(paragraph[start:].split()):
        yield rest
