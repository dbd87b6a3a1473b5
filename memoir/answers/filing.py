"""The answers of `suggest`, `classify`, `consolidate`, `taxonomy` and `lexicon`.

The HTTP API offers the functions that take a repository, without their keyword-only parameters.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from memoir.answers.answer import COMMAND, Answer, Line, hint_line, line, one_line, plural
from memoir.answers.parts import commit_fields, led, place, short, usage, written
from memoir.program import NAME, runnable
from memoir.progress import Progress, tell_nobody
from memoir.taxonomy.paths import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from memoir.answers.contract import filing as types
    from memoir.answers.contract import shapes
    from memoir.english.lexicon.own_words import OwnLine
    from memoir.filing.classifier import Placement
    from memoir.filing.decision import Decision
    from memoir.filing.likeness import Pair
    from memoir.filing.store_taxonomy import StoreTaxonomy
    from memoir.filing.suggest import Suggestions
    from memoir.memory.store_lexicon import LexiconChange, StoredLine, TextSpot
    from memoir.repository.repository import Repository
    from memoir.store.commit import Commit

_LONGEST_EXAMPLE = 200
"""The most characters that are quoted from a memory."""


def suggest(
    repository: "Repository", text: str, limit: int | None = None, namespace: str = DEFAULT_NAMESPACE
) -> Answer:
    """Find the paths that are nearest to a text."""
    found = repository.suggest(text, namespace=namespace, limit=limit)
    data: types.Suggest = {
        "weak": found.weak,
        "paths": [
            {
                **place(each.address),
                "score": round(each.score, 4),
                "memories": each.memories,
                "example": one_line(each.example, _LONGEST_EXAMPLE),
            }
            for each in found.paths
        ],
        "count": len(found.paths),
        "categories": [
            {"path": each.path, "confidence": round(each.confidence, 4), "about": each.about}
            for each in found.categories
        ],
        "degraded": "; ".join(found.degraded) or None,
    }
    return Answer(data, lambda: _suggestions(found), notes=lambda: _suggestion_notes(found))


def _suggestions(found: "Suggestions") -> Iterable[Line]:
    for category in found.categories:
        confidence = f"confidence {category.confidence:.2f}"
        yield line((confidence, "bold"), "  ", (category.path, "bold cyan"), "  ", category.about)
    for each in found.paths:
        count = plural(each.memories, "memory", "memories")
        score = f"{'relevance  ' if found.categories else ''}{each.score:.2f}"  # another scale than confidence
        yield line(
            (score, "dim" if found.weak else "bold"), "  ", (each.address.short_key, "bold cyan"),
            (f"  {count}  ", "dim"), one_line(each.example),
        )  # fmt: skip


def _suggestion_notes(found: "Suggestions") -> Iterable[Line]:
    """A warning if no path is near."""
    if not found.weak:
        return
    if found.categories and found.paths:
        yield line(("no path is near: first categories that fit, then the nearest paths", "yellow"))
    elif found.categories:
        yield line(("no path is near: these are categories that fit", "yellow"))
    else:
        text = "no path is near, and no category fits; 'memoir taxonomy' lists the categories"
        yield line((runnable(text), "yellow"))


_MANY_CANDIDATES = 20
"""More candidates than this come with advice on how to see fewer."""


def consolidate(
    repository: "Repository", threshold: float | None = None, accept: list[str] | None = None,
    namespace: list[str] | None = None, dry_run: bool = False, message: str | None = None, limit: int | None = None, *,
    choose: "Callable[[list[Pair]], list[Pair]] | None" = None, indexing: "Progress" = tell_nobody,
    comparing: "Progress" = tell_nobody,
) -> Answer:  # fmt: skip
    """Mark near-duplicates as superseded, and list memories that are only similar."""
    from memoir.filing.consolidate import candidate_id
    from memoir.memory.write_options import WriteOptions
    from memoir.repository.door import check_counts

    check_counts(limit=limit)
    result = repository.consolidate(
        threshold=threshold, accept=accept or (), choose=choose, namespaces=namespace or (), indexing=indexing,
        comparing=comparing, options=WriteOptions(message, dry_run=dry_run),
    )  # fmt: skip
    candidates = result.candidates[:limit]
    data: types.Consolidate = {
        "superseded": [_pair(pair) for pair in result.superseded],
        "count": len(result.superseded),
        "candidates": [{"id": candidate_id(pair), **_pair(pair)} for pair in candidates],
        "candidate_count": len(result.candidates),
        **written(result.commit, dry_run=dry_run),
    }

    def human() -> Iterable[Line]:
        for pair in result.superseded:
            yield from _pair_lines(pair)
        count = plural(len(result.superseded), "near-duplicate")
        text = f"{count} would be superseded" if dry_run else f"{short(result.commit)}  {count} superseded"
        yield line(text if result.superseded or result.commit else "no near-duplicates found")
        if result.superseded:
            what = (
                "they differ only in small words (a, the, is), contractions or the final full stop; the newer one stays"
            )
            yield line((what, "dim"))
        if result.candidates:
            yield line()
            yield line(
                (plural(len(result.candidates), "candidate"), "bold"),
                runnable(": similar, and not changed; to supersede one: 'memoir consolidate --accept ID', or --ask"),
            )
        for pair in candidates:
            yield line((candidate_id(pair), "yellow"))
            yield from _pair_lines(pair)

    return Answer(
        data, human, paged=True, optional=not dry_run,
        notes=lambda: _rest_lines(len(candidates), len(result.candidates)),
    )  # fmt: skip


def _rest_lines(shown: int, count: int) -> Iterable[Line]:
    """What --limit left out; and, if many candidates are shown, how to see fewer."""
    if shown < count:
        yield line((f"{count - shown:,} more candidates are left out: -l N shows N", "yellow"))
    elif count > _MANY_CANDIDATES:
        yield hint_line("the nearest come first; -l 20 shows 20 of them, a higher --threshold finds fewer")


def question(pair: "Pair", number: int, of: int) -> Iterable[Line]:
    """The question about a candidate, with --ask."""
    yield from _pair_lines(pair)
    yield line((f"({number:,} of {of:,}) ", "dim"), ("supersede the first by the second? [y/N/q]", "bold"))


def _pair(pair: "Pair") -> "types.Pair":
    older, newer, cosine = pair
    return {
        **place(older.address),
        "content": older.memory.content,
        "by": {**place(newer.address), "content": newer.memory.content},
        "cosine": round(cosine, 6),
    }


def _pair_lines(pair: "Pair") -> Iterable[Line]:
    older, newer, cosine = pair
    yield line((f"{cosine:.3f}", "bold"), "  ", (older.address.short_key, "dim"), "  ", one_line(older.memory.content))
    yield line("    by ", (newer.address.short_key, "bold cyan"), "  ", one_line(newer.memory.content))


def decision(decision: "Decision") -> "shapes.Filing":
    """How a memory was filed: the classifier, its confidence, its reason, and the second best path."""
    return {
        "by": decision.by,
        "confidence": round(decision.confidence, 4),
        "reason": decision.reason,
        "inbox": not decision.placements,
        "paths": [_placement(placement) for placement in decision.placements],
        "runner_up": _placement(decision.runner_up) if decision.runner_up else None,
        "offers": [_placement(placement) for placement in decision.offers],
        "usage": usage(decision.usage),
    }


def _placement(placement: "Placement") -> "shapes.Placement":
    return {"path": placement.path, "confidence": round(placement.confidence, 4)}


def decision_lines(decision: "Decision") -> Iterable[Line]:
    """One line for people on how a memory was filed."""
    if decision.unanswered:
        yield line(("the model could not be reached; left in the inbox", "dim"))
        return
    paths = ", ".join(placement.path for placement in decision.placements)
    rival = decision.runner_up
    why = f": {one_line(decision.reason)}" if decision.by == "model" else ""
    by = f"({decision.by}, {decision.confidence:.2f}){why}"
    if not decision.placements:
        guess = f"the best guess is {rival.path}, too unsure" if rival else "no path is sure enough"
        limit = "; the rules know English only" if decision.is_foreign else ""
        yield line((f"left in the inbox: {guess} {by}{limit}", "dim"))
        return
    next_best = f"; next best {rival.path} ({rival.confidence:.2f})" if rival else ""
    yield line((f"filed under {paths} {by}{next_best}", "dim"))


def offer_lines(decision: "Decision", key: str) -> Iterable[Line]:
    """The commands that file an inbox memory in its namespace, beside the memories already at the path."""
    if decision.placements:
        return
    namespace, colon, _ = key.rpartition(":")
    command = runnable(f"memoir mv --append {key}")
    if not decision.offers:
        yield line(("nothing tells where it belongs; ", "dim"), "to file it: ", (f"{command} PATH", COMMAND))
    for number, placement in enumerate(decision.offers):
        lead = "    or " if number else "to file it: "
        yield line((lead, "dim"), (f"{command} {namespace}{colon}{placement.path}", COMMAND))


def classify(
    repository: "Repository", classifier: str | None = None, namespace: list[str] | None = None, dry_run: bool = False,
    message: str | None = None,
) -> Answer:  # fmt: skip
    """File the memories in the inbox."""
    from memoir.memory.write_options import WriteOptions

    options = WriteOptions(message, dry_run=dry_run)
    items, commit = repository.classify(classifier=classifier, namespaces=namespace or (), options=options)
    data: types.Classify = {
        "inbox": [
            {
                **place(item.place),
                "content": item.content,
                "to": [target.full_key for target in item.targets],
                "filing": decision(item.decision),
                "degraded": item.decision.degraded,
                "lexicon": offers(item.own_lines),
            }
            for item in items
        ],
        "count": len(items),
        "moved": sum(bool(item.targets) for item in items) if commit else 0,
        **written(commit, dry_run=dry_run),
    }

    def human() -> Iterable[Line]:
        for item in items:
            to = ", ".join(target.short_key for target in item.targets) or "stays"
            yield line((item.place.short_key, "dim"), " -> ", (to, "bold cyan"), "  ", one_line(item.content))
            yield from decision_lines(item.decision)
            yield from offer_lines(item.decision, item.place.short_key) if not item.targets else ()
            yield from name_lines(item.own_lines)
        count = sum(bool(item.targets) for item in items) if commit or dry_run else 0
        what = f"{count} of {plural(len(items), 'memory', 'memories')} in the inbox"
        if not items:
            yield line("the inbox is empty")
        elif not count:
            yield line(f"nothing to file: {plural(len(items), 'memory stays', 'memories stay')} in the inbox")
        else:
            yield line(f"{what} would be filed" if dry_run else f"{short(commit)}  {what} filed")

    return Answer(data, human, optional=not dry_run)


def offers(lines: "Iterable[OwnLine]", word: str = NAME) -> "list[types.LexiconOffer]":
    """The commands that add two names of one thing to a store's lexicon."""
    import shlex

    return [
        {
            "name": each.names[0],
            "words": each.words[0],
            "command": led(f"memoir lexicon add {shlex.quote(each.text)}", word),
        }
        for each in lines
    ]


