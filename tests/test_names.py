"""Names: a function's is a verb or a noun, a parameter's, a variable's and a value's a noun.

No function, parameter or variable begins with a participle; in the name of a module's value a noun follows it
(`KEPT_BYTES`).
"""

import re
from collections.abc import Iterator

import pytest
from support import PROJECT

FUNCTION = re.compile(
    r"^(?P<decorators>(?:[ \t]*@[^\n]*\n)*)[ \t]*(?:async )?def (?P<name>\w+)\((?P<signature>.*?)\)(?: ->|:\n)",
    re.MULTILINE | re.DOTALL,
)
PARAMETER = re.compile(r"\b_*([a-z]+): (?!bool\b)")
"""A parameter of one word and its type; a flag may be a participle, as in `pinned: bool`."""

VALUE = re.compile(r"^(?P<names>\w+(?:, \w+)*)(?:: [^\n=]+)? = ", re.MULTILINE)
"""An assignment of a module; its names may be several."""

VARIABLE = re.compile(
    r"^[ \t]+(?P<names>\w+(?:, \w+)*)(?:: (?!bool\b)[^\n=]+)? = (?!True$|False$)|\bfor (?P<targets>\w+(?:, \w+)*) in\b"
    r"|^[ \t]+(?:with|except)\b.* as (?P<alias>\w+):$|\((?P<walrus>\w+) := ",
    re.MULTILINE,
)
"""What a function gives a name to: by an assignment, a loop, `as` or in an expression; a flag may be a participle."""

CLASS = re.compile(r"^[ \t]*class (?P<names>\w+)", re.MULTILINE)

STATES = ("property", "contextmanager", "fixture")
"""What decorates a function that is read as a value or a state, where a participle fits: `with held(lock)`."""

VERBS_AND_NOUNS = (
    "bring embed expected feed need ping seed speed spring string thing"
    " anything beginning deed ending everything heading listing meaning nothing ranking setting something spelling"
)
"""Words that end as participles do, and are none; `expected` is the standard word for what a test compares with."""

IRREGULAR = (
    "begun borne bought broken brought built caught chosen drawn driven fallen forgotten found given gone grown heard"
    " held hidden kept known laid led left lost made meant paid said seen sent shown sold sought spoken stolen struck"
    " sung taken taught thought thrown told torn understood withdrawn won worn woven written"
)

PARTICLES = "a an at by in most of out over the to up within"
"""Words that make no noun of a participle: `LOOKED_AT`."""

FIELD_TYPES = "Degraded SelectedBy"
"""Types that the schemas call by the names of fields."""

GERUNDS = "filing finding folding opening reading rounding staging testing timing"
"""Participles that are nouns as well, or names of what a value is about."""

PUBLIC = "comparing indexing landed related superseded tiered"
"""Names of the library, and of a mode of recall."""

FIELDS = "changed degraded dropped embedded occurred_at omitted required sent skipped superseded truncated"
"""Variables that become the field of that name in an answer or a schema."""

HINT = (
    "name a function by a verb (`join`) or by what it gives (`rows_of`), a parameter or a variable by what it"
    " is (`rows`), and a constant by a noun (`KEPT_BYTES`):"
)


def is_participle(name: str) -> bool:
    """Whether the first word of a name is a participle."""
    word = name.strip("_").partition("_")[0]
    regular = re.fullmatch("[a-z]{2,}(ed|ing)", word) and word not in VERBS_AND_NOUNS.split()
    return bool(regular) or word in IRREGULAR.split()


def lacks_noun(name: str) -> bool:
    """Whether the name of a module's value is a participle without a noun after it."""
    first, *rest = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().strip("_").split("_")
    nouns = (word for word in rest if word not in PARTICLES.split() and not is_participle(word))
    return is_participle(first) and first not in GERUNDS.split() and not any(nouns)


def names(function: re.Match[str], *, of_tests: bool = False) -> Iterator[str]:
    """The name of a function and those of its parameters; a command's parameters are its options, a test's fixtures."""
    is_special = function["name"].startswith("__")
    if not is_special and not any(state in function["decorators"] for state in STATES):
        yield function["name"]
    if function["name"] != "command" and not of_tests:
        yield from PARAMETER.findall(function["signature"])


