"""What is thought of each row of a list: who is twice, here already, or nobody."""

import gc
from collections.abc import Sequence
from functools import partial

import pytest

from app.importing.column_guess import guess_columns
from app.importing.columns import ColumnField
from app.importing.reading import read_content
from app.importing.review import Review
from app.model.outbox import NewPerson
from app.model.person import Person
from app.model.verdict import Verdict
from app.people.duplicates import Duplicates
from app.people.parsing.entry_parser import NameOrder
from app.people.parsing.families import people_in
from tests.counted import lines_run
from tests.importing.reviews import HEAD, person, plain_lines, review, verdicts


def test_every_row_has_its_verdict() -> None:
    looked_over = review(
        ("Ada", "Lovelace", "ada@x.org"),
        ("Grace", "Hopper", "grace@x.org"),
        ("Zoë", "Müller", "zoe@gmial.com"),
        ("", "", "info@hall.example"),
        ("ada", "LOVELACE", "ADA@x.org"),
        ("", "", ""),
        known=Duplicates(
            [Person(id="7", firstname="Grace", lastname="Hopper", email="grace@x.org")]
        ),
    )
    assert verdicts(looked_over) == [
        "ready", "already here", "email looks wrong", "needs a name", "twice in this list", "empty",
    ]  # fmt: skip
    rows = looked_over.rows
    assert [row.left_out for row in rows] == [False, True, True, True, True, True]
    assert looked_over.taken_in == 1
    assert looked_over.counts[Verdict.READY] == 1
    assert rows[1].here == "7"
    assert rows[2].repair == "zoe@gmail.com"
    assert (rows[4].twin, rows[4].detail) == (2, "line 2")


@pytest.mark.parametrize(
    ("one", "two", "twice"),
    [
        (("Ada", "Lovelace", ""), ("Ada", "Lovelace", ""), "·x"),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Lovelace", ""), "·x"),
        # The one with an email is the better one.
        (("Ada", "Lovelace", ""), ("Ada", "Lovelace", "a@x.org"), "x·"),
        (("Ada", "Lovelace", "a@x.org"), ("Lovelace", "Ada", "a@x.org"), "·x"),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Byron", "a@x.org"), "·x"),
        # Two of a family with one email, two people of one name.
        (("Ada", "Lovelace", "a@x.org"), ("Bob", "Lovelace", "a@x.org"), "··"),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Lovelace", "b@x.org"), "··"),
        (("", "", "a@x.org"), ("", "", "a@x.org"), "··"),
        # Whoever would be known again in the account is known again in the list.
        (("Ada", "Lovelace", "a.da@gmail.com"), ("Ada", "Lovelace", "ada@googlemail.com"), "·x"),
        (("Ada", "Lovelace", "ada+x@x.org"), ("Ada", "Lovelace", "ada@x.org"), "·x"),
        (("Anne-Marie", "King", ""), ("Anne Marie", "King", "a@x.org"), "x·"),
        (("Flora", "MacDonald", ""), ("Flora", "Mac Donald", ""), "·x"),
        (("Liz", "King", "e@x.org"), ("Elizabeth", "King", "e@x.org"), "·x"),
        (("Ada", "", "a@x.org"), ("Ada M", "King", "a@x.org"), "·x"),
        (("A.", "King", "a@x.org"), ("Ada", "King", "a@x.org"), "·x"),
    ],
)
def test_who_is_twice_in_the_list(one: Sequence[str], two: Sequence[str], twice: str) -> None:
    marks = ["x" if row.verdict is Verdict.TWICE else "·" for row in review(one, two).rows]
    assert "".join(marks) == twice


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("Ada", "Lovelace", "a.da@gmail.com"), ("Ada", "King", "ada@gmail.com")),
        (("Flora", "MacDonald", ""), ("Flora", "Mac Donald", "f@x.org")),
        (("Liz", "King", "e@x.org"), ("Elizabeth", "King", "e@x.org")),
        (("Lovelace", "Ada", ""), ("Ada", "Lovelace", "")),
        (("Bob", "King", "e@x.org"), ("Elizabeth", "King", "e@x.org")),
        (("Ada", "Lovelace", "a@x.org"), ("Ada", "Lovelace", "b@x.org")),
    ],
)
def test_twice_in_the_list_is_who_would_be_here_already(
    one: Sequence[str], two: Sequence[str]
) -> None:
    here = Duplicates([Person(id="7", firstname=one[0], lastname=one[1], email=one[2])])
    is_twice = review(one, two).counts[Verdict.TWICE] == 1
    assert is_twice is (here.certain(*two) is not None)


