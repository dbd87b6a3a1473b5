"""The type of a setting: its key, the kind of its value, its default, and how its value is found."""

import os
from collections.abc import Callable, Mapping
from math import inf
from typing import Generic, TypeVar

from memoir.errors import InvalidInput

T = TypeVar("T")
Config = Mapping[str, list[str]]
"""Settings as git lists them: lower-case keys to values, the strongest value last."""
_NAME = "NAME"
"""The part of a key that stands for any name, such as a remote's."""


class Kind(Generic[T]):
    """A kind of value, such as a whole number in a range.

    Attributes:
        form: What a value must be, as the end of the sentence "it must be ...".
        parse: Reads a value from a string; raises `ValueError` if the value is not of this kind.
        accepts: Whether a Python value is of this kind; by default, a string that can be parsed is.
        words: The allowed words, if the kind is a list of words; else empty.
        blank: Whether an empty value is a value. Otherwise it means not set.
    """

    __slots__ = ("accepts", "blank", "form", "parse", "words")

    def __init__(
        self,
        form: str,
        parse: Callable[[str], T],
        words: tuple[str, ...] = (),
        *,
        blank: bool = False,
        accepts: Callable[[object], bool] | None = None,
    ) -> None:
        self.form, self.parse, self.words, self.blank = form, parse, words, blank
        self.accepts = accepts or self.can_parse

    def check(self, value: object, name: str) -> None:
        """Refuse a Python value that is not of this kind.

        Raises:
            InvalidInput: the value is not of this kind; the message calls it `name`.
        """
        if not self.accepts(value):
            raise InvalidInput(f"{name} must be {self.form}, not {value!r}")

    def can_parse(self, value: object) -> bool:
        """Whether a Python value is a string that reads as a value of this kind."""
        if not isinstance(value, str):
            return False
        try:
            self.parse(value)
        except ValueError:
            return False
        return True


class Setting(Generic[T]):
    """One setting, or a family of settings if its key contains `NAME`.

    Attributes:
        key: The setting's name, as people write it; the first variable's name if only the environment sets it.
        git_key: The key in git's form, in lower case; computed once, because it is used for every value.
        only_environment: Whether only the environment sets it, no configuration.
        is_family: Whether its key contains a name, so that there may be many such settings.
        kind: The kind of its value.
        default_text: Its default, as people write it; empty if it is not set by default.
        help: What it does, in one line.
        variables: The environment variables that set it, the strongest first.
        only_user: Whether only the user may set it, or the values that only the user may give it. A store's own
            configuration may not.
        only_store: Whether only a store's own configuration may set it.
        in_store: The values that a store's own configuration may give it, if they are restricted.
        user_first: Whether the user's own configuration comes before a store's.
    """

    __slots__ = (
        "default_text", "git_key", "help", "in_store", "is_family", "key", "kind", "only_environment", "only_store",
        "only_user", "user_first", "variables",
    )  # fmt: skip

    def __init__(
        self,
        key: str,
        kind: Kind[T],
        default: str,
        about: str,
        *,
        variables: tuple[str, ...] = (),
        only_user: bool | tuple[str, ...] = False,
        only_store: bool = False,
        in_store: Kind[T] | None = None,
        user_first: bool = False,
    ) -> None:
        self.key, self.kind, self.default_text, self.help = key, kind, default, about
        self.variables, self.only_user, self.only_store = variables, only_user, only_store
        self.in_store, self.user_first = in_store, user_first
        self.only_environment = key in variables
        self.is_family = _NAME in key and not self.only_environment
        self.git_key = key if self.only_environment else key.lower()

    @property
    def default(self) -> T:
        """The default value; `ValueError` if the setting has none."""
        return self.kind.parse(self.default_text)

    def read(self, config: Config) -> T:
        """The active value: from the environment, the configuration, or the default.

        Values that only the user may set were already removed from a store's configuration.
        """
        value = self.read_if_set(config)
        return self.default if value is None else value

    def read_if_set(self, config: Config) -> T | None:
        """The value from the environment or the configuration; None if neither sets it."""
        variable, text = self.in_environment() or ("", config.get(self.git_key, [""])[-1])
        hint = f"unset {variable}" if variable else "'memoir config --list' shows where it is set"
        return self.parse(text, variable, hint) if text or variable else None

    def is_users(self, value: str) -> bool:
        """Whether only the user may give it a value, and a store's own configuration may not."""
        if isinstance(self.only_user, tuple):
            return value in self.only_user
        return self.only_user or bool(value and self.in_store and not self.in_store.can_parse(value))

    def in_environment(self) -> tuple[str, str] | None:
        """The environment variable that sets this setting, and its value; None if there is none."""
        for variable in self.variables:
            text = os.environ.get(variable, "")
            if text or (self.kind.blank and variable in os.environ):
                return variable, text
        return None

    def parse(self, text: str, name: str = "", hint: str | None = None) -> T:
        """Read a value as people write it.

        The error message names `name`, such as an option's, by default the setting's key. Its hint is the command that
        helps, if the value comes from the environment or a configuration.

        Raises:
            InvalidInput: the value is not of the setting's kind.
        """
        try:
            return self.kind.parse(text)
        except ValueError as error:
            raise InvalidInput(f"{name or self.key} must be {self.kind.form}, not {text!r}", hint) from error

    def key_of(self, name: str) -> str:
        """The key of one setting of a family, such as that of one remote."""
        return self.key.replace(_NAME, name)

    def has(self, key: str) -> bool:
        """Whether a key in git's form is this setting's key, or belongs to this family of settings."""
        if not self.is_family:
            return key == self.git_key
        head, _, tail = self.key.partition(_NAME)
        return key.startswith(head) and key.endswith(tail) and len(key) > len(head + tail)


