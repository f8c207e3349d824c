"""Which permissions are offered, which one stays on, and what is said when more are asked for."""

from app.api.oauth import PERMISSIONS
from app.viewmodels.sign_in.form import (
    SignInForm,
    permission_choices,
    permissions_remark,
    with_choice,
)

LEAST = ("ManagePeople",)


def test_all_seven_are_offered_each_with_a_sentence_and_only_the_needed_one_is_on() -> None:
    choices = permission_choices(LEAST)
    assert [choice.value for choice in choices] == list(PERMISSIONS)
    assert len({choice.words for choice in choices}) == 7
    assert [choice.value for choice in choices if choice.on] == ["ManagePeople"]


def test_what_front_desk_cannot_do_without_stays_on() -> None:
    assert [choice.value for choice in permission_choices(()) if choice.fixed and choice.on] == [
        "ManagePeople"
    ]
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
