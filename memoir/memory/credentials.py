"""The shapes of credentials that redact-secret, the scanner behind `memoir.memory.secrets`, leaves out."""

from typing import NamedTuple


class Shape(NamedTuple):
    """A credential's shape: a pattern, and what stands in every match and in few other texts.

    That is a part, and one of some words in lower case, whatever its case.
    """

    rule: str
    part: str
    pattern: str
    words: tuple[str, ...] = ("",)


_PASSWORD = ("passw", "passphrase", "pwd")
_TOKEN = ("token", "key", "secret")


def _password(given: str) -> str:
    """The pattern of a password that is given with a sign or a word: "=", ":" or "is".

    The value must mix letters and digits and be no path, name, call, variable, or kind of hash or encoding.
    """
    return (
        rf"(?i:password|passwd|passphrase|pwd)[\"']?\s{{0,3}}{given}\s{{0,3}}[\"']?"
        r"(?![/~.]|[A-Za-z]:[\\/]|[A-Za-z_]\w{0,60}\.[A-Za-z_]|(?i:sha|md|argon|scrypt|bcrypt|pbkdf|base|utf|aes)-?\d"
        r"|\d+-[a-z]+|(?i:varchar|char|text|string)\(?\d|\S{0,60}(?:(?i:password)|://))"
        r"(?=[^\s\"']{0,60}[A-Za-z])(?=[^\s\"']{0,60}\d)(?P<value>[^\s\"'`<>(){}\[\]$%*,;]{6,256}+)(?![(\[{<$%*])"
    )


def _token(given: str) -> str:
    """The same of a token or key: 20 letters and digits or more, and no path or address."""
    return (
        rf"(?i:token|api[ _-]?key|access[ _-]?key|secret(?:[ _-]?key)?)[\"']?\s{{0,3}}{given}\s{{0,3}}[\"']?"
        r"(?![/~.]|\w+/\w+/|[A-Za-z_]\w{0,60}\.[A-Za-z_])"
        r"(?=[\w+/=]{0,80}\d[\w+/=]{0,80}\d)(?=[\w+/=]{0,80}[A-Za-z])(?P<value>[A-Za-z0-9+/=]{20,256}+)(?![(\[{<$%*.:/_-])"
    )


SHAPES = (
    # RFC 7468 and RFC 9580. redact-secret knows whole PEM blocks; here a head with the start of a body counts.
    Shape(
        "private-key",
        "PRIVATE KEY",
        r"-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----[ \t]*(?:[\r\n]|\\[rn])(?:\s|\\[rn])*[\w+/:-]{8}",
    ),
    # PuTTY's manual, appendix C.
    Shape("putty-private-key", "PuTTY-User-Key-File-", r"PuTTY-User-Key-File-[23]: [\w-]+(?:\s|\\[rn])+Encryption: "),
    # age's specification (C2SP/age), "The X25519 recipient type": Bech32.
    Shape("age-secret-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    # AWS IAM user guide, "Unique identifiers". redact-secret lets the ids of Amazon's own examples pass.
    Shape("aws-access-key-id", "AKIA", r"\bAKIA[A-Z2-7]{16}\b"),
    # learn.microsoft.com, "Configure Azure Storage connection strings"; redact-secret wants the whole string.
    Shape("azure-storage-key", "AccountKey=", r"\bAccountKey=[A-Za-z0-9+/]{86}=="),
    # docs.slack.dev, "Sending messages using incoming webhooks": whoever knows the address may post.
    Shape("slack-webhook", "hooks.slack.com/", r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w+/-]{40,}"),
    # discord.com/developers, "Webhook resource".
    Shape("discord-webhook", "/webhooks/", r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{17,20}/[\w-]{60,}"),
    # Twilio's documentation, "REST API: API keys"; gitleaks' rule twilio-api-key.
    Shape("twilio-api-key", "SK", r"\bSK[0-9a-f]{32}\b"),
    # Claude Code's documentation, "setup-token" (sk-ant-oat…); redact-secret knows sk-ant-api… and sk-ant-admin….
    Shape("anthropic-token", "sk-ant-", r"\bsk-ant-[\w-]{32,}"),
    # HCP Terraform's documentation, "API tokens"; gitleaks' rule hashicorp-tf-api-token.
    Shape("terraform-token", ".atlasv1.", r"\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    # Figma's REST API documentation, "Personal access tokens"; betterleaks' rule figma-personal-access-token.
    Shape("figma-token", "figd_", r"\bfigd_[\w-]{38,42}"),
    # PlanetScale's documentation, "Service tokens"; gitleaks' rules planetscale-….
    Shape("planetscale-token", "pscale_", r"\bpscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}"),
    # Airtable's Web API documentation, "Personal access tokens".
    Shape("airtable-token", "pat", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b"),
    # JFrog's documentation, "API key"; detect-secrets' ArtifactoryDetector.
    Shape("artifactory-api-key", "AKCp", r"\bAKCp[A-Za-z0-9]{68,70}\b"),
    # developers.google.com, "Using OAuth 2.0": access tokens.
    Shape("google-access-token", "ya29.", r"\bya29\.[\w-]{30,}"),
    # Mailgun's documentation, "Authentication"; gitleaks' rule mailgun-private-api-token.
    Shape("mailgun-key", "key-", r"\bkey-[0-9a-f]{32}\b"),
    # learn.microsoft.com, "Create an account SAS": the signature of a shared address.
    Shape("azure-sas", "sig=", r"[?&]sig=[A-Za-z0-9%+/]{40,}(?:=|%3D)"),
    # The GNU Inetutils manual, "The .netrc file".
    Shape("netrc", "machine", r"\bmachine\s+\S{1,200}\s+login\s+\S{1,200}\s+password\s+(?=\S{0,60}\d)[^\s<$]\S{4,200}"),
    # sshpass(1) and the like: a password on a command line.
    Shape("sshpass", "sshpass", r"\bsshpass\s+-p\s?['\"]?[^\s'\"$<]{4,}"),
    # detect-secrets' KeywordDetector. redact-secret leaves out short passwords, other names for them, and prose.
    Shape("password", "=", _password("=(?!=)"), _PASSWORD),
    Shape("password-colon", ":", _password(":(?![:=])"), _PASSWORD),
    Shape("password-in-words", " is", _password(r"is\b:?"), _PASSWORD),
    Shape("token", "=", _token("=(?!=)"), _TOKEN),
    Shape("token-colon", ":", _token(":(?![:=])"), _TOKEN),
    Shape("token-in-words", " is", _token(r"is\b:?"), _TOKEN),
)
"""Well-known shapes that redact-secret lacks, each with its source."""
BY_NAME = frozenset(shape.rule for shape in SHAPES if "?P<value>" in shape.pattern)
"""Rules that know a credential by what stands before it, whatever it looks like."""
