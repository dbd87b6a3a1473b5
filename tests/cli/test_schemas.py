"""Every command's JSON answers: each is one object that its schema in docs/schema/ accepts.

The schemas are strict, so a field that is added, dropped or moved fails here first.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sample
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from support import PROJECT, Memoir, RunResult
from written_insights import write_insights_at

from memoir.cli.command_tree import ALIASES
from memoir.cli.families import COMMANDS
from memoir.errors import MemoirError
from memoir.git.lock import LOCK_NAME, try_lock

Json = dict[str, Any]

SCHEMAS: dict[str, Json] = {path.stem: json.loads(path.read_text("utf-8")) for path in PROJECT.glob("docs/schema/*")}
REGISTRY: Registry[Any] = (
    Registry()
    .with_resources((f"{name}.json", Resource.from_contents(schema)) for name, schema in SCHEMAS.items())
    .crawl()
)
SERVERS = {"serve", "ui"}
"""The commands that go on after their answer until they are ended: `test_explorer.py` tries them."""
TESTING = sample.TESTING
MISSING_PATH = "no.such.path"
LINKED = (
    f"remember y -p {MISSING_PATH}", f"remember x -p a.b --link derives_from={TESTING} --link causes={MISSING_PATH}",
    f"forget {MISSING_PATH}",
)  # fmt: skip
"""What makes a memory with a link to another, and one that dangles."""


class Case(NamedTuple):
    """A command line and how it must end; `before` are command lines that set the scene."""

    args: tuple[str, ...]
    status: int = 0
    stdin: str = ""
    before: tuple[tuple[str, ...], ...] = ()

    @property
    def command(self) -> str:
        """The command's name; these command lines begin with it."""
        return ALIASES.get(self.args[0], self.args[0])


def case(line: str, status: int = 0, *, stdin: str = "", before: tuple[str, ...] = ()) -> Any:
    """A case as a test parameter. In a line, `+` stands for a blank inside an argument."""
    words, *scene = (tuple(word.replace("+", " ") for word in text.split()) for text in (line, *before))
    return pytest.param(Case(words, status, stdin, tuple(scene)), id=line)


