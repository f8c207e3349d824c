"""Remarks about typed addresses: the likely repair is offered, good addresses are left alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.people.parsing.email import check_email
from tests.any_character import ANY_CHARACTER

_GOOD_ADDRESSES = """
ada@x.org ada.lovelace@example.co.uk ada+list@gmail.com o'brien@x.ie ada_99@x-y.de
a@b.io ada@mail.com ada@email.com ada@ymail.com ada@gmx.at ada@yahoo.ca müller@bücher.de
ada@x.museum ada@xn--bcher-kva.de
ADA@GMAIL.COM ada@live.co.uk ada@me.com ada@mac.com ada@gmail.com
ada@outlook.de ada@hotmail.fr почта@пример.рф ada@students.x.ac.uk ada@church.church 1@x.org"""

REPAIRS = {
    "ada@gmial.com": "ada@gmail.com",
    "ada@gmal.com": "ada@gmail.com",
    "ada@gmaill.com": "ada@gmail.com",
    "ada@gnail.com": "ada@gmail.com",
    "ada@gmail.con": "ada@gmail.com",
    "ada@gmail.co": "ada@gmail.com",
    "ada@gmail,com": "ada@gmail.com",
    "ada@gmail..com": "ada@gmail.com",
    "ada@gmailcom": "ada@gmail.com",
    "ada@gmail": "ada@gmail.com",
    "ada@gmail.com.": "ada@gmail.com",
    "ada@@gmail.com": "ada@gmail.com",
    "ada @gmail.com": "ada@gmail.com",
    "ada@ gmail.com": "ada@gmail.com",
    "ada@gmail. com": "ada@gmail.com",
    "ada.gmail.com": "ada@gmail.com",
    "ada(at)x.org": "ada@x.org",
    "ada[at]x.org": "ada@x.org",
    "ada＠x.org": "ada@x.org",
    "<ada@x.org>": "ada@x.org",
    "mailto:ada@x.org": "ada@x.org",
    "ada@x.ogr": "ada@x.org",
    "ada@x,org": "ada@x.org",
    "ada@hotnail.com": "ada@hotmail.com",
    "ada@homtail.com": "ada@hotmail.com",
    "ada@outlok.com": "ada@outlook.com",
    "ada@yahooo.com": "ada@yahoo.com",
    "ada@yaho.com": "ada@yahoo.com",
    "ada@iclould.com": "ada@icloud.com",
    "ada@x.co.ku": "ada@x.co.uk",
    "ada..l@x.org": "ada.l@x.org",
}

DOUBTFUL = ["ada", "ada@", "@x.org", "ada@x", "a da@x.org", "ada@x.o", "ada@x.123", "ada@b@x.org"]


@pytest.mark.parametrize("address", _GOOD_ADDRESSES.split())
def test_a_good_address_gets_no_remark(address: str) -> None:
    assert check_email(address) is None


@pytest.mark.parametrize(("typed", "meant"), REPAIRS.items())
def test_a_slip_gets_the_likely_repair(typed: str, meant: str) -> None:
    remark = check_email(typed)
    assert remark is not None
    assert remark.repair == meant
    assert meant in remark.sentence


@pytest.mark.parametrize("address", DOUBTFUL)
def test_an_address_without_a_likely_repair_gets_a_sentence_alone(address: str) -> None:
    remark = check_email(address)
    assert remark is not None
    assert remark.repair is None
    assert remark.sentence.endswith(".")


@pytest.mark.parametrize("blank", ["", " ", "\n"])
def test_a_blank_address_gets_no_remark(blank: str) -> None:
    assert check_email(blank) is None


@given(
    st.text(ANY_CHARACTER, max_size=60)
    | st.from_regex(r"[a-z.@, ]{1,20}@[a-z.@, ]{0,20}", fullmatch=True, alphabet=ANY_CHARACTER)
)
def test_any_text_gets_a_remark_or_none_and_a_repair_needs_no_other(text: str) -> None:
    remark = check_email(text)
    if remark is not None and remark.repair is not None:
        assert check_email(remark.repair) is None
