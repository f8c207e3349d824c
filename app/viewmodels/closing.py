"""What is said when somebody closes the window on work that is not done, and would be lost.

What is kept on this computer is not lost: then nobody is asked.
"""

from app.runtime.words import tr, trn


def closing_words(*, half_typed: bool, undecided: int, unsent: int) -> str:
    """One sentence, blank where nothing would be lost.

    `unsent` people are not sent, `undecided` of them because somebody has to decide.
    """
    if half_typed:
        return tr("The line for adding a person is not empty. Closing loses what is typed there.")
    if undecided:
        return trn(
            "{n} person needs your decision. Closing forgets that.",
            "{n} people need your decision. Closing forgets that.",
            undecided,
        )
    if unsent:
        return trn(
            "{n} person is not sent yet. Front Desk closes as soon as that is done.",
            "{n} people are not sent yet. Front Desk closes as soon as that is done.",
            unsent,
        )
    return ""
