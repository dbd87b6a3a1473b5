"""Which of the values that git found count."""

import pytest

from memoir import setting_rules
from memoir.setting_rules import sort_out


def test_what_a_store_may_not_set_is_sorted_out_and_the_users_own_name_comes_last() -> None:
    ours, theirs = ("global", "user.name", "Ann"), ("local", "user.name", "Project")
    limit, model = ("local", "memoir.recall.k", "4"), ("local", "memoir.llm.model", "theirs")

    assert sort_out([ours, theirs, limit, model]) == ([theirs, ours, limit], [model])


def test_settings_of_a_store_that_contradict_each_other_do_not_count() -> None:
    without_words, without_vectors = (("memoir.recall.bm25weight", "0"), ("memoir.recall.vectorweight", "0"))
    entries = [("global", *without_words), ("local", *without_vectors)]

    assert sort_out(entries) == (entries[:1], entries[1:])


def test_a_key_of_gits_own_is_passed_on_without_looking_for_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setting_rules, "find", lambda key: pytest.fail(f"looked for {key}"))
    entries = [("system", "core.pager", "less"), ("local", "core.bare", "true"), ("local", "remote.origin.url", "x")]

    assert sort_out(entries) == (entries, [])
