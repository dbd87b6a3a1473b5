"""What recall takes as a store grows, with the default embedder, which needs nothing installed.

    /tmp/bench/bin/python -m benchmarks.recall_latency [--sizes 1000 10000 100000]

Searches inside the process are warm: of each question the best of three, and then the median and the 95th percentile
over the questions. Embedding the query is reported apart. Whole commands are held against `python -c pass`, pairwise.
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks import clock, table
from benchmarks.clock import Command
from benchmarks.disk import megabytes
from benchmarks.instant_model import InstantModel, InstantReasoner
from benchmarks.recall_store import Measurement, filled, opened, seal
from benchmarks.recall_workload import NAMESPACE, memories, questions
from benchmarks.systems import Store, System
from memoir import IntelligentSearchEngine, Memory, Repository
from memoir.index.index import Index
from memoir.index.location import index_file

PROVIDER = "static"
CHANGES = 5
BEST_OF = 3
MODEL_QUESTIONS = 10
_STRATEGIES = {"deep": ("expansions",), "agent": ("split", "chain")}
"""What the models of a mode's figures choose."""

Figures = Iterator[tuple[str, str]]
"""What was measured, and the figure."""


class Bench(NamedTuple):
    """A filled store, and what is asked of it."""

    folder: Path
    questions: Sequence[str]
    rounds: int
    memoir: Path


def build_index(bench: Bench) -> Figures:
    """From no index to a whole one: first the words, then the vectors."""
    with Repository.open(bench.folder) as repository:
        embedder = IntelligentSearchEngine(repository).index().embedder
        words = _seconds_to_prepare(Index(repository.store, None, wait=True), repository)
        vectors = _seconds_to_prepare(Index(repository.store, embedder, wait=True), repository)
    yield "index built: words", f"{words:.2f} s"
    yield "index built: vectors", f"{vectors:.2f} s"
    yield "index on disk", megabytes(index_file(bench.folder / ".memoir").stat().st_size)


def update_index(bench: Bench) -> Figures:
    """Bringing the index up to date after one `remember`."""
    took = []
    with Repository.open(bench.folder) as repository:
        for number in range(CHANGES):
            repository.remember(Memory.of(f"change {number} of lopabi is late"), f"project.late.change_{number}")
            took.append(_seconds_to_prepare(IntelligentSearchEngine(repository).index(), repository))
    yield "index after one `remember`", f"{clock.milliseconds(took):.1f} ms"


def _seconds_to_prepare(index: Index, repository: Repository) -> float:
    """The seconds until an index can be read at the store's head."""
    snapshot = repository.store.head()
    with closing(index):
        return _seconds(lambda: index.read(snapshot, lambda database: None))


def warm(bench: Bench) -> Figures:
    """`simple` recall inside the process."""
    with opened(bench.folder) as store:
        store.search(bench.questions[0], NAMESPACE)
        store.forget_times()
        best = [_best(store, question) for question in bench.questions]
        embed_time = clock.milliseconds(store.embed_seconds)
    cuts = statistics.quantiles(best, n=20)
    yield "warm `simple` recall, median", f"{clock.milliseconds(best):.1f} ms"
    yield "warm `simple` recall, 95th percentile", f"{1000 * cuts[-1]:.1f} ms"
    yield "embedding the query", f"{embed_time:.2f} ms"


def _best(store: Measurement, question: str) -> float:
    for _ in range(BEST_OF):
        store.search(question, NAMESPACE)
    return min(store.search_seconds[-BEST_OF:])


def command(bench: Bench) -> Figures:
    """`memoir recall` as a whole process."""
    store = Store(System(bench.memoir, bench.folder), bench.folder)
    unit = Command([str(store.system.python), "-c", "pass"], store.env)

    def recall(number: int) -> Command:
        question = bench.questions[number % len(bench.questions)]
        base = store.command("recall", "--mode", "simple", question)
        return base._replace(env={**base.env, "MEMOIR_EMBED_PROVIDER": PROVIDER})

    seconds = clock.in_turn({"unit": lambda number: unit, "recall": recall}, bench.rounds)
    ratio, milliseconds = clock.ratio(seconds["recall"], seconds["unit"]), clock.milliseconds(seconds["recall"])
    yield "`recall --mode simple`, whole process", f"{ratio:.2f} × ({milliseconds:.0f} ms)"


def single(bench: Bench) -> Figures:
    """All of `single` but the model's own time, and what the model is sent."""
    return _with_a_model(bench, "single")


def tiered(bench: Bench) -> Figures:
    """The same of `tiered`."""
    return _with_a_model(bench, "tiered")


