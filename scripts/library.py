"""The generated parts of docs/library.md and docs/library/: public names, methods, and the classes in signatures."""

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import public_types

import memoir
from memoir.filing.store_taxonomy import Categories
from memoir.layers.code_memories import Code
from memoir.memory.store_lexicon import Lexicon
from memoir.repository.agents import Agents
from memoir.repository.branches import Branches, Tags
from memoir.repository.captures import Captures
from memoir.repository.exchange import Remotes
from memoir.repository.layers import Layers, Sources
from memoir.repository.past import History
from memoir.repository.reads import Reads
from memoir.repository.repository import Repository
from memoir.repository.searches import Searches
from memoir.repository.upkeep import Upkeep
from memoir.repository.writes import Writes
from memoir.store.config import Configuration
from memoir.types import HOMES

PAGES: dict[str, dict[str, tuple[str, type[Any]]]] = {
    "memories": {
        "memory": ("Memory", memoir.Memory),
        "opening": ("Repository", Repository),
        "reads": ("repository", Reads),
        "writes": ("repository", Writes),
    },
    "recall": {
        "searches": ("repository", Searches),
        "engine": ("engine", memoir.IntelligentSearchEngine),
        "service": ("service", memoir.MemoryService),
    },
    "history": {
        "history": ("repository", History),
        "branches": ("repository.branches", Branches),
        "tags": ("repository.tags", Tags),
    },
    "remotes": {"remotes": ("repository.remotes", Remotes)},
    "filing": {"taxonomy": ("repository.taxonomy", Categories), "lexicon": ("repository.lexicon", Lexicon)},
    "sources": {"sources": ("repository.sources", Sources), "layers": ("repository.layers", Layers)},
    "agents": {
        "agents": ("repository.agents", Agents),
        "captures": ("repository.captures", Captures),
        "code": ("repository.code", Code),
    },
    "upkeep": {"config": ("repository.config", Configuration), "upkeep": ("repository.upkeep", Upkeep)},
}
"""How the methods of a class are called, by the page in docs/library/ and the name of their part of it."""
GROUPS = {name: group for groups in PAGES.values() for name, group in groups.items()}
_FOLDER = Path(__file__).resolve().parents[1] / "docs" / "library"
_NAME = re.compile(r"\b[A-Z]\w*")


def names(_: str) -> str:
    """Every name of `memoir.__all__` with the first sentence of its docstring."""
    rows = [f"| `{name}` | {_sentence(getattr(memoir, name))} |" for name in memoir.__all__ if name != "__version__"]
    return "\n".join(["| name | meaning |", "|---|---|", *rows])


def methods(group: str) -> str:
    """The public methods of one group: how each is called, what it does, what it raises."""
    prefix, owner = GROUPS[group]
    return "\n".join(f"* `{prefix}.{call}`  \n{text}" for call, text in _members(owner))


def pages(_: str) -> str:
    """The pages of the reference, with the classes that each describes."""
    rows = []
    for page in PAGES:
        title, _, lead = (_FOLDER / f"{page}.md").read_text("utf-8").splitlines()[:3]
        names = ", ".join(f"`{name}`" for name, home in homes().items() if home == page)
        rows.append(f"| [{title.removeprefix('# ')}](library/{page}.md) | {lead.partition('. [')[0]} | {names} |")
    return "\n".join(["| page | subject | classes of `memoir.types` |", "|---|---|---|", *rows])


def types(page: str) -> str:
    """The classes that a page describes, with their fields; of one whose methods it lists, only what it is."""
    entries = []
    for name, (_, text) in public_types.of_module().items():
        if homes()[name] == page:
            lines = [f"* `{name}`  ", *(f"  {' '.join(part.split())}" for part in text.split("\n\n") if part)]
            entries.append("\n".join([*lines, *(f"  * `{field}`{note}" for field, note in _rows(name))]))
    return "\n".join(entries)


@cache
def homes() -> dict[str, str]:
    """The page of each class of `memoir.types`: the one whose methods lead to it in the fewest steps, else the first.

    A class that no signature names is beside another one of its module.
    """
    found = {owner.__name__: page for page, groups in PAGES.items() for _, owner in groups.values()}
    texts = {page: [call for _, owner in PAGES[page].values() for call, _ in _members(owner)] for page in PAGES}
    while any(texts.values()):
        new = {page: {name for text in texts[page] for name in _NAME.findall(text)} - found.keys() for page in PAGES}
        found |= {name: page for page in reversed(PAGES) for name in new[page] & HOMES.keys()}
        texts = {page: [text for name in new[page] & HOMES.keys() for text in _texts(name)] for page in PAGES}
    beside = {HOMES[name]: page for name, page in found.items() if name in HOMES}
    return {name: found.get(name) or beside.get(HOMES[name], next(iter(PAGES))) for name in public_types.of_module()}


