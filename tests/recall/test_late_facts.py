"""Facts that stand late in long messages: how many a recall shows in a screen of 250 tokens.

Two people write letters, and somebody plans a kitchen with an assistant. Each question has the words that answer it.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from support import Memoir

from memoir import Repository
from memoir.answers.recall import Display, recall
from memoir.recall.answer import RecallAnswer


class Message(NamedTuple):
    """Who writes what, when, and the questions that only its last sentences answer, each with the words that do."""

    speaker: str
    day: str
    text: str
    answers: dict[str, str]


LETTERS: Sequence[Message] = (
    Message(
        "Mara",
        "2025-02-03",
        "I finally have an evening without meetings, so here is the long letter I owe you. The winter has been "
        "grey and I have been tired for weeks, mostly because the heating in the studio kept failing and nobody "
        "could say why. The landlord sent three different people, and each of them blamed the one before. In the "
        "end I borrowed two electric heaters from my neighbour and worked in a coat. The orders did not stop, of "
        "course: cups, plates, a whole set of bowls for a restaurant by the harbour. I lost one kiln load to a "
        "power cut, which was painful, but the second one came out beautifully. Oh, and I almost forgot the real "
        "news: Jonas and I are going to adopt a greyhound from the shelter in Utrecht.",
        {
            "Which animal do Mara and Jonas want to take in?": "greyhound",
            "Where is the shelter that Mara gets the dog from?": "Utrecht",
        },
    ),
    Message(
        "Tobias",
        "2025-02-05",
        "What a letter, thank you! I read it twice on the train. I know those landlords; ours once repaired a "
        "leaking roof with a bucket and a promise. My own winter has been less dramatic. I go to work, I come "
        "home, I cook soup, I read half a chapter and fall asleep. The most exciting thing in January was that "
        "the library extended its hours, so I can sit there until ten. My sister visited for a weekend and we "
        "walked along the canal and complained about our parents, which was very soothing. She has a new job at a"
        " museum and loves it. As for me, the doctor looked at my knee again and said no running before June, so "
        "I have signed up for swimming lessons on Wednesdays instead.",
        {
            "When may Tobias run again?": "June",
            "On which day does Tobias swim?": "Wednesdays",
        },
    ),
    Message(
        "Mara",
        "2025-02-20",
        "You asked how the restaurant order went. It was a small adventure. The chef wanted a glaze like wet "
        "slate, then like dry slate, then something between the two, and I made forty test tiles. She came to the"
        " studio on a Sunday with her whole kitchen team and they ate soup out of every prototype, arguing about "
        "the rim. I liked them a lot. They paid half in advance, which never happens. The bowls are stacked in my"
        " hallway now, wrapped in newspapers, and I stumble over them each night. We delivered the first sixty "
        "last Friday. She has already ordered ninety espresso cups, to be ready by the end of April.",
        {
            "How many espresso cups did the chef order?": "ninety",
            "When must Mara's cups for the restaurant be done?": "end of April",
        },
    ),
    Message(
        "Tobias",
        "2025-03-02",
        "Swimming is humbling. The water is cold, the teacher is nineteen and very kind, and I drink more of the "
        "pool than I cross. Still, I go, and each week it is a little less terrible. At work we have moved to "
        "another floor, with a view of the railway. I can see your train from my desk when you come. The new team"
        " leader wants us to write down everything we do, in a table, in colours. I have never been so precise "
        "about so little. On the bright side the coffee machine there works. My mother called yesterday evening: "
        "she has sold the house in Bremen and is moving into a flat near my sister in April.",
        {
            "Where was the house that Tobias's mother sold?": "Bremen",
            "Near whom will Tobias's mother live?": "my sister",
        },
    ),
    Message(
        "Mara",
        "2025-03-15",
        "The dog is here! Her name at the shelter was Duchess, which does not suit her at all, as she steals "
        "socks and sleeps upside down. The first nights were hard, she cried when we switched off the light, and "
        "Jonas slept on the floor beside her with his jacket on. On the street she is afraid of bicycles, and "
        "here everything is bicycles. With children she is wonderful, she lies down and lets them pull her ears. "
        "The vet says that she is healthy but thin, and that we should give her four small meals rather than two."
        " We have tried a dozen names at breakfast. Since this morning she is called Pepper.",
        {
            "What is the name of Mara's dog now?": "Pepper",
            "How often should Mara feed the dog?": "four small meals",
        },
    ),
    Message(
        "Tobias",
        "2025-04-01",
        "I am writing from the hospital, but do not worry, it is nothing bad and I am only waiting. My mother "
        "fell on the stairs while we packed her boxes, and they want to be sure about her hip. She is in a "
        "splendid mood and orders the nurses about. We have been packing for nine days. You would not believe "
        "what is in that cellar: seven sledges, a box of left gloves, all of my school reports. My father's "
        "records are the hardest. My sister wants to keep them, I want to keep them, neither of us owns a record "
        "player. The movers come on Thursday and charge eleven hundred euros.",
        {
            "What do the movers of Tobias's mother cost?": "eleven hundred",
            "What made Tobias's mother go to hospital?": "fell on the stairs",
        },
    ),
    Message(
        "Mara",
        "2025-05-11",
        "Thank you for the photographs of the flat; your mother looks very pleased on her balcony. Here it has "
        "been fair season. I stood behind a table for three weekends, in rain, in hail and once in real sun, and "
        "talked until I lost my voice. People pick up a cup, say how lovely it is, and put it down again; I have "
        "learned to smile at that. Pepper came along on the second weekend and was admired more than any pot. A "
        "woman from a gallery in Ghent took my card, and a man wanted to know whether I could make an urn for his"
        " parrot. In the end I sold less than last year but met better people. And the gallery wrote today: they "
        "offer me a show of my own in October, in their small room.",
        {
            "In which month will Mara's work be shown in Ghent?": "October",
            "What did a man at the fair ask Mara to make?": "urn for his parrot",
        },
    ),
)
KITCHEN: Sequence[Message] = (
    Message(
        "user",
        "2025-06-02",
        "I am planning the kitchen of our flat and I would like your help with the order of things. It is a "
        "narrow room, about two metres wide, with a window at the end and the door in the long wall. At the "
        "moment there is an old gas cooker, a sink from the seventies and a table that is too big. I want to keep"
        " the table because my grandmother wrote her letters at it. We have asked two carpenters for offers and "
        "both took ages to reply. The electrician says that the wiring has to be done before anything else. The "
        "whole thing must not cost more than 14,000 euros, including the floor.",
        {
            "What is the limit of what I want to spend on the kitchen?": "14,000",
            "Why do I keep the big table?": "my grandmother wrote",
        },
    ),
    Message(
        "assistant",
        "2025-06-02",
        "A narrow galley with one window can work very well, and the order matters more than the furniture. Begin"
        " with a drawing to scale of the room as it is, with every pipe, socket and radiator in it. Then decide "
        "where water and heat go, because they are the expensive things to move. Put the sink under the window "
        "only if the waste pipe can get enough fall; otherwise leave it on the wall that it is on. Keep at least "
        "ninety centimetres of passage in front of drawers that open. A table can stay if one of its leaves folds"
        " down. Electric wiring comes first, then plaster, then the floor, and the cabinets last of all. For "
        "worktops in a room that small I would take oiled beech, which you can sand again after ten years, and "
        "not stone. As for the extractor, choose one with at least 400 cubic metres an hour, since the cooker "
        "stands in a corner without a draught.",
        {
            "Which worktop did you recommend for the small kitchen?": "oiled beech",
            "How strong should the extractor be, as you said?": "400 cubic metres",
        },
    ),
    Message(
        "user",
        "2025-06-09",
        "Thanks, the drawing helped a lot. We measured everything twice and found that one wall is not straight "
        "at all, there are four centimetres between top and bottom. The waste pipe is where you guessed, so the "
        "sink stays. My wife likes the idea of the folding leaf but is worried about the hinges. We looked at "
        "tiles on Saturday and argued about green for an hour in front of a very patient man. In the end both of "
        "us liked the ones that he had under the counter. About the carpenters: one of them, Mr. Okafor, can "
        "begin on 14 July, the other one not before autumn, so we took the first.",
        {
            "Which carpenter did we choose for the kitchen?": "Okafor",
            "When does the carpenter begin?": "14 July",
        },
    ),
    Message(
        "assistant",
        "2025-06-09",
        "A wall that leans by four centimetres is common in houses of that age, and there are three ways to live "
        "with it. You can build a false wall in front of it, which costs you room that you do not have. You can "
        "plaster it out, which takes days to dry in summer and weeks in winter. Or you can let the cabinets stand"
        " away from it and close the gap with a strip that is scribed to the wall; a good carpenter does this "
        "without being asked. For the folding leaf, ask for hinges with a stay that locks, made of steel, and "
        "test them with a sack of flour. Tiles with a matt glaze hide scratches but hold grease, so seal them "
        "once a year. Before the electrician comes, take photographs of all open walls with a ruler in the "
        "picture; you will need them the first time you hang a shelf. He should give the oven a line of its own, "
        "fused at 20 amperes.",
        {
            "What fuse should the line of the oven have?": "20 amperes",
            "How often should matt tiles be sealed?": "once a year",
        },
    ),
    Message(
        "user",
        "2025-07-20",
        "Small report from the building site. The old cooker is gone, the floor is out, and we found newspapers "
        "from 1962 below it, with an advertisement for the very sink that we threw away. The dust is everywhere, "
        "we eat at my brother's place and wash up in the bath tub. Our daughter thinks that it is the best "
        "holiday ever. The electrician was quick and took exactly the photographs you told us about. There is one"
        " worry: behind the radiator the wall is damp up to the height of a hand. The plumber thinks that it is "
        "an old leak that has been repaired, he wants to measure again in two weeks. He is the one who mended our"
        " boiler, by the way, and charges 68 euros an hour.",
        {
            "What does the plumber take for an hour?": "68 euros",
            "How old were the newspapers under the kitchen floor?": "1962",
            "Where is the damp place in our kitchen?": "behind the radiator",
        },
    ),
    Message(
        "assistant",
        "2025-07-20",
        "Damp that stops at the height of a hand is more often a leak than rising water, so the plumber may well "
        "be right, but do not close the wall on a guess. Ask him to measure at three heights and to write the "
        "figures down, then compare them after the two weeks. Keep the radiator on at a low level, even in July, "
        "and leave the window open at night. If the values fall, plaster with lime, which lets the rest of the "
        "water out. If they rise, the pipe to the neighbour's flat is the next thing to look at, and that one "
        "belongs to the house and not to you. Tell the owners' association now, in writing, with a photograph and"
        " the date. In the meantime Mr. Okafor can build the tall cupboard on the other side, because nothing "
        "there depends on the wall. And keep those newspapers dry: a sheet in a frame would look fine above the "
        "table.",
        {
            "What plaster did you suggest if the damp wall dries?": "lime",
            "What could the carpenter build in the meantime?": "tall cupboard",
        },
    ),
    Message(
        "user",
        "2025-08-17",
        "We are nearly there. The values fell, the wall is plastered, and the tiles are on since Thursday; they "
        "are dark green after all, nobody won. The tall cupboard is a joy, even the brooms have a door. Mr. "
        "Okafor scribed the strip without being asked, just as you said he would, and was a little offended that "
        "I praised him for it. The table came back from the workshop with its folding leaf, and the hinges held "
        "the flour and my nephew. We cooked for the first time yesterday, nothing but pancakes, and it felt like "
        "a feast. What is left is the lamp above the sink, where we cannot agree. Counting everything, with the "
        "frame for the newspaper, we paid 13,250 euros.",
        {
            "What did the kitchen cost in the end?": "13,250",
            "What did we cook first in the new kitchen?": "pancakes",
            "What is still missing in the kitchen?": "lamp above the sink",
            "Which colour have the tiles?": "dark green",
        },
    ),
)
_MOST = 1000
"""250 tokens."""


@pytest.mark.parametrize("way", ["ingest", "import"])
def test_what_stands_late_in_a_long_message_is_shown(memoir: Memoir, way: str) -> None:
    missing, asked = list[str](), 0
    for name, messages in (("letters", LETTERS), ("kitchen", KITCHEN)):
        _store(memoir, way, name, messages)
        with Repository.open(memoir.folder) as repository:
            for question, answer in ((one, its) for each in messages for one, its in each.answers.items()):
                shown = _printed(repository.recall(question, keys=f"*{name}.*", joined=False))
                asked += 1
                assert len(shown) <= _MOST, question
                missing += [question] if answer not in shown else []

    assert asked == 31 and len(missing) <= 5, missing


def _printed(answer: RecallAnswer) -> str:
    return "\n".join("".join(text for text, _ in line) for line in recall(answer, Display()).human())


def _store(memoir: Memoir, way: str, name: str, messages: Sequence[Message]) -> None:
    lines = [
        {"content": each.text, "speaker": each.speaker, "timestamp": f"{each.day}T12:00:{at:02}Z"}
        if way == "ingest"
        else {
            "path": f"talk.{name}.{at:03}", "content": f"{each.speaker}: {each.text}",
            "timestamp": f"{each.day}T12:00:{at:02}Z", "metadata": {"person": each.speaker},
        }
        for at, each in enumerate(messages)
    ]  # fmt: skip
    (memoir.folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    memoir.ok(way, f"{name}.jsonl")
