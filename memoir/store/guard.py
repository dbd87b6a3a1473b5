"""Refuses a store that belongs to someone else or that could make git execute something.

A `.memoir/` can arrive inside any project that is cloned or unpacked. git trusts a repository's
own config (`uploadpack`, `sshCommand`, `include`, …), so that file is read here, by a parser that
understands only its plain form, and every setting must be on the list below.
"""

import os
from pathlib import Path

from memoir.errors import DamagedStore, NoStore, UnsafeStore

Settings = dict[str, list[str]]

# What a store's config may set, by section; None stands for every name.
_ALLOWED: dict[str, set[str] | None] = {
    "core": {
        "repositoryformatversion", "filemode", "bare", "logallrefupdates", "fsync", "fsyncmethod", "ignorecase",
        "precomposeunicode", "symlinks", "compression", "bigfilethreshold", "sharedrepository",
    },
    "extensions": {"objectformat"},
    "remote": {"url", "pushurl", "fetch", "push", "tagopt", "prune", "mirror"},
    "branch": {"remote", "merge", "rebase", "description"},
    "receive": {"fsckobjects", "denynonfastforwards", "denydeletes", "denycurrentbranch", "unpacklimit"},
    "transfer": {"fsckobjects", "unpacklimit"},
    "user": {"name", "email"},
    "gc": {
        "auto", "autodetach", "autopacklimit", "aggressivedepth", "aggressivewindow", "bigpackthreshold", "cruftpacks",
        "logexpiry", "packrefs", "pruneexpire", "reflogexpire", "reflogexpireunreachable", "worktreepruneexpire",
        "writecommitgraph",
    },
    "pack": {"compression", "depth", "threads", "window", "windowmemory", "packsizelimit", "writereverseindex"},
    "repack": {"usedeltabaseoffset", "packkeptobjects", "writebitmaps"},
    "memoir": None,
}  # fmt: skip


def inspect(git_dir: Path) -> Settings:
    """Check a store's owner and config and return its own settings, lower-cased key to values.

    Raises:
        NoStore: there is no config, so this is no store.
        UnsafeStore: the directory is another user's, or its config holds a setting memoir does not allow.
        DamagedStore: the config cannot be read as one.
    """
    _check_owner(git_dir)
    _check_links(git_dir)
    if (git_dir / "commondir").exists():
        raise _unsafe(git_dir, "it borrows its config from elsewhere (a file named 'commondir')")
    try:
        return check_config(git_dir, (git_dir / "config").read_bytes())
    except FileNotFoundError:
        raise NoStore(f"{git_dir} is not a memoir store", "create one with 'memoir init'") from None


def check_config(git_dir: Path, config: bytes) -> Settings:
    """Read what would be a store's config, if every setting in it is allowed.

    Raises:
        UnsafeStore, DamagedStore: as for `inspect`.
    """
    try:
        settings = parse_config(config.decode())
    except UnicodeDecodeError:
        raise DamagedStore(f"{git_dir / 'config'} is not UTF-8 text") from None
    for key, values in settings.items():
        if not allows(key):
            raise _unsafe(git_dir, f"its config sets '{key}'")
        if key.startswith("remote.") and any(v.startswith("-") or "::" in v.split("/")[0] for v in values):
            raise _unsafe(git_dir, f"'{key}' names a program")
    return settings


def allows(key: str) -> bool:
    """Whether a store's own config may hold this setting."""
    section, _, rest = key.partition(".")
    names = _ALLOWED.get(section, set())
    return names is None or rest.rpartition(".")[2] in names


def _check_owner(git_dir: Path) -> None:
    try:
        owner = git_dir.stat().st_uid
    except FileNotFoundError:
        raise NoStore(f"{git_dir} does not exist", "create a store with 'memoir init'") from None
    user = os.geteuid()
    trusted = {user} | (
        {int(os.environ["SUDO_UID"])} if user == 0 and os.environ.get("SUDO_UID", "").isdigit() else set()
    )
    if owner not in trusted:
        raise _unsafe(git_dir, f"it belongs to another user (id {owner}, you are {user})")


def _check_links(git_dir: Path) -> None:
    """A link inside a store would make a reflog, a ref or a lock of it a file somewhere else."""
    folders = [git_dir]
    while folders:
        folder = folders.pop()
        for entry in os.scandir(folder):
            if entry.is_symlink():
                raise _unsafe(git_dir, f"'{os.path.relpath(entry.path, git_dir)}' is a link")
            if folder != git_dir or entry.name in ("refs", "logs"):
                folders += [Path(entry.path)] if entry.is_dir() else []


def _unsafe(git_dir: Path, reason: str) -> UnsafeStore:
    return UnsafeStore(
        f"refusing to open {git_dir}: {reason}",
        "if it is yours, mend that first; what it holds can be read with plain git",
    )


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
        elif prefix is not None and _is_name(name.rstrip()) and not line.endswith("\\"):
            settings.setdefault(prefix + name.rstrip().lower(), []).append(_value(value) if equals else "true")
        else:
            prefix = None
        if prefix is None:
            raise _not_understood(number)
    return settings


def _not_understood(number: int) -> DamagedStore:
    return DamagedStore(f"the store's config is not understood at line {number}", "see its file 'config'")


def _section(line: str) -> str | None:
    """`[core]` as `core.`, `[remote "x"]` as `remote.x.`; None for anything else."""
    name, space, quoted = line.removeprefix("[").removesuffix("]").partition(" ")
    if not line.endswith("]") or not _is_name(name):
        return None
    if not space:
        return name.lower() + "."
    inner = quoted.strip()
    plain = len(inner) >= 2 and inner[0] == inner[-1] == '"' and not set(inner[1:-1]) & {'"', "\\", "]"}
    return f"{name.lower()}.{inner[1:-1]}." if plain else None


def _is_name(text: str) -> bool:
    return text.replace("-", "").isalnum() and text.isascii() and text[0].isalpha()


_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


def _value(raw: str) -> str:
    """A setting's value: quotes removed, escapes undone, a trailing comment and the blanks before it cut."""
    value, solid, quoted, escaped = "", 0, False, False
    for char in raw.strip():
        if char in "#;" and not quoted and not escaped:
            break
        if escaped:
            value, escaped = value + _ESCAPES.get(char, char), False
        elif char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        else:
            value += char
        if quoted or char not in " \t":
            solid = len(value)
    return value[:solid]
