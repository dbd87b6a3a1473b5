"""Blocks between two marks: added, found again and taken out, and nothing else with them."""

import pytest

from memoir.hosts.setup.pieces import TextBlock

BLOCK = TextBlock("one\ntwo")


@pytest.mark.parametrize("text", ["", "mine\n", "mine\r\nand mine\r\n", "\ufeffmine\n"])
def test_a_block_comes_and_goes_and_keeps_the_ends_of_lines(text: str) -> None:
    after = BLOCK.add_to(text)

    assert "two" in after and after.startswith(text)
    assert ("\r\n" in text) is (after.count("\n") == after.count("\r\n"))
    assert BLOCK.remove_from(after) == text


@pytest.mark.parametrize("mark", [f"{BLOCK.begin}\n", f"{BLOCK.begin}\nold\n", f"{BLOCK.end}\n"])
def test_what_follows_a_mark_without_its_end_is_the_users(mark: str) -> None:
    text = f"mine\n{mark}and mine\n"

    assert BLOCK.remove_from(text) == text
    assert BLOCK.remove_from(BLOCK.add_to(text)) == text
