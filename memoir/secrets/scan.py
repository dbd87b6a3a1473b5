r"""Where a text holds credentials, in time that grows with the text and not faster, whatever the text.

A veil hides a credential from a scan and not from its reader: invisible characters; the backslashes of Markdown and
JSON, as in `ghp\_…`, which converters of HTML and of office documents write everywhere; references to characters, as
`&#95;` is to `_`; letters in another width or style. The scan looks below the veils.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Set
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memoir.secrets.credentials import BESIDE, BY_NAME, SHAPES, Shape

if TYPE_CHECKING:
    import redact_secret

_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\r")
# Unicode's Default_Ignorable_Code_Point, and the control characters that are not white space.
_INVISIBLE = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]+"
)
_REFERENCE = r"&(?:#0{0,5}\d{2,3}|#[xX]0{0,5}[0-9a-fA-F]{2}|[A-Za-z]{2,9});"
_ESCAPE = r"\\(?<!\\\\)\\*+(?=[!-/:-@\[\]-`{-~])"
"""Backslashes before a sign of ASCII, all in a row: a text may have been escaped again. It begins with a letter of its
own, without which a search takes ten times as long."""
_STYLES = "[\u2010\u2011\uff01-\uff5e\u24b6-\u24e9\U0001d400-\U0001d7ff]+"
"""Letters and signs of full width, circled ones, those of mathematics, and hyphens that are not that of ASCII."""
_FEW = 20
_UNUSUAL = f"{_INVISIBLE[:-2]}{_STYLES[1:-1]}"


class Credential(NamedTuple):
    """Where a credential begins and ends, and the rule that found it."""

    start: int
    end: int
    rule: str


class _Veil(NamedTuple):
    """A part of a text that hides something: where it begins and ends, and the character that it stands for, if any."""

    start: int
    end: int
    sign: str = ""


def bare(text: str) -> str:
    """A text without what could hide a credential from the rules."""
    if text.isascii():
        text = _without_invisible(text)
    elif len(unusual := {*re.findall(_UNUSUAL, text)}) > _FEW:
        text = _without_styles(_without_invisible(text))
    else:
        for char in unusual:  # a few are replaced faster so
            text = text.replace(char, _without_styles(_without_invisible(char)))
    text = _lift(text, _references(text)) if "&" in text else text
    return re.sub(_ESCAPE, "", text) if "\\" in text else text


def place(text: str, credentials: list[Credential]) -> list[Credential]:
    """Where the credentials that were found in a bare text are in the whole text."""
    visible = _without_styles(_without_invisible(text))
    unescaped = _lift(visible, _references(visible))
    for veils in (_veils(_ESCAPE, unescaped), _references(visible), _veils(_INVISIBLE, text)):
        credentials = _place(veils, credentials)
    return credentials


def _without_invisible(text: str) -> str:
    if text.isascii():
        return text.encode().translate(None, _CONTROLS).decode()
    return re.sub(_INVISIBLE, "", text)


def _without_styles(text: str) -> str:
    """A text of the same length with plain letters and hyphens for those in another width or style."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return re.sub(_STYLES, lambda run: normalize("NFKC", run[0]).replace("\u2010", "-"), text)


def _veils(pattern: str, text: str) -> Iterator[_Veil]:
    return (_Veil(*match.span()) for match in re.finditer(pattern, text))


def _references(text: str) -> Iterator[_Veil]:
    """The references to printable characters of ASCII."""
    from html import unescape

    signs: dict[str, str] = {}
    for match in re.finditer(_REFERENCE, text):
        sign = signs.get(match[0]) or signs.setdefault(match[0], unescape(match[0]))
        if len(sign) == 1 and "!" <= sign <= "~":
            yield _Veil(*match.span(), sign)


def _lift(text: str, veils: Iterable[_Veil]) -> str:
    """A text with the characters that parts of it stand for in their places."""
    parts, at = list[str](), 0
    for veil in veils:
        parts += [text[at : veil.start], veil.sign]
        at = veil.end
    return "".join([*parts, text[at:]]) if parts else text


