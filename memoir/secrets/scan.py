r"""Finds the credentials in a text, always in time in proportion to its length.

A veil hides a credential from a scan but not from a reader: invisible characters; the backslashes of Markdown and JSON,
as in `ghp\_…`, which converters of HTML and office documents write everywhere; character references, such as `&#95;`
for `_`; letters in another width or style. The scan removes veils first.
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
"""Consecutive backslashes before an ASCII sign: a text may have been escaped twice. It begins with a literal backslash,
because a search would otherwise take ten times as long."""
_STYLES = "[\u2010\u2011\uff01-\uff5e\u24b6-\u24e9\U0001d400-\U0001d7ff]+"
"""Full-width, circled and mathematical letters and signs, and hyphens outside ASCII."""
_FEW = 20
_UNUSUAL = f"{_INVISIBLE[:-2]}{_STYLES[1:-1]}"


class Credential(NamedTuple):
    """The start and end of a credential, and the rule that found it."""

    start: int
    end: int
    rule: str


class _Veil(NamedTuple):
    """A veil: its start and end, and the character that it stands for, if any."""

    start: int
    end: int
    sign: str = ""


def bare(text: str) -> str:
    """A text without veils, which could hide a credential from the rules."""
    if text.isascii():
        text = _without_invisible(text)
    elif len(unusual := {*re.findall(_UNUSUAL, text)}) > _FEW:
        text = _without_styles(_without_invisible(text))
    else:
        for char in unusual:  # faster for a few
            text = text.replace(char, _without_styles(_without_invisible(char)))
    text = _replace_veils(text, _references(text)) if "&" in text else text
    return re.sub(_ESCAPE, "", text) if "\\" in text else text


def place(text: str, credentials: list[Credential]) -> list[Credential]:
    """Map credentials found in a bare text to their positions in the original text."""
    visible = _without_styles(_without_invisible(text))
    unescaped = _replace_veils(visible, _references(visible))
    for veils in (_veils(_ESCAPE, unescaped), _references(visible), _veils(_INVISIBLE, text)):
        credentials = _shift(veils, credentials)
    return credentials


def _without_invisible(text: str) -> str:
    if text.isascii():
        return text.encode().translate(None, _CONTROLS).decode()
    return re.sub(_INVISIBLE, "", text)


def _without_styles(text: str) -> str:
    """A text of the same length with plain letters and hyphens in place of styled ones."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return re.sub(_STYLES, lambda run: normalize("NFKC", run[0]).replace("\u2010", "-"), text)


def _veils(pattern: str, text: str) -> Iterator[_Veil]:
    return (_Veil(*match.span()) for match in re.finditer(pattern, text))


def _references(text: str) -> Iterator[_Veil]:
    """The references to printable ASCII characters."""
    from html import unescape

    signs: dict[str, str] = {}
    for match in re.finditer(_REFERENCE, text):
        sign = signs.get(match[0]) or signs.setdefault(match[0], unescape(match[0]))
        if len(sign) == 1 and "!" <= sign <= "~":
            yield _Veil(*match.span(), sign)


def _replace_veils(text: str, veils: Iterable[_Veil]) -> str:
    """A text with each veil replaced by the character that it stands for."""
    parts, at = list[str](), 0
    for veil in veils:
        parts += [text[at : veil.start], veil.sign]
        at = veil.end
    return "".join([*parts, text[at:]]) if parts else text


def _shift(veils: Iterable[_Veil], credentials: list[Credential]) -> list[Credential]:
    """Map credentials found in a text without veils to the text with them."""
    starts, shifts = [0], [0]  # positions without veils, and the shift of each
    ends, shifts_of_ends = [0], [0]  # the same for end positions
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
    """The sizes of redact-secret's scans."""

    size: int = 1 << 17
    """The characters that are scanned together."""
    context: int = 1 << 13
    """The characters added on either side: the longest token according to redact-secret's documentation."""


