"""How the user reaches other machines: their own ssh, passwords, proxies and protocols, whatever a store's config says.

The guard lets no store say anything about these. Should it err, git still hears the user's own settings here, in
the form that counts above every configuration file.
"""

import os
import shlex
from collections.abc import Iterable, Sequence

Settings = Sequence[tuple[str, str]]
"""The user's keys and values, the strongest last."""

_PROTOCOLS = ("https", "http", "ssh", "git", "file", "ftp", "ftps")
_FROM_USER = frozenset({"file"})
"""What git allows, unless told otherwise, only if it is the user who names the address."""

_NEVER = frozenset({"ext", "fd"})
"""An address of theirs is a command line."""


def transport(settings: Settings, more: Settings = ()) -> dict[str, str]:
    """The environment in which git talks to a remote as the user has set it up, with more settings for this one run."""
    last = dict(settings)
    ssh = os.environ.get("GIT_SSH_COMMAND") or last.get("core.sshcommand")
    asks = [os.environ.get("GIT_ASKPASS"), last.get("core.askpass"), os.environ.get("SSH_ASKPASS"), ""]
    env = {
        "GIT_SSH_COMMAND": ssh or shlex.quote(os.environ.get("GIT_SSH") or "ssh"),
        "GIT_ASKPASS": next(program for program in asks if program is not None),
        "GIT_ALLOW_PROTOCOL": os.environ.get("GIT_ALLOW_PROTOCOL", ":".join(_protocols_to_allow(last))),
    }
    if "core.gitproxy" not in last:
        env["GIT_PROXY_COMMAND"] = os.environ.get("GIT_PROXY_COMMAND", "")
    return env | _config([*_helpers(settings), *more])


def program_of(settings: Settings, remote: str, name: str) -> str:
    """The program that git runs on the other side of a remote: `git-upload-pack`, or what the user has set for it."""
    return dict(settings).get(f"remote.{remote}.{name.replace('-', '')}", f"git-{name}")


def _protocols_to_allow(last: dict[str, str]) -> Iterable[str]:
    by_user = os.environ.get("GIT_PROTOCOL_FROM_USER", "1") not in ("0", "false", "no", "off")
    others = [key.split(".")[1] for key in last if key.startswith("protocol.") and key.count(".") == 2]
    for protocol in dict.fromkeys((*_PROTOCOLS, *others)):
        usual = last.get("protocol.allow", "user" if protocol in _FROM_USER else "always")
        allow = last.get(f"protocol.{protocol}.allow", usual)
        if protocol not in _NEVER and (allow == "always" or (allow == "user" and by_user)):
            yield protocol


def _helpers(settings: Settings) -> list[tuple[str, str]]:
    """The user's credential helpers, behind the empty one that ends every list before it."""
    mine = [(key, value) for key, value in settings if key.startswith("credential.") and key.endswith(".helper")]
    return [("credential.helper", ""), *mine]


def _config(settings: Settings) -> dict[str, str]:
    """Settings for one run of git, in its environment, where a key may hold any character."""
    env = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings):
        env |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return env
