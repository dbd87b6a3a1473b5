"""The generated parts of docs/*.md: tables of answers, errors, exit statuses, settings and environment variables.

A generated part is everything between `<!-- generated: NAME -->` and `<!-- end -->`. `library.py` makes those of
docs/library.md and docs/library/.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_type_hints

import library
import schemas

from memoir import errors
from memoir.answers.contract import failure
from memoir.cli.commands.help import EXIT_STATUSES, environment
from memoir.cli.families import FAMILIES, HEADINGS
from memoir.setting import Setting
from memoir.settings import TABLE

MARK = "<!-- generated: "
_PART = re.compile(rf"({MARK}([\w-]+) ?(\S*) -->\n).*?(<!-- end -->)", re.DOTALL)


def renew(page: str) -> str:
    """A page with its generated parts made anew."""
    return _PART.sub(lambda part: f"{part[1]}\n{_PARTS[part[2]](part[3])}\n\n{part[4]}", page)


def default(setting: Setting[Any]) -> str:
    """What a manual page says about a setting's default."""
    return f"the default is {setting.default_text}" if setting.default_text else "not set by default"


def restriction(setting: Setting[Any]) -> str:
    """What a manual page says about who may set a setting; empty if everybody may."""
    if setting.only_user is True:
        return "only you may set it: a store's own configuration is ignored"
    if setting.only_user:
        return f"only you may set it to {', '.join(setting.only_user)}: in a store's own configuration that is ignored"
    return ""


def _answers(_: str) -> str:
    """A heading for each family of commands, and below it the fields of its answers."""
    return "\n\n".join(f"### {heading}\n\n{_fields(name)}" for name, heading in HEADINGS.items())


def _fields(family: str) -> str:
    rows = []
    for label, answer in schemas.forms(family).items():
        names = ", ".join(f"`{part}`" for part in label.split(", "))
        fields = ", ".join(f"`{field}`" for field in schemas.fields_of(answer))
        rows.append((f"[{names}](schema/{schemas.command_of(label)}.json)", fields))
    return _table(("command", "fields after the envelope"), rows)


def _commands(family: str) -> str:
    return _table(("command", "what it does"), ((f"`{name}`", text) for name, text in FAMILIES[family].items()))


def _errors(_: str) -> str:
    kinds = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, errors.MemoirError)]
    rows = [(f"`{kind.code}`", int(kind.exit_code), _meaning(kind)) for kind in sorted(kinds, key=_status)]
    return _table(("code", "exit status", "meaning"), rows)


def _status(kind: type[errors.MemoirError]) -> int:
    return kind.exit_code


def _meaning(kind: type[errors.MemoirError]) -> str:
    return (kind.__doc__ or "").split("\n\n")[0].rstrip(".").replace("\n", " ")


def _details(_: str) -> str:
    hints = get_type_hints(failure.Error)
    rows = [
        (
            f"`{name}`",
            f"`{failure.CODES[name]}`" if name in failure.CODES else "any",
            schemas.meaning(failure.Error, name).rstrip("."),
        )
        for name in hints
        if name in failure.Error.__optional_keys__
    ]
    return _table(("field", "code", "meaning"), rows)


def _statuses(_: str) -> str:
    return _table(("status", "meaning"), [(int(code), meaning) for code, meaning in EXIT_STATUSES.items()])


def _environment(_: str) -> str:
    """The variables that stand for no key: the column `variable` of the settings has the others."""
    firsts = {setting.variables[0]: setting for setting in TABLE if setting.only_environment}
    others = {name for setting in TABLE if not setting.only_environment for name in setting.variables}
    rows = [
        (f"`{name}`", meaning, *((own.kind.form, _default(own)) if (own := firsts.get(name)) else ("", "")))
        for name, meaning in environment().items()
        if name not in others
    ]
    return _table(("variable", "meaning", "value", "default"), rows)


def _settings(_: str) -> str:
    """A heading for each group of keys, which share all names but the last, and below it a table of its settings."""
    rows: dict[str, list[Iterable[str]]] = {}
    for setting in TABLE:
        if not setting.only_environment:
            rows.setdefault(setting.key_of("").rpartition(".")[0].rstrip("."), []).append(_row(setting))
    return "\n\n".join(f"### {name}\n\n{_table(_COLUMNS, each)}" for name, each in rows.items())


_COLUMNS = ("setting", "meaning", "value", "default", "variable", "only you may set it")


def _row(setting: Setting[Any]) -> Iterator[str]:
    yield f"`{setting.key}`"
    yield setting.help
    yield setting.kind.form
    yield _default(setting)
    yield ", ".join(f"`{name}`" for name in setting.variables)
    yield "yes" if setting.only_user is True else ", ".join(f"to `{value}`" for value in setting.only_user or ())


def _default(setting: Setting[Any]) -> str:
    return f"`{setting.default_text}`" if setting.default_text else ""


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown, without the columns that are empty in every row."""
    columns = [column for column in zip(heads, *rows, strict=True) if any(map(str, column[1:]))]
    lines = ["".join(f"| {cell} " if str(cell) else "| " for cell in row) + "|" for row in zip(*columns, strict=True)]
    return "\n".join([lines[0], "|---" * len(columns) + "|", *lines[1:]])


_PARTS: dict[str, Callable[[str], str]] = {
    "answers": _answers,
    "commands": _commands,
    "errors": _errors,
    "details": _details,
    "statuses": _statuses,
    "environment": _environment,
    "settings": _settings,
    "names": library.names,
    "methods": library.methods,
    "fields": library.fields,
    "types": library.types,
    "pages": library.pages,
}
