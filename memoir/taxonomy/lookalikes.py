"""Paths that could be taken for others: refused when a new one is written, never when one is read.

* Compatibility forms (`ａ`, `ﬁ`, `１`) are other ways to write characters that a path may contain.
* Characters without a shape, among them blanks that are letters to Unicode, would hide in a path.
* A segment has one script, or Latin with Chinese, Japanese or Korean: the level Highly Restrictive of Unicode's
  technical standard 39.
* Different segments may have different scripts, because a memory under an English first level may be about a name in
  another script; but no segment may consist only of letters that look Latin (`а.b` with a Cyrillic `а`).
"""

import re

_WRITINGS = {
    "Hani": {"Chinese", "Japanese", "Korean"},
    "Bopo": {"Chinese"},
    "Hira": {"Japanese"},
    "Kana": {"Japanese"},
    "Hang": {"Korean"},
}
"""Scripts by their ISO 15924 codes, with the writing systems that use them: the augmented script sets of UTS 39."""
_ANY = frozenset(("Zyyy", "Zinh"))
# UTS 39, confusables.txt: Greek, Cyrillic and Armenian letters whose prototype is a Latin letter.
_LIKE_LATIN = frozenset("αγιικνορστυωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳϹаеорсухіјѕһԁԛԝѡѵҽӏАВЕКМНОРСТУХІЈЅҺԌԚԜѴӀաոսօցհզԱՍՏՕ")
# Thai and Lao write these vowels as one character, though Unicode decomposes each into two.
_USUAL = "\u0e33\u0eb3"
# Fillers of Hangul, which are letters to Unicode, and the selectors of a letter's form, which are marks.
_UNSEEN = "[\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"


def problem(path: str) -> tuple[str, str] | None:
    """Why a path, or namespace and path, could be taken for another, and what to do about it; None if it could not."""
    import unicodedata

    suggestion = "".join(one if one in _USUAL else unicodedata.normalize("NFKC", one) for one in path)
    suggestion = re.sub(_UNSEEN, "", suggestion)
    if suggestion != path:
        char = next(one for one in path if one not in suggestion)
        plain = unicodedata.normalize("NFKC", char)
        reason = "cannot be seen" if re.match(_UNSEEN, plain) else f"is another form of {plain!r}"
        is_path = all(re.split(r"[.:@]", suggestion))
        return f"{_describe(char)} {reason}", f"did you mean {suggestion!r}?" if is_path else "leave it out"
    hint = "write a segment in one script; Latin may be mixed with Chinese, Japanese or Korean"
    segments = re.split(r"[.:@]", path)  # a namespace has parts, too
    if mixture := next((segment for segment in segments if not _of_one_script(segment)), None):
        return f"the segment {mixture!r} mixes scripts: {_scripts_of(mixture)}", hint
    latin = any(char.isascii() and char.isalpha() for char in path)
    if latin and (alike := next((segment for segment in segments if _shows_latin(segment)), None)):
        return f"the segment {alike!r} looks Latin, and is not: {_describe(alike[0])}", hint
    return None


def _of_one_script(segment: str) -> bool:
    """Whether the characters have one script, or Latin and one of Chinese, Japanese and Korean."""
    sets = [scripts for char in segment if not (scripts := _scripts(char)) & _ANY]
    if not sets or frozenset.intersection(*sets):
        return True
    others = [scripts for scripts in sets if "Latn" not in scripts]
    return bool(frozenset.intersection(*others) & {"Chinese", "Japanese", "Korean"})


def _scripts(char: str) -> frozenset[str]:
    """The scripts that use a character, and the writing systems that use those scripts."""
    import unicodedataplus

    names = unicodedataplus.script_extensions(char)
    return frozenset(names).union(*(_WRITINGS.get(name, ()) for name in names))


def _shows_latin(segment: str) -> bool:
    letters = [char for char in segment if char.isalpha()]
    return bool(letters) and not segment.isascii() and all(char in _LIKE_LATIN for char in letters)


def _scripts_of(segment: str) -> str:
    import unicodedataplus

    return ", ".join(sorted({unicodedataplus.script(char) for char in segment} - {"Common", "Inherited"}))


def _describe(char: str) -> str:
    import unicodedata

    return f"{char!r} ({unicodedata.name(char, 'unnamed').lower()})"
