"""A person's name in one line, in the order and with the blank of the script it is in."""

import unicodedata

import pytest

from app.model.display_name import display_name
from app.model.outbox import NewPerson
from app.model.person import Person


@pytest.mark.parametrize(
    ("firstname", "lastname", "shown"),
    [
        ("Ada", "Lovelace", "Ada Lovelace"),
        ("Ada", "", "Ada"),
        ("", "Lovelace", "Lovelace"),
        (None, None, ""),
        ("Mr and Mrs", "Smith", "Mr and Mrs Smith"),
        ("Zoë", "Müller", "Zoë Müller"),
        ("Katalin", "Nagy", "Katalin Nagy"),
        ("Thị Mai", "Nguyễn", "Thị Mai Nguyễn"),
        ("Иван", "Иванов", "Иван Иванов"),
        ("محمد", "صلاح", "محمد صلاح"),
        ("小明", "王", "王小明"),
        ("娜娜", "欧阳", "欧阳娜娜"),
        ("𠮷", "𠮷田", "𠮷田𠮷"),
        ("민준", "김", "김민준"),
        ("민수", "남궁", "남궁민수"),
        (unicodedata.normalize("NFD", "민준"), unicodedata.normalize("NFD", "김"), None),
        ("太郎", "山田", "山田太郎"),
        ("たろう", "山田", "山田たろう"),
        ("エミリー", "山田", "山田エミリー"),
        ("花子", "スミス", "スミス花子"),
        ("希", "佐々木", "佐々木希"),
        ("たろう", "やまだ", "やまだ たろう"),
        ("ジョン", "スミス", "ジョン・スミス"),
        ("マイケル・J", "フォックス", "マイケル・J・フォックス"),
        ("សំផន", "ខៀវ", "ខៀវ សំផន"),
        ("小明 David", "王", "王小明 David"),
        ("David", "王", "David 王"),
        ("David", "Wang 王小明", "David Wang 王小明"),
        ("David 小明", "王", "David 小明 王"),
        ("小明", "Wang", "小明 Wang"),
    ],
)
def test_a_name_is_shown_as_those_who_carry_it_write_it(
    firstname: str | None, lastname: str | None, shown: str | None
) -> None:
    wanted = f"{lastname}{firstname}" if shown is None else shown
    assert display_name(firstname, lastname) == wanted
    assert Person(id="1", firstname=firstname, lastname=lastname).full_name == wanted
    assert NewPerson(firstname=firstname or "", lastname=lastname or "").full_name == wanted
