"""Which of some texts a file has."""

from hypothesis import given
from hypothesis import strategies as st

from memoir.purge.sought import Sought

_TEXTS = st.text('ab \n"é', min_size=1, max_size=6).filter(str.strip)


@given(st.sets(_TEXTS, max_size=4), _TEXTS)
def test_it_finds_those_that_it_would_find_alone(texts: set[str], file: str) -> None:
    data = file.encode()
    sought, alone = Sought(texts), {text for text in texts if Sought([text]).is_in(data)}

    assert set(sought.found_in(data)) == alone
    assert sought.is_in(data) == bool(alone)
    sought.drop(alone)
    assert set(sought.texts) == texts - alone and not sought.is_in(data)
