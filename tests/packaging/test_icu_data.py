"""ICU's data of a few languages, held against the Qt that is installed."""

import json
import os
import platform
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import bundle
import icu_data
import PySide6
import pytest

QT = Path(PySide6.__file__).parent / "Qt"
HEADER = struct.pack("<H2sHHBBBx4s4x4x", 24, b"\xda\x27", 20, 0, 0, 0, 2, b"CmnD")
on_linux = pytest.mark.skipif(
    platform.system() != "Linux" or shutil.which("ld") is None, reason="makes a Linux library"
)
_ASK = """
import functools, json
from PySide6.QtCore import QCollator, QLocale, QTimeZone
words = "zebra Äpfel apfel Zoë öl ñandú nube éclair echo ação acao سارة أحمد Łukasz 王".split()
kinds = QTimeZone.TimeType.StandardTime, QTimeZone.NameType.LongName
told = {}
for name in ("ar", "de_AT", "en_GB", "es_MX", "fr", "pt_BR", "sv"):
    where = QLocale(name)
    by_name = functools.cmp_to_key(QCollator(where).compare)
    zone = QTimeZone(b"Europe/Berlin").displayName(*kinds, where)
    told[name] = [sorted(words, key=by_name), where.toUpper("straße àé"), zone]
print(json.dumps(told))
"""


def asked(**variables: str) -> dict[str, list[object]]:
    """What Qt says of the words in each language."""
    command = [sys.executable, "-c", _ASK]
    environment = os.environ | variables
    done = subprocess.run(command, env=environment, capture_output=True, check=True)
    told: dict[str, list[object]] = json.loads(done.stdout)
    return told


@on_linux
def test_qt_says_the_same_with_the_data_of_its_languages_alone(tmp_path: Path) -> None:
    (whole,) = (QT / "lib").glob("libicudata.so.*")
    small = icu_data.reduced(whole, bundle.LANGUAGES, tmp_path)
    assert small.stat().st_size < whole.stat().st_size / 8
    before, after = asked(), asked(LD_PRELOAD=str(small))
    assert before.pop("sv") != after.pop("sv")  # it is the small one that answered
    assert after == before


@on_linux
def test_the_browser_keeps_what_is_for_all_languages_and_each_of_its_own(tmp_path: Path) -> None:
    whole = QT / "resources" / "icudtl.dat"
    header, items = icu_data.unpacked(whole.read_bytes())
    assert icu_data.packed(header, items) == whole.read_bytes()
    small = icu_data.reduced(whole, bundle.LANGUAGES, tmp_path)
    _, kept = icu_data.unpacked(small.read_bytes())
    names = {name.partition("/")[2] for name in kept}
    # Without the list it finds no language at all.
    assert names >= {"res_index.res", "root.res", "pool.res", "coll/root.res", "curr/res_index.res"}
    assert names >= {f"{language}.res" for language in bundle.LANGUAGES}
    assert names >= {"de_AT.res", "es_419.res", "pt_PT.res", "brkitr/cjdict.dict", "brkitr/ja.res"}
    assert names >= {"gb18030.cnv", "zoneinfo64.res", "likelySubtags.res"} & {
        name.partition("/")[2] for name in items
    }
    assert names.isdisjoint({"sv.res", "sv_SE.res", "curr/ja.res", "zone/zh_Hant.res"})
    assert all(items[name] == item[: len(items[name])] for name, item in kept.items())


def test_any_other_file_and_a_link_are_taken_as_they_are(tmp_path: Path) -> None:
    inside = "PySide6/Qt/lib"
    entries = [
        (f"{inside}/libQt6Core.so.6", "/there/libQt6Core.so.6", "BINARY"),
        ("libicudata.so.73", f"{inside}/libicudata.so.73", "SYMLINK"),
    ]
    assert bundle.in_our_languages(entries, tmp_path) == entries
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_package_of_icus_is_not_taken_for_one() -> None:
    with pytest.raises(icu_data.UnknownIcuDataError):
        icu_data.unpacked(b"\x7fELF" + bytes(60))


def test_items_keep_their_order_and_begin_where_icu_expects_them() -> None:
    items = {"icudt73l/de.res": b"de", "icudt73l/coll/root.res": bytes(17)}
    package = icu_data.packed(HEADER, items)
    header, found = icu_data.unpacked(package)
    assert header == HEADER
    assert list(found) == sorted(items)
    assert [len(item) for item in found.values()] == [32, 16]