def deep(bench: Bench) -> Figures:
    """`deep` without a model, and with one that wants three expansions of every question."""
    return _seconds_without_model(bench, "deep")


def agent(bench: Bench) -> Figures:
    """`agent` without a model, and with one that splits every question into three, or chains."""
    return _seconds_without_model(bench, "agent")


def _seconds_without_model(bench: Bench, mode: str) -> Figures:
    """The processor time of a mode without its model's, and that of `simple` for the same questions, asked in turn."""
    models = {"": None} | {f", {name}": InstantReasoner(name) for name in _STRATEGIES[mode]}
    with Repository.open(bench.folder) as repository:
        engines = {name: IntelligentSearchEngine(repository, model) for name, model in models.items()}
        took: dict[str, list[float]] = {name: [] for name in ("simple", *models)}
        for question in bench.questions:
            took["simple"].append(_processor(engines[""], None, question, "simple"))
            for name, model in models.items():
                took[name].append(_processor(engines[name], model, question, mode))
        for engine in engines.values():
            engine.close()
    yield f"`simple` beside `{mode}`, processor time", f"{clock.milliseconds(took['simple']):.1f} ms"
    for name, model in models.items():
        what = f"`{mode}` with a model{name}" if model else f"`{mode}` by rules"
        yield f"{what}, processor time", f"{clock.milliseconds(took[name]):.1f} ms"


def _processor(engine: IntelligentSearchEngine, model: InstantReasoner | None, question: str, mode: str) -> float:
    """The best of three, in seconds of processor time."""
    took = []
    planner = "rules" if mode != "simple" and model is None else None
    for _ in range(BEST_OF):
        before, start = model.seconds if model else 0.0, process_time()
        engine.search(question, NAMESPACE, mode=mode, cache=False, planner=planner)
        took.append(process_time() - start - ((model.seconds if model else 0.0) - before))
    return min(took)


def _with_a_model(bench: Bench, mode: str) -> Figures:
    model = InstantModel()
    with Repository.open(bench.folder) as repository:
        engine = IntelligentSearchEngine(repository, model)
        took = [_around(engine, model, question, mode) for question in bench.questions[:MODEL_QUESTIONS]]
        engine.close()
    times = BEST_OF * len(took)
    yield f"`{mode}` without the model's time, median", f"{clock.milliseconds(took):.1f} ms"
    yield f"`{mode}` sends to the model, characters", f"{model.characters / times:,.0f}"
    yield f"`{mode}` calls the model", f"{model.calls / times:.1f} times"


def _around(engine: IntelligentSearchEngine, model: InstantModel, question: str, mode: str) -> float:
    """The best of three."""
    took = []
    for _ in range(BEST_OF):
        model.seconds = 0.0
        seconds = _seconds(lambda: engine.search(question, NAMESPACE, mode=mode, cache=False))
        took.append(seconds - model.seconds)
    return min(took)


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


MEASURES: Sequence[Callable[[Bench], Figures]] = (build_index, update_index, warm, command, single, tiered, deep, agent)


def _figures(measure: Callable[[Bench], Figures], bench: Bench) -> Figures:
    """A measure's figures; where memoir itself fails, that is told and they are missing."""
    try:
        yield from measure(bench)
    except Exception as error:
        print(f"… {measure.__name__}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)


def main() -> None:
    """Measure every size, and print the table."""
    options = _parser().parse_args()
    seal(PROVIDER)
    columns: dict[int, dict[str, str]] = {}
    for size in options.sizes:
        print(f"… {size:,} memories", file=sys.stderr, flush=True)
        with filled(memories(size)) as folder:
            bench = Bench(folder, questions(options.questions), options.rounds, options.memoir.absolute())
            measures = (measure for measure in MEASURES if measure.__name__ in options.rows)
            columns[size] = dict(figure for measure in measures for figure in _figures(measure, bench))
    rows = [
        [what, *(column.get(what, "fails") for column in columns.values())] for what in next(iter(columns.values()))
    ]
    print(table.markdown(["what", *(f"{size:,} memories" for size in columns)], rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = Path(sys.executable).with_name("memoir")
    parser.add_argument("--memoir", type=Path, default=beside, help=f"the command to measure ({beside})")
    names = [measure.__name__ for measure in MEASURES]
    parser.add_argument("--rows", nargs="+", choices=names, default=names, help="which to measure (all)")
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 10_000, 100_000], metavar="N")
    parser.add_argument("--questions", type=int, default=40, metavar="N", help="asked of each store (40)")
    parser.add_argument("--rounds", type=int, default=30, metavar="N", help="of whole processes (30)")
    return parser


if __name__ == "__main__":
    main()
