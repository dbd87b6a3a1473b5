"""Credentials are refused and never repeated; what developers write every day is not.

Every sample is put together when the tests run, so that no scanner finds one in this repository.
"""

import random
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any, SupportsIndex

import pytest
from credential_samples import credentials, ordinary, samples
from support import without_endless_work

from memoir.errors import ExitCode, InvalidInput
from memoir.memory.write_options import WriteOptions
from memoir.records.record import Memory
from memoir.repository.repository import Repository
from memoir.secrets import scan
from memoir.secrets.credentials import SHAPES
from memoir.secrets.scan import Window
from memoir.secrets.secrets import CredentialFinding, check, check_memory, find, redact, strike
from memoir.taxonomy.paths import address

CREDENTIALS = credentials()
PASSWORD = "hT7kq" + "92LmZ"


def watch_scanner(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that redact-secret is given from now on."""
    texts: list[str] = []
    scanner = scan._scanner()

    def note(text: str) -> list[Any]:
        texts.append(text)
        return list(scanner(text))

    monkeypatch.setattr(scan, "_scanner", lambda: note)
    return texts


def test_of_the_labelled_set_95_in_100_credentials_are_refused() -> None:
    misses = [sample for sample in samples() if not find(sample.text)]

    assert len(CREDENTIALS) >= 100
    assert len(misses) <= 0.05 * sum(1 for _ in samples()), misses


def test_of_the_labelled_set_at_most_1_in_100_ordinary_sentences_is_refused() -> None:
    refusals = [text for text in ordinary() if find(text)]

    assert len(ordinary()) >= 300
    assert len(refusals) <= 0.01 * len(ordinary()), refusals


@pytest.mark.parametrize("text", ["{}", "noted on Monday: {} is to be rotated\n", "the staging set-up\n\n{}\n"])
def test_a_credential_is_found_anywhere_in_a_text(text: str) -> None:
    assert [name for name, credential in CREDENTIALS.items() if not find(text.format(credential))] == []


@pytest.mark.parametrize(
    "mark", ["\u200b", "\u200d", "\ufeff", "\u2060", "\u00ad", "\U000e0041", "\ufe0f", "\0", "\x08"]
)
def test_invisible_characters_hide_no_credential(mark: str) -> None:
    token = CREDENTIALS["gitlab-personal"]
    text = f"one\ntwo {mark.join(token)} three"

    assert find(text) == CredentialFinding("gitlab-token", 2)
    assert redact(text) == "one\ntwo … three"


def _escaped(text: str) -> str:
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)


_DISGUISES = {
    "escaped as Markdown does": _escaped,
    "escaped twice": lambda text: re.sub(r"([_-])", r"\\\\\1", text),
    "with references": lambda text: text.replace("-", "&#45;").replace("_", "&#x5F;").replace("=", "&equals;"),
    "of full width": lambda text: "".join(chr(ord(c) + 0xFEE0) if c.isascii() and c.isalnum() else c for c in text),
    "with other hyphens": lambda text: text.replace("-", "\u2011"),
    "behind dots": lambda text: f"...{text}",
}


@pytest.mark.parametrize("disguise", _DISGUISES.values(), ids=_DISGUISES)
def test_what_a_reader_does_not_see_hides_no_credential(disguise: Callable[[str], str]) -> None:
    for name, credential in CREDENTIALS.items():
        assert find(f"noted: {disguise(credential)} is to be rotated"), name


@pytest.mark.parametrize("disguise", _DISGUISES.values(), ids=_DISGUISES)
def test_such_a_credential_is_struck_whole_and_nothing_else(disguise: Callable[[str], str]) -> None:
    token = disguise(CREDENTIALS["gitlab-personal"]).removeprefix("...")
    text = f"a\\_b &amp; \u200bone\n{token}\nt&#119;o &lt;{token}&gt; c\\-d"

    assert redact(text) == "a\\_b &amp; \u200bone\n…\nt&#119;o &lt;…&gt; c\\-d"


@pytest.mark.parametrize(
    "part",
    ["\\", "\\_", "\\\\n", "&", "&#45;", "&lowbar;", "&amp;", "ｐ", "\u2011", "..", "..a", "password for ",
     "with password ", "client-key-data:", " -p a1", "xox", "npg_"],
)  # fmt: skip
@pytest.mark.slow
def test_scan_time_is_linear_for_what_could_hide_credentials(part: str) -> None:
    with without_endless_work(2):
        find(part * (400_000 // len(part)))


@pytest.mark.parametrize(
    "text",
    [
        '"ANTHROPIC_API_KEY": "the key of the Messages API; a key alone makes no command use a model",',
        '"AUTH_TOKEN": "a token for the Messages API, instead of a key",',
        'API_KEY, AUTH_TOKEN = "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"',
        "def place(text: str, credentials: list[Credential]) -> list[Credential]:",
        '"input_token": spent.tokens - spent.output_tokens,',
        'folder, secret = tmp_path / "docs", tmp_path / "secret.md"',
    ],
)
def test_code_and_prose_about_credentials_are_none(text: str) -> None:
    assert find(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "API_KEY = 'qwertzuiopasdfgh'",
        "password: swordfishes - use it twice",
        'secret = "correct horse battery staple on the hill of a friend"',
        "AUTH_TOKEN=HQZKW_PLMTR_VBNXC_TREWQ",
    ],
)
def test_what_only_resembles_code_or_prose_is_found(text: str) -> None:
    assert find(text)


@pytest.mark.parametrize("value", [{"note": "ghp\\_" + "a1B2" * 9}, {"tags": ["npm&#95;" + "a1B2" * 9]}])
def test_metadata_hides_none_either(value: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        check_memory(Memory.of("x", metadata=dict(value)))


@pytest.mark.parametrize(
    "text",
    ["password for staging is hunter2", "the password of the demo account: hunter2x", "log in with password hunter2x"],
)
def test_a_password_is_known_by_what_it_is_for(text: str) -> None:
    assert find(text) == CredentialFinding("password", 1)


_REPEATED = (
    *(shape.part for shape in SHAPES), "eyJ", "eyJ.", "_eyJ", "password: ", "password=test_1", "api_key=", "key is ",
    "://x:y@", "-----BEGIN ", "mysql -p", "mysql -pa1", "abandon ", "a ", "a.", "<p>", "\u200b", "\u0130", ". ",
    ":5432:a:b:", "token=a ", "TOKEN=null,",
)  # fmt: skip


@pytest.mark.slow
def test_scan_time_is_linear_for_repeated_texts() -> None:
    for part in _REPEATED:
        with without_endless_work(1):  # a rule that reads the rest again and again takes several seconds
            find(part * (150_000 // len(part)))


@pytest.mark.slow
def test_scan_time_is_linear_for_random_texts() -> None:
    parts = [*(shape.part for shape in SHAPES), "eyJ", "eyJh", "=", ":", " ", "\n", "a1", "'", "/", "."]
    text = "".join(random.Random(3).choices(parts, k=40_000))
    with without_endless_work(2):
        find(text)


@pytest.mark.parametrize("part", ["api_key: ", "https://u:p@h/ ", "curl -u a:b "])
def test_a_search_ends_in_the_window_of_the_first_credential(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scanner makes a finding of every one of these; a megabyte of them took a second."""
    texts = watch_scanner(monkeypatch)

    assert find("word " * 30_000 + part * (300_000 // len(part)))
    assert len(texts) == 2


@pytest.mark.parametrize("part", ["mongodb://", "mongodb+srv://", "MongoDB://a/", "=mongodb://a:b@"])
def test_no_word_of_many_addresses_is_read_again_from_each(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = watch_scanner(monkeypatch)

    find(part * 20)

    assert max(map(len, "".join(texts).split())) < 2 * len(part)
    assert find(f"{part * 3},mongodb://bob:{PASSWORD}@db.internal/x")


def test_a_credential_that_lies_across_two_windows_is_found() -> None:
    window = Window(size=300, context=250)
    for name, credential in CREDENTIALS.items():
        alone = [place.line for place in strike(f" {credential} ")[1]]
        for before in range(300 - len(credential) - 3, 303, 3) if len(credential) < 250 else ():
            text = f"{'a ' * 500}"[:before] + f" {credential} \nand so on"
            assert [place.line for place in strike(text, window)[1]] == alone, (name, before)


def test_what_lies_across_two_windows_is_struck_once() -> None:
    token = CREDENTIALS["gitlab-personal"]

    assert strike(f"one {token} two\n" * 20, Window(size=100, context=90))[0] == "one … two\n" * 20


@pytest.mark.slow
def test_a_credential_is_found_between_any_other_texts() -> None:
    chance = random.Random(5)
    for credential in CREDENTIALS.values():
        around = chance.choices(ordinary(), k=40)
        memory = Memory.of(
            "\n".join([*around[:20], credential, *around[20:]]), metadata={"a": around[0], "b": around[1]}
        )
        with pytest.raises(InvalidInput, match="looks like a credential"):
            check_memory(memory, [address("a.b")], message=around[2])


def test_every_shape_of_memoirs_own_has_a_sample() -> None:
    for shape in SHAPES:
        texts = [text.lower() if shape.by_name else text for text in CREDENTIALS.values()]
        matches = [match[0] for text in texts if (match := re.search(shape.pattern, text))]
        assert matches and all(shape.part in match for match in matches), shape


def test_a_redacted_text_has_no_credential() -> None:
    other = CREDENTIALS["gitlab-personal"]
    for name, credential in CREDENTIALS.items():
        rest = redact(f"It was so:\n{credential}\nand {other}, {credential} and {other} are here")

        assert find(rest) is None and rest.startswith("It was so:\n") and "…" in rest, name
        assert other not in rest and credential not in rest, name


def test_redacting_removes_only_the_credentials() -> None:
    text = "api key is abcdef0123456789abcdef01, secret key is ghijkl0123456789abcdef02 for the deploy script"

    assert redact(text) == "api key is …, secret key is … for the deploy script"
    assert (
        redact("password=hunter2abc tail and " + CREDENTIALS["gitlab-personal"] + " end") == "password=… tail and … end"
    )
    assert redact("nothing here") == "nothing here"


@pytest.mark.parametrize(
    "key",
    [
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7xQ2mC9vT1\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBF0aMIIEpAIB\n-----END PGP PRIVATE KEY BLOCK-----",
        r"-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7xQ2mC9vT1\n-----END PRIVATE KEY-----",
        "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nAAAAB3NzaC1yc2\nPrivate-MAC: 0a1b2c3d",
    ],
    ids=["pem", "pgp", "escaped", "putty"],
)
def test_a_private_key_is_struck_to_its_last_line_and_what_follows_stays(key: str) -> None:
    text = f"One: {key}\nTwo: {key} and\n\nthe anchor is called Hugo.\n"

    assert redact(text) == "One: …\nTwo: … and\n\nthe anchor is called Hugo.\n"
    begun = key.rpartition("\n")[0] if "\n" in key else key[:60]
    assert redact(f"Said: {begun}\nMIIBVQIBADANBgkq\n") == "Said: …\n"


def test_a_finding_names_the_rule_and_the_line_of_the_first_credential() -> None:
    text = f"one\ntwo\n{CREDENTIALS['gitlab-personal']}\n{CREDENTIALS['figma']}"

    assert find(text) == CredentialFinding("gitlab-token", 3)


class CountedText(str):
    """A text that notes in which parts of it something was counted."""

    def __init__(self, _: str) -> None:
        self.parts: list[str] = []

    def count(self, sub: str, start: SupportsIndex | None = None, end: SupportsIndex | None = None, /) -> int:
        self.parts.append(self[start:end])
        return self.parts[-1].count(sub)


def test_every_line_is_named_and_none_is_counted_twice() -> None:
    """Counting anew for each of 64,000 took 256 times as long as for 4,000."""
    text = CountedText("curl -u a:b \n" * 1000)

    assert [finding.line for finding in strike(text)[1]] == list(range(1, 1001))
    assert text.startswith("".join(text.parts))


def test_a_refusal_names_the_rule_and_repeats_nothing_of_the_credential() -> None:
    for credential in CREDENTIALS.values():
        with pytest.raises(InvalidInput) as failure:
            check(credential)
        error = failure.value

        assert error.exit_code == ExitCode.USAGE
        assert error.details == {"rule": find(credential).rule}  # type: ignore[union-attr]
        assert f"(rule: {error.details['rule']}" in error.message and "--allow-secret" in str(error.hint)
        text = f"{error.message} {error.hint} {error.details}"
        assert not [part for part in re.findall(r"\w{8,}", credential) if re.search(r"\d", part) and part in text]


def test_a_refusal_says_which_text_and_which_line() -> None:
    with pytest.raises(InvalidInput, match=r"^line 7 looks like a credential \(rule: gitlab-token, line 2\)$"):
        check("one\n" + CREDENTIALS["gitlab-personal"], "line 7")


def test_an_ordinary_text_is_accepted() -> None:
    check("prefers tabs over spaces")


@pytest.mark.parametrize(
    "metadata",
    [
        {"note": CREDENTIALS["gitlab-personal"]},
        {"notes": ["x", {"deep": [{"deeper": CREDENTIALS["slack-bot"]}]}]},
        {"password": PASSWORD},
        {"login": {"password": [PASSWORD]}},
        {CREDENTIALS["gitlab-personal"]: 1},
        {CREDENTIALS["gitlab-personal"]: {"x": 1}},
    ],
    ids=["text", "nested", "by its key", "by its key, in a list", "as a key", "as a key of an object"],
)
def test_metadata_is_searched_too(metadata: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^the metadata looks like a credential"):
        check_memory(Memory.of("x", metadata=dict(metadata)))


def test_a_memory_without_a_credential_is_accepted() -> None:
    metadata = {"source": "3f786850e387550fdab836ed7e6dc881de23001b", "n": 1, "ok": True, "none": None, "tags": ["a"]}

    check_memory(Memory.of("prefers tabs", metadata=metadata))


SESSION_IDS = [
    "bf020496-88aa-468f-a112-b9c29ad28e8c",
    "BF020496-88AA-468F-A112-B9C29AD28E8C",
    "bf02049688aa468fa112b9c29ad28e8c",
    "01890a5d-ac96-774b-bcce-b302099a8057",
    "session-2026-11-23T20-25-bf020496",
    "rollout-2026-11-23T20-25-03-bf020496-88aa-468f-a112-b9c29ad28e8c",
    "83b9609c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f60",
]


@pytest.mark.parametrize("name", ["session", "session_id", "sessionid", "parent_session", "claude_session_id"])
def test_the_id_of_a_session_is_no_credential(name: str) -> None:
    for value in SESSION_IDS:
        check_memory(Memory.of("x", metadata={name: value, "turns": [{name: value}]}))

        assert find(f"see /chats?{name}={value}&page=2") is None


@pytest.mark.parametrize("name", ["session_id", "parent_session"])
def test_a_cookie_that_keeps_a_session_is_a_credential(name: str) -> None:
    cookie = CREDENTIALS["cookie-session"].partition("=")[2]

    assert find(f"Cookie: session={SESSION_IDS[0]}")
    assert find(f"session={SESSION_IDS[0]}.{cookie[:27]}")
    with pytest.raises(InvalidInput):
        check_memory(Memory.of("x", metadata={name: cookie}))


@pytest.mark.parametrize(
    "metadata",
    [
        {"session": CREDENTIALS["cookie-session"].partition("=")[2]},
        {"source": "notes/2026-11/session=bf02049688aa468fa112b9c29ad28e8c"},
        {"filing": {"by": "move", "from": "team.password", "password": PASSWORD}},
        {"links": {"derives_from": ["default:team.password"], "ids": {"default:team.password": "m1f0c2ab93e4d"}}},
    ],
    ids=["session", "source", "filing", "links"],
)
def test_no_field_of_memoirs_own_is_a_credential_by_its_name(metadata: Mapping[str, Any]) -> None:
    check_memory(Memory.of("x", metadata=dict(metadata)))
    with pytest.raises(InvalidInput):
        check_memory(Memory.of("x", metadata={"other": {"password": PASSWORD, **metadata}}))


@pytest.mark.parametrize(
    "metadata",
    [
        {"session": CREDENTIALS["gitlab-personal"]},
        {"source": CREDENTIALS["slack-bot"]},
        {"links": {"derives_from": [CREDENTIALS["npm"]]}},
        {"links": {"ids": {CREDENTIALS["npm"]: "m1f0c2ab93e4d"}}},
        {"filing": {"from": CREDENTIALS["figma"]}},
    ],
)
def test_a_credential_in_a_field_of_memoirs_own_is_found_by_its_shape(metadata: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="looks like a credential"):
        check_memory(Memory.of("x", metadata=dict(metadata)))


def test_the_content_of_a_memory_is_searched() -> None:
    with pytest.raises(InvalidInput, match=r"^this looks like a credential"):
        check_memory(Memory.of(CREDENTIALS["jwt"]))


def test_texts_of_any_size_and_kind_can_be_searched() -> None:
    long = "the quick brown fox\n" * 50_000

    assert find("") is None
    assert find(long) is None
    assert find(long + CREDENTIALS["npm"]) == CredentialFinding("npm-access-token", 50_001)
    assert find(("password: " + PASSWORD + "\n") * 60_000) == CredentialFinding("contextual-secret", 1)
    assert find("ключ – \udc80 " + CREDENTIALS["npm"]) == CredentialFinding("npm-access-token", 1)


@pytest.mark.parametrize("part", ["-----BEGIN PRIVATE KEY-----\n", "pwd=a1", "password=", "SK", "pat", "sk-ant-"])
def test_a_shape_is_fast_on_a_text_that_almost_matches(part: str) -> None:
    """Were the time to grow with the square of the length, this would take minutes."""
    text = part * (1_000_000 // len(part))

    assert all(shape.rule for shape in SHAPES if re.search(shape.pattern, text))


def test_importing_the_module_does_not_load_the_scanner() -> None:
    code = "import sys, memoir.secrets.secrets; assert 'redact_secret' not in sys.modules"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_search_loads_no_network_and_no_heavy_module() -> None:
    code = """if True:
        import sys
        from memoir.secrets.secrets import find
        find("token=" + "a1b2c3d4" * 4)
        assert not {"socket", "ssl", "http.client", "urllib.request", "requests", "asyncio"} & set(sys.modules)
    """

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


WRITES: dict[str, Callable[[Repository, WriteOptions], object]] = {
    "remember": lambda repository, options: repository.remember("new", "n.n", options=options),
    "remember many": lambda repository, options: repository.remember_many([("new", "n.n")], options=options),
    "edit": lambda repository, options: repository.edit("a.one", lambda record: record[:0], options=options),
    "forget": lambda repository, options: repository.forget("a.one", options=options),
    "move": lambda repository, options: repository.move("a.one", "b.one", options=options),
    "import": lambda repository, options: repository.import_lines([b'{"path":"n.n","content":"new"}'], options=options),
    "merge": lambda repository, options: repository.merge("side", options=options),
    "restore": lambda repository, options: repository.restore("a.one", at="HEAD~1", options=options),
    "revert": lambda repository, options: repository.revert("HEAD", options=options),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_no_write_takes_a_message_with_a_credential(
    repository: Repository, write: Callable[[Repository, WriteOptions], object]
) -> None:
    repository.remember("first", "a.one")
    repository.branches.create("side")
    repository.remember("beside", "s.s", options=WriteOptions(branch="side"))
    repository.remember("second", "a.one", policy="replace")
    head = repository.store.head().id

    with pytest.raises(InvalidInput, match="the message looks like a credential"):
        write(repository, WriteOptions(message=f"about {CREDENTIALS['github-classic']}"))

    assert repository.store.head().id == head
    write(repository, WriteOptions(message="about nothing"))


def test_no_memory_moves_to_a_path_with_a_credential(repository: Repository) -> None:
    repository.remember("text", "a.one")

    with pytest.raises(InvalidInput, match="the path looks like a credential"):
        repository.move("a.one", f"keys.{CREDENTIALS['github-classic']}")


def test_of_two_seed_phrases_in_a_text_each_is_struck_and_nothing_else() -> None:
    one, two = CREDENTIALS["seed-phrase-12"], credentials(seed=8)["seed-phrase-12"]

    text, findings = strike(f"Formerly: {one}. Nowadays: {two}. Unsaid besides.")

    assert text == "Formerly: …. Nowadays: …. Unsaid besides."
    assert [finding.rule for finding in findings] == ["seed-phrase", "seed-phrase"]