def _place(veils: Iterable[_Veil], credentials: list[Credential]) -> list[Credential]:
    """Where the credentials found in a text without its veils are in the text with them."""
    starts, shifts = [0], [0]  # positions without the veils, and how much further on each one is with them
    ends, shifts_of_ends = [0], [0]  # the same for positions behind a character, which a sign makes wider
    shift = 0
    for start, end, sign in veils:
        at = start - shift + len(sign)
        shift += end - start - len(sign)
        starts.append(at)
        shifts.append(shift)
        ends.append(at if sign else at + 1)
        shifts_of_ends.append(shift)

    def begin(at: int) -> int:
        return at + shifts[bisect_right(starts, at) - 1]

    def end_at(at: int) -> int:
        return at + shifts_of_ends[bisect_right(ends, at) - 1]

    return [Credential(begin(one.start), end_at(one.end), one.rule) for one in credentials]


class Window(NamedTuple):
    """How much redact-secret scans at once."""

    size: int = 1 << 17
    """Characters that are scanned together."""
    context: int = 1 << 13
    """Characters beside these that it is shown: the longest token for which its own documentation makes room."""


WINDOW = Window()
_AFTER_STOP = " \n\r\t"
_TAGS = "a|b|br|code|dd|div|dt|em|i|kbd|li|ol|p|pre|samp|span|strong|td|th|tr|tt|u|ul|var"
_TAG = rf"</?(?:{_TAGS})(?: [^<>]{{0,200}})?>"
_FEW_TAGS = 20
"""Different tags up to which each is replaced by itself, which takes half the time."""
_NEAR = 120
"""How many characters before a credential the word `Shape.behind` may be."""
_MOST_JUDGEMENTS = 1000
"""The most judgements that are remembered."""
_PHRASE = 12
"""The fewest words of a seed phrase."""
_DIFFERENT = 11
"""The fewest different words of a seed phrase."""
_SHORTEST_PHRASE = 47
"""The fewest characters of a seed phrase."""
_LENGTHS = range(3, 9)
"""The lengths of its words."""
_NEVER_LISTED = frozenset(b"the and for are was not has but than with from our".split())
"""Some of the most common English words that are not on the list of BIP 39."""
_LETTERS = b" " * ord("a") + b"abcdefghijklmnopqrstuvwxyz" + b" " * (255 - ord("z"))
"""Turns every byte that is not a small letter into a blank."""
_COMMON = "etaoinsrhldcumfpgwybvkxjqz .-_/:0123456789"
"""Characters, the most common in texts first; all others are rarer."""


_Match = tuple[int, int, str]
"""The parts of a credential, unless it is an example."""


def _by_rarest(shapes: Iterable[Shape]) -> list[tuple[str, dict[str, list[Shape]]]]:
    """Shapes by their parts, and these by their rarest characters: a text without one is searched for none of them."""
    groups: dict[str, dict[str, list[Shape]]] = {}
    for shape in shapes:
        rarest = max(shape.part, key=lambda char: _COMMON.find(char) % (len(_COMMON) + 1))
        groups.setdefault(rarest, {}).setdefault(shape.part, []).append(shape)
    return [*groups.items()]


_PARTS = _by_rarest(shape for shape in SHAPES if not shape.by_name)
_NAMES = _by_rarest(shape for shape in SHAPES if shape.by_name)


def credentials(text: str, window: Window = WINDOW) -> list[Credential]:
    """Every credential in a text, in order; of two that begin together the one found by its own shape comes first."""
    return _find(text, None, window)


def first_credential(text: str) -> Credential | None:
    """The first credential in a text, or None; faster than `credentials`."""
    return next(iter(_find(text, 1, WINDOW)), None)