# At least one for each command and for each form its answer can take.
ANSWERS = [
    case("init"),
    case("new other --sha256"),
    case("remember Use+ruff. -p preferences.coding.linting -p user:bob:preferences.linting --confidence 0.5"),
    case(f"remember Use+tox. -p {TESTING} --meta source=review --meta tag=a --meta tag=b"),
    case(f"remember Perhaps+nose. -p {TESTING} --confidence 0.1"),
    case("remember I+always+use+Python+3.11. --classifier rules"),
    case("remember zxqv+blorp --classifier rules --dry-run"),
    case(f"remember again -p {TESTING} --merge-policy llm_merge"),
    case("classify", before=("remember zxqv+stands+for+qvzx+blorp --classifier rules",)),
    case("classify", before=("remember zxqv+blorp --classifier rules",)),
    case("suggest Use+pytest."),
    case("lexicon add barn = staging+cluster, preprod"),
    case("lexicon add barn = staging+cluster --dry-run", before=("lexicon add barn = staging+cluster",)),
    case("lexicon remove barn = preprod", before=("lexicon add barn = staging+cluster, preprod",)),
    case("lexicon list", before=("lexicon add barn = staging+cluster",)),
    case("lexicon"),
    case("lexicon why barn+and+Grafana", before=("lexicon add barn = staging+cluster",)),
    case("recall the+barn --trace", before=("lexicon add barn = staging+cluster",)),
    case("suggest - -l 1 -n nobody", stdin="I prefer tabs over spaces."),
    case(f"remember - -p {TESTING}", stdin="Use pytest, not unittest."),
    case(f"get {TESTING} debugging.ci.timeouts user:alice:preferences.reviews.tone {MISSING_PATH}"),
    case("get --stdin --at v1", stdin=f"{TESTING}\n\n{MISSING_PATH}\n"),
    case("get --stdin"),
    case("recall pytest"),
    case("recall how+do+we+test? --trace --timings --prompts -l 2 -n default --max-chars 20"),
    case("recall zzqx --mode simple"),
    case("recall pytest --max-tokens 150"),
    case("recall how+do+we+test? --gather"),
    case("recall pytest --mode agent --strategy split --timings --trace"),
    case(f"explain pytest {TESTING}"),
    case(f"explain ci {TESTING} --keys nothing.* --rerank deterministic"),
    case("embed"),
    case("index"),
    case("index --rebuild", before=("recall pytest",)),
    case("recall pytest --wait"),
    case("timeline --wait -l 1"),
    case("embed status", before=("recall pytest",)),
    case("ls"),
    case("ls preferences -n default --limit 1"),
    case("ls -l"),
    case("grep -i -C 1 pytest"),
    case("grep -F [nothing]", 1),
    case(f"edit {TESTING}"),
    case(f"replace {TESTING} preferences.coding.style"),
    case(f"replace {TESTING} preferences.coding.style --dry-run"),
    case(f"mv {TESTING} preferences.tests.runner"),
    case("mv preferences taste --prefix --dry-run"),
    case(f"forget {TESTING} context.task.current"),
    case("forget preferences --prefix --dry-run"),
    case(f"pin {TESTING}"),
    case(f"unpin {TESTING} --dry-run", before=(f"pin {TESTING}",)),
    case("prime"),
    case("prime --max-chars 400 --query pytest", before=(f"pin {TESTING}",)),
    case("hook"),
    case("capture on"),
    case("doctor"),
    case("doctor -s nowhere"),
    case("capture", before=("capture on", "capture off")),
    case("capture review", before=("capture on",)),
    case("capture accept --all"),
    case("capture reject --all", before=("capture on",)),
    case("capture off --purge", before=("capture on",)),
    case("consolidate"),
    case("consolidate --dry-run", before=("remember Use+pytest,+not+unittest! -p a.b",)),
    case("about .", before=("export -o out.jsonl", "remember x -p a.b --about out.jsonl")),
    case("stale --diff", before=("export -o out.jsonl", "remember x -p a.b --about out.jsonl", "export -o out.jsonl")),
    case("confirm a.b", before=("export -o out.jsonl", "remember x -p a.b --about out.jsonl")),
    case("confirm a.b --dry-run", before=("export -o out.jsonl", "remember x -p a.b --about out.jsonl")),
    case("why a.b", before=("export -o out.jsonl", "remember x -p a.b --about out.jsonl")),
    case("review HEAD~1..HEAD", before=("remember x -p a.b",)),
    case("eval - --embedder static", stdin=f'{{"query": "how do we test?", "expected": ["{TESTING}"]}}\n'),
    case(f"why {TESTING}"),
    case("why a.b", before=LINKED),
    case("timeline"),
    case(f"timeline --around {TESTING} -l 3"),
    case("taxonomy"),
    case("taxonomy add cooking --about Food --example Bread --cue bake"),
    case("taxonomy reset", before=("taxonomy add cooking --about Food",)),
    case("entities"),
    case("entities -n default -l 1 --at HEAD~1"),
    case("entities nomads", before=("remember Release+with+Nomad. -p a.b",)),
    case("related debugging.ci.timeouts -l 1"),
    case("related a.b", before=LINKED),
    case(
        "recall parser --layers",
        before=("remember Read+the+Parser. -p a.b", "remember Parser+read. -p a.c", "insights written"),
    ),
    case("insights"),
    case(
        "insights build --by model --dry-run",
        before=("remember Read+the+Parser. -p a.b", "remember Parser+read. -p a.c"),
    ),
    case("insights", before=("remember Read+the+Parser. -p a.b", "remember Parser+read. -p a.c", "insights written")),
    case("threads --all"),
    case("threads -l 1", before=("remember Read+the+Parser. -p a.b", "remember Parser+read. -p a.c") * 2),
    case("thread a.c", before=("remember Read+the+Parser. -p a.b", "remember Parser+read. -p a.c")),
    case("summarize"),
    case("summarize --depth 1"),
    case("summarize --keys preferences.* --depth 2 -l 1 -n default -n nobody"),
    case("log"),
    case(f"log {TESTING} -l 1"),
    case("log", before=("mv preferences taste --prefix",)),
    case("log --at rival --author nobody"),
    case("show"),
    case("show rival"),
    case(f"show v1:{TESTING}"),
    case("show HEAD:debugging.ci.timeouts"),
    case(f"blame {TESTING}"),
    case("blame a.b", before=(f"mv {TESTING} a.b", "forget a.b")),
    case(f"blame {TESTING} -l 1", before=("merge rival --strategy append",)),
    case("diff"),
    case("diff v1"),
    case("diff v1..rival --stat --keys *.coding.*"),
    case("diff --exit-code v1", 1),
    case("diff HEAD HEAD"),
    case("branch"),
    case("branch fresh v1"),
    case("branch -m agent-a agent-b"),
    case("branch -d -f agent-a"),
    case("checkout agent-a"),
    case("switch -c fresh v1"),
    case("merge v1"),
    case("merge agent-a"),
    case("merge rival --into agent-a --dry-run"),
    case("merge rival --strategy newest"),
    case("merge main", before=("checkout -b behind v1",)),
    case("tag"),
    case("tag v2 HEAD~1"),
    case("tag -d v1"),
    case(f"restore {TESTING} --at v1"),
    case("restore context.task.current --at HEAD"),
    case("revert HEAD"),
    case("undo"),
    case("undo 2"),
    case("redo", before=("undo",)),
    case("reflog"),
    case("reflog -l 1"),
    case("log --signatures -l 2"),
    case(f"blame {TESTING} --signatures"),
    case(f"prove {TESTING}"),
    case("prove no.such.path --at v1"),
    case(f"purge {TESTING} --dry-run"),
    case("purge --content tag+it --yes"),
    case("verify proof", before=(f"prove {TESTING} -o proof",)),
    case("ingest - --name chat", stdin="Ada: I moved.\nBen: When?\nAda: In May.\nBen: Nice.\n"),
    case("ingest -", stdin="# Guide\n\nThe password=hunter2hunter2 opens it.\n"),
    case("ingest ."),
    case("ingest - --items model --dry-run", stdin="We decided to stay."),
    case("sources", before=("ingest .",)),
    case("import memories.jsonl"),
    case("import -", stdin=""),
    case("import memories.jsonl --dry-run"),
    case("import --from claude-code", before=("import --from claude-code CLAUDE.md",)),
    case("import --from auto CLAUDE.md --dry-run"),
    case("export -o out.jsonl"),
    case("export --to claude-md --prefix preferences --max-chars 2000"),
    case("remote"),
    case("remote list"),
    case("remote add backup ../backup.git"),
    case("remote remove origin"),
    case("remote set-url origin ../other.git"),
    case("push"),
    case("push --all --tags"),
    case("fetch"),
    case("fetch", before=("push", "clone ../shared.git copy", "-s copy remember x -p a.b", "-s copy push")),
    case("pull"),
    case("pull origin rival --strategy ours"),
    case("sync"),
    case("fold"),
    case("merge --landed"),
    case("clone ../shared.git copy"),
    case("setup"),
    case("setup agents --project"),
    case("setup codex --print --nudge"),
    case("setup claude --check", 1),
    case("batch -o out.jsonl", stdin='{"args": ["version"]}\n'),
    case("mcp"),
    case("status"),
    case("status", before=("remote add backup ../backup.git",)),
    case("fsck"),
    case("fsck --repair"),
    case("gc"),
    case("config --list", before=("config memoir.remember.mergePolicy append",)),
    case("config user.name", before=("config --global user.name agent-a",)),
    case("config memoir.remember.mergePolicy append"),
    case("config --unset user.name", before=("config user.name agent-a",)),
    case("version"),
    case("help"),
    case("help remote"),
    case("help --brief"),
]

