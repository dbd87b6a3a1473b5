"""The forms of an entity's name in texts: queries for them, whether a text has one, and how it is spelt."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from memoir.english.names import holds_word
from memoir.english.proper_names import forms_of, key_of, prose_lines, runs, same_names, words_of


def phrase_query(column: str, phrases: Sequence[str]) -> str:
    """A query for any of some phrases; a null character would end it, and parts words as a blank does."""
    any_phrase = " OR ".join('"{}"'.format(phrase.replace('"', '""').replace("\0", " ")) for phrase in phrases)
    return f"{{{column}}} : ({any_phrase})"


def is_named(content: str, word: str) -> bool:
    """Whether a text has a word as a name."""
    return any(word in words_of(run) for run in runs(content))


def is_in_prose(key: str, contents: Iterable[str]) -> bool:
    """Whether people write a word, and not only programs."""
    forms = set(forms_of(key))
    return any(has_form(line, forms) for content in contents for line in prose_lines(content))


def has_form(content: str, forms: set[str]) -> bool:
    """Whether a text has one of some forms, in small letters."""
    if any(" " in form for form in forms):
        text = " ".join(content.casefold().split())
        return any(form in text for form in forms)
    return holds_word(content, forms)


def spellings(key: str, texts: Sequence[str]) -> list[str]:
    """The forms of an entity as texts have them, the commonest first, those of another name last."""
    every = sorted((form for name in same_names(key) for form in forms_of(name)), key=len, reverse=True)
    forms = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in every)
    article = r"(?:(?-i:The)\s+)?" if " " in key else ""
    pattern = re.compile(rf"(?<!\w){article}(?:{forms})(?!\w)", re.IGNORECASE)
    counts = Counter(" ".join(match.split()) for text in texts for match in pattern.findall(text))
    return [form for form, _ in sorted(counts.items(), key=lambda its: (key_of(its[0]) != key, -its[1], its[0]))] or [
        key
    ]