def _find(text: str, most: int | None, window: Window) -> list[Credential]:
    """The credentials in a text, in order; `most` is how many each rule need find."""
    visible = bare(text)
    plain = _without_marks(visible)
    kinds = (*_shapes(plain), *_seed_phrases(plain))
    own = [one for kind in kinds for one in islice(_without_examples(plain, kind), most)]
    end = min(one.start for one in own) + 1 if own and most else len(plain)
    matches = [*islice(_without_examples(plain, _rules(plain, end, window)), most), *own]
    matches.sort(key=lambda one: (one.start, one.rule in BY_NAME))
    return place(text, matches) if matches and len(visible) != len(text) else matches


def _without_examples(text: str, matches: Iterable[_Match]) -> Iterator[Credential]:
    """The credentials among matches in a text, without examples. Equal ones among equal characters are judged once."""
    judgements: dict[tuple[str, int, int, str], bool] = {}
    for start, end, rule in matches:
        first = start - BESIDE if start > BESIDE else 0  # `max` is slower, and a text may hold 100,000 examples
        key = (text[first : end + BESIDE], start - first, end - first, rule)
        judgement = judgements.get(key)
        if judgement is None:
            if len(judgements) == _MOST_JUDGEMENTS:
                judgements.clear()
            from memoir.secrets.examples import is_example  # its patterns compile long, and few texts need them

            judgement = judgements[key] = is_example(*key[:3], rule in BY_NAME)
        if not judgement:
            yield Credential(start, end, rule)


def _without_marks(text: str) -> str:
    """A text of the same length with blanks for HTML tags and for full stops, which no rule expects."""
    if "<" in text and ">" in text:
        for name in _TAGS.split("|"):  # most tags are bare ones, which are replaced faster so
            blank = " " * len(name)
            text = text.replace(f"<{name}>", f" {blank} ").replace(f"</{name}>", f"  {blank} ")
        tags = {*re.findall(_TAG, text)}
        for tag in tags if len(tags) <= _FEW_TAGS else ():
            text = text.replace(tag, " " * len(tag))
        if len(tags) > _FEW_TAGS:
            text = re.sub(_TAG, lambda tag: " " * len(tag[0]), text)
    text = _without_full_stops(text) if "." in text else text
    return re.sub(r"\.(?<=\.\.)(?=\w)", " ", text) if ".." in text else text  # "...ghp_": no rule expects it either


def _without_full_stops(text: str) -> str:
    """A text with a blank for each full stop before white space or the end, but not for an ellipsis.

    Strings are replaced in a fraction of the time that a pattern takes.
    """
    for space in _AFTER_STOP:
        text = text.replace(f".{space}", f" {space}")
    for space in reversed(_AFTER_STOP):  # a full stop that still has a blank after it had another one there
        text = text.replace(f". {space}", f"..{space}")
    return text[:-1] + " " if text.endswith(".") and not text.endswith("..") else text


@cache
def _scanner() -> "Callable[[str], list[redact_secret.Finding]]":
    import redact_secret

    # No memory is as large as these limits: a scan must not fail because its text is large.
    limits = redact_secret.WholeInputLimits(max_input_bytes=2**40, max_findings=2**32)
    return lambda text: redact_secret.scan(text, limits=limits)


def _rules(text: str, end: int, window: Window) -> Iterator[_Match]:
    """Where redact-secret's rules match before some position, in order.

    The text is scanned in windows, so that whoever needs the first credential alone has no more than its window
    scanned. Each is scanned with what is beside it, and reports what begins in itself: nothing lies across two.
    """
    for start in range(0, end, window.size):
        first = max(start - window.context, 0)
        for finding in _scanner()(_readable(text[first : start + window.size + window.context])):
            at = first + finding.start
            if start <= at < start + window.size:
                yield at, first + finding.end, _rule(finding.type)


@cache
def _rule(kind: str) -> str:
    """Memoir's name for a rule of redact-secret, which has some dozens of rules."""
    return kind.replace("_", "-")


