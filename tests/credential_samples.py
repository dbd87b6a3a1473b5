"""The labelled set by which the credential scan is judged, written apart from its rules.

`tests/memory/credentials/shapes.txt` describes how credentials look, `ordinary.txt` is what developers write every day.
Samples are put together from the shapes when they are wanted, so that no scanner finds one in this repository.
"""

import base64
import random
import re
from collections.abc import Iterator
from pathlib import Path
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

_FOLDER = Path(__file__).parent / "memory" / "credentials"
_ALPHABETS = {
    "": ascii_letters + digits,
    "hex": "0123456789abcdef",
    "upper": ascii_uppercase + digits,
    "lower-digits": ascii_lowercase + digits,
    "letters": ascii_letters,
    "digits": digits,
    "base32": ascii_uppercase + "234567",
    "bech32": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "base64": ascii_letters + digits + "+/",
    "url": ascii_letters + digits + "-_",
}
SURROUNDINGS = {
    "bare": "{}",
    "in a sentence": "noted on Monday: {} is to be rotated",
    "at the end of a sentence": "we still use {}.",
    "on a line of its own": "the staging set-up\n\n{}\n\nask Anna",
    "as code": "it is `{}` for now",
    "in markup": "<p>it is <code>{}</code></p>",
    "in a fence": "```sh\n{}\n```",
    "in quotes": 'the value is "{}"',
    "after a colon": "KEY:{}",
    "after an equals sign": "KEY={}",
    "in brackets": "the old one ({}) works",
    "in a list": "- {}\n- and so on",
    "in a table": "| staging | {} |",
}


class Sample(NamedTuple):
    """A text that holds a credential: the shape's name, where it stands, and the text."""

    shape: str
    context: str
    text: str


def ordinary() -> list[str]:
    """Sentences that hold no credential."""
    return (_FOLDER / "ordinary.txt").read_text().splitlines()


def credentials(seed: int = 7) -> dict[str, str]:
    """A made-up credential of every shape."""
    chance = random.Random(seed)
    lines = (_FOLDER / "shapes.txt").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {name: _make(template.replace("\\n", "\n"), chance) for name, template in rows}


def samples(seed: int = 7) -> Iterator[Sample]:
    """A made-up credential of every shape in every context, and with an invisible character inside."""
    for shape, credential in credentials(seed).items():
        for name, context in SURROUNDINGS.items():
            yield Sample(shape, name, context.replace("{}", credential))
        middle = len(credential) // 2
        yield Sample(shape, "with a zero-width space", f"{credential[:middle]}\u200b{credential[middle:]}")


def _make(template: str, chance: random.Random) -> str:
    return re.sub(
        r"\{(?:(\d+)(?::([a-z0-9-]+))?|(password)|(jwt)|words(\d+))\}",
        lambda match: _part(match, chance),
        template,
    )


def _part(match: re.Match[str], chance: random.Random) -> str:
    length, alphabet, password, jwt, words = match.groups()
    if length:
        return "".join(chance.choices(_ALPHABETS[alphabet or ""], k=int(length)))
    if password:
        return "".join(chance.choices(ascii_letters, k=5) + chance.choices(ascii_letters + digits, k=6)) + "7"
    if jwt:
        parts = (b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"%d","iat":1516239022}' % chance.randrange(10**9))
        return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)
    from mnemonic import Mnemonic

    return " ".join(chance.choices(Mnemonic("english").wordlist, k=int(words)))
