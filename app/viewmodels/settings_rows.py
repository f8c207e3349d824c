"""The lines of the settings page: what is kept on this computer, and the accounts it knows."""

from dataclasses import dataclass
from datetime import UTC, datetime

from app.accounts.account import Account, WayIn
from app.accounts.vault import VaultReport
from app.runtime.words import tr, trn
from app.viewmodels.wording import day


@dataclass(frozen=True, slots=True)
class KeptThing:
    """One kind of thing that may be kept on this computer, and what of it is."""

    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account that this computer knows; `in_use` when the window shows it."""

    id: str
    name: str
    address: str
    way_in: str
    sign_in: str
    in_use: bool


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before an account is forgotten.

    `anyway` names the way out when the vault leaves it open whether a sign-in is gone, else blank.
    """

    account_id: str
    sentence: str
    act: str
    anyway: str = ""


def kept_things(vault: VaultReport | None, *, keeps: bool) -> tuple[KeptThing, ...]:
    """What is kept; `vault` is None until it was found out, `keeps` is the person's choice."""
    place = tr("Not kept: where you were is gone when you close the window.")
    lists = tr(
        "Not kept. They are read again at each start. Only people who are not sent when you "
        "choose this stay until they are; later ones are lost with the window, which asks first."
    )
    if keeps:
        lists = tr(
            "The lists as they were last read, and what you typed with what became of it: one "
            "folder for each account, readable by you alone. Forgetting an account removes it."
        )
        place = tr(
            "Where the window was, how the lists of each account were arranged, and what was "
            "chosen in them. No names and no email addresses."
        )
    return (
        KeptThing(
            tr("Accounts"),
            tr("Name, address and way in of the accounts below. No key and no password."),
        ),
        KeptThing(tr("Sign-ins"), _vault_words(vault)),
        KeptThing(tr("Settings"), tr("What you choose on this page.")),
        KeptThing(tr("Where you were"), place),
        KeptThing(
            tr("Log"),
            tr("What went wrong and when. No names, no email addresses, no key."),
        ),
        KeptThing(tr("People and flows"), lists),
    )


def _vault_words(vault: VaultReport | None) -> str:
    if vault is None:
        return tr("Looking for the vault of this computer.")
    if not vault.real:
        return vault.problem
    return tr("In the vault of this computer, {vault}, as “Front Desk”.", vault=vault.name)


def account_row(account: Account, in_use: str | None) -> AccountRow:
    """The row of `account`; `in_use` is the id of the account that the window shows."""
    return AccountRow(
        id=account.id,
        name=account.name,
        address=account.base_url,
        way_in={
            WayIn.PAGE: tr("Signed in with its account page"),
            WayIn.KEY: tr("Signed in with an API key"),
            WayIn.DEMO: tr("Demo account"),
        }[account.way_in],
        sign_in=_sign_in_words(account),
        in_use=account.id == in_use,
    )


def _sign_in_words(account: Account) -> str:
    if not account.in_vault:
        return tr("no sign-in kept")
    if account.has_expired(datetime.now(UTC)):
        return tr("the sign-in that is kept has ended")
    if account.expires_at is not None:
        return tr("sign-in kept until {day}", day=day(account.expires_at))
    if account.with_secret and account.access_until is None:
        return tr("only the client secret is kept")
    return tr("sign-in kept")


def first_question(account: Account, *, in_use: bool, unsent: int) -> Question:
    """Whether to forget `account`; `unsent` people of it would be lost."""
    sentences = [
        tr(
            "Forget {name}? Its address, its sign-in, its lists and what you typed are removed "
            "from this computer. In the account itself nothing changes.",
            name=account.name,
        )
    ]
    if account.with_secret and account.in_vault:
        sentences.append(
            tr(
                "Its client secret, which signing out leaves in the vault of this computer, is "
                "removed from there, too."
            )
        )
    if in_use:
        sentences.append(tr("You will be signed out."))
    if unsent:
        sentences.append(
            trn(
                "{n} person is not sent yet and would be lost.",
                "{n} people are not sent yet and would be lost.",
                unsent,
            )
        )
    return Question(account.id, " ".join(sentences), tr("Forget it"))


def unsure_question(account: Account) -> Question:
    """What to do when the vault did not confirm that the sign-in is gone."""
    return Question(
        account.id,
        tr(
            "The vault of this computer did not confirm that the sign-in of {name} is gone. "
            "Unlock the vault and try again. Or take the account off this list and delete "
            "“Front Desk” in the vault yourself.",
            name=account.name,
        ),
        tr("Try again"),
        tr("Take it off the list"),
    )
