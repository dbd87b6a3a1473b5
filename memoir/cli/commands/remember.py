"""`memoir remember`."""

from typing import Annotated

import typer

from memoir.cli import complete
from memoir.cli.options import DEFAULT, AllowSecret, Classifier, DryRun, Message, Namespace
from memoir.cli.session import session
from memoir.cli.stdin import text_or_stdin
from memoir.errors import InvalidInput
from memoir.memory.links import EDGES, FIELD, links
from memoir.memory.policy import LLM_MERGE
from memoir.memory.read import addresses
from memoir.memory.record import MAX_CONTENT_BYTES, Memory
from memoir.memory.secrets import check_memory
from memoir.memory.write import remember
from memoir.output import write as shapes
from memoir.output.answer import Answer
from memoir.settings import MERGE_POLICY, note
from memoir.taxonomy.paths import TAXONOMY_NAMESPACE, Address


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
            help="Where to keep it (repeatable: one commit; default: memoir files it).",
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
            help="On an occupied path: append, replace, confidence_gated, reject or llm_merge (default: by the path).",
            autocompletion=complete.words(*MERGE_POLICY.kind.words),
        ),
    ] = None,
    classifier: Classifier = None,
    allow_secret: AllowSecret = False,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Store a memory at one or more paths, or let memoir find the path.

    A path is 1 to 8 segments joined by dots, such as preferences.coding.testing. Without one the memory is filed under
    the taxonomy, by rules, or with --classifier model by one; what they are not sure of goes to inbox.unsorted, which
    'memoir classify' sorts later. Nothing is lost on an occupied path: what is there already is confirmed, what
    yields stays beside the winner as superseded, and history keeps every version.
    """
    places = addresses(paths, namespace) if paths else []
    metadata = _metadata(meta or []) | ({FIELD: links(link, namespace)} if link else {})
    new = Memory.of(
        text_or_stdin(content, MAX_CONTENT_BYTES), confidence=confidence, timestamp=timestamp, metadata=metadata
    )
    if TAXONOMY_NAMESPACE in {namespace, *(place.namespace for place in places)}:
        raise InvalidInput(
            f"{TAXONOMY_NAMESPACE} holds categories, no memories", "memoir taxonomy add PATH --about TEXT"
        )
    store = session(ctx).store
    store.expect_config()
    if not allow_secret:
        check_memory(new, places or [Address(namespace, "")], message)
    if not places:
        import memoir.filing.remembering  # noqa: F401 - while git reads the settings
    usual = MERGE_POLICY.read_if_set(store.config)
    policy = merge_policy or (usual if places or usual == LLM_MERGE else None)  # filed ones join what is there
    if places and policy != LLM_MERGE:
        result = remember(store, new, places, policy=policy, message=message, dry_run=dry_run)
        ignored = "; ".join(note(store.ignored_settings, "remember")) or None
        return shapes.remember(result, new.content, new.confidence, degraded=ignored, dry_run=dry_run)
    from memoir.filing.remembering import remember_filed

    filed = remember_filed(
        store, new, places, namespace, classifier=classifier, policy=policy, message=message,
        dry_run=dry_run,
    )  # fmt: skip
    return shapes.remember(
        filed.result, new.content, new.confidence, filing=filed.decision, degraded=filed.degraded, dry_run=dry_run
    )


def _metadata(pairs: list[str]) -> dict[str, object]:
    """`k=v` pairs; a key given several times becomes a list."""
    found: dict[str, object] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not key or not equals:
            raise InvalidInput(f"not KEY=VALUE: {pair!r}", "write --meta source=review")
        if key == FIELD:
            raise InvalidInput(f"the metadata {FIELD!r} is what --link sets", "write --link derives_from=PATH")
        before = found.get(key)
        found[key] = value if before is None else [*(before if isinstance(before, list) else [before]), value]
    return found
