"""The shape of `summarize`."""

from collections.abc import Iterable

from memoir.memory.survey import Survey
from memoir.output.answer import Answer, Line, line
from memoir.output.text import plural


def summarize(survey: Survey, depth: int | None) -> Answer:
    """`summarize`: totals ignore the globs; `prefix_counts` needs a depth, `matching_keys` a glob."""
    data = {
        "total_memories": sum(survey.namespaces.values()),
        "total_namespaces": len(survey.namespaces),
        "namespaces": survey.namespaces,
        "depth": depth,
        "prefix_counts": survey.prefixes,
        "matching_keys": survey.matching,
        "next": survey.cut_at.full_key if survey.cut_at else None,
    }
    return Answer(data, lambda: _lines(survey), paged=True)


def _lines(survey: Survey) -> Iterable[Line]:
    total = sum(survey.namespaces.values())
    yield line((plural(total, "memory", "memories"), "bold"), f" in {plural(len(survey.namespaces), 'namespace')}")
    for name, count in survey.namespaces.items():
        yield line((f"{count:>8,}  ", "green"), (name, "bold cyan"))
        for prefix, below in survey.prefixes.get(name, {}).items():
            yield line((f"{below:>12,}  ", "green"), prefix)
        for path in survey.matching.get(name, []):
            yield line("              " if survey.prefixes else "          ", path)
    if survey.cut_at:
        yield line((f"more: continue with --after {survey.cut_at.full_key}", "dim"))
