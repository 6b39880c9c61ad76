#!/usr/bin/env python3
"""What the example of docs/linear-models.md exports is read by others: its JSON, CSV and MAT-file agree, and the page's snippets run.

    linear_models_page.py PROGRAM PAGE      skips (77) where there is no SciPy, in any python3 of the PATH
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

program, page = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()


def has(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


pythons = [sys.executable] + [str(Path(p) / "python3") for p in os.environ.get("PATH", "").split(os.pathsep)
                              if (Path(p) / "python3").is_file()]
scipy_python = next((p for p in pythons if has(p, "scipy")), None)
snippets = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
[matlab] = re.findall(r"^```matlab\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
assert len(snippets) == 2, "expected a snippet for SciPy and one for python-control"

# Compares the MAT-file with the JSON, and what SciPy's own design gives with what the snippet computed.
CHECK = """
import json
import numpy
j = json.load(open("linear_model.json"))
for key in "ABCD":
    assert numpy.array_equal(m[key], numpy.array(j[key])), key
for key in "f0", "x0", "u0", "y0", "q0", "v0", "T0":
    assert numpy.array_equal(m[key].ravel(), numpy.array(j[key])), key
for key in "states", "inputs", "outputs":
    assert [str(name[0]) for name in m[key].ravel()] == j[key], key
assert str(m["model"][0]) == j["model"]
assert states == j["states"]
assert (numpy.linalg.eigvals(A - B @ K).real < 0).all()
assert numpy.allclose(Ad, scipy.linalg.expm(0.01 * A), rtol=1e-12)
print("SciPy", scipy.__version__, "reads the MAT-file")
"""

with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run([program, "models/arm7.urdf", folder], cwd=page.parents[1], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    folder = Path(folder)
    model = json.loads((folder / "linear_model.json").read_text())
    table = list(csv.reader((folder / "linear_model.csv").read_text().splitlines()))
    assert table[0] == ["", *model["states"], *model["inputs"], "constant"]
    for i, row in enumerate(model["A"]):
        assert [float(x) for x in table[1 + i][1:-1]] == row + model["B"][i], table[1 + i][0]
        assert float(table[1 + i][-1]) == model["f0"][i]
    if scipy_python is None:
        print("no SciPy in any python3")
        sys.exit(77)
    if not (folder / "linear_model.mat").exists():
        print("built without matio")
        sys.exit(77)
    done = subprocess.run([scipy_python, "-c", snippets[0] + "\nimport scipy\n" + CHECK], cwd=folder, capture_output=True, text=True)
    print(done.stdout, done.stderr)
    if done.returncode != 0:
        sys.exit(1)
    octave = shutil.which("octave-cli")
    if octave:      # MATLAB reads the same; ss() where the package control is there. Its jsondecode may err in the last bit.
        line, ss = matlab.splitlines()
        script = f"{line}\nj = jsondecode(fileread('linear_model.json'));\n" \
                 "near = @(x, y) isequal(size(x), size(y)) && norm(x - y) <= 1e-14 * norm(x);\n" \
                 "assert(near(A, j.A) && near(B, j.B) && near(C, j.C) && near(D, j.D));\n" \
                 "assert(isequal(states, j.states) && isequal(inputs, j.inputs));\n" \
                 f"try, pkg load control, found = true; catch, found = false; end\nif found, {ss} assert(isequal(sys.a, A)); end\n" \
                 "disp(['Octave ', version, ' reads the MAT-file']);\n"
        (folder / "check.m").write_text(script)
        done = subprocess.run([octave, "--norc", "check.m"], cwd=folder, capture_output=True, text=True)
        print(done.stdout, done.stderr)
        if "reads the MAT-file" not in done.stdout:
            sys.exit(1)
    control_python = next((p for p in pythons if has(p, "control")), None)
    if control_python:
        done = subprocess.run([control_python, "-c", snippets[1]], cwd=folder, capture_output=True, text=True)
        print(done.stdout[-300:], done.stderr)
        sys.exit(done.returncode)
