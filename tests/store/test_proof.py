"""A proof holds for what the commit has, and for nothing else; the verifier in examples/ always agrees."""

import base64
import hashlib
import json
import random
import runpy
import sys
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import PROJECT, examples, write

from memoir.errors import DamagedStore, NotFound, NotProven
from memoir.git.objects import object_id
from memoir.store import proof as proofs
from memoir.store.create import create
from memoir.store.proof import HASHES, Proof, check, prove, read
from memoir.store.store import Store

SINGLE_BYTE_CHANGES = 10_000
_EXAMPLE = PROJECT / "examples/verify_proof.py"
_VERIFY: Callable[[bytes], tuple[str, str, str | None]] = runpy.run_path(str(_EXAMPLE))["verify"]


def _verified(data: bytes) -> tuple[str, str, str | None] | None:
    """What a text proves (None: nothing), by memoir and by the example, which must agree."""
    try:
        proof = read(data)
        check(proof)
        ours = str(proof.commit), proof.key.decode(), None if proof.value is None else proof.value.decode()
    except NotProven:
        ours = None
    try:
        theirs = _VERIFY(data)
    except (ValueError, TypeError, zlib.error):
        theirs = None
    assert ours == theirs
    return ours


def _seal(**fields: Any) -> bytes:
    """The text of a proof with any fields, its digest right."""
    before = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    return before + b',"sha256":"' + hashlib.sha256(before).hexdigest().encode() + b'"}'