def name_lines(lines: "Iterable[OwnLine]", word: str = NAME) -> Iterable[Line]:
    """These commands for people."""
    for each in offers(lines, word):
        yield line(("     two names of one thing: ", "dim"), (each["command"], COMMAND))


def taxonomy(current: "StoreTaxonomy") -> Answer:
    """`taxonomy`: the categories."""
    categories: list[types.Category] = [
        {"path": each.path, "about": each.about, "examples": [*each.examples], "cues": [*each.cues]}
        for each in current.catalogue.values()
    ]
    data: types.Taxonomy = {"source": current.source, "categories": categories, "count": len(categories)}
    return Answer(data, lambda: _tree(categories, current.source), paged=True)


def _tree(categories: "Sequence[types.Category]", source: str) -> Iterable[Line]:
    paths = {category["path"] for category in categories}
    for category in categories:
        first, _, second = category["path"].partition(".")
        depth = int(bool(second) and first in paths)  # a merge can lose the upper one of a pair
        name = second if depth else category["path"]
        yield line("  " * depth, (f"{name:<{22 - 2 * depth}}", "bold cyan" if not depth else "cyan"), category["about"])
        for example in category["examples"][:2]:
            yield line("  " * depth + "    ", (f"“{one_line(example)}”", "dim"))
    yield line((f"{plural(len(categories), 'category', 'categories')} ({source})", "dim"))


