"""The client secret and the permissions on the first page: folded away, by keyboard, and masked."""

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit, QPushButton, QWidget

from app.accounts.account import AuthMethod
from app.viewmodels.sign_in.form import Field, FieldProblem, SignInForm
from app.views.sign_in.method_card import PageCard


class InFront:
    """Somebody in front of the card."""

    def __init__(self, card: PageCard) -> None:
        self.card = card
        card.open_fields()
        card.show()
        card.activateWindow()

    @property
    def secret(self) -> QLineEdit:
        return next(
            line
            for line in self.card.findChildren(QLineEdit)
            if line.accessibleName() == "Client secret"
        )

    @property
    def unfold(self) -> QPushButton:
        return next(
            each
            for each in self.card.findChildren(QPushButton)
            if each.text() == "Client secret and permissions"
        )

    @property
    def boxes(self) -> list[QCheckBox]:
        return self.card.findChildren(QCheckBox)

    def press(self, widget: QWidget, key: Qt.Key) -> None:
        widget.setFocus()
        QTest.keyClick(widget, key)


@pytest.fixture
def front(qapp: QApplication) -> Iterator[InFront]:  # noqa: ARG001 - Qt must be there
    card = PageCard()
    yield InFront(card)
    shiboken6.delete(card)


def test_it_is_folded_away_until_somebody_asks_by_keyboard(front: InFront) -> None:
    assert not front.secret.isVisible()
    front.press(front.unfold, Qt.Key.Key_Space)
    assert front.secret.isVisible()
    assert front.unfold.accessibleDescription() == "Unfolded"
    front.press(front.unfold, Qt.Key.Key_Space)
    assert not front.secret.isVisible()


def test_the_secret_is_masked_explained_and_never_among_the_other_fields(front: InFront) -> None:
    front.press(front.unfold, Qt.Key.Key_Space)
    assert front.secret.echoMode() is QLineEdit.EchoMode.Password
    assert front.secret.placeholderText() == "Only if your administrator gave you one"
    QTest.keyClicks(front.secret, "a-client-secret")
    assert front.card.secret == "a-client-secret"
    assert "a-client-secret" not in repr(front.card.said)
    front.card.forget_secret()
    assert front.card.secret == ""


def test_enter_in_the_secret_presses_the_button_of_the_card(front: InFront) -> None:
    pressed: list[bool] = []
    front.card.pressed.connect(lambda: pressed.append(True))
    front.press(front.unfold, Qt.Key.Key_Space)
    front.press(front.secret, Qt.Key.Key_Return)
    assert pressed == [True]


def test_every_permission_is_a_box_with_its_sentence_and_the_needed_one_is_fixed(
    front: InFront,
) -> None:
    front.press(front.unfold, Qt.Key.Key_Space)
    assert len(front.boxes) == 7
    assert [box.accessibleDescription() for box in front.boxes if not box.isEnabled()] == [
        "ManagePeople"
    ]
    assert [box.text() for box in front.boxes if box.isChecked()] == [
        "See everybody and add people"
    ]


def test_a_permission_is_chosen_by_keyboard_and_said_with_the_fields(front: InFront) -> None:
    front.press(front.unfold, Qt.Key.Key_Space)
    songs = next(box for box in front.boxes if box.accessibleDescription() == "ManageSongs")
    front.press(songs, Qt.Key.Key_Space)
    assert list(front.card.said.scope) == ["ManagePeople", "ManageSongs"]
    front.press(songs, Qt.Key.Key_Space)
    assert list(front.card.said.scope) == ["ManagePeople"]


def test_what_an_account_or_a_file_asks_for_is_unfolded_and_can_be_seen(front: InFront) -> None:
    front.card.fill(SignInForm(base_url="https://x.example", scope=("ManagePeople", "ManageSongs")))
    assert front.boxes[-1].isVisible()
    assert [box.isChecked() for box in front.boxes] == [n in {0, 3} for n in range(7)]
    assert list(front.card.said.scope) == ["ManagePeople", "ManageSongs"]
    front.card.fill(SignInForm(base_url="https://x.example"))
    assert not front.boxes[-1].isVisible()
    assert list(front.card.said.scope) == ["ManagePeople"]


def test_a_secret_that_is_kept_is_said_to_be(front: InFront) -> None:
    front.card.fill(SignInForm(base_url="https://x.example", with_secret=True))
    assert front.secret.isVisible()
    assert front.secret.placeholderText().startswith("Kept on this computer.")
    assert front.card.secret == ""


def test_a_problem_with_the_secret_unfolds_it_and_gives_it_the_keyboard(front: InFront) -> None:
    front.card.show_problem(FieldProblem(AuthMethod.PAGE, Field.SECRET, "It is not the right one."))
    assert front.secret.isVisible()
    assert front.secret.accessibleDescription() == "It is not the right one."
    front.card.show_problem(FieldProblem(AuthMethod.KEY, Field.KEY, "Another."))
    assert front.secret.accessibleDescription() == ""


def test_the_missing_secret_is_asked_for_in_its_unfolded_field(front: InFront) -> None:
    front.card.focus(Field.SECRET)
    assert front.secret.isVisible()