FAILURES = [
    case("ls --store nowhere", 3),
    case("get --at nothing a.b", 4),
    case("get --at 1999-12-31 a.b", 4),
    case(f"show HEAD:{MISSING_PATH}", 4),
    case(f"forget {TESTING} {MISSING_PATH}", 4),
    case(f"blame {MISSING_PATH}", 4),
    case("capture accept", 2),
    case("capture accept 1", 4),
    case("log --at mian", 4),
    case(f"why {MISSING_PATH}", 4),
    case(f"timeline --around {MISSING_PATH}", 4),
    case(f"pin {MISSING_PATH}", 4),
    case("prime --max-chars 9000", 2),
    case(f"thread {TESTING}", 4),
    case("entities nobody", 4),
    case(f"insights {MISSING_PATH}", 4),
    case("insights --dry-run", 2),
    case("insights build --by model", 6),
    case(f"related {MISSING_PATH}", 4),
    case("checkout v1", 4),
    case("undo --branch nothing", 4),
    case("fetch nowhere", 4),
    case("config memoir.unset", 2),
    case("merge rival", 5),
    case("pull origin rival", 5),
    case("revert HEAD~2", 5, before=(f"remember Use+tox. -p {TESTING}",)),
    case(f"remember x -p {TESTING} --merge-policy reject", 5),
    case("import - --merge-policy reject", 5, stdin=f'{{"path": "{TESTING}", "content": "x"}}'),
    case(f"mv {TESTING} preferences.coding.style", 5),
    case("branch rival", 5),
    case("branch -d main", 5),
    case(
        "push",
        5,
        before=("push", "clone ../shared.git copy", "-s copy remember x -p a.b", "-s copy push", "remember y -p a.c"),
    ),
    case("recall pytest --mode single", 6),
    case("remember x --classifier model", 6),
    case("recall pytest --rerank llm", 6),
    case("ingest - --items model", 6, stdin="We decided to stay."),
    case("redo", 1),
    case("verify memories.jsonl", 1),
    case("verify nowhere", 4),
    case("purge no.such.path --dry-run", 4),
    case(f"purge {TESTING}", 2),
    case("purge --yes", 2),
    case("verify - --commit main", 2),
    case("ingest memories.jsonl", 2),
    case("ingest nowhere.md", 4),
    case("sources --remove nothing", 4),
    case("clone ../nothing.git copy", 1),
    case("import nothing.jsonl", 4),
    case("import --from nothing", 2),
    case("export --to obsidian", 2),
    case("import --from auto nowhere", 4),
    case("export -o nowhere/out.jsonl", 1),
    case("import -", 2, stdin='{"path": "a b", "content": "x"}\nnonsense\n'),
    case("remember x --classifier best", 2),
    case("remember password=hunter2hunter2 -p a.b", 2),
    case("taxonomy add cooking.bread --about x", 2),
    case("taxonomy add a.b.c --about x", 2),
    case("remember x -p not+a+path", 2),
    case("remember x -p a.b --confidence 2", 2),
    case("remember + -p a.b", 2),
    case("suggest +", 2),
    case("get", 2),
    case("grep (", 2),
    case("recall +", 2),
    case("recall", 2),
    case("mcp --namespace a+b", 2),
    case("serve --host 0.0.0.0", 2),
    case("serve --token-file memories.jsonl", 2),
    case("ui --demo --global", 2),
    case("setup emacs", 2),
    case("setup claude --check --remove", 2),
    case("recall x --mode best", 2),
    case("recall x --threshold 2", 2),
    case("embed install --from nowhere", 4),
    case("embed install --from memories.jsonl", 2),
    case("recall x --boost nothing", 2),
    case("recall x --tau never", 2),
    case("recall x --since someday", 2),
    case("recall x --batch -", 2),
    case("consolidate --threshold 2", 2),
    case("remember x -p a.b --link because=c.d", 2),
    case("timeline --since someday", 2),
    case("merge rival --strategy best", 2),
    case("diff a...b", 2),
    case("config core.pager cat", 2),
    case("branch a..b", 2),
    case("help nothing", 2),
]

