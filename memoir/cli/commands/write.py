"""The commands that write: `remember`, `replace`, `mv`, `forget`, `restore`, `pin`, `unpin`."""

from typing import Annotated

import typer

from memoir.answers import write as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, Message, Namespace, argument, option
from memoir.cli.session import prepare_embedder, require_keys, session, text_or_stdin
from memoir.cli.writing import About, AllowSecret, Classifier, DryRun, Expires
from memoir.errors import InvalidInput
from memoir.records.metadata import EDGES, LINKS, PIN
from memoir.records.record import MAX_CONTENT_BYTES
from memoir.settings import MERGE_POLICY
from memoir.taxonomy.kinds import ITEM_KINDS

Keys = Annotated[
    list[str], argument("KEY...", "Paths, or namespace:path; KEY#id: one memory there.", completion=complete.keys)
]


def remember(
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
    timestamp: Annotated[str | None, option("The time from which it holds (default: now).", metavar="DATE")] = None,
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
            f"Its kind: {', '.join(ITEM_KINDS)}, or auto.",
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
    how to replace the older one. With --about, memoir later shows whether the code of the memory has changed.
    """
    metadata = {**_metadata(meta or []), **({PIN: True} if pin else {})}
    text = text_or_stdin(content, MAX_CONTENT_BYTES)
    here = session(ctx)
    if not paths:
        prepare_embedder(here, text, stored=not dry_run)
    return shapes.remember(
        here.repository, text, paths, namespace, confidence, timestamp, metadata, links=link, kind=kind,
        policy=merge_policy, classifier=classifier, replace_similar=replace_similar, about=about, expires=expires,
        dry_run=dry_run, message=message, allow_secret=allow_secret, word=here.word,
    )  # fmt: skip


def _metadata(pairs: list[str]) -> dict[str, object]:
    """Read KEY=VALUE pairs; a key given several times becomes a list.

    Raises:
        InvalidInput: one is not such a pair, or sets the links, for which there is --link.
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


Old = Annotated[str, argument("OLD", "A path, or namespace:path; KEY#id: one memory.", completion=complete.keys)]


def mv(
    ctx: typer.Context,
    old: Old,
    new: Annotated[str, argument("NEW", "Its new path, or namespace:path.")],
    prefix: Annotated[bool, option("Move everything at or under OLD.", "--prefix")] = False,
    append: Annotated[bool, option("If NEW is occupied, add to the memories there.", "--append")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
    allow_secret: AllowSecret = False,
) -> Answer:
    """Move a memory, or a whole prefix, to another path, as one commit that blame follows.

    KEY#id moves one of several memories at a path; the new path's versions then begin with the move.
    """
    here = session(ctx).repository
    return shapes.mv(here, old, new, prefix, append, namespace, dry_run, message, allow_secret=allow_secret)


def forget(
    ctx: typer.Context,
    keys: Keys,
    prefix: Annotated[bool, option("Forget everything at or under each KEY.", "--prefix")] = False,
    dry_run: DryRun = False,
    namespace: Namespace = DEFAULT,
    message: Message = None,
) -> Answer:
    """Remove memories, as one commit; history keeps them. A KEY may be a glob, such as 'settings.*'.

    If one of the keys has no memory, nothing is forgotten and the exit status is 4.
    """
    return shapes.forget(session(ctx).repository, require_keys(keys), prefix, namespace, dry_run, message)


def restore(
    ctx: typer.Context,
    keys: Keys,
    at: Annotated[
        str, option("The revision or date to bring them back from.", metavar="REV", completion=complete.revisions)
    ],
    namespace: Namespace = DEFAULT,
    message: Message = None,
) -> Answer:
    """Bring memories back as they were at a revision, as one commit."""
    return shapes.restore(session(ctx).repository, require_keys(keys), at, namespace, message)


def pin(
    ctx: typer.Context, keys: Keys, namespace: Namespace = DEFAULT, dry_run: DryRun = False, message: Message = None
) -> Answer:
    """Pin memories: every agent's session begins with them ('memoir prime').

    A pin is the metadata "pinned": true of a memory, so it has a history and can be undone like everything else.
    """
    return shapes.pin(session(ctx).repository, keys, namespace, dry_run, message)


def unpin(
    ctx: typer.Context, keys: Keys, namespace: Namespace = DEFAULT, dry_run: DryRun = False, message: Message = None
) -> Answer:
    """Unpin memories."""
    return shapes.unpin(session(ctx).repository, keys, namespace, dry_run, message)


def replace(
    ctx: typer.Context,
    old: Old,
    new: Annotated[
        str | None,
        argument(
            "[NEW]",
            "The new memory (default: the newest one that contradicts the old one or is near to it).",
            completion=complete.keys,
        ),
    ] = None,
    namespace: Namespace = DEFAULT,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Replace an older memory by a newer one.

    The new memory moves to the path of the old one, which stays there as superseded: recall no longer finds it, but
    'memoir blame' still shows it. It is one commit, which 'memoir undo' takes back. The answer of 'memoir remember'
    names the memories that a new one may replace.
    """
    return shapes.replace(session(ctx).repository, old, new, namespace, dry_run, message)
