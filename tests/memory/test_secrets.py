"""Credentials are refused and never repeated; what developers write every day is not.

Every sample is put together when the tests run, so that no scanner finds one in this repository.
"""

import base64
import random
import re
import subprocess
import sys
from collections.abc import Mapping
from string import ascii_letters, ascii_uppercase, digits
from typing import Any

import pytest

from memoir.errors import ExitCode, InvalidInput
from memoir.memory.credentials import SHAPES
from memoir.memory.record import Memory
from memoir.memory.secrets import Finding, check, check_memory, find, redacted

CHANCE = random.Random(7)
HEX, UPPER, BASE32 = "0123456789abcdef", ascii_uppercase + digits, ascii_uppercase + "234567"
BECH32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


def some(length: int, letters: str = ascii_letters + digits) -> str:
    return "".join(CHANCE.choices(letters, k=length))


def base(length: int) -> str:
    return base64.b64encode(CHANCE.randbytes(length)).decode()


def url_base(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def block(kind: str) -> str:
    lines = "\n".join(base(48) for _ in range(6))
    return f"-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----"


JWT = ".".join([url_base(b'{"alg":"HS256","typ":"JWT"}'), url_base(b'{"sub":"1234567890","iat":1516239022}'), some(43)])
PASSWORD = "hT7kq" + "92LmZ"

CREDENTIALS = {
    "aws-access-key-id": "AKIA" + some(16, BASE32),
    "aws-example": "AKIA" + "IOSFODNN7EXAMPLE",
    "aws-temporary": "ASIA" + some(16, BASE32),
    "aws-secret": "aws_secret_access_key = " + base(30),
    "aws-bedrock": "ABSK" + base(100),
    "github-classic": "ghp" + "_" + some(36),
    "github-oauth": "gho" + "_" + some(36),
    "github-user": "ghu" + "_" + some(36),
    "github-installation": "ghs" + "_" + some(36),
    "github-refresh": "ghr" + "_" + some(36),
    "github-fine-grained": "github" + "_pat_" + some(22) + "_" + some(59),
    "gitlab": "glpat" + "-" + some(20),
    "gitlab-trigger": "glptt" + "-" + some(40, HEX),
    "gitlab-deploy": "gldt" + "-" + some(20),
    "gitlab-runner": "glrt" + "-" + some(20),
    "slack-bot": "xoxb" + f"-{some(12, digits)}-{some(12, digits)}-{some(24)}",
    "slack-user": "xoxp" + f"-{some(12, digits)}-{some(12, digits)}-{some(12, digits)}-{some(32, HEX)}",
    "slack-app": "xapp" + f"-1-A{some(10, UPPER)}-{some(12, digits)}-{some(64, HEX)}",
    "slack-webhook": "https://hooks." + f"slack.com/services/T{some(8, UPPER)}/B{some(8, UPPER)}/{some(24)}",
    "stripe": "sk" + "_live_" + some(24),
    "stripe-restricted": "rk" + "_live_" + some(24),
    "stripe-test": "sk" + "_test_" + some(24),
    "stripe-webhook": "whsec" + "_" + some(32),
    "google": "AIza" + some(35),
    "google-oauth": "GOCSPX" + "-" + some(28),
    "openai": "sk" + "-" + some(20) + "T3Blbk" + "FJ" + some(20),
    "openai-project": "sk" + "-proj-" + some(74) + "T3Blbk" + "FJ" + some(74),
    "openai-service": "sk" + "-svcacct-" + some(58) + "T3Blbk" + "FJ" + some(58),
    "anthropic": "sk" + "-ant-api03-" + some(93) + "AA",
    "anthropic-admin": "sk" + "-ant-admin01-" + some(93) + "AA",
    "anthropic-token": "sk" + "-ant-oat01-" + some(93) + "AA",
    "openrouter": "sk" + "-or-v1-" + some(64, HEX),
    "npm": "npm" + "_" + some(36),
    "pypi": "pypi" + "-AgEIcHlwaS5vcmc" + some(100),
    "azure-storage-key": "AccountName=acct;Account" + "Key=" + base(64) + ";EndpointSuffix=core.windows.net",
    "twilio-api-key": "SK" + some(32, HEX),
    "twilio-auth": "twilio auth token AC" + some(32, HEX) + " : " + some(32, HEX),
    "sendgrid": "SG" + f".{some(22)}.{some(43)}",
    "mailchimp": some(32, HEX) + "-us" + "12",
    "discord-bot": url_base(b"198622483471925248") + ".Cl2FMQ." + "ZnCjm1XVW7vRze4b7Cq4se7kKWs",
    "discord-webhook": "https://discord.com/api/" + f"webhooks/{some(18, digits)}/{some(68)}",
    "telegram": "12" + some(8, digits) + ":AA" + some(33),
    "hugging-face": "hf" + "_" + some(34, ascii_letters),
    "databricks": "dapi" + some(32, HEX),
    "digitalocean": "dop" + "_v1_" + some(64, HEX),
    "vault": "hvs" + "." + some(95),
    "shopify": "shpat" + "_" + some(32, HEX),
    "groq": "gsk" + "_" + some(52),
    "docker": "dckr" + "_pat_" + some(27),
    "terraform-token": some(14) + ".atlas" + "v1." + some(64),
    "grafana": "glsa" + "_" + some(32) + "_" + some(8, HEX),
    "figma-token": "figd" + "_" + some(40),
    "planetscale-token": "pscale" + "_tkn_" + some(43),
    "airtable-token": "pat" + some(14) + "." + some(64, HEX),
    "artifactory-api-key": "AKC" + "p" + some(69),
    "rubygems": "rubygems" + "_" + some(48, HEX),
    "jwt": JWT,
    "bearer": "Authorization: " + "Bearer " + some(40),
    "basic": "Authorization: " + "Basic " + base(24),
    "url": "https://" + "user:pass" + "@host",
    "url-git": "https://" + f"deploy:{PASSWORD}" + "@git.acme.io/repo.git",
    "url-postgres": "postgresql" + f"://app:{PASSWORD}" + "@db.internal:5432/app",
    "url-redis": "redis" + f"://:{PASSWORD}" + "@cache:6379/0",
    "password": "password=" + "hunter2",
    "password-shell": "export DB_PASSWORD=" + PASSWORD,
    "password-option-equals": "mysql --password=" + PASSWORD,
    "password-quoted": "passwd = '" + PASSWORD + "'",
    "password-colon": "the staging login is admin, password: " + PASSWORD,
    "google-access-token": "ya29" + "." + some(60),
    "mailgun-key": "key" + "-" + some(32, HEX),
    "azure-sas": "https://acct.blob.core.windows.net/c?sv=2022&" + "sig=" + some(43) + "%3D",
    "netrc": "machine api.acme.io login deploy " + "password hunter2",
    "sshpass": "sshpass -p " + "hunter2 ssh deploy@host",
    "token": "export TOKEN=" + some(40, HEX),
    "token-colon": "the API key: " + some(32, HEX),
    "token-in-words": "our staging token is " + some(40, HEX),
    "password-in-words": "my password for staging is not that; the wifi password is " + "Tr0ub4dor&3",
    "password-json": '{"password": "' + PASSWORD + '"}',
    "password-dsn": "Server=db;User Id=sa;Pwd=" + PASSWORD + ";",
    "api-key": "api_key=" + some(32),
    "client-secret": "client_secret: " + some(32),
    "private-key": block("PRIVATE " + "KEY"),
    "private-key-rsa": block("RSA PRIVATE " + "KEY"),
    "private-key-ec": block("EC PRIVATE " + "KEY"),
    "private-key-openssh": block("OPENSSH PRIVATE " + "KEY"),
    "private-key-encrypted": block("ENCRYPTED PRIVATE " + "KEY"),
    "private-key-pgp": block("PGP PRIVATE " + "KEY BLOCK"),
    "private-key-cut": "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEpAIBAAKCAQEA",
    "private-key-escaped": '{"k": "-----BEGIN PRIVATE ' + 'KEY-----\\nMIIEvQIBADANBg"}',
    "putty-private-key": "PuTTY-User-Key-" + "File-2: ssh-rsa\nEncryption: none\nComment: x\nPublic-Lines: 1",
    "age-secret-key": "AGE-SECRET-" + "KEY-1" + some(58, BECH32),
}

ORDINARY = """\
commit 3f786850e387550fdab836ed7e6dc881de23001b fixed it
sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
image digest sha256:9b2a3ac3f1a5a2d5e0e8b5c8f3a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3
integrity sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC
host key SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl bob@host
request 550e8400-e29b-41d4-a716-446655440000 failed twice
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
a png: iVBORw0KGgoAAAANSUhEUgAAASwAAACWCAYAAABkW7XSAAAABHNCSVQICAgIfAhkiAAAAAlwSFlzAAALEgAACxIB0t1
password=<your password>
password=${PASSWORD}
password=$PASSWORD1
password=...
password=***
password: ********
password=xxxxxxxx
password=changeme
password={{ vault_password }}
password=os.environ["DB_PASSWORD"]
password = getpass.getpass()
password=settings.DB_PASS2
password = load_secret2("db")
password=None
password: str | None = None
if password == other1value:
if password == confirm_password:
password_hash = bcrypt.hashpw(password, salt)
password=sha256
pwd=/home/bob2/project
PWD=C:\\work2\\main
the password is in 1Password
the password is base64 encoded and at least 12chars
the password is 12-character and sha256-hashed
password: Optional[str]
passphrase is stored in vault2
the token is rotated every 90 days and the secret is in vault
password: op://vault1/item/field
api key: stored-in-1password-vault-ops-2024
JWT token is RS256-signed-with-2048-bit-keys
Access token: expires-in-3600-seconds-from-issue
the option --password option2 was removed
The token: 550e8400-e29b-41d4-a716-446655440000 is an example UUID
machine foo login bar password from vault
access key is the second factor, 2FA
secret: projects/123456/secrets/my-secret-name/versions/1
token: https://auth.example.com/v1/token/0123456789abcdef
the API key is documented in docs/authentication-v2-2024.md
pass the new value with --password or --password-file secrets2.txt
cache key: user_profile_settings_for_tenants
use key=value pairs; the primary key is user_id_and_tenant_id_2
token = tokenizer_for_language_models.encode(text)
sshpass -p "$PASSWORD" ssh deploy@host
the field `password` is hashed with argon2id
password: see 1Password
rotate passwords every month
passwords must have at least 12 characters
SECRET_KEY comes from the environment variable DJANGO_SECRET_KEY
set OPENAI_API_KEY in the environment
export ANTHROPIC_API_KEY=sk-ant-...
api_key = os.getenv("OPENAI_API_KEY")
apiKey: process.env.API_KEY
token = request.headers["Authorization"]
token: the JWT is kept in an httpOnly cookie
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
Authorization: Bearer YOUR_API_TOKEN
Bearer tokens are cached for an hour
client_secret = settings.GOOGLE_CLIENT_SECRET
kubectl create secret generic db --from-literal=password=$DB_PASSWORD
https://github.com/acme/repo/commit/3f786850e387550fdab836ed7e6dc881de23001b
https://user@example.com/repo.git
https://user:<password>@example.com
https://${USER}:${TOKEN}@example.com/repo.git
git@github.com:acme/repo.git
postgresql://localhost:5432/app
ghp_ tokens start with ghp_ and are 40 characters long
AKIA begins the id of an AWS access key; SK is short for secret key
-----BEGIN RSA PRIVATE KEY----- is the head of a PEM file
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
DefaultEndpointsProtocol=https;AccountName=acct;AccountKey=<key>
the cache key=user:42:profile expires in 5 minutes
the path of the patch is patches/2024.diff
keyboard shortcut key=Ctrl-K
arn:aws:iam::123456789012:role/deploy
slack channel C024BE91L, user U012AB3CD
prefers tabs over spaces; runs pytest with -n 4
uses PostgreSQL 15 on port 5433 in staging""".splitlines()


@pytest.mark.parametrize("name", CREDENTIALS)
def test_a_credential_is_found_wherever_it_stands(name: str) -> None:
    credential = CREDENTIALS[name]

    assert find(credential)
    assert find(f"noted on Monday: {credential} is to be rotated\n")
    assert find(f"the staging set-up\n\n{credential}\n")


@pytest.mark.parametrize("text", ORDINARY)
def test_what_developers_write_every_day_passes(text: str) -> None:
    assert find(text) is None


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.rule)
def test_every_shape_of_our_own_has_a_sample_that_it_alone_would_find(shape: Any) -> None:
    sample = CREDENTIALS[shape.rule]

    assert re.search(shape.pattern, sample)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.rule)