def _texts(name: str) -> list[str]:
    """The texts of an entry that name other classes: what an alias stands for, the types of fields."""
    value, text = public_types.of_module()[name]
    return [field for field, _ in _rows(name)] if isinstance(value, type) else [text]


def _rows(name: str) -> list[tuple[str, str]]:
    """The fields of a class with their types, each with what it means; none if a page lists its methods."""
    value, _ = public_types.of_module()[name]
    if not isinstance(value, type) or value in {owner for _, owner in GROUPS.values()}:
        return []
    return [(f"{field}: {kind}", f": {note}" if note else "") for field, kind, note in _fields(value)]


def fields(name: str) -> str:
    """The fields of a named tuple of `memoir`."""
    owner = getattr(memoir, name)
    rows = ((field, kind, note) for field, kind, note in _fields(owner) if field in owner._fields)
    return "\n".join(f"* `{field}: {kind}`: {note}" for field, kind, note in rows)


def _fields(owner: type[Any]) -> Iterator[tuple[str, str, str]]:
    for field, kind, note in public_types.fields(owner):
        yield field, kind, " ".join(note.split())


def _members(owner: type[Any]) -> Iterator[tuple[str, str]]:
    for name, member in vars(owner).items():
        if name.startswith("_") or name in getattr(owner, "_fields", ()):
            continue
        if isinstance(member, property | cached_property):
            yield name, _paragraphs(member)
        elif callable(method := getattr(owner, name)):
            yield f"{name}{_signature(method)}", _paragraphs(method)


def _signature(function: Callable[..., Any]) -> str:
    """How a function is called, with plain types and defaults."""
    parts: list[str] = []
    is_keyword = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind == parameter.KEYWORD_ONLY and not is_keyword:
            parts += [] if any(part.startswith("*") for part in parts) else ["*"]
            is_keyword = True
        parts.append(_parameter(parameter))
    return f"({', '.join(parts)}) -> {_type(inspect.signature(function).return_annotation)}"


def _parameter(parameter: inspect.Parameter) -> str:
    star = "*" * (parameter.kind == parameter.VAR_POSITIONAL) + "**" * (parameter.kind == parameter.VAR_KEYWORD)
    text = f"{star}{parameter.name}: {_type(parameter.annotation)}"
    if parameter.default is parameter.empty:
        return text
    return f"{text} = {_default(parameter.default)}"


def _type(annotation: object) -> str:
    """A type as its sources name it, without the module of a class."""
    if isinstance(annotation, str):
        return annotation
    if typing.get_origin(annotation) is typing.Unpack:
        return f"Unpack[{_type(typing.get_args(annotation)[0])}]"
    return re.sub(r"\b(\w+\.)+(?=\w)", "", inspect.formatannotation(annotation))


def _default(value: object) -> str:
    if callable(value):
        return "…"
    return "WriteOptions()" if isinstance(value, memoir.WriteOptions) else repr(value)


def _paragraphs(member: object) -> str:
    """A docstring as an indented part of a list: its errors in one line, its arguments last, as a list."""
    parts = (inspect.getdoc(member) or "").split("\n\n")
    texts = [" ".join(part.split()) for part in parts if not part.startswith(_ARGUMENTS)]
    rows = [" ".join(row.split()) for part in parts if part.startswith(_ARGUMENTS) for row in _ROW.split(part)[1:]]
    lines = [text.replace("Raises: ", "Raises ", 1) if text.startswith("Raises: ") else text for text in texts]
    return "\n".join(f"  {line}" for line in [*lines, *(_ARGUMENT.sub(r"* `\1`:", row, count=1) for row in rows)])


_ARGUMENTS = "Args:"
_ROW = re.compile(r"\n {4}(?=\w)")
_ARGUMENT = re.compile(r"^(\w+):")


def _sentence(member: object) -> str:
    """The first sentence of a docstring; of an error all of it."""
    text = " ".join((inspect.getdoc(member) or "").split())
    if isinstance(member, type) and issubclass(member, memoir.MemoirError):
        return text.rstrip(".")
    return text.partition(". ")[0].rstrip(".")
