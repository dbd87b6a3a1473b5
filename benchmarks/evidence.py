"""How much of a question's evidence recall prints, of conversations ingested as files and imported turn by turn.

    /tmp/bench/bin/python -m benchmarks.evidence FOLDER... [--only ingest] [--embedder onnx] [--dump FILE]

A FOLDER is a set of conversations (`benchmarks/evidence_sets.py` says which there are and where they come from). Each
conversation has a store of its own, which `memoir ingest` fills with a file of JSON lines, `{speaker or role, content,
timestamp}`, or `memoir import` with a memory for each turn. `recall --batch - --json --limit 40` answers its questions.

A token is four characters of content, and each hit costs eight more. Contents are counted in the order of the hits, and
cut where the budget ends. A turn of the evidence is found where a line of it stands in what is printed; of a line that
is cut, a part of at least 40 characters is enough. A shorter line, or one that other turns have too, counts only if the
turn has no other; `--loose` counts every line of 8 characters or more. The score of a question is the share of its
evidence that is found; scores are means over questions.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import IO, Any, NamedTuple

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import table
from benchmarks.command_store import ask, complete, contents, create, memoir
from benchmarks.evidence_score import Evidence, within
from benchmarks.evidence_sets import READERS, Conversation, Question, Turn, form_of
from benchmarks.recall_store import seal

WAYS = ("ingest", "import")
BUDGETS = (1000, 2000)
HITS = 10
LEGS: Mapping[str, Mapping[str, str]] = {
    "words alone": {"vectorWeight": "0", "weight.concepts": "0", "weight.synonyms": "0"},
    "vectors alone": {"bm25Weight": "0", "weight.concepts": "0", "weight.synonyms": "0"},
}
"""The settings `memoir.recall.*` of a ranking by one leg."""
AFTER = 3
"""The hits after which standing instructions are counted, in the row that counts them."""


class Outcome(NamedTuple):
    """A question, the shares of its evidence in each measure, and the same with standing instructions."""

    kind: str
    shares: Sequence[float]
    with_standing: Sequence[float]


class Run(NamedTuple):
    """All questions of a set asked in one way, and the seconds that filling and asking took."""

    outcomes: Sequence[Outcome]
    filling: float
    asking: float
    standing: bool


def run(
    way: str, conversations: Sequence[Conversation], options: argparse.Namespace, dump: IO[str] | None
) -> Mapping[str, Run]:
    """Fill a store with each conversation, ask it, and judge the answers; by leg, if asked for, too."""
    legs = {way: {}, **({f"{way}, {leg}": settings for leg, settings in LEGS.items()} if options.legs else {})}
    outcomes: dict[str, list[Outcome]] = {name: [] for name in legs}
    asking, filling, standing = dict.fromkeys(legs, 0.0), 0.0, False
    for conversation in conversations:
        asked = conversation.questions[: options.questions]
        evidence = Evidence(conversation, loose=options.loose)
        with TemporaryDirectory(prefix="memoir-bench-") as folder:
            start = perf_counter()
            fill(way, conversation, Path(folder), options)
            filling += perf_counter() - start
            for name, settings in legs.items():
                start = perf_counter()
                answers = _ask(Path(folder), [one.text for one in asked], settings, options)
                asking[name] += perf_counter() - start
                standing = standing or any(answer.get("standing") for answer in answers)
                outcomes[name] += [judge(*pair, evidence) for pair in zip(asked, answers, strict=True)]
                for question, answer in zip(asked, answers, strict=True) if dump else ():
                    line = {"conversation": conversation.name, "way": name, **report(question, answer, evidence)}
                    print(json.dumps(line, ensure_ascii=False), file=dump)
    return {name: Run(its, filling, asking[name], standing) for name, its in outcomes.items()}


def _ask(folder: Path, asked: Sequence[str], settings: Mapping[str, str], options: argparse.Namespace) -> list[Any]:
    for name, value in settings.items():
        memoir(folder, "config", f"memoir.recall.{name}", value)
    answers = ask(folder, asked, "--mode", options.mode, *options.option)
    for name in settings:
        memoir(folder, "config", "--unset", f"memoir.recall.{name}")
    return answers


def fill(way: str, conversation: Conversation, folder: Path, options: argparse.Namespace) -> None:
    """Store a conversation; then complete the index."""
    create(folder)
    if way == "import":
        memoir(folder, "import", "-", "--allow-secret", text="\n".join(_memories(conversation)))
    else:
        talk = folder / "talk"
        talk.mkdir()
        for name, turns in _files(conversation, options.files).items():
            (talk / f"{name}.jsonl").write_text("\n".join(map(_message, turns)) + "\n", "utf-8")
        memoir(folder, "ingest", str(talk))
    complete(folder)


def judge(question: Question, answer: Mapping[str, Any], evidence: Evidence) -> Outcome:
    """The shares of the evidence that an answer prints."""
    hits, extra = contents(answer), [one["content"] for one in answer.get("standing") or []]
    return Outcome(
        question.kind,
        shares(question, hits, evidence),
        shares(question, [*hits[:AFTER], *extra, *hits[AFTER:]], evidence),
    )


def shares(question: Question, printed: Sequence[str], evidence: Evidence) -> list[float]:
    """The share of the evidence within each budget, and within the first hits."""
    cuts = [*(within(printed, budget) for budget in BUDGETS), printed[:HITS]]
    return [len(evidence.found(question.evidence, cut)) / len(question.evidence) for cut in cuts]


def report(question: Question, answer: Mapping[str, Any], evidence: Evidence) -> Mapping[str, Any]:
    """A question for the dump: what was sought, the place where each turn was first printed, and the whole answer."""
    printed = contents(answer)
    return {
        "question": question.text,
        "kind": question.kind,
        "shares": shares(question, printed, evidence),
        "evidence": {turn: evidence.text(turn) for turn in sorted(question.evidence)},
        "places": {turn: evidence.place(turn, printed) for turn in sorted(question.evidence)},
        "hits": [{**hit, "ranking": None} for hit in answer["memories"]],
        "standing": answer.get("standing"),
    }


def rows(name: str, runs: Mapping[str, Run], by_kind: bool) -> Iterator[Sequence[str]]:
    """A row for each way, and one for each of its kinds."""
    for way, (outcomes, filling, asking, standing) in runs.items():
        times = [f"{filling:.0f} s", f"{asking:.0f} s"]
        yield [name, way, "all", str(len(outcomes)), *_means(one.shares for one in outcomes), *times]
        if standing:
            yield [
                name,
                f"{way}, standing",
                "all",
                str(len(outcomes)),
                *_means(one.with_standing for one in outcomes),
                *times,
            ]
        for kind in sorted({one.kind for one in outcomes}) if by_kind else ():
            own = [one.with_standing for one in outcomes if one.kind == kind]
            yield [name, way, kind, str(len(own)), *_means(own), "", ""]


def _means(shares: Any) -> list[str]:
    return [f"{statistics.mean(column):.3f}" for column in zip(*shares, strict=True)]


def _files(conversation: Conversation, by: str) -> Mapping[str, Sequence[Turn]]:
    if by == "chat":
        return {conversation.name: conversation.turns}
    names = dict.fromkeys(turn.session for turn in conversation.turns)
    return {name: [turn for turn in conversation.turns if turn.session == name] for name in names}


def _message(turn: Turn) -> str:
    who = {"role": turn.role} if turn.role else {"speaker": turn.speaker}
    return json.dumps({**who, "content": turn.text, "timestamp": turn.when}, ensure_ascii=False)


def _memories(conversation: Conversation) -> Iterator[str]:
    """A line for each turn; between people its content begins with the name, as talk is kept."""
    for number, turn in enumerate(conversation.turns, 1):
        who = {"role": turn.role} if turn.role else {"person": turn.speaker}
        yield json.dumps(
            {
                "path": f"talk.{turn.session}.{number:04}",
                "content": turn.text if turn.role else f"{turn.speaker}: {turn.text}",
                "timestamp": turn.when,
                "metadata": who,
            }
        )


def main() -> None:
    """Measure every set in every way, and print the tables."""
    options = _parser().parse_args()
    seal(options.embedder)
    dump = options.dump.open("w", encoding="utf-8") if options.dump else None
    header = [
        "set",
        "way",
        "kind",
        "questions",
        *(f"@{budget}" for budget in BUDGETS),
        f"@{HITS} hits",
        "filling",
        "asking",
    ]
    lines: list[Sequence[str]] = []
    for folder in options.folder:
        form = options.set or form_of(folder)
        conversations = [*READERS[form](folder)]
        for way in WAYS if options.only is None else [options.only]:
            lines += rows(form, run(way, conversations, options, dump), options.kinds)
    print(table.markdown(header, lines))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--set", choices=(*READERS,), help="what the folders hold (told by their files)")
    parser.add_argument("--only", choices=WAYS, help="one way of filling the store")
    parser.add_argument("--files", choices=("chat", "session"), default="chat", help="what is one file (%(default)s)")
    parser.add_argument("--mode", default="simple", help="of recall (%(default)s)")
    parser.add_argument(
        "--option", action="append", default=[], metavar="--NAME=VALUE", help="another option of recall (repeatable)"
    )
    parser.add_argument("--embedder", choices=("hash", "static", "onnx", "minilm"), default="static")
    parser.add_argument("--kinds", action="store_true", help="a row for each kind of question too")
    parser.add_argument("--legs", action="store_true", help="rank by words alone and by vectors alone too")
    parser.add_argument("--loose", action="store_true", help="count any line of a turn, even if others have it too")
    parser.add_argument("--questions", type=int, metavar="N", help="only the first N of each conversation")
    parser.add_argument("--dump", type=Path, metavar="FILE", help="write each question with what was printed to it")
    return parser


if __name__ == "__main__":
    main()