def words(*words: str) -> Kind[str]:
    """One word of a fixed list."""
    return Kind(f"one of {', '.join(words)}", lambda text: words[words.index(text)], words)


def number(least: float, most: float = inf) -> Kind[float]:
    """A number in a range, both ends included."""

    def accepts(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return least <= value <= most and value != inf

    def parse(text: str) -> float:
        value = float(text)
        if not accepts(value):
            raise ValueError
        return value

    return Kind(f"a number from {_span(least, most)}", parse, accepts=accepts)


def whole(least: int, most: float = inf) -> Kind[int]:
    """A whole number in a range, both ends included."""
    base = number(least, most)

    def parse(text: str) -> int:
        value = base.parse(text)
        if value != int(value):
            raise ValueError
        return int(value)

    def accepts(value: object) -> bool:
        return isinstance(value, int) and base.accepts(value)

    return Kind(f"a whole number from {_span(least, most)}", parse, accepts=accepts)


MOST = (1 << 31) - 1
"""The largest whole number that a caller may give; larger ones could overflow a counter."""


def check_size(value: object, name: str) -> None:
    """Refuse a number that is too large to count anything; the message calls it `name`.

    Raises:
        InvalidInput: it is.
    """
    if isinstance(value, int) and abs(value) > MOST:
        raise InvalidInput(f"{name} is too large a number", f"{MOST:,} is the largest")


def _span(least: float, most: float) -> str:
    return f"{least} up" if most == inf else f"{least} to {most:,}"


def days(least: float = 0, most: float = inf) -> Kind[float]:
    """A number of days, or `off`, which is 0."""
    base = number(least, most)
    return Kind(
        f"a number of days from {_span(least, most)}, or off",
        lambda text: 0.0 if text == "off" else base.parse(text),
        ("off",),
        accepts=base.accepts,
    )


def switch() -> Kind[bool]:
    """On or off, or another of git's words for them."""
    on, off = ("on", "true", "yes", "1"), ("off", "false", "no", "0")

    def parse(text: str) -> bool:
        if text.lower() not in on + off:
            raise ValueError
        return text.lower() in on

    return Kind("on or off", parse, ("on", "off"), accepts=lambda value: isinstance(value, bool))


def slug(most: int) -> Kind[str]:
    """A name of lower-case letters, digits and dashes that does not begin with a dash."""

    def parse(text: str) -> str:
        if not 0 < len(text) <= most or text[0] == "-" or not set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789-"):
            raise ValueError
        return text

    return Kind(f"small letters, digits and '-', {most} at most", parse)


TEXT = Kind("a string", str)
TEXT_OR_NOTHING = Kind("a string", str, blank=True)
SHARE = number(0, 1)
"""Such as a confidence or a relevance."""
POSITIVE = whole(1)
"""Such as a limit or a depth."""


def require_positive(**numbers: object) -> None:
    """Refuse values that are not whole numbers from 1 up; None means not given."""
    for name, value in numbers.items():
        if value is not None:
            POSITIVE.check(value, name)
