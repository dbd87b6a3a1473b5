"""What the first segment of a path decides."""

import pytest

from memoir.taxonomy.kinds import default_policy


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("experience.session.turn", "append"),
        ("episodic.x", "append"),
        ("preferences.coding", "confidence_gated"),
        ("anything", "confidence_gated"),
        ("context.now", "replace"),
        ("working", "replace"),
    ],
)
def test_the_first_segment_of_a_path_decides_the_policy(path: str, policy: str) -> None:
    assert default_policy(path) == policy
