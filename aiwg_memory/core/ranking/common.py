"""Words that weigh nothing in a task, per language: short lists, the rest is left to the frequency in the tree.

A word that means something in English is in no other language's list (German ``die``, ``war``, ``man``).
"""

from __future__ import annotations

_LISTS = {
    "en": "a about all also am an and any are as at be because been before being between both but by can could did do"
    " does doing during each for from had has have having he her here hers him his how i if in into is it its just let"
    " me more most my need no nor not of off on once only or other our out over own please s same she should so some"
    " such t than that the their them then there these they this those through to too under until up us very was we"
    " were what when where which while who whom whose why will with would you your d ll m re ve don doesn didn isn",
    "de": "aber als auch auf aus bei bin bis das dass dem den der des dich dir du ein eine einem einen einer eines er"
    " es für hatte ich ihr im ist kann können mein mit nach nicht noch oder sein sich sie sind über um und uns vom von"
    " was welche welcher welches wenn werden wie wird wo wurde wurden zu zum zur",
    "fr": "au aux avec ce cette ces dans de des du elle est et il ils je la le les leur lui mais ne nous ont ou où par"
    " pas pour qu que quel quelle quels quelles qui sa se ses son sont sur un une vous été",
    "es": "al como con cuál cuándo cuántos de del dónde el ella ellos en es esta este fue ha la las lo los más no o"
    " para pero por que qué quién se ser sin sobre son su sus un una y",
    "ru": "а без бы был была были было быть в во вы где для до его ее если есть еще и из или им их к каким какая какие"
    " каких какого какое какой каком какую как когда кого кому которая которой которые который кто куда ли мы на не ни"
    " но о об он она они оно от по под почему при с со сколько так также такое того той только тот ты у уже чего чей"
    " чем что чтобы эта эти это этого этот я",
    "ar": "أن إلى التي الذي ان او أو على عن في قد كان كانت كم كيف لا لم ما ماذا متى من هذا هذه هل هو هي و",
    "hi": "और का की के को कौन क्या कब कहाँ किस किसने कितने था थी थे में ने पर यह से है हैं हो",
    "zh": "的 了 是 在 和 与 及 或 吗 呢 吧 什么 多少 哪个 哪些 哪里 哪种 哪一 为什 怎么 怎样 如何 是什 何时 几个 谁",
    "ja": "の は が を に で と も か です ます した する ある いる この その どの 何 なに どこ いつ",
    "ko": "무엇 어디 언제 누구 어떤 어떻 떻게",
}


def _folded() -> frozenset[str]:
    from aiwg_memory.core.ranking.text import fold

    return frozenset(fold(word) for words in _LISTS.values() for word in words.split())


COMMON = _folded()
"""Folded words, and bigrams where a script has no words."""