# What the parser refuses before any command runs.
USAGE = [
    ("",),
    ("no-such-command",),
    ("--no-such-option",),
    ("get", "--no-such-option", TESTING),
    ("blame",),
    ("log", "--limit", "many"),
    ("log", "--limit", "0"),
    ("summarize", "--depth", "0"),
    ("ls", "one", "two"),
    ("remember", "x", "-p"),
    ("restore", TESTING),
    ("remote", "no-such-command"),
    ("remote", "add", "backup"),
]

STREAMS = [
    case("export"),
    case("export -n default --at v1"),
    case("log --json-lines"),
    case("log --json-lines --oneline -l 1"),
    case("batch", stdin='{"args": ["version"]}\n{"args": ["get"], "id": "x"}\nnonsense\n'),
]


@pytest.fixture
def fresh(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Memoir]:
    """Makes the sample store, the same and in the same place each time."""

    def make() -> Memoir:
        shutil.rmtree(tmp_path)
        return Memoir(sample.copy_into(tmp_path, tmp_path_factory.getbasetemp()))

    return make


def run(memoir: Memoir, case: Case, args: tuple[str, ...] | None = None, **env: str) -> RunResult:
    for line in case.before:
        match line:
            case ("insights", "written"):
                write_insights_at(memoir.folder)
            case ("remember", content, "-p", path):
                memoir.remember(path, content)
            case _:
                memoir.ok(*line)
    return memoir.run(*(args or case.args), stdin=case.stdin, EDITOR="perl -pi -e s/pytest/tox/", **env)


