"""Ask a model for paths: write them in prompts, and read the picks in its answer, however it is formatted.

A pick is an offered address, spelled exactly; nothing is guessed. It must begin its line, after bullets, numbers or
quotes at most, so a path merely mentioned in a sentence is not picked.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memoir.llm.answer_text import find_json
from memoir.llm.conversation import BudgetSpent, ModelConversation
from memoir.llm.model import Step, beside, quote
from memoir.taxonomy.paths import Address

_DRESS = re.compile(r"""(?:\W|[0-9]+(?:[)\]]|\.(?=[\s*"'`])))*""")  # no path segment begins with these
_NOTE = re.compile(r"""(?<=[\w"'`])\s*\([^()]*\)""")  # "path (3 memories)"
_FENCE = re.compile(r"\s*(?:```|~~~)\s*\w*\s*")
_SEPARATORS = re.compile("[,;、，；]")


class Choice(NamedTuple):
    """The picks in the answer's order, and whether the answer picks nothing on purpose.

    With neither, the answer is unusable, and `why` says why.
    """

    picks: tuple[Address, ...]
    none: bool
    why: str = ""

    def if_any(self) -> "Choice | None":
        """The choice, or None if the answer is unusable."""
        return self if self.picks or self.none else None


class _Item(NamedTuple):
    """The first word of a line, or of a part of it between commas, and the rest."""

    name: str
    rest: str

    @property
    def is_bare(self) -> bool:
        return not re.search(r"\w", self.rest)

    @property
    def is_set_off(self) -> bool:
        """Whether the name stands apart from a sentence: it is dotted, or no word follows directly."""
        return bool(re.search(r"[.:]", self.name)) or not re.match(r"\s*\w", self.rest)


def parse_choice(answer: str, addresses: Iterable[Address]) -> Choice:
    """Read the picks in an answer from the addresses that were offered.

    A namespace may be left out where the path is unambiguous. An answer that begins with NONE picks nothing, whatever
    follows.
    """
    spellings = _spellings(addresses, qualified=":" in answer)
    lines = [_items(line) for line in answer.splitlines() if not _FENCE.fullmatch(line)]
    first = next((items[0] for items in lines if items), None)
    if first and _is_none(first, spellings):
        return Choice((), none=True)
    data = find_json(answer)
    picks = [spellings[text.strip()] for text in _strings(data) if text.strip() in spellings]
    picks = picks or [address for items in lines for address in _picks_of_line(items, spellings)]
    return Choice(tuple(dict.fromkeys(picks)), none=not picks and (_is_empty(data) or _says_none(lines)))


def _spellings(offers: Iterable[Address], *, qualified: bool) -> dict[str, Address]:
    """All unambiguous spellings of the addresses; with namespaces only if the answer may contain some."""
    addresses = list(offers)
    by_path = {address.path: address for address in addresses}
    if len(by_path) < len(addresses):
        several = {path for path, count in Counter(address.path for address in set(addresses)).items() if count > 1}
        by_path = {path: address for path, address in by_path.items() if path not in several}
    return by_path | {address.full_key: address for address in addresses} if qualified else by_path


def _items(line: str) -> list[_Item]:
    parts = map(_item, _SEPARATORS.split(_NOTE.sub("", line)))
    return [part for part in parts if part.name]


def _item(text: str) -> _Item:
    text = _DRESS.sub("", text, count=1)
    end = next((i for i, char in enumerate(text) if not _in_name(char)), len(text))
    name = text[:end].rstrip(".:")
    return _Item(name, text[len(name) :])


def _in_name(char: str) -> bool:
    """Whether a character may be in a path: letters, digits and marks of any script, and joiners."""
    return char.isalnum() or char in "_-.:@" or unicodedata.category(char)[0] == "M"


def _picks_of_line(items: Sequence[_Item], addresses: Mapping[str, Address]) -> Iterator[Address]:
    """The picks of a line: all known names of a plain list, else the names before the first other word."""
    plain = all(item.is_bare for item in items)
    for item in items:
        if item.name in addresses and item.is_set_off:
            yield addresses[item.name]
        if not plain and not (item.name in addresses and item.is_bare):
            return


def _is_none(item: _Item, addresses: Mapping[str, Address]) -> bool:
    return item.name.casefold() == "none" and item.is_set_off and item.name not in addresses


def _says_none(lines: Sequence[Sequence[_Item]]) -> bool:
    """Whether some line begins with NONE, as in "None of these ..."."""
    return any(items[0].name.casefold() == "none" for items in lines if items)


def _strings(data: Any) -> Iterator[str]:
    """All strings in JSON data, except an object's keys, in order."""
    stack = [data]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            stack += reversed(list(value.values()) if isinstance(value, dict) else value)


def _is_empty(data: Any) -> bool:
    """Whether JSON data picks nothing: `[]`, `{"paths": []}` or either with NONE in it."""
    if isinstance(data, dict):
        return any(isinstance(value, list | str) and _is_empty(value) for value in data.values())
    if isinstance(data, str):
        return data.strip(" .").casefold() == "none"
    return isinstance(data, list) and all(isinstance(value, str) and _is_empty(value) for value in data)


PROMPTS = beside(__file__)
_PLAIN = re.compile(r"[\w.:@-]+")


def format_address(address: Address, namespaces: Sequence[str]) -> str:
    """A path or prefix as prompts write it: with its namespace if there are several.

    A malformed one, from a hostile store, is quoted.
    """
    text = address.full_key if len(namespaces) > 1 else address.path
    return text if is_plain(text) else quote(text)


def is_plain(text: str) -> bool:
    """Whether a string has only characters of paths and namespaces."""
    return _PLAIN.fullmatch(text) is not None


def choose(
    conversation: ModelConversation, step: Step, message: str, addresses: Collection[Address], *, noun: str = "path"
) -> Choice:
    """Ask a model to choose paths, called `noun` in messages; an empty choice says why."""
    choice = _ask_for_choice(conversation, step, message, addresses, noun)
    conversation.choices.append((step.name, len(addresses), len(choice.picks), choice.why))
    return choice


def _ask_for_choice(
    conversation: ModelConversation, step: Step, message: str, addresses: Collection[Address], noun: str
) -> Choice:
    try:
        choice = conversation.ask(step, message, lambda answer: parse_choice(answer, addresses).if_any())
    except BudgetSpent as error:
        conversation.fall_back("budget", error.message)
        return Choice((), none=False, why="the budget is spent")
    return choice or Choice((), none=False, why=f"the model's answer names no {noun} that was offered")
