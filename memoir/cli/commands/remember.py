"""`memoir remember`."""

import sys
from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, Branch, Message, Namespace, addresses
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.memory.links import EDGES, FIELD, links
from memoir.memory.policy import POLICIES
from memoir.memory.record import MAX_CONTENT_BYTES, Memory
from memoir.memory.write import remember
from memoir.output import items
from memoir.output.answer import Answer


def command(
    ctx: typer.Context,
    content: Annotated[
        str,
        typer.Argument(
            metavar="CONTENT", help="The memory, or '-' to read it from standard input.", show_default=False
        ),
    ],
    paths: Annotated[
        list[str] | None,
        typer.Option(
            "-p",
            "--path",
            metavar="PATH",
            help="Where to keep it (repeatable: one commit).",
            autocompletion=complete.keys,
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    confidence: Annotated[float, typer.Option(metavar="0..1", help="How sure it is.")] = 1.0,
    timestamp: Annotated[str | None, typer.Option(metavar="DATE", help="Since when it holds (default: now).")] = None,
    meta: Annotated[list[str] | None, typer.Option(metavar="KEY=VALUE", help="Metadata (repeatable).")] = None,
    link: Annotated[
        list[str] | None,
        typer.Option(
            "--link",
            metavar="EDGE=PATH",
            help="A link to another memory: derives_from, causes, calls, imports or supersedes (repeatable).",
            autocompletion=complete.words(*(f"{edge}=" for edge in EDGES)),
        ),
    ] = None,
    merge_policy: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="On an occupied path: append, replace, confidence_gated or reject (default: by the first segment).",
            autocompletion=complete.words(*POLICIES),
        ),
    ] = None,
    message: Message = None,
    branch: Branch = None,
) -> Answer:
    """Store a memory at one or more paths.

    A path is 1 to 8 segments joined by dots, such as preferences.coding.testing. Nothing is lost on an occupied
    path: what yields stays beside the winner as superseded, and history keeps every version.
    """
    if not paths:
        raise InvalidInput("no path given", "name one with -p, such as -p preferences.coding.testing")
    places = addresses(paths, namespace)
    metadata = _metadata(meta or []) | ({FIELD: links(link, namespace)} if link else {})
    new = Memory.of(_content(content), confidence=confidence, timestamp=timestamp, metadata=metadata)
    store = session(ctx).store
    policy = merge_policy or store.config.get("memoir.remember.mergepolicy", [None])[-1]
    result = remember(store, new, places, policy=policy, message=message, branch=branch)
    return items.remember(result, new.content, new.confidence)


def _content(given: str) -> str:
    """The content itself; from standard input one final line break is dropped, as `$(...)` does."""
    if given != "-":
        return given
    data = sys.stdin.buffer.read(MAX_CONTENT_BYTES + 2)
    try:
        return data.decode().removesuffix("\n")
    except UnicodeDecodeError:
        raise InvalidInput("standard input is not valid UTF-8 text") from None


def _metadata(pairs: list[str]) -> dict[str, object]:
    """`k=v` pairs; a key given several times becomes a list."""
    found: dict[str, object] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise InvalidInput(f"not KEY=VALUE: {pair!r}", "write --meta source=review")
        before = found.get(key)
        found[key] = value if before is None else [*(before if isinstance(before, list) else [before]), value]
    return found