def test_who_is_twice_is_sent_once_though_only_the_first_resembles_both_others() -> None:
    looked_over = review(("Ada", "K", "e@x.org"), ("A", "K", "e@x.org"), ("Agnes", "K", "e@x.org"))
    assert verdicts(looked_over) == ["ready", "twice in this list", "ready"]
    looked_over.edit(0, ColumnField.FIRSTNAME, "Bob")
    assert verdicts(looked_over) == ["ready", "ready", "twice in this list"]
    looked_over.undo()
    assert verdicts(looked_over) == ["ready", "twice in this list", "ready"]


def test_a_change_leaves_what_a_review_made_anew_would_say() -> None:
    rows = [(f"{first}", "King", email) for first in ("Liz", "Elizabeth", "Eliza", "E", "Bob")
            for email in ("", "e@x.org", "e+a@x.org", "b@x.org")]  # fmt: skip
    looked_over = review(*rows)
    for place, field, text in (
        (1, ColumnField.FIRSTNAME, "Bob"), (9, ColumnField.EMAIL, ""),
        (4, ColumnField.EMAIL, "e@x.org"),
        (0, ColumnField.LASTNAME, "K ing"), (1, ColumnField.FIRSTNAME, "Lizzie"),
    ):  # fmt: skip
        looked_over.edit(place, field, text)
        anew = review(*(person(row) for row in looked_over.rows))
        assert [(row.verdict, row.twin) for row in looked_over.rows] == [
            (row.verdict, row.twin) for row in anew.rows
        ]


def test_a_weak_likeness_leaves_the_row_ready() -> None:
    known = Duplicates([Person(id="7", firstname="Bob", lastname="Lovelace", email="ada@x.org")])
    looked_over = review(("Ada", "Lovelace", "ada@x.org"), known=known)
    assert known.of("Ada", "Lovelace", "ada@x.org")
    assert looked_over.rows[0].verdict is Verdict.READY


def test_who_has_come_meanwhile_is_here_already_and_who_went_is_not() -> None:
    known = Duplicates[Person]()
    looked_over = review(("Ada", "Lovelace", "a@x.org"), ("Bob", "Byron", ""), known=known)
    known.add([Person(id="7", firstname="Ada", lastname="Lovelace", email="a@x.org")])
    assert looked_over.look_again(range(2)) == [0]
    assert verdicts(looked_over) == ["already here", "ready"]
    assert looked_over.taken_in == 1
    known.discard(["7"])
    assert looked_over.look_again(range(2)) == [0]
    assert verdicts(looked_over) == ["ready", "ready"]


@pytest.mark.parametrize(
    ("head", "row"),
    [
        (("Name", "Email"), ("Ada " * 300, "ada@x.org")),
        (("Name", "Email"), ("A" * 1_500, "ada@x.org")),
        (("First name", "Last name", "Email"), ("A" * 201, "Lovelace", "ada@x.org")),
        (("First name", "Last name", "Email"), ("Ada", "L" * 30_000, "ada@x.org")),
    ],
)
def test_a_text_is_no_name(head: Sequence[str], row: Sequence[str]) -> None:
    looked_over = review(("Bob", "Boole", "b@x.org")[-len(head) :], row, head=head)
    told = looked_over.rows[1]
    assert told.verdict is Verdict.NEEDS_A_NAME
    assert told.detail == "this is too long for a name"
    assert told.email == "ada@x.org"
    said = {told.firstname, told.lastname, *(value for _, value in told.other)}
    assert said.issuperset(" ".join(cell.split()) for cell in row[:-1])
    looked_over.edit(1, ColumnField.FIRSTNAME, "Ada")
    looked_over.edit(1, ColumnField.LASTNAME, "Lovelace")
    assert (looked_over.rows[1].verdict, looked_over.rows[1].detail) == (Verdict.READY, "")


