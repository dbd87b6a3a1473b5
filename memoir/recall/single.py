"""Recall with one model call: the whole inventory of paths is shown, and the model picks 1 to 3."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from memoir.index.inventory import Entry
from memoir.llm.model import Model, Prompt
from memoir.recall.inventory import Inventory
from memoir.recall.model_choice import parse_choice
from memoir.recall.picks import Conversation, Picks, fill, is_plain, printable, quote, template, written
from memoir.taxonomy.paths import Address


class Selection(NamedTuple):
    """A choice of whole paths: its names in prompts, timings and messages, and how many paths it takes."""

    prompt: str
    timing: str
    title: str
    number: str
    most: int


_SELECTION = Selection("path_selection", "step2_path_selection", "path selection", "1 to 3", 3)


def pick(inventory: Inventory, query: str, model: Model) -> Picks:
    """Pick the paths that bear on a query, with one call; with none, if there are no paths.

    An answer that names no path there is falls back on ranking without a model, and is noted as degraded.
    NONE is an answer like any other.

    Raises:
        LlmUnavailable: the model did not answer.
    """
    conversation = Conversation(model)
    with conversation.step("step1_path_discovery"):
        entries = inventory.entries()
        prompt = select_prompt(inventory.namespaces, query, entries, _SELECTION)
    return conversation.picks(select(conversation, inventory, entries, prompt, _SELECTION) if entries else ())


def select_prompt(namespaces: Sequence[str], query: str, entries: Sequence[Entry], selection: Selection) -> Prompt:
    """The prompt that asks which paths to take. Its prelude is always the same, so that it can be cached."""
    lines = _lines(entries, namespaces)
    tail = fill("select", query=quote(query), inventory=lines, number=selection.number)
    return Prompt(template("select_prelude"), tail)


def select(
    conversation: Conversation,
    inventory: Inventory,
    entries: Sequence[Entry],
    prompt: Prompt,
    selection: Selection,
    under: Sequence[Address] = (),
) -> tuple[Address, ...]:
    """Ask which of some paths, at or below some prefixes, to take, and read the answer.

    Raises:
        LlmUnavailable: the model did not answer.
    """
    offered = [entry.address for entry in entries]
    choice = parse_choice(conversation.ask(selection.prompt, selection.timing, prompt), offered)
    if choice.picked or choice.none:
        return choice.picked[: selection.most]
    known = set(offered)
    best = tuple(address for address in inventory.ranked(under, len(offered)) if address in known)[: selection.most]
    instead = f"took the best {len(best)} by ranking instead" if best else "the ranking found nothing either"
    conversation.fall_back(selection.title, f"the model's answer names no offered path; {instead}")
    return best


def _lines(entries: Sequence[Entry], namespaces: Sequence[str]) -> str:
    """A line for each path; where all of it is plain, as it nearly always is, it is checked as a whole."""
    paths = [entry.address.full_key if len(namespaces) > 1 else entry.address.path for entry in entries]
    if not is_plain("".join(paths)):
        paths = [written(entry.address, namespaces) for entry in entries]
    samples = map(json.encoder.encode_basestring, (entry.sample for entry in entries))
    lines = [
        f"- {path} ({'single' if entry.count == 1 else 'aggregated'}, {entry.count}): {sample}"
        for path, entry, sample in zip(paths, entries, samples, strict=True)
    ]
    if not "".join(lines).isprintable():
        lines = [printable(line) for line in lines]
    return "\n".join(lines)
