"""A credential goes as a whole, however it is stored: a key with its body, and one that several segments have."""

from hashlib import sha256
from pathlib import Path

import pytest

from memoir.layers.segments import read_segments
from memoir.memory.write_options import WriteOptions
from memoir.purge.cut_credentials import cut_credentials
from memoir.repository.repository import Repository

BODY = [sha256(bytes([number])).hexdigest() for number in range(60)]
KEY = "\n".join(("-----BEGIN RSA PRIVATE KEY-----", *BODY, "-----END RSA PRIVATE KEY-----"))
BEFORE, AFTER = "# Keys\n\n" + "Some words before it. " * 30, "And what comes after."
ALLOWED = WriteOptions(allow_secrets=True)


def ingest(repository: Repository, folder: Path, text: str) -> list[str]:
    (folder / "keys.md").write_text(text)
    repository.sources.ingest(folder / "keys.md", options=ALLOWED)
    return segments(repository)


def segments(repository: Repository) -> list[str]:
    with Repository.open(repository.path) as fresh:
        return [each.content for each in read_segments(fresh.store.head(), "default", "keys").values()]


def test_the_body_of_a_private_key_goes_with_its_head(repository: Repository) -> None:
    repository.remember(f"Ours is\n{KEY}\n{AFTER}", "settings.key", options=ALLOWED)

    repository.upkeep.purge(secrets=True)

    assert [each.content for each in repository.get("settings.key") or ()] == [f"Ours is\n…\n{AFTER}"]


def test_a_key_across_segments_goes_from_each(repository: Repository, tmp_path: Path) -> None:
    before = ingest(repository, tmp_path, f"{BEFORE}\n\n{KEY}\n\n{AFTER}\n")
    assert len(before) == 3 and KEY in "".join(before)

    done = repository.upkeep.purge(secrets=True)

    assert [value.address.path for value in done.values] == [f"sources.keys.000{number}" for number in (1, 2, 3)]
    after = segments(repository)
    assert [*map(len, after)] == [*map(len, before)]
    assert "".join(after).replace("…", "").split() == f"{BEFORE} {AFTER}".split()
    assert done.search and not done.search.found


def test_it_goes_from_a_state_that_its_source_had_once(repository: Repository, tmp_path: Path) -> None:
    ingest(repository, tmp_path, f"{BEFORE}\n\n{KEY}\n\n{AFTER}\n")
    ingest(repository, tmp_path, f"{BEFORE}\n\n{AFTER}\n")

    done = repository.upkeep.purge(secrets=True)

    assert [value.address.path for value in done.values] == [f"sources.keys.000{number}" for number in (1, 2, 3)]
    assert done.search and not done.search.found


def test_only_what_lies_across_is_cut(repository: Repository, tmp_path: Path) -> None:
    short = "\n".join(("-----BEGIN RSA PRIVATE KEY-----", *BODY[:3], "-----END RSA PRIVATE KEY-----"))
    ingest(repository, tmp_path, f"# Keys\n\n{short}\n\n# Others\n\n{AFTER}\n")

    assert not cut_credentials(repository.store)


def test_what_somebody_wrote_where_a_layer_would_be_is_no_source(repository: Repository) -> None:
    repository.remember(f"Ours is\n{KEY}", "key", namespace="default:raw", options=ALLOWED)

    repository.upkeep.purge(secrets=True)

    (kept,) = repository.get("default:raw:key") or ()
    assert kept.content.startswith("Ours is\n…") and BODY[0] not in kept.content


@pytest.mark.parametrize("end", ["", "\n\n## Last\n\nAn excerpt of its last lines:\n\n-----END RSA PRIVATE KEY-----\n"])
def test_the_rest_of_a_source_is_no_part_of_a_key_that_was_cut_off(
    repository: Repository, tmp_path: Path, end: str
) -> None:
    cut_off = KEY.partition("\n-----END")[0]
    others = "\n\n".join(f"## Part {number}\n\nThe owner of part {number} is Ada." for number in range(3))
    ingest(repository, tmp_path, f"{BEFORE}\n\n{cut_off}\n\n{others}{end}")

    repository.upkeep.purge(secrets=True)

    after = "".join(segments(repository))
    assert [number for number in range(3) if f"The owner of part {number} is Ada." in after] == [0, 1, 2]
    assert not any(line in after for line in BODY)
