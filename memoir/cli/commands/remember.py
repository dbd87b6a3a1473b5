"""`memoir remember`."""

from typing import Annotated

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, Message, Namespace, argument, option
from memoir.cli.session import session, text_or_stdin
from memoir.cli.writing import About, AllowSecret, Classifier, DryRun, Expires
from memoir.errors import InvalidInput
from memoir.memory.write_options import WriteOptions
from memoir.records.metadata import EDGES, LINKS, PIN
from memoir.records.record import MAX_CONTENT_BYTES, Memory
from memoir.settings import MERGE_POLICY
from memoir.taxonomy.kinds import ITEM_KINDS


def command(
    ctx: typer.Context,
    content: Annotated[str, argument("CONTENT", "The memory, or '-' to read it from standard input.")],
    paths: Annotated[
        list[str] | None,
        option(
            "Where to store it (repeatable; default: memoir finds a path).",
            "-p",
            "--path",
            metavar="PATH",
            completion=complete.keys,
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    confidence: Annotated[float, option("How certain the memory is.", metavar="0..1")] = 1.0,
    timestamp: Annotated[str | None, option("Since when it is true (default: now).", metavar="DATE")] = None,
    meta: Annotated[list[str] | None, option("Metadata (repeatable).", metavar="KEY=VALUE")] = None,
    pin: Annotated[bool, option("Pin it: every agent's session begins with it.", "--pin")] = False,
    link: Annotated[
        list[str] | None,
        option(
            "A link to another memory: derives_from, causes, calls, imports or supersedes (repeatable).",
            metavar="EDGE=PATH",
            completion=complete.words(*(f"{edge}=" for edge in EDGES)),
        ),
    ] = None,
    kind: Annotated[
        str | None,
        option(
            f"What it is: {', '.join(ITEM_KINDS)}, or auto.",
            metavar="KIND",
            completion=complete.words(*ITEM_KINDS, "auto"),
        ),
    ] = None,
    merge_policy: Annotated[
        str | None,
        option(
            "If the path is occupied: append, replace, confidence_gated, reject, llm_merge (default: by kind).",
            metavar="POLICY",
            completion=complete.words(*MERGE_POLICY.kind.words),
        ),
    ] = None,
    replace_similar: Annotated[
        bool, option("Replace the memory that this one contradicts most, or is near to.", "--replace-similar")
    ] = False,
    about: About = None,
    expires: Expires = None,
    classifier: Classifier = None,
    allow_secret: AllowSecret = False,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Store a memory at one or more paths, or let memoir find the path.

    A path is 1 to 8 segments joined by dots, such as preferences.coding.testing. Without one, memoir files the memory
    under the taxonomy, by rules or with --classifier model; 'memoir suggest' lists the nearest paths that exist. A
    memory that cannot be filed with confidence goes to inbox.unsorted, which 'memoir classify' sorts later. If the path
    holds a memory already, nothing is lost: an equal memory is confirmed, a replaced one is kept as superseded, and
    history keeps every version. If the memory contradicts another one, or is near to it, both stay, and the answer says
    how to replace the older one. With --about the memory says later whether the code that it is about has changed.
    """
    metadata = {**_metadata(meta or []), **({PIN: True} if pin else {})}
    text = text_or_stdin(content, MAX_CONTENT_BYTES)
    new = Memory.of(text, confidence=confidence, timestamp=timestamp, metadata=metadata)
    here = session(ctx)
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    result = here.repository.remember(
        new, *(paths or []), namespace=namespace, policy=merge_policy, classifier=classifier, links=link or (),
        kind=kind, replace_similar=replace_similar, about=about or (),
        expires=expires, options=options,
    )  # fmt: skip
    return shapes.remember(result, new.content, new.confidence, dry_run=dry_run, word=here.word)


def _metadata(pairs: list[str]) -> dict[str, object]:
    """Read KEY=VALUE pairs; a key given several times becomes a list.

    Raises:
        InvalidInput: one is not such a pair, or sets what --link sets.
    """
    metadata: dict[str, object] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise InvalidInput(f"not KEY=VALUE: {pair!r}", "write --meta source=review")
        if key == LINKS:
            raise InvalidInput(f"the metadata {LINKS!r} is set by --link", "write --link derives_from=PATH")
        before = metadata.get(key)
        metadata[key] = value if before is None else [*(before if isinstance(before, list) else [before]), value]
    return metadata
