"""Object ids."""

from memoir.git.objects import Oid

HEX = "0123456789abcdef0123456789abcdef01234567"


def test_an_id_is_written_as_it_is_read() -> None:
    oid = Oid.fromhex(HEX)

    assert isinstance(oid, Oid)
    assert (str(oid), f"{oid}", oid.hex(), oid.short) == (HEX, HEX, HEX, "01234567")
    assert f"{oid:.12}" == "0123456789ab"
    assert repr(oid) == f"Oid({HEX!r})"


def test_ids_are_equal_and_in_order_as_their_digits_are() -> None:
    ids = [Oid(bytes([number])) for number in (255, 16, 1)]

    assert sorted(ids) == [Oid.fromhex(digits) for digits in ("01", "10", "ff")]
    assert len({*ids, Oid(b"\1")}) == 3
