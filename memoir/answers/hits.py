"""The memories and passages that recall found, for people and agents: one line each, or whole."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from memoir.answers.answer import Line, Span, line, local, one_line, rows_of
from memoir.answers.parts import STALE, common_source, own, voucher
from memoir.english.named_days import meaning
from memoir.english.words import flat
from memoir.memory.speaker import said, source_of_item
from memoir.recall.quotes import SoughtByQuery, printed_in, question_before, quote, reply_to, words_said
from memoir.recall.relevance import not_shown
from memoir.records.origins import remark
from memoir.records.record import ABOUT

if TYPE_CHECKING:
    from memoir.english.excerpts import Sought
    from memoir.recall.result import IntelligentSearchResult
    from memoir.types import ContextMemory, Moment, RecallAnswer, StandingInstruction


class Sizes:
    """The most characters of each hit: sizes for the first hits, and one for all `later` ones.

    The sentence that answers may exceed the hit's size by half, but not `sentence`.
    """

    def __init__(self, first: tuple[int, ...], later: int, sentence: int) -> None:
        self.first, self.later, self.sentence = first, later, sentence

    def of(self, number: int) -> int:
        """The size of a hit, counted from 0."""
        return [*self.first[number : number + 1], self.later][0]

    def times(self, share: float) -> "Sizes":
        """The sizes multiplied by a share."""
        return Sizes(
            tuple(int(each * share) for each in self.first), int(self.later * share), int(self.sentence * share)
        )


_LINES = Sizes((240, 160, 110), 90, 180)
"""For people: five hits take 250 tokens at most, with the instructions that bear on the question."""
_ROOM, _FEWEST = 200, 5
"""The average characters of a hit with its day and key, and the number of hits to allow for at least."""
_SHARES = (0.8, 0.6, 0.4)
"""The shares of their sizes that hits are cut to, in turn, until the instructions fit as well."""
_LEAN = Sizes((300, 250, 200, 200), 130, 200)
"""For agents: the most evidence of conversations within 500 and 1,000 tokens (docs/benchmarks.md)."""
_SHORTEST = 60
"""The least characters of a question, and of the reply to it."""
_QUESTION, _NEIGHBOUR, _INSTRUCTION, _SHORT_INSTRUCTION = 90, 150, 120, 90


def hit_lines(
    answer: "RecallAnswer",
    *,
    whole: bool = False,
    with_scores: bool = False,
    origins: bool = True,
    sizes: Sizes = _LINES,
    prefix: str = "",
    in_shell: bool = False,
) -> Iterator[list[Line]]:
    """The lines of each hit: day, speaker, answering sentence and key in one line, then disputes, code and neighbours.

    With neighbours, `--` separates hits. Whole content has its own lines. In keys, `~` stands for `prefix`; in a shell,
    it stands for the common beginning of all passages' keys, and the first passage has its full key.
    """
    wanted = SoughtByQuery(answer.ranking, answer.query)
    shown, printed = answer.memories, printed_in(answer.memories)
    keys = {each.key for each in shown}
    names_source = next((each.key for each in shown if each.address.names_passage), "") if in_shell else ""
    prefix = common_source(each.address for each in shown) if in_shell and not whole else prefix
    has_neighbours = not whole and any(each.context for each in shown)
    for number, hit in enumerate(shown):
        beside = hit.context or ()
        if whole:
            head = list(_whole_lines(hit, with_scores=with_scores))
            before, after = [], [_neighbour(each, hit) for each in beside]
        else:
            most = len(hit.content) if answer.gathered else sizes.of(number)
            sentence = min(sizes.sentence, most * 3 // 2)
            found = line(*_pieces(hit, wanted, most, sentence, printed, is_asked=in_shell))
            key = hit.key if hit.key == names_source else _short(hit.key, prefix)
            head = [line(*found, (f"  {key}", "cyan"), *_marks(hit, has_origin=origins))]
            before = [_neighbour(each, hit) for each in beside if each.distance < 0]
            after = [_neighbour(each, hit) for each in beside if each.distance > 0]
        gap = [line(("--", "dim"))] * (has_neighbours and number > 0)
        yield [*gap, *before, *head, *_disputes(hit, keys), *_code(hit), *after]


def hits_and_standing(
    answer: "RecallAnswer", *, whole: bool = False, with_scores: bool = False
) -> tuple[list[list[Line]], list[Line]]:
    """The lines of each hit for people, and those of the instructions that no hit shows.

    If they need too much room, hits are shortened, and instructions as well unless the question asks for them.
    """
    from memoir.english.requests import asks_for_instructions

    most = _INSTRUCTION if asks_for_instructions(answer.query) else _SHORT_INSTRUCTION
    hits = list(hit_lines(answer, whole=whole, with_scores=with_scores, in_shell=True))
    standing = _standing_beside(answer, hits, _INSTRUCTION)
    room = _ROOM * max(len(hits), _FEWEST)
    for share in () if whole else _SHARES:
        if characters([*chain.from_iterable(hits), *standing]) <= room:
            break
        hits = list(hit_lines(answer, in_shell=True, sizes=_LINES.times(share)))
        standing = _standing_beside(answer, hits, most)
    return hits, standing


def _standing_beside(answer: "RecallAnswer", hits: Iterable[list[Line]], most: int) -> list[Line]:
    texts = "".join(text for each in hits for one in each for text, _ in one)
    sources = {each.source for each in answer.memories if each.source}
    known = sources.pop() if len(sources) == 1 else ""
    return list(standing_lines(not_shown(answer.standing, texts), known, most))


def characters(lines: Iterable[Line]) -> int:
    """The number of characters of lines, with their line breaks."""
    return sum(len(text) for each in lines for text, _ in [*each, ("\n", "")])


def hit_texts(answer: "RecallAnswer", *, whole: bool = False, prefix: str = "") -> list[str]:
    """Each hit as one string for agents; `whole` puts the whole content between day and key."""
    origins = not common_origin(answer)
    if not whole:
        shown = hit_lines(answer, origins=origins, sizes=_LEAN, prefix=prefix)
        return ["\n".join("".join(text for text, _ in each) for each in lines) for lines in shown]
    texts = (f"{each.timestamp[:10]} {said(each.content, each.metadata)}".strip() for each in answer.memories)
    ends = ("".join(text for text, _ in _marks(each, has_origin=origins)) for each in answer.memories)
    keys = (_short(each.key, prefix) for each in answer.memories)
    return [f"{text}  {key}{end}" for text, key, end in zip(texts, keys, ends, strict=True)]


def shared_beginning(keys: Sequence[str]) -> tuple[str, int]:
    """The prefix of keys that is worth replacing by `~`, and the characters that this saves.

    The prefix ends in a dot or an underscore. It is empty if none is worth it.
    """
    counts = Counter(key[: end.end()] for key in keys for end in re.finditer(r"[._]", key))
    saved = {prefix: count * (len(prefix) - len(FOR_PREFIX)) - len(prefix) for prefix, count in counts.items()}
    best = max(saved, key=saved.__getitem__, default="")
    return (best, saved[best] - _FIELD) if best and saved[best] >= _FIELD + _LEAST_SAVED else ("", 0)


FOR_PREFIX = "~"
"""The name of the field with the common prefix, which is also its replacement in keys."""
_FIELD, _LEAST_SAVED = len('"~":"",'), 40


def _short(key: str, prefix: str) -> str:
    return FOR_PREFIX + key.removeprefix(prefix) if prefix and key.startswith(prefix) else key


def _pieces(
    hit: "IntelligentSearchResult", wanted: "Sought", most: int, sentence: int, printed: set[tuple[str, str]],
    *, is_asked: bool,
) -> Iterator[str | Span]:  # fmt: skip
    """The pieces of a hit's line before its key.

    A question is shown with its reply, and with `is_asked` a reply with its question, unless the other is `printed`.
    """
    found = quote(hit, wanted, most, longest=sentence)
    who = f"{found.speaker[:_SHORTEST]}: " if found.speaker else ""
    text, reply, question = found.text, "", ""
    if found.asks:
        if hit.reply and (hit.reply.timestamp, hit.reply.content) not in printed:
            text = words_said(hit, wanted, max(most // 2, _SHORTEST))
            reply = f" | {reply_to(hit, wanted, max(most - len(text), _SHORTEST))}"
    elif is_asked and hit.asked and (hit.asked.timestamp, hit.asked.content) not in printed:
        question = question_before(hit, wanted, text, _QUESTION)
    day, question = f"{found.day} " if found.day else "", f"{question} | " if question else ""
    note = (_source_note(hit), "dim")
    yield from ((day, "dim"), question, (who, "bold"), text, (meaning(found.days), "green"), reply, note)


def _marks(hit: "IntelligentSearchResult", *, has_origin: bool) -> tuple[Span, Span]:
    """The notes behind the key of a hit: its origin and its store."""
    return voucher(hit.namespace, hit.metadata) if has_origin else ("", ""), own(hit.store)


def _source_note(hit: "IntelligentSearchResult") -> str:
    """The source that a memory was found in, and whether it is stale; empty for a passage, whose key names it."""
    if hit.layer is not None or not (name := source_of_item(hit.metadata)):
        return ""
    return f" (from {name}, {STALE})" if hit.metadata.get(STALE) is True else f" (from {name})"


def common_origin(answer: "RecallAnswer") -> str:
    """The origin that all hits share, which `hit_texts` then omits; empty if they differ."""
    origins = {remark(each.namespace, each.metadata) for each in answer.memories}
    return origins.pop() if len(origins) == 1 else ""


def _whole_lines(hit: "IntelligentSearchResult", *, with_scores: bool) -> Iterator[Line]:
    score = f"{hit.relevance_score:.2f}  " if with_scores else ""
    yield line((score, "bold"), (hit.key, "bold cyan"), *_marks(hit, has_origin=True))
    yield from (line("      " + text) for text in rows_of(hit.content))


def standing_lines(
    standing: Iterable["StandingInstruction"], known: str = "", most: int = _INSTRUCTION
) -> Iterator[Line]:
    """A line for each standing instruction; the source `known` is not named again."""
    for each in standing:
        word = "always" if each.kind == "directive" else "prefers"
        about = ", ".join(
            filter(None, (each.speaker, each.timestamp[:10], each.source if each.source != known else ""))
        )
        yield line((f'{word}: "{_one_line(each.content, most)}"  ({about})', "dim"), own(each.store))


def _neighbour(beside: "ContextMemory", hit: "IntelligentSearchResult") -> Line:
    """The line of a neighbour, with its day only if it differs from the hit's."""
    text = beside.content.replace(f" ({hit.timestamp[:10]}): ", ": ", 1) if hit.timestamp else beside.content
    return line((f"  {beside.distance:+}  {_one_line(text, _NEIGHBOUR)}", "dim"))


