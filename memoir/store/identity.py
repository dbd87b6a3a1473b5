"""Who commits: the name, the address and the time of a commit."""

import re

from memoir.errors import InvalidInput, NoStore
from memoir.git.git import around
from memoir.settings import AUTHOR, NOW, USER_EMAIL, USER_NAME
from memoir.store.commit import Signature
from memoir.store.store import Store
from memoir.times import now


def signature(store: Store) -> Signature:
    """The committer, with the current time."""
    who = store.git.identity
    return Signature(who["GIT_COMMITTER_NAME"], who["GIT_COMMITTER_EMAIL"], int(now().timestamp()))


_AUTHOR = r"\s*([^<>\n\0\ud800-\udfff]*[^<>\s\0\ud800-\udfff])\s*(?:<([^<>\s\0\ud800-\udfff]*)>\s*)?"


def identity(store: Store) -> dict[str, str]:
    """The committer for git: `MEMOIR_AUTHOR`, else `GIT_AUTHOR_*`, else git's `user.*`, else memoir's own.

    `user.*` is the user's, else the store's, else that of the project around the store.

    Raises:
        InvalidInput: `MEMOIR_AUTHOR` is not `Name <email>`.
        NoStore: this is the user's own store, and the write was not meant for it.
    """
    if store.is_instead:
        raise NoStore(
            "no memoir store here to write to", "--global writes to your own; in a project, 'memoir init' creates one"
        )
    name, email = name_and_email(store)
    if (seconds := int(now().timestamp())) < 0:
        raise InvalidInput(f"{NOW.key} is before 1970, and git records no such date")
    date = f"@{seconds} +0000"
    return {"GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": email, "GIT_COMMITTER_DATE": date}


def name_and_email(store: Store) -> tuple[str, str]:
    """The name and the address of the committer; see `identity`."""
    if author := AUTHOR.read({}):
        match = re.fullmatch(_AUTHOR, author)
        if not match:
            raise InvalidInput(f"{AUTHOR.key} is not a name and an address", "write it as 'Name <email>'")
        return match[1], match[2] or USER_EMAIL.default
    name, email = (_clean(setting.read_if_set(store.config)) for setting in (USER_NAME, USER_EMAIL))
    if not (name and email):
        project = _project_identity(store)
        name = name or _clean(project.get(USER_NAME.git_key)) or USER_NAME.default
        email = email or _clean(project.get(USER_EMAIL.git_key)) or USER_EMAIL.default
    return name, email


def _project_identity(store: Store) -> dict[str, str]:
    """`user.*` in the project's own git config, for users with a different name in each project."""
    done = around(store.git_dir.parent, "config", "-z", "--get-regexp", r"^user\.(name|email)$")
    return dict(entry.partition("\n")[::2] for entry in done.stdout.decode("utf-8", "replace").split("\0"))


def _clean(text: str | None) -> str:
    return re.sub(r"[<>\x00-\x1f\x7f]", "", text or "").strip()
