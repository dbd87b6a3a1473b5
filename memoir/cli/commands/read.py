"""The commands that read: `get`, `ls`, `grep`, `summarize`."""

import sys
from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Annotated

import typer

from memoir.answers import read as shapes
from memoir.answers.answer import Answer, Line, line
from memoir.cli import complete
from memoir.cli.options import DEFAULT, At, Globs, Namespace, Namespaces, Origin, Person, require_keys
from memoir.cli.session import session
from memoir.errors import InvalidInput
from memoir.taxonomy.paths import Address


def ls(
    ctx: typer.Context,
    prefix: Annotated[
        str | None,
        typer.Argument(metavar="[PREFIX]", help="Only paths at or under this one.", autocompletion=complete.keys),
    ] = None,
    long: Annotated[bool, typer.Option("-l", "--long", help="Show each memory's day and content, too.")] = False,
    expired: Annotated[bool, typer.Option("--expired", help="Only those where everything has expired.")] = False,
    origin: Origin = None,
    tree: Annotated[bool, typer.Option("--tree", help="Draw them as a tree.")] = False,
    namespace: Namespaces = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="At most N entries.")] = None,
    after: Annotated[str | None, typer.Option(metavar="KEY", help="Continue after this key.")] = None,
    at: At = None,
) -> Answer:
    """List the paths under a prefix, by default in all namespaces; with --long, what is there.

    Layers (default:raw, default:insights) are listed if -n or PREFIX names them.
    """
    if long and tree:
        raise InvalidInput("--long and --tree exclude each other", "give one of them")
    repository = session(ctx).repository
    keys = repository.keys(namespaces=namespace or [], prefix=prefix, after=after, at=at)
    expiry = repository.expiry_marks(keys, at=at)
    addresses = expiry.addresses(expired_only=expired, origins=origin or ())
    checks = shapes.Checks(repository.staleness(at=at), expiry.is_expired)
    answer = shapes.ls(addresses, checks, prefix, limit, partial(repository.records, at=at) if long else None)
    if not tree:
        return answer
    return answer._replace(human=lambda: _draw(islice(addresses, limit), checks), notes=lambda: ())


def _draw(addresses: Iterable[Address], checks: shapes.Checks) -> Iterable[Line]:
    """Draw paths as a tree with a branch for each segment."""
    from io import StringIO

    from rich.console import Console
    from rich.tree import Tree

    roots: dict[str, Tree] = {}
    nodes: dict[tuple[str, ...], Tree] = {}
    for address in addresses:
        node = roots.setdefault(address.namespace, Tree(address.namespace))
        segments = address.path.split(".")
        for depth, segment in enumerate(segments):
            step = (address.namespace, *segments[: depth + 1])
            if step not in nodes:
                nodes[step] = node.add(segment)
            node = nodes[step]
        if marks := "".join(text for text, _ in checks.marks(address)):
            node.label = f"{node.label}{marks}"
    out = StringIO()
    console = Console(file=out, width=1000, color_system=None, markup=False, emoji=False, highlight=False)
    for root in roots.values():
        console.print(root)
    return [line(text.rstrip()) for text in out.getvalue().splitlines()]


def grep(
    ctx: typer.Context,
    pattern: Annotated[str, typer.Argument(metavar="PATTERN", help="A regular expression (RE2's: no look-around).")],
    fixed: Annotated[bool, typer.Option("-F", "--fixed-strings", help="Take the pattern as a plain string.")] = False,
    ignore_case: Annotated[
        bool, typer.Option("-i", "--ignore-case", help="Ignore case (default: if the pattern has no capitals).")
    ] = False,
    case_sensitive: Annotated[bool, typer.Option("--case-sensitive", help="Tell capitals from small letters.")] = False,
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

    Each line comes with its date and with who says it.
    """
    if ignore_case and case_sensitive:
        raise InvalidInput("--ignore-case and --case-sensitive exclude each other", "give one of them")
    case = True if ignore_case else False if case_sensitive else None
    matches = session(ctx).repository.grep(
        pattern, globs=keys or [], namespaces=namespace or [], fixed=fixed, ignore_case=case, context=context,
        person=person, sources=sources, at=at,
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
    survey = session(ctx).repository.summarize(
        namespace or [], depth=depth, globs=keys or [], limit=limit, after=after, at=at
    )
    return shapes.summarize(survey, depth)


def get(
    ctx: typer.Context,
    keys: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="KEY...",
            help="Paths, or namespace:path; '*' and other wildcards match.",
            autocompletion=complete.keys,
        ),
    ] = None,
    prefix: Annotated[bool, typer.Option("--prefix", help="Read everything at or under each KEY.")] = False,
    stdin: Annotated[bool, typer.Option("--stdin", help="Read further keys from standard input, one a line.")] = False,
    context: Annotated[
        int, typer.Option("-C", "--context", metavar="N", min=0, help="Read N turns, or neighbours, before and after.")
    ] = 0,
    raw: Annotated[bool, typer.Option("--raw", help="Print the exact content of one key and nothing else.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit 4 if a key holds nothing.")] = False,
    namespace: Namespace = DEFAULT,
    at: At = None,
) -> Answer:
    """Read memories by path, by glob, or all under a prefix; of several at a path, KEY#id is one.

    A key that holds nothing is not an error: its answer says found: false. With --raw it is an error, and with
    --exit-code the exit status is 4.
    """
    all_keys = [*require_keys(keys, unless=stdin), *(_lines() if stdin else [])]
    repository = session(ctx).repository
    items = repository.get_many(all_keys, namespace=namespace, prefix=prefix, context=context, at=at)
    if not raw:
        return shapes.get(items, lambda key: repository.hint(key, at=at),
            exit_code=exit_code, both=repository.user is not None,
        )  # fmt: skip
    if len(items) != 1:
        raise InvalidInput("--raw prints one key", "give exactly one")
    content = repository.content(items[0].target.full_key, at=at)
    return Answer({}, stream=iter([content.encode()]), exact=True)


def _lines() -> list[str]:
    try:
        return [line for line in sys.stdin.buffer.read().decode().split("\n") if line.strip()]
    except UnicodeDecodeError as error:
        raise InvalidInput("standard input is not valid UTF-8 text") from error
