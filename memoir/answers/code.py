"""The answers of `about`, `stale`, `confirm` and `review`."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from memoir.answers.answer import Answer, Line, line, one_line, plural
from memoir.answers.parts import id_field, nothing, target, voucher
from memoir.answers.parts import memory as fields_of
from memoir.answers.write import write
from memoir.errors import ExitCode

if TYPE_CHECKING:
    from memoir.answers.contract import code as types
    from memoir.answers.contract import shapes
    from memoir.layers.change_review import ChangeReview
    from memoir.layers.code_memories import CodeMemory
    from memoir.store.commit import Commit
    from memoir.taxonomy.memory_address import MemoryAddress

_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def about(file: str, found: "Sequence[CodeMemory]") -> Answer:
    """`about`: the memories about a file or a folder, with the states of their code."""
    data: types.About = {"file": file, "memories": [_memory(each) for each in found], "count": len(found)}
    return Answer(
        data, lambda: _lines(found), paged=True, notes=lambda: nothing(found, f"no memory is about {one_line(file)}")
    )


def stale(found: "Sequence[CodeMemory]", *, exit_code: bool) -> Answer:
    """`stale`: the memories whose code has changed or is gone; with `exit_code` the status 1 if there are any."""
    rows: list[types.StaleMemory] = [{**_memory(each), "diffs": list(each.diffs)} for each in found]
    data: types.Stale = {"memories": rows, "count": len(found)}
    status = ExitCode.FAILURE if exit_code and found else ExitCode.OK
    return Answer(data, lambda: _lines(found), status, paged=True, notes=lambda: _end(found))


def confirm(addresses: "Sequence[MemoryAddress]", commit: "Commit | None", *, dry_run: bool) -> Answer:
    """`confirm`: the memory that was confirmed, and the commit."""
    return write(addresses, commit, "confirmed", dry_run=dry_run)


def review(found: "ChangeReview", form: str, most: int) -> Answer:
    """`review`: what a change does to memory; as text, or as Markdown of limited length."""
    from memoir.answers.change_review import MARKDOWN, markdown, review_lines
    from memoir.answers.history import difference

    pairs = found.disputes
    data: types.Review = {
        "from": id_field(found.old),
        "to": id_field(found.new),
        "since": found.since,
        "changes": [difference(each) for each in found.differences],
        "stale": [_memory(each) for each in found.stale],
        "disputes": [{"newer": target(pair.newer.target), "older": target(pair.older.target)} for pair in pairs],
        "complete": found.complete,
    }
    if form == MARKDOWN:
        return Answer(data, lambda: [line(text) for text in markdown(found, most)])
    return Answer(data, lambda: review_lines(found), paged=True)


def _memory(each: "CodeMemory") -> "types.CodeMemory":
    from memoir.anchors.mark import fields_of_state

    memory, states = each.facet.memory, [cast("shapes.AnchorState", fields_of_state(state)) for state in each.states]
    return {**target(each.facet.target), **fields_of(memory), "about": states}


def _lines(found: "Iterable[CodeMemory]") -> Iterable[Line]:
    from memoir.anchors.mark import note

    for each in found:
        facet = each.facet
        vouched = voucher(facet.address, facet.memory)
        yield line((facet.target.short_key, "bold cyan"), vouched, f"  {one_line(facet.memory.content)}")
        yield from (line((f"    {note(state)}", "yellow" if state.is_stale else "dim")) for state in each.states)
        for diff in each.diffs:
            yield from (line((f"    {text}", _DIFF_COLOURS.get(text[:1], ""))) for text in diff.splitlines())


def _end(found: "Sequence[CodeMemory]") -> list[Line]:
    if not found:
        return nothing(found, "no memory is about code that has changed")
    what = plural(len(found), "memory", "memories")
    return [line((f"{what}; 'memoir confirm KEY' says that one still holds, 'memoir edit KEY' changes it", "dim"))]
