"""Commands of the user's own."""

from support import Memoir


def test_an_alias_runs_its_command(memoir: Memoir) -> None:
    memoir.remember("a.b", "Use pytest")
    memoir.remember("a.c", "Use ruff")
    memoir.ok("config", "alias.g", "get a.b --raw")

    assert memoir.ok("g") == "Use pytest"
    assert memoir.ok("config", "alias.g") == "get a.b --raw\n"
    assert memoir.json("config", "alias.both", "get a.b")["key"] == "memoir.alias.both"
    assert memoir.json("both", "a.c")["found_count"] == 2
    assert memoir.run("nosuch").err.startswith("memoir: no command named 'nosuch'")


def test_an_unusable_or_foreign_alias_is_refused(memoir: Memoir) -> None:
    for name, value in (("get", "ls"), ("x", "nosuch -l 3"), ("x", ""), ("x", "ls 'a")):
        assert memoir.run("config", f"alias.{name}", value).status == 2, (name, value)
    memoir.git("config", "memoir.alias.evil", "forget a.b")
    memoir.remember("a.b", "hello")

    assert memoir.run("evil").status == 2
    assert memoir.content("a.b") == "hello"
