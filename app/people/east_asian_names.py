"""Chinese, Japanese and Korean names: the family name first, often without a blank between.

Where no list decides, the length does: one sign for the family, or two of four and more.
"""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NAME = re.compile(
    r"[\u3005-\u3007\u3040-\u309f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    r"\U00020000-\U0003ffff]+\Z"
)
_KATAKANA = re.compile(r"[\u30a0-\u30ff\uff66-\uff9f]+\Z")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+\Z")
_HAN_THEN_KANA = re.compile(r"([^\u3040-\u309f]+)([\u3040-\u309f]+)\Z")
_HIRAGANA = re.compile(r"[\u3040-\u309f]+\Z")
_KOREAN_TWO = _words("남궁 황보 제갈 사공 선우 서문 독고 동방")
_CHINESE_TWO = _words("""
    欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 东方 東方 皇甫 尉迟 尉遲 公孙 公孫 慕容 令狐 司徒 夏侯
    端木 宇文 长孙 長孫 轩辕 軒轅 南宫 南宮""")
_JAPANESE_THREE = _words("""
    佐々木 長谷川 五十嵐 小笠原 大久保 久保田 宇都宮 佐久間 日下部 波多野 小野寺 長谷部
    海老原""")
_JAPANESE_TWO = _words("""
    佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 渡部 山本 中村 小林 加藤 吉田 山田 山口 松本 井上 木村
    斎藤 斉藤 齋藤 清水 山崎 阿部 池田 橋本 山下 石川 中島 前田 藤田 後藤 小川 岡田 村上 長谷 近藤
    石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 藤原 岡本 松田 中川 中野 原田 小野 田村 竹内 金子
    和田 中山 石田 上田 森田 柴田 酒井 工藤 横山 宮崎 宮本 内田 高木 安藤 谷口 大野 丸山 今井 高田
    藤本 武田 村田 上野 杉山 増田 平野 大塚 千葉 久保 松井 小島 岩崎 桜井 野口 松尾 野村 木下 菊地
    菊池 佐野 大西 杉本 新井 浜田 市川 古川 水野 小松 島田 小山 山内 西田 川口 北村 安田
    五味""")
_WHOLE_FOUR = 4


def is_family_first(words: list[str]) -> bool:
    """Whether the words are a Chinese, Japanese or Korean name in its own script."""
    return bool(words) and all(_NAME.match(word) for word in words)


def split_east_asian(word: str) -> tuple[str, str]:
    """Family name and given name of a name written without a blank; the given one may be blank.

    A word that cannot be split (a name in kana alone) comes back as the given name.
    """
    kana = _HAN_THEN_KANA.match(word)
    if kana:
        return kana[1], kana[2]
    if _HIRAGANA.match(word):
        return "", word
    size = _family_size(word)
    return word[:size], word[size:]


def _family_size(word: str) -> int:
    if _HANGUL.match(word):
        return 2 if word[:2] in _KOREAN_TWO else 1
    if word[:3] in _JAPANESE_THREE:
        return 3
    if word[:2] in _JAPANESE_TWO or word[:2] in _CHINESE_TWO:
        return 2
    return 2 if len(word) >= _WHOLE_FOUR else 1


def split_at_dot(word: str) -> tuple[str, str] | None:
    """First and last name of a foreign name in katakana, ジョン・スミス, or None."""
    first, dot, last = word.rpartition("・")
    return (first, last) if dot and first and last and _KATAKANA.match(last) else None
