"""The sentences about signing in that stand across the window, and what each offers to do."""

from app.accounts.session import SessionState
from app.model.errors import ExpectedError
from app.runtime.words import tr, trn
from app.viewmodels.notice import Notice, Offer


def ended(said: str) -> Notice:
    """Access is over; `said` is what kept the vault from giving it at the start, or blank."""
    if said:
        return Notice(said, Offer.SIGN_IN_AGAIN, also=Offer.TRY_AGAIN)
    sentence = tr("Your sign-in has ended. Sign in again to go on where you are.")
    return Notice(sentence, Offer.SIGN_IN_AGAIN)


def given_up(state: SessionState, *, given: object) -> Notice:
    """Somebody put an end to signing in; a key `given` at the start can be tried once more."""
    offer = Offer.TRY_AGAIN if given is not None else Offer.NOTHING
    if state is SessionState.EXPIRED:
        offer = Offer.SIGN_IN_AGAIN
    sentence = tr("Signing in was cancelled. Nothing has changed.")
    return Notice(sentence, offer, calm=True)


def not_asked() -> Notice:
    """Somebody did not want to wait for the vault."""
    sentence = tr("Front Desk has stopped asking this computer's vault.")
    return Notice(sentence, Offer.TRY_AGAIN, calm=True)


def went_wrong(error: Exception, state: SessionState, *, about_line: bool) -> Notice:
    """An expected error, with its details to copy."""
    details = error.details if isinstance(error, ExpectedError) else ""
    first, also = (Offer.COPY_DETAILS if details else Offer.NOTHING), Offer.NOTHING
    if state is SessionState.EXPIRED:
        first, also = Offer.SIGN_IN_AGAIN, first
    return Notice(str(error), first, details=details, about_line=about_line, also=also)


def tried_again(error: ExpectedError) -> Notice:
    """The service cannot be reached with a key that was given at the start."""
    goes_on = tr("Front Desk goes on trying.")
    also = Offer.COPY_DETAILS if error.details else Offer.NOTHING
    return Notice(f"{error.message} {goes_on}", Offer.TRY_AGAIN, details=error.details, also=also)


def vault_unsure() -> Notice:
    """Signed out, but a vault may still hold the key."""
    return Notice(
        tr(
            "You are signed out here, but the system's vault did not confirm "
            "that it forgot the key. Please look there."
        )
    )


def signing_out_words(*, half_typed: bool, unsent: int, kept: bool) -> str:
    """What signing out does to what was typed, in a sentence; blank where that is nothing.

    `kept`: it stays on this computer, half-typed or not, and is there at the next sign-in.
    """
    if kept:
        return _stays_words(unsent) if unsent else ""
    if half_typed:
        return tr(
            "The line for adding a person is not empty. Signing out loses what is typed there."
        )
    if unsent:
        return trn(
            "{n} person is not sent yet and would be lost by signing out.",
            "{n} people are not sent yet and would be lost by signing out.",
            unsent,
        )
    return ""


def _stays_words(unsent: int) -> str:
    return trn(
        "{n} person is not sent yet. They stay on this computer and are sent once somebody "
        "signs in to this account again.",
        "{n} people are not sent yet. They stay on this computer and are sent once somebody "
        "signs in to this account again.",
        unsent,
    )