WINDOW = Window()
_AFTER_STOP = " \n\r\t"
_TAGS = "a|b|br|code|dd|div|dt|em|i|kbd|li|ol|p|pre|samp|span|strong|td|th|tr|tt|u|ul|var"
_TAG = rf"</?(?:{_TAGS})(?: [^<>]{{0,200}})?>"
_FEW_TAGS = 20
"""The most different tags that are replaced one by one, which takes half the time."""
_NEAR = 120
"""The most characters between the word `Shape.behind` and the credential."""
_MOST_JUDGEMENTS = 1000
"""The most judgements that are remembered."""
_PHRASE = 12
"""The fewest words of a seed phrase."""
_DIFFERENT = 11
"""The fewest different words of a seed phrase."""
_SHORTEST_PHRASE = 47
"""The fewest characters of a seed phrase."""
_LENGTHS = range(3, 9)
"""The lengths of the words in a seed phrase."""
_NEVER_LISTED = frozenset(b"the and for are was not has but than with from our".split())
"""Some of the most common English words that are not on the list of BIP 39."""
_LETTERS = b" " * ord("a") + b"abcdefghijklmnopqrstuvwxyz" + b" " * (255 - ord("z"))
"""A table that turns every byte other than a lower-case letter into a blank."""
_COMMON = "etaoinsrhldcumfpgwybvkxjqz .-_/:0123456789"
"""Characters, the most common first; all others are rarer."""


_Match = tuple[int, int, str]
"""The start, end and rule of a credential, or of an example."""


def _by_rarest(shapes: Iterable[Shape]) -> list[tuple[str, dict[str, list[Shape]]]]:
    """Group shapes by their parts, and parts by their rarest characters: texts without the character need no search."""
    groups: dict[str, dict[str, list[Shape]]] = {}
    for shape in shapes:
        rarest = max(shape.part, key=lambda char: _COMMON.find(char) % (len(_COMMON) + 1))
        groups.setdefault(rarest, {}).setdefault(shape.part, []).append(shape)
    return [*groups.items()]


_PARTS = _by_rarest(shape for shape in SHAPES if not shape.by_name)
_NAMES = _by_rarest(shape for shape in SHAPES if shape.by_name)


def credentials(text: str, window: Window = WINDOW) -> list[Credential]:
    """Every credential in a text, in order; of two with the same start, the one found by its own shape comes first."""
    return _find(text, None, window)


def first_credential(text: str) -> Credential | None:
    """The first credential in a text, or None; faster than `credentials`."""
    return next(iter(_find(text, 1, WINDOW)), None)


def _find(text: str, most: int | None, window: Window) -> list[Credential]:
    """The credentials in a text, in order; at most `most` for each rule."""
    visible = bare(text)
    plain = _without_marks(visible)
    kinds = (*_shapes(plain), *_seed_phrases(plain))
    own = [one for kind in kinds for one in islice(_without_examples(plain, kind), most)]
    end = min(one.start for one in own) + 1 if own and most else len(plain)
    matches = [*islice(_without_examples(plain, _rules(plain, end, window)), most), *own]
    matches.sort(key=lambda one: (one.start, one.rule in BY_NAME))
    return place(text, matches) if matches and len(visible) != len(text) else matches


def _without_examples(text: str, matches: Iterable[_Match]) -> Iterator[Credential]:
    """The matches in a text that are credentials, not examples. Equal matches in equal contexts are judged once."""
    judgements: dict[tuple[str, int, int, str], bool] = {}
    for start, end, rule in matches:
        first = start - BESIDE if start > BESIDE else 0  # `max` is slower, and a text may have 100,000 examples
        key = (text[first : end + BESIDE], start - first, end - first, rule)
        judgement = judgements.get(key)
        if judgement is None:
            if len(judgements) == _MOST_JUDGEMENTS:
                judgements.clear()
            from memoir.secrets.examples import is_example  # slow to compile, and rarely needed

            judgement = judgements[key] = is_example(*key[:3], rule in BY_NAME)
        if not judgement:
            yield Credential(start, end, rule)


def _without_marks(text: str) -> str:
    """A text of the same length with blanks in place of HTML tags and full stops, which no rule expects."""
    if "<" in text and ">" in text:
        for name in _TAGS.split("|"):  # faster, and most tags have no attributes
            blank = " " * len(name)
            text = text.replace(f"<{name}>", f" {blank} ").replace(f"</{name}>", f"  {blank} ")
        tags = {*re.findall(_TAG, text)}
        for tag in tags if len(tags) <= _FEW_TAGS else ():
            text = text.replace(tag, " " * len(tag))
        if len(tags) > _FEW_TAGS:
            text = re.sub(_TAG, lambda tag: " " * len(tag[0]), text)
    text = _without_full_stops(text) if "." in text else text
    return re.sub(r"\.(?<=\.\.)(?=\w)", " ", text) if ".." in text else text  # "...ghp_": rules expect no dots there


