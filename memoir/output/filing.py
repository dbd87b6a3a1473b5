"""The shapes of `consolidate`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memoir.output.answer import Answer, Line, line
from memoir.output.items import commit_fields, place, short
from memoir.output.text import one_line, plural

if TYPE_CHECKING:
    from memoir.filing.consolidate import Consolidated


def consolidated(done: "Consolidated", *, dry_run: bool) -> Answer:
    """`consolidate`: every near-duplicate with the newer memory that stands for it."""
    data = {
        "superseded": [
            {
                **place(older.address),
                "content": older.content,
                "by": {**place(newer.address), "content": newer.content},
                "cosine": round(cosine, 6),
            }
            for older, newer, cosine in done.duplicates
        ],
        "count": len(done.duplicates),
        **commit_fields(done.commit),
        "dry_run": dry_run,
    }

    def human() -> Iterable[Line]:
        for older, newer, cosine in done.duplicates:
            yield line((f"{cosine:.3f}", "bold"), "  ", (older.address.full_key, "dim"), "  ", one_line(older.content))
            yield line("    by ", (newer.address.full_key, "bold cyan"), "  ", one_line(newer.content))
        count = plural(len(done.duplicates), "near-duplicate")
        yield line(f"{count} would be superseded" if dry_run else f"{short(done.commit)}  {count} superseded")

    return Answer(data, human)
