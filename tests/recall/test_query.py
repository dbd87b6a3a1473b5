"""A query's factor for a memory."""

from memoir.recall.query import Boost, Query


def test_boosts_multiply() -> None:
    query = Query("q", 0.0, {}, boosts=(Boost("a.*", 2.0), Boost("*.x", 0.5), Boost("b", 9.0)))
    own = query._replace(boost_fn=lambda namespace, path, content: len(namespace + path + content))

    assert [query.factor("n", path, "c") for path in ("a.x", "a.y", "c.x", "b", "c")] == [1.0, 2.0, 0.5, 9.0, 1.0]
    assert own.factor("n", "a.y", "cc") == 2.0 * 6
