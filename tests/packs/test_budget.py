"""Measures count what they say, add exactly line by line, and tokens never look past a line."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aiwg_memory.core.budget import MEASURES, Budget, Limit, plus, window_limit
from aiwg_memory.core.tokens import PROFILES, RULE, estimate, pricer
from aiwg_memory.errors import Refused, UsageError

lines = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=60), max_size=8)


@settings(max_examples=100)
@given(lines, lines, st.sampled_from(MEASURES))
def test_costs_add_exactly(first: list[str], second: list[str], measure: str) -> None:
    budget = Budget((Limit(measure, 256), Limit("tokens", 256, RULE)))
    assert budget.cost([*first, *second]) == plus(budget.cost(first), budget.cost(second))
    assert budget.measured("".join(f"{line}\n" for line in first)) == budget.cost(first)


@settings(max_examples=100)
@given(lines)
def test_each_measure_is_what_a_reader_would_count(found: list[str]) -> None:
    text = "".join(f"{line}\n" for line in found)
    budget = Budget((Limit("characters", 256), Limit("bytes", 256), Limit("json-escaped", 256)))
    characters, size, escaped = budget.cost(found)
    assert characters == len(text)
    assert size == len(text.encode())
    assert escaped + 2 == len(json.dumps(text, ensure_ascii=False).encode("utf-16-le")) // 2


@pytest.mark.parametrize("limit", [0, 255, 65537])
def test_a_budget_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(UsageError, match="256 to 65536"):
        Limit("characters", limit)


def test_an_unknown_measure_or_profile_names_the_known() -> None:
    with pytest.raises(UsageError) as refused:
        Limit("words", 300)
    assert "json-escaped" in refused.value.hint
    with pytest.raises(UsageError) as refused:
        Budget((Limit("tokens", 300, "abacus"),))
    assert "cl100k" in refused.value.hint
    with pytest.raises(UsageError):
        Budget(())


@pytest.mark.parametrize(
    ("window", "reserve", "used", "allowed"),
    [(200_000, 8_000, 0, 8_000), (50_000, 8_000, 0, 4_000), (50_000, 8_000, 41_000, 1_000)],
)
def test_a_window_allows_the_least_of_total_share_and_rest(window: int, reserve: int, used: int, allowed: int) -> None:
    assert window_limit(8_000, window=window, reserve=reserve, used=used).limit == allowed


def test_a_full_window_refuses() -> None:
    with pytest.raises(Refused, match="leaves 0"):
        window_limit(8_000, window=10_000, reserve=8_000, used=9_000)


@pytest.mark.parametrize("profile", [*PROFILES, RULE])
def test_a_line_costs_the_same_wherever_it_stands(profile: str) -> None:
    price = pricer(profile)
    assert price("") > 0
    assert price("import 42") == price("import 42")
    assert estimate("a\n" * 50, profile) > estimate("a\n" * 10, profile)


# Counted once with the real vocabularies: text, o200k, cl100k, claude-2.
COUNTED: tuple[tuple[str, int, int, int], ...] = (
    ("The import takes a lock on the catalog before it writes, and releases it when the last row is in.", 22, 22, 22),
    ("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 46, 46, 47),
    ('{"schema":"aiwg.fact.v1","handle":"lm_3f9c2a11b0d4e5f6","version":3,"status":"active"}', 37, 38, 39),
    ("导入之前必须先锁定目录，写完最后一行之后再释放锁。", 19, 28, 22),
    ("カタログを書き込む前にロックを取得し、最後の行を書いた後に解放します。", 26, 35, 35),
    ("카탈로그에 쓰기 전에 잠금을 획득하고 마지막 행을 쓴 후에 해제합니다.", 24, 40, 46),
    ("Перед записью импорт блокирует каталог и снимает блокировку после последней строки.", 17, 33, 40),
    ("def retry(times: int = 3) -> None:\n    for attempt in range(times):\n        run(attempt)\n", 24, 24, 26),
)


@pytest.mark.parametrize(("place", "profile"), list(enumerate(("o200k", "cl100k", "claude-2"))))
def test_estimates_stay_near_the_real_vocabularies(place: int, profile: str) -> None:
    counted = [(text, numbers[place]) for text, *numbers in COUNTED]
    errors = [abs(estimate(text, profile) / count - 1) for text, count in counted]
    assert sum(errors) / len(errors) <= 0.12
    margin = 1 + PROFILES[profile].margin / 100
    assert all(estimate(text, profile) * margin >= count for text, count in counted)


def test_the_older_rule_is_there_by_name() -> None:
    assert estimate("a" * 400, RULE) == 100
    assert estimate("!?!?", RULE) == 8
    assert estimate("目录目录", RULE) == 8


def test_a_long_line_is_priced_in_one_pass() -> None:
    words = random.Random(4).choices(("retry", "目录", "0x3f9c", "ключ", " ", "..."), k=20000)
    assert estimate(" ".join(words)) > 10000
