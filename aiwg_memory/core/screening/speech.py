"""Text that speaks to the agent instead of telling it something: orders, forged turns, tool-call syntax.

A literal is looked for first; the pattern is then matched there alone. Every quantifier is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aiwg_memory.core.screening.kinds import INSTRUCTION, ROLE, TOOL_CALL
from aiwg_memory.core.screening.lazy import compiled

_RULES = (
    r"(?:instructions?|rules?|prompts?|directions?|directives?|guidelines?|guardrails?|policies"
    r"|policy|constraints?|orders|messages?|training|safety)"
)
_OLDER = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|system|developer"
    r"|other|all|any|your|the)"
)
_AI = (
    r"(?:ai|a\.i\.|llm|llms|assistants?|chatbots?|language models?|coding agents?|ai agents?|claude"
    r"|chatgpt|gpt|gemini|copilot|codex)"
)
_PERSON = (
    r"(?:users?|humans?|operators?|persons?|people|developers?|reviewers?|maintainers?|owners?|anyone"
    r"|anybody)"
)
_SAY = r"(?:tell|inform|mention|notify|alert|reveal|disclose|show|warn|ask)"

# class, literals in lower case, pattern from the literal on.
_SPEECH: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (INSTRUCTION, ("ignor", "disregard", "forget", "overrid", "bypass"),
     rf"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)"
     rf"|bypass(?:ing)?)[ \t\n]{{1,3}}(?:(?:of|about|everything|in"
     rf"|for)[ \t\n]{{1,3}}){{0,2}}(?:{_OLDER}[ \t\n]{{1,3}}){{1,4}}(?:[\w-]{{1,20}}[ \t\n]{{1,3}}){{0,2"
     rf"}}{_RULES}\b"),
    (INSTRUCTION, ("forget ",),
     r"forget[ \t]{1,3}(?:everything|all|anything)[ \t]{1,3}(?:above|before|you (?:were|have|know)|i (?:said|told))\b"),
    (INSTRUCTION, ("you are now ",),
     r"you are now[ \t]{1,3}(?:an?|the|in|free|dan|acting|operating|my|unrestricted)\b"),
    (INSTRUCTION, ("from now on",),
     r"from now on,?[ \t]{1,3}you[ \t]{1,3}(?:are|must|will|shall|should|have|obey|answer)\b"),
    (INSTRUCTION, ("your new ",),
     r"your new[ \t]{1,3}(?:instructions?|rules?|role|task|goal|objective|prompt"
     r"|system prompt)[ \t]{1,3}(?:is|are|:)"),
    (INSTRUCTION, ("new instructions", "new system"),
     r"new[ \t]{1,3}(?:system[ \t]{1,3})?(?:instructions?|prompt)[ \t]{0,3}:"),
    (INSTRUCTION, ("system prompt", "system message", "hidden instructions", "hidden prompt", "initial instructions"),
     r"(?:system|hidden|initial)[ \t](?:prompt|message|instructions)[^\n.]{0,30}\b(?:verbatim"
     r"|word for word|in full|to the user)\b"),
    (INSTRUCTION, ("reveal ", "print ", "repeat ", "output ", "leak ", "show "),
     r"(?:reveal|print|repeat|output|leak|show)[ \t]{1,3}(?:me[ \t]{1,3})?(?:your"
     r"|the)[ \t]{1,3}(?:full |entire |whole |hidden |initial |original ){0,2}(?:system|developer"
     r"|hidden|initial)[ \t](?:prompt|message|instructions)\b"),
    (INSTRUCTION, ("do not ", "don't ", "never ", "don’t "),
     rf"(?:do not|don['’]t|never)[ \t]{{1,3}}(?:ever[ \t])?{_SAY}[ \t]{{1,3}}(?:(?:this|that|it"
     rf"|any of this|about this)[ \t]{{1,3}})?(?:to[ \t]{{1,3}})?(?:the[ \t]{{1,3}}|any[ \t]{{1,3}}"
     rf"|your[ \t]{{1,3}})?{_PERSON}\b"),
    (INSTRUCTION, ("without ",),
     rf"without[ \t]{{1,3}}(?:asking|telling|informing|notifying|alerting"
     rf"|warning)[ \t]{{1,3}}(?:the[ \t]{{1,3}}|any[ \t]{{1,3}}|your[ \t]{{1,3}})?{_PERSON}\b"),
    (INSTRUCTION, ("attention", "note to", "message to", "message for", "instructions to", "important", "dear ",
      "hey ", "if you are"),
     rf"(?:attention|note to|message (?:to|for)|instructions to|important(?: note)?(?: (?:to|for))?"
     rf"|dear|hey|if you are)[ ,:!]{{1,4}}(?:the |all |any "
     rf"|an? ){{0,2}}(?<!\w){_AI}\b[ \t]{{0,2}}(?:[:,!.-]|(?:agents?|models?|assistants?|reading|must"
     rf"|should|please|you)\b)"),
    (INSTRUCTION, ("jailbreak", "developer mode", "dan mode", "god mode", "unrestricted mode"),
     r"(?:jailbroken|jailbreak (?:yourself|mode)|(?:developer|dan|god"
     r"|unrestricted) mode[ \t]{1,3}(?:enabled|activated|is (?:on|now)|output))"),
    (INSTRUCTION, ("enable ", "enter ", "activate "),
     r"(?:enable|enter|activate)[ \t]{1,3}(?:dan|god|jailbreak|unrestricted|unfiltered)[ \t]mode\b"),
    (INSTRUCTION, ("pretend ", "act as ", "roleplay "),
     r"(?:pretend[ \t]{1,3}(?:to be (?:an?|the)[ \t]|that you are|you are|you have no)|act as (?:if you (?:are|were"
     r"|have)|an? unrestricted|dan\b)|roleplay as)"),
    (INSTRUCTION, ("exfiltrat",),
     r"exfiltrate[ \t]{1,3}(?:the|all|any|your|its|this|data|files)\b"),
    (INSTRUCTION, ("send ", "upload ", "post ", "email ", "forward ", "transmit "),
     r"(?:send|upload|post|email|forward|transmit)[ \t]{1,3}(?:[\w'.-]{1,20}[ \t]{1,3}){0,5}(?:secrets?"
     r"|credentials?|api keys?|tokens?|passwords?|private keys?|ssh keys?|environment variables|\.env"
     r"|env vars|source code|conversation|chat history)\b(?:[ \t]{1,3}[\w'.-]{1,20}){0,4}[ \t]{1,3}to[ "
     r"\t]{1,3}(?:https?://|this (?:url|address|server|webhook|endpoint)|the following|attacker"
     r"|[\w.+-]{1,40}@)"),
    (INSTRUCTION, ("run ", "execute "),
     r"(?:run|execute)[ \t]{1,3}(?:the |this |following |these ){0,3}(?:commands?|code"
     r"|script)?[ \t:`]{0,5}(?:curl|wget)[^\n|]{0,200}\|[ \t]{0,3}(?:sudo[ \t]{1,3})?(?:ba|z)?sh\b"),
    (INSTRUCTION, ("忽略", "无视", "不要理会"),
     r"(?:忽略|无视|不要理会)[^\n。]{0,8}(?:之前|以上|先前|所有|上述|前面|此前|一切)[^\n。]{0,8}(?:指令|指示|说明|规则|提示|命令|要求)"),
    (INSTRUCTION, ("以前の", "上記の", "これまでの", "すべての"),
     r"(?:以前の|上記の|これまでの|すべての)[^\n。]{0,6}(?:指示|命令|ルール|プロンプト)を(?:無視|忘れ)"),
    (INSTRUCTION, ("이전", "위의", "모든"),
     r"(?:이전|위의|모든)[^\n]{0,6}(?:지시|명령|규칙)[^\n]{0,6}무시"),
    (INSTRUCTION, ("ignoriere", "vergiss"),
     r"(?:ignoriere|vergiss)[ \t](?:\w{1,12}[ \t]){0,4}(?:anweisung(?:en)?|regeln|vorgaben)"),
    (INSTRUCTION, ("ignora", "olvida"),
     r"(?:ignora|olvida)[ \t](?:\w{1,12}[ \t]){0,4}(?:instrucciones|reglas|istruzioni|regole"
     r"|instruções)"),
    (INSTRUCTION, ("ignore",),
     r"ignorez?[ \t](?:\w{1,12}[ \t]){0,4}(?:consignes|instructions (?:précédentes|antérieures))"),
    (INSTRUCTION, ("игнорируй", "забудь"),
     r"(?:игнорируй|забудь)(?:те)?[ \t](?:\w{1,14}[ \t]){0,4}(?:инструкции|указания|правила)"),
    (ROLE, ("<|",),
     r"<\|(?:im_start|im_end|im_sep|system|user|assistant|tool|endoftext|begin_of_text|end_of_text"
     r"|start_header_id|end_header_id|eot_id|eom_id|start|end|message|channel|return|fim_\w{3,9})\|>"),
    (ROLE, ("[inst]", "[/inst]", "<<sys>>", "<</sys>>", "<start_of_turn>", "<end_of_turn>"),
     r"(?-i:\[/?INST\])|<</?sys>>|<(?:start|end)_of_turn>"),
    (ROLE, ("<system", "<developer", "<assistant", "<human"),
     r"<(?:system|developer|assistant|human)(?:[-_](?:reminder|prompt|message|instructions?"
     r"|turn))?(?:[ \t][^<>\n]{0,100})?>"),
    (ROLE, ("</",),
     r"</(?:system|developer|assistant|human|user|tool|context|memory|memories|documents"
     r"|instructions?|untrusted|injected_memory|working_state|untrusted[-_]\w{1,30}"
     r"|system[-_]\w{1,30}|memory[-_]\w{1,30}|user[-_](?:input|message|query))>"),
    (ROLE, ("human:", "assistant:"),
     r"(?<![^\n])(?:human|assistant):[ \t]{0,3}\S"),
    (ROLE, ("system:", "developer:"),
     r"(?<![^\n])[#*_>` \t]{0,8}(?:system|developer):[*_]{0,3}[ \t\n]{1,4}(?:you (?:are|must|will"
     r"|should|have)|ignore|never|always|do not|the (?:user|assistant|agent)|from now|obey|your)\b"),
    (ROLE, ("###",),
     r"#{2,4}[ \t]{0,3}(?:system|human|assistant|user|developer)(?: prompt| message)?[ \t]{0,2}:"),
    (ROLE, ('"role"', "'role'"),
     r"""["']role["'][ \t]{0,3}:[ \t]{0,3}["'](?:system|developer|assistant|tool)["']"""),
    (ROLE, ("begin ", "end of ", "end "),
     r"(?:begin|end(?: of)?)[ \t](?:the[ \t])?(?:system (?:prompt|message|instructions)"
     r"|untrusted (?:content|data|text|input)|trusted instructions|retrieved (?:memory|context"
     r"|documents?)|quoted (?:data|text)|user input)\b[ \t]{0,3}(?:-{2,}|={2,}|\]|>|\*{2,})"),
    (TOOL_CALL, ("<function_calls", "</function_calls", "<invoke", "</invoke", "<tool_", "</tool_", "<function",
      "</function", "<parameter", "<execute_", "<|tool", "<|python_tag", "<｜tool"),
     r"</?(?:antml:)?(?:function_calls?|function_results?|invoke[ \t]{1,3}name|invoke|tool_calls?"
     r"|tool_use|tool_results?|tool_response|tool_code|tool_outputs?|function=\w"
     r"|parameter[ \t]{1,3}name=|execute_(?:bash|command|ipython)|\|tool_calls?|\|python_tag|｜tool)\b"),
    (TOOL_CALL, ("antml:",),
     r"antml:(?:function_calls|invoke|parameter)"),
    (TOOL_CALL, ("[tool_calls]", "[tool_results]", "[available_tools]", "to=functions.", "to=container."),
     r"\[(?:tool_calls|tool_results|available_tools)\]|to=(?:functions|container)\.\w"),
    (TOOL_CALL, ("tool_calls", "function_call", "tool_use", "tool_result", "tool_call_id"),
     r"""(?<=["'])(?:tool_calls|function_call|tool_call_id)["'][ \t]{0,3}:|(?<=["'])tool_(?:use"""
     r"""|result)["'](?=[ \t]{0,3}[,}\n])"""),
)  # fmt: skip


def speech(text: str, lowered: str) -> Iterator[tuple[int, str]]:
    """Where text speaks to the agent, and how; ``lowered`` has the same length."""
    for kind, literals, pattern in _SPEECH:
        for literal in literals:
            at = lowered.find(literal)
            while at >= 0:
                if compiled(pattern, re.IGNORECASE).match(text, at):
                    yield at, kind
                at = lowered.find(literal, at + 1)