def test_a_text_is_not_read_as_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    longest = 0

    def read(name: str, order: NameOrder) -> Sequence[NewPerson]:
        nonlocal longest
        longest = max(longest, len(name))
        return people_in(name, order)

    monkeypatch.setattr("app.importing.people_in_rows.people_in", read)
    assert verdicts(plain_lines("Ada Lovelace", "Ada " * 500)) == ["ready", "needs a name"]
    assert longest == len("Ada Lovelace")


def test_a_text_among_the_emails_is_kept_and_looks_wrong() -> None:
    text = "a@x.org and " * 200
    row = review(("Bob", "Boole", "b@x.org"), ("Ada", "Lovelace", text)).rows[1]
    assert row.verdict is Verdict.EMAIL_LOOKS_WRONG
    assert ("Email", text.strip()) in row.other


@pytest.mark.parametrize("again", [HEAD, ("First", "Last", "E-mail"), ("Name;Email", "", "")])
def test_headings_in_the_middle_of_the_list_are_no_person(again: Sequence[str]) -> None:
    looked_over = review(("Ada", "Lovelace"), again, ("Bob", "Byron"))
    assert verdicts(looked_over) == ["ready", "not a person", "ready"]


def test_a_sign_of_something_else_in_a_name_is_to_be_checked() -> None:
    odd = ("Ada; Bob", "JÃ¼rgen", "Kim O&#039;Brien", "Name: Eve", "J\ufffdrgen", "What now?")
    looked_over = review(*((first, "King") for first in odd))
    assert verdicts(looked_over) == ["check name"] * len(odd)
    looked_over.edit(1, ColumnField.FIRSTNAME, "Jürgen")
    looked_over.leave_out([2], out=False)
    assert (verdicts(looked_over)[1], looked_over.taken_in) == ("ready", 2)


def test_a_name_behind_a_label_of_something_else_is_to_be_checked() -> None:
    looked_over = plain_lines("Helper: Ada King", "Subject: the list", "Name: Eve Ray", "Bob Stone")
    assert verdicts(looked_over) == ["check name", "check name", "ready", "ready"]


def test_cells_that_another_sign_holds_apart_are_to_be_checked() -> None:
    looked_over = plain_lines("Name^Email", "Ada King^ada@x.org", "Bob Stone b@x.org")
    assert verdicts(looked_over) == ["check name", "check name", "ready"]


def test_letters_of_a_guessed_encoding_are_to_be_checked() -> None:
    text = "Name,Email\nСветлана Иванова,s@x.org\nAda King,ada@x.org\n"
    table = read_content(text.encode("cp1251"), "list.csv")
    assert verdicts(Review(table, guess_columns(table))) == ["check name", "ready"]
    table = read_content(text.encode(), "list.csv")
    assert verdicts(Review(table, guess_columns(table))) == ["ready", "ready"]


@pytest.mark.parametrize(
    "last",
    [
        "Total: 2",
        "TOTAL",
        "Summe\t2",
        "Summe: 2 Personen",
        "Grand total 2",
        "Yhteensä 2",
        "合計 11",
        "المجموع",
        "Exported on 9/12/2026",
        "Erstellt am 12.09.2026 von Büro",
        "Page 1 of 3",
        "Seite 1 von 3",
    ],
)
def test_a_line_that_counts_the_others_or_says_when_it_was_written_is_no_person(last: str) -> None:
    looked_over = plain_lines("Ada Lovelace", last, "Bob Byron")
    assert verdicts(looked_over)[::2] == ["ready", "ready"]
    assert verdicts(looked_over)[1] in {"not a person", "needs a name"}
    assert looked_over.taken_in == 2


def test_a_total_is_added_once_somebody_includes_it() -> None:
    head = ("Name", "Email", "Guests")
    looked_over = review(("Bob Byron", "", "8"), ("Suma", "", "11"), head=head)
    assert (verdicts(looked_over), looked_over.taken_in) == (["ready", "not a person"], 1)
    looked_over.leave_out([1], out=False)
    assert looked_over.taken_in == 2
    assert looked_over.rows[1].new_person.full_name == "Suma"
    looked_over.undo()
    assert looked_over.taken_in == 1
    looked_over.edit(1, ColumnField.LASTNAME, "King")
    assert verdicts(looked_over)[1] == "ready"


