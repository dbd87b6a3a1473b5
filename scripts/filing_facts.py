"""Which labelled facts the regressions of filing are fitted to, and which are held out to judge them.

`fit_filing.py` fits the regressions; a test sees whether they are fitted to the facts as they are now.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memoir.embedders import weights
from memoir.embedders.static import FILE as TABLE
from memoir.git.objects import sha1

FACTS = Path(__file__).resolve().parent.parent / "tests" / "filing" / "facts.jsonl"
WORLDS = FACTS.with_name("worlds.jsonl")
TRADES = FACTS.with_name("trades.jsonl")
TERSE = FACTS.with_name("terse.jsonl")
"""Facts in a few words each."""
RULES = FACTS.with_name("rules.jsonl")
"""What developers tell coding agents: rules, and facts of a code base."""
SHORT = FACTS.parents[2] / "benchmarks" / "short"
NO_MEMORIES = FACTS.with_name("no_memories.jsonl")
NOISE = "fitted"
"""The texts that are not memories."""
TUNED_SETS = ("tune", "developer", "third", "early")
"""The sets that the cues were tuned on: in them words are better evidence than in any other text."""
HELD_OUT_SET = "sixth"
JUDGES = (
    "birds", "library", "winery", "campsite", "upholstery", "research", "studio", "household", "it", "family",
    "hospital", "podcast", "rental", "vets", "newsroom", "ceramics", "robotics", "payments", "student", "mobile",
    "choir", "energy", "terse", "hasty", "quick", "rules",
)  # fmt: skip
"""The worlds of `benchmarks/short` that are held out as well."""


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    yield from map(json.loads, file.read_text("utf-8").splitlines())


def fitted_lines() -> list[str]:
    """The lines of `facts.jsonl` that are fitted to."""
    return [line for line in FACTS.read_text("utf-8").splitlines() if json.loads(line)["set"] != HELD_OUT_SET]


WORLD_FILES = (WORLDS, TRADES, TERSE, RULES)
"""The files of worlds that filing is fitted to, beside those of `benchmarks/short`."""


def short_worlds() -> list[Path]:
    """The files of the worlds of `benchmarks/short` that are fitted to."""
    files = sorted(SHORT.glob("*.facts.jsonl"))
    return [file for file in files if file.name.partition(".")[0] not in JUDGES]


def digest() -> str:
    """The digest of what is fitted to, which the files name; a test compares it."""
    files = (*WORLD_FILES, *short_worlds(), NO_MEMORIES)
    texts = "\n".join([*fitted_lines(), *(file.read_text("utf-8") for file in files)]).encode()
    return sha1(texts + TABLE.read_bytes() + weights.DIGEST.encode()).hex()
