"""The options of a query, as Python callers give them, are checked."""

from typing import cast

import pytest

from memoir.errors import InvalidInput
from memoir.recall.options import Options, check


@pytest.mark.parametrize("field", ["limit", "max_chars"])
@pytest.mark.parametrize("value", [0, -1, 2.5, True, "3", float("nan")])
def test_the_library_refuses_the_same_values(field: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        check("q", cast(Options, {field: value}))


def test_an_unknown_option_of_the_library_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="recall has no option 'globes'"):
        check("q", cast(Options, {"globes": ()}))
