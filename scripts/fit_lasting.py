"""Write memoir/english/lasting/lasting_words.txt: what labelled turns teach about the clauses that last.

    pip install numpy               # for this script alone
    PYTHONPATH=. python scripts/fit_lasting.py [SET...]

The turns are those of `benchmarks/turns`, but for those of MEASURED, and those that are named
(`fit_lasting.py others`). The weights are of greatest likelihood with a ridge, for features that four authors use;
those that are nearly nothing are left out.
Sets of requests to agents count double, as that is what capture reads; those in view of which rules were written count
less: their author wrote in the words of the rules. The first line of the file has a digest of what it was fitted
to, so that a test sees whether that is still so.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from benchmarks.capture import TURNS, is_same, quotations
from memoir.english.lasting.lasting_clauses import LONGEST_REQUEST
from memoir.english.lasting.lasting_words import FILE, KINDS, UNIT, clauses_of
from memoir.english.sentences import said_sentences
from memoir.git.objects import blake2b
from memoir.taxonomy.kinds import FACT

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"

MEASURED = frozenset({"last", "objections", "rebukes"})
"""The sets that nothing is fitted to."""
_TALK = frozenset({"people", "others", "voices", "trades"})
_REQUESTS = frozenset(
    {"polite", "errands", "weddings", "kitchens", "wards", "gardens", "harbours", "vineyards", "clinics", "trails"}
    | {"ferries", "quarries", "lighthouses", "orchards", "canals", "markets", "bridges"}
    | {"reefs", "mills", "stables", "attics", "tunnels", "dunes", "foundries"}
)
"""The sets that were written by authors who had not seen the rules; the latter are mostly requests to an agent."""
_AUTHORS, _RIDGE, _STEPS = 4, 3.5, 300
_LEAST = 0.08
"""The least weight of a feature that is kept, whatever its sign."""


class Example(NamedTuple):
    """A clause, what it is (0 if it does not last, else its place in KINDS, from 1), its weight, and who wrote it."""

    features: tuple[str, ...]
    kind: int
    weight: float
    author: str


def examples(turns: Iterable[dict[str, Any]]) -> Iterator[Example]:
    """The clauses of the turns of users."""
    for turn in turns:
        weight = 2.0 if turn["set"] in _REQUESTS else 1.0 if turn["set"] in _TALK else 0.6
        sentences = [*said_sentences(turn["text"], LONGEST_REQUEST)] if turn["role"] == "user" else []
        for clause in chain.from_iterable(clauses_of(sentences)):
            yield Example(tuple(sorted(clause.features)), kind_of(clause.text, turn), weight, author_of(turn["set"]))


def author_of(name: str) -> str:
    """Who wrote a set; the author of those in view of which rules were written has no name."""
    return "others" if name == "people" else name if name in _TALK | _REQUESTS else ""


def kind_of(clause: str, turn: dict[str, Any]) -> int:
    """What a clause is by the labels of its turn."""
    kind = next((kind for kind, quote in quotations(turn) if is_same(quote, clause)), None)
    return 0 if kind is None else 1 + KINDS.index(kind if kind in KINDS else FACT)


def shipped(measured: Container[str] = MEASURED) -> list[Example]:
    """What the weights are fitted to."""
    turns = map(json.loads, TURNS.read_text("utf-8").splitlines())
    return [*examples(turn for turn in turns if turn["set"] not in measured)]


def digest(learnt: Sequence[Example]) -> str:
    """A digest of what weights are fitted to."""
    return blake2b("\n".join(map(str, learnt)).encode(), size=12).hex()


class Fit:
    """The weights of features that were fitted to examples."""

    def __init__(self, learnt: Sequence[Example]) -> None:
        import numpy as np

        uses = {(feature, each.author) for each in learnt for feature in each.features}
        counts = Counter(feature for feature, _ in uses)
        self.names = ["", *sorted(name for name, count in counts.items() if count >= _AUTHORS)]
        places = {name: at for at, name in enumerate(self.names)}
        pairs = [(at, places[name]) for at, each in enumerate(learnt) for name in each.features if name in places]
        rows, columns = np.array([*pairs, *((at, 0) for at in range(len(learnt)))]).T.copy()
        wanted = np.eye(1 + len(KINDS))[:, [each.kind for each in learnt]]
        self.weights = _fit(rows, columns, wanted, np.array([each.weight for each in learnt]), len(self.names)).T


def _fit(rows: "Array", columns: "Array", wanted: "Array", weights: "Array", size: int) -> "Array":
    """Nesterov's accelerated gradient on the likelihood with a ridge; the bias is free.

    What belongs to a kind is a row of an array, so that it lies together in memory.
    """
    import numpy as np

    by_example, by_feature = _sums(rows, columns, len(weights)), _sums(columns, rows, size)
    ridge = np.full(size, _RIDGE)
    ridge[0] = 0.01
    vector = np.ones((1, size))
    for _ in range(30):  # the power method: the largest slope of the likelihood
        vector = by_feature(weights * by_example(vector))
        largest = float(np.linalg.norm(vector))
        vector /= largest
    step = 1.0 / (0.5 * 1.05 * largest + _RIDGE)
    found = ahead = np.zeros((len(wanted), size))
    for number in range(_STEPS):
        scores = by_example(ahead)
        powers = np.exp(scores - scores.max(axis=0))
        slopes = weights * (powers / powers.sum(axis=0) - wanted)
        new = ahead - step * (by_feature(slopes) + ridge * ahead)
        ahead, found = new + number / (number + 3) * (new - found), new
    return found


def _sums(places: "Array", taken: "Array", size: int) -> "Callable[[Array], Array]":
    """A function that adds up, for each place, what the values that belong to it are; each place must have one.

    What is added lies together, which takes half the time of `bincount`.
    """
    import numpy as np

    order = np.argsort(places, kind="stable")
    taken, starts = taken[order], np.searchsorted(places[order], np.arange(size))
    return lambda values: np.stack([np.add.reduceat(each[taken], starts) for each in values])


def format_weights(fit: Fit, fitted_to: str) -> str:
    """The text of the file; features with hardly any weight are left out."""
    import numpy as np

    head = f"# Written by scripts/fit_lasting.py from {fitted_to}: a feature of a clause, and its weights for: nothing"
    lines = [f"{head} {' '.join(KINDS)}"]
    for name, weights in sorted(zip(fit.names, np.rint(fit.weights * UNIT).astype(int).tolist(), strict=True)):
        if not name or max(map(abs, weights)) >= _LEAST * UNIT:
            lines.append(f"{name}\t{' '.join(map(str, weights))}")
    return "\n".join(lines) + "\n"


def main(sets: Sequence[str]) -> None:
    """Fit, and write the file."""
    learnt = shipped(MEASURED | {*sets})
    fit = Fit(learnt)
    FILE.write_text(format_weights(fit, digest(learnt)), encoding="utf-8")
    sys.stdout.write(f"{len(fit.names)} features\n")


if __name__ == "__main__":
    main(sys.argv[1:])
