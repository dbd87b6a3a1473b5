"""docs/filing.md: its example is what the command prints, and its numbers follow from its formulas."""

import math
import re

import pytest
from support import PROJECT, Memoir

from memoir.filing.evidence import default_evidence, stems_with_marks
from memoir.filing.levels import best_levels, read, weigh_words
from memoir.filing.regression import STATIC, Constants, regression_of
from memoir.settings import FILING_THRESHOLD
from memoir.taxonomy import catalogue

PAGE = (PROJECT / "docs/filing.md").read_text("utf-8")
TEXT = "The import fails because the cache is cold."
ROWS = re.findall(r"^\| `(.+?)` \| ([\d.]+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)


def test_the_example_prints_what_the_page_shows(memoir: Memoir) -> None:
    text = PAGE.partition("--dry-run\n")[2].partition("```")[0]

    assert memoir.ok("remember", TEXT, "--classifier", "rules", "--dry-run") == text


def test_the_evidence_is_what_the_classifier_finds() -> None:
    words = stems_with_marks(TEXT)
    weights = {
        " ".join(words[place.start : place.stop]): max(
            weight for path, weight in by_path.items() if path.partition(".")[0] == "debugging"
        )
        for place, by_path in default_evidence().matches(words)
        if any(path.partition(".")[0] == "debugging" for path in by_path)
    }

    assert weights == {phrase: float(weight) for phrase, weight, *_ in ROWS}


def test_the_numbers_follow_from_the_formulas() -> None:
    for phrase, weight, levels, rarity, place, evidence in ROWS:
        assert math.log(17.5 / int(levels)) / math.log(17.5) == pytest.approx(float(rarity), abs=1e-4), phrase
        assert float(weight) * float(rarity) * float(place) == pytest.approx(float(evidence), abs=2e-4), phrase
    memory, evidence = read(TEXT), default_evidence()
    words, regression = weigh_words(memory, evidence), regression_of(STATIC)
    constants = regression.constants
    best, rival = best_levels(memory, evidence, words)
    total = sum(float(row[-1]) for row in ROWS)
    assert words.first_levels["debugging"] == pytest.approx(total, abs=1e-3)
    own = constants.of_first * words.first_levels["debugging"]
    assert _right("p", "(1 - p)", "ln n", constants) in PAGE and _memory("q / (1 - q)", constants) in PAGE
    length = f"ln {len(TEXT.split())}"
    assert _right(f"{best.share:.4f}", f"{1 - best.share:.4f}", length, constants).replace("-", "−") in PAGE
    assert _memory(f"{best.no_memory:.4f} / {1 - best.no_memory:.4f}", constants).replace("-", "−") in PAGE
    confidence = regression.confidence(best.share, best.no_memory, len(TEXT.split()))
    for number in (total, own, best.score - own, best.score, best.share, best.no_memory, confidence, rival.score):
        assert f"{number:.4f}" in PAGE
    assert f"{constants.of_first:g} for a first level and {constants.of_second:g} for a second one" in PAGE
    assert (best.name, rival.name) == ("debugging", "project")


def _right(share: str, rest: str, length: str, constants: Constants) -> str:
    odds = f"{constants.of_odds:g} ln({share} / {rest})"
    return f"e^({-constants.bias:g} - {odds} + {-constants.of_length:g} {length})"


def _memory(odds: str, constants: Constants) -> str:
    return f"e^({-constants.bias_of_memory:g} + {-constants.of_no_memory:g} ln({odds}))"


def test_the_taxonomy_and_the_threshold_are_as_it_says() -> None:
    first = catalogue.default().first_levels

    assert f"{len(first)} first levels" in PAGE and f"below {FILING_THRESHOLD.default:g}" in PAGE
    assert 65 <= len(catalogue.default()) - len(first) <= 75
