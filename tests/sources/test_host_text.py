"""What hosts put into a user's message is taken out of it, and the user's words stay."""

import pytest
from support import without_endless_work

from memoir.errors import InvalidInput
from memoir.hosts import payload
from memoir.sources.messages import strip_host_text
from memoir.sources.reading import read_source


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<system-reminder>Use the list.</system-reminder>\nWe moor at Porto.", "We moor at Porto."),
        ("<ide_selection>\nx = 1\n</ide_selection>Why one?<bash-stdout>2</bash-stdout>", "Why one?"),
        ("<command-name>/clear</command-name>\n<command-args></command-args>", ""),
        ('<hook_context source="x">Memories</hook_context> Sail.', "Sail."),
        ("<div>Is this markup?</div> <task>Sail.</task>", "<div>Is this markup?</div> <task>Sail.</task>"),
    ],
)
def test_only_the_hosts_elements_go(text: str, words: str) -> None:
    assert strip_host_text(text) == words


def test_what_is_not_closed_is_the_users_question_in_a_transcript_and_cut_off_in_a_prompt() -> None:
    text = "What does <system-reminder> do?"

    assert strip_host_text(text) == text
    assert payload.strip_host_text(text) == "What does"
    assert payload.strip_host_text("<task-notification>7 is done.</task-notification> Sail.") == "Sail."


@pytest.mark.parametrize("text", ["<system-reminder>" * 30_000, "<bash-x>" * 30_000 + "</bash-y>" * 30_000])
def test_no_message_takes_long(text: str) -> None:
    with without_endless_work():
        assert len(strip_host_text(text)) <= len(text)


def test_json_that_breaks_off_is_no_document() -> None:
    with pytest.raises(InvalidInput, match=r"^chat\.json breaks off"):
        read_source("chat.json", '{"sessionId": "s", "messages": [{"type": "user", "content": "We deploy\n')
    assert read_source("tsconfig.json", '{"strict": true // always\n}').kind == "document"
