"""The grammar of paths, namespaces and ids, the keys they make, and globs over paths."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoir.errors import InvalidInput
from memoir.taxonomy.paths import (
    Address,
    address,
    check_namespace,
    check_path,
    common_prefix,
    from_key,
    is_prefix_glob,
    literal_prefix,
    matcher,
    memory_address,
)

SEGMENTS = st.text("abcXYZ019_-éñ漢かдجक्ष", min_size=1, max_size=6)


@pytest.mark.parametrize(
    "path",
    ["a", "preferences.coding.testing", "a.b.c.d.e.f.g.h", "_x.0.A-b", "日本.記憶", "हिन्दी.स्मृति", "é.ü", "مرحبا.ذاكرة"],
)
def test_well_formed_paths_are_kept_as_they_are(path: str) -> None:
    assert check_path(path) == path


@pytest.mark.parametrize(
    ("path", "reason", "correction"),
    [
        ("", "empty", None),
        ("../../etc/passwd", "a segment is empty", "etc.passwd"),
        ("a/b", "'/' cannot be in", "a.b"),
        ("a..b", "a segment is empty", "a.b"),
        (".a.", "a segment is empty", "a"),
        ("-a", "'-' cannot begin", "a"),
        ("coding style", "' ' cannot be in", "coding_style"),
        ("a.b.c.d.e.f.g.h.i", "9 segments", "a.b.c.d.e.f.g.h_i"),
        ("e\u0301", "composed form", "é"),
        ("a\u202eb", "cannot be in", "ab"),
        ("a\u200bb", "cannot be in", "ab"),
        ("a=b", "'=' cannot be in", "ab"),
        ("a\nb", "cannot be in", "a_b"),
        ("\u0301a", "cannot be in", None),
        ("½", "cannot be in", None),
    ],
)
def test_malformed_paths_are_refused_with_the_reason_and_the_path_most_likely_meant(
    path: str, reason: str, correction: str | None
) -> None:
    with pytest.raises(InvalidInput) as error:
        check_path(path)

    assert reason in error.value.message
    if correction:
        assert error.value.hint == f"did you mean {correction!r}?"


@pytest.mark.parametrize(
    "key", ["a.b@{1}", "a.b@yesterday", "a.b@HEAD~1", "a.b@main^", "a.b@2026-01-02", "HEAD~1:a.b", "main^:a.b"]
)
def test_who_writes_a_revision_as_git_has_it_is_told_how(key: str) -> None:
    with pytest.raises(InvalidInput) as error:
        address(key)

    assert error.value.hint and "memoir get KEY --at REVISION, or --at DATE" in error.value.hint


def test_a_lone_surrogate_is_no_letter() -> None:
    with pytest.raises(InvalidInput, match="not valid Unicode"):
        check_path("a\udc80")


@pytest.mark.parametrize("namespace", ["default", "user:alice", "a@b.c"[:3], "conv-26", "_", "каталог:1"])
def test_namespaces_may_hold_colons_and_at_signs(namespace: str) -> None:
    assert check_namespace(namespace) == namespace


@pytest.mark.parametrize("namespace", ["", ":a", "@a", "-a", "a.b", "a b", "a=b", "a/b"])
def test_malformed_namespaces_are_refused(namespace: str) -> None:
    with pytest.raises(InvalidInput, match="not a namespace"):
        check_namespace(namespace)


def test_the_bound_is_on_the_whole_key_in_bytes() -> None:
    assert len(address("p" * 232, "default").key) == 240
    with pytest.raises(InvalidInput, match="241 bytes"):
        address("p" * 233, "default")
    with pytest.raises(InvalidInput, match="too long"):
        address("漢" * 80)


@given(SEGMENTS, st.lists(SEGMENTS, min_size=1, max_size=8))
def test_full_keys_and_store_keys_read_back(namespace: str, segments: list[str]) -> None:
    path = ".".join(segments)
    try:
        place = address(path, namespace + ":x@y")
    except InvalidInput:
        return
    assert place == Address(namespace + ":x@y", path)
    assert address(place.full_key) == place
    assert from_key(place.key) == place


@given(st.lists(st.tuples(st.sampled_from(["default", "user", "user:x", "user-x"]), SEGMENTS, SEGMENTS), max_size=9))
def test_sorted_keys_keep_each_namespace_and_each_subtree_together(names: list[tuple[str, str, str]]) -> None:
    """So one range of keys has a whole namespace, and another all that is below a path."""
    rows = [(space, path) for space, one, two in names for path in (one, f"{one}.{two}") if is_address(space, path)]
    keys = sorted(Address(*row).key for row in rows)

    for space, path in rows:
        assert [key for key in keys if f"{space}=".encode() <= key < f"{space}>".encode()] == sorted(
            Address(*row).key for row in rows if row[0] == space
        )
        low = Address(space, path).key + b"."
        assert [key for key in keys if low <= key < low[:-1] + b"/"] == sorted(
            Address(*row).key for row in rows if row[0] == space and row[1].startswith(f"{path}.")
        )


@given(st.text(max_size=8) | SEGMENTS, st.text(max_size=12))
def test_whatever_is_an_address_reads_back_and_all_else_is_refused(namespace: str, path: str) -> None:
    try:
        place = address(path, namespace)
    except InvalidInput:
        return
    assert address(place.full_key) == address(place.short_key) == from_key(place.key) == place


def is_address(namespace: str, path: str) -> bool:
    try:
        address(path, namespace)
    except InvalidInput:
        return False
    return True


def test_a_full_key_overrides_the_namespace() -> None:
    assert address("user:alice:a.b", "other") == Address("user:alice", "a.b")


def test_a_path_is_under_itself_and_what_it_goes_on_from() -> None:
    paths = ["a.b", "a.b.c", "a.bc", "a", "a.b-c"]

    assert [path for path in paths if Address("user", path).is_under(Address("user", "a.b"))] == ["a.b", "a.b.c"]
    assert not Address("user", "a.b").is_under(Address("default", "a.b"))


@pytest.mark.parametrize(
    ("glob", "hint"),
    [
        ("a.b#cf021d74", "'memoir get a.b#cf021d74' reads it"),
        ("~0009#p1", "'memoir get ~0009#p1' reads it"),
        ("~0009", "'memoir get ~0009' reads it"),
        ("user:alice:goals.*", "write the path alone: 'goals.*'; -n chooses a namespace"),
    ],
)
def test_a_pattern_that_no_path_can_match_is_refused(glob: str, hint: str) -> None:
    with pytest.raises(InvalidInput, match="not a pattern of paths") as error:
        matcher(["a.*", glob])

    assert error.value.hint == hint


GLOBS = st.text("ab.*?[]!", max_size=6)
PATHS = st.text("ab.", min_size=1, max_size=6)


@given(st.lists(GLOBS, min_size=1, max_size=3), PATHS)
def test_matching_is_fnmatchs_and_globs_are_united(globs: list[str], path: str) -> None:
    assert matcher(globs)(path) == any(fnmatch.fnmatchcase(path, glob) for glob in globs)


@given(st.lists(GLOBS, min_size=1, max_size=3), PATHS)
def test_every_match_begins_with_the_common_prefix(globs: list[str], path: str) -> None:
    if matcher(globs)(path):
        assert path.startswith(common_prefix(globs))


def test_no_globs_match_everything() -> None:
    assert matcher([])("anything")


@pytest.mark.parametrize(
    ("glob", "prefix", "whole"),
    [
        ("preferences.*", "preferences.", True),
        ("*", "", True),
        ("a?b*", "a", False),
        ("a.b", "a.b", False),
        ("a[bc]*", "a", False),
    ],
)
def test_prefix_globs_are_recognised(glob: str, prefix: str, whole: bool) -> None:
    assert literal_prefix(glob) == prefix
    assert is_prefix_glob(glob) is whole


def test_the_address_of_a_passage_needs_no_layer() -> None:
    whole, short = memory_address("default:raw:sources.chat.0001#p2"), memory_address("sources.chat.0001#p2")

    assert short == whole and whole.short_key == "sources.chat.0001#p2"
    assert memory_address("sources.chat.0001#p2", "user:ada").namespace == "user:ada:raw"
    assert memory_address("sources.chat.0001#p2", "user:ada:raw").namespace == "user:ada:raw"
    assert memory_address("sources.chat.0001#ab").namespace == "default"
