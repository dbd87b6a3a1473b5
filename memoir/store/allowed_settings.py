"""The settings that a store's own config may contain, and the form of each value.

Settings that decide for the user, start a program or name another place are not on the list. The config must be in the
plain form of git's syntax: git is never given a file that this parser does not understand, so the two cannot read a
file differently.
"""

from collections.abc import Callable

from memoir.errors import DamagedStore

Settings = dict[str, list[str]]
"""Lower-cased key (`remote.origin.url`) to its values, the strongest last."""


def parse_config(text: str) -> Settings:
    """Read git's config syntax in its plain form: one setting a line, no continuation lines.

    Raises:
        DamagedStore: this parser does not understand a line.
    """
    settings: Settings = {}
    prefix: str | None = None
    for number, raw in enumerate(text.split("\n"), 1):
        if "\r" in raw.removesuffix("\r"):  # where git ends such a line is not guessed
            raise _not_understood(number)
        line = raw.strip()
        if not line or line[0] in "#;":
            continue
        name, equals, value = line.partition("=")
        if line[0] == "[":
            prefix = _section(line)
        elif prefix is not None and _is_name(name.rstrip()) and not _continues(line):
            settings.setdefault(prefix + name.rstrip().lower(), []).append(_value(value) if equals else "true")
        else:
            prefix = None
        if prefix is None:
            raise _not_understood(number)
    return settings


def _continues(line: str) -> bool:
    """Whether a line ends in an unescaped backslash, which would join the next line to it."""
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


Form = Callable[[str], bool]

_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0", ""})
_SCHEMES = frozenset({"https", "http", "ssh", "git", "git+ssh", "ssh+git", "file", "ftp", "ftps"})
_NOT_IN_REFSPECS = frozenset(" ~?[\\^")


def _one_of(*words: str) -> Form:
    return lambda value: value.lower() in words


def _true(value: str) -> bool:
    return value.lower() in _TRUE


def _bool(value: str) -> bool:
    return value.lower() in _TRUE or value.lower() in _FALSE


def _bool_or(*words: str) -> Form:
    return lambda value: _bool(value) or value.lower() in words


def _number(value: str) -> bool:
    """An integer as git writes it: a sign, digits, and perhaps a unit."""
    digits = value[1:] if value[:1] in ("-", "+") else value
    digits = digits[:-1] if digits[-1:] in tuple("kKmMgG") else digits
    return digits.isascii() and digits.isdigit() and len(digits) <= 18


def _line(value: str) -> bool:
    """Anything on a single line."""
    return not set(value) & set("\0\r\n")


def _text(value: str) -> bool:
    """Any text."""
    return "\0" not in value


def _date(value: str) -> bool:
    """`never`, `2.weeks.ago`, a date."""
    return 0 < len(value) < 60 and value.isascii() and all(char.isalnum() or char in " .:+-/" for char in value)


def _words(value: str) -> bool:
    """Lower-case words separated by commas."""
    return value.isascii() and value.replace(",", "").replace("-", "").replace(" ", "").isalpha()


def _share_mode(value: str) -> bool:
    octal = value.startswith("0") and len(value) == 4 and set(value) <= set("01234567")
    return octal or _bool(value) or value.lower() in ("umask", "group", "world", "all", "everybody", "2")


def _name(value: str) -> bool:
    """A name that a branch or remote may have."""
    return bool(value) and value.isprintable() and not value.startswith("-") and "::" not in value and " " not in value


def _refspec(value: str) -> bool:
    plain = value.removeprefix("+").removeprefix("^")
    return value.isprintable() and not plain.startswith("-") and not set(plain) & _NOT_IN_REFSPECS


def is_url(value: str) -> bool:
    """Whether git would use a value as a path or with its own transports, and never as the name of a program."""
    scheme, separator, rest = value.partition("://")
    if not value or not value.isprintable() or value.startswith("-") or "::" in value.split("/")[0]:
        return False
    if separator and "/" not in scheme:
        return scheme in _SCHEMES and not rest.startswith("-") and "@-" not in rest.split("/")[0]
    return True


def _name_or_url(value: str) -> bool:
    return _name(value) or is_url(value)


_FORMS: dict[str, dict[str, Form]] = {
    "core": {
        "repositoryformatversion": _one_of("0", "1"), "bare": _true, "filemode": _bool, "ignorecase": _bool,
        "precomposeunicode": _bool, "symlinks": _bool, "logallrefupdates": _bool_or("always"), "fsync": _words,
        "fsyncmethod": _words, "compression": _number, "bigfilethreshold": _number, "sharedrepository": _share_mode,
    },
    "extensions": {"objectformat": _one_of("sha1", "sha256")},
    "remote": {
        "url": is_url, "pushurl": is_url, "fetch": _refspec, "push": _refspec, "tagopt": _one_of("--tags", "--no-tags"),
        "prune": _bool, "mirror": _bool,
    },
    "branch": {
        "remote": _name_or_url, "merge": _refspec, "rebase": _bool_or("merges", "m", "interactive", "i"),
        "description": _text,
    },
    "receive": {
        "fsckobjects": _bool, "denynonfastforwards": _bool, "denydeletes": _bool, "unpacklimit": _number,
        "denycurrentbranch": _bool_or("refuse", "warn", "ignore"),
    },
    "transfer": {"fsckobjects": _bool, "unpacklimit": _number},
    "user": {"name": _line, "email": _line},
    "gc": {
        "auto": _number, "autodetach": _bool, "autopacklimit": _number, "aggressivedepth": _number,
        "aggressivewindow": _number, "bigpackthreshold": _number, "cruftpacks": _bool, "logexpiry": _date,
        "packrefs": _bool_or("notbare"), "pruneexpire": _date, "reflogexpire": _date, "reflogexpireunreachable": _date,
        "worktreepruneexpire": _date, "writecommitgraph": _bool,
    },
    "pack": {
        "compression": _number, "depth": _number, "threads": _number, "window": _number, "windowmemory": _number,
        "packsizelimit": _number, "writereverseindex": _bool,
    },
    "repack": {"usedeltabaseoffset": _bool, "packkeptobjects": _bool, "writebitmaps": _bool},
}  # fmt: skip

_NAMED_SECTIONS = frozenset({"remote", "branch"})
"""The sections with subsections, such as `[remote "origin"]`."""


def find_fault(settings: Settings) -> str | None:
    """The first fault of a store's settings; None if there is none."""
    for key, values in settings.items():
        form = _form(key)
        if form is None:
            return f"its config sets '{key}'"
        if bad := [value for value in values if not form(value)]:
            return f"its config sets '{key}' to {bad[0][:80]!r}"
    if "core.bare" not in settings:
        return "its config does not say 'core.bare = true'"
    return None


def allows(key: str) -> bool:
    """Whether a store's own config may hold this setting."""
    return _form(key) is not None


def _form(key: str) -> Form | None:
    section, _, rest = key.partition(".")
    name, dot, setting = rest.rpartition(".")
    if section == "memoir":
        return _line
    if bool(dot) != (section in _NAMED_SECTIONS) or (dot and not _name(name)):
        return None
    return _FORMS.get(section, {}).get(setting)
