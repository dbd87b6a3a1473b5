"""The memories and passages that recall found, for people and agents: one line each, or whole."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memoir.answers.answer import Line, Span, line
from memoir.answers.parts import own
from memoir.recall.quotes import quote, reply_to, weights_of
from memoir.records.origins import vouchers
from memoir.records.record import ABOUT

if TYPE_CHECKING:
    from memoir.recall.answer import RecallAnswer
    from memoir.recall.findings import ContextMemory, StandingInstruction
    from memoir.recall.quotes import Weights
    from memoir.recall.result import IntelligentSearchResult

_ROOM = 1000
"""The characters of the lines of five hits: 250 tokens at most."""
_SHARES = (0.42, 0.37, 0.34, 0.5, 1.0)
"""The part that each line takes at most of what those before have left of them: the first hit answers most often."""
_LATER = 130
"""The characters of each line behind those."""
_SHORTEST = 60
"""The characters of a hit's sentence, however long its key is."""
_NEIGHBOUR, _INSTRUCTION = 150, 120


def brief_lines(answer: "RecallAnswer") -> Iterator[Line]:
    """A line for each hit: its day, who says it, the sentence that answers, and its key.

    With neighbours, what stands around a hit is a group, and `--` is between two groups.
    """
    weights = weights_of(answer.ranking, answer.query)
    shown, left = answer.memories, _ROOM
    replies = _replies(shown)
    for number, hit in enumerate(shown):
        if number and any(each.context for each in shown):
            yield line(("--", "dim"))
        beside = hit.context or ()
        yield from (_neighbour(each, hit) for each in beside if each.distance < 0)
        room = _LATER if number >= len(_SHARES) else int(left * _SHARES[number])
        head = _head(hit, weights, _length_of_gathered(hit) if answer.gathered else room, has_reply=hit.key in replies)
        left -= sum(len(text) for text, _ in head) + 1
        yield head
        yield from _disputes(hit)
        yield from _code(hit)
        yield from (_neighbour(each, hit) for each in beside if each.distance > 0)


def _length_of_gathered(hit: "IntelligentSearchResult") -> int:
    """The characters of a line of a list: its content has been cut already."""
    return len(hit.content) + len(hit.key) + len("  ")


def _replies(hits: "Sequence[IntelligentSearchResult]") -> set[str]:
    """The keys of the hits to which somebody replies with what no other line has."""
    said = {(each.timestamp, each.content) for hit in hits for each in hit.parts}
    said |= {(each.timestamp, each.content) for hit in hits for each in hit.context or ()}
    return {hit.key for hit in hits if hit.reply and (hit.reply.timestamp, hit.reply.content) not in said}


def _head(hit: "IntelligentSearchResult", weights: "Weights", most: int, *, has_reply: bool) -> Line:
    """The line of a hit; of a question, with what somebody replies to it."""
    key, origin = f"  {hit.key}", _origin(hit)
    room = most - len(key) - len(origin) - len("2026-01-31 ")
    said = quote(hit, weights, max(room, _SHORTEST))
    who = f"{said.speaker[:_SHORTEST]}: " if said.speaker else ""
    means = f" ({'; '.join(f'{each.text} → {each.short}' for each in said.dates)})" if said.dates else ""
    room -= len(who) + len(means)
    reply = ""
    if said.asks and has_reply:
        question = quote(hit, weights, max(room // 2, _SHORTEST)).text
        reply = f" | {reply_to(hit, weights, max(room - len(question), _SHORTEST))}"
        text = question
    else:
        text = quote(hit, weights, max(room, _SHORTEST)).text
    day = f"{said.day} " if said.day else ""
    where: tuple[Span, ...] = ((key, "cyan"), (origin, "dim"), own(hit.store))
    return line((day, "dim"), (who, "bold"), text, (means, "green"), reply, *where)


def _origin(hit: "IntelligentSearchResult") -> str:
    """Who vouches for a memory; nothing for a passage, which says who speaks."""
    return f"  ({', '.join(its)})" if (its := vouchers(hit.namespace, hit.metadata)) else ""


def whole_lines(answer: "RecallAnswer", *, with_scores: bool) -> Iterator[Line]:
    """Each hit with its whole content."""
    for hit in answer.memories:
        score = f"{hit.relevance_score:.2f}  " if with_scores else ""
        yield line((score, "bold"), (hit.key, "bold cyan"), (_origin(hit), "dim"), own(hit.store))
        for text in hit.content.split("\n"):
            yield line("      " + text)
        yield from _disputes(hit)
        yield from _code(hit)
        yield from (_neighbour(each, hit) for each in hit.context or ())


def standing_lines(standing: Iterable["StandingInstruction"]) -> Iterator[Line]:
    """A line for each thing that a user told an assistant to do from now on."""
    for each in standing:
        word = "always" if each.kind == "directive" else "prefers"
        about = ", ".join(filter(None, (each.speaker, each.timestamp[:10], each.source)))
        yield line((f'{word}: "{_one_line(each.content, _INSTRUCTION)}"  ({about})', "dim"), own(each.store))


def _neighbour(beside: "ContextMemory", hit: "IntelligentSearchResult") -> Line:
    """The line of a neighbour, with its day where that is another one."""
    text = beside.content.replace(f" ({hit.timestamp[:10]}): ", ": ", 1) if hit.timestamp else beside.content
    return line((f"  {beside.distance:+}  {_one_line(text, _NEIGHBOUR)}", "dim"))


def _one_line(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def _code(hit: "IntelligentSearchResult") -> Iterator[Line]:
    """What became of the code that a memory is about, unless it is as it was."""
    if ABOUT in hit.metadata:
        from memoir.anchors.mark import warnings

        if said := warnings(hit.metadata):
            yield line((f"      {'; '.join(said)}", "dim"))


def _disputes(hit: "IntelligentSearchResult") -> Iterator[Line]:
    """What contradicts a memory, the newest first: whether it is newer or older, its day, and what it says."""
    if hit.disputes:
        from memoir.primer.length import disputed

        own_order = hit.facet.order
        others = (f"the {'newer' if each.order < own_order else 'older'} {disputed(each)}" for each in hit.disputes)
        yield line((f"      disputes {', '.join(others)}", "dim"))
