"""The sentences of prose, and those that a turn says itself."""

from memoir.english.sentences import prose_sentences, said_sentences


def test_sentences_come_from_prose_and_lists_only() -> None:
    text = (
        "# Heading of it\n\nThe API returns dates in\nUTC, e.g. 2026. It is\nstable.\n\n* Amounts are in cents.\n\n"
        "| a | b |\n\n```\ncode = 1. Not prose.\n```\n\n    indented code.\n"
    )

    assert list(prose_sentences(text)) == [
        "The API returns dates in UTC, e.g. 2026.",
        "It is stable.",
        "Amounts are in cents.",
    ]


def test_code_logs_and_quotations_of_a_turn_are_not_its_own_words() -> None:
    text = "Use tabs.\n````\n```\nspaces\n````\n> quoted\nERROR it broke\nThe log says 'all is well'. Mr. Ito owns CI."

    assert list(said_sentences(text)) == ["Use tabs.", "The ….", "Mr. Ito owns CI."]


def test_what_stands_between_two_quotations_is_no_quotation() -> None:
    text = 'It ends with the message "no such user" in the login, or with "no mail" in the outbox.'

    assert list(said_sentences(text)) == ['It ends with the … in the login, or with "no mail" in the outbox.']


def test_few_words_between_quotation_marks_are_a_name_or_a_value() -> None:
    few, many = 'Sign as "Margaret and the herd".', 'Sign as "Margaret and all of her herd".'

    assert list(said_sentences(few)) == [few]
    assert list(said_sentences(many)) == ["Sign as …."]
    assert list(said_sentences('Write "radio", I never want to read "radio unit" there.')) == [
        'Write "radio", I never want to read "radio unit" there.'
    ]


def test_an_apostrophe_begins_no_quotation() -> None:
    text = "With error handling I'm slow. The error is odd and I'm sure it's ours."

    assert list(said_sentences(text)) == ["With error handling I'm slow.", "The error is odd and I'm sure it's ours."]


def test_a_sentence_may_be_as_long_as_the_caller_says() -> None:
    text = f"{'so it goes ' * 60}."

    assert (list(said_sentences(text)), list(prose_sentences(text))) == ([], [])
    assert (len(list(said_sentences(text, 1000))), len(list(prose_sentences(text, 1000)))) == (1, 1)
