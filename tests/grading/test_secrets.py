"""Secrets are replaced wherever they could be seen."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.grading.secrets import (
    NO_SECRETS,
    Redactor,
    address_secrets,
    is_secret,
    looks_like_key,
    named_secrets,
    names_secret,
)
from rubric_core.grading.targets.definitions import pair_secrets, random_parts

KEY = 'sk-"ä/+=&42\\'
REDACTOR = Redactor({"API_KEY": KEY})


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("as it is", KEY),
        ("in JSON", json.dumps(KEY)[1:-1]),
        ("in JSON that keeps letters", json.dumps(KEY, ensure_ascii=False)[1:-1]),
        ("in an address", quote(KEY, safe="")),
        ("in an address with small digits", quote(KEY, safe="").replace("%C3%A4", "%c3%a4").replace("%2F", "%2f")),
        ("in the path of an address", quote(KEY)),
        ("in a form", quote_plus(KEY)),
        ("in base64", base64.b64encode(KEY.encode()).decode()),
        ("in base64 for addresses", base64.urlsafe_b64encode(KEY.encode()).decode()),
        ("in base64 without padding", base64.b64encode(KEY.encode()).decode().rstrip("=")),
    ],
)
def test_a_secret_is_replaced_in_every_form(form: str, written: str) -> None:
    """The name stays, so that the reader knows what was there."""
    if form == "in an address with small digits":
        written = written.replace("%2B", "%2b").replace("%3D", "%3d").replace("%5C", "%5c")
    assert REDACTOR.redact(f"<{written}>") == "<[secret API_KEY]>"


@given(before=st.text(max_size=9), after=st.text(max_size=9))
def test_a_secret_inside_of_a_longer_base64_text_is_replaced(before: str, after: str) -> None:
    """Basic authorization is name, colon and password in base64: where the secret starts decides its looks."""
    text = base64.b64encode((before + "correct horse battery" + after).encode()).decode()
    shown = Redactor({"PASSWORD": "correct horse battery"}).redact(text)
    assert "[secret PASSWORD]" in shown
    assert b"orrect horse batter" not in base64.b64decode(shown.split("[")[0] + "====")


@pytest.mark.parametrize("value", ["", "short", "     short     ", "Bearer short", "ollama", "EMPTY"])
def test_what_cannot_be_a_secret_is_left_alone(value: str) -> None:
    """Short words and the well-known placeholders for keys are in innocent texts too."""
    text = f"A text with {value} in it."
    assert Redactor({"API_KEY": value}).redact(text) == text


def test_the_longest_secret_is_replaced_first() -> None:
    """A secret that holds another one shows nothing of either."""
    redactor = Redactor({"SHORT": "abcdef", "LONG": "abcdef-ghi"})
    assert redactor.redact("abcdef-ghi abcdef") == "[secret LONG] [secret SHORT]"


def test_secrets_that_overlap_are_replaced_together() -> None:
    """No tail of one is left when the other is taken out."""
    redactor = Redactor({"FIRST": "abcdef", "SECOND": "defghijkl"})
    assert redactor.redact("<abcdefghijkl>") == "<[secret SECOND]>"


def test_what_means_a_secret_is_not_redacted_again() -> None:
    """A secret that happens to be a word of the replacement spoils nothing."""
    assert Redactor({"A": "secret", "B": "hunter22"}).redact("hunter22") == "[secret B]"


_CHARACTERS = st.characters(codec="utf-8", exclude_characters="[]")
_SECRETS = st.text(_CHARACTERS, min_size=6, max_size=12).filter(is_secret)


@given(secrets=st.lists(_SECRETS, max_size=4), texts=st.lists(st.text(_CHARACTERS, max_size=8), max_size=5))
def test_no_secret_is_left_in_any_text(secrets: list[str], texts: list[str]) -> None:
    """Whatever is between them."""
    redactor = Redactor({f"S{place}": secret for place, secret in enumerate(secrets)})
    shown = redactor.redact("".join(each for pair in zip(texts, secrets, strict=False) for each in pair))
    kept = [piece.partition("]")[2] for piece in ("]" + shown).split("[")]
    assert not [secret for secret in secrets for piece in kept if secret.strip() in piece]


def test_plain_data_is_redacted_at_every_depth() -> None:
    """Texts and keys are looked at; other values stay what they are."""
    redactor = Redactor({"KEY": "hunter22"})
    data = {"hunter22": ["a hunter22", ("hunter22",), 1, None, True], "n": {"m": "hunter22"}}
    shown = {"[secret KEY]": ["a [secret KEY]", ["[secret KEY]"], 1, None, True], "n": {"m": "[secret KEY]"}}
    assert redactor.redact_json(data) == shown


def test_without_secrets_nothing_changes() -> None:
    """The same text comes back."""
    assert NO_SECRETS.redact("any text") == "any text"


@pytest.mark.parametrize(
    "name",
    [
        "api_key",
        "apiKey",
        "API-KEY",
        "OPENAI_API_KEY",
        "token",
        "GITHUB_TOKEN",
        "access_token",
        "password",
        "DB_PASSWORD",
        "client_secret",
        "Authorization",
        "X-Api-Key",
        "AWS_SECRET_ACCESS_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "PGPASSWORD",
        "OPENAIKEY",
        "DB_PASS",
        "GITHUB_PAT",
        "githubtoken",
        "MYSQL_PWD",
    ],
)
def test_names_that_indicate_a_secret(name: str) -> None:
    """Settings, headers and variables are recognised by a word of their name."""
    assert names_secret(name)


@pytest.mark.parametrize(
    "name",
    [
        *("model", "max_tokens", "MAX_TOKENS", "keyboard", "monkey", "TOKENIZERS_PARALLELISM", "PATH", "PWD", "OLDPWD"),
        *("COMPASS", "pass_mark", "KEY_FILE", "TOKEN_URL", "SECRET_NAME", "KEYCLOAK_HOST"),
    ],
)
def test_names_that_indicate_none(name: str) -> None:
    """A word that only resembles one is no secret."""
    assert not names_secret(name)


def test_values_with_telling_names_are_secrets_at_any_depth() -> None:
    """A literal key in a table of settings, or in the headers of one, is as secret as a variable."""
    settings = {
        "model": "small-model",
        "api_key": "hunter22",
        "headers": {"Authorization": "Bearer abcd1234"},
        "password": 1234567,
    }
    variables = {"GITHUB_TOKEN": "ghp_123456", "api_key": "another-one"}
    redactor = Redactor([*named_secrets(settings), *named_secrets(variables)])
    shown = redactor.redact("small-model hunter22 abcd1234 1234567 ghp_123456 another-one")
    assert shown == (
        "small-model [secret api_key] [secret Authorization] [secret password] [secret GITHUB_TOKEN] [secret api_key]"
    )


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("postgres://me:hunter22@db:5432/x", {"hunter22"}),
        ("http://me:p%40ssw0rd@proxy", {"p%40ssw0rd", "p@ssw0rd"}),
        ("https://me:a@b@host/x", {"me:a@b@"}),
        ("https://me:pw@host", {"me:pw@"}),
        ("https://ghp_1234567890@github.com/a/b", {"ghp_1234567890"}),
        ("see https://host/x?api_key=hunter22&n=1#top and https://host?sig=abcdefgh", {"hunter22", "abcdefgh"}),
        ("https://host.example.com/v1?api-version=2024-10-21", set()),
        ("git@github.com:a/b.git", set()),
        ("mailto:me@example.com", set()),
    ],
)
def test_passwords_inside_addresses_are_found(text: str, secrets: set[str]) -> None:
    """The host and the user are shown; a password that is too short to be found alone is hidden with its user."""
    assert set(address_secrets(text)) == secrets


@pytest.mark.parametrize(
    ("value", "is_key"),
    [
        ("xoxb17653285910384", True),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl1", True),
        ("abcdefghijklmno1", True),
        ("abcdefghijklmn1", False),
        ("abcdefghijklmnopqrst", False),
        ("1234567890123456", False),
        ("a sentence of 16 or more", False),
        ("https://my-resource-12345.openai.azure.com/", False),
        ("my-resource-12345.openai.azure.com", False),
        ("scripts/check-all-of-2024.py", False),
    ],
)
def test_values_that_look_like_keys(value: str, *, is_key: bool) -> None:
    """At least 16 characters, letters with digits, no spaces; files and hosts are none."""
    assert looks_like_key(value) is is_key


def test_redactors_of_several_files_make_one_that_knows_all_secrets() -> None:
    """A run over these files has one for all of them."""
    both = Redactor.together([Redactor({"A": "first-secret"}), Redactor({"B": "other-secret"})])
    assert both.redact("first-secret other-secret") == "[secret A] [secret B]"


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("Server=db;User Id=sa;Password=dsnPass123;", {"dsnPass123"}),
        ("Server=db;Password='a b;c 123';Database=x", {"a b;c 123"}),
        ("host=db user=me password=secret4711 dbname=x", {"secret4711"}),
        ("AccountName=me;AccountKey=abcDEF123+/==;Suffix=x", {"abcDEF123+/=="}),
        ("Server=db;Password=postgres;", set()),
        ("keyboard=querty1234;mode=dark", set()),
        ("a plain text with password mentioned", set()),
    ],
)
def test_passwords_inside_connection_strings_are_found(text: str, secrets: set[str]) -> None:
    """By the name that is before them; a plain word such as `postgres` is none."""
    assert set(pair_secrets(text)) == secrets


@pytest.mark.parametrize(
    ("address", "secrets"),
    [
        ("https://hooks.example.com/services/T00000001/B0000001/Qwert1yuiop", {"Qwert1yuiop"}),
        (
            "https://chat.example.com/api/webhooks/1234567890/aB3dE5fG7hJ9kL1m-nO2pQ4",
            {"aB3dE5fG7hJ9kL1m-nO2pQ4"},
        ),
        ("https://hook.example.com/0123456789abcdef0123", {"0123456789abcdef0123"}),
        (
            "https://x.example.com/w/1b4e28ba-2fa1-11d2-883f-0016d3cca427",
            {"1b4e28ba-2fa1-11d2-883f-0016d3cca427"},
        ),
        ("https://x.example.com/run?t=Qwert1yuiop&v=2024", {"Qwert1yuiop"}),
        ("https://me.openai.azure.com/openai/deployments/gpt-4o-2024-08-06/v1beta2", set()),
        ("https://x.example.com/models/Meta-Llama-3.1-405B-Instruct-Turbo", set()),
        ("no address: Qwert1yuiop", set()),
        ("https://[broken/Qwert1yuiop", set()),
    ],
)
def test_random_parts_of_addresses_are_found(address: str, secrets: set[str]) -> None:
    """As in a webhook; names of models and versions are none."""
    assert set(random_parts(address)) == secrets


def test_every_line_of_a_key_is_replaced() -> None:
    """A reply may quote one of them; the lines that frame a key are no secret."""
    lines = [
        "-----BEGIN PRIVATE KEY-----",
        "MIIEvQIBADANBgkqhkiG9w0B",
        "AQEFAASCBKcwggSjAgEAAoIB",
        "short",
        "-----END-----",
    ]
    for written in ("\n".join(lines), "\r\n".join(lines), r"\n".join(lines)):
        redactor = Redactor({"KEY": written})
        assert (
            redactor.redact(f"{lines[1]} {lines[2]} {lines[3]} {lines[0]}")
            == f"[secret KEY] [secret KEY] short {lines[0]}"
        )