@pytest.mark.parametrize(
    "row", [("Ada", "Summe"), ("Total", "", "total@x.org"), ("Page", "Turner")]
)
def test_somebody_who_is_called_like_a_count_is_somebody(row: Sequence[str]) -> None:
    assert verdicts(review(("Ada", "Lovelace"), row)) == ["ready", "ready"]


def test_a_long_list_leaves_little_for_the_collector_of_cycles_to_go_through() -> None:
    people = [(f"Ada{n}", f"Stone{n % 90}", f"a{n}@x.org") for n in range(3_000)]
    gc.collect()
    before = len(gc.get_objects())
    looked_over = review(*people)
    batch = [row.new_person for row in looked_over.rows]
    gc.collect()
    assert len(batch) == 3_000
    # What holds the window for a fifth of a second where there is an object for each of 50,000.
    assert len(gc.get_objects()) - before < len(people)


def test_ten_thousand_of_one_name_and_one_email_cost_no_more_than_others() -> None:
    looked_over = review(*[(f"Ada{n % 9}", "Lovelace", "office@x.org") for n in range(10_000)])
    assert looked_over.counts[Verdict.TWICE] == 9_991
    looked_over.edit(0, ColumnField.FIRSTNAME, "Bob")
    assert looked_over.rows[9].verdict is Verdict.READY


def guests(many: int, email: str = "office@x.org") -> Review:
    return review(*[("Guest", f"L{n}x{n * 7919 % 100_003}", email) for n in range(many)])


def twins(looked_over: Review) -> list[tuple[Verdict, int | None]]:
    return [(row.verdict, row.twin) for row in looked_over.rows]


def test_one_first_name_and_one_email_take_steps_as_they_are_many_and_no_more() -> None:
    steps = []
    for many in (75, 300):
        steps.append(lines_run(partial(guests, many)))
        looked_over = guests(many)
        assert looked_over.counts[Verdict.TWICE] == many - 1
        assert {row.twin for row in looked_over.rows[1:]} == {looked_over.rows[0].line}
    assert steps[1] < steps[0] * 4 * 1.5  # 16 times as many, where they grow with the square


def test_a_change_among_very_many_leaves_what_a_review_made_anew_would_say() -> None:
    looked_over = guests(140)
    for place, field, text in (
        (0, ColumnField.EMAIL, "a@x.org"), (1, ColumnField.FIRSTNAME, "Bob"),
        (120, ColumnField.LASTNAME, looked_over.rows[3].lastname),
        (3, ColumnField.LASTNAME, "Hall"), (0, ColumnField.EMAIL, "office@x.org"),
        (139, ColumnField.FIRSTNAME, "Bob"), (2, ColumnField.LASTNAME, ""),
    ):  # fmt: skip
        before = twins(looked_over)
        changed = looked_over.edit(place, field, text)
        anew = review(*(person(row) for row in looked_over.rows))
        assert twins(looked_over) == twins(anew)
        others = [at for at, now in enumerate(twins(looked_over)) if now != before[at]]
        assert changed is not None
        assert set(changed) >= set(others)
    while looked_over.can_undo:
        looked_over.undo()
    assert twins(looked_over) == twins(guests(140))


def test_very_many_changed_at_once_take_about_as_many_steps_as_a_list_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = 150
    monkeypatch.setattr("app.importing.review._MANY_TYPED", many - 1)
    looked_over = guests(many, "office@gmial.com")
    changed: list[int] = []
    steps = lines_run(lambda: changed.extend(looked_over.repair() or ()))
    anew = lines_run(lambda: guests(many, "office@gmail.com"))
    assert steps < 1.5 * anew
    assert changed == list(range(many))
    assert twins(looked_over) == twins(guests(many, "office@gmail.com"))
    looked_over.undo()
    assert looked_over.counts[Verdict.EMAIL_LOOKS_WRONG] == many