def check(done: RunResult, status: int, name: str) -> Json:
    """The one answer on standard output, if it is what the schema asks for."""
    assert done.status == status, done
    assert done.err == ""
    assert done.out.endswith("}\n") and done.out.count("\n") == 1, "exactly one object, on one line"
    answer = done.json
    assert problems(answer, SCHEMAS[name]) == []
    assert disorder(answer, SCHEMAS[name], name) == []
    return answer


def problems(answer: Any, schema: Json) -> list[str]:
    errors = Draft202012Validator(schema, registry=REGISTRY).iter_errors(answer)
    return [f"{error.json_path}: {error.message}" for error in errors]


def disorder(answer: Any, schema: Json, name: str) -> Iterator[str] | list[str]:
    """Where an answer's keys do not come in its schema's order, at any depth."""
    if target := schema.get("$ref"):
        file, _, pointer = target.partition("#")
        name = file.removesuffix(".json") or name
        schema = SCHEMAS[name]
        for step in pointer.strip("/").split("/") if pointer else []:
            schema = schema[step]
        return disorder(answer, schema, name)
    if "oneOf" in schema:
        # A reference within the file needs its neighbours to be resolved.
        parts = ({**part, "$defs": SCHEMAS[name].get("$defs", {})} for part in schema["oneOf"])
        return next(disorder(answer, part, name) for part in parts if not problems(answer, part))
    if isinstance(answer, list):
        return [text for item in answer for text in disorder(item, schema.get("items", {}), name)]
    if not isinstance(answer, dict) or "properties" not in schema:
        return []
    keys = [key for key in schema["properties"] if key in answer]
    inside = [text for key in keys for text in disorder(answer[key], schema["properties"][key], name)]
    return inside + ([f"{list(answer)}, not {keys}"] if list(answer) != keys else [])


def test_every_command_is_tried_and_has_a_schema() -> None:
    assert {param.values[0].command for param in ANSWERS} == COMMANDS.keys() - SERVERS
    assert SCHEMAS.keys() == {
        *COMMANDS,
        "envelope",
        "error",
        "shapes",
        "export-line",
        "import-line",
        "log-line",
        "batch-line",
    }


