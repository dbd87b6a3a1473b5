"""The subject of a commit says what was remembered, without credentials and control characters."""

from memoir.memory.write_options import subject


def test_a_subject_is_the_first_words_on_one_line() -> None:
    assert subject("remember a.b", "Bob is\n  in Busan") == "remember a.b: Bob is in Busan"
    assert subject("remember a.b", "xyzzy " * 30) == "remember a.b: " + " ".join(["xyzzy"] * 8) + "…"
    assert subject("remember a.b", "x" * 80) == "remember a.b: " + "x" * 49 + "…"


def test_control_characters_are_left_out() -> None:
    assert subject("edit a", "red \x1b[31m\u202e end\u2028Memoir-Put: x") == "edit a: red [31m end Memoir-Put: x"
    assert subject("edit a", "\n") == "edit a"


def test_a_subject_never_contains_a_credential() -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2"

    for before in ("", "the token of the build is ", "a sentence of some length before the token: "):
        text = subject("remember a.b", f"{before}{token}")
        assert "ghp_" not in text, text
