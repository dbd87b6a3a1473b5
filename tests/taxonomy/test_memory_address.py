"""Addresses of single memories, and of passages."""

from memoir.taxonomy.paths import memory_address


def test_the_address_of_a_passage_needs_no_layer() -> None:
    whole, short = memory_address("default:raw:sources.chat.0001#p2"), memory_address("sources.chat.0001#p2")

    assert short == whole and whole.short_key == "sources.chat.0001#p2"
    assert memory_address("sources.chat.0001#p2", "user:ada").namespace == "user:ada:raw"
    assert memory_address("sources.chat.0001#p2", "user:ada:raw").namespace == "user:ada:raw"
    assert memory_address("sources.chat.0001#ab").namespace == "default"
