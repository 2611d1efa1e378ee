"""What Japanese questions and options say: the expressions of ``questions.py`` and ``features.py`` in that language."""

#: What a hue is called, to its English name.
HUES = {"赤い": "red", "青い": "blue", "緑の": "green"}

_HUE = "|".join(HUES)

#: Name of a feature to what a question about it says.
STEMS = {
    "parallelism": rf"2本の(?P<hue>{_HUE})線は平行",
    "line_length": rf"どちらの(?P<hue>{_HUE})線が長",
    "coloured_line_length": rf"(?P<hue>{_HUE})線と(?P<other>{_HUE})線では、どちらが長",
    "line_straightness": rf"2本の(?P<hue>{_HUE})線は、まっすぐ",
    "side_straightness": rf"(?P<hue>{_HUE})図形の4つの辺は",
    "circle_size": rf"どちらの(?P<hue>{_HUE})円が大き",
    "coloured_figure_size": rf"(?P<hue>{_HUE})図形と(?P<other>{_HUE})図形では、どちらが大き",
    "bar_hue": rf"(?P<hue>{_HUE})棒が、より黄色み",
    "dot_position": rf"(?P<hue>{_HUE})点は、黒い図形の上端と下端",
    "square_saturation": rf"2つの大きな(?P<hue>{_HUE})正方形では、どちらの色が鮮やか",
    "square_lightness": rf"(?P<hue>{_HUE})点の付いた2つの正方形では、どちらが明る",
    "stroke_alignment": rf"右の(?P<hue>{_HUE})線は、左の.*線の延長",
    "gap_width": rf"隣り合う(?P<hue>{_HUE})線の間隔",
    "cord_parallelism": r"2本の紐",
    "place_lightness": rf"(?P<hue>{_HUE})点の付いた2つの場所では、どちらが明る",
    "square_size": r"どちらの正方形が大き",
    "check_contrast": r"市松模様の2つの円板では、どちらのコントラストが強",
    "stripe_evenness": r"灰色の縞は",
    "small_square_lightness": r"2つの小さな正方形では、どちらが明る",
}

_NOT_PARALLEL = r"平行(?:では|には見え)ない"
#: Option id to what its text says.
OPTIONS = {
    "left": r"^左(?!右)|より左",
    "right": r"^右|より右",
    "same": r"同じ",
    "upper": r"^上の",
    "lower": r"^下の",
    "red": r"赤い",
    "green": r"緑の",
    "blue": r"青い",
    "parallel": rf"^(?!.*{_NOT_PARALLEL}).*平行",
    "not_parallel": _NOT_PARALLEL,
    "outward": r"外側",
    "inward": r"内側",
    "straight": r"まっすぐ",
    "curved": r"^(?!.*[外内]側).*曲が",
    "top": r"上端に近|上の方で",
    "bottom": r"下端に近|下の方で",
    "halfway": r"中間",
    "high": r"上にずれ",
    "low": r"下にずれ",
    "line": r"一直線",
}