def _readable(text: str) -> str:
    """A text of the same length that redact-secret reads in time that grows with the text, and not faster.

    Its rule for web tokens reads from every "eyJ" to the end of the word, as one does from every "mongodb://"; another
    one reads far from every "AccountKey=", and one from every "token=" to the end of the line. So all are changed;
    memoir's own shapes find the credentials after "eyJ" and "AccountKey=", the library the others.
    """
    if "eyJ" in text:
        text = re.sub(r"eyJ(?<=[\w-]eyJ)", "eyj", text)
    text = text.replace("AccountKey=", "Account-Key")
    for name in ("token", "TOKEN", "Token"):
        text = text.replace(f"{name}=", f"{name}:")
    lower = _lower(text)
    if "token=" in lower:  # mixed capitals
        text = re.sub("(?i)token=", "token:", text)
    if "mongodb" in lower:
        text = re.sub(r"(?i)[^\s\"'](?=mongodb(?:\+srv)?://)", " ", text)
    # The scanner takes no lone surrogates; memories with them are refused elsewhere, by name.
    return text if text.isascii() else text.encode(errors="replace").decode()


def _shapes(text: str) -> Iterator[Iterator[_Match]]:
    """Where each shape of the table matches. Its part is looked for first, because that is faster than the pattern."""
    yield from _matches_in(_PARTS, text)
    if any(map(text.__contains__, "0123456789")):  # what is known by its name has a digit
        yield from _matches_in(_NAMES, _lower(text))


def _matches_in(groups: Iterable[tuple[str, dict[str, list[Shape]]]], text: str) -> Iterator[Iterator[_Match]]:
    for char, parts in groups:
        if char in text:
            yield from (_matches(shape, text) for part in parts if part in text for shape in parts[part])


def _matches(shape: Shape, text: str) -> Iterator[_Match]:
    group = "value" if shape.by_name else 0
    for match in re.finditer(shape.pattern, text):
        if not shape.behind or _is_behind(shape.behind, text, match.start()):
            yield *match.span(group), shape.rule


def _is_behind(word: str, text: str, at: int) -> bool:
    return word in text[max(at - _NEAR, 0) : at].rpartition("\n")[2]


def _seed_phrases(text: str) -> Iterator[Iterator[_Match]]:
    """Where at least twelve words in a row, eleven of them different, are all on the list of BIP 39."""
    if len(text) < _SHORTEST_PHRASE:
        return
    lower = _lower(text)
    words = lower.encode(errors="replace").translate(_LETTERS).split()  # faster than re.findall("[a-z]+")
    likely = _likely(words)
    is_loaded = _seed_words.cache_info().currsize > 0
    if len(likely) >= _DIFFERENT and (is_loaded or _rows(words, likely)):
        phrases = [(a, b) for a, b in _rows(words, _seed_words()) if len({*words[a:b]}) >= _DIFFERENT]
        if phrases:
            yield _phrases_at(phrases, lower)


def _phrases_at(phrases: Iterable[tuple[int, int]], text: str) -> Iterator[_Match]:
    """Where rows of words are, given the positions of each one's first word and of the one after its last."""
    words, offset = re.finditer("[a-z]+", text), 0
    for first, end in phrases:
        row = [*islice(words, first - offset, end - offset)]
        offset = end
        yield row[0].start(), row[-1].end(), "seed-phrase"


def _likely(words: list[bytes]) -> Set[bytes]:
    """Those of some words that may be on the list, judged by their lengths; it is loaded only if these allow that."""
    return {word for word in {*words} if len(word) in _LENGTHS} - _NEVER_LISTED


def _rows(words: list[bytes], phrase_words: Set[bytes]) -> list[tuple[int, int]]:
    """Where at least twelve words in a row are in a set: the positions of the first and of the one after the last."""
    marks = bytes(map(phrase_words.__contains__, words))
    return [row.span() for row in re.finditer(b"\1{%d,}" % _PHRASE, marks)]


def _lower(text: str) -> str:
    """A text of the same length in lower case."""
    return text.replace("\u0130", "I").lower()  # the one letter that becomes two in lower case


@cache
def _seed_words() -> frozenset[bytes]:
    from mnemonic import Mnemonic

    return frozenset(word.encode() for word in Mnemonic("english").wordlist)