def taxonomy_change(action: 'Literal["add", "load", "reset"]', count: int, commit: "Commit | None") -> Answer:
    """`taxonomy add`, `load`, `reset`."""
    data: types.TaxonomyChanged = {"action": action, "count": count, **commit_fields(commit)}
    return Answer(data, lambda: [line((short(commit), "yellow"), f"  taxonomy: {action}")], optional=True)


def lexicon(lines: "Sequence[StoredLine]") -> Answer:
    """`lexicon`: the store's own words."""
    rows: list[types.StoredLine] = [
        {**place(each.target.place), **_own_line(each.line), "timestamp": each.timestamp} for each in lines
    ]
    data: types.Lexicon = {"lines": rows, "count": len(rows)}

    def human() -> Iterable[Line]:
        yield from (line(*_own_spans(each.line)) for each in lines)
        if not lines:
            yield line(
                ("no words of the store's own; such as: ", "dim"),
                (runnable("memoir lexicon add barn = staging cluster"), COMMAND),
            )

    return Answer(data, human, paged=True)


def lexicon_change(action: 'Literal["add", "remove"]', change: "LexiconChange", *, dry_run: bool) -> Answer:
    """`lexicon add` and `remove`."""
    data: types.LexiconChanged = {
        "action": action,
        "lines": [_own_line(each) for each in change.lines],
        **written(change.commit, dry_run=dry_run),
    }
    deed = {"add": "added", "remove": "removed"}[action]

    def human() -> Iterable[Line]:
        for each in change.lines:
            yield line(
                (f"would be {deed}  " if dry_run else f"{short(change.commit)}  {deed}  ", "yellow"), *_own_spans(each)
            )
        if not change.lines:
            yield line(("unchanged", "yellow"), "  the store has these words already")

    return Answer(data, human, optional=not dry_run)


