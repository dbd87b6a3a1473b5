"""Reads git's config syntax in its plain form, the only one that a store may use.

What this parser does not understand git is never given, so that the two cannot read a file differently.
"""

from memoir.errors import DamagedStore

Settings = dict[str, list[str]]
"""Lower-cased key (`remote.origin.url`) to its values, the strongest last."""


def parse_config(text: str) -> Settings:
    """Read git's config syntax in its plain form: one setting a line, no continuation lines.

    Raises:
        DamagedStore: a line that this parser does not understand (so that git is never given it).
    """
    settings: Settings = {}
    prefix: str | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        if "\r" in raw.removesuffix("\r"):  # where git ends such a line is not for this parser to guess
            raise _not_understood(number)
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        name, equals, value = line.partition("=")
        if line[0] == "[":
            prefix = _section(line)
        elif prefix is not None and _is_name(name.rstrip()) and not _goes_on(line):
            settings.setdefault(prefix + name.rstrip().lower(), []).append(_value(value) if equals else "true")
        else:
            prefix = None
        if prefix is None:
            raise _not_understood(number)
    return settings


def _goes_on(line: str) -> bool:
    """Whether a line ends in a backslash that is not itself escaped, which joins the next one to it."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _not_understood(number: int) -> DamagedStore:
    return DamagedStore(f"line {number} of the store's config cannot be read", "see its file 'config'")


def _section(line: str) -> str | None:
    """`[core]` as `core.`, `[remote "x"]` as `remote.x.`; None for anything else."""
    name, space, subsection = line.removeprefix("[").removesuffix("]").partition(" ")
    if not line.endswith("]") or not _is_name(name):
        return None
    if not space:
        return name.lower() + "."
    inner = subsection.strip()
    plain = len(inner) >= 2 and inner[0] == inner[-1] == '"' and not set(inner[1:-1]) & {'"', "\\", "]"}
    return f"{name.lower()}.{inner[1:-1]}." if plain else None


def _is_name(text: str) -> bool:
    return text.replace("-", "").isalnum() and text.isascii() and text[0].isalpha()


_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def _value(raw: str) -> str:
    """A setting's value: quotes removed, escapes undone, a trailing comment and the blanks before it cut."""
    value, solid, in_quotes, is_escaped = "", 0, False, False
    for char in raw.strip():
        if char in "#;" and not in_quotes and not is_escaped:
            break
        if is_escaped:
            value, is_escaped = value + _ESCAPES.get(char, char), False
        elif char == "\\":
            is_escaped = True
        elif char == '"':
            in_quotes = not in_quotes
        else:
            value += char
        if in_quotes or char not in " \t":
            solid = len(value)
    return value[:solid]
