"""Judged questions over a few hundred units, made from word lists here by a seed: nobody's text but ours.

Five kinds of question: English with other inflections than the fact has, Chinese, Russian with other endings, code
identifiers written another way, and English with one slip of the pen in its rarest word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

LINES = ".aiwg/memory/line-memory.txt"
WIKI = ".aiwg/wiki"

_SERVICES = (
    "billing", "catalogue", "checkout", "courier", "directory", "exporter", "gateway", "inventory", "ledger", "mailer",
    "notifier", "optimizer", "payments", "quota", "registry", "scheduler", "search", "shipping", "sessions",
    "telemetry", "uploader", "validator", "warehouse", "webhooks",
)  # fmt: skip
# A fact, and a question that asks for it in other words of the same stems.
_ENGLISH = (
    ("The {0} service retries a failed call {1} times before giving up", "how often is a failing {0} call retried"),
    ("Connections of {0} are closed after {1} idle seconds", "when does {0} close an idle connection"),
    ("{0} caches its responses for {1} minutes in memory", "how long are responses cached by {0}"),
    ("Nightly backups of the {0} database are kept for {1} days", "how many days is a {0} database backup kept"),
    ("{0} rejects uploads larger than {1} megabytes", "largest upload that {0} does not reject"),
    ("Rotating the {0} signing key takes effect after {1} hours", "{0} key rotation takes how many hours"),
)  # fmt: skip
_CODE = (
    ("{0}_retry_policy is read from config/{0}.toml and defaults to {1}", "{1}RetryPolicy default"),
    ("class {2}Client in src/{0}/client.py holds {1} open sockets", "{0}_client sockets"),
)  # fmt: skip
_CHINESE = (
    ("{0}的缓存在{1}分钟后过期，需要重新加载", "{0}缓存多久过期"),
    ("{0}的数据库连接池最多保留{1}个连接", "{0}连接池有多少连接"),
    ("{0}的备份文件每晚复制到{1}号机房", "{0}备份复制到哪里"),
)
_CHINESE_NAMES = ("订单系统", "支付网关", "仓库服务", "搜索引擎", "物流平台", "用户中心", "消息队列", "报表工具")
_RUSSIAN = (
    ("Подключение {0} закрывается через {1} секунд простоя", "когда закрываются подключения {0}"),
    ("Резервная копия {0} хранится {1} дней на отдельном сервере", "сколько хранятся резервные копии {0}"),
    ("Кэш {0} очищается каждые {1} минут", "как часто очищают кэш {0}"),
)
_RUSSIAN_NAMES = ("каталога", "склада", "бухгалтерии", "доставки", "рассылки", "поиска", "очереди", "отчетности")


@dataclass(frozen=True, slots=True)
class Question:
    kind: str
    text: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Corpus:
    name: str
    files: dict[str, str]
    questions: list[Question]

    def digest(self) -> str:
        told = json.dumps([self.files, [[q.kind, q.text, q.evidence] for q in self.questions]], sort_keys=True)
        return sha256(told.encode()).hexdigest()[:12]

    def write(self, root: Path) -> None:
        for path, text in self.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")


def own(seed: int) -> Corpus:
    """Half of the facts as lines typed by hand, half as pages of one section a service."""
    random = Random(seed)
    questions = [*_questions(random)]
    random.shuffle(questions)
    lines = [question.evidence for question in questions[::2]]
    files = {LINES: "\n".join(lines) + "\n"}
    paged = questions[1::2]
    for number in range(0, len(paged), 6):
        sections = [f"## Part {at + 1}\n\n{each.evidence}.\n" for at, each in enumerate(paged[number : number + 6])]
        files[f"{WIKI}/notes-{number:03}.md"] = f"# Notes {number}\n\n" + "\n".join(sections)
    asked = [
        each for kind in ("en", "zh", "ru", "code", "slip") for each in [q for q in questions if q.kind == kind][:20]
    ]
    return Corpus("own", files, asked)


def _questions(random: Random) -> Iterator[Question]:
    for number, service in enumerate(_SERVICES):
        for which, (fact, asked) in enumerate(_ENGLISH):
            text = fact.format(service, random.randrange(2, 90))
            question = asked.format(service)
            slip = (number + which) % 6 == 0
            yield Question("slip" if slip else "en", _slipped(random, question, service) if slip else question, text)
        for fact, asked in _CODE:
            text = fact.format(service, random.randrange(2, 90), service.title())
            yield Question("code", asked.format(service, service), text)
    for kind, templates, names in (("zh", _CHINESE, _CHINESE_NAMES), ("ru", _RUSSIAN, _RUSSIAN_NAMES)):
        for name in names:
            for fact, asked in templates:
                yield Question(kind, asked.format(name), fact.format(name, random.randrange(2, 90)))


def _slipped(random: Random, question: str, word: str) -> str:
    """Two neighbouring letters inside ``word`` change places."""
    places = [at for at in range(1, len(word) - 2) if word[at] != word[at + 1]]
    at = random.choice(places)
    return question.replace(word, word[:at] + word[at + 1] + word[at] + word[at + 2 :])


def public(path: Path, limit: int) -> Corpus:
    """A file of questions in SQuAD's format: an article is a page, the evidence is the sentence round the answer."""
    articles = json.loads(path.read_text("utf-8"))["data"]
    files, questions = {}, []
    for number, article in enumerate(articles):
        title = article.get("title", f"article {number}").replace("_", " ")
        paragraphs = [paragraph["context"].strip() for paragraph in article["paragraphs"]]
        files[f"{WIKI}/a{number:04}.md"] = f"# {title}\n\n" + "\n\n".join(paragraphs) + "\n"
        for text, paragraph in zip(paragraphs, article["paragraphs"], strict=True):
            questions += [Question(path.stem, each["question"], _sentence(text, each)) for each in paragraph["qas"]]
    return Corpus(path.stem, files, Random(7).sample(questions, min(limit, len(questions))))


def _sentence(text: str, question: dict[str, list[dict[str, str]]]) -> str:
    """The sentence round the answer, by full stops; the answer's own stops do not cut it."""
    answer = question["answers"][0]["text"]
    before, found, after = text.partition(answer)
    start = max(before.rfind(stop) + len(stop) for stop in (". ", "。", "\n", "? ", "！")) if found else 0
    ends = [at for stop in (". ", "。", "\n") if (at := after.find(stop)) >= 0]
    end = min(ends, default=len(after))
    start = start if start > 1 else 0
    return (before[start:] + found + after[:end]).strip()
