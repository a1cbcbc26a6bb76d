"""Secrets in the commands and files of an agent's run; what only looks like one is evidence and stays."""

from __future__ import annotations

import pytest

from judge.redact import Redactor

MIXED = "q7Wk" + "Zp3Lm9Xc2Vb8Nt5R"
HEX = "3f2a9c" + "0d1e8b7a6c5f4e3d2b1a09f8e7"
WORD = "S3cret" + "Pass9"


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"MYSQL_PWD={WORD} mysqldump shop", WORD),
        (f"export API_TOKEN={MIXED} && python run.py", MIXED),
        (f"API_TOKEN={MIXED} python run.py", MIXED),
        (f'declare -x API_TOKEN="{MIXED}"', MIXED),
        (f'declare -x DB_PASSWORD="{WORD}"', WORD),
        (f"mysql -u root -p{WORD} shop", WORD),
        (f"mysql --password={WORD} shop", WORD),
        (f"psql --password {WORD}", WORD),
        (f"curl -u admin:{WORD} https://x.io/", WORD),
        (f"curl -s --user 'admin:{WORD}' https://x.io/", WORD),
        (f"sshpass -p '{WORD}' ssh a@b", WORD),
        (f"docker login -u bob -p {WORD} reg.io", WORD),
        (f"echo '{WORD}' | docker login --password-stdin", WORD),
        (f"echo {WORD} | sudo -S apt install x", WORD),
        ("aws configure set aws_secret_access_key " + MIXED * 2, MIXED * 2),
        (f"python run.py --api-key {MIXED}", MIXED),
        (f"python run.py --api_key='{MIXED}' --x", MIXED),
        (f"wandb login --relogin {HEX}{HEX[:8]}", HEX),
        (f"ENV API_TOKEN {MIXED}", MIXED),
        (f"//registry.example.org/:_auth={MIXED}", MIXED),
        (f"machine github.com login bob password {WORD}", WORD),
        (f"db:\n  password: {WORD}\n  user: bob", WORD),
        (f"Server=x;User Id=sa;Password={WORD};", WORD),
        (f"https://x.io/v1?q=1&api_key={MIXED}", MIXED),
        (f"https://x.io/v1?appid={HEX}", HEX),
        (f"curl -H 'PRIVATE-TOKEN: {MIXED}' x", MIXED),
        (f"Cookie: theme=dark; sessionid={MIXED}", MIXED),
        (f"Set-Cookie: connect.sid={MIXED}; Path=/", MIXED),
        ("ls /mnt/c/Users/mjones/x", "mjones"),
        ("cd /c/Users/mjones/x", "mjones"),
        ("open file:///home/mjones/x.py", "mjones"),
        ("/var/home/mjones/x", "mjones"),
        (r"\\wsl$\Ubuntu\home\mjones\x", "mjones"),
    ],
)
def test_secrets_in_commands_are_masked(text: str, secret: str) -> None:
    masked = Redactor().redact(f"before\n{text}\nafter")
    assert secret not in masked
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter")
    assert masked.count("\n") == text.count("\n") + 2


@pytest.mark.parametrize(
    "text",
    [
        "PWD=/workspace/project\nOLDPWD=/workspace\nPATH=/usr/bin:/bin",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "123e4567-e89b-12d3-a456-426614174000",
        "torch-2.1.0+cu118-cp311-cp311-linux_x86_64.whl",
        "@app.route('/home')\n@user.command\n@pytest.mark.parametrize('a', [1])\n@property",
        "git clone git@github.com:user/repo.git",
        "npm i react@18.2.0 @types/node@20.1.0 && npx create-react-app@latest",
        "y = a@b.T\nz = X@W.T@b.to\nlogits = q@k.me\nv = w@self.io",
        "user@localhost root@3f2a1b:/workspace# ubuntu@10.0.0.1",
        "uses: a/b@8f4b7f84864484a7bf31766abe9204da3cbe65b3",
        "mysql -u root -p shop; mysql --port=3306 --protocol=tcp",
        "ssh -p 2222 host; mkdir -p src/module1a; docker run -p 8080:80 x; cp -p a1b2c3d4 x",
        "curl -u $USER:$PASS https://x.io; curl -u user https://x.io:8080/",
        "python train.py --token-limit=4096 --key-size 2048bits --tokenizer=gpt2-medium-355M --secret-name=my-secret",
        "--password-file=/run/pw1.txt --password-stdin --passwords-from list",
        "sort --key 2,3; Usage: x --password PASSWORD; --password is required",
        "password: yes\npassword: required\npassword: str = Field(...)\nEnter password: ",
        "Cookie: none\nSet-Cookie: theme=dark; Path=/",
        "https://x.io/?key=accuracy&token=abc&appid=1",
        "wandb login --relogin; wandb: saved in /workspace/wandb/run-20230101_120000-abc123de",
        "token=${{ secrets.GITHUB_TOKEN }}; API_KEY=$API_KEY python x.py; Authorization: Bearer $TOKEN",
        "CACHE_KEY=train\nSORT_KEY=created_at\nPRIMARY_KEY=customer_id",
        "https://x.org/home/page/1 and templates/home/index.html",
    ],
)
def test_evidence_in_commands_is_left_alone(text: str) -> None:
    assert Redactor().redact(text) == text
