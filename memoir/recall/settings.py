"""The settings of ranked recall, `memoir.recall.*`, with their defaults."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from memoir.errors import InvalidInput
from memoir.recall.request import MODES, RERANKERS, one_of

FUSIONS = ("blend", "rrf")
_MOST = 10_000


class Settings(NamedTuple):
    """How the legs are weighed. A weight of 0 switches a leg off; `tau` is in days, 0 for no decay."""

    mode: str | None = None
    fusion: str = "blend"
    rrf_k: float = 60.0
    bm25_weight: float = 1.0
    vector_weight: float = 1.0
    candidate_pool: int = 50
    k: int = 5
    tau: float = 0.0
    person_boost: float = 0.3
    time_boost: float = 0.3
    rerank: str = "none"


_NAMES = {
    "mode": "mode", "fusion": "fusion", "rrfk": "rrf_k", "bm25weight": "bm25_weight", "vectorweight": "vector_weight",
    "candidatepool": "candidate_pool", "k": "k", "tau": "tau", "personboost": "person_boost",
    "timeboost": "time_boost", "rerank": "rerank",
}  # fmt: skip
_HALF_LIFE = "memoir.recall.halflifedays"
KEYS = (*(f"memoir.recall.{name}" for name in _NAMES), _HALF_LIFE)
"""The settings that are read here, in git's form."""


def read(config: Mapping[str, list[str]]) -> Settings:
    """The settings in a git configuration (lower-case keys to values, the last one strongest).

    Raises:
        InvalidInput: a value that is no number, out of range or unknown; `tau` and `halfLifeDays` that disagree.
    """
    given = {field: config[f"memoir.recall.{name}"][-1] for name, field in _NAMES.items() if _has(config, name)}
    values = {field: _converted(field, text) for field, text in given.items()}
    settings = Settings(**values)  # type: ignore[arg-type]
    one_of("memoir.recall.mode", settings.mode, MODES)
    one_of("memoir.recall.fusion", settings.fusion, FUSIONS)
    one_of("memoir.recall.rerank", settings.rerank, RERANKERS)
    if not settings.bm25_weight and not settings.vector_weight:
        raise InvalidInput("memoir.recall.bm25Weight and vectorWeight are both 0, so nothing can be found")
    return _with_half_life(settings, config, "tau" in given)


def _has(config: Mapping[str, list[str]], name: str) -> bool:
    return bool(config.get(f"memoir.recall.{name}", [""])[-1])


def _converted(field: str, text: str) -> float | int | str:
    kind = Settings.__annotations__[field]
    if kind is float:
        return days(text) if field == "tau" else _number(f"memoir.recall.{field}", text)
    if kind is int:
        return _whole(f"memoir.recall.{field}", text)
    return text


def days(text: str) -> float:
    """Read a decay time: days, or `off` (0).

    Raises:
        InvalidInput: neither.
    """
    return 0.0 if text == "off" else _number("tau", text)


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise InvalidInput(f"{name.replace('_', '')} must be a number from 0 up, not {text!r}")
    return value


def _whole(name: str, text: str) -> int:
    value = _number(name, text)
    if not 1 <= value <= _MOST or value != int(value):
        raise InvalidInput(f"{name.replace('_', '')} must be a whole number from 1 to {_MOST:,}, not {text!r}")
    return int(value)


def _with_half_life(settings: Settings, config: Mapping[str, list[str]], has_tau: bool) -> Settings:
    """`halfLifeDays` is another name for the same curve: exp(-t/tau) is one half at t = tau * ln 2."""
    text = config.get(_HALF_LIFE, [""])[-1]
    if not text:
        return settings
    tau = days(text) / math.log(2)
    if has_tau and not math.isclose(tau, settings.tau, rel_tol=0.01):
        raise InvalidInput(
            f"memoir.recall.tau and halfLifeDays disagree: a half-life of {text} days is a tau of {tau:.2f}",
            "set one of them",
        )
    return settings._replace(tau=tau)
