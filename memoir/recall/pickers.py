"""The two ways in which a model picks paths: `single`, in one call, and `tiered`, level by level.

In `single`, the model sees the whole inventory of paths and picks 1 to 3. In `tiered`, two or three small calls pick
first segments, then second segments of wide branches, then whole paths. The prompts do not grow with the store: counts
are surveyed without loading memories, and every list is bounded to the entries that rank best without a model.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from memoir.llm.conversation import ModelConversation
from memoir.llm.model import Step, one_line, printable, write_message
from memoir.recall.inventory import Inventory, InventoryEntry, prefix_of
from memoir.recall.model_paths import PROMPTS, Choice, choose, format_address, is_plain
from memoir.taxonomy.paths import Address


class PathSelection(NamedTuple):
    """How a choice of whole paths is asked for: its step, its name in messages, and how many paths it takes."""

    step: Step
    title: str
    number: str
    most: int


_STEP = Step("single.select", PROMPTS, prompt_name="path_selection", timing="step2_path_selection")
_SELECTION = PathSelection(_STEP, "path selection", "1 to 3", 3)


def pick_at_once(inventory: Inventory, query: str, conversation: ModelConversation) -> Sequence[Address]:
    """Pick the paths relevant to a query in one call; without a call if there are no paths.

    If the answer names no existing path, the best paths by ranking are taken, noted as degraded. NONE is accepted as an
    answer.
    """
    with conversation.stopwatch("step1_path_discovery"):
        entries = inventory.entries()
        message = select_message(inventory.namespaces, query, entries, _SELECTION)
    return select(conversation, inventory, entries, message, _SELECTION) if entries else ()


def select_message(
    namespaces: Sequence[str], query: str, entries: Sequence[InventoryEntry], selection: PathSelection
) -> str:
    """The message that asks for paths. The instructions before it never change, so that providers can cache them."""
    lines = _lines(entries, namespaces)
    return PROMPTS.fill("select", query=one_line(query), inventory=lines, number=selection.number)


def select(
    conversation: ModelConversation,
    inventory: Inventory,
    entries: Sequence[InventoryEntry],
    message: str,
    selection: PathSelection,
    under: Sequence[Address] = (),
) -> tuple[Address, ...]:
    """Ask which of the entries, found under the prefixes, to take, and read the answer."""
    addresses = [entry.address for entry in entries]
    choice = choose(conversation, selection.step, message, addresses)
    if choice.picks or choice.none:
        return choice.picks[: selection.most]
    offers = set(addresses)
    best = tuple(address for address in inventory.rank(under, len(addresses)) if address in offers)[: selection.most]
    instead = f"took the best {len(best)} by ranking instead" if best else "the ranking found nothing either"
    conversation.fall_back(selection.title, f"{choice.why}; {instead}")
    return best


def _lines(entries: Sequence[InventoryEntry], namespaces: Sequence[str]) -> str:
    """One line for each path. All paths are checked at once for odd characters, because nearly all are plain."""
    paths = [entry.address.full_key if len(namespaces) > 1 else entry.address.path for entry in entries]
    if not is_plain("".join(paths)):
        paths = [format_address(entry.address, namespaces) for entry in entries]
    samples = map(json.encoder.encode_basestring, (entry.sample for entry in entries))
    lines = [
        f"- {path} ({'single' if entry.count == 1 else 'aggregated'}, {entry.count}): {sample}"
        for path, entry, sample in zip(paths, entries, samples, strict=True)
    ]
    if not "".join(lines).isprintable():
        lines = [printable(line) for line in lines]
    return "\n".join(lines)


L2_ESCALATION_THRESHOLD = 40
"""A branch with more paths is first narrowed by second segments."""

KEY_PICK_AT_MOST = 100
"""The most paths shown in the key pick."""

L1_AT_MOST, L2_AT_MOST = 100, 40
"""The most prefixes shown for the store, and for each wide branch."""

_L1_PICKS, _L2_PICKS = 4, 3
_L1_INSTEAD, _L2_INSTEAD = 4, 2
_L1 = Step("tiered.l1", PROMPTS, prompt_name="l1_pick", timing="l1_pick_llm")
_L2 = Step("tiered.l2", PROMPTS, prompt_name="l2_pick", timing="l2_pick_llm")
_SELECT = Step("tiered.select", PROMPTS, file="single.select", prompt_name="key_pick", timing="key_pick_llm")
_NOUN = "prefix"
_KEYS = PathSelection(_SELECT, "key pick", "3 to 7", 7)

_Counts = Mapping[Address, int]


def pick_by_level(inventory: Inventory, query: str, conversation: ModelConversation) -> Sequence[Address]:
    """Pick the paths relevant to a query in two calls, or three if a branch is wide; none in an empty store.

    An unusable prefix pick, NONE included, falls back on the largest prefixes; an unusable key pick on ranking without
    a model. Both are noted as degraded. In the key pick NONE is accepted as an answer.

    The key pick shows at most `KEY_PICK_AT_MOST` paths, those that rank best without a model, so its prompt does not
    grow with the store.
    """
    descent = _Descent(inventory, query, conversation)
    counts = descent.survey()
    return descent.pick_paths(descent.narrow(descent.pick_branches(counts))) if counts else ()


class _Descent:
    """One walk down the taxonomy, from the survey to the paths."""

    def __init__(self, inventory: Inventory, query: str, conversation: ModelConversation) -> None:
        self.inventory, self.query, self.conversation = inventory, query, conversation
        with conversation.stopwatch("step1_path_discovery"):
            self.namespaces = inventory.namespaces  # no paths are listed yet

    def survey(self) -> _Counts:
        """Count the paths by first segment."""
        with self.conversation.stopwatch("l1_survey"):
            return self.inventory.prefixes(1)

    def pick_branches(self, counts: _Counts) -> dict[Address, int]:
        """Let the model pick first segments; return them with their counts."""
        with self.conversation.stopwatch("l1_survey"):
            offers = _limit(counts, self._rank() if len(counts) > L1_AT_MOST else (), L1_AT_MOST)
            message = write_message(self.query, ("Prefixes", self._list(offers)))
        choice = choose(self.conversation, _L1, message, offers, noun=_NOUN)
        picks = choice.picks[:_L1_PICKS]
        if not picks:
            picks = _largest(counts, _L1_INSTEAD)
            self.conversation.fall_back("L1 pick", f"{_why(choice)}; took the {_largest_in_words(picks)}")
        return {branch: counts[branch] for branch in picks}

    def narrow(self, branches: _Counts) -> list[tuple[int, Address]]:
        """The prefixes whose paths to list, each with its depth: small branches whole, wide ones by second segment."""
        with self.conversation.stopwatch("descend"):
            wide = [branch for branch, count in branches.items() if count > L2_ESCALATION_THRESHOLD]
            counts = {branch: self.inventory.prefixes(2, [branch]) for branch in wide}
            order = self._rank(wide) if any(len(counts[branch]) > L2_AT_MOST for branch in wide) else ()
            offers = {branch: _limit(counts[branch], order, L2_AT_MOST) for branch in wide}
        choice = self._ask_below(offers) if wide else Choice((), none=False)
        prefixes: list[tuple[int, Address]] = []
        for branch in branches:
            within = self._pick_within(branch, counts[branch], choice) if branch in counts else ()
            prefixes += [(2, prefix) for prefix in within] or [(1, branch)]
        return prefixes

    def _ask_below(self, counts_below: Mapping[Address, _Counts]) -> Choice:
        """Ask about all wide branches in one call."""
        blocks = [f"Within {self._format(branch)}:\n{self._list(counts)}" for branch, counts in counts_below.items()]
        message = write_message(self.query, ("Prefixes", "\n\n".join(blocks)))
        offers = [prefix for counts in counts_below.values() for prefix in counts]
        return choose(self.conversation, _L2, message, offers, noun=_NOUN)

    def _pick_within(self, branch: Address, counts: _Counts, choice: Choice) -> Sequence[Address]:
        picks = [prefix for prefix in choice.picks if prefix in counts][:_L2_PICKS]
        if picks:
            return picks
        instead = _largest(counts, _L2_INSTEAD)
        reason = f"{_why(choice)} within {self._format(branch)}; took its {_largest_in_words(instead)}"
        self.conversation.fall_back("L2 pick", reason)
        return instead

    def pick_paths(self, prefixes: Sequence[tuple[int, Address]]) -> Sequence[Address]:
        """Let the model pick paths below the prefixes."""
        with self.conversation.stopwatch("descend"):
            entries = self._candidates(prefixes)
            message = select_message(self.namespaces, self.query, entries, _KEYS)
        under = [prefix for _, prefix in prefixes]
        return select(self.conversation, self.inventory, entries, message, _KEYS, under) if entries else ()

    def _candidates(self, prefixes: Sequence[tuple[int, Address]]) -> Sequence[InventoryEntry]:
        # At depth 2 the pick `a` means the memory at `a` itself, not all paths below it.
        under = [prefix for _, prefix in prefixes]
        most = (
            None if any(depth == 2 and "." not in prefix.path for depth, prefix in prefixes) else KEY_PICK_AT_MOST + 1
        )

        def is_below(address: Address) -> bool:
            return any((depth, prefix_of(address, depth)) in prefixes for depth in (1, 2))

        entries = [entry for entry in self.inventory.entries(under, most) if is_below(entry.address)]
        if len(entries) <= KEY_PICK_AT_MOST:
            return entries
        best = [address for address in self._rank(under) if is_below(address)]
        return self.inventory.describe(sorted(_first(KEY_PICK_AT_MOST, best, (entry.address for entry in entries))))

    def _rank(self, under: Sequence[Address] = ()) -> Sequence[Address]:
        return self.inventory.rank(under, KEY_PICK_AT_MOST, quickly=True)

    def _list(self, counts: _Counts) -> str:
        return "\n".join(f"- {self._format(prefix)}: {count}" for prefix, count in counts.items())

    def _format(self, prefix: Address) -> str:
        return format_address(prefix, self.namespaces)


def _limit(counts: _Counts, ranking: Sequence[Address], most: int) -> _Counts:
    """Keep at most `most` prefixes: those of the best-ranked paths, then the largest."""
    if len(counts) <= most:
        return counts
    depth = max(prefix.path.count(".") + 1 for prefix in counts)
    prefixes = (prefix_of(address, depth) for address in ranking)
    best = _first(most, (prefix for prefix in prefixes if prefix in counts), _largest(counts, most))
    return {prefix: count for prefix, count in counts.items() if prefix in best}


def _first(limit: int, *orders: Iterable[Address]) -> set[Address]:
    """The first `limit` distinct addresses of the orders, one after the other."""
    return set(list(dict.fromkeys(address for order in orders for address in order))[:limit])


def _largest(counts: _Counts, limit: int) -> tuple[Address, ...]:
    return tuple(sorted(counts, key=lambda prefix: (-counts[prefix], prefix))[:limit])


def _largest_in_words(prefixes: Sequence[Address]) -> str:
    return f"{len(prefixes)} largest" if len(prefixes) > 1 else "largest"


def _why(choice: Choice) -> str:
    if choice.none:
        return "the model answered NONE"
    return choice.why or "the model's answer names no prefix that was offered"
