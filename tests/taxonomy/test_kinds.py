"""What the first segment of a path decides."""

import pytest

from memoir.taxonomy.kinds import default_policy, kind_of


@pytest.mark.parametrize(
    ("path", "kind", "policy"),
    [
        ("experience.session.turn", "episodic", "append"),
        ("episodic.x", "episodic", "append"),
        ("preferences.coding", "semantic", "confidence_gated"),
        ("anything", "semantic", "confidence_gated"),
        ("context.now", "working", "replace"),
        ("working", "working", "replace"),
    ],
)
def test_kinds_and_their_policies(path: str, kind: str, policy: str) -> None:
    assert kind_of(path) == kind
    assert default_policy(path) == policy
