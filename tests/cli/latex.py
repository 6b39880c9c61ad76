"""sweepdyn explain --form latex: LaTeX takes it, whatever the expression and the names, and it fits the page.

    latex.py [--keep FOLDER]        leaves document.pdf there, to look at
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from _cli import mixed_model, run

# Names that mean something to TeX, that its fonts join or lack, and that B[...] needs to escape.
NAMES = ["tool_0", "50% #1 & {b}", "a  b", r"C:\x^2~$", "--'`\"<|>?`", "Käfer Łódź", "手 θ", "a,b]"]
MASS = "H*phi*M*adj(phi)*adj(H) + J_a"
INVERSE = "adj(I - H*psi*K)*inverse(D)*(I - H*psi*K)"


def b(*names):
    return "B[" + ",".join(re.sub(r"([,\]\\])", r"\\\1", name) for name in names) + "]"


EXPRESSIONS = [
    MASS,
    f"inverse({MASS})",
    f"adj({b(*NAMES[:4])})*adj(psi)*adj(H)*inverse(D)*(I - H*psi*K)",
    f"H*phi*{b(*NAMES[4:])}",
    f"E*phi*{b(*NAMES, *NAMES)}",
    f"adj({b('tool_0')})*Upsilon*{b('tool_0')}",
    f"adj({b('tool_0')})*adj(phi)*adj(E)",
    "E*phi*R*adj(H)",
    "psi*S*Delta_psi - E_psi*tau_bar + 1e-7*tau",
    "-2.5*adj(Delta_phi)*adj(S)*inverse(M)*E_phi",
    "inverse(Delta_phi)*R*inverse(adj(Delta_phi))",
    "inverse(R) + inverse(P)",
    "M - 0.5*inverse(Upsilon)",
    "inverse(J_a) + inverse(D)",
    "G*J_a*adj(G) + P + M",
    "(I + H*phi*K)*D*adj(I + H*phi*K)",
    "inverse(adj(psi))",
    "inverse(I - 0.5*K*H)",
    "M - M",
    "E*phi - E*phi",
    f"adj({b('tool_0')}) - adj({b('tool_0')})",
    f"{INVERSE}*({MASS})*{INVERSE}*({MASS})*{INVERSE}*({MASS})*{INVERSE}",
]

LEAVES = (r"\mathcal{E}_\phi \phi \mathcal{S} \Delta_\phi H M J_a \mathcal{R} P D G K \tau \overline{\tau} "
          r"\mathcal{E}_\psi \psi \Delta_\psi \Upsilon B_{ E").split()

# One of each kind of line in the loops.
LINES = [
    "H(k)", "H^{*}(k)", "M(k)", r"\mathcal{R}(k)", "P(k)", r"\Upsilon(k)", "J_a(k)", "D(k)", "G(k)", "G^{*}(k)",
    "M^{-1}(k)", r"\mathcal{R}^{-1}(k)", "P^{-1}(k)", r"\Upsilon^{-1}(k)", "J_a^{-1}(k)", "D^{-1}(k)",
    r"= \phi(p,k)", r"= \phi^{*}(p,k)", r"\phi^{-1}(p,k)", r"\phi^{-*}(p,k)", r"\sum_{i} \phi(k,i)", r"\phi^{*}(k,i)",
    r"\mathrel{+}= \phi(p,k)", r"\mathrel{+}= z", r"\mathrel{+}= \phi(0,k)", r"\phi^{*}(0,k)",
    "(k) = 0", "h_{1} = 0", "(i) = 0", r"10^{-7}", r"2.5\,",
]

WIDE = 8.0  # pt by which a line may stick out: what no eye sees


def document(folder):
    model = mixed_model(name="50%_of & more")
    for hinge in model["hinges"]:
        dofs = {"weld": 0, "cylindrical": 2, "universal": 2, "planar": 3, "spherical": 3, "free": 6}.get(hinge["kind"], 1)
        hinge["armature"] = [0.1] * dofs
    model["frames"] += [{"name": name, "body": "free_body", "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                         "position": [0, 0, 1]} for name in NAMES]
    path = folder / "model.json"
    path.write_text(json.dumps(model), encoding="utf-8")
    parts = []
    for expression in EXPRESSIONS:
        done = run("explain", expression, "--model", path, "--form", "latex")
        if done.returncode != 0:
            raise AssertionError(f"{expression}: {done.stderr}")
        parts.append(done.stdout)
    return "\\documentclass{article}\n\\usepackage{amsmath}\n\\begin{document}\n" + "\n\\bigskip\\hrule\n".join(
        parts) + "\\end{document}\n"


class Latex(unittest.TestCase):
    keep = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_document(self):
        text = document(self.folder)
        for part in LEAVES + LINES:
            self.assertTrue(part in text.replace("&", ""), part)
        (self.folder / "document.tex").write_text(text, encoding="utf-8")
        done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "document.tex"], cwd=self.folder,
                              capture_output=True, timeout=120)
        log = (self.folder / "document.log").read_text(encoding="latin-1")
        if self.keep:
            for name in "document.tex", "document.pdf", "document.log":
                shutil.copy(self.folder / name, self.keep)
        faults = re.findall(r"^!.*\n(?:.*\n){0,6}|^Missing character.*", log, re.M)
        faults += [line for line in re.findall(r"^Overfull \\hbox.*", log, re.M)
                   if float(re.search(r"\(([\d.]+)pt", line)[1]) > WIDE]
        self.assertFalse(faults, "\n".join(faults[:5]))
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    if not shutil.which("pdflatex"):
        print("skipped: no pdflatex (Debian: texlive-latex-base)")
        sys.exit(77)
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        Latex.keep = pathlib.Path(sys.argv[2])
        del sys.argv[1:]
    unittest.main()
