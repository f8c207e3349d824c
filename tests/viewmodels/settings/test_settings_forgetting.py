"""Forgetting an account on the settings page: asked first, told truly, tried again."""

import asyncio

import msgspec
import pytest

from app.model.errors import ExpectedError
from app.outbox.unsent_people import UnsentPeople
from app.store.outbox.outbox import Rescue
from tests.store.outbox_entries import entry
from tests.viewmodels.settings.settings_fixture import ANSELM, GRACE, RIVERSIDE, SettingsFixture


def question(subject: SettingsFixture) -> str:
    return subject.screen.state.question.sentence if subject.screen.state.question else ""


async def test_nothing_is_forgotten_before_the_answer(subject: SettingsFixture) -> None:
    subject.screen.forget_account()
    subject.screen.ask_to_forget(ANSELM.id)
    assert question(subject).startswith("Forget St Anselm?")
    assert "signed out" not in question(subject)
    subject.screen.keep_account()
    subject.screen.forget_account()
    await subject.settle()
    assert (subject.screen.state.question, subject.asked_to_forget) == (None, [])
    assert subject.names() == ["Riverside", "St Anselm", "Grace Chapel"]


async def test_the_answer_takes_the_account_off_the_list_and_says_so(
    subject: SettingsFixture,
) -> None:
    subject.screen.ask_to_forget(ANSELM.id)
    subject.screen.forget_account()
    await subject.settle()
    assert subject.asked_to_forget == [(ANSELM.id, False)]
    assert subject.names() == ["Riverside", "Grace Chapel"]
    assert (subject.screen.state.question, subject.screen.state.is_error) == (None, False)
    assert subject.screen.state.said == "This computer no longer knows St Anselm."


@pytest.mark.parametrize(
    ("unsent", "warning"),
    [
        (0, ""),
        (1, "1 person is not sent yet and would be lost."),
        (3, "3 people are not sent yet and would be lost."),
    ],
)
async def test_the_account_in_use_is_asked_about_with_what_would_be_lost(
    subject: SettingsFixture, unsent: int, warning: str
) -> None:
    subject.unsent = UnsentPeople(tuple(entry(number) for number in range(unsent)))
    subject.screen.ask_to_forget(RIVERSIDE.id)
    assert "You will be signed out." in question(subject)
    assert question(subject).endswith(warning or "You will be signed out.")
    subject.screen.ask_to_forget(GRACE.id)
    assert "not sent" not in question(subject)


@pytest.mark.parametrize(
    ("unsent", "warning"),
    [
        (
            UnsentPeople(unread="It is of a newer version."),
            (
                "It is of a newer version. People may be waiting whom Front Desk cannot read now; "
                "they would be lost."
            ),
        ),
        (
            UnsentPeople((entry(1),), elsewhere="https://other.example.org"),
            (
                "1 person in its file is for another account or another address, "
                "https://other.example.org, is not sent yet and would be lost."
            ),
        ),
        (
            UnsentPeople((entry(1),), set_aside=(entry(2), entry(3))),
            (
                "1 person is not sent yet and would be lost. 2 people who were set aside in other "
                "files are not sent yet and would be lost."
            ),
        ),
        (
            UnsentPeople((entry(1),), rescue=Rescue("/aside", 1, may_miss=True)),
            (
                "The file for people who are not sent yet was damaged. It is kept as /aside. "
                "1 entry was read from it. There may have been more: please compare with your "
                "notes. That file is removed, too. 1 person is not sent yet and would be lost."
            ),
        ),
    ],
)
async def test_who_cannot_be_read_or_is_somebody_elses_is_named_before_they_are_lost(
    subject: SettingsFixture, unsent: UnsentPeople, warning: str
) -> None:
    subject.unsent = unsent
    subject.screen.ask_to_forget(RIVERSIDE.id)
    assert question(subject).endswith(f"You will be signed out. {warning}")


@pytest.mark.parametrize(
    ("in_vault", "with_secret", "told"),
    [(True, True, True), (True, False, False), (False, True, False)],
)
async def test_a_client_secret_that_signing_out_has_left_is_named(
    subject: SettingsFixture, *, in_vault: bool, with_secret: bool, told: bool
) -> None:
    left = msgspec.structs.replace(
        RIVERSIDE, with_secret=with_secret, in_vault=in_vault, expires_at=None
    )
    subject.registry.keep(left)
    subject.screen.ask_to_forget(left.id)
    assert ("client secret" in question(subject)) is told


async def test_an_unsure_vault_leaves_the_account_and_offers_to_try_again(
    subject: SettingsFixture,
) -> None:
    subject.sure = False
    subject.screen.ask_to_forget(ANSELM.id)
    subject.screen.forget_anyway()  # is not offered before the vault was asked
    subject.screen.forget_account()
    await subject.settle()
    asked = subject.screen.state.question
    assert asked is not None
    assert (asked.act, asked.anyway) == ("Try again", "Take it off the list")
    assert "did not confirm" in asked.sentence
    assert "St Anselm" in subject.names()
    subject.sure = True
    subject.screen.forget_account()
    await subject.settle()
    assert subject.asked_to_forget == [(ANSELM.id, False)] * 2
    assert "St Anselm" not in subject.names()


async def test_an_account_can_be_taken_off_the_list_all_the_same(subject: SettingsFixture) -> None:
    subject.sure = False
    subject.screen.ask_to_forget(ANSELM.id)
    subject.screen.forget_account()
    await subject.settle()
    subject.screen.forget_anyway()
    await subject.settle()
    assert subject.asked_to_forget[-1] == (ANSELM.id, True)
    assert "St Anselm" not in subject.names()


async def test_while_the_vault_is_asked_a_second_answer_changes_nothing(
    subject: SettingsFixture,
) -> None:
    subject.gate = asyncio.Event()
    subject.screen.ask_to_forget(ANSELM.id)
    subject.screen.forget_account()
    await asyncio.sleep(0)
    assert subject.screen.state.busy
    subject.screen.forget_account()
    subject.screen.keep_account()
    subject.screen.ask_to_forget(GRACE.id)
    assert question(subject).startswith("Forget St Anselm?")
    subject.gate.set()
    await subject.settle()
    assert subject.asked_to_forget == [(ANSELM.id, False)]
    assert not subject.screen.state.busy


async def test_what_keeps_an_account_from_being_forgotten_is_told(subject: SettingsFixture) -> None:
    subject.error = ExpectedError("No", "Front Desk could not write to its folder.")
    subject.screen.ask_to_forget(ANSELM.id)
    subject.screen.forget_account()
    await subject.settle()
    assert (subject.screen.state.question, subject.screen.state.is_error) == (None, True)
    assert subject.screen.state.said == (
        "St Anselm could not be forgotten. Front Desk could not write to its folder."
    )


async def test_an_account_that_another_window_forgot_is_only_taken_off(
    subject: SettingsFixture,
) -> None:
    subject.registry.forget(ANSELM.id)
    subject.screen.ask_to_forget(ANSELM.id)
    assert subject.screen.state.question is None
    assert subject.names() == ["Riverside", "Grace Chapel"]


async def test_coming_back_to_the_page_finds_no_old_question(subject: SettingsFixture) -> None:
    subject.screen.ask_to_forget(ANSELM.id)
    await subject.open()
    assert (subject.screen.state.question, subject.screen.state.said) == (None, "")
