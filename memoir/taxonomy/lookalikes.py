"""Paths that could be mistaken for others: refused in new writes, but always readable.

* Compatibility forms (`ａ`, `ﬁ`, `１`) are other ways to write characters that a path may contain.
* Characters without a shape, among them blanks that are letters to Unicode, would hide in a path.
* A segment has one script, or Latin with Chinese, Japanese or Korean: the level Highly Restrictive of Unicode's
  technical standard 39.
* Different segments may have different scripts, because a memory under an English first level may be about a name in
  another script; but no segment may consist only of letters that look Latin (`а.b` with a Cyrillic `а`).
"""

import re

_SYSTEMS = ("Latn Hani Bopo", "Latn Hani Hira Kana", "Latn Hani Hang")
"""The scripts of Chinese, Japanese and Korean, with Latin."""
_SCRIPTS = """
    Cyrl Grek Arab Hebr Deva Thai Beng Taml Telu Gujr Guru Knda Mlym Orya Sinh Armn Geor Ethi Khmr Laoo Mymr Tibt
    Thaa Adlm Aghb Ahom Armi Avst Bali Bamu Bass Batk Bhks Brah Brai Bugi Buhd Cakm Cans Cari Cham Cher Chrs Copt
    Cpmn Cprt Diak Dogr Dsrt Dupl Egyp Elba Elym Gara Glag Gong Gonm Goth Gran Gukh Hano Hatr Hluw Hmng Hmnp Hung
    Ital Java Kali Kawi Khar Khoj Kits Krai Kthi Lana Lepc Limb Lina Linb Lisu Lyci Lydi Mahj Maka Mand Mani Marc
    Medf Mend Merc Mero Modi Mong Mroo Mtei Mult Nagm Nand Narb Nbat Newa Nkoo Nshu Ogam Olck Onao Orkh Osge Osma
    Ougr Palm Pauc Perm Phag Phli Phlp Phnx Plrd Prti Rjng Rohg Runr Samr Sarb Saur Sgnw Shaw Shrd Sidd Sind Sogd
    Sogo Sora Soyo Sund Sunu Sylo Syrc Tagb Takr Tale Talu Tang Tavt Tfng Tglg Tirh Tnsa Todr Toto Tutg Ugar Vaii
    Vith Wara Wcho Xpeo Xsux Yezi Yiii Zanb
"""
"""The other scripts of Unicode 16 by their ISO 15924 codes, the usual ones first."""
# UTS 39, confusables.txt: Greek, Cyrillic and Armenian letters whose prototype is a Latin letter.
_LIKE_LATIN = frozenset("αγιικνορστυωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳϹаеорсухіјѕһԁԛԝѡѵҽӏАВЕКМНОРСТУХІЈЅҺԌԚԜѴӀաոսօցհզԱՍՏՕ")
# Thai and Lao write these vowels as one character, though Unicode decomposes each into two.
_USUAL = "\u0e33\u0eb3"
# Fillers of Hangul, which are letters to Unicode, and the selectors of a letter's form, which are marks.
_UNSEEN = "[\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"


def problem(path: str) -> tuple[str, str] | None:
    """Why a path (or namespace and path) could be mistaken for another, and a hint; None if it could not."""
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
        return f"the segment {mixture!r} mixes scripts: {_describe(_odd_one(mixture))}", hint
    latin = any(char.isascii() and char.isalpha() for char in path)
    if latin and (alike := next((segment for segment in segments if _shows_latin(segment)), None)):
        return f"the segment {alike!r} looks Latin, and is not: {_describe(alike[0])}", hint
    return None


def _of_one_script(segment: str) -> bool:
    """Whether one script or system has all characters of a segment (UTS 39, section 5.1)."""
    if segment.isascii():
        return True
    import regex

    def written_in(scripts: str) -> bool:
        used = "".join(rf"\p{{scx={code}}}" for code in [*scripts.split(), "Zyyy", "Zinh"])
        return bool(regex.fullmatch(f"[{used}]*", segment))

    return any(map(written_in, (*_SYSTEMS, *_SCRIPTS.split())))


def _shows_latin(segment: str) -> bool:
    letters = [char for char in segment if char.isalpha()]
    return bool(letters) and not segment.isascii() and all(char in _LIKE_LATIN for char in letters)


def _odd_one(segment: str) -> str:
    """The first character from another script than those before it."""
    return next(char for end, char in enumerate(segment, 1) if not _of_one_script(segment[:end]))


def _describe(char: str) -> str:
    import unicodedata

    return f"{char!r} ({unicodedata.name(char, 'unnamed').lower()})"
