"""The commands that file and tidy: `suggest`, `classify`, `consolidate`, `taxonomy`, `lexicon`."""

import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from memoir.answers import filing
from memoir.answers.answer import Answer
from memoir.answers.terminal import note
from memoir.cli.options import DEFAULT, At, Limit, Message, Namespace, Namespaces, argument, group, option
from memoir.cli.session import prepare_embedder, session, text_or_stdin
from memoir.cli.writing import AllowSecret, Classifier, DryRun
from memoir.errors import InvalidInput
from memoir.filing.likeness import Pair
from memoir.filing.similar import THRESHOLD
from memoir.memory.write_options import WriteOptions
from memoir.records.record import MAX_CONTENT_BYTES

_WORK = ("indexing", "comparing")


def suggest(
    ctx: typer.Context,
    text: Annotated[str, argument("TEXT", "A memory, or '-' to read it from standard input.")],
    limit: Limit = None,
    namespace: Namespace = DEFAULT,
) -> Answer:
    """Find the paths that are nearest to a text, for 'memoir remember -p PATH'.

    They are the paths of the memories most similar to the text (ten, or --limit), each with its score (0 to 1), its
    number of memories, and its most similar memory. If none of them is near, the answer says so, and names the
    categories that memoir would file the text under. Nothing is written.
    """
    here = session(ctx)
    words = text_or_stdin(text, MAX_CONTENT_BYTES)
    prepare_embedder(here, words)
    return filing.suggest(here.repository, words, limit, namespace)


