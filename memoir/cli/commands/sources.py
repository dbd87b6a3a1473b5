"""The commands of sources: `ingest`, `sources`."""

import sys
from typing import Annotated

import typer

from memoir.answers import sources as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Message, Namespace, Namespaces, argument, option
from memoir.cli.session import prepare_embedder, session
from memoir.cli.writing import DryRun, LlmCalls, LlmTokens
from memoir.errors import InvalidInput
from memoir.layers.item_options import READERS, RULES, ItemOptions
from memoir.memory.write_options import WriteOptions
from memoir.taxonomy.paths import DEFAULT_NAMESPACE


def ingest(
    ctx: typer.Context,
    paths: Annotated[list[str], argument("PATH...", "Files and folders, or '-' for standard input.")],
    name: Annotated[str | None, option("The name of the source (default: made of its path).", metavar="NAME")] = None,
    namespace: Namespace = DEFAULT,
    allow_secret: Annotated[
        bool, option("Keep credentials, which are otherwise replaced by '…' and counted.", "--allow-secret")
    ] = False,
    items: Annotated[
        str,
        option("Find memories in it by rules, by model, or none.", metavar="NAME", completion=complete.words(*READERS)),
    ] = RULES,
    watch: Annotated[
        bool, option("Then ingest each file that changes in the folder, until interrupted.", "--watch")
    ] = False,
    prune: Annotated[
        bool, option("Remove the sources that came from a folder and whose files are gone.", "--prune")
    ] = False,
    report: Annotated[str | None, option("Write what is left out to a file of JSON lines.", metavar="FILE")] = None,
    llm_calls: LlmCalls = None,
    llm_tokens: LlmTokens = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Store conversations and documents as segments, and the memories found in them.

    A conversation is a session file of Claude Code, Codex or Gemini CLI (~/.claude/projects has those of all your
    projects), JSON lines {speaker or role, content, timestamp}, or a transcript whose lines begin with a name
    and a colon. Everything else is a document: Markdown or plain text; PDF, DOCX and HTML with the extra 'documents'. A
    conversation is cut at pauses and changes of topic, a document at its headings; a segment has 2,000 characters at
    most, and is kept word for word. Credentials and text between <private> and </private> are left out; a line of JSON
    that is not understood is skipped. The answer counts them and names the first; --report names each.

    Segments are stored beside the memories, in NAMESPACE:raw at sources.NAME.NUMBER, and are not counted as memories;
    'memoir grep', 'ls -n' and 'export' show them. Sentences that state something durable become memories, filed as
    'remember' files them, with a link to their segment that 'memoir why' follows. Among documents this is done only for
    a team's own texts on its project (decisions, runbooks, minutes, CLAUDE.md), not for manuals. With --items model a
    model finds the memories, one call for each new segment; --dry-run shows the cost.

    Ingesting a source again updates only what changed in it. Each source is a commit. Sources of a folder whose files
    are gone are named, or removed with --prune. If there are several files, those that cannot be ingested are skipped
    and named; if one could not be read, the exit status is 1, but the others are stored. If one of the paths does not
    exist, nothing is ingested. With --watch the command stays in the foreground; with --json it then prints an object
    for each change.
    """
    here = session(ctx)
    sources = here.repository.sources
    how = ItemOptions(items, llm_calls, llm_tokens)
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    if len(paths) > 1 and (watch or "-" in paths):
        what = "--watch" if watch else "-"
        raise InvalidInput(f"{what} takes no other path beside it", "ingest it in a command of its own")
    if watch:
        if name or dry_run or report or prune:
            other = "--name" if name else "--dry-run" if dry_run else "--report" if report else "--prune"
            raise InvalidInput(f"--watch and {other} exclude each other", "leave out one")
        return shapes.watch(sources.watch(paths[0], namespace=namespace, items=how, options=options), json=here.json)
    if items == RULES:
        prepare_embedder(here)
    with here.progress("ingesting") as progress:
        if paths == ["-"]:
            done = sources.ingest_text(
                sys.stdin.buffer, name=name or "stdin", namespace=namespace, items=how, progress=progress,
                options=options, report=report,
            )  # fmt: skip
        else:
            done = sources.ingest(
                *paths, name=name, namespace=namespace, items=how, progress=progress, options=options, report=report,
                prune=prune,
            )  # fmt: skip
    return shapes.ingest(done, dry_run=dry_run, learns=here.repository.upkeep.learns_vectors())


def sources(
    ctx: typer.Context,
    remove: Annotated[str | None, option("Remove this source.", metavar="NAME")] = None,
    stale: Annotated[bool, option("List the memories that their sources no longer say.", "--stale")] = False,
    namespace: Namespaces = None,
    at: At = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """List the sources that were ingested, or remove one.

    A memory whose sentence is gone from its source stays, marked as stale, until you forget it; --stale lists such
    memories. History keeps a source that was removed, and 'memoir undo' takes the removal back.
    """
    repository = session(ctx).repository
    if stale and remove is not None:
        raise InvalidInput("--stale and --remove exclude each other", "leave out one")
    if remove is None:
        return (shapes.stale if stale else shapes.sources)(repository, namespace, at)
    names = namespace or [DEFAULT_NAMESPACE]
    if len(names) > 1 or at:
        raise InvalidInput("--remove works on one namespace, as it is now", "give -n once, and leave out --at")
    done = repository.sources.remove(remove, namespace=names[0], options=WriteOptions(message, dry_run=dry_run))
    return shapes.source_removal(done, dry_run=dry_run)
