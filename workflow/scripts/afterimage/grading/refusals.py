"""Replies that decline to answer, in Japanese or English."""

import re

_REFUSAL = re.compile(
    r"申し訳|すみません|ごめんなさい|お答え(?:でき|することができ|いたしかね)|答えられません|回答できません|解答できません|"
    r"判断できません|(?:画像|写真)(?:が|を)(?:見え|見ることができ|確認でき|認識でき|表示でき)|わかりません|分かりません|"
    r"\b(?:sorry|unable to|i can(?:no|')t|cannot (?:see|answer|determine|view|provide))\b",
    re.IGNORECASE,
)


def is_refusal(reply: str) -> bool:
    """Tell whether a reply, NFKC-normalised, says that it does not answer."""
    return _REFUSAL.search(reply.replace("’", "'")) is not None