def test_the_part_that_is_looked_for_first_is_in_whatever_the_pattern_matches(shape: Any) -> None:
    matches = [match[0] for text in CREDENTIALS.values() if (match := re.search(shape.pattern, text))]

    assert matches and all(shape.part in match for match in matches)


@pytest.mark.parametrize("name", CREDENTIALS)
def test_what_is_redacted_holds_no_credential_any_more(name: str) -> None:
    other = CREDENTIALS["gitlab"]
    text = f"Our host\n{CREDENTIALS[name]}\nand {other}, {CREDENTIALS[name]} and {other} are here"

    left = redacted(text)

    assert find(left) is None and left.startswith("Our host\n") and "…" in left
    assert other not in left and CREDENTIALS[name] not in left


def test_redacting_takes_no_more_than_the_credentials() -> None:
    given = "api key is abcdef0123456789abcdef01, secret key is ghijkl0123456789abcdef02 for the deploy script"

    assert redacted(given) == "api key is …, secret key is … for the deploy script"
    assert redacted("password=hunter2abc tail and " + CREDENTIALS["gitlab"] + " end") == "password=… tail and … end"
    assert redacted("nothing here") == "nothing here"


def test_a_finding_names_the_rule_and_the_line_of_the_first_credential() -> None:
    text = f"one\ntwo\n{CREDENTIALS['gitlab']}\n{CREDENTIALS['figma-token']}"

    assert find(text) == Finding("gitlab-token", 3)


