"""The settings of a workspace: closed, bounded, every problem told at once, and free when there are none."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.config import PATH, Config, from_json, load_config, parse_config, render_config
from aiwg_memory.core.packs import PackRequest
from aiwg_memory.core.schema import cheap, explain, schema
from aiwg_memory.core.tree import MemoryTree
from aiwg_memory.errors import TooLarge, UsageError

WORKSPACE = "ws_0123456789abcdef"


def settings_of(text: str) -> Config:
    return load_config(MemoryTree({PATH: text.encode()}))


def test_a_workspace_without_a_file_has_the_defaults_and_no_identity() -> None:
    config = load_config(MemoryTree({}))
    assert config == Config()
    assert config.workspace == ""
    assert (config.context.total, config.facts.max_characters, config.delivery.always) == (8000, 500, ("confirmed",))


def test_an_empty_file_is_the_defaults_too() -> None:
    assert settings_of("") == settings_of("# nothing set\n") == Config()


def test_what_init_writes_is_readable_and_sets_the_identity_alone() -> None:
    config = parse_config(render_config(WORKSPACE))
    assert config == Config(workspace=WORKSPACE)


def test_what_init_suggests_in_comments_is_legal_once_uncommented() -> None:
    lines = render_config(WORKSPACE).decode().split("\n")
    keys = tuple(f"# {key}:" for key in (*schema("config.v1")["properties"], "  total", "  weights", "  - Ada"))
    text = "\n".join(line.removeprefix("# ") if line.startswith((*keys, "#   ")) else line for line in lines)
    config = parse_config(text.encode())
    assert config == Config(workspace=WORKSPACE, reviewers=("Ada Lovelace <ada@example.org>",))


def stated_defaults(part: dict[str, Any]) -> Any:
    if "default" in part:
        return part["default"]
    inner = {key: stated_defaults(rule) for key, rule in part.get("properties", {}).items()}
    return {key: value for key, value in inner.items() if value is not None} if "properties" in part else None


def test_the_schema_states_the_defaults_that_hold() -> None:
    assert stated_defaults(schema("config.v1")) == Config().to_json()


def test_all_problems_are_told_together_with_value_rule_and_range() -> None:
    with pytest.raises(UsageError) as caught:
        settings_of("context: {totl: 5, total: 99999}\nreceipt: required\nfacts: {max_characters: 501}\n")
    assert caught.value.code == "config"
    assert caught.value.exit_status == 2
    told = {finding.message: finding.hint for finding in caught.value.findings}
    assert told == {
        '/: unknown key "receipt"': "did you mean receipts?",
        '/context: unknown key "totl"': "did you mean total?",
        "/context/total: 99999 is not allowed; legal is 256 to 65536": "",
        "/facts/max_characters: 501 is not allowed; legal is 1 to 500": "",
    }
    lines = sorted((finding.path, finding.line) for finding in caught.value.findings)
    assert lines == [(PATH, 1), (PATH, 1), (PATH, 2), (PATH, 3)]
    assert all(message in caught.value.message for message in told)


@pytest.mark.parametrize(
    "text",
    [
        "- a list\n",
        "context: 5\n",
        "context: {total: '8000'}\n",
        "context: {total: true}\n",
        "reviewers: []\n",
        "workspace: short\n",
        "review_policy: automatic\n",
        "screening: [{class: secret, where: a.md}]\n",
        "screening: [{class: secret, where: a.md, reason: ' '}]\n",
        "instructions: {limits: {depth: 33}}\n",
        "sources: {output_folders: [../elsewhere]}\n",
        "context: {total: 500}\ncontext: {total: 600}\n",
        "agents: [propose\n",
    ],
)
def test_what_is_not_legal_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        settings_of(text)


def test_a_file_too_large_to_be_settings_is_refused() -> None:
    with pytest.raises(TooLarge):
        settings_of("#" * 70_000)


def test_part_of_a_section_keeps_the_rest_of_its_defaults() -> None:
    config = settings_of("context:\n  weights: {wiki: 2}\ninstructions:\n  limits: {depth: 4}\nagents: 'off'\n")
    assert config.context.weights == {"sessions": 1, "canonical": 3, "wiki": 2, "facts": 4}
    assert (config.instructions.limits.depth, config.instructions.limits.sources) == (4, 64)
    assert config.agents == "off"


def test_a_screening_exception_keeps_its_class_place_and_reason() -> None:
    config = settings_of("screening:\n  - {class: secret-token, where: docs/a.md, reason: an example}\n")
    (exception,) = config.screening
    assert (exception.screening_class, exception.where, exception.reason) == ("secret-token", "docs/a.md", "an example")


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "workspace": st.from_regex(r"[A-Za-z0-9_-]{8,64}", fullmatch=True),
            "agents": st.sampled_from(["propose", "off"]),
            "reviewers": st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=3, unique=True),
            "addons": st.lists(st.sampled_from(["line-memory", "llm-wiki"]), unique=True),
            "context": st.fixed_dictionaries(
                {},
                optional={
                    "total": st.integers(256, 65536),
                    "weights": st.dictionaries(st.sampled_from(["wiki", "facts"]), st.integers(0, 100)),
                    "caps": st.dictionaries(st.sampled_from(["wiki", "locators"]), st.integers(0, 65536)),
                    "floor": st.floats(0, 1),
                },
            ),
            "delivery": st.fixed_dictionaries({}, optional={"retrieved": st.just(["confirmed"])}),
            "sessions": st.fixed_dictionaries({}, optional={"track": st.booleans()}),
        },
    )
)
@settings(max_examples=60)
def test_settings_survive_json(document: dict[str, Any]) -> None:
    assert cheap("config.v1", document) is None, explain("config.v1", document)
    config = from_json(document)
    spelled = config.to_json()
    assert cheap("config.v1", spelled) is None
    assert from_json(spelled) == config


def test_the_defaults_cost_no_yaml_and_no_jsonschema() -> None:
    code = (
        "import sys; from aiwg_memory.core.config import load_config; from aiwg_memory.core.tree import MemoryTree;"
        "load_config(MemoryTree({})); print({'yaml', 'jsonschema', 'pathlib', 'markdown_it'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_every_weight_and_cap_that_settings_may_have_is_one_a_pack_takes() -> None:
    known = schema("config.v1")["properties"]["context"]["properties"]
    weights, caps = sorted(known["weights"]["properties"]), sorted(known["caps"]["properties"])
    assert weights == ["canonical", "facts", "sessions", "wiki"]
    assert caps == ["canonical", "facts", "locators", "sessions", "wiki"]
    PackRequest("import", "2026-01-31", weights=dict.fromkeys(weights, 1), caps=dict.fromkeys(caps, 1))
