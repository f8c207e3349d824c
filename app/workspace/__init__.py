"""What is open: one account's workspace, which account comes next, and the window around them as it
comes, is updated and goes.
"""
