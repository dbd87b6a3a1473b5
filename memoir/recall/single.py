"""Recall with one model call: the whole inventory of paths is shown, and the model picks 1 to 3."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from memoir.index.selection import InventoryEntry
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import Step
from memoir.llm.prompts import one_line, printable
from memoir.recall.inventory import Inventory
from memoir.recall.model_paths import PROMPTS, Picks, choose, format_address, is_plain
from memoir.taxonomy.paths import Address


class PathSelection(NamedTuple):
    """A choice of whole paths: the step that asks for it, its name in messages, and how many paths it takes."""

    step: Step
    title: str
    number: str
    most: int


_STEP = Step("single.select", PROMPTS, prompt_name="path_selection", timing="step2_path_selection")
_SELECTION = PathSelection(_STEP, "path selection", "1 to 3", 3)


def pick(inventory: Inventory, query: str, conversation: ModelConversation) -> Picks:
    """Pick the paths that bear on a query, with one call; with none, if there are no paths.

    An answer that names no path there is falls back on ranking without a model, and is noted as degraded.
    NONE is an answer like any other.
    """
    with conversation.stopwatch("step1_path_discovery"):
        entries = inventory.entries()
        message = select_message(inventory.namespaces, query, entries, _SELECTION)
    return Picks.of(conversation, select(conversation, inventory, entries, message, _SELECTION) if entries else ())


def select_message(
    namespaces: Sequence[str], query: str, entries: Sequence[InventoryEntry], selection: PathSelection
) -> str:
    """The message that asks which paths to take. The instructions before it are always the same, for caches."""
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
    """Ask which of some paths, at or below some prefixes, to take, and read the answer."""
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
    """A line for each path; where all of it is plain, as it nearly always is, it is checked as a whole."""
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
