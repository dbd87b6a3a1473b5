"""The lock files of a store."""

import os
from pathlib import Path

import pytest

from memoir.git.lock import held


@pytest.mark.parametrize(("folder_mode", "expected"), [(0o755, 0o644), (0o775, 0o664), (0o700, 0o600)])
def test_who_may_write_to_a_store_may_lock_it(tmp_path: Path, folder_mode: int, expected: int) -> None:
    tmp_path.chmod(folder_mode)
    before = os.umask(0o077 if folder_mode == 0o700 else 0o022)
    try:
        with held(tmp_path / "x.lock"):
            pass
    finally:
        os.umask(before)

    assert (tmp_path / "x.lock").stat().st_mode & 0o777 == expected


def test_a_lock_of_another_user_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.lock").touch(0o644)
    tmp_path.chmod(0o775)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)

    with held(tmp_path / "x.lock"):
        pass

    assert (tmp_path / "x.lock").stat().st_mode & 0o777 == 0o644
