"""The answer of `diff`, and how memories differ for people: a sign and a colour for each path, words marked."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memoir.answers.answer import Answer, Line, Span, line, local, one_line, plural
from memoir.answers.parts import changed_fields, format_value, id_field
from memoir.errors import ExitCode
from memoir.records.record import projection

if TYPE_CHECKING:
    from memoir.answers.contract import history as types
    from memoir.answers.contract import shapes
    from memoir.memory.compare import FieldChange
    from memoir.memory.revisions import Difference
    from memoir.records.record import Memory, Record
    from memoir.repository.past import History

SIGNS = {
    "added": ("+", "green"),
    "removed": ("-", "red"),
    "modified": ("~", "yellow"),
    "moved": (">", "cyan"),
    "merged": ("*", "cyan"),
}

_WORDS = r"\w[\w\u200c\u200d]*|\s|[^\w\s](?:[\ufe0e\ufe0f\u200d]+[^\w\s]?)*"
"""A word, a blank or a mark; a joiner stays with the characters that it joins."""
_MOST_COMPARISONS = 4_000_000
"""The most comparisons of words; they take about a second."""


def diff(
    past: "History", from_: str | None = None, to: str | None = None, keys: list[str] | None = None,
    under: list[str] | None = None, namespace: list[str] | None = None, *, stat: bool = False, exit_code: bool = False,
) -> Answer:  # fmt: skip
    """Compare two revisions; without any, the last commit with the one before it."""
    comparison = past.diff(from_, to, keys or (), namespaces=namespace or (), under=under or ())
    differences = comparison.differences
    data: types.Diff = {
        "from": id_field(comparison.old),
        "to": id_field(comparison.new),
        "changes": [difference(each) for each in differences],
        "count": len(differences),
        "stat": tally(differences),
    }
    status = ExitCode.FAILURE if exit_code and differences else ExitCode.OK
    return Answer(
        data,
        lambda: stat_lines(differences) if stat else diff_lines(differences),
        status,
        paged=True,
        optional=exit_code,
    )


def difference(change: "Difference") -> "shapes.Difference":
    """One changed path; `old` and `new` are contents, `fields` the fields that differ if it was modified."""
    return {
        "namespace": change.address.namespace,
        "key": change.address.path,
        "operation": change.operation,
        "old": projection(change.old) if change.old else None,
        "new": projection(change.new) if change.new else None,
        "fields": changed_fields(change.address, change.old, change.new) if change.old and change.new else [],
    }


def tally(differences: "Sequence[Difference]") -> "types.DiffStat":
    """How many paths were added, modified and removed."""
    operations = [each.operation for each in differences]
    return {
        "added": operations.count("added"),
        "modified": operations.count("modified"),
        "removed": operations.count("removed"),
    }


def stat_lines(differences: "Sequence[Difference]") -> Iterator[Line]:
    """A line for each path, and the totals."""
    for each in differences:
        sign, style = SIGNS[each.operation]
        yield line((sign + " ", style), each.address.short_key)
    totals = ", ".join(f"{count} {name}" for name, count in tally(differences).items() if count)
    yield line((plural(len(differences), "path") + " changed" + (f": {totals}" if totals else ""), "dim"))


def diff_lines(differences: "Iterable[Difference]") -> Iterator[Line]:
    """Each path with its old and new content, changed words marked."""
    for position, each in enumerate(differences):
        if position:
            yield line()
        yield line((each.operation, SIGNS[each.operation][1]), " ", (each.address.short_key, "bold"))
        yield from record_changes(each.old or (), each.new or ())


def record_changes(old: "Record", new: "Record") -> Iterator[Line]:
    """The memories that differ between two records of a path; either record may be empty.

    If the path has several, each has its id above it, and a last line counts the unchanged ones.
    """
    from memoir.memory.compare import turnover

    pairs, kept = turnover(old, new)
    for gone, came in pairs:
        yield from _pair_lines(gone, came)
    if pairs:
        befores, afters = zip(*kept, strict=True) if kept else ((), ())
        yield from change_lines(befores, afters, "  ")
        same = sum(before == after for before, after in kept)
        yield from [line((f"  ({plural(same, 'other memory', 'other memories')} unchanged)", "dim"))] if same else ()
    else:
        yield from change_lines(old, new, "  ")


def _pair_lines(gone: "tuple[str, Memory] | None", came: "tuple[str, Memory] | None") -> Iterator[Line]:
    """A removed memory and its replacement; either may be None."""
    from memoir.memory.speaker import said

    identity, memory = came or gone or ("", None)
    if identity:
        yield line((f"  #{identity}", "yellow"))
    if gone and came:
        yield from _word_diff(*(said(each.content, each.metadata) for _, each in (gone, came)))
    elif memory:
        sign, style = SIGNS["added" if came else "removed"]
        yield from (line((f"{sign} {text}", style)) for text in said(memory.content, memory.metadata).split("\n"))


def change_lines(old: "Record", new: "Record", indent: str) -> Iterator[Line]:
    """The changes of other fields than the content."""
    from memoir.memory.compare import changes

    several = len({memory.content for memory in (*old, *new)}) > 1
    for change in changes(old, new):
        about = f"“{one_line(change.memory.content, 60)}” " if several else ""
        yield line((indent + about + _describe(change), "dim"))


def _describe(change: "FieldChange") -> str:
    if change.field == "status" and change.old is None:
        return f"stored as {change.new} (confidence {change.memory.confidence:g})"
    if change.field == "status":
        return change.new or "gone"
    old, new = (_format_field(value) for value in (change.old, change.new))
    return f"{change.field} {new}" if change.old is None else f"{change.field} {old} -> {new}"


def _format_field(value: Any) -> str:
    return (
        "none"
        if value is None
        else f"{value:g}"
        if isinstance(value, float)
        else one_line(local(format_value(value)), 60)
    )


def _word_diff(old: str, new: str) -> Iterator[Line]:
    """The old and the new lines, with the words that differ in bold unless the texts are long."""
    import re
    from difflib import SequenceMatcher

    old_words, new_words = (re.findall(_WORDS, text) for text in (old, new))
    if len(old_words) * len(new_words) > _MOST_COMPARISONS:
        opcodes: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(old_words), 0, len(new_words))]
    else:
        opcodes = SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes()
    old_spans: list[Span] = []
    new_spans: list[Span] = []
    for tag, a, b, c, d in opcodes:
        strong = "" if tag == "equal" or len(opcodes) == 1 else "bold reverse "
        old_spans.append(("".join(old_words[a:b]), strong + "red"))
        new_spans.append(("".join(new_words[c:d]), strong + "green"))
    yield from _split_lines(old_spans, ("- ", "red"))
    yield from _split_lines(new_spans, ("+ ", "green"))


def _split_lines(spans: Sequence[Span], first: Span) -> Iterator[Line]:
    current: Line = [first]
    for text, style in spans:
        head, *rest = text.split("\n")
        current.append((head, style))
        for part in rest:
            yield current
            current = [first, (part, style)]
    yield current
