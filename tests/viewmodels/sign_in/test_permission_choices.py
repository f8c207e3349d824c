"""Which permissions are offered, which one stays on, and what is said when more are asked for."""

import pytest

from app.api.sign_in.oauth import PERMISSIONS
from app.viewmodels.sign_in.form import (
    SignInForm,
    permission_choices,
    permissions_remark,
    with_choice,
)

LEAST = ("ManagePeople",)


def test_each_permission_of_the_document_is_offered_in_its_own_words() -> None:
    offered = {choice.value: choice.words for choice in permission_choices(LEAST)}
    assert list(offered) == list(PERMISSIONS)
    assert offered == {value: words() for value, words in PERMISSIONS.items()}
    assert len(set(offered.values())) == len(PERMISSIONS)


@pytest.mark.parametrize("scope", [LEAST, ()])
def test_what_front_desk_cannot_do_without_stays_on(scope: tuple[str, ...]) -> None:
    choices = permission_choices(scope)
    assert [choice.value for choice in choices if choice.on] == ["ManagePeople"]
    assert [choice.value for choice in choices if choice.fixed] == ["ManagePeople"]
    assert with_choice(("ManagePeople", "ManageSongs"), "ManagePeople", on=False) == (
        "ManagePeople",
        "ManageSongs",
    )


def test_choices_come_in_the_order_of_the_document_and_can_be_taken_back() -> None:
    more = with_choice(with_choice(LEAST, "AdministerAccount", on=True), "ManageGroups", on=True)
    assert more == ("ManagePeople", "ManageGroups", "AdministerAccount")
    assert with_choice(more, "AdministerAccount", on=False) == ("ManagePeople", "ManageGroups")


def test_asking_for_more_than_is_needed_is_remarked_on() -> None:
    assert permissions_remark(LEAST) == ""
    assert "needs only the first" in permissions_remark(("ManagePeople", "ManageSongs"))


def test_there_is_more_to_see_where_a_secret_is_kept_or_more_is_asked_for() -> None:
    assert not SignInForm().has_more
    assert SignInForm(with_secret=True).has_more
    assert SignInForm(scope=("ManagePeople", "ManageSongs")).has_more