def test_the_schemas_are_strict() -> None:
    optional = {
        "error": {"rule", "line", "lines", "conflicts", "existing", "keys", "revision"},
        "import-line": {"namespace", "timestamp", "confidence", "status", "metadata"},
        "get": {"dates", "hint", "store", "stale"},
        "ls": {"stale", "expired", "address", "value"},
        "grep": {"dates", "more", "stale", "before", "after"},
        "shapes": {
            *("store", "source", "origin", "dates"),
            *("about", "commit", "lines", "digest", "words", "changed", "now"),
        },
        "log": {"signature"},
        "blame": {"signature"},
        "summarize": {"user", "stale_keys"},
        "recall": {
            "truncated",
            "dates",
            "gathered",
            "weaker",
            "weak",
            "disputes",
            "step_timings",
            "llm_prompts",
            "trace",
            "context",
            "store",
            "metrics",
            "effective_query",
            "evidences",
            "insights",
            "items",
            "rawData",
            "layer",
            "address",
            "source",
            "origin",
            "speaker",
            "strategy",
            "lead",
            "planner",
            "memory_retrieval_time",
            "llm_time",
        },
    }
    for name, schema in SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        extras = {"author", *optional.get(name, ())}  # of a memory that came from a remote
        for part in objects(schema):
            assert set(part["properties"]) - set(part["required"]) <= extras, (name, part)
            if {"fused", "relevance_score"} <= set(part["required"]):  # a channel that is added has its own column
                assert part["additionalProperties"]["type"] == ["number", "null"], (name, part)
                continue
            open_ = name == "recall" and part["required"] == ["mode"]
            # A found memory shows its own metadata beside recall's.
            assert part.get("additionalProperties") is (None if name == "envelope" else open_), (name, part)


def objects(schema: Any) -> Iterator[Json]:
    """Every part of a schema that lists an object's properties."""
    if isinstance(schema, dict):
        if "properties" in schema and "required" in schema:
            yield schema
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from objects(part)


FIRST = {param.values[0].command: param for param in reversed(ANSWERS)}


@pytest.mark.parametrize("case", list(FIRST.values())[::15])
def test_json_can_be_an_option_anywhere_or_a_variable(case: Case, fresh: Callable[[], Memoir]) -> None:
    """Of a few of the commands, because all get the option from the same place."""
    after = run(fresh(), case, (*case.args, "--json"))

    assert run(fresh(), case, ("--json", *case.args)) == after
    assert run(fresh(), case, MEMOIR_JSON="1") == after


@pytest.mark.parametrize("case", ANSWERS)
def test_every_form_of_an_answer_is_in_its_schema(case: Case, fresh: Callable[[], Memoir]) -> None:
    answer = check(run(fresh(), case, (*case.args, "--json")), case.status, case.command)

    assert problems(answer, SCHEMAS["envelope"]) == []


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_is_what_its_schema_says(case: Case, fresh: Callable[[], Memoir]) -> None:
    answer = check(run(fresh(), case, (*case.args, "--json")), case.status, "error")

    assert answer["command"] == case.command
    assert problems(answer, SCHEMAS["envelope"]) == []


@pytest.mark.parametrize("args", USAGE, ids=lambda args: " ".join(args))
def test_usage_errors_are_answers_too(args: tuple[str, ...], memoir: Memoir) -> None:
    args = tuple(word for word in args if word)

    answer = check(memoir.run("--json", *args), 2, "error")

    assert answer["error"]["code"] == "invalid_input"
    assert answer["command"] == (args[0] if args and args[0] in COMMANDS else "memoir")


@pytest.mark.parametrize("case", FIRST.values())
def test_human_output_is_lines_without_json(case: Case, fresh: Callable[[], Memoir]) -> None:
    done = run(fresh(), case)

    assert done.status == case.status
    assert "memoir: " not in done.err and "{" not in done.err
    assert not done.out.startswith("{") or case.command == "prove"
    assert [line for line in done.out.splitlines() if line != line.rstrip()] == []


@pytest.mark.parametrize("case", STREAMS)
def test_streams_are_json_lines_with_or_without_json(case: Case, fresh: Callable[[], Memoir]) -> None:
    memoir = fresh()
    done, plain = memoir.run(*case.args, "--json", stdin=case.stdin), memoir.run(*case.args, stdin=case.stdin)

    assert done == plain
    assert (done.status, done.err) == (0, "")
    name = f"{case.command}-line"
    for text in done.out.splitlines():
        assert problems(json.loads(text), SCHEMAS[name]) == []
        assert disorder(json.loads(text), SCHEMAS[name], name) == []


