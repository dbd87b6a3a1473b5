"""Signs and checks commits with the user's settings, by `memoir.git.ssh_signatures`.

The key, the program and the file of allowed signers are read only from the user's own configuration. A store that sets
any of them is not opened (`memoir.store.guard`).
"""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memoir.errors import InvalidInput, NotFound, NotProven
from memoir.git.git import plain
from memoir.git.objects import Oid
from memoir.git.ssh_signatures import NONE, SignatureCheck, SshKey, public_key, split, verify
from memoir.settings import SIGN, SIGNING_KEY
from memoir.store.commit import Commit, parse
from memoir.store.proof import Proof, check, read
from memoir.store.store import Store

_PROGRAM, _SIGNERS = "gpg.ssh.program", "gpg.ssh.allowedsignersfile"
DEFAULT_PROGRAM = "ssh-keygen"


def signing_key(store: Store) -> SshKey | None:
    """The key that signs new commits; None if commits are not signed.

    Raises:
        InvalidInput: commits are to be signed, and the user's configuration names no key.
    """
    if SIGN.read(store.config) == "off":
        return None
    name = _user_value(store, SIGNING_KEY.git_key)
    if not name:
        hint = f"memoir config --global {SIGNING_KEY.key} ~/.ssh/id_ed25519.pub"
        raise InvalidInput(f"{SIGN.key} is ssh, but {SIGNING_KEY.key} names no key", hint)
    return SshKey(name, _program(store))


def check_signatures(
    store: Store, commits: Sequence[Oid], signers: str | os.PathLike[str] | None = None
) -> list[SignatureCheck]:
    """Check the signatures of commits, in order.

    The default file of allowed `signers` is `gpg.ssh.allowedSignersFile` in the user's configuration.
    """
    file = signers_file(_user_value(store, _SIGNERS) or None if signers is None else signers)
    program = _program(store)
    objects = store.reader.read(commits, "commit")
    return [_check(oid, data, file, program) for oid, data in zip(commits, objects, strict=True)]


def _check(oid: Oid, data: bytes, signers: str | None, program: str) -> SignatureCheck:
    is_signed = b"\ngpgsig" in data.partition(b"\n\n")[0]
    return verify(data, parse(oid, data).committer.time, signers, program) if is_signed else NONE


def signers_file(name: str | os.PathLike[str] | None) -> str | None:
    """The absolute path of a file of allowed signers; None without one.

    Raises:
        NotFound: there is no such file.
    """
    if name is None:
        return None
    path = Path(os.path.abspath(os.path.expanduser(name)))
    if not path.is_file():
        raise NotFound(f"there is no file of allowed signers at {path}", "ssh-keygen(1) describes it: ALLOWED SIGNERS")
    return str(path)


def foreign_signatures(store: Store, commits: Sequence[Oid], again: Oid) -> list[Oid]:
    """The commits that were signed by another key than `again`, the commit made anew from them."""
    *before, after = (split(data)[1] for data in store.reader.read([*commits, again], "commit"))
    own = public_key(after) if after else None
    signed = [(oid, signature) for oid, signature in zip(commits, before, strict=True) if signature]
    return [oid for oid, signature in signed if own is None or public_key(signature) != own]


class Verification(NamedTuple):
    """The result of a checked proof."""

    proof: Proof
    """The proof: commit, key, and the record or its absence."""
    commit: Commit
    """The parsed commit; its author and time are its own claims."""
    signature: SignatureCheck | None
    """The check of its signature, if a file of allowed signers was given."""
    is_expected: bool | None
    """True if it is the expected commit; None if none was given."""


def verify_proof(data: bytes, commit: str | None, signers: str | os.PathLike[str] | None) -> Verification:
    """Check a proof, and optionally that it is of a given commit (whole id) and signed by an allowed signer.

    Raises:
        NotProven: it is invalid, of another commit, or not signed by an allowed signer. InvalidInput: not a whole id.
        NotFound: there is no such file of signers.
    """
    if commit is not None and not re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", commit):
        raise InvalidInput(f"not a whole commit id: {commit!r}", "'memoir log' shows whole ids, of 40 or 64 digits")
    file = signers_file(signers)
    proof = read(data)
    parsed = check(proof)
    if commit not in (None, str(proof.commit)):
        raise NotProven(f"the proof is of commit {proof.commit}, not of {commit}")
    if file is None:
        return Verification(proof, parsed, None, None if commit is None else True)
    signature = verify(proof.objects[0], parsed.committer.time, file, _own_program())
    if signature.status != "good":
        raise NotProven(f"commit {proof.commit} {UNTRUSTED[signature.status]}", f"{file} says who may sign")
    return Verification(proof, parsed, signature, None if commit is None else True)


UNTRUSTED = {
    "unknown": "is signed by a key that is not allowed",
    "bad": "has a signature that does not belong to it",
    "none": "is not signed",
    "unsupported": "is signed in another way than SSH's",
}
"""The fault of a commit by the status of its signature (`SignatureCheck`)."""


def _own_program() -> str:
    """The user's program for signatures, read without a store."""
    done = plain("config", "--global", "--get", _PROGRAM)
    return done.stdout.decode("utf-8", "replace").strip() or DEFAULT_PROGRAM


def _program(store: Store) -> str:
    return _user_value(store, _PROGRAM) or DEFAULT_PROGRAM


def _user_value(store: Store, key: str) -> str:
    """The last value of a key in the user's own configuration; empty if it is not set there."""
    return dict(store.git_settings.of_user).get(key, "")
