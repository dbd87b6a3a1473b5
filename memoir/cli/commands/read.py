"""Commands that read: `grep`, `summarize`."""

from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer
from memoir.cli import complete
from memoir.cli.options import At, Globs, Namespaces, Person
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.repository.reads import Reads


def grep(
    ctx: typer.Context,
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="A regular expression (RE2's: no look-around).")],
    fixed: Annotated[bool, typer.Option("-F", "--fixed-strings", help="Take the pattern as a plain string.")] = False,
    ignore_case: Annotated[
        bool, typer.Option("-i", "--ignore-case", help="Ignore case (default: if the pattern has no capitals).")
    ] = False,
    case_sensitive: Annotated[bool, typer.Option("--case-sensitive", help="Tell capitals from small letters.")] = False,
    words: Annotated[bool, typer.Option("-w", "--word-regexp", help="Match whole words only.")] = False,
    context: Annotated[
        int, typer.Option("-C", "--context", metavar="N", min=0, help="Show N lines, or turns, before and after.")
    ] = 0,
    names_only: Annotated[bool, typer.Option("-l", "--name-only", help="Show only the keys that match.")] = False,
    max_count: Annotated[
        int | None, typer.Option("-m", "--max-count", metavar="N", min=1, help="Stop after N lines.")
    ] = None,
    keys: Globs = None,
    person: Person = None,
    sources: Annotated[
        str,
        typer.Option(
            metavar="yes|no|only",
            help="Search what was said in sources too, or not, or only that.",
            autocompletion=complete.words("yes", "no", "only"),
        ),
    ] = "yes",
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Find the lines of memories, and of what was said in sources, that match a pattern; exit 1 if there are none.

    The date and who says it are printed where they change.
    """
    if ignore_case and case_sensitive:
        raise InvalidInput("--ignore-case and --case-sensitive exclude each other", "give one of them")
    case = True if ignore_case else False if case_sensitive else None
    matches = session(ctx).door(Reads).grep(
        pattern, globs=keys or [], namespaces=namespace or [], fixed=fixed, ignore_case=case,
        whole_words=words, context=context, person=person, sources=sources, at=at,
    )  # fmt: skip
    return shapes.grep(matches, pattern, names_only=names_only, most=max_count)


def summarize(
    ctx: typer.Context,
    depth: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Count paths by their first N segments.")
    ] = None,
    keys: Globs = None,
    limit: Annotated[int | None, typer.Option("-l", "--limit", metavar="N", min=1, help="List at most N keys.")] = None,
    after: Annotated[str | None, typer.Option(metavar="KEY", help="Continue after this key (namespace:path).")] = None,
    namespace: Namespaces = None,
    at: At = None,
) -> Answer:
    """Show what is stored, as counts and keys, complete and sorted.

    --depth groups paths by their first segments. --keys lists the paths that match, and restricts the groups to them.
    --limit and --after page through a long list.
    """
    survey = (
        session(ctx)
        .door(Reads)
        .summarize(namespace or [], depth=depth, globs=keys or [], limit=limit, after=after, at=at)
    )
    return shapes.summarize(survey, depth)