def test_exported_lines_are_fit_for_import(fresh: Callable[[], Memoir]) -> None:
    for text in fresh().ok("export").splitlines():
        assert problems(json.loads(text), SCHEMAS["import-line"]) == []


def test_a_stream_that_cannot_begin_is_answered_with_an_error(memoir: Memoir) -> None:
    check(memoir.run("export", "--at", "nothing", "--json"), 4, "error")


@pytest.mark.parametrize("args", [("--help",), ("get", "--help"), ("remote", "add", "--help"), ("new", "--help")])
def test_help_is_an_answer(args: tuple[str, ...], memoir: Memoir) -> None:
    answer = check(memoir.run(*args, "--json"), 0, "help")

    names = [ALIASES.get(args[0], args[0])] if len(args) > 1 else list(COMMANDS)
    assert [command["name"] for command in answer["commands"]] == names


def test_the_version_is_an_answer(memoir: Memoir) -> None:
    check(memoir.run("--version", "--json"), 0, "version")


def test_an_empty_store_answers_in_the_same_shapes(memoir: Memoir) -> None:
    for args in ("get a.b", "ls", "summarize --depth 1 --keys *", "log", "branch", "tag", "remote", "status", "fsck"):
        check(memoir.run(*args.split(), "--json"), 0, args.split()[0])
    memoir.remember("a.b", "the first")
    check(memoir.run("diff", "--json"), 0, "diff")


def test_a_damaged_store_is_an_answer(memoir: Memoir) -> None:
    memoir.remember("a.b", "its pack is lost")
    packs = list(memoir.git_dir.glob("objects/pack/*.pack"))
    memoir.remember("c.d", "its pack is there")
    for pack in packs:
        pack.unlink()

    answer = check(memoir.run("get", "a.b", "--json"), 7, "error")
    report = check(memoir.run("fsck", "--json"), 7, "fsck")

    assert answer["error"]["code"] == "damaged_store"
    assert report["problems"] and not report["ok"]


def test_a_branch_whose_commit_is_lost_is_damaged_not_empty(memoir: Memoir) -> None:
    memoir.remember("a.b", "content")
    shutil.rmtree(memoir.git_dir / "objects" / "pack")
    (memoir.git_dir / "objects" / "pack").mkdir()

    check(memoir.run("get", "a.b", "--json"), 7, "error")


def test_a_store_that_could_execute_something_is_an_answer(memoir: Memoir) -> None:
    with open(memoir.git_dir / "config", "a", encoding="utf-8") as config:
        config.write("[core]\n\tsshCommand = touch run\n")

    answer = check(memoir.run("ls", "--json"), 1, "error")

    assert answer["error"]["code"] == "unsafe_store"


def test_a_busy_store_is_an_answer(memoir: Memoir) -> None:
    lock = os.open(memoir.git_dir / LOCK_NAME, os.O_RDWR | os.O_CREAT)
    try:
        assert try_lock(lock)
        answer = check(memoir.run("remember", "x", "-p", "a.b", "--json", MEMOIR_LOCK_TIMEOUT="0.1"), 1, "error")
    finally:
        os.close(lock)

    assert answer["error"]["code"] == "busy"


def test_an_interruption_is_an_answer(memoir: Memoir) -> None:
    memoir.remember("a.b", "content")

    answer = check(memoir.run("edit", "a.b", "--json", EDITOR="sh -c 'kill -TERM $PPID; sleep 0.5'"), 130, "error")

    assert answer["error"]["code"] == "interrupted"


def test_the_schema_knows_every_kind_of_failure() -> None:
    import_module("memoir.cli.main")
    kinds: list[type[MemoirError]] = [MemoirError]
    for kind in kinds:
        kinds += kind.__subclasses__()

    codes = SCHEMAS["error"]["properties"]["error"]["properties"]["code"]["enum"]
    assert sorted(codes) == sorted({kind.code for kind in kinds})
