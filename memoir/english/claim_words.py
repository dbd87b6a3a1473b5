"""The words that decide what a text claims, each list named after its use (`memoir.english.claims`)."""

from memoir.english.patterns import word_set

VERBS = word_set(
    """
    allow answer arrive bake be begin belong close contain cost default depart deploy end exceed expire get go have
    keep know land last lead leave lie like listen live maintain manage mean meet need open own pay point prefer
    rehearse reply report require retry return run set sit squash start stay store support take use wait weigh work
    write
    """
)
"""Verbs that state what is so, or what somebody should do."""
AUXILIARIES = word_set("be can could do have may might must shall should will would")
"""Verbs after which `not` denies the clause."""
SAME = {
    "am": "be", "are": "be", "deny": "forbid", "does": "do", "enjoy": "like", "goes": "go", "has": "have", "is": "be",
    "love": "like", "permit": "allow", "permitted": "allowed", "prohibit": "forbid", "required": "mandatory",
}  # fmt: skip
"""Words that are read as others."""
DENIALS = {
    "avoid": "use", "detest": "like", "disabled": "enabled", "disallow": "allow", "dislike": "like", "forbid": "allow",
    "forbidden": "allowed", "hate": "like", "illegal": "legal", "impossible": "possible", "inactive": "active",
    "off": "on", "optional": "mandatory", "unavailable": "available", "unnecessary": "necessary", "unsafe": "safe",
    "unsupported": "supported",
}  # fmt: skip
"""Words that deny others."""
NOISE = word_set(
    """
    a about again already always an any anymore approximately around currently definitely generally just mostly
    now nowadays please really roughly still strictly the then usually
    """
)
"""Words that change no claim."""
NOT_ALONE = word_set("he if it she that they these those unless until when while")
"""Words that begin a sentence with a condition, or with a subject that another sentence names."""
PHRASES = (("no", "longer"), ("any", "more"))
"""Words of which the second changes no claim after the first."""
OPEN = word_set(
    """
    also another btw considering could either example fyi idea including maybe might nb neither note other perhaps
    possibly probably proposal ps reminder some sometimes todo too various
    """
)
"""Words of a clause that does not claim to be all, or to be so."""
PASSING = word_set("ago been did earlier had last next recently today tomorrow tonight was were yesterday")
"""Words of a clause that reports, or is true only for a time."""
PAST = word_set(
    """
    ate began bought broke brought came caught chose drew drove fell felt flew forgot found gave got grew heard held
    knew learnt lost made met paid ran said sang sat saw sent slept sold spent spoke stood swam told took taught
    thought went woke won wore wrote
    """
)
"""Verbs that report what happened and do not end in -ed."""
SCOPES = word_set(
    """
    after and as at before but during except for if in inside on only or outside plus unless until up when where while
    with within without
    """
)
"""Words after a comma that narrow down what is before it."""
REASONS = word_set("although because since though")
"""Words that begin what narrows nothing down."""
SETTLED = word_set("based built called deployed drawn hosted kept located named pinned set stored written")
"""Participles that say what was chosen, one thing at a time."""
PLACED = word_set("be belong deploy go lie listen live meet point rehearse report run sit stay store work")
"""Verbs that say, with a preposition and a name, where one thing is."""
OF_ALL = word_set("belong go live report")
"""Those of them that hold for all of several things alike, or for me."""
PREPOSITIONS = word_set("at by for in on to under using with")
CHOICES = word_set("answer be default indent keep prefer reply set use write")
"""Verbs with which somebody chooses among alternatives."""
ONE_OF_A_KIND = word_set("default favorite favourite main maximum minimum only preferred primary")
"""Words for a thing of which there is one, so that any word may name it."""
HEADS = word_set("head lead maintain manage own")
"""Verbs whose subject is one person at a time."""
ALTERNATIVES = {
    word: group[0]
    for group in (
        ("tab", "space"), ("light", "dark"), ("single", "double"), ("rebase", "merge", "squash"),
        ("british", "american"), ("metric", "imperial"), ("celsius", "fahrenheit"), ("public", "private"),
        ("manual", "automatic"), ("daily", "weekly", "monthly", "quarterly"), ("morning", "afternoon", "evening"),
        ("left", "right"), ("synchronous", "asynchronous"),
        ("english", "german", "french", "spanish", "italian", "portuguese", "dutch", "polish", "japanese", "chinese"),
    )
    for word in group
}  # fmt: skip
"""Words of which only one can be chosen, with the first of those beside it."""
RIVALRY = ("over", "instead of", "rather than", "but not", "not to", "not")
"""What is between a choice and what was not chosen."""
SERIES = word_set(
    """
    action bug cause chapter dependency example feature figure fix goal idea issue item keyword lesson line page phase
    pr problem question risk rule section skill stack step tag task test ticket tip tool topic
    """
)
"""Words for things of which there are many, so that a number or a name after one says only which."""
WHOLE_DAYS = word_set("meet work")
"""Verbs for what is done on several days."""
NUMBERS = {
    word: str(number)
    for words in (
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth",
    )
    for number, word in enumerate(words.split(), 1)
}
"""Words for numbers."""