def _without_full_stops(text: str) -> str:
    """Replace each full stop before white space or the end by a blank, but not an ellipsis.

    Replacing strings takes a fraction of the time of a pattern.
    """
    for space in _AFTER_STOP:
        text = text.replace(f".{space}", f" {space}")
    for space in reversed(_AFTER_STOP):  # restore the dots of an ellipsis
        text = text.replace(f". {space}", f"..{space}")
    return text[:-1] + " " if text.endswith(".") and not text.endswith("..") else text


@cache
def _scanner() -> "Callable[[str], list[redact_secret.Finding]]":
    import redact_secret

    # The limits are larger than any memory, so that a scan never fails because of size.
    limits = redact_secret.WholeInputLimits(max_input_bytes=2**40, max_findings=2**32)
    return lambda text: redact_secret.scan(text, limits=limits)


def _rules(text: str, end: int, window: Window) -> Iterator[_Match]:
    """The matches of redact-secret's rules that begin before `end`, in order.

    The text is scanned in windows, so that finding only the first credential scans no more than its window. Each window
    is scanned with context on both sides, and reports matches that begin in it, so none is missed between two.
    """
    for start in range(0, end, window.size):
        first = max(start - window.context, 0)
        for finding in _scanner()(_make_scannable(text[first : start + window.size + window.context])):
            at = first + finding.start
            if start <= at < start + window.size:
                yield at, first + finding.end, _rule(finding.type)


@cache
def _rule(kind: str) -> str:
    """Memoir's name for a rule of redact-secret."""
    return kind.replace("_", "-")


def _make_scannable(text: str) -> str:
    """Change a text, keeping its length, so that redact-secret scans it in time in proportion to its length.

    Its rules for web tokens and for "mongodb://" read from every "eyJ" or "mongodb://" to the end of the word; others
    read far from every "AccountKey=", and from every "token=" to the end of the line. So all of these are changed;
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
    # The scanner accepts no lone surrogates; memories with them are refused elsewhere.
    return text if text.isascii() else text.encode(errors="replace").decode()


def _shapes(text: str) -> Iterator[Iterator[_Match]]:
    """The matches of each shape. Its part is searched for first, which is faster than the pattern."""
    yield from _matches_in(_PARTS, text)
    if any(map(text.__contains__, "0123456789")):  # credentials found by name contain a digit
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
    """Runs of at least twelve words, eleven of them different, that are all on the list of BIP 39."""
    if len(text) < _SHORTEST_PHRASE:
        return
    lower = _lower(text)
    words = lower.encode(errors="replace").translate(_LETTERS).split()  # faster than re.findall("[a-z]+")
    likely = _possible_seed_words(words)
    is_loaded = _seed_words.cache_info().currsize > 0
    if len(likely) >= _DIFFERENT and (is_loaded or _runs(words, likely)):
        phrases = [(a, b) for a, b in _runs(words, _seed_words()) if len({*words[a:b]}) >= _DIFFERENT]
        if phrases:
            yield _phrases_at(phrases, lower)


def _phrases_at(phrases: Iterable[tuple[int, int]], text: str) -> Iterator[_Match]:
    """The matches of runs of words, each given by the index of its first word and of the one after its last."""
    words, offset = re.finditer("[a-z]+", text), 0
    for first, end in phrases:
        row = [*islice(words, first - offset, end - offset)]
        offset = end
        yield row[0].start(), row[-1].end(), "seed-phrase"


def _possible_seed_words(words: list[bytes]) -> Set[bytes]:
    """The words that may be on the list, by their lengths; the list is loaded only if there are enough."""
    return {word for word in {*words} if len(word) in _LENGTHS} - _NEVER_LISTED


def _runs(words: list[bytes], phrase_words: Set[bytes]) -> list[tuple[int, int]]:
    """The runs of at least twelve words in a set: the index of the first word and of the one after the last."""
    marks = bytes(map(phrase_words.__contains__, words))
    return [row.span() for row in re.finditer(b"\1{%d,}" % _PHRASE, marks)]


def _lower(text: str) -> str:
    """A text of the same length in lower case."""
    return text.replace("\u0130", "I").lower()  # the only letter that becomes two in lower case


@cache
def _seed_words() -> frozenset[bytes]:
    from mnemonic import Mnemonic

    return frozenset(word.encode() for word in Mnemonic("english").wordlist)
