"""Whether a module could not be loaded because this system lacks a shared library that it needs."""


def lacks_library(problem: ImportError) -> bool:
    """As the loader tells it (`libX.so.1: cannot open shared object file`). Where a module and
    another do not fit each other, as after an update, nothing is to be installed.
    """
    return ".so" in str(problem)
