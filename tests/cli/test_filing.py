"""Memories without a path, the inbox, the taxonomy and credentials, as a user meets them."""

import json

import pytest
from messages_api import MessagesApi, error, filing
from support import Memoir

FACT = "I prefer tabs over spaces in Go code."
NOISE = "zxqv blorp"
BY_MODEL = ("--classifier", "model")


def everything(memoir: Memoir) -> set[str]:
    """Every content in the store, superseded ones too."""
    lines = memoir.ok("export").splitlines()
    return {json.loads(line)["content"] for line in lines}


def test_rules_file_a_memory_at_three_levels_with_a_confidence(memoir: Memoir) -> None:
    answer = memoir.json("remember", FACT)

    assert answer["key"].startswith("preferences.") and answer["key"].count(".") == 2
    filing = answer["filing"]
    assert (filing["by"], filing["inbox"], filing["paths"][0]["path"]) == ("rules", False, answer["key"])
    assert 0.35 < filing["confidence"] <= 1 and answer["confidence"] == 1.0
    assert memoir.content(answer["key"]) == FACT


def test_a_memory_without_evidence_goes_to_the_inbox(memoir: Memoir) -> None:
    answer = memoir.json("remember", NOISE)

    assert answer["key"].startswith("inbox.unsorted.m") and answer["filing"]["inbox"]
    assert memoir.content(answer["key"]) == NOISE


def test_a_dry_run_shows_the_filing_and_writes_nothing(memoir: Memoir) -> None:
    answer = memoir.json("remember", FACT, "--dry-run")

    assert answer["key"].startswith("preferences.") and answer["commit_hash"] is None and answer["dry_run"]
    assert memoir.ok("ls") == ""


@pytest.mark.parametrize(
    ("options", "policy", "yields"),
    [((), "confidence_gated", True), (("--merge-policy", "append"), "append", False), (("-n", "other"), None, False)],
)
def test_a_dry_run_says_what_the_policy_would_do(
    memoir: Memoir, options: tuple[str, ...], policy: str | None, yields: bool
) -> None:
    memoir.remember("preferences.coding.style", "I like tabs.")
    rev = memoir.ok("log", "--oneline")

    answer = memoir.json("remember", "I like spaces.", "-p", "preferences.coding.style", "--dry-run", *options)
    text = memoir.ok("remember", "I like spaces.", "-p", "preferences.coding.style", "--dry-run", *options)

    assert [(met["policy"], met["superseded"]) for met in answer["conflicts"]] == (
        [(policy, ["I like tabs."] if yields else [])] if policy else []
    )
    assert text.startswith("would go to  ") and ("superseded: I like tabs." in text) is yields
    assert memoir.ok("log", "--oneline") == rev and memoir.content("preferences.coding.style") == "I like tabs."


def test_a_dry_run_fails_where_the_real_one_would(memoir: Memoir) -> None:
    memoir.remember("preferences.coding.style", "I like tabs.")

    done = memoir.run(
        "remember", "Spaces", "-p", "preferences.coding.style", "--merge-policy", "reject", "--dry-run", "--json"
    )

    assert done.status == 5


def test_a_key_in_the_environment_changes_nothing(memoir: Memoir, api: MessagesApi) -> None:
    answer = memoir.json("remember", FACT)

    assert (answer["filing"]["by"], answer["degraded"], api.requests) == ("rules", None, [])


@pytest.mark.parametrize("classifier", ["auto", "model"])
def test_the_users_setting_has_a_model_file(memoir: Memoir, api: MessagesApi, classifier: str) -> None:
    memoir.ok("config", "--global", "memoir.filing.classifier", classifier)
    api.answers.append(filing(("preferences.coding.tabs", 0.9)))

    assert memoir.json("remember", FACT)["key"] == "preferences.coding.tabs"


