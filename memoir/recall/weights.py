"""The weights that a caller gives legs and channels for one query."""

from collections.abc import Mapping

from memoir.errors import InvalidInput
from memoir.recall import channels
from memoir.setting import Config, number

_WEIGHT = number(0)


def parse_weight(text: str) -> tuple[str, float]:
    """Read `NAME=X`.

    Raises:
        InvalidInput: it is not that, there is no such leg or channel, or X is not a number from 0 up.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise InvalidInput(f"not a weight: {text!r}", "write it as 'vectors=0.5'")
    key = _key(name)
    try:
        return key, _WEIGHT.parse(value)
    except ValueError as error:
        raise InvalidInput(f"the weight of {name} must be {_WEIGHT.form}, not {value!r}") from error


def check_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Check weights by name or by title, and return them by name."""
    for name, value in weights.items():
        _WEIGHT.check(value, f"the weight of {name}")
    return {_key(name): value for name, value in weights.items()}


def weights(options: Mapping[str, float], config: Config) -> dict[str, float]:
    """The weight of each leg and channel, by its name: as given for a query, else as the settings say.

    Raises:
        InvalidInput: as for `check_weights`, or every leg is off.
    """
    by_name = {**channels.weights(config), **check_weights(options)}
    if options and not any(by_name[leg.name] for leg in channels.LEGS):
        titles = " and ".join(leg.title for leg in channels.LEGS)
        raise InvalidInput(f"the weights of {titles} are all 0, so nothing can be found")
    return by_name


def titles() -> dict[str, str]:
    """The names of legs and channels, by the titles that people use."""
    legs = {leg.title: leg.name for leg in channels.LEGS}
    return legs | {channel.name: channel.name for channel in channels.CHANNELS}


def _key(name: str) -> str:
    by_name = titles()
    if name in by_name.values():
        return name
    if name not in by_name:
        raise InvalidInput(f"no part of a ranking is named {name!r}", f"the names are {', '.join(by_name)}")
    return by_name[name]
