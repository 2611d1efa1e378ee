"""How two things lie to each other, in a Chinese answer to a Chinese question."""

import pytest

from afterimage.grading.language.relation import relation

LEFT = "图像中的圆锥是否在汽车的左边?"
ABOVE = "图像中的花是否在星星的上方?"
INSIDE = "图像中的杯子是否在盒子里面?"
LARGER = "图像中的球是否比房子大?"


@pytest.mark.parametrize(
    ("asked", "reply", "answer"),
    [
        (LEFT, "圆锥在汽车的左边。", "yes"),
        (LEFT, "圆锥在汽车的右边。", "no"),
        (LEFT, "圆锥不在汽车的左边。", "no"),
        (LEFT, "汽车在圆锥的左侧。", "no"),
        (LEFT, "汽车在圆锥的右侧。", "yes"),
        (LEFT, "在左边。", "yes"),
        (LEFT, "不在。", "no"),
        (LEFT, "圆锥不在汽车的右边。", None),
        (LEFT, "图像中有圆锥和汽车。", None),
        (ABOVE, "星星在花的下方。", "yes"),
        (ABOVE, "以上就是图像的内容。", None),
        (INSIDE, "杯子在盒子外面。", "no"),
        (INSIDE, "杯子位于盒子内部。", "yes"),
        (LARGER, "房子更大。", "no"),
        (LARGER, "球的大小我看不清。", None),
        ("Is the ball larger than the house?", "球比房子大。", None),
    ],
)
def test_who_is_where_and_who_is_larger(asked, reply, answer):
    assert relation(reply, asked) == answer
