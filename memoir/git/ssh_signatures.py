"""Signatures of commits in git's SSH format, made and checked by `ssh-keygen`, as in git.

A signature is in the commit's header, and signs the commit without it. Callers take the key, the program and the file
of allowed signers from the user's own configuration, never from a store's (`memoir.store.guard` refuses a store that
sets one).
"""

import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from memoir.errors import InvalidInput, MemoirError
from memoir.git.git import SAFE_FOLDER, environment

_HEADERS = {20: b"gpgsig", 32: b"gpgsig-sha256"}
"""The name of the header by the size of an id in bytes."""
_BEGINNING = b"-----BEGIN SSH SIGNATURE-----"
_NAMESPACE = "git"
_SECONDS = 120.0
"""The most seconds for ssh-keygen, which may have to ask for a passphrase."""
_LITERAL = ("key::", "ssh-", "ecdsa-", "sk-ssh-", "sk-ecdsa-")
"""The beginnings of a public key given in place of a file, as in git; an agent then has the private key."""


class SshKey(NamedTuple):
    """A key to sign with."""

    name: str
    """The file of the key, or a public key whose private key an agent has."""
    program: str
    """The program that signs and checks: `ssh-keygen` or a compatible one."""


class SignatureCheck(NamedTuple):
    """The result of checking a commit's signature."""

    status: str
    """`good`: made by an allowed signer; `unknown`: valid, but not by an allowed signer; `bad`: not of this commit;
    `none`: no signature; `unsupported`: not SSH, but for example OpenPGP."""
    signer: str | None = None
    """The signer's name in the file of allowed signers."""
    key: str | None = None
    """The fingerprint of the key; None if the signature is not valid."""


NONE = SignatureCheck("none")


def split(commit: bytes) -> tuple[bytes, bytes | None]:
    """Split a commit object into the commit without its signature, and the signature or None."""
    header, gap, body = commit.partition(b"\n\n")
    kept: list[bytes] = []
    signature: list[bytes] = []
    target = kept
    for line in header.split(b"\n"):
        if not line.startswith(b" "):
            name, _, line_of_signature = line.partition(b" ")
            target = signature if name in _HEADERS.values() else kept
            line = line_of_signature if target is signature else line
        elif target is signature:
            line = line[1:]
        target.append(line)
    return b"\n".join(kept) + gap + body, b"\n".join(signature) + b"\n" if signature else None


def sign(commit: bytes, key: SshKey, id_size: int) -> bytes:
    """Add a signature to a commit object.

    Raises:
        MemoirError: the key or the program is missing, or the program failed.
        InvalidInput: the path of the key is relative.
    """
    with _key_file(key.name) as (file, options):
        done = _run(key.program, "-Y", "sign", "-n", _NAMESPACE, "-f", file, *options, stdin=commit)
    if done.returncode or not done.stdout.startswith(_BEGINNING):
        words = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise MemoirError(f"the commit could not be signed: {words[-1] if words else 'no message'}", _KEY_HINT)
    header, gap, body = commit.partition(b"\n\n")
    lines = done.stdout.rstrip(b"\n").replace(b"\n", b"\n ")
    return header + b"\n" + _HEADERS[id_size] + b" " + lines + gap + body


_KEY_HINT = "'memoir config --global user.signingKey FILE' names the key; 'memoir.sign off' stops signing"


@contextmanager
def _key_file(name: str) -> Iterator[tuple[str, list[str]]]:
    """The file and options for ssh-keygen; a literal public key is written to a temporary file."""
    if name.startswith(_LITERAL):
        from tempfile import NamedTemporaryFile

        with NamedTemporaryFile("w", prefix="memoir-key-", suffix=".pub") as file:
            file.write(name.removeprefix("key::") + "\n")
            file.flush()
            yield file.name, ["-U"]
        return
    path = os.path.expanduser(name)
    if not os.path.isabs(path):
        raise InvalidInput(f"user.signingKey is relative: {name!r}", "give the whole path, or begin it with ~/")
    if not os.path.isfile(path):
        raise MemoirError(f"there is no key to sign with at {path}", _KEY_HINT)
    yield path, []


def verify(commit: bytes, time: int, signers: str | None, program: str) -> SignatureCheck:
    """Check the signature of a commit object made at `time`, in seconds since 1970.

    `signers` is the file of allowed signers, as in ssh-keygen(1), which may limit keys to a period; None: nobody is
    allowed.
    """
    payload, signature = split(commit)
    if signature is None:
        return NONE
    if not signature.startswith(_BEGINNING):
        return SignatureCheck("unsupported")
    from tempfile import NamedTemporaryFile

    from memoir.times import instant_at

    at = f"-Overify-time={instant_at(max(time, 0)):%Y%m%d%H%M%SZ}"
    with NamedTemporaryFile("wb", prefix="memoir-signature-") as file:
        file.write(signature)
        file.flush()
        of = ("-n", _NAMESPACE, "-s", file.name)
        plain = _run(program, "-Y", "check-novalidate", *of, stdin=payload)
        if plain.returncode:
            return SignatureCheck("bad")
        key = _fingerprint(plain.stdout)
        found = _run(program, "-Y", "find-principals", "-f", signers, "-s", file.name, at) if signers else None
        names = found.stdout.decode("utf-8", "replace").splitlines() if found and not found.returncode else []
        for name in names:
            if not _run(program, "-Y", "verify", *of, "-f", signers or "", "-I", name, at, stdin=payload).returncode:
                return SignatureCheck("good", name, key)
    return SignatureCheck("unknown", None, key)


def _fingerprint(output: bytes) -> str | None:
    """The fingerprint in `Good "git" signature with ED25519 key SHA256:...`."""
    words = output.decode("utf-8", "replace").split()
    return next((word for word in words if word.startswith("SHA256:")), None)


def public_key(signature: bytes) -> bytes | None:
    """The public key in an SSH signature; None if it has another form."""
    import base64
    from binascii import Error

    inner = b"".join(line for line in signature.splitlines() if not line.startswith(b"-----"))
    try:
        data = base64.b64decode(inner)
    except Error:
        return None
    if not data.startswith(b"SSHSIG"):
        return None
    length = int.from_bytes(data[10:14], "big")
    return data[14 : 14 + length]


def _run(program: str, *args: str, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run ssh-keygen."""
    env: Mapping[str, str] = environment()
    try:
        return subprocess.run(
            [program, *args], input=stdin, capture_output=True, cwd=SAFE_FOLDER, env=env, timeout=_SECONDS
        )
    except OSError as error:
        hint = "install OpenSSH 8.2 or newer, or name another program by gpg.ssh.program in your own git configuration"
        raise MemoirError(f"{program} cannot be run: {error.strerror}", hint) from error
    except subprocess.TimeoutExpired as error:
        raise MemoirError(f"{program} gave no answer within {_SECONDS:g} seconds") from error
