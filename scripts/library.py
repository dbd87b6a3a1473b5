"""The generated parts of docs/library.md: the public names, the methods of `Repository` and of its parts, the types."""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from textwrap import dedent
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

GROUPS: dict[str, tuple[str, type[Any]]] = {
    "memory": ("Memory", memoir.Memory),
    "opening": ("Repository", Repository),
    "reads": ("repository", Reads),
    "searches": ("repository", Searches),
    "writes": ("repository", Writes),
    "history": ("repository", History),
    "branches": ("repository.branches", Branches),
    "tags": ("repository.tags", Tags),
    "remotes": ("repository.remotes", Remotes),
    "config": ("repository.config", Configuration),
    "taxonomy": ("repository.taxonomy", Categories),
    "lexicon": ("repository.lexicon", Lexicon),
    "sources": ("repository.sources", Sources),
    "layers": ("repository.layers", Layers),
    "upkeep": ("repository.upkeep", Upkeep),
    "agents": ("repository.agents", Agents),
    "captures": ("repository.captures", Captures),
    "code": ("repository.code", Code),
}
"""How the methods of a class are called, by the name of their part of the page."""


def names(_: str) -> str:
    """Every name of `memoir.__all__` with the first sentence of its docstring."""
    rows = [f"| `{name}` | {_sentence(getattr(memoir, name))} |" for name in memoir.__all__ if name != "__version__"]
    return "\n".join(["| name | meaning |", "|---|---|", *rows])


def methods(group: str) -> str:
    """The public methods of one group: how each is called, what it does, what it raises."""
    prefix, owner = GROUPS[group]
    return "\n".join(f"* `{prefix}.{call}`  \n{text}" for call, text in _members(owner))


def types(_: str) -> str:
    """Every class of `memoir.types`, with its fields; of one whose methods are described above, what it is."""
    described = {owner for _, owner in GROUPS.values()}
    entries = []
    for name, (value, text) in public_types.of_module().items():
        lines = [f"* `{name}`  ", *(f"  {' '.join(part.split())}" for part in text.split("\n\n") if part)]
        if isinstance(value, type) and value not in described:
            lines += [f"  * `{field}: {kind}`{': ' * bool(note)}{note}" for field, kind, note in _fields(value)]
        entries.append("\n".join(lines))
    return "\n".join(entries)


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
    return re.sub(r"\b(\w+\.)+(?=\w)", "", inspect.formatannotation(annotation))


def _default(value: object) -> str:
    if callable(value):
        return "…"
    return "WriteOptions()" if isinstance(value, memoir.WriteOptions) else repr(value)


def _paragraphs(member: object) -> str:
    """A docstring as an indented part of a list, its errors in one line."""
    summary, *rest = dedent("    " + (inspect.getdoc(member) or "")).strip().split("\n\n")
    texts = [" ".join(part.split()) for part in (summary, *rest)]
    return "\n".join(f"  {_raises(text)}" for text in texts)


def _raises(text: str) -> str:
    return text.replace("Raises: ", "Raises ", 1) if text.startswith("Raises: ") else text


def _sentence(member: object) -> str:
    """The first sentence of a docstring; of an error all of it."""
    text = " ".join((inspect.getdoc(member) or "").split())
    if isinstance(member, type) and issubclass(member, memoir.MemoirError):
        return text.rstrip(".")
    return text.partition(". ")[0].rstrip(".")