@pytest.mark.parametrize("name", CREDENTIALS)
def test_a_refusal_names_the_rule_and_repeats_nothing_of_the_credential(name: str) -> None:
    credential = CREDENTIALS[name]
    with pytest.raises(InvalidInput) as caught:
        check(credential)
    error = caught.value

    assert error.exit_code == ExitCode.USAGE
    assert error.details == {"rule": find(credential).rule}  # type: ignore[union-attr]
    assert f"(rule: {error.details['rule']}" in error.message and "--allow-secret" in str(error.hint)
    said = f"{error.message} {error.hint} {error.details}"
    assert not [part for part in re.findall(r"\w{8,}", credential) if re.search(r"\d", part) and part in said]


def test_a_refusal_says_which_text_and_which_line() -> None:
    with pytest.raises(InvalidInput, match=r"^line 7 looks like a credential \(rule: gitlab-token, line 2\)$"):
        check("one\n" + CREDENTIALS["gitlab"], "line 7")


def test_an_ordinary_text_is_let_pass() -> None:
    check("prefers tabs over spaces")


@pytest.mark.parametrize(
    "metadata",
    [
        {"note": CREDENTIALS["gitlab"]},
        {"notes": ["x", {"deep": [{"deeper": CREDENTIALS["slack-bot"]}]}]},
        {"password": PASSWORD},
        {"login": {"password": [PASSWORD]}},
        {CREDENTIALS["gitlab"]: 1},
        {CREDENTIALS["gitlab"]: {"x": 1}},
    ],
    ids=["text", "nested", "by its key", "by its key, in a list", "as a key", "as a key of an object"],
)
def test_metadata_is_searched_too(metadata: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^the metadata looks like a credential"):
        check_memory(Memory.of("x", metadata=dict(metadata)))


def test_a_memory_without_a_credential_is_let_pass() -> None:
    metadata = {"source": "3f786850e387550fdab836ed7e6dc881de23001b", "n": 1, "ok": True, "none": None, "tags": ["a"]}

    check_memory(Memory.of("prefers tabs", metadata=metadata))


def test_the_content_of_a_memory_is_searched() -> None:
    with pytest.raises(InvalidInput, match=r"^this looks like a credential"):
        check_memory(Memory.of(CREDENTIALS["jwt"]))


def test_texts_of_any_size_and_kind_can_be_searched() -> None:
    long = "the quick brown fox\n" * 50_000

    assert find("") is None
    assert find(long) is None
    assert find(long + CREDENTIALS["npm"]) == Finding("npm-access-token", 50_001)
    assert find(("password: " + PASSWORD + "\n") * 60_000) == Finding("contextual-secret", 1)
    assert find("ключ – \udc80 " + CREDENTIALS["npm"]) == Finding("npm-access-token", 1)


@pytest.mark.parametrize("part", ["-----BEGIN PRIVATE KEY-----\n", "pwd=a1", "password=", "SK", "pat", "sk-ant-"])
def test_a_shape_never_runs_away_on_a_text_that_almost_matches(part: str) -> None:
    """Were the time to grow with the square of the length, this would take minutes."""
    text = part * (1_000_000 // len(part))

    assert all(shape.rule for shape in SHAPES if re.search(shape.pattern, text))


def test_importing_the_module_does_not_load_the_scanner() -> None:
    code = "import sys, memoir.memory.secrets; assert 'redact_secret' not in sys.modules"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_search_loads_no_network_and_no_heavy_module() -> None:
    code = """if True:
        import sys
        from memoir.memory.secrets import find
        find("token=" + "a1b2c3d4" * 4)
        assert not {"socket", "ssl", "http.client", "urllib.request", "requests", "asyncio"} & set(sys.modules)
    """

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
