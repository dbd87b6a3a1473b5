"""Detect texts in other languages than English, by their letters and commonest words."""

import re

from memoir.english.code_text import without_fenced
from memoir.english.patterns import word_set
from memoir.english.stopwords import STOP_WORDS

_WORD = re.compile(r"(?<!\S)[^\w\s]*([^\W\d_]+)(?:['’]\w+)?[^\w\s]*(?!\S)")
"""A free-standing word, unlike `os` and `com` in the names of hosts and files, and in code."""
_FEWEST = 2
"""The number of foreign words from which a text is foreign: one alone may be a name."""
_LAST_LATIN = "\u024f"
_BLANKLESS = (("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"), ("\u2e80", "\uffff"))
"""The scripts without blanks between words, such as those of Chinese, Japanese and Thai: first and last characters."""
_LETTERS = 2
"""How many letters of these scripts count as a word."""
COMMON = (
    word_set(
        """
    aber als am auch auf aus bei benutzen bitte das dass dem den der des die ein eine einem einen einer endet für
    haben hat ich immer ist jetzt kann kein keine machen mehr mein mit muss nach nein nicht nie niemals noch nur
    nutzen oder schon sich sie sind soll statt um und unser unsere vom von vor verwenden warum weil wenn werden wie
    wir wird zu zum zur über
    au aux avec ce cette dans est et faut il jamais je les le la mais ne nos notre nous ou où pas plus pour que qui
    sont sur toujours un une utilise utiliser vous
    al aquí como con cuando del el en es esta está están esto hay las lo los más nuestra nuestro nunca para pero por
    se siempre sin su sus también tenemos uno usa usamos usar ya
    ao com da dos é em entre estão isso mas na não nas nós nossa nosso os pelo sempre são sem também tem uma você
    alla anche che dal dei della delle di già gli loro ma mai nei nel nella noi non ogni perché più quando questa
    questo si sono sul sulla usiamo
    aan altijd bij dat de deze dit een geen gebruik gebruiken het hij ik maar met naar niet nooit nog onze ook te
    voor wel wij wordt zijn
    alltid att aldrig blir det där eller ett från har ikke inte jeg med och og på skal som vi är av
    ale bo czy dla gdy jak jest nie od po są tylko za zawsze że
    bir bu değil gibi her hiç için ile
        """
    )
    - STOP_WORDS
)
"""Common words of German, French, Spanish, Portuguese, Italian, Dutch, Scandinavian languages, Polish and Turkish."""


def is_foreign(text: str) -> bool:
    """Whether a text is not English; it may contain some English words.

    "Мария Иванова owns billing" is English: capitals mark names. So is a text with one name in a script without
    capitals.
    """
    said = without_fenced(text, "\n")
    words: set[str] = {*_WORD.findall(said.lower())}
    others = len(words & COMMON) + (0 if said.isascii() else _words_of_other_scripts(said))
    return others >= _FEWEST and others > len(words & STOP_WORDS)


def _words_of_other_scripts(text: str) -> int:
    """Count the words in non-Latin scripts; none if all are capitalised, since these are names."""
    letters = [char for char in text if char > _LAST_LATIN and char.isalpha()]
    if not letters:
        return 0
    runs = (run for run in re.findall(r"[^\W\d_]+", text) if len(run) > 1)
    spelt = [run for run in runs if run[0] > _LAST_LATIN and not _is_blankless(run[0])]
    names = all(map(str.istitle, spelt))
    return sum(map(_is_blankless, letters)) // _LETTERS + (0 if names else len(spelt))


def _is_blankless(char: str) -> bool:
    return any(first <= char <= last for first, last in _BLANKLESS)
