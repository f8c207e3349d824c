"""Chinese, Japanese and Korean names in their own scripts: where the family name ends.

What stands in which field of a line that has such a name is decided in `names`.
"""

import re
import unicodedata

from app.model.display_name import is_family_first
from app.people.parsing.name_words import word_set
from app.store.folding import fold

_KATAKANA = re.compile(r"[\u3099\u309a\u30a0-\u30ff\uff66-\uff9f]+\Z")
_KHMER = re.compile(r"[\u1780-\u17ff]")
_JAMO = re.compile(r"[\u1100-\u11ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+\Z")
_HAN_THEN_KANA = re.compile(r"([^\u3040-\u309f\u30a0-\u30ff]+)([\u3040-\u309f\u30a0-\u30ff]+)\Z")
_HIRAGANA = re.compile(r"[\u3040-\u309fー]+\Z")
_KOREAN_TWO = word_set("남궁 황보 제갈 사공 선우 서문 독고 동방 어금 망절 강전 소봉 장곡")
_CHINESE_TWO = word_set("""
    欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 东方 東方 皇甫 尉迟 尉遲 公孙 公孫 慕容 令狐 司徒 夏侯
    端木 宇文 长孙 長孫 轩辕 軒轅 南宫 南宮 独孤 獨孤 澹台 澹臺 呼延 闻人 聞人 赫连 赫連 司空
    钟离 鍾離 太史 申屠 百里 拓跋 西门 西門 东郭 東郭 公羊 万俟 左丘 范姜""")
_JAPANESE_FOUR = word_set("勅使河原")
_JAPANESE_THREE = word_set("""
    佐々木 長谷川 五十嵐 小笠原 大久保 久保田 宇都宮 佐久間 日下部 波多野 小野寺 長谷部
    海老原 東海林 小山田 小野田 阿久津 竹之内 伊集院 御手洗 喜多川 仲宗根 大河原 八重樫 中曽根
    加賀美 宇佐美 曽我部 西園寺""")
_JAPANESE_TWO = word_set("""
    佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 渡部 山本 中村 小林 加藤 吉田 山田 山口 松本 井上 木村
    斎藤 斉藤 齋藤 清水 山崎 阿部 池田 橋本 山下 石川 中島 前田 藤田 後藤 小川 岡田 村上 長谷 近藤
    石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 藤原 岡本 松田 中川 中野 原田 小野 田村 竹内 金子
    和田 中山 石田 上田 森田 柴田 酒井 工藤 横山 宮崎 宮本 内田 高木 安藤 谷口 大野 丸山 今井 高田
    藤本 武田 村田 上野 杉山 増田 平野 大塚 千葉 久保 松井 小島 岩崎 桜井 野口 松尾 野村 木下 菊地
    菊池 佐野 大西 杉本 新井 浜田 市川 古川 水野 小松 島田 小山 山内 西田 川口 北村 安田
    五味 安倍 小泉 黒澤 宮沢 羽生 大谷 樋口 芥川 川端 三島 村井 松岡 本田 豊田 永井 矢野
    松下 片山 吉川 吉村 岡崎 服部 望月 荒木 須藤 本間 飯田 土屋 田口 関口 川崎 川村 秋山 早川""")
_WHOLE_FOUR = 4
_DOT = "・"

# Forms of address stand behind a name, most often without a blank.
_HONORIFICS = word_set("""
    先生 女士 小姐 太太 老师 老師 牧师 牧師 師母 师母 弟兄 姊妹 姐妹 传道 傳道 神父 修女
    さん さま 様 ちゃん くん 氏 殿 님 씨 목사 목사님 장로 장로님 집사 집사님 권사 권사님 전도사
    전도사님 선생님 교수님 신부님 수녀님 사모님""")
_ADDRESSED = re.compile(
    rf"(?P<name>\S+?)(?P<honorific>{'|'.join(sorted(_HONORIFICS, key=len, reverse=True))})\Z"
)
# A name may end in these: only behind a family name and a given name of two are they an address.
_MAY_END_A_NAME = word_set("님 氏 殿 様 さん くん 姊妹")
_SHORTEST_WHOLE = 3
_SHORTEST_BEFORE_KANA = 2

