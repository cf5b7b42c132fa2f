"""What a task finds, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lined import ADDON, NOW, TODAY, found, index_of, record, texts, tree

from aiwg_memory.core.ranking import score
from aiwg_memory.index.search import Index

NEW = "2027-01-01T00:00:00Z"
LINES = [
    "The retry policy waits 250 ms and doubles each time",
    "Retries are counted in the metric http_client_retry_total",
    "class RetryPolicy lives in src/net/retry.py",
    "We build with C++ on the ARM runners",
    "We build with C on the small runners",
    "Release 1.2.3 broke the authentication service",
    "Release 1.2.4 repaired it",
    "数据库连接池的大小是二十",
    "缓存在五分钟后过期",
    "Подключение к базе данных закрывается через минуту",
    "Кэш очищается ночью",
    "اتصال قاعدة البيانات ينتهي بعد دقيقة",
    "The customer database is backed up at midnight",
    "to be or not to be is a line of the test fixture",
]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("how long does the retry policy wait?", LINES[0]),
        ("RetryPolicy", LINES[2]),
        ("retry_policy class", LINES[2]),
        ("what is in retry.py", LINES[2]),
        ("http_client_retry_total", LINES[1]),
        ("metric of httpClientRetryTotal", LINES[1]),
        ("compile C++", LINES[3]),
        ("what broke in 1.2.3", LINES[5]),
        ("release 1.2.4", LINES[6]),
        ("连接池多大", LINES[7]),
        ("缓存什么时候过期", LINES[8]),
        ("когда закрываются подключения к базам данных", LINES[9]),
        ("очистка кэша", LINES[10]),
        ("قاعدة بيانات", LINES[11]),
        ("authentcation", LINES[5]),
        ("autehntication service", LINES[5]),
        ("midnihgt backup", LINES[12]),
        ("backups of customers", LINES[12]),
    ],
)
def test_the_line_that_answers_comes_first(query: str, best: str) -> None:
    assert texts(found(LINES, query))[0] == best


@pytest.mark.parametrize("query", ["", "   ", "?!… -- ()", "what is the", "и в на", "zzzzqqqq xxyyzzkk", "\x00"])
def test_a_query_that_asks_for_nothing_known_gives_nothing(query: str) -> None:
    assert found(LINES, query) == []


def test_a_known_word_is_never_taken_for_a_slip() -> None:
    assert texts(found(["the cache is warm", "the cathe is odd"], "cathe")) == ["the cathe is odd"]


def test_short_unknown_words_are_not_guessed_at() -> None:
    assert found(["the port is open"], "part") == []


def test_a_quoted_phrase_lifts_what_holds_it_word_for_word() -> None:
    lines = ["pool size and connection limit, size pool", "the connection pool size is twenty, as it was for long"]
    assert texts(found(lines, 'value of "connection pool size"'))[0] == lines[1]


WORDS = st.sampled_from(("pool", "size", "the", "connection", "twenty"))
RECORDED = st.sampled_from(
    ({}, {"status": "stale"}, {"status": "contradicted"}, {"review": "confirmed", "provenance": "operator", "at": NEW})
)


@given(st.dictionaries(st.lists(WORDS, min_size=1, max_size=9).map(" ".join), RECORDED, max_size=8))
def test_what_holds_a_quoted_phrase_ranks_above_what_does_not_and_says_so(lines: dict[str, dict[str, str]]) -> None:
    records = [record(line, **said) for line, said in lines.items()]
    with index_of(tree({"notes.txt": lines, "a.rec": records})) as index:
        hits = index.search('how twenty is the "connection pool" size', limit=10, as_of=TODAY)
    held = ["connection pool" in hit.item.text for hit in hits]
    assert held == sorted(held, reverse=True)
    assert ['"connection pool"' in hit.matched for hit in hits] == held
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_phrase_is_found_below_hundreds_of_units_that_hold_its_words() -> None:
    lines = [f"size pool connection pool{number}, size" for number in range(500)]
    lines.insert(250, "it was long ago and many words were said before the pool size of the connection came up at all")
    hits = found(lines, '"pool size"', limit=3)
    assert hits[0].item.text == lines[250]
    assert '"pool size"' in hits[0].matched
    assert '"pool size"' not in hits[1].matched


@pytest.mark.parametrize("line", ["Connection | pool is twenty", "connection and pool", "pool connection"])
def test_words_that_do_not_follow_one_another_are_no_phrase(line: str) -> None:
    (hit,) = found([line], '"connection pool"')
    assert hit.matched == ("connection", "pool")


def test_words_in_most_units_weigh_nothing_where_rarer_ones_are_asked_for() -> None:
    lines = [f"service number {number} listens" for number in range(80)] + ["service mesh"]
    hits = found(lines, "service mesh", limit=100)
    assert texts(hits) == ["service mesh"]
    assert len(found(lines, "service", limit=100)) == 81


def test_coverage_counts_own_words_by_rarity_and_not_the_title() -> None:
    lines = ["Deploying | waits for approval", "deploying needs approval", "nothing here"]
    by_text = {hit.item.text: hit for hit in found(lines, "deploying approval")}
    assert by_text["deploying needs approval"].coverage == 1.0
    assert 0 < by_text["waits for approval"].coverage < 1
    assert set(by_text["waits for approval"].matched) == {"deploying", "approval"}


def test_a_title_makes_a_unit_findable() -> None:
    assert texts(found(["Rollbacks | press the red button", "press the blue button"], "rollback")) == [
        "press the red button"
    ]


def test_equals_are_ordered_by_handle_whatever_the_limit() -> None:
    lines = [f"alpha number{number}" for number in range(40)]
    every = [hit.item.handle for hit in found(lines, "alpha", limit=40)]
    assert every == sorted(every)
    assert [hit.item.handle for hit in found(lines, "alpha", limit=7)] == every[:7]


def test_ranks_count_from_one_and_scores_fall() -> None:
    hits = found(LINES, "retry release build database")
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_hit_lends_to_its_neighbours_in_a_hand_typed_file_only() -> None:
    talk = [
        "Ann: where did you buy the zither?",
        "Bob: at the shop on Mill Street",
        "Ann: nice",
        "Bob: the weather is fine",
    ]
    with index_of(tree({"facts.txt": talk})) as index:
        hits = index.search("who bought a zither", limit=10, as_of=TODAY)
    assert texts(hits) == talk[:2]
    assert hits[1].coverage > 0
    assert texts(found(talk, "who bought a zither")) == talk[:1]


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ({"review": "pending"}, {"review": "confirmed"}),
        ({"provenance": "external"}, {"provenance": "operator"}),
        ({"at": "2024-01-01T00:00:00Z"}, {"at": "2027-01-01T00:00:00Z"}),
        ({"status": "contradicted"}, {"status": "active"}),
        ({"status": "stale"}, {"status": "active"}),
    ],
)
def test_priors_settle_near_ties(worse: dict[str, str], better: dict[str, str]) -> None:
    for first, second in (("gate one", "gate two"), ("gate two", "gate one")):
        records = [record(first, **worse), record(second, **better)]
        with index_of(tree({"notes.txt": [first, second], "a.rec": records})) as index:
            assert texts(index.search("gate", limit=5, as_of=TODAY)) == [second, first]


@pytest.mark.parametrize(("count", "titled", "length"), [(1, 0, 10), (3, 2, 50), (0, 1, 7), (255, 3, 65535)])
def test_one_unit_is_worth_what_adding_its_row_gives_it(count: int, titled: int, length: int) -> None:
    scores: dict[int, float] = {}
    score.accumulate(scores, 4096, ([5], [count], [titled]), [0] * 5 + [length], 40.0, 2.5)
    assert scores == {4101: pytest.approx(score.worth(count, titled, length, 40.0, 2.5))}


def test_a_unit_whose_record_removes_it_is_nowhere() -> None:
    with index_of(tree({"notes.txt": ["gate one", "gate two"], "a.rec": [record("gate one", "removed")]})) as index:
        assert texts(index.search("gate", limit=5, as_of=TODAY)) == ["gate two"]


def test_always_and_item_answer_by_handle() -> None:
    standing = record("gate one", delivery="always")
    with index_of(tree({"notes.txt": ["gate one", "gate two"], "a.rec": [standing]})) as index:
        (always,) = index.always()
        assert always.text == "gate one"
        assert index.item(always.handle) == always
        assert index.item("u_00000000") is None


def test_one_handle_in_two_files_is_one_hit() -> None:
    with index_of(tree({"a.txt": ["gate one"], "b.txt": ["gate one"]})) as index:
        assert len(index.search("gate", limit=5, as_of=TODAY)) == 1


def test_a_megabyte_of_task_is_answered_from_its_head() -> None:
    log = " ".join(f"line{number} failed with code {number}" for number in range(40_000))
    assert len(log) > 1_000_000
    assert texts(found(LINES, "retry policy waits " + log))[0] == LINES[0]
    assert isinstance(found(LINES, "数" * 1_000_000), list)


def test_an_index_that_was_never_synced_says_so() -> None:
    with pytest.raises(RuntimeError, match="sync"):
        Index(None).item("x")
    index = Index(None)
    index.sync(tree({}), [ADDON], now=NOW)
    assert index.search("anything", limit=5, as_of=TODAY) == []
