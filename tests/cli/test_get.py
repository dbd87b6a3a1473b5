"""`memoir get`: point reads."""

from support import Memoir


def test_a_missing_key_is_answered_not_refused(memoir: Memoir) -> None:
    memoir.remember("preferences.coding.testing", "Use pytest")

    answer = memoir.json("get", "preferences.coding.testing", "no.such.path")

    assert [item["found"] for item in answer["items"]] == [True, False]
    assert answer["items"][0]["value"]["content"] == "Use pytest"
    assert answer["items"][1]["value"] is None
    assert (answer["count"], answer["found_count"]) == (2, 1)
