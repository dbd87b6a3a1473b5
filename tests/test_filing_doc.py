"""docs/filing.md: its example is what the command prints, and its numbers follow from its formulas."""

import math
import re

import pytest
from support import PROJECT, Memoir

from memoir.filing.evidence import default_evidence, stems_with_marks, weigh
from memoir.settings import FILING_THRESHOLD
from memoir.taxonomy import catalogue

PAGE = (PROJECT / "docs/filing.md").read_text("utf-8")
TEXT = "Our deploy script fails when the cache is cold."
ROWS = re.findall(r"^\| `(.+?)` \| ([\d.]+) \| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", PAGE, re.MULTILINE)


def test_the_example_prints_what_the_page_shows(memoir: Memoir) -> None:
    shown = PAGE.partition("--dry-run\n")[2].partition("```")[0]

    assert memoir.ok("remember", TEXT, "--classifier", "rules", "--dry-run") == shown


def test_the_evidence_is_what_the_classifier_finds() -> None:
    words = stems_with_marks(TEXT)
    found = {
        " ".join(words[place.start : place.stop]): max(
            weight for path, weight in by_path.items() if path.partition(".")[0] == "debugging"
        )
        for place, by_path in default_evidence().matches(words)
        if any(path.partition(".")[0] == "debugging" for path in by_path)
    }

    assert found == {phrase: float(weight) for phrase, weight, *_ in ROWS}


def test_the_numbers_follow_from_the_formulas() -> None:
    for phrase, weight, levels, rarity, place, evidence in ROWS:
        assert math.log(17.5 / int(levels)) / math.log(17.5) == pytest.approx(float(rarity), abs=1e-4), phrase
        assert float(weight) * float(rarity) * float(place) == pytest.approx(float(evidence), abs=2e-4), phrase
    total, rival = sum(float(row[-1]) for row in ROWS), 3.3555
    lead = (total - rival) / (total + rival + 1)
    confidence = 1 / (1 + math.exp(3.55 - 0.50 * total - 1.05 * lead - 0.90 * 5))
    for number in (total, lead, confidence):
        assert f"{number:.4f}" in PAGE
    _, weights, words = weigh(stems_with_marks(TEXT), default_evidence())
    assert words["debugging"] == 5
    assert weights["debugging"] == pytest.approx(total, abs=1e-3) and weights["context"] == pytest.approx(
        rival, abs=1e-3
    )


def test_the_taxonomy_and_the_threshold_are_as_it_says() -> None:
    first = catalogue.default().first_levels

    assert f"{len(first)} first levels" in PAGE and f"below {FILING_THRESHOLD.default:g}" in PAGE
    assert 65 <= len(catalogue.default()) - len(first) <= 75
