"""Who may set which setting, and which settings contradict each other.

A store may have come with somebody else's project. Its configuration may set how its memories are ranked and kept.
Whether a model is used, and what is sent where, only the user may decide: by an option, the environment, or the user's
own git configuration; there a store's configuration is ignored. Its settings of recall are limited (`in_store`),
because they also apply to the user's own store.
"""

from collections.abc import Callable, Iterable
from math import isclose, log

from memoir.errors import InvalidInput
from memoir.setting import Config
from memoir.settings import BM25_WEIGHT, HALF_LIFE, SECTIONS, TAU, VECTOR_WEIGHT, find, require

Entry = tuple[str, str, str]
"""A value in git's configuration: its level (git's word is `scope`), the key in git's form, and the value."""
STORE_SCOPES = frozenset(("local", "worktree"))
"""Git's names for the levels of configuration inside a store."""


def decay_days(config: Config) -> float:
    """The `tau` of the decay, in days, from `tau` or `halfLifeDays`; 0 for no decay.

    Both describe the same curve: exp(-t/tau) is one half at t = tau * ln 2.

    Raises:
        InvalidInput: both are set, and they disagree.
    """
    tau, half_life = TAU.read_if_set(config), HALF_LIFE.read_if_set(config)
    if half_life is None:
        return TAU.read(config)
    same = half_life / log(2)
    if tau is not None and not isclose(same, tau, rel_tol=0.01):
        raise InvalidInput(
            f"{TAU.key} and halfLifeDays disagree: a half-life of {half_life:g} days is a tau of {same:.2f}",
            "set one of them",
        )
    return same


def check(config: Config, key: str, value: str) -> None:
    """Refuse a new value of a setting, in git's form of its key, that would make a later command fail.

    An empty value means not set.

    Raises:
        InvalidInput: there is no such setting, it cannot have that value, or the value contradicts another setting.
    """
    setting = require(key)
    if setting.only_environment:
        raise InvalidInput(f"{setting.key} is set in the environment only", f"export {setting.key}={value}")
    if value:
        setting.parse(value)
    check_together({**config, key: [value]})


def check_together(config: Config) -> None:
    """Refuse settings that contradict each other."""
    decay_days(config)
    _require_a_leg(config)


def _require_a_leg(config: Config) -> None:
    if not BM25_WEIGHT.read(config) and not VECTOR_WEIGHT.read(config):
        raise InvalidInput(f"{BM25_WEIGHT.key} and vectorWeight are both 0, so nothing can be found")


def contradicted(config: Config) -> frozenset[str]:
    """The keys, in git's form, of settings that contradict each other or cannot be read."""
    pairs = ((decay_days, (TAU, HALF_LIFE)), (_require_a_leg, (BM25_WEIGHT, VECTOR_WEIGHT)))
    return frozenset(one.git_key for check, them in pairs if _fails(check, config) for one in them)


def _fails(check: Callable[[Config], object], config: Config) -> bool:
    try:
        check(config)
    except InvalidInput:
        return True
    return False


def is_weak(scope: str, key: str) -> bool:
    """Whether a value at a level of configuration is weaker than those of every other level."""
    setting = find(key) if scope in STORE_SCOPES else None
    return setting is not None and setting.user_first


def is_ignored(scope: str, key: str, value: str) -> bool:
    """Whether memoir ignores a value at a level of configuration (`scope`)."""
    setting = find(key)
    if setting is None:
        return False
    return setting.is_users(value) if scope in STORE_SCOPES else setting.only_store


def sort_out(entries: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Split entries into those that count, the strongest of each key last, and those that memoir ignores."""
    own = sorted((each for each in entries if each[1].startswith(SECTIONS)), key=lambda each: not is_weak(*each[:2]))
    ignored = [each for each in own if is_ignored(*each)]
    vetoed = contradicted(by_key(each for each in own if each not in ignored))
    ignored += [each for each in own if each[0] in STORE_SCOPES and each[1] in vetoed]
    others = [each for each in entries if not each[1].startswith(SECTIONS)]
    return others + [each for each in own if each not in ignored], ignored


def by_key(entries: Iterable[Entry]) -> dict[str, list[str]]:
    """The values of each key, in the order of the entries."""
    values: dict[str, list[str]] = {}
    for _, key, value in entries:
        values.setdefault(key, []).append(value)
    return values


def note(entries: list[tuple[str, str]], *sections: str) -> list[str]:
    """Notes for the user on the store's settings that memoir ignores.

    `entries` are those in the store's configuration that only the user may set; sections, such as `recall`, select from
    them.
    """
    beginnings = tuple(f"memoir.{section}." for section in sections)
    entries = [each for each in entries if each[0].startswith(beginnings)]
    settings = [(require(key), value) for key, value in entries]
    ranking = sorted({f"{setting.key}={value}" for setting, value in settings if setting.in_store})
    keys = sorted({setting.key for setting, _ in settings if not setting.in_store})
    own = (
        [f"ignored {', '.join(ranking)} in the store's own config: a store may not set these values"] if ranking else []
    )
    return _only_yours(keys) + own


def _only_yours(keys: list[str]) -> list[str]:
    if not keys:
        return []
    it = "it" if len(keys) == 1 else "them"
    return [f"ignored {', '.join(keys)} in the store's own config: only you may set {it} ('memoir config --global')"]