def test_without_the_configured_model_rules_file(
    memoir: Memoir, api: MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    memoir.ok("config", "--global", "memoir.filing.classifier", "model")
    api.respond = lambda request: error(401)

    answer = memoir.json("remember", FACT)
    assert (answer["filing"]["by"], answer["key"].startswith("inbox.")) == ("rules", False)
    assert answer["degraded"].endswith("; filed by rules") and len(api.requests) == 1
    for variable in api.env():
        monkeypatch.delenv(variable)
    assert "no language model is configured" in memoir.json("remember", FACT)["degraded"]
    assert memoir.run("remember", FACT, "--classifier", "model").status == 6


def test_a_stores_config_cannot_turn_on_a_model(memoir: Memoir, api: MessagesApi) -> None:
    memoir.git("config", "memoir.filing.classifier", "model")
    memoir.git("config", "memoir.remember.mergePolicy", "llm_merge")
    memoir.remember("preferences.coding.tabs", "I use spaces.")

    first = memoir.json("remember", FACT)
    second = memoir.json("remember", "I use tabs now.", "-p", "preferences.coding.tabs")

    assert (first["filing"]["by"], second["conflicts"][0]["policy"], api.requests) == ("rules", "confidence_gated", [])
    assert "ignored memoir.filing.classifier" in first["degraded"]
    assert "ignored memoir.remember.mergePolicy" in second["degraded"]


def test_the_inbox_is_filed_later_with_its_history(memoir: Memoir, api: MessagesApi) -> None:
    api.answers += ["no idea", filing(("preferences.coding.tabs", 0.9))]
    place = memoir.json("remember", FACT, *BY_MODEL)["key"]

    plan = memoir.json("classify", "--classifier", "rules", "--dry-run")
    assert plan["inbox"][0]["to"][0].startswith("default:preferences.") and plan["commit_hash"] is None
    done = memoir.json("classify", *BY_MODEL)

    assert (done["moved"], done["inbox"][0]["to"]) == (1, ["default:preferences.coding.tabs"])
    assert memoir.content(place) is None and memoir.content("preferences.coding.tabs") == FACT
    assert len(memoir.json("blame", "preferences.coding.tabs")["entries"]) == 2, "blame follows it into the inbox"


def test_what_no_one_is_sure_of_stays_in_the_inbox(memoir: Memoir) -> None:
    place = memoir.json("remember", NOISE)["key"]

    done = memoir.json("classify")

    assert (done["count"], done["moved"], done["commit_hash"]) == (1, 0, None)
    assert memoir.content(place) == NOISE


def test_a_model_merges_and_names_its_sources(memoir: Memoir, api: MessagesApi) -> None:
    api.answers.append("We deploy on Tuesdays at nine.")
    memoir.remember("project.release.day", "We deploy on Tuesdays.")

    memoir.json("remember", "At nine.", "-p", "project.release.day", "--merge-policy", "llm_merge")

    value = memoir.json("get", "project.release.day")["items"][0]["value"]
    assert value["content"] == "We deploy on Tuesdays at nine."
    sources = {source["content"] for source in value["metadata"]["derived_from"]}
    assert sources == {"We deploy on Tuesdays.", "At nine."} <= everything(memoir)


def test_a_store_extends_the_taxonomy_and_files_by_it(memoir: Memoir) -> None:
    memoir.ok("taxonomy", "add", "cooking", "--about", "Recipes and food", "--example", "I bake sourdough bread")

    assert memoir.json("remember", "I bake sourdough bread with rye")["key"].startswith("cooking.")
    taxonomy = memoir.json("taxonomy")
    assert taxonomy["source"] == "extended" and "cooking" in [category["path"] for category in taxonomy["categories"]]
    memoir.ok("taxonomy", "reset")
    assert memoir.json("taxonomy")["source"] == "default"
    assert memoir.json("taxonomy", "--at", "HEAD~1")["source"] == "extended", "it is versioned"


def test_a_store_replaces_the_taxonomy_by_a_file(memoir: Memoir) -> None:
    own = '[kitchen]\nabout = "Food"\n[kitchen.baking]\nabout = "Bread and cakes"\nexamples = ["I bake bread"]\n'
    (memoir.folder / "own.toml").write_text(own)

    memoir.ok("taxonomy", "load", "own.toml")

    assert [category["path"] for category in memoir.json("taxonomy")["categories"]] == ["kitchen", "kitchen.baking"]
    assert memoir.json("remember", "I bake bread on Sundays")["key"].startswith("kitchen.baking.")


def test_recall_does_not_find_categories(memoir: Memoir) -> None:
    memoir.ok("taxonomy", "add", "cooking", "--about", "Recipes with sourdough")

    assert memoir.json("recall", "sourdough recipes")["memories"] == []


@pytest.mark.parametrize("command", ["remember", "remember -p", "import", "edit"])
def test_a_credential_is_refused_and_never_echoed(memoir: Memoir, command: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6e7F8"
    memoir.remember("a.b", "x")
    before = memoir.ok("log", "--oneline")
    line = json.dumps({"path": "c.d", "content": secret})
    runs = {
        "remember": (["remember", f"the token is {secret}"], ""),
        "remember -p": (["remember", "x", "-p", "c.d", "--meta", f"token={secret}"], ""),
        "import": (["import", "-"], line),
        "edit": (["edit", "a.b"], ""),
    }

    args, stdin = runs[command]
    done = memoir.run(*args, stdin=stdin, EDITOR=f"perl -pi -e s/x/{secret}/")

    assert done.status == 2 and "github" in (done.out + done.err).lower()
    assert secret not in done.out + done.err and secret[4:20] not in done.out + done.err
    assert memoir.ok("log", "--oneline") == before
    assert memoir.run(*args, "--allow-secret", stdin=stdin, EDITOR=f"perl -pi -e s/x/{secret}/").status == 0


def test_a_refused_command_line_does_not_echo_a_credential_either(memoir: Memoir) -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7xQ2mC9vT1\n-----END RSA PRIVATE KEY-----"
    for args in (["remember", "-p", "a.b", key], ["remember", "a", "password=hunter2zz9"]):
        for form in ([], ["--json"]):
            done = memoir.run(*args, *form)

            assert done.status == 2 and "looks like a credential" in done.out + done.err
            assert "hunter2" not in done.out + done.err and "MIIE" not in done.out + done.err


def test_a_confirmation_adds_links_and_metadata_and_never_goes_back(memoir: Memoir) -> None:
    fact = ("remember", "I use tabs for indentation.")
    key = memoir.json(*fact, "--timestamp", "2020-01-01")["key"]
    memoir.remember("k.z", "The diffs are narrow")

    memoir.json(*fact)
    memoir.json(*fact, "--link", "causes=k.z", "--meta", "a=b", "--timestamp", "2021-01-01")

    metadata = memoir.json("get", key)["items"][0]["value"]["metadata"]
    assert (metadata["links"]["causes"], metadata["a"]) == (["default:k.z"], "b")
    assert metadata["last_confirmed"] == "2026-01-02T03:04:05Z"


def test_a_memory_with_an_earlier_time_is_stored_as_well(memoir: Memoir) -> None:
    for day in ("2024-01-01", "2023-01-01"):
        memoir.json("remember", "Met Anna for lunch", "-p", "episodic.meetings", "--timestamp", day)

    moments = memoir.json("timeline")["moments"]
    assert [moment["timestamp"][:10] for moment in moments] == ["2024-01-01", "2023-01-01"]


def test_the_inbox_and_the_taxonomy_are_kept_apart(memoir: Memoir) -> None:
    assert memoir.run("taxonomy", "add", "inbox", "--about", "x").status == 2
    assert memoir.run("remember", "x", "-p", "a.b", "-n", "memoir:taxonomy").status == 2
