"""Words that weigh nothing in a task, per language: short lists, the rest is left to the frequency in the tree.

They are written folded. A word that means something in English is in no other list (German ``die``, ``bin``).
"""

from __future__ import annotations

_LISTS = {
    "en": "a about all also am an and any are as at be because been before being between both but by can could d"
    " did didn do does doesn doing don during each for from had has have having he her here hers him his how"
    " i if in into is isn it its just let ll m me more most my need no nor not of off on once only or other"
    " our out over own please re s same she should so some such t than that the their them then there these"
    " they this those through to too under until up us ve very was we were what when where which while who"
    " whom whose why will with would you your",
    "de": "aber als auch auf aus bei bis das dass dem der des dich dir ein eine einem einen einer eines er fur"
    " hatte ich ihr im ist kann konnen mein nach nicht noch oder sein sich sie sind uber um und uns vom von"
    " was welche welcher welches wenn werden wie wird wo wurde wurden zu zum zur",
    "fr": "au avec ce ces cette dans de des elle est et ete il ils je la le les leur lui mais ne nous ont ou pas qu"
    " que quel quelle quelles quels qui sa se ses sont un une vous",
    "es": "al como cual cuando cuantos de del donde el ella ellos en esta este fue ha la las lo los mas no o para"
    " pero por que quien se ser sobre su sus un una y",
    "ru": "а без бы был была были было быть в во вы где для до его ее если есть еще и из или им их к как какая"
    " какие каким каких какого какое какои каком какую когда кого кому которая которои которые которыи кто"
    " куда ли мы на не ни но о об он она они оно от по под почему при с сколько со так также такое того тои"
    " только тот ты у уже чего чеи чем что чтобы эта эти это этого этот я",
    "ar": "التي الذي الى ان او على عن في قد كان كانت كم كيف لا لم ما ماذا متى من هذا هذه هل هو هي و",
    "hi": "और कब कहाँ का कितने किस किसने की के को कौन क्या था थी थे ने पर में यह से है हैं हो",
    "zh": "与 为什 了 什么 何时 几个 及 吗 吧 呢 和 哪一 哪个 哪些 哪种 哪里 在 多少 如何 怎么 怎样 或 是 是什 的 谁",
    "ja": "ある いつ いる か が この した する その で です と どこ どの なに に の は ます も を 何",
    "ko": "누구 떻게 무엇 어디 어떤 어떻 언제",
}

COMMON = frozenset(word for words in _LISTS.values() for word in words.split())
"""Folded words, and bigrams where a script has no words."""
