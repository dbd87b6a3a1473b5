"""Shapes of credentials that redact-secret, the scanner used by `memoir.secrets.secrets`, does not know.

Every pattern begins with letters that are rare in other texts, and all its repetitions are bounded or possessive, so a
search always takes time in proportion to the text.
"""

import re
from typing import NamedTuple

BESIDE = 120
"""The characters before and after a string that are read to judge whether it is only an example."""


class Shape(NamedTuple):
    """The shape of a credential."""

    rule: str
    """The name of the rule, as a refusal shows it."""
    part: str
    """A string that every match contains and few other texts do."""
    pattern: str
    """The regular expression."""
    by_name: bool = False
    """Whether the word before a credential identifies it, in any form. Then `part` and `pattern` match lower case, and
    the group `value` is the credential."""
    behind: str = ""
    """A word that must come shortly before the credential on the same line."""


def _token(rule: str, start: str, rest: str) -> Shape:
    """The shape of a token that starts with certain letters, not in the middle of a word."""
    return Shape(rule, start, rf"{re.escape(start)}(?<!\w{re.escape(start)})(?:{rest})")


_SPACE = r" \t-\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
"""White space for a set of characters; this takes half the time of `\\s`, and so do digits written as 0-9."""
_SIGN = rf"[\"'`]?[{_SPACE}]{{0,3}}+(?:=(?!=)|:(?![:=])|(?:is|ist|lautet|est|es)\b:?)[{_SPACE}]{{0,3}}+[\"'`]?+"
"""The text between a name and its value: "=", ":" or "is", in some languages."""
_OF = r"(?: (?:for|of|on|to|at|in|from|für|von|pour|de|du|para|del) [^\n.:;=?!]{1,40}?)?"
"""The purpose of a password, between its name and the sign."""
_NO_PASSWORD = rf"{_SPACE}\"'`<>(){{}}\[\]$%*,;"
"""The characters that a password does not contain, for a set."""
_AFTER = r"(?![(\[{$%*]|<(?!/))"
"""A value is not a credential if a call, a subscript or a placeholder follows."""


_COOKIE = r"session(?:_?id)?=(?=[\w-]{0,60}\d)"
_ID = (
    r"[\w-]{0,60}?(?:\d{4}-\d\d-\d\d(?!\d)|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\w.%-]))"
    r"|(?:[0-9a-f]{12}[47][0-9a-f]{3}[89ab][0-9a-f]{15}|(?:[0-9a-f]{24})?[0-9a-f]{40})(?![\w.%-])"
)
"""Values that identify a session without giving access: a UUID, with or without hyphens, a date, a commit id."""


def _password_by_name(name: str) -> str:
    """The pattern of a password after a name.

    The value has letters and digits, and is not a path, name, call, variable, or kind of hash or encoding.
    """
    return (
        rf"{name}(?=[^{_NO_PASSWORD}]{{6}})"
        rf"(?=[^{_SPACE}\"'0-9]{{0,60}}+[0-9])(?=[^{_SPACE}\"'a-z]{{0,60}}+[a-z])"
        r"(?![/~.]|[a-z]:[\\/]|[a-z_]\w{0,60}\.[a-z_]|(?:sha|md|argon|scrypt|bcrypt|pbkdf|base|utf|aes)-?\d"
        r"|\d+-[a-z]+|(?:varchar|char|text|string)\(?\d|\S{0,60}(?:password|://))"
        rf"(?P<value>[^{_NO_PASSWORD}]{{6,256}}+){_AFTER}"
    )


def _token_by_name(name: str) -> str:
    """The pattern of a token after a name: at least 20 letters and digits, at least two of them digits, not a path."""
    return (
        rf"{name}{_SIGN}(?=[a-z0-9+/=]{{20}})"
        r"(?=[a-z_+/=]{0,80}+[0-9][a-z_+/=]{0,80}+[0-9])(?=[0-9_+/=]{0,80}+[a-z])"
        r"(?![/~.]|\w{1,60}/\w{1,60}/|[a-z_]\w{0,60}\.[a-z_])"
        rf"(?P<value>[a-z0-9+/=]{{20,256}}+)(?![*.:/_-]){_AFTER}"
    )


