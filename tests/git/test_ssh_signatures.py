"""Signatures of commits, by a program that stands for ssh-keygen."""

import pytest

from memoir.git.ssh_signatures import SignatureCheck, verify

SIGNED = b"tree 1\ngpgsig -----BEGIN SSH SIGNATURE-----\n U1NI\n -----END SSH SIGNATURE-----\n\nA message\n"


@pytest.mark.parametrize("time", [-(10**30), 0, 10**30])
def test_a_commit_of_any_time_is_checked(time: int) -> None:
    assert verify(SIGNED, time, "/dev/null", "true") == SignatureCheck("unknown")
