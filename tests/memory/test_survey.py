"""Surveys by counts: complete, sorted, and from the tree's counts alone."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from objects import Objects

from memoir.memory.survey import Survey, summarize
from memoir.store.snapshot import Snapshot
from memoir.taxonomy.paths import Address, address

PATHS = st.lists(st.sampled_from(["a", "b", "a-b", "a_", "ab", "0"]), min_size=1, max_size=4).map(".".join)
CONTENTS = st.sets(st.tuples(st.sampled_from(["default", "user", "user:x", "user-x"]), PATHS), max_size=60)


def snapshot(places: set[tuple[str, str]]) -> Snapshot:
    objects = Objects()
    return Snapshot(objects, objects.build({Address(*place).key: b"" for place in places}), None)


@given(CONTENTS)
def test_namespaces_are_counted(places: set[tuple[str, str]]) -> None:
    survey = summarize(snapshot(places))

    assert survey.namespaces == Counter(name for name, _ in places)
    assert list(survey.namespaces) == [
        name for name, _ in sorted(survey.namespaces.items(), key=lambda item: item[0] + "=")
    ]


@given(CONTENTS, st.integers(1, 4))
def test_prefixes_and_shorter_paths_are_counted_at_a_depth(places: set[tuple[str, str]], depth: int) -> None:
    survey = summarize(snapshot(places), depth=depth)

    for name, prefixes in survey.prefixes.items():
        expected = Counter(".".join(path.split(".")[:depth]) for each, path in places if each == name)
        assert prefixes == expected
        assert list(prefixes) == sorted(prefixes)


@given(CONTENTS, st.integers(1, 3), st.sampled_from([["a.*"], ["a*"], ["*b"], ["a", "b.*"], ["*"], ["a.[ab].*", "0*"]]))
def test_globs_restrict_groups_and_list_the_keys(places: set[tuple[str, str]], depth: int, globs: list[str]) -> None:
    from memoir.taxonomy.paths import matcher

    survey = summarize(snapshot(places), depth=depth, globs=globs)

    for name in survey.namespaces:
        paths = sorted(path for each, path in places if each == name and matcher(globs)(path))
        assert survey.matches[name] == paths
        assert survey.prefixes[name] == Counter(".".join(path.split(".")[:depth]) for path in paths)


@given(CONTENTS, st.integers(1, 7))
def test_paging_visits_every_key_once(places: set[tuple[str, str]], limit: int) -> None:
    keys, after, here = [], None, snapshot(places)
    while True:
        survey: Survey = summarize(here, globs=["*"], limit=limit, after=after)
        keys += [(name, path) for name, paths in survey.matches.items() for path in paths]
        if (after := survey.cut_at) is None:
            break
    assert sorted(keys) == sorted(places)
    assert len(keys) == len(places)


@pytest.mark.slow
def test_a_survey_of_a_large_store_loads_no_memory_and_few_nodes() -> None:
    objects = Objects()
    root = objects.build({f"default=p{n % 5}.x{n % 50}.k{n}".encode(): b"" for n in range(50_000)}).root
    here = Snapshot(objects, objects.tree(root), None)
    objects.reads = 0

    survey = summarize(here, depth=1)

    assert survey.prefixes == {"default": {f"p{n}": 10_000 for n in range(5)}}
    assert objects.reads < 60


def test_a_given_namespace_is_listed_even_if_it_is_empty() -> None:
    survey = summarize(snapshot({("default", "a")}), ["default", "nobody"], depth=1)

    assert survey.namespaces["nobody"] == 0
    assert survey.prefixes["nobody"] == {}


def test_after_may_name_a_key_that_does_not_exist() -> None:
    survey = summarize(snapshot({("default", "a"), ("default", "c")}), globs=["*"], after=address("b"))

    assert survey.matches == {"default": ["c"]}