_ROMANISED = {
    family: frozenset(spellings.split())
    for families, spellings in (
        ("王", "wang wong ong heng"), ("李", "li lee ly"), ("张張", "zhang chang cheung teo"),
        ("刘劉", "liu lau low"), ("陈陳", "chen chan tan"), ("杨楊", "yang yeung yeo"),
        ("黄黃", "huang wong ng"), ("赵趙", "zhao chao chiu"), ("吴吳", "wu ng goh"),
        ("周", "zhou chou chow chew"), ("徐", "xu hsu chui"), ("孙孫", "sun suen"),
        ("马馬", "ma"), ("朱", "zhu chu"), ("胡", "hu woo"), ("郭", "guo kuo kwok"),
        ("何", "he ho"), ("高", "gao kao ko"), ("林", "lin lam lim"), ("罗羅", "luo lo law"),
        ("郑鄭", "zheng cheng tay"), ("梁", "liang leung"), ("谢謝", "xie hsieh tse chia"),
        ("宋", "song sung"), ("唐", "tang tong"), ("许許", "xu hsu hui koh"),
        ("邓鄧", "deng teng tang"), ("冯馮", "feng fung"), ("曹", "cao tsao cho"),
        ("彭", "peng pang"), ("曾", "zeng tseng tsang"), ("萧蕭肖", "xiao hsiao siu"),
        ("田", "tian tin"), ("董", "dong tung"), ("袁", "yuan yuen"), ("潘", "pan poon"),
        ("蔡", "cai tsai choi chua"), ("余", "yu yue"), ("叶葉", "ye yeh yip yap"),
        ("苏蘇", "su so soh"), ("魏", "wei ngai"), ("吕呂", "lu lyu lui"), ("丁", "ding ting"),
        ("沈", "shen sham sim"), ("姚", "yao yiu"), ("卢盧", "lu lo"), ("钟鍾", "zhong chung"),
        ("谭譚", "tan tam"), ("김", "kim gim"), ("이", "lee yi rhee li"), ("박", "park bak pak"),
        ("최", "choi choe"), ("정", "jung jeong chung"), ("강", "kang gang"), ("조", "cho jo"),
        ("윤", "yoon yun"), ("장", "jang chang"), ("임", "lim im"), ("한", "han"), ("오", "oh"),
        ("서", "seo suh"), ("신", "shin sin"), ("권", "kwon"), ("황", "hwang"),
        ("안", "ahn an"), ("송", "song"), ("전", "jeon"), ("홍", "hong"),
    )
    for family in families
} | {
    "欧阳": word_set("ouyang"), "歐陽": word_set("ouyang"), "司马": word_set("sima"),
    "남궁": word_set("namgung"), "佐藤": word_set("sato satoh"), "鈴木": word_set("suzuki"),
    "高橋": word_set("takahashi"), "田中": word_set("tanaka"), "伊藤": word_set("ito itoh"),
    "渡辺": word_set("watanabe"), "山本": word_set("yamamoto"), "中村": word_set("nakamura"),
    "小林": word_set("kobayashi"), "加藤": word_set("kato katoh"), "吉田": word_set("yoshida"),
    "山田": word_set("yamada"), "佐々木": word_set("sasaki"), "松本": word_set("matsumoto"),
}  # fmt: skip


def are_family_first(words: list[str]) -> bool:
    """Whether the words are a name in a script that puts the family name first.

    Of katakana alone, which is for names from elsewhere, nobody can tell.
    """
    return all(map(is_family_first, words)) and not all(map(_KATAKANA.match, words))


def split_east_asian(word: str) -> tuple[str, str]:
    """Family name and given name of a name written without a blank; the given one may be blank.

    A word that cannot be split (a name in kana alone) comes back as the given name.
    """
    if _JAMO.search(word):
        # A syllable that is written as its letters is not cut in two.
        word = unicodedata.normalize("NFC", word)
    kana = _HAN_THEN_KANA.match(word)
    if kana:
        return kana[1], kana[2]
    if _HIRAGANA.match(word) or _KHMER.search(word):
        return "", word
    size = _family_size(word)
    return word[:size], word[size:]


def _family_size(word: str) -> int:
    if _HANGUL.match(word):
        return 2 if word[:2] in _KOREAN_TWO else 1
    if word[:4] in _JAPANESE_FOUR:
        return 4
    if word[:3] in _JAPANESE_THREE:
        return 3
    if word[:2] in _JAPANESE_TWO or word[:2] in _CHINESE_TWO:
        return 2
    return 2 if len(word) >= _WHOLE_FOUR else 1


def split_at_dot(word: str) -> tuple[str, str] | None:
    """First and last name of a foreign name in katakana, ジョン・スミス, or None."""
    first, dot, last = word.rpartition(_DOT)
    return (first, last) if dot and first and last and _KATAKANA.match(last) else None


def is_honorific(word: str) -> bool:
    """Whether a word behind a name is a form of address: 先生, 様, 목사님."""
    return word in _HONORIFICS


def without_honorific(word: str) -> str:
    """The name in a word that ends in a form of address (山田花子様, 李老师), or the whole word."""
    found = _ADDRESSED.match(word)
    if found is None or not is_family_first(word):
        return word
    name, honorific = found["name"], found["honorific"]
    if honorific in _MAY_END_A_NAME:
        shortest = _SHORTEST_WHOLE if _HANGUL.match(word) else _SHORTEST_BEFORE_KANA
        return name if len(name) >= shortest else word
    return name


def is_romanised(family: str, word: str) -> bool:
    """Whether a word in Latin letters is a common spelling of the family name: 王 as Wang, Wong."""
    return fold(word) in _ROMANISED.get(family, ())
