"""What the environment says about the API, and what of it is never shown."""

import pytest

from memoir.errors import ExitCode, LlmUnavailable
from memoir.llm.model import Access, is_configured, read_access

GATEWAY = "http://gateway.example:8080"


@pytest.mark.parametrize(
    "environ",
    [{"ANTHROPIC_API_KEY": "k"}, {"ANTHROPIC_AUTH_TOKEN": "t"}, {"ANTHROPIC_BASE_URL": GATEWAY}],
    ids=lambda environ: next(iter(environ)),
)
def test_any_one_of_three_configures(environ: dict[str, str]) -> None:
    assert is_configured(environ)


def test_nothing_or_empty_values_do_not_configure() -> None:
    empty = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": " ", "ANTHROPIC_BASE_URL": ""}

    assert not is_configured({}) and not is_configured(empty)
    with pytest.raises(LlmUnavailable) as error:
        read_access(empty)
    assert error.value.exit_code == ExitCode.LLM_UNAVAILABLE
    assert "ANTHROPIC_API_KEY" in str(error.value.hint) and "ANTHROPIC_BASE_URL" in str(error.value.hint)


def test_an_empty_variable_is_as_good_as_none() -> None:
    access = read_access({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_AUTH_TOKEN": "", "ANTHROPIC_BASE_URL": ""})

    assert access == Access("https://api.anthropic.com", "k", None)


def test_the_key_goes_before_the_token() -> None:
    assert read_access({"ANTHROPIC_API_KEY": "k", "ANTHROPIC_AUTH_TOKEN": "t"})[1:] == ("k", None)
    assert read_access({"ANTHROPIC_AUTH_TOKEN": "t"})[1:] == (None, "t")


def test_a_line_end_after_a_key_is_not_of_the_key() -> None:
    assert read_access({"ANTHROPIC_API_KEY": "k\n"}).api_key == "k"


@pytest.mark.parametrize("value", ["sk-sec\nret", "sk-sec\u2026ret"])
def test_what_cannot_be_a_key_is_refused_without_being_shown(value: str) -> None:
    with pytest.raises(LlmUnavailable, match="ANTHROPIC_API_KEY contains characters") as error:
        read_access({"ANTHROPIC_API_KEY": value})

    assert "sk-" not in f"{error.value} {error.value.hint}"


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(LlmUnavailable, match="ANTHROPIC_BASE_URL is not an address"):
        read_access({"ANTHROPIC_BASE_URL": "localhost:8080"})


def test_the_place_is_shown_without_a_password() -> None:
    assert read_access({"ANTHROPIC_BASE_URL": GATEWAY}).place == GATEWAY
    address = "https://me:secret@gateway.example/v?key=secret"
    assert read_access({"ANTHROPIC_BASE_URL": address}).place == "gateway.example/v"


def test_secrets_are_blotted_out() -> None:
    assert Access(api_key="sk-12345").without_secrets("bad key sk-12345!") == "bad key [key]!"
    assert Access(auth_token="a-token").without_secrets("a-token") == "[key]"
    assert Access(api_key="no-key").without_secrets("no-key") == "no-key"