def _fields(proof: Proof) -> dict[str, Any]:
    fields = json.loads(bytes(proof))
    del fields["sha256"]
    return dict(fields)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store whose tree has three levels; some keys are not ASCII."""
    store = create(tmp_path_factory.mktemp("large"))
    edits = {f"default=section{n % 50}.part.fact{n}": f"value {n}" for n in range(6000)}
    write(store, {**edits, "user:ada=préférences.été": "naïve"})
    assert store.head().tree.height == 2
    return store


def _keys(store: Store) -> list[bytes]:
    return [key for key, _ in store.head().tree.scan()]


def test_every_kind_of_key_is_proved_there_or_absent(large: Store) -> None:
    keys = _keys(large)
    absent = [b"a=a", b"zz=z", *(key + b"x" for key in keys[::400]), *(key[:-1] + b"." for key in keys[::700])]
    for key in (keys[0], keys[-1], *keys[::300], *absent):
        value = large.head().read([key]).get(key)
        head = large.head().commit
        assert head
        found = _verified(bytes(prove(large.head(), key)) + b"\n")
        assert found == (str(head.id), key.decode(), value.decode() if value else None)


@pytest.mark.parametrize("hash_name", ["sha1", "sha256"])
def test_small_trees_are_proved_too(tmp_path_factory: pytest.TempPathFactory, hash_name: str) -> None:
    with create(tmp_path_factory.mktemp("small"), hash_name) as store:
        with pytest.raises(NotFound):
            prove(store.head(), b"default=a.b")
        write(store, {"default=a.b": "one"})
        assert _verified(bytes(prove(store.head(), b"default=a.b")))
        write(store, {"default=a.b": None})  # an empty tree holds the marker alone
        found = _verified(bytes(prove(store.head(), b"default=a.b")))
        assert found and found[2] is None


@pytest.mark.slow
def test_no_change_of_one_byte_is_accepted(large: Store) -> None:
    chance = random.Random(26)
    keys = _keys(large)
    texts = [bytes(prove(large.head(), key)) + b"\n" for key in (*chance.sample(keys, 5), b"default=a.b", b"zz=z")]
    for number in range(examples(SINGLE_BYTE_CHANGES)):
        text = bytearray(texts[number % len(texts)])
        place = chance.randrange(len(text))
        text[place] = (text[place] + chance.randrange(1, 256)) % 256
        assert _verified(bytes(text)) is None


@pytest.mark.slow
def test_no_changed_object_is_accepted_though_the_digest_is_right(large: Store) -> None:
    """The digest of the line is for accidents; the ids are what an attacker has to beat."""
    chance = random.Random(27)
    proof = prove(large.head(), _keys(large)[4000])
    fields = _fields(proof)
    for number in range(examples(2000)):
        place = number % len(proof.objects)
        data = bytearray(proof.objects[place])
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        packed = [*fields["objects"]]
        packed[place] = base64.b64encode(zlib.compress(bytes(data))).decode()
        assert _verified(_seal(**{**fields, "objects": packed})) is None


@pytest.mark.slow
@given(st.data())
def test_with_the_digest_right_only_the_truth_is_accepted(large: Store, data: st.DataObject) -> None:
    keys = _keys(large)
    fields = _fields(prove(large.head(), data.draw(st.sampled_from(keys[::97]))))
    other = data.draw(st.one_of(st.sampled_from(keys[::31]).map(bytes.decode), st.text(max_size=8)))
    changed = {
        "key": other,
        "record": data.draw(st.one_of(st.none(), st.text(max_size=8))),
        "objects": data.draw(st.permutations(fields["objects"])),
        "hash": "sha256",
        "commit": fields["commit"].upper(),
        "memoir-proof": data.draw(st.sampled_from([1.0, True, 2, "1", None])),
    }
    name = data.draw(st.sampled_from(sorted(changed)))
    try:
        text = _seal(**{**fields, name: changed[name]})
    except UnicodeEncodeError:
        return
    if (found := _verified(text)) is not None:
        key = found[1].encode()
        assert large.head().read([key]).get(key) == (None if found[2] is None else found[2].encode())


def _forged(nodes: list[bytes], key: str, record: str | None) -> bytes:
    """A proof whose ids all fit, of a commit that nobody made."""
    tree = object_id(HASHES["sha1"][0], "tree", nodes[0])
    commit = b"tree %s\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n" % tree.hex().encode()
    value = None if record is None else record.encode()
    oid = object_id(HASHES["sha1"][0], "commit", commit)
    return bytes(Proof("sha1", oid, key.encode(), value, [commit, *nodes]))


def _tree(rows: dict[str, tuple[str, bytes]], *empty: str) -> bytes:
    """A git tree of the kinds and contents of what is in it, by name, and of empty files."""
    hasher = HASHES["sha1"][0]
    entries = {**rows, **dict.fromkeys(empty, ("blob", b""))}
    names = sorted(entries, key=lambda name: name.encode() + b"/" * (entries[name][0] == "tree"))
    modes = {"blob": b"100644", "tree": b"40000"}
    return b"".join(
        b"%s %s\0%s" % (modes[entries[name][0]], name.encode(), object_id(hasher, *entries[name])) for name in names
    )


MARKERS = ("memoir-format-1", "memoir-format-2")


def _leaf(*keys: str, markers: tuple[str, ...] = ()) -> bytes:
    return _tree(dict.fromkeys(keys, ("blob", b"r")), *markers)


def _root(*children: tuple[int, str, bytes], markers: tuple[str, ...] = MARKERS) -> bytes:
    """A root of the second format."""
    (_, first, _), *_ = children
    note = f"{first};{','.join(str(count) for count, _, _ in children)}"
    return _tree({f";{key}" if key != first else ";": ("tree", data) for _, key, data in children}, note, *markers)


def _old_root(*children: tuple[int, str, bytes], markers: tuple[str, ...] = MARKERS[:1]) -> bytes:
    """A root of the first format."""
    return _tree({f"{count};{key}": ("tree", data) for count, key, data in children}, *markers)


ONE, TWO = _leaf("n=a", "n=b"), _leaf("n=m", "n=z")
INNER = {";": ("tree", ONE), ";n=m": ("tree", TWO)}


@pytest.mark.parametrize(
    ("nodes", "key"),
    [
        ([_root((2, "n=a", ONE), (2, "n=m", TWO)), ONE], "n=b"),
        ([_root((2, "n=a", ONE), (2, "n=m", TWO)), TWO], "n=m"),
        ([_leaf("n=b", markers=MARKERS)], "n=b"),
        ([_old_root((2, "n=a", ONE), (2, "n=m", TWO)), ONE], "n=b"),
        ([_old_root((2, "n=a", ONE), (2, "n=m", TWO)), TWO], "n=m"),
        ([_leaf("n=b", markers=MARKERS[:1])], "n=b"),
    ],
)
def test_a_tree_in_order_is_accepted_whoever_made_it(nodes: list[bytes], key: str) -> None:
    assert _verified(_forged(nodes, key, "r"))


@pytest.mark.parametrize(
    ("nodes", "key", "record"),
    [
        ([_root((3, "n=a", ONE), (2, "n=m", TWO)), ONE], "n=b", "r"),  # a false count
        ([_root((2, "n=0", ONE), (2, "n=m", TWO)), ONE], "n=b", "r"),  # another first key
        ([_root((2, "n=a", ONE), (2, "n=b", TWO)), ONE], "n=a", "r"),  # a key of the next node's range
        ([_root((2, "n=a", ONE), (2, "n=m", TWO)), TWO], "n=b", None),  # a neighbour that lacks the key
        ([_root((2, "n=a", ONE), (2, "n=m", TWO))], "n=b", None),  # it ends above the leaves
        ([_leaf("n=b")], "n=b", "r"),  # no marker
        ([_leaf("n=b", markers=("memoir-format-2",))], "n=b", "r"),
        ([_leaf("n=b", markers=(*MARKERS, "memoir-format-3"))], "n=b", "r"),
        ([_root((2, "n=a", ONE), (2, "n=m", TWO)), ONE, ONE], "n=b", "r"),
        ([_root((1, "n=a", _leaf("n=a", markers=MARKERS))), _leaf("n=a", markers=MARKERS)], "n=a", "r"),
        ([_leaf("n=b", "nothing", markers=MARKERS)], "n=b", "r"),
        ([_leaf("n=b", markers=MARKERS) + _leaf("n=a")], "n=b", "r"),  # out of git's order
        ([_root((2, "n=a", ONE), (2, "n=m", TWO), markers=MARKERS[:1]), ONE], "n=b", "r"),
        ([_old_root((2, "n=a", ONE), (2, "n=m", TWO), markers=MARKERS), ONE], "n=b", "r"),
        ([_old_root((3, "n=a", ONE), (2, "n=m", TWO)), ONE], "n=b", "r"),
        (
            [_root((2, "n=a", _old_root((2, "n=a", ONE), markers=()))), _old_root((2, "n=a", ONE), markers=()), ONE],
            "n=b",
            "r",
        ),  # the two formats in one tree
        ([_tree(INNER, *MARKERS), ONE], "n=b", "r"),  # no counts
        ([_tree(INNER, "n=a;2", *MARKERS), ONE], "n=b", "r"),
        ([_tree(INNER, "n=a;2,2", "n=a;3,2", *MARKERS), ONE], "n=b", "r"),  # counted twice
        ([_tree({**INNER, "n=a;2,2": ("blob", b"x")}, *MARKERS), ONE], "n=b", "r"),  # not an empty file
        ([_tree({**INNER, "n=a;2,2": ("tree", TWO)}, *MARKERS), ONE], "n=b", "r"),
        ([_tree({";n=a": ("tree", ONE), ";n=m": ("tree", TWO)}, "n=a;2,2", *MARKERS), ONE], "n=b", "r"),
        ([_tree({";": ("tree", ONE), "x;n=m": ("tree", TWO)}, "n=a;2,2", *MARKERS), ONE], "n=b", "r"),
        ([_tree(INNER, "n=a;02,2", *MARKERS), ONE], "n=b", "r"),
        ([_tree(INNER, "n=a;2,2,", *MARKERS), ONE], "n=b", "r"),
        ([_tree(INNER, "n=0;2,2", *MARKERS), ONE], "n=b", "r"),
    ],
)
def test_a_tree_that_could_hide_a_key_is_refused(nodes: list[bytes], key: str, record: str | None) -> None:
    assert _verified(_forged(nodes, key, record)) is None


def test_a_large_object_is_not_decompressed(large: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = _fields(prove(large.head(), b"zz=z"))
    fields["objects"][1] = base64.b64encode(zlib.compress(bytes(proofs.MOST_BYTES + 1))).decode()
    assert _verified(_seal(**fields)) is None


@pytest.mark.parametrize("text", [b"", b"\n", b"{}", b"[]", b'{"a":1,"sha256":"0"}', b"\xff" * 50, b'x,"sha256":"'])
def test_what_is_no_proof_is_refused(text: bytes) -> None:
    assert _verified(text) is None


def test_the_second_verifier_has_80_lines_of_the_standard_library() -> None:
    lines = [line for line in _EXAMPLE.read_text("utf-8").splitlines() if line.strip()]
    imports = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert len(lines) <= 80 and imports <= sys.stdlib_module_names


def test_a_record_that_is_not_text_cannot_be_proved(store: Store) -> None:
    from memoir.store import transaction
    from memoir.store.transaction import Change

    transaction.write(store, lambda head: Change([(b"n=a", b"\xff")], "bytes"), reason="bytes")
    with pytest.raises(DamagedStore, match="not text"):
        prove(store.head(), b"n=a")
