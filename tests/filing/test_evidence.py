"""The words of a memory as evidence for categories."""

import pytest

from memoir.filing.evidence import (
    CUE,
    PAST,
    CategoryEvidence,
    compiled,
    default_evidence,
    evidence_of,
    stems_with_marks,
    usual_weights,
)
from memoir.taxonomy.catalogue import Catalogue, Category, default


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


def test_a_phrase_that_the_default_taxonomy_has_there_keeps_its_fitted_weight() -> None:
    coding, other = "preferences.coding", "preferences.garden"
    own = Catalogue(
        [Category(coding, "", cues=("frobnicate", "tabs", "early return")), Category(other, "", cues=("tabs",))]
    )

    evidence, default = evidence_of(own), default_evidence()

    for phrase in ("tab", "earli return"):
        fitted = default.weights(phrase)[coding]
        assert evidence.weights(phrase)[coding] == fitted != usual_weights(own)[tuple(phrase.split())][coding]
    assert evidence.weights("frobnic") == {coding: CUE[0]}
    assert evidence.weights("tab")[other] == CUE[0]
    assert evidence.weights("earli") == evidence.weights("frobnic tab") == {}


def test_what_only_adds_to_the_default_taxonomy_weighs_as_if_all_were_compiled() -> None:
    added = [
        Category("zx", "Kilns", ("Never glaze twice",), ("frobnitz", "never")),
        Category("zx.oven", "Bisque firing"),
    ]
    catalogue = default().plus(Catalogue(added))

    assert _by_word(evidence_of(catalogue)) == _by_word(compiled(catalogue)) != _by_word(default_evidence())


def _by_word(evidence: CategoryEvidence) -> dict[str, list[str]]:
    """The phrases by their first words, in no order."""
    paths, *lines = evidence.dumps().splitlines()
    return {"": paths.split()} | {line.split("\t")[0]: sorted(line.split("\t")[1:]) for line in lines}
