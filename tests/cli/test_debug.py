"""`MEMOIR_DEBUG=1` shows where a failure came from; without it nobody sees a traceback."""

import pytest
from support import Memoir

OUT_OF_RANGE = ("config", "memoir.recall.k", "many")


@pytest.mark.parametrize("value", ["", "0", "no"])
def test_causes_are_hidden(memoir: Memoir, value: str) -> None:
    done = memoir.run(*OUT_OF_RANGE, MEMOIR_DEBUG=value)

    assert done.status == 2 and "Traceback" not in done.err and "ValueError" not in done.err


def test_causes_are_shown_in_order_and_the_message_last(memoir: Memoir) -> None:
    done = memoir.run(*OUT_OF_RANGE, MEMOIR_DEBUG="1")

    assert done.status == 2
    causes, _, failure = done.err.partition("The above exception was the direct cause of the following exception")
    assert "ValueError: " in causes and "memoir/setting.py" in causes
    assert "InvalidInput: memoir.recall.k must be" in failure
    assert "memoir: memoir.recall.k must be" in failure.splitlines()[-1] + failure.splitlines()[-2]


def test_json_stays_one_object(memoir: Memoir) -> None:
    done = memoir.run(*OUT_OF_RANGE, "--json", MEMOIR_DEBUG="1")

    assert done.json["error"]["code"] == "invalid_input" and "Traceback" in done.err


def test_no_credential_is_shown(memoir: Memoir) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    done = memoir.run("config", "memoir.recall.k", token, MEMOIR_DEBUG="1")

    assert done.status == 2 and token not in done.err
