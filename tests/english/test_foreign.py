"""A text is told to be in another language by its letters and its commonest words."""

import json

import pytest

from benchmarks.capture import AGENTS
from memoir.english.foreign import is_foreign


@pytest.mark.parametrize(
    "text",
    [
        "Wir benutzen seit letztem Monat ruff statt flake8.",
        "das Backend läuft auf 8080",
        "Siempre usa pnpm. El puerto de staging es 5433.",
        "Utilise toujours pnpm, jamais npm",
        "Sempre use pnpm, não npm",
        "zawsze używaj ruff, nie flake8",
        "用 pnpm，不要用 npm",
        "pytestを使ってください",
        "фронтенд на порту 3000",
        "Постгрес на порту 5433",
        "ВСЕГДА ИСПОЛЬЗУЙ pnpm",
        "Всегда используй pnpm",
        "Мы используем Постгрес",
        "השתמש תמיד ב pnpm",
        "გამოიყენე ყოველთვის pnpm",
        "用pnpm不用npm，请",
    ],
)
def test_a_text_in_another_language_with_names_of_tools(text: str) -> None:
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "use pnpm not npm",
        "always use ruff, and bitte keine Umlaute in file names",
        "Ask Мария about the deploy on Monday",
        "Наталья owns billing",
        "Мария Иванова owns billing",
        "محمد owns billing",
        "王小明 owns billing",
        "Γιάννης leads QA",
        "It’s “done” — 20 °C, naïve café",
        "de la Cruz is the one who owns the billing service",
        "The fee is 10 µs per call",
        "import os\nos.listdir()",
        "See api.example.com and www.example.com",
        "fix messages/de.po and fr.po",
        "processes die, workers die",
        "Fix this:\n```sql\nSELECT des, con FROM com;\n```",
    ],
)
def test_english_with_a_foreign_word_or_name(text: str) -> None:
    assert not is_foreign(text)


def test_no_message_of_an_agent_in_english_is_taken_for_another_language() -> None:
    assert not [text for line in AGENTS.read_text("utf-8").splitlines() if is_foreign(text := json.loads(line)["text"])]
