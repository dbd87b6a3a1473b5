"""Conversations with questions, each set brought into one form by a small reader.

None of the data is here, and a reader opens nothing but the files that it names.

* `locomo`: `memories.jsonl` and `questions.jsonl` as `benchmarks.recall_quality` reads them, a memory for each turn
  (Maharana et al., 2024, CC BY-NC 4.0; github.com/snap-research/locomo).
* `realtalk`: a folder of `Chat_*.json` (github.com/danny911kr/REALTALK, `data/`): messages between two people over
  three weeks, with questions. A turn that the questions name but the chat lacks is left out.
* `beam`: a folder of folders with `chat.json` and `probing_questions/probing_questions.json`
  (github.com/mohammadtavakoli78/BEAM, `chats/100K/`): chats with an assistant. A question's evidence is all that
  `source_chat_ids` names. The marks `->-> 1,1` that were left at the end of messages are taken off, and a message has
  the date of the last `time_anchor` before it.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""The categories of LoCoMo and REALTALK."""
_MARK = re.compile(r"\s*->->\s*[\d,.\s]*$")
_DIALOGUE = re.compile(r"D\d+:\d+")


class Turn(NamedTuple):
    """What was said, by whom (a name, or `user` and `assistant`), when, and in which session."""

    id: str
    speaker: str
    text: str
    when: str
    session: str

    @property
    def role(self) -> str | None:
        """The role, if an agent's chat names the speaker so."""
        return self.speaker if self.speaker in ("user", "assistant") else None


class Question(NamedTuple):
    """A question, its kind, and the ids of the turns that hold its answer."""

    text: str
    kind: str
    evidence: frozenset[str]


class Conversation(NamedTuple):
    """A conversation and what is asked about it; questions without evidence are left out."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def locomo(folder: Path) -> Iterator[Conversation]:
    """The conversations of a folder with memories and questions in JSON lines."""
    memories, asked = _lines(folder / "memories.jsonl"), _lines(folder / "questions.jsonl")
    for name in dict.fromkeys(line["namespace"] for line in memories):
        turns = [_locomo_turn(line) for line in memories if line["namespace"] == name]
        kinds = ((line, CATEGORIES[line["category"]]) for line in asked if line["namespace"] == name)
        yield _conversation(name, turns, [_question(line, kind, line["evidence"]) for line, kind in kinds])


def _locomo_turn(line: Mapping[str, Any]) -> Turn:
    speaker, _, text = line["content"].partition(": ")
    return Turn(line["path"], speaker, text, line["timestamp"], line["path"].split(".")[1])


def realtalk(folder: Path) -> Iterator[Conversation]:
    """The chats of a folder."""
    for file in sorted(folder.glob("Chat_*.json")):
        chat = json.loads(file.read_text("utf-8"))
        sessions = {name: said for name, said in chat.items() if re.fullmatch(r"session_\d+", name)}
        turns = [_realtalk_turn(message, name) for name, said in sessions.items() for message in said]
        asked = [_question(line, CATEGORIES[line["category"]], _dialogues(line)) for line in chat["qa"]]
        yield _conversation(file.stem, turns, asked)


def _realtalk_turn(message: Mapping[str, Any], session: str) -> Turn:
    when = datetime.strptime(message["date_time"], "%d.%m.%Y, %H:%M:%S").replace(tzinfo=UTC)
    text = message["clean_text"].strip()
    return Turn(message["dia_id"], message["speaker"], text, f"{when:%Y-%m-%dT%H:%M:%SZ}", session)


def _dialogues(line: Mapping[str, Any]) -> list[str]:
    return [one for entry in line["evidence"] for one in _DIALOGUE.findall(entry)]


def beam(folder: Path) -> Iterator[Conversation]:
    """The chats of a folder, in the order of their numbers."""
    for file in sorted(folder.glob("*/chat.json"), key=lambda file: (len(file.parent.name), file.parent.name)):
        asked = json.loads((file.parent / "probing_questions" / "probing_questions.json").read_text("utf-8"))
        questions = [
            _question(line, kind, [str(one) for one in _numbers(line.get("source_chat_ids", []))])
            for kind, lines in asked.items()
            for line in lines
        ]
        yield _conversation(f"chat-{file.parent.name}", [*_beam_turns(json.loads(file.read_text("utf-8")))], questions)


def _beam_turns(batches: list[Any]) -> Iterator[Turn]:
    when = ""
    for number, batch in enumerate(batches, 1):
        for message in (message for turn in batch["turns"] for message in turn):
            if anchor := message.get("time_anchor"):
                when = datetime.strptime(anchor, "%B-%d-%Y").strftime("%Y-%m-%d")
            text = _MARK.sub("", message["content"]).strip()
            yield Turn(str(message["id"]), message["role"], text, when, f"session_{number}")


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    else:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part)


def _lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _question(line: Mapping[str, Any], kind: str, evidence: list[str]) -> Question:
    return Question(line["question"], kind, frozenset(evidence))


def _conversation(name: str, turns: list[Turn], questions: list[Question]) -> Conversation:
    said = [turn for turn in turns if turn.text]
    ids = {turn.id for turn in said}
    known = [question._replace(evidence=question.evidence & ids) for question in questions]
    return Conversation(name, tuple(said), tuple(question for question in known if question.evidence))


READERS: Mapping[str, Callable[[Path], Iterator[Conversation]]] = {"locomo": locomo, "realtalk": realtalk, "beam": beam}


def form_of(folder: Path) -> str:
    """Which set a folder holds, by its files."""
    if (folder / "memories.jsonl").exists():
        return "locomo"
    if any(folder.glob("Chat_*.json")):
        return "realtalk"
    if any(folder.glob("*/chat.json")):
        return "beam"
    raise SystemExit(f"{folder}: neither memories.jsonl nor Chat_*.json nor */chat.json")
