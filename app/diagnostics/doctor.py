"""`frontdesk doctor`: tells what the diagnostics of this computer found, and what mends it."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from app.diagnostics import diagnostics
from app.diagnostics.diagnostics import Finding, Missing
from app.runtime.paths import default_data_folder
from app.runtime.words import tr


def run(arguments: Sequence[str]) -> int:
    """Print what was found, in sentences or as JSON; 1 when something needed is missing, else 0."""
    parser = argparse.ArgumentParser(prog="frontdesk doctor")
    parser.add_argument("--json", action="store_true", help=tr("print one JSON object"))
    parser.add_argument("--data-folder", type=Path, default=default_data_folder())
    options = parser.parse_args(arguments)
    findings = diagnostics.of_this_computer(options.data_folder)
    works = not any(missing.needed for finding in findings for missing in finding.missing)
    print(as_json(findings, works=works) if options.json else as_sentences(findings, works=works))
    return 0 if works else 1


def as_json(findings: Sequence[Finding], *, works: bool) -> str:
    """One object: the facts under the name of each finding, `missing` (a list) and `works`."""
    missing = [asdict(missing) for finding in findings for missing in finding.missing]
    facts = {finding.name: finding.facts for finding in findings}
    return json.dumps({**facts, "missing": missing, "works": works}, indent=2, ensure_ascii=False)


def as_sentences(findings: Sequence[Finding], *, works: bool) -> str:
    """A line per finding, then a line and a command for each thing that is missing."""
    everything = [missing for finding in findings for missing in finding.missing]
    said_below = {missing.what for missing in everything}
    lines = [finding.sentence for finding in findings if finding.sentence not in said_below]
    for missing in everything:
        lines += ["", missing.what, tr("  To mend it: {command}", command=missing.mend)]
    return "\n".join([*lines, "", _closing_words(everything, works=works)])


def _closing_words(missing: Sequence[Missing], *, works: bool) -> str:
    if not works:
        return tr("Something that is needed is missing.")
    if missing:
        return tr("What is installed is whole; what is missing above cannot be used here.")
    return tr("Everything that is needed is here.")
