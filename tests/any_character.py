"""Any character that can be written down: what UTF-8 can say, the halves of a pair left out.

Hypothesis's own default, `codec="utf-8"`, encodes each of a million characters to find the same,
which takes each process two seconds.
"""

from hypothesis import strategies as st

ANY_CHARACTER = st.characters(exclude_categories=["Cs"])
