#!/usr/bin/env python3
"""Runs an example as its page does, and compares what it prints with the page.

    check.py PROGRAM PAGE       the page has a ```console block that begins with "$ NAME ARGUMENTS"

Words must be equal; numbers, which the page shows with few digits, within six parts in a hundred. Examples that draw are asked to, into
a folder that goes: each plot must be SVG, with curves of numbers in it.
"""
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

# What to give an example that draws beside the page's arguments (a folder, or a file in it), and how many plots that makes.
DRAWN = {"two_link_regulator": ("", 8), "seven_dof_step": ("", 1), "quadruped_trot": ("margins.svg", 1)}

program, page = map(Path, sys.argv[1:])
name = program.name.removeprefix("example_")
found = re.findall(rf"^```console\n\$ {name} (.*?)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
if len(found) != 1:
    sys.exit(f"{page}: expected one console block with '$ {name}', found {len(found)}")
arguments, expected = found[0]


def fault_of(plot):
    """What is wrong with a plot, or nothing."""
    try:
        root = ElementTree.parse(plot).getroot()
    except ElementTree.ParseError as error:
        return f"not well-formed: {error}"
    if root.tag != "{http://www.w3.org/2000/svg}svg":
        return f"its root is {root.tag}, expected svg"
    curves = [shape.get("points") or shape.get("d") for shape in root.iter() if shape.tag.endswith(("}polyline", "}path"))]
    longest = max((len(re.findall(r"-?\d+(?:\.\d+)?", curve)) for curve in curves), default=0)
    if any(re.search("nan|inf", curve) for curve in curves):
        return "a curve has points that are no numbers"
    return "" if longest >= 100 else f"its longest curve has {longest} numbers, expected 100 or more"


with tempfile.TemporaryDirectory() as folder:
    into, plots = DRAWN.get(name, (None, 0))
    drawing = [] if into is None else [Path(folder) / into]
    done = subprocess.run([program, *shlex.split(arguments), *drawing], cwd=page.parents[1], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    drawn = sorted(Path(folder).iterdir())
    if len(drawn) != plots:
        sys.exit(f"expected {plots} plots, got {[plot.name for plot in drawn]}")
    for plot in drawn:
        if fault := fault_of(plot):
            sys.exit(f"{plot.name}: {fault}")


def alike(a, b):
    try:
        return abs(float(a) - float(b)) <= 0.06 * abs(float(b))
    except ValueError:
        return a == b


for number, (got, wanted) in enumerate(zip(done.stdout.splitlines(), expected.splitlines()), 1):
    words = got.split(), wanted.split()
    if len(words[0]) != len(words[1]) or not all(map(alike, *words)):
        sys.exit(f"line {number}: got\n{got}\nbut the page has\n{wanted}")
if len(done.stdout.splitlines()) != len(expected.splitlines()):
    sys.exit(f"the page has {len(expected.splitlines())} lines of output, got\n{done.stdout}")
