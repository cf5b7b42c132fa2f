"""The secret classes that have a shape of their own: a literal to look for, and what must stand around it.

Every quantifier has an upper bound, so one occurrence of a literal costs bounded work and a text linear work.
Shapes follow the issuers' documentation of their token formats.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import aiwg_memory.core.screening.values as values

START = r"(?<![A-Za-z0-9_])"
END = r"(?![A-Za-z0-9_])"
_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
# A service's name, then a name that says key, then a value: for issuers whose tokens carry no prefix.
_NAMED = r"""[\w.-]{0,25}?(?:key|token|secret|auth|pat)\w{0,10}["'`]?[ \t]{0,3}(?:=>|:=|[:=])[ \t]{0,3}["'`]?"""


class Rule(NamedTuple):
    """``pattern`` is tried where a literal stands, up to ``back`` characters earlier. ``accept`` judges its group 1.

    ``group`` is what a redaction takes away: 0 the match, 1 the value alone. ``folded`` ignores letter case.
    """

    kind: str
    literals: tuple[str, ...]
    pattern: str
    flags: int
    accept: Callable[[str], bool]
    back: int = 0
    group: int = 0
    folded: bool = False


# kind, the literals it may begin with, and what follows each of them.
_PREFIXED = (
    ("age-key", "AGE-SECRET-KEY-1", r"[A-Z0-9]{58}"),
    ("aws-access-key", "AKIA ASIA ABIA ACCA", r"[A-Z2-7]{16}"),
    ("google-api-key", "AIza", r"[\w-]{35}(?!-)"),
    ("google-oauth", "ya29.", r"[\w-]{20,400}"),
    ("google-oauth", "GOCSPX-", r"[\w-]{28}"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,251}"),
    ("github-token", "github_pat_", r"\w{36,255}"),
    (
        "gitlab-token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- glffct- GR1348941",
        r"[\w.-]{20,300}",
    ),
    ("atlassian-token", "ATATT3 ATCTT3 ATBB", r"[\w=-]{28,250}"),
    ("npm-token", "npm_", r"[A-Za-z0-9]{36}"),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", r"[\w-]{50,400}"),
    ("rubygems-token", "rubygems_", r"[a-f0-9]{48}"),
    ("crates-token", "cio", r"[A-Za-z0-9]{32}"),
    ("docker-token", "dckr_pat_ dckr_oat_", r"[\w-]{27,40}"),
    ("nuget-key", "oy2", r"[a-z0-9]{43}"),
    ("clojars-token", "CLOJARS_", r"[0-9a-f]{60}"),
    ("anthropic-key", "sk-ant-", r"[a-z0-9]{3,10}-[\w-]{20,250}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", r"[\w-]{20,250}"),
    ("model-provider-key", "sk-or-v1- sk-lf-", r"[0-9a-f-]{32,64}"),
    ("openai-key", "sk-", r"[A-Za-z0-9]{32,64}"),
    ("huggingface-token", "hf_ api_org_", r"[A-Za-z0-9]{30,50}"),
    ("groq-key", "gsk_", r"[A-Za-z0-9]{40,60}"),
    ("xai-key", "xai-", r"[A-Za-z0-9]{60,100}"),
    ("replicate-token", "r8_", r"[A-Za-z0-9]{37}"),
    ("model-provider-key", "pplx- csk- tvly- tgp_v1_ nvapi- fw_ lsv2_pt_ lsv2_sk_", r"[\w-]{24,100}"),
    ("slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxo- xoxe.", r"(?=[\w.-]{0,40}[0-9])[\w.-]{10,250}"),
    ("slack-token", "xapp-", r"[0-9]-[A-Z0-9]{8,20}-[0-9]{8,20}-[a-f0-9]{40,80}"),
    ("slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/", r"[A-Za-z0-9/+]{30,120}"),
    ("discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", r"[0-9]{17,20}/[\w-]{60,80}"),
    ("discord-token", "MT Mj Mz MD ND NT Nj Nz OD OT", r"[A-Za-z0-9]{22,26}\.[\w-]{6}\.[\w-]{27,40}"),
    ("teams-webhook", "webhook.office.com/webhookb2/", rf"{_UUID}@{_UUID}/IncomingWebhook/[0-9a-f]{{32}}/{_UUID}"),
    ("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{16,200}"),
    ("webhook-secret", "whsec_", r"[A-Za-z0-9+/]{32,100}"),
    ("twilio-key", "SK", r"[0-9a-f]{32}"),
    ("sendgrid-key", "SG.", r"[\w-]{22}\.[\w-]{43}"),
    ("mailgun-key", "key-", r"[0-9a-f]{32}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"[a-fA-F0-9]{32}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", r"[a-f0-9]{64}"),
    ("linear-key", "lin_api_ lin_oauth_", r"[A-Za-z0-9]{40,64}"),
    ("notion-token", "ntn_", r"[A-Za-z0-9]{40,50}"),
    ("notion-token", "secret_", r"[A-Za-z0-9]{43}"),
    ("databricks-token", "dapi", r"[a-h0-9]{32}(?:-[0-9])?"),
    ("vault-token", "hvs. hvb. hvr.", r"[\w-]{24,300}"),
    ("grafana-token", "glsa_", r"[A-Za-z0-9]{32}_[a-fA-F0-9]{8}"),
    ("grafana-token", "glc_ eyJrIjoi", r"[A-Za-z0-9+/=]{32,400}"),
    ("sentry-token", "sntrys_ sntryu_", r"[\w+/=.-]{40,400}"),
    ("service-token", "NRAK-", r"[A-Z0-9]{27}"),
    ("service-token", "PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("service-token", "figd_", r"[\w-]{40,60}"),
    ("service-token", "dp.pt. dp.st. dp.ct. dp.sa.", r"[\w.-]{40,60}"),
    ("service-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[\w=.-]{32,64}"),
    ("service-token", "sbp_ pul-", r"[0-9a-f]{40}"),
    ("service-token", "ops_eyJ", r"[A-Za-z0-9+/]{100,2000}={0,3}"),
    ("service-token", "nfp_", r"[A-Za-z0-9]{36,40}"),
    ("service-token", "LTAI", r"[A-Za-z0-9]{20}"),
    ("jwt", "eyJ", r"[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}"),
)

# kind, literals, pattern with the secret as group 1, characters before the literal, whether letter case is ignored.
_SHAPED = (
    ("telegram-token", ":AA", START + r"([0-9]{8,10}:AA[\w-]{32,34})" + END, 10, False),
    ("terraform-token", ".atlasv1.", START + r"([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70})" + END, 14, False),
    ("azure-client-secret", "Q~", r"(?<![\w~.-])([\w~.]{3}[0-9]Q~[\w~.-]{31,34})(?![\w~.-])", 4, False),
    ("azure-storage-key", "AccountKey=|SharedAccessKey=|AccessKey=",
     r"\w{9,15}=([A-Za-z0-9+/]{43}(?:[A-Za-z0-9+/]{43}=)?=)", 0, False),
    ("azure-sas", "sig=", r"(?<=[?&;])sig=([A-Za-z0-9%+/]{40,100}(?:%3[Dd]|=)?)", 0, False),
    ("aws-secret-key", "secret_access_key|secretaccesskey|secret access key|aws_secret|aws-secret|awssecret",
     r"""[\w -]{6,30}?["'`]?[ \t]{0,3}(?:=>|:=|[:=]|is)[ \t]{0,3}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])""",
     0, True),
    ("gcp-service-account", '"private_key_id"', r'"private_key_id"[ \t]{0,3}:[ \t]{0,3}"([0-9a-f]{40})"', 0, False),
    ("npm-token", "_authToken", r"""_authToken[ \t]{0,3}=[ \t]{0,3}["']?([\w./+=-]{20,200})""", 0, False),
    ("heroku-key", "heroku", "heroku" + _NAMED + f"({_UUID})" + END, 0, True),
    ("service-key", "datadog|dd_api|dd_app|algolia|twilio|mailchimp|okta|deepgram|pagerduty|segment",
     "[a-z_]{5,10}" + _NAMED + r"([0-9a-f]{32,40}(?:-us[0-9]{1,2})?)" + END, 0, True),
    ("service-key", "mistral|cohere|co_api_|cloudflare|fastly|netlify|vercel|codecov|circle|elevenlabs|together|gitea",
     "[a-z_]{6,10}" + _NAMED + r"([\w-]{24,64})" + END, 0, True),
    ("curl-credentials", "curl",
     r"""curl[^\n]{0,200}?[ \t](?:-u|--user)[ =]["']?[^\s:"']{1,60}:([^\s"']{4,100})""", 0, True),
    ("netrc-password", "login", r"login[ \t]{1,4}\S{1,80}[ \t]{1,4}password[ \t]{1,4}(\S{4,80})", 0, True),
)  # fmt: skip


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule, made on first use and kept."""
    made = []
    for kind, literals, tail in _PREFIXED:
        words = tuple(literals.split())
        head = "|".join(map(re.escape, words))
        # Behind a slash or a dot an address or a host goes on: their start is not a boundary of its own.
        start = "" if "/" in words[0] else START
        made.append(Rule(kind, words, f"{start}(?:{head})({tail}){END}", re.ASCII, values.is_token))
    for kind, literals, pattern, back, folded in _SHAPED:
        flags = re.ASCII | re.IGNORECASE if folded else re.ASCII
        accept = values.is_password if kind in ("curl-credentials", "netrc-password") else values.is_token
        made.append(Rule(kind, tuple(literals.split("|")), pattern, flags, accept, back, 1, folded))
    return tuple(made)