def _one_line(text: str, most: int) -> str:
    words = flat(text)
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def _code(hit: "IntelligentSearchResult") -> Iterator[Line]:
    """The changes of the code that a memory is about, if any."""
    if ABOUT in hit.metadata:
        from memoir.anchors.mark import warnings

        if said := warnings(hit.metadata):
            yield line((f"      {'; '.join(said)}", "dim"))


def _disputes(hit: "IntelligentSearchResult", printed: Container[str]) -> Iterator[Line]:
    """The contradicting memories, newest first: newer or older, key, and content unless its key is in `printed`."""
    if hit.disputes:
        from memoir.primer.length import disputed

        own_order = hit.facet.order
        named = (each.target.short_key if each.target.short_key in printed else disputed(each) for each in hit.disputes)
        ages = ("newer" if each.order < own_order else "older" for each in hit.disputes)
        others = (f"the {age} {name}" for age, name in zip(ages, named, strict=True))
        yield line((f"      disputes {', '.join(others)}", "dim"))


def moment_line(moment: "Moment") -> Line:
    """A memory of a timeline, for people."""
    memory = moment.memory
    style = "bold cyan" if memory.active else "dim"
    note = "" if memory.active else "  (superseded)"
    mark = "→ " if moment.here else "  "
    return line(
        (mark, "bold"),
        (local(memory.timestamp), "dim"),
        "  ",
        (moment.target.short_key, style),
        note,
        voucher(moment.target.place.namespace, memory.metadata),
        "  ",
        one_line(said(memory.content, memory.metadata)),
    )
