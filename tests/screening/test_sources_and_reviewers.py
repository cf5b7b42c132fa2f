"""Sources nobody may read, names that may not review, environments in which nobody may confirm."""

from __future__ import annotations

import pytest

from aiwg_memory.core.screening import protected_source
from aiwg_memory.core.screening.reviewer import agent_driving, reviewer_problem


@pytest.mark.parametrize(
    "path",
    [".env", "app/.env", ".ENV", ".env.local", ".env.production", "prod.env", ".envrc", "id_rsa", "keys/ID_ED25519",
     "server.pem", "tls/private.key", "cert.p12", "vault.kdbx", ".netrc", ".npmrc", ".pypirc", ".aws/credentials",
     "home/.aws/config", ".ssh/config", ".gnupg/pubring.kbx", "credentials.json", "service-account.json",
     "acme-service-account-prod.json", "client_secret_123.json", ".docker/config.json", ".git/config",
     "sub/.git/HEAD",
     ".git-credentials", "secrets.yaml", ".kube/config", "/dev/stdin", "/dev/tty", "/dev/fd/0", "/proc/self/environ",
     "-", "CON", "a\\.ssh\\id_rsa", "./.env", ".env.", "terraform.tfstate"],
)  # fmt: skip
def test_credentials_and_terminals_are_never_read(path: str) -> None:
    assert protected_source(path)


@pytest.mark.parametrize(
    "path",
    ["docs/secretary.md", "environment.md", "keyboard.md", ".env.example", "app/.env.sample", ".env.template", "env.md",
     "docs/credentials.md", "password-policy.md", "keys.md", "public.crt", "id_rsa.pub", ".gitignore",
     ".github/ci.yml",
     "docker/config.json", "config.json", "tokens.md", "secrets.md", "src/environ.py", "pemmican.md", "monkey.md", "",
     "docs/dev/tty.md", "service-accounts.md", ".envoy.yaml", "identity.md", "console.md"],
)  # fmt: skip
def test_files_with_telling_words_in_their_names_are_read(path: str) -> None:
    assert protected_source(path) is None


@pytest.mark.parametrize(
    "name",
    ["agent", "Assistant", "LLM", "model", "repository", "repo", "tool", "supervisor", "automatic", "auto",
     "system", "BOT",
     "bot <bot@acme.dev>", "Agent <jane@acme.dev>",
     "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
     "Claude <noreply@anthropic.com>", "<agent@acme.dev>", "agent@acme.dev", "  system  ", '"Bot" <x@acme.dev>'],
)  # fmt: skip
def test_a_machine_may_not_review(name: str) -> None:
    problem = reviewer_problem(name)
    assert problem is not None
    assert "machine" in problem


@pytest.mark.parametrize(
    "name", ["", "  ", "<>", "a" * 201, "Jane\nDoe", "Jane\u200b", "J\u202ene", "Jаne", "Jane\x07", " <> "]
)
def test_a_name_is_visible_and_of_bounded_length(name: str) -> None:
    assert reviewer_problem(name)


@pytest.mark.parametrize(
    "name",
    ["Bot Nguyen", "Jane Doe <jane@acme.dev>", "jane@acme.dev", "Auto Müller", "Claude Monet <claude@giverny.fr>",
     "李雷", "Model Agentson", "Toole", "Jane <root@localhost>", "Олена Шевченко", "Systema Ray"],
)  # fmt: skip
def test_a_person_may_review(name: str) -> None:
    assert reviewer_problem(name) is None


@pytest.mark.parametrize(
    ("name", "allowed", "passes"),
    [("Jane Doe <jane@acme.dev>", ["jane@acme.dev"], True), ("Jane Doe <jane@acme.dev>", ["jane doe"], True),
     ("Jane Doe <JANE@acme.dev>", ["Jane Doe <jane@acme.dev>"], True), ("Jane", ["Jane Doe"], False),
     ("Mallory <m@x.dev>", ["jane@acme.dev", "Jane Doe"], False), ("agent", ["agent"], False)],
)  # fmt: skip
def test_an_allow_list_closes_the_set(name: str, allowed: list[str], passes: bool) -> None:
    assert (reviewer_problem(name, allowed) is None) == passes


@pytest.mark.parametrize(
    ("environ", "variable"),
    [({"CLAUDECODE": "1"}, "CLAUDECODE"), ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, "CLAUDE_CODE_ENTRYPOINT"),
     ({"CODEX_SANDBOX": "seatbelt"}, "CODEX_SANDBOX"), ({"CODEX_THREAD_ID": "t"}, "CODEX_THREAD_ID"),
     ({"CURSOR_AGENT": "1"}, "CURSOR_AGENT"), ({"GEMINI_CLI": "1"}, "GEMINI_CLI"), ({"OPENCODE": "1"}, "OPENCODE"),
     ({"COPILOT_AGENT_JOB_ID": "9"}, "COPILOT_AGENT_JOB_ID"), ({"GOOSE_TERMINAL": "1"}, "GOOSE_TERMINAL"),
     ({"AI_AGENT": "anything"}, "AI_AGENT"), ({"AGENT": "goose"}, "AGENT"), ({"AGENT": "amp@2"}, "AGENT"),
     ({"CURSOR_EXTENSION_HOST_ROLE": "agent-exec"}, "CURSOR_EXTENSION_HOST_ROLE"),
     ({"AWS_EXECUTION_ENV": "AmazonQ-For-CLI"}, "AWS_EXECUTION_ENV"),
     ({}, None), ({"CLAUDECODE": ""}, None), ({"CLAUDECODE": "0"}, None), ({"CURSOR_TRACE_ID": "abc"}, None),
     ({"TERM_PROGRAM": "vscode", "VSCODE_PID": "1"}, None), ({"CODEX_HOME": "/home/j/.codex"}, None),
     ({"AIDER_MODEL": "x", "OPENAI_API_KEY": "y", "CI": "true"}, None), ({"AGENT": "ssh-agent"}, None),
     ({"CURSOR_EXTENSION_HOST_ROLE": "user"}, None), ({"REPL_ID": "1", "COPILOT_MODEL": "m"}, None)],
)  # fmt: skip
def test_the_environment_says_who_drives(environ: dict[str, str], variable: str | None) -> None:
    assert agent_driving(environ) == variable
