"""Secrets are masked, evidence is not, lines stay where they are, and the time is linear."""

from __future__ import annotations

import base64
import hashlib
import random
import string
import time
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.redact import redact

RANDOM = random.Random(7)


def chars(count: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    # Made here, so that no file of the repository holds anything that looks like a key.
    return "".join(RANDOM.choice(alphabet) for _ in range(count - 3)) + "a1B"


HEX = "0123456789abcdef"
SECRETS = {
    "aws-key": "AKIA" + "".join(RANDOM.choice(string.ascii_uppercase + string.digits) for _ in range(16)),
    "github-token": "ghp_" + chars(36),
    "gitlab-token": "glpat-" + chars(20),
    "anthropic-key": "sk-ant-api03-" + chars(90),
    "openai-key": "sk-proj-" + chars(100),
    "api-key": "sk-" + chars(48),
    "huggingface-token": "hf_" + chars(34),
    "google-key": "AIza" + chars(35),
    "slack-token": "xoxb-123456789012-123456789012-" + chars(24),
    "stripe-key": "sk_live_" + chars(24),
    "sendgrid-key": "SG." + chars(22) + "." + chars(43),
    "telegram-token": "123456789:AA" + chars(33),
    "package-token": "npm_" + chars(36),
    "jwt": "eyJ" + chars(30) + ".eyJ" + chars(60) + "." + chars(43),
}
FRAMES = [
    "{}",
    "key = '{}'\n",
    '{{"k": "{}"}}',
    "export X={}\n",
    "curl -H 'Authorization: Bearer {}' x",
    "a,{},b",
    "({})",
]


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("frame", FRAMES)
def test_secrets_are_masked_wherever_they_stand(kind: str, frame: str) -> None:
    result = redact("before\n" + frame.format(SECRETS[kind]) + "\nafter")
    assert SECRETS[kind] not in result.text
    assert SECRETS[kind][-20:] not in result.text
    assert result.findings[0].line == 2
    assert result.text.startswith("before\n")
    assert result.text.endswith("\nafter")


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("postgres://bob:tr0ub4dor@db.example/x", "tr0ub4dor"),
        ("DATABASE_URL=mysql+pymysql://root:p%40ss-word!@127.0.0.1:3306/db", "p%40ss-word!"),
        ('password = "correct-horse"', "correct-horse"),
        ("db_password: 'hunter22'", "hunter22"),
        ('{"passwd": "s3cr3tpw"}', "s3cr3tpw"),
        ("POSTGRES_PASSWORD=s3cr3tpw\n", "s3cr3tpw"),
        ('OPENAI_API_KEY = "' + "0a9b8c7d6e5f4a3b2c1d" + '"', "0a9b8c7d6e5f4a3b2c1d"),
        ("MY_SERVICE_API_KEY=0a9b8c7d6e5f4a3b2c1d\n", "0a9b8c7d6e5f4a3b2c1d"),
        ("  api_key: 0a9b8c7d6e5f4a3b2c1d\r\n", "0a9b8c7d6e5f4a3b2c1d"),
        ('os.environ["WANDB_API_KEY"] = "0123456789abcdef0123456789abcdef01234567"', "0123456789abcdef0123456789"),
        ('wandb.login(key="0123456789abcdef0123456789abcdef01234567")', "0123456789abcdef0123456789"),
        ('{"username":"bob","key":"0123456789abcdef0123456789abcdef"}', "0123456789abcdef0123456789abcdef"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYzzzzzzzz12", "wJalrXUtnFEMI"),
        ("https://hooks.slack.com/services/T0000/B0000/abcDEF123456abcDEF12", "abcDEF123456"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZDEyMw==", "dXNlcjpwYXNzd29yZDEyMw"),
        ("at /home/maria.lopez/project/train.py line 3", "maria.lopez"),
        ("open('/Users/jsmith/data.csv')", "jsmith"),
        (r'"C:\\Users\\Jane Doe\\data.csv"', "Jane Doe"),
    ],
)
def test_secrets_known_by_their_place(text: str, secret: str) -> None:
    result = redact(text)
    assert secret not in result.text
    assert "[redacted:" in result.text
    assert result.text.count("\n") == text.count("\n")


KEY_BODY = "\n".join(chars(64) for _ in range(12))


@pytest.mark.parametrize("kind", ["RSA ", "", "OPENSSH ", "EC ", "ENCRYPTED "])
@pytest.mark.parametrize("ending", [True, False])
def test_private_keys_go_as_a_whole_and_lines_stay(kind: str, ending: bool) -> None:
    end = f"-----END {kind}PRIVATE KEY-----\n" if ending else "\n"
    text = f"a\n-----BEGIN {kind}PRIVATE KEY-----\n{KEY_BODY}\n{end}and then = this('is code')\n"
    result = redact(text)
    assert result.text.count("\n") == text.count("\n")
    assert not any(line in result.text for line in KEY_BODY.splitlines())
    assert "and then = this('is code')" in result.text
    assert result.kinds == ("private-key",)


def test_a_private_key_inside_json() -> None:
    text = '{"private_key": "-----BEGIN PRIVATE KEY-----\\n' + chars(64) + '\\n-----END PRIVATE KEY-----\\n", "x": 1}'
    result = redact(text)
    assert result.text.endswith('", "x": 1}')
    assert "BEGIN" not in result.text


EVIDENCE = [
    hashlib.sha256(b"x").hexdigest(),
    "commit " + hashlib.sha1(b"x").hexdigest(),
    "md5: " + hashlib.md5(b"x").hexdigest(),
    str(uuid.UUID(int=RANDOM.getrandbits(128))),
    "data:image/png;base64," + base64.b64encode(RANDOM.randbytes(3000)).decode(),
    "sha512-" + base64.b64encode(RANDOM.randbytes(64)).decode(),
    'tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")',
    'pad_token = "[PAD]"; eos_token="<|endoftext|>"; token = tokens[0]',
    'cache_key = "train_metrics_v2"\nsort(key=lambda row: row["accuracy"])',
    'api_key = os.environ["OPENAI_API_KEY"]',
    "api_key=os.getenv('OPENAI_API_KEY')",
    'api_key = "your-api-key-here"\nsecret_key = "<your secret>"\npassword = "********"',
    "OPENAI_API_KEY=your_openai_api_key_here\nHF_TOKEN=\nSECRET_KEY=${SECRET_KEY}\n",
    'password = f"{password}"\npassword = getpass.getpass("Password: ")\nif password == "":\n',
    '<div class="sk-toggleable__content sk-container-id-1 sk-estimator-doc-link-fitted">',
    "https://example.com:8080/path@v1?x=1",
    "pip install git+https://github.com/user/repo.git@v1.2.3",
    "primary_key: customer_id_2024_region_code\nforeign_key = 'orders_2024_v2.customer_id'",
    "/workspace/src/train.py and /home/user/data and templates/home/index.html and https://x.org/home/page/1",
    "@app.route('/home')\n@app.route('/Users')",
    "accuracy: 0.9312\nloss=1.2e-05\nF1\t0.88\nseed = 1234567890",
    "mailto:someone@example.org",
    "token_type_ids = torch.zeros(1, 128); key_padding_mask=mask; attention_key = 'attn_0_weights'",
    "ssh-rsa is not here; -----BEGIN CERTIFICATE-----",
    "metrics['secret_sauce'] = 'gradient boosting with 500 trees'",
]


@pytest.mark.parametrize("text", EVIDENCE)
def test_evidence_is_left_alone(text: str) -> None:
    assert redact(text).text == text


def test_masking_twice_changes_nothing_more() -> None:
    text = "\n".join([*SECRETS.values(), "postgres://a:secretpw1@h/x", 'password = "hunter22"', "/home/maria/x"])
    once = redact(text)
    assert redact(once.text).text == once.text
    assert once.text.count("\n") == text.count("\n")
    assert set(once.kinds) >= set(SECRETS) - {"api-key"}


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "A1",
        "sk-",
        "eyJ",
        "eyJa.eyJ",
        "password",
        "password=",
        'password="',
        "api_key",
        'api_key: "a1',
        "://a:",
        "@",
        "a://b:c",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n",
        "aws_secret",
        "Bearer ",
        " \t",
        "/home/",
        "login(",
        '"username":"',
        "\n",
        "export ",
        "A_",
        "C:\\Users\\",
        "_",
        "-",
        ".",
        "M.",
        "key=",
        "1:AA",
    ],
)
def test_linear_time_on_hostile_text(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    started = time.process_time()
    redact(text)
    assert time.process_time() - started < 8


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*SECRETS.values(), "\n", " ", "=", "'", "x", "-----BEGIN PRIVATE KEY-----", "é"]), max_size=12
    )
)
def test_any_mixture_keeps_its_lines(parts: list[str]) -> None:
    text = "".join(parts)
    result = redact(text)
    assert result.text.count("\n") == text.count("\n")
    assert all(1 <= item.line <= text.count("\n") + 1 for item in result.findings)
