#!/usr/bin/env python3
"""Runs an example as its page does, and compares what it prints with the page.

    check.py PROGRAM PAGE       the page has a ```console block that begins with "$ NAME ARGUMENTS"

Words must be equal; numbers, which the page shows with few digits, within six parts in a hundred.
"""
import re
import shlex
import subprocess
import sys
from pathlib import Path

program, page = map(Path, sys.argv[1:])
name = program.name.removeprefix("example_")
found = re.findall(rf"^```console\n\$ {name} (.*?)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
if len(found) != 1:
    sys.exit(f"{page}: expected one console block with '$ {name}', found {len(found)}")
arguments, expected = found[0]
done = subprocess.run([program, *shlex.split(arguments)], cwd=page.parents[1], capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")


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