def consolidate(
    ctx: typer.Context,
    threshold: Annotated[
        float, option("The least similarity of candidates, from 0.5 to 1.", metavar="COSINE")
    ] = THRESHOLD,
    accept: Annotated[list[str] | None, option("Supersede this candidate as well (repeatable).", metavar="ID")] = None,
    ask: Annotated[bool, option("Ask about each candidate, on a terminal.", "--ask")] = False,
    limit: Annotated[int | None, option("List at most N candidates.", "-l", "--limit", metavar="N", min=1)] = None,
    namespace: Namespaces = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Mark near-duplicates as superseded, and list memories that are only similar.

    Two memories are near-duplicates if they differ only in articles, in 'is' and 'are', in contractions and in a final
    full stop. The newer one stays active. If both have the same time, the one with the higher confidence stays, then
    the one whose path comes first. Memories that are only similar are candidates, the nearest first. They are
    superseded only if you accept them: "it works" and "it fails" are similar, too. All changes are one commit, which
    'memoir undo' takes back.
    """
    here = session(ctx)
    if ask and (here.json or dry_run or not sys.stdin.isatty()):
        raise InvalidInput("--ask needs a terminal", "name candidates with --accept ID instead")
    prepare_embedder(here)
    with ExitStack() as bars:
        indexing, comparing = (bars.enter_context(here.progress(what)) for what in _WORK)
        return filing.consolidate(
            here.repository, threshold, accept, namespace, dry_run, message, limit,
            choose=partial(_choose, bars) if ask else None, indexing=indexing, comparing=comparing,
        )  # fmt: skip


def _choose(bars: ExitStack, candidates: list[Pair]) -> list[Pair]:
    """Close the progress bars and ask at the terminal which candidates to accept; 'q' ends the questions."""
    bars.close()
    pairs: list[Pair] = []
    for number, pair in enumerate(candidates, 1):
        note(filing.question(pair, number, len(candidates)))
        answer = sys.stdin.readline().strip().lower()
        if answer == "q":
            break
        if answer in ("y", "yes"):
            pairs.append(pair)
    return pairs


taxonomy = group()


@taxonomy.callback()
def show(ctx: typer.Context, at: At = None) -> Answer | None:
    """Show and change the categories that memories are filed under.

    A store's own categories extend the default ones, or replace them, and are versioned with its memories.
    """
    return None if ctx.invoked_subcommand else filing.taxonomy(session(ctx).repository.taxonomy.list(at=at))


@taxonomy.command("add")
def add(
    ctx: typer.Context,
    path: Annotated[str, argument("PATH", "One or two segments.")],
    about: Annotated[str, option("What belongs there.", metavar="TEXT")],
    example: Annotated[list[str] | None, option("A memory that belongs there (repeatable).", metavar="TEXT")] = None,
    cue: Annotated[list[str] | None, option("Words that suggest the category (repeatable).", metavar="WORDS")] = None,
    allow_secret: AllowSecret = False,
) -> Answer:
    """Add a category, or change one."""
    options = WriteOptions(allow_secrets=allow_secret)
    commit = session(ctx).repository.taxonomy.add(path, about, examples=example or (), cues=cue or (), options=options)
    return filing.taxonomy_change("add", 1, commit)


@taxonomy.command("load")
def load(
    ctx: typer.Context,
    file: Annotated[str, argument("FILE", "A TOML file of categories.")],
    extend: Annotated[bool, option("Keep the default categories beside these.", "--extend")] = False,
    allow_secret: AllowSecret = False,
) -> Answer:
    """Replace the categories by those of a file."""
    toml, options = Path(file).read_bytes(), WriteOptions(allow_secrets=allow_secret)
    return filing.taxonomy_change("load", *session(ctx).repository.taxonomy.load(toml, extend=extend, options=options))


@taxonomy.command("reset")
def reset(ctx: typer.Context) -> Answer:
    """Go back to the default categories."""
    return filing.taxonomy_change("reset", 0, session(ctx).repository.taxonomy.reset())


lexicon = group()

_Line = Annotated[list[str], argument("WORDS = WORDS", "Names, '=' and words for them.")]


@lexicon.callback()
def show_lexicon(ctx: typer.Context) -> Answer | None:
    """Show and change the store's own words: the project's names for things.

    A line such as 'barn, the barn = staging cluster, preprod' has names of one thing before '=', and words with the
    same meaning after it, separated by commas. A question with one of them finds memories with the others. In this
    store a name has only this meaning. The lines are versioned and merged like memories.
    """
    return None if ctx.invoked_subcommand else filing.lexicon(session(ctx).repository.lexicon.list())


@lexicon.command("list")
def list_lexicon(ctx: typer.Context, at: At = None) -> Answer:
    """List the lines of the store."""
    return filing.lexicon(session(ctx).repository.lexicon.list(at=at))


@lexicon.command("add")
def add_words(
    ctx: typer.Context, line: _Line, dry_run: DryRun = False, message: Message = None, allow_secret: AllowSecret = False
) -> Answer:
    """Add names of one thing, and words with the same meaning: NAME, NAME = WORDS, WORDS."""
    options = WriteOptions(message, dry_run=dry_run, allow_secrets=allow_secret)
    return filing.lexicon_change("add", session(ctx).repository.lexicon.add(" ".join(line), options), dry_run=dry_run)


@lexicon.command("remove")
def remove_words(
    ctx: typer.Context,
    name: Annotated[list[str], argument("NAME [= WORDS]", "A name, or some of its words.")],
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """Remove the lines of a name, or with '= WORDS' these words from them."""
    options = WriteOptions(message, dry_run=dry_run)
    done = session(ctx).repository.lexicon.remove(" ".join(name), options)
    return filing.lexicon_change("remove", done, dry_run=dry_run)


@lexicon.command("why")
def why_lexicon(
    ctx: typer.Context,
    text: Annotated[str, argument("TEXT", "Any text, or '-' for standard input.")],
    at: At = None,
) -> Answer:
    """Show the names and concepts in a text, by the store's own words and by memoir's lexicon."""
    here = session(ctx)
    words = text_or_stdin(text, MAX_CONTENT_BYTES)
    return filing.lexicon_why(words, here.repository.lexicon.why(words, at=at))


def classify(
    ctx: typer.Context,
    classifier: Classifier = None,
    namespace: Namespaces = None,
    dry_run: DryRun = False,
    message: Message = None,
) -> Answer:
    """File the memories in the inbox; those that cannot be filed with confidence stay there.

    The memories are moved in one commit, and 'memoir blame' follows them. memoir.filing.threshold sets the
    confidence that is needed: a lower one files more.
    """
    return filing.classify(session(ctx).repository, classifier, namespace, dry_run, message)