_WORD = r"passw(?:or[dt]|d)"
_WITH = r"(?:with|using) (?:the )?password ['\"`]?+(?![\w-]{1,60}[=(])"
_ARGUMENT = r" ['\"]?(?=[^\s<$-]{0,60}[A-Za-z])(?=[^\s<$-]{0,60}\d)[^\s'\"$<-][^\s'\"$<]{5}"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"

SHAPES = (
    # RFC 7468 and RFC 9580. redact-secret finds whole PEM blocks; here a header and the start of a body are enough.
    Shape(
        "private-key",
        "PRIVATE KEY",
        r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----[ \t]{0,9}(?:[\r\n]|\\[rn])(?:\s|\\[rn]){0,9}[\w+/:-]{8}",
    ),
    # PuTTY's manual, appendix C.
    Shape(
        "putty-private-key",
        "PuTTY-User-Key-File-",
        r"PuTTY-User-Key-File-[23]: [\w-]{1,99}(?:\s|\\[rn]){1,9}Encryption: ",
    ),
    # age's specification (C2SP/age), "The X25519 recipient type": Bech32.
    Shape("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    # RFC 7519 and RFC 7515. redact-secret knows these too, in time that grows with the square of the text.
    Shape("jwt", "eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{8,}+\.eyJ[\w-]{4,}+\.[\w-]{16}"),
    # GitHub's documentation, "About authentication", "GitHub's token formats".
    _token("github-refresh-token", "ghr_", r"\w{36}"),
    # learn.microsoft.com, "Configure Azure Storage connection strings"; redact-secret needs the whole string.
    Shape("azure-storage-key", "AccountKey=", r"AccountKey=[A-Za-z0-9+/]{86}=="),
    # docs.slack.dev, "Sending messages using incoming webhooks": anybody with the address can post.
    Shape("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w+/-]{40}"),
    # discord.com/developers, "Webhook resource".
    Shape("discord-webhook", "/webhooks/", r"/webhooks/\d{17,20}/[\w-]{60}"),
    # Twilio's documentation, "REST API: API keys"; gitleaks' rule twilio-api-key.
    _token("twilio-api-key", "SK", r"[0-9a-f]{32}\b"),
    # OpenAI's API reference, "Service accounts", and Claude Code's documentation, "setup-token" (sk-ant-oat…).
    _token("openai-service-token", "sk-svcacct-", r"[\w-]{20}"),
    _token("anthropic-token", "sk-ant-", r"[\w-]{32}"),
    # HCP Terraform's documentation, "API tokens"; gitleaks' rule hashicorp-tf-api-token.
    Shape("terraform-token", ".atlasv1.", r"\.atlasv1\.(?<=[A-Za-z0-9]{14}\.atlasv1\.)[\w=-]{60}"),
    # Figma's REST API documentation, "Personal access tokens"; betterleaks' rule figma-personal-access-token.
    _token("figma-token", "figd_", r"[\w-]{38}"),
    # PlanetScale's documentation, "Service tokens"; gitleaks' rules planetscale-….
    _token("planetscale-token", "pscale_", r"(?:tkn|pw|oauth)_[\w=.-]{32}"),
    # Airtable's Web API documentation, "Personal access tokens".
    _token("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    # JFrog's documentation, "API key"; detect-secrets' ArtifactoryDetector.
    _token("artifactory-api-key", "AKCp", r"[A-Za-z0-9]{68}"),
    # developers.google.com, "Using OAuth 2.0": access tokens.
    _token("google-access-token", "ya29.", r"[\w-]{30}"),
    # Mailgun's documentation, "Authentication"; gitleaks' rule mailgun-private-api-token.
    _token("mailgun-key", "key-", r"[0-9a-f]{32}\b"),
    # Brevo's API reference, "Authentication schemes"; gitleaks' rule sendinblue-api-token.
    _token("brevo-key", "xkeysib-", r"[0-9a-f]{64}-\w{16}"),
    # Notion's developer documentation, "Authorization".
    _token("notion-token", "ntn_", r"\d{11}[A-Za-z0-9]{35}"),
    # Sentry's documentation, "Auth tokens"; Grafana's, "Access policies": a JSON text follows.
    _token("sentry-token", "sntrys_", r"eyJ[\w+/=-]{32}"),
    _token("sentry-user-token", "sntryu_", r"[0-9a-f]{64}"),
    _token("grafana-cloud-token", "glc_", r"eyJ[\w+/=-]{32}"),
    # Microsoft's documentation of NuGet, "API keys", and Clojars' wiki, "Deploy tokens".
    _token("nuget-key", "oy2", r"[a-z0-9]{43}\b"),
    _token("clojars-token", "CLOJARS_", r"[a-z0-9]{60}"),
    # Shopify's documentation, "API credentials"; EasyPost's, "API keys"; Square's, "Access tokens".
    _token("shopify-secret", "shpss_", r"[0-9a-fA-F]{32}"),
    _token("easypost-key", "EZAK", r"[A-Za-z0-9]{54}"),
    _token("square-token", "sq0atp-", r"[\w-]{22}"),
    # Asana's documentation, "Personal access token".
    Shape("asana-token", "/", r"/(?<=\b[12]/)\d{13,20}/\d{13,20}:[0-9a-f]{32}\b"),
    # discord.com/developers, "Reference": a bot's number in Base64, a time, a signature.
    Shape("discord-bot-token", ".", r"[MNO](?<![\w-].)[DTjz][AEIMQUYcgk][0-5wxyz][\w-]{16,26}+\.[\w-]{6}\.[\w-]{27}"),
    # tailscale.com/kb, "Tailscale key prefixes".
    _token("tailscale-key", "tskey-", r"[a-z]{2,12}-\w{6,40}-\w{16}"),
    # CircleCI's documentation, "Managing API tokens".
    _token("circleci-token", "CCIP", r"(?:AT|RJ)_[A-Za-z0-9]{16,30}_[0-9a-f]{40}"),
    # fly.io/docs, "Access tokens".
    _token("fly-token", "fo1_", r"[\w-]{40}"),
    _token("fly-token", "fm1", r"[ar]_[A-Za-z0-9+/=]{60}"),
    # Snyk's documentation, "Service accounts" and "Personal access tokens".
    _token("snyk-token", "snyk_", r"[a-z]{3}\.[0-9a-f]{8}\.[\w.-]{40}"),
    # Contentful's documentation, "Personal access tokens".
    _token("contentful-token", "CFPAT-", r"[\w-]{40}"),
    # LaunchDarkly's documentation, "API access tokens" and "Keys".
    *(_token("launchdarkly-key", f"{kind}-", _UUID) for kind in ("api", "sdk")),
    # Atlassian's documentation, "App passwords" and "Access tokens".
    _token("bitbucket-token", "ATBB", r"[\w-]{28}"),
    _token("bitbucket-token", "ATCTT3xFf", r"[\w=-]{60}"),
    # Slack's client: the cookie that goes with a token of its user, and such a token.
    _token("slack-token", "xox", r"d-[\w%/+=-]{40}|c-\d{8,15}-[\w-]{30}"),
    # Netlify's documentation, "Get started with the API".
    _token("netlify-token", "nf", r"[bcou]_[A-Za-z0-9]{36}"),
    # neon.com/docs, "Manage API keys", and the passwords of its databases.
    _token("neon-key", "napi_", r"[a-z0-9]{40}"),
    _token("neon-password", "npg_", r"[A-Za-z0-9]{12}\b"),
    # Base64 of "-----BEGIN … PRIVATE KEY-----", as in a Secret of Kubernetes.
    Shape(
        "private-key-base64",
        "LS0tLS1CRUdJTi",
        r"LS0tLS1CRUdJTi(?:BQUklWQVRFIEtFWS|BSU0EgUFJJVkFURSBLRVkt|BFQyBQUklWQVRFIEtFWS|BPUEVOU1NIIFBSSVZBVEUgS0VZ"
        r"|BFTkNSWVBURUQgUFJJVkFURSBLRVkt)[A-Za-z0-9+/=]{16}",
    ),
    # docker(1), helm(1) and others: a password on the command line of a login.
    Shape("login-password", " -p ", rf" -p{_ARGUMENT}", behind="login"),
    Shape("login-password", "--password ", rf"--password{_ARGUMENT}", behind="login"),
    # redis-cli(1).
    Shape("redis-password", " -a ", rf" -a{_ARGUMENT}", behind="redis-cli"),
    # learn.microsoft.com, "Create an account SAS": the signature of a shared address.
    Shape("azure-sas", "sig=", r"sig=(?<=[?&]sig=)[A-Za-z0-9%+/]{40}"),
    # Apache's manual, "Password formats", and crypt(5): hashes, from which a password can be guessed offline.
    Shape("password-hash", "$", r"\$(?:apr1|[156]|y|2[abxy])\$(?:[./\w=]{1,40}\$){0,2}[./A-Za-z0-9]{22}"),
    Shape("password-hash-sha", "{SHA}", r"\{SHA\}[A-Za-z0-9+/]{27}="),
    # The PostgreSQL documentation, "The Password File".
    Shape("pgpass", ":", r":\d{4,5}:[\w*-]{1,63}:[\w-]{1,63}:(?=\S{0,60}\d)(?=\S{0,60}[A-Za-z])[^\s:<>$`\"']{6,128}"),
    # The GNU Inetutils manual, "The .netrc file".
    Shape(
        "netrc",
        "machine",
        r"machine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,200}\s{1,9}password\s{1,9}(?=\S{0,60}\d)[^\s<$]\S{4,200}",
    ),
    # sshpass(1), mysql(1), curl(1): a password on a command line.
    Shape("sshpass", "sshpass", r"sshpass\s{1,9}-p\s?['\"]?[^\s'\"$<]{4}"),
    Shape(
        "mysql-password",
        " -p",
        r" -p(?=\S{0,60}[A-Za-z])(?=\S{0,60}\d)[^\s'\"$<-][^\s'\"$<]{5}",
        behind="mysql",
    ),
    # RFC 6265: the value of a cookie that keeps a session.
    Shape("session-cookie", "session", rf"{_COOKIE}(?!{_ID})[\w-]{{32}}"),
    Shape("session-cookie", "session", rf"{_COOKIE}[\w-]{{32}}", behind="ookie"),
    # detect-secrets' KeywordDetector. redact-secret leaves out short passwords, other names for them, and prose.
    Shape("password", "passw", _password_by_name(rf"{_WORD}{_OF}{_SIGN}"), by_name=True),
    Shape("password", "passw", _password_by_name(_WITH), by_name=True),
    Shape("password", "passphrase", _password_by_name(rf"passphrase{_OF}{_SIGN}"), by_name=True),
    Shape("password", "pw", _password_by_name(rf"pw(?:d|(?<![a-z0-9]pw)){_SIGN}"), by_name=True),
    Shape("password", "mot de passe", _password_by_name(rf"mot de passe{_OF}{_SIGN}"), by_name=True),
    Shape("password", "contrase", _password_by_name(rf"contrase(?:ña|na){_OF}{_SIGN}"), by_name=True),
    Shape("password", "kennwort", _password_by_name(rf"kennwort{_OF}{_SIGN}"), by_name=True),
    Shape("password", "senha", _password_by_name(rf"senha(?<![a-z]senha){_OF}{_SIGN}"), by_name=True),
    Shape("password", "wachtwoord", _password_by_name(rf"wachtwoord{_OF}{_SIGN}"), by_name=True),
    Shape("password", "пароль", _password_by_name(rf"пароль{_SIGN}"), by_name=True),
    Shape("password", "密码", _password_by_name(rf"密码(?:{_SIGN}|是)"), by_name=True),
    Shape("token", "token", _token_by_name("token"), by_name=True),
    Shape("token", "key", _token_by_name("(?:api|access|secret|master)[ _-]?key(?:[ _-]?base)?"), by_name=True),
    # Kubernetes' documentation, "Organizing cluster access using kubeconfig files".
    Shape(
        "private-key-base64", "client-key-data", rf"client-key-data{_SIGN}(?P<value>[a-z0-9+/=]{{40,}}+)", by_name=True
    ),
    # Snyk's documentation, "Authentication for API".
    Shape("snyk-token", "snyk", rf"snyk[a-z _.-]{{0,30}}{_SIGN}(?P<value>{_UUID})", by_name=True),
    Shape("token", "secret", _token_by_name("secret"), by_name=True),
)
"""Well-known shapes that redact-secret does not know, each with its source."""
BY_NAME = frozenset(shape.rule for shape in SHAPES if shape.by_name) | {"contextual-secret"}
"""Rules, including redact-secret's, that identify a credential by the word before it, in any form."""
