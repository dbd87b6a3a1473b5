"""`single` and `tiered`: a model picks paths, and their memories are the answer."""

from typing import Any

from memoir.index import answers
from memoir.index.index import Index
from memoir.llm.anthropic import AnthropicModel, preload
from memoir.llm.model import Model
from memoir.llm.usage import Usage
from memoir.recall import single, tiered
from memoir.recall.fetch import Found, fetch, within
from memoir.recall.picks import Picks, Steps
from memoir.recall.request import Request
from memoir.recall.result import Recalled
from memoir.recall.settings import Settings
from memoir.recall.stock import Stock
from memoir.recall.templates import fingerprint
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address

_PICKERS = {"single": single.pick, "tiered": tiered.pick}
_VERSION = 1
"""Of what surrounds the prompts' texts: the form of the inventory, the numbers of picks, the bounds."""
_RETRIEVAL = {"single": "step3_memory_retrieval", "tiered": "memory_retrieval"}


def recall(index: Index, snapshot: Snapshot, request: Request, settings: Settings, model: Model, mode: str) -> Recalled:
    """Let a model pick among the paths, and fetch what they hold; a kept answer is used if there is one.

    Raises:
        LlmUnavailable: the model gave no answer.
    """
    steps = Steps()
    with steps("total_search"):
        stock = Stock(index, snapshot, request, settings)
        identity = _identity(request, snapshot, model, mode)
        kept = index.answer(identity) if request.cache else None
        picks = _from_json(kept) if kept else _picked(stock, request, model, mode)
        if request.cache and not kept and not picks.degraded and index.is_complete:
            index.keep_answer(identity, _to_json(picks))
        with steps(_RETRIEVAL[mode]):
            found = _unpacked(stock, picks, request, settings)
            memories, omitted = within(fetch(snapshot, found, mode), request.max_chars)
    return Recalled(
        query=request.query,
        mode=mode,
        memories=memories,
        degraded=(*index.degraded, *picks.degraded),
        usage=Usage() if kept else picks.usage,
        model=model.name,
        embedder=index.embedder.name if index.embedder else None,
        cached=kept is not None,
        omitted=omitted,
        timings={**picks.timings, **steps.timings},
        prompts=picks.prompts,
    )


def _picked(stock: Stock, request: Request, model: Model, mode: str) -> Picks:
    if isinstance(model, AnthropicModel):
        preload(model.timeout)  # its SDK is imported while the store is read
    return _PICKERS[mode](stock, request.query, model)


def _identity(request: Request, snapshot: Snapshot, model: Model, mode: str) -> bytes:
    asked = (request.query, request.namespaces, request.globs, request.person, request.since, request.until)
    return answers.key(_VERSION, *asked, mode, model.name, fingerprint(), (snapshot.tree.root or b"").hex())


def _unpacked(stock: Stock, picks: Picks, request: Request, settings: Settings) -> list[Found]:
    """The memories of the picked paths, path by path in the model's order, those of one path best first.

    A path's relevance is its place among the picks: 1 for the first of n, then 1/n less for each.
    """
    if not picks.addresses:
        return []
    by_path: dict[Address, list[Found]] = {address: [] for address in picks.addresses}
    for candidate in stock.unpacked(picks.addresses):
        address = candidate.document.address
        relevance = 1 - picks.addresses.index(address) / len(picks.addresses)
        relevance *= request.factor(*address, candidate.document.content)
        by_path[address].append(Found(address, candidate.document.ordinal, min(relevance, 1.0), candidate.fields()))
    found = [item for items in by_path.values() for item in items if item.relevance >= request.threshold]
    return found[: request.limit or max(settings.k, len(picks.addresses))]


def _to_json(picks: Picks) -> dict[str, Any]:
    return {"addresses": picks.addresses, "prompts": picks.prompts}


def _from_json(kept: dict[str, Any]) -> Picks:
    addresses = tuple(Address(*place) for place in kept["addresses"])
    return Picks(addresses, Usage(), (), {"step1_path_discovery": 0.0}, kept["prompts"])