def values(text: str) -> Iterator[tuple[int, str]]:
    """The names of the values and classes of a module, each with where it is."""
    for value in (*VALUE.finditer(text), *CLASS.finditer(text)):
        for name in value["names"].split(", "):
            yield value.start(), name


def variables(text: str) -> Iterator[tuple[int, str]]:
    """The names of the variables of functions, each with where it is."""
    for variable in VARIABLE.finditer(text):
        for name in next(filter(None, variable.groups())).split(", "):
            yield variable.start(), name


def bad_variables(folder: str) -> Iterator[str]:
    """The variables in a folder that begin with participles, each with its file and line."""
    for file in sorted(PROJECT.glob(f"{folder}/**/*.py")):
        text = file.read_text("utf-8")
        for start, name in variables(text):
            if is_participle(name) and name not in (*FIELDS.split(), *GERUNDS.split(), *PUBLIC.split()):
                yield f"{file.relative_to(PROJECT)}:{text.count(chr(10), 0, start) + 1}: {name}"


def bad_values(folder: str) -> Iterator[str]:
    """The names of values and classes in a folder that lack a noun, each with its file and line."""
    for file in sorted(PROJECT.glob(f"{folder}/**/*.py")):
        text = file.read_text("utf-8")
        for start, name in values(text):
            if name not in FIELD_TYPES.split() and lacks_noun(name):
                yield f"{file.relative_to(PROJECT)}:{text.count(chr(10), 0, start) + 1}: {name}"


def participles(folder: str) -> Iterator[str]:
    """The names in a folder that begin with participles, each with its file and line."""
    for file in sorted(PROJECT.glob(f"{folder}/**/*.py")):
        text = file.read_text("utf-8")
        for function in FUNCTION.finditer(text):
            line = text.count("\n", 0, function.start("name")) + 1
            for name in names(function, of_tests=folder == "tests"):
                if is_participle(name) and name not in PUBLIC.split():
                    yield f"{file.relative_to(PROJECT)}:{line}: {name}"


@pytest.mark.parametrize("name", ["told", "_joined", "missing", "written_lines"])
def test_a_participle_is_recognized(name: str) -> None:
    assert is_participle(name)


@pytest.mark.parametrize("name", ["embed", "_string", "is_missing", "rows_of", "setting_of"])
def test_other_words_are_not(name: str) -> None:
    assert not is_participle(name)


def test_functions_and_parameters_are_found_in_source() -> None:
    source = (
        "@cached_property\ndef seen(self) -> int:\n\ndef _told(\n    found: str, pinned: bool = False\n) -> None:\n"
    )

    assert [list(names(function)) for function in FUNCTION.finditer(source)] == [[], ["_told", "found"]]


@pytest.mark.parametrize("name", ["_KEPT", "Found", "LOOKED_AT", "ASKED_OF_A", "SelectedBy", "_preloading"])
def test_a_value_named_by_a_participle_alone_is_recognized(name: str) -> None:
    assert lacks_noun(name)


@pytest.mark.parametrize("name", ["KEPT_BYTES", "_TAKEN_TURNS", "WrittenCommit", "HELD_OUT_SET", "_ROUNDING", "LEAD"])
def test_a_value_with_a_noun_is_not(name: str) -> None:
    assert not lacks_noun(name)


def test_values_are_found_in_source() -> None:
    source = "A, KEPT = 1, 2\nFound: TypeAlias = list[int]\n\ndef f() -> None:\n    lost = 1\n"

    assert [name for _, name in values(source)] == ["A", "KEPT", "Found"]


def test_variables_are_found_in_source() -> None:
    source = """
        a = 1
        b, c: int = f(
            shown=2
        )
        for d, e in rows:
            with open(file) as g:
                if (h := line):
                    i: bool = True
                    j = False
                    k += 1
    """

    assert [name for _, name in variables(source)] == ["a", "b", "c", "d", "e", "g", "h"]


@pytest.mark.parametrize("folder", ["memoir", "scripts", "benchmarks", "tests"])
def test_no_name_begins_with_a_participle(folder: str) -> None:
    bad = [*participles(folder), *bad_variables(folder), *bad_values(folder)]

    assert not bad, "\n".join([HINT, *bad])


def test_no_module_is_named_by_a_participle() -> None:
    names = {file.stem for file in PROJECT.glob("memoir/**/*.py") if not file.stem.endswith("ing")}

    assert not {name for name in names if lacks_noun(name)} - {*PUBLIC.split()}
