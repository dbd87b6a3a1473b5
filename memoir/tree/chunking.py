"""The rule that cuts the prolly tree into nodes, and its reasons.

The boundaries of nodes must depend only on the set of keys. Then two stores with equal memories have equal roots, in
whatever order they were written; a diff opens only nodes that differ; and an insert moves no other boundary. So the
rule looks at one key and nothing else:

    level(key) = the number of trailing zero 6-bit groups of SHA-256(salt + key)
    a key of level > h begins a new node at height h (leaves have height 0)

One key in 64 has level 1 or more, one in 4,096 level 2 or more, and so on: nodes hold 64 entries on average at every
height. The value plays no part, so changing a memory never moves a boundary. The salt is a constant of the format and
not secret: keys chosen to degrade another store's shape degrade the chooser's own as well. It names the first format;
all formats have the same shape.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from memoir.git.objects import algorithm
from memoir.tree.node import MAX_HEIGHT

GROUP_BITS = 6
SALT = b"memoir-format-1\0"


@lru_cache(maxsize=10_000)
def level(key: bytes) -> int:
    """The number of heights at which the key begins a node."""
    digest = int.from_bytes(algorithm("sha256")(SALT + key).digest(), "big")
    zeros_at_end = (digest & -digest).bit_length() - 1
    return zeros_at_end // GROUP_BITS if digest else MAX_HEIGHT


def misplaced(keys: Iterable[bytes], height: int) -> Iterator[bytes]:
    """The keys whose level is not this height; fast for height 0, where nearly all keys are."""
    digest_of, rest = algorithm("sha256"), (1 << GROUP_BITS) - 1
    raised = keys if height else [key for key in keys if not digest_of(SALT + key).digest()[-1] & rest]
    return (key for key in raised if level(key) != height)


def cut(keys: Iterable[bytes], height: int) -> list[list[bytes]]:
    """Split sorted keys into the key lists of the nodes at a height.

    The first key always begins a node; every later one does if its level exceeds the height.
    """
    nodes: list[list[bytes]] = []
    for key in keys:
        if not nodes or level(key) > height:
            nodes.append([])
        nodes[-1].append(key)
    return nodes