def lexicon_why(text: str, spots: "Sequence[TextSpot]") -> Answer:
    """`lexicon why`: the names and concepts in a text."""
    data: types.LexiconWhy = {
        "text": text,
        "spots": [
            {
                "words": each.words,
                "is_name": each.is_name,
                "own": [_own_line(own) for own in each.lines],
                "concepts": [{"name": name, "weight": round(weight, 4)} for name, weight in each.concepts.items()],
                "related": each.related,
            }
            for each in spots
        ],
        "count": len(spots),
    }

    def human() -> Iterable[Line]:
        for each in spots:
            concepts = ", ".join(
                name if weight == 1 else f"{name} ({weight:g})" for name, weight in each.concepts.items()
            )
            yield line((each.words, "bold cyan"), "  ", concepts)
            yield from (line(("    this store: ", "dim"), *_own_spans(own)) for own in each.lines)
            if each.related:
                yield line(("    related: ", "dim"), (", ".join(each.related), "dim"))
        if not spots:
            yield line(("the lexicon knows none of these words", "yellow"))

    return Answer(data, human)


def _own_line(own: "OwnLine") -> "types.OwnLine":
    return {"names": [*own.names], "words": [*own.words]}


def _own_spans(own: "OwnLine") -> "tuple[tuple[str, str], str]":
    return (", ".join(own.names), "bold cyan"), f" = {', '.join(own.words)}"
