"""The memories and passages that recall found, for people and agents: one line each, or whole."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from memoir.output.answer import Line, Span, line
from memoir.recall.quotes import quote, weights_of

if TYPE_CHECKING:
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.findings import ContextMemory, StandingInstruction
    from memoir.recall.result import IntelligentSearchResult

_LONGEST = 190
"""The characters of a hit's line: five hits take 250 tokens at most."""
_SHORTEST = 60
"""The characters of a hit's sentence, however long its key is."""
_GATHERED = 150
"""The characters of a sentence among many hits."""
_NEIGHBOUR, _INSTRUCTION = 150, 120


def own(store: str) -> Span:
    """What stands behind what is in the user's own store."""
    return ("  (in your own store)" if store == "user" else "", "dim")


def brief_lines(answer: "RecallAnswer") -> Iterator[Line]:
    """A line for each hit: its day, who says it, the sentence that answers, and its key."""
    weights = weights_of(answer.ranking, answer.query)
    for hit in answer.memories:
        beside = hit.context or ()
        yield from (_neighbour(each) for each in beside if each.distance < 0)
        yield _head(hit, weights, is_gathered=answer.gathered)
        yield from _disputes(hit)
        yield from (_neighbour(each) for each in beside if each.distance > 0)


def _head(hit: "IntelligentSearchResult", weights: Mapping[str, float], *, is_gathered: bool) -> Line:
    """The line of a hit. One of many passages has no key: there are too many to read each of them."""
    key = "" if is_gathered and hit.layer else f"  {hit.key}"
    most = _GATHERED if is_gathered else _LONGEST - len(key) - len("2026-01-31 ")
    said = quote(hit, weights, max(most, _SHORTEST))
    who = f"{said.speaker[:_SHORTEST]}: " if said.speaker else ""
    means = f" ({'; '.join(f'{each.text} → {each.short}' for each in said.dates)})" if said.dates else ""
    if not is_gathered:
        said = quote(hit, weights, max(most - len(who) - len(means), _SHORTEST))
    day = f"{said.day} " if said.day else ""
    return line((day, "dim"), (who, "bold"), said.text, (means, "green"), (key, "cyan"), own(hit.store))


def whole_lines(answer: "RecallAnswer", *, with_scores: bool) -> Iterator[Line]:
    """Each hit with its whole content."""
    for hit in answer.memories:
        score = f"{hit.relevance_score:.2f}  " if with_scores else ""
        yield line((score, "bold"), (hit.key, "bold cyan"), own(hit.store))
        for text in hit.content.split("\n"):
            yield line("      " + text)
        yield from _disputes(hit)
        yield from map(_neighbour, hit.context or ())


def standing_lines(standing: Iterable["StandingInstruction"]) -> Iterator[Line]:
    """A line for each thing that a user told an assistant to do from now on."""
    for each in standing:
        word = "always" if each.kind == "directive" else "prefers"
        about = ", ".join(filter(None, (each.speaker, each.timestamp[:10], each.source)))
        yield line((f'{word}: "{_one_line(each.content, _INSTRUCTION)}"  ({about})', "dim"), own(each.store))


def _neighbour(beside: "ContextMemory") -> Line:
    return line((f"  {beside.distance:+}  {_one_line(beside.content, _NEIGHBOUR)}", "dim"))


def _one_line(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def _disputes(hit: "IntelligentSearchResult") -> Iterator[Line]:
    """What contradicts a memory, the newest first: whether it is newer or older, its day, and what it says."""
    if hit.disputes:
        from memoir.primer.lines import disputed

        own_order = hit.facet.order
        others = (f"the {'newer' if each.order < own_order else 'older'} {disputed(each)}" for each in hit.disputes)
        yield line((f"      disputes {', '.join(others)}", "dim"))
