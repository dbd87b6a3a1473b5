"""The day that a document is of."""

import pytest

from memoir.sources.reading import read_source


@pytest.mark.parametrize(
    ("name", "text", "day"),
    [
        ("daily/2025-03-04.md", "The office moved.", "2025-03-04"),
        ("journals/2025_03_04.md", "The office moved.", "2025-03-04"),
        ("2025-03-04 Stand-up.md", "---\ndate: 2025-05-06\n---\nThe office moved.", "2025-03-04"),
        ("note.md", "---\ntitle: Move\ndate: '2025-05-06'\n---\nThe office moved.", "2025-05-06"),
        ("note.md", "---\r\ndate: 2025-05-06T10:00:00Z\r\n---\r\nThe office moved.", "2025-05-06"),
        ("note.md", "---\ntitle: Move\n---\ndate: 2025-05-06", None),
        ("2025-03-04/note.md", "The office moved.", None),
        ("20260304-13-2026-99-04.md", "The office moved.", None),
        ("before-2999-01-01.md", "The office moves.", None),
    ],
)
def test_the_day_of_a_document_is_in_its_name_or_its_frontmatter(name: str, text: str, day: str | None) -> None:
    found = read_source(name, text).day

    assert (found and found.strftime("%Y-%m-%d")) == day
