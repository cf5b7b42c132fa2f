"""Sources that may never be read, whatever is asked: by their whole name, never by what a name contains."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re

# Files that settings and tools keep credentials in, by whole name.
_NAMES = frozenset((
    ".netrc", "_netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf",
    ".git-credentials", ".htpasswd", ".htdigest", ".dockercfg", ".vault-token", ".terraformrc", "terraform.rc",
    "credentials.tfrc.json", ".boto", ".s3cfg", ".rclone.conf", "rclone.conf", ".rediscli_auth", "id_rsa",
    "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "identity", "ssh_host_rsa_key",
    "ssh_host_ed25519_key", "ssh_host_ecdsa_key", "ssh_host_dsa_key", "credentials", "credentials.json",
    "credentials.yml", "credentials.yaml", "credentials.toml", "credentials.xml", "credentials.csv",
    "credentials.yml.enc", "credentials.ini", "credentials.db", "application_default_credentials.json",
    "client_secret.json", "client_secrets.json", "service-account.json", "service_account.json",
    "serviceaccount.json", "service-account-key.json", "service_account_key.json", "secrets.json", "secrets.yml",
    "secrets.yaml", "secrets.toml", "secrets.env", "secret.json", "secret.yml", "secret.yaml", "secret.key",
    "secret_key_base", "master.key", "accesstokens.json", "azureprofile.json", "msal_token_cache.json",
    "msal_token_cache.bin", "shadow", "gshadow", "sudoers", "keychain", "login.keychain", "login.keychain-db",
    "wallet.dat", "key3.db", "key4.db", "logins.json", "cookies.sqlite", ".bash_history", ".zsh_history",
    ".python_history", ".psql_history", ".mysql_history", ".node_repl_history", ".lesshst", "kubeconfig",
    ".kubeconfig",
))  # fmt: skip
_ENDINGS = (
    ".pem", ".key", ".ppk", ".p8", ".p12", ".pfx", ".pkcs12", ".jks", ".keystore", ".bks", ".kdb", ".kdbx", ".keychain",
    ".keychain-db", ".gpg", ".pgp", ".asc.key", ".ovpn", ".agilekeychain", ".opvault", ".1pux", ".tfstate",
    ".tfstate.backup", ".env",
)  # fmt: skip
# Folders, and files below a folder of a tool's settings.
_FOLDERS = frozenset(
    (".git", ".ssh", ".gnupg", ".gpg", ".aws", ".azure", ".gcloud", ".kube", ".password-store", "keychains")
)
_BELOW = (
    (".docker", "config.json"), ("gcloud", "credentials.db"), ("gcloud", "access_tokens.db"), ("gh", "hosts.yml"),
    (".cargo", "credentials"), (".cargo", "credentials.toml"), (".gem", "credentials"), (".m2", "settings.xml"),
    (".m2", "settings-security.xml"), (".composer", "auth.json"), ("composer", "auth.json"), (".codex", "auth.json"),
    (".claude", ".credentials.json"), (".gemini", "oauth_creds.json"), ("opencode", "auth.json"), (".config", "hub"),
)  # fmt: skip
_TEMPLATES = ("example", "sample", "template", "dist", "defaults", "schema")
_TERMINALS = frozenset(("stdin", "stdout", "stderr", "tty", "console", "ptmx", "kmsg", "mem", "random", "urandom"))


def protected_source(path: str) -> str | None:
    """Why ``path`` may not be read, or None; names are compared without case, ``\\`` counts as ``/``.

    ``.env.example`` and its like (sample, template, dist, defaults, schema) are meant to be shared, so they may be
    read; what they hold is screened as any text is. A certificate (``.crt``, ``.cer``) and a public key (``.pub``) may.
    """
    parts = [part for part in path.casefold().replace("\\", "/").split("/") if part not in ("", ".")]
    if not parts:
        return None
    name = parts[-1].rstrip(" .")
    if path.strip() == "-" or _is_terminal(parts):
        return "it is terminal input"
    for folder in parts:
        if folder.rstrip(" .") in _FOLDERS:
            return f"{folder} holds credentials or the repository itself"
    if _is_env(name):
        return "an environment file holds credentials"
    if name in _NAMES or (len(parts) > 1 and (parts[-2], name) in _BELOW) or _service_account().fullmatch(name):
        return "it is a credential store"
    if name.endswith(_ENDINGS):
        return "it is a key or credential store"
    return None


def _is_env(name: str) -> bool:
    if name == ".env" or name == ".envrc":
        return True
    return name.startswith((".env.", ".env-", ".env_")) and name[5:].rpartition(".")[2] not in _TEMPLATES


def _is_terminal(parts: list[str]) -> bool:
    if parts[0] in ("dev", "proc") and len(parts) > 1:
        rest = parts[1:]
        return (
            rest[0] in _TERMINALS or rest[0].startswith("tty") or "fd" in rest or rest[0] == "pts" or "environ" in rest
        )
    return len(parts) == 1 and parts[0] in ("con", "conin$", "conout$")


@cache
def _service_account() -> re.Pattern[str]:
    import re

    return re.compile(r"(?:[\w.-]{0,80}[-_.])?(?:service[-_]?account|client[-_]secret)(?:[-_.][\w.-]{0,120})?\.json")
