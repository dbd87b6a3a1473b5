"""Commands that read: `ls`, `grep`, `summarize`; `get` has a module of its own, so that it starts fast."""

from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import At, Globs, Namespaces, Origin, Person, argument, option
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository.reads import Reads


def ls(
    ctx: typer.Context,
    prefix: Annotated[
        str | None, argument("[PREFIX]", "Only paths at or under this one.", completion=complete.keys)
    ] = None,
    long: Annotated[bool, option("Show each memory's day and content, too.", "-l", "--long")] = False,
    expired: Annotated[bool, option("Only paths where everything has expired.", "--expired")] = False,
    origin: Origin = None,
    tree: Annotated[bool, option("Draw them as a tree.", "--tree")] = False,
    namespace: Namespaces = None,
    limit: Annotated[int | None, option("At most N entries.", metavar="N", min=1)] = None,
    after: Annotated[str | None, option("Continue after this key.", metavar="KEY")] = None,
    at: At = None,
) -> Answer:
    """List the paths under a prefix, by default in all namespaces; with --long, their memories.

    Layers (default:raw, default:insights) are listed if -n or PREFIX names them.
    """
    if long and tree:
        raise InvalidInput("--long and --tree exclude each other", "give one of them")
    reads = session(ctx).door(Reads)
    return shapes.ls(reads, prefix, long, expired, namespace, limit, after, at, origin=origin or (), tree=tree)


def grep(
    ctx: typer.Context,
    pattern: Annotated[str, argument("PATTERN", "A regular expression (RE2's: no look-around).")],
    fixed: Annotated[bool, option("Take the pattern as a plain string.", "-F", "--fixed-strings")] = False,
    ignore_case: Annotated[
        bool, option("Ignore case (default: if the pattern has no capitals).", "-i", "--ignore-case")
    ] = False,
    case_sensitive: Annotated[bool, option("Distinguish upper and lower case.", "--case-sensitive")] = False,
    words: Annotated[bool, option("Match whole words only.", "-w", "--word-regexp")] = False,
    context: Annotated[
        int, option("Show N lines, or turns, before and after.", "-C", "--context", metavar="N", min=0)
    ] = 0,
    names_only: Annotated[bool, option("Show only the keys that match.", "-l", "--name-only")] = False,
    max_count: Annotated[
        int | None, option("Show N lines, and say if more match.", "-m", "--max-count", metavar="N", min=1)
    ] = None,
    each: Annotated[
        int | None, option("Show the best N lines for each of the words in `word|other word`.", metavar="N", min=1)
    ] = None,
    keys: Globs = None,
    person: Person = None,
    since: Annotated[str | None, option("Only lines dated from this date on.", metavar="DATE")] = None,
    until: Annotated[str | None, option("Only lines dated up to this date.", metavar="DATE")] = None,
    sources: Annotated[
        str,
        option(
            "Search sources as well as memories, or not, or only sources.",
            metavar="yes|no|only",
            completion=complete.words("yes", "no", "only"),
        ),
    ] = "yes",
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Find the lines of memories and sources that match a pattern; exit 1 if there are none.

    The date and the speaker are printed where they change.
    """
    if ignore_case and case_sensitive:
        raise InvalidInput("--ignore-case and --case-sensitive exclude each other", "give one of them")
    case = True if ignore_case else False if case_sensitive else None
    return shapes.grep(
        session(ctx).door(Reads), pattern, fixed, case, context, names_only, keys, sources, namespace, at,
        whole_words=words, person=person, since=since, until=until, limit=max_count, each=each,
    )  # fmt: skip


def summarize(
    ctx: typer.Context,
    depth: Annotated[int | None, option("Count paths by their first N segments.", metavar="N", min=1)] = None,
    keys: Globs = None,
    limit: Annotated[int | None, option("List at most N keys.", "-l", "--limit", metavar="N", min=1)] = None,
    after: Annotated[str | None, option("Continue after this key (namespace:path).", metavar="KEY")] = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show what is stored, as counts and keys, complete and sorted.

    --depth groups paths by their first segments. --keys lists the paths that match, and restricts the groups to them.
    --limit and --after page through a long list.
    """
    return shapes.summarize(session(ctx).door(Reads), depth, keys, limit, after, namespace, at)
