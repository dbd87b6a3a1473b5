"""What a setting may be, so that `memoir config` refuses what would make a later command fail."""

from collections.abc import Callable, Mapping

from memoir.cli import alias
from memoir.cli.families import COMMANDS
from memoir.cli.tree import ALIASES
from memoir.errors import InvalidInput
from memoir.filing import decision
from memoir.index.embedders import choose
from memoir.llm import configured
from memoir.memory import policy
from memoir.recall import settings as recall
from memoir.store import layout, maintenance

_CHECKS: Mapping[str, Callable[[str], object]] = {
    "memoir.embed.model": str,
    "memoir.embed.provider": choose.check,
    "memoir.embed.url": str,
    "memoir.filing.classifier": decision.check,
    "memoir.filing.threshold": decision.threshold,
    "memoir.llm.model": str,
    "memoir.llm.timeout": configured.timeout,
    "memoir.remember.mergepolicy": lambda name: name == policy.LLM_MERGE or policy.check(name),
    "memoir.repackat": maintenance.threshold,
}
_KNOWN = (*_CHECKS, *recall.KEYS)


def check(config: Mapping[str, list[str]], key: str, value: str) -> None:
    """Refuse a value that a setting cannot have, and a name that memoir's own sections do not know.

    Args:
        config: What is set already.
        key: In git's form.
        value: Its new value.

    Raises:
        InvalidInput: naming what is allowed, or the setting that was meant.
    """
    section, _, name = key.rpartition(".")
    if key.startswith(alias.PREFIX):
        alias.check(name, value, {*COMMANDS, *ALIASES})
    elif key in recall.KEYS:
        recall.read({**config, key: [value]})
    elif key.startswith("memoir.remote.") and key.endswith(".refs"):
        layout.check(value)
    elif key in _CHECKS:
        _CHECKS[key](value)
    elif any(known.startswith(f"{section}.") for known in _KNOWN) and section != "memoir":
        raise InvalidInput(f"there is no setting {key!r}", _meant(key))


def _meant(key: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(key, _KNOWN, 1)
    siblings = [known for known in _KNOWN if known.rpartition(".")[0] == key.rpartition(".")[0]]
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(siblings)}"
