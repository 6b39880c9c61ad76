"""Runs the command line and holds what every test of it shares."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

CLI = os.environ["SWEEPDYN_CLI"]
MODELS = pathlib.Path(os.environ["SWEEPDYN_MODELS"])


def run(*arguments, stdin="", env=None, cwd=None):
    """Exit code, stdout and stderr of one call. Locale and colours are those given, or none."""
    environment = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR")}
    environment.update(env or {})
    return subprocess.run(
        [CLI, *map(str, arguments)], input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=120,
        env=environment, cwd=cwd)


def page(name):
    """The text of docs/NAME.md."""
    return (MODELS.parent / "docs" / f"{name}.md").read_text(encoding="utf-8")


def console_blocks(text):
    return re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S)


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return path

    def ok(self, *arguments, **options):
        """stdout of a call that succeeds."""
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def fails(self, code, *arguments, says=(), **options):
        """stderr of a call that fails with this code: nothing on stdout, the words on stderr."""
        done = run(*arguments, **options)
        self.assertEqual((done.returncode, done.stdout), (code, ""), f"{arguments}: {done.stderr}")
        self.assertTrue(done.stderr.startswith("sweepdyn: error: "), done.stderr)
        for words in [says] if isinstance(says, str) else says:
            self.assertIn(words, done.stderr)
        return done.stderr

    def runs_as_written(self, blocks, at_least, same=None):
        """Console blocks of a page: commands run one after the other in one folder, and print what stands there."""
        self.assertGreaterEqual(len(blocks), at_least)
        shim = self.folder / "bin"
        shim.mkdir()
        (shim / "sweepdyn").symlink_to(CLI)
        environment = dict(os.environ, PATH=f"{shim}:{os.environ['PATH']}")
        for block in blocks:
            for command, expected in re.findall(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                command = command.replace("\n> ", "\n")
                done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, text=True, timeout=120,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if "built without SUNDIALS" in done.stdout:
                    self.skipTest("built without SUNDIALS")
                (same or self.assertEqual)(done.stdout, expected, command)

    def compute(self, model, names, state=None, *options):
        """The results of one state."""
        if state is None:
            return json.loads(self.ok("compute", model, "--get", names, *options))["results"]
        text = state if isinstance(state, str) else json.dumps(state)
        return json.loads(self.ok("compute", model, "--get", names, "--state", "-", *options, stdin=text))["results"]

    def close(self, got, expected, tolerance=1e-12):
        """Equal shapes, and numbers that differ by no more than the tolerance times the largest one expected."""
        self.assertEqual(shape(got), shape(expected))
        got, expected = flat(got), flat(expected)
        scale = max(map(abs, expected), default=0.0) or 1.0
        for a, b in zip(got, expected):
            self.assertLessEqual(abs(a - b), tolerance * scale, f"{got} is not {expected}")


def flat(value):
    return [x for item in value for x in flat(item)] if isinstance(value, list) else [value]


def shape(value):
    return [shape(item) for item in value] if isinstance(value, list) else None


def multiply(rows, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in rows]


def solve(rows, right):
    """x with rows x = right, by elimination with pivots."""
    table = [[*row, r] for row, r in zip(rows, right)]
    n = len(table)
    for j in range(n):
        pivot = max(range(j, n), key=lambda i: abs(table[i][j]))
        table[j], table[pivot] = table[pivot], table[j]
        for i in range(n):
            if i != j:
                factor = table[i][j] / table[j][j]
                table[i] = [a - factor * b for a, b in zip(table[i], table[j])]
    return [row[n] / row[j] for j, row in enumerate(table)]


def transposed(rows):
    return [list(column) for column in zip(*rows)]


BOX = {"mass": 2.0, "com": [0.1, 0.2, -0.3], "inertia_com": [[0.3, 0.01, 0], [0.01, 0.4, 0.02], [0, 0.02, 0.5]]}
KINDS = ["revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical", "free"]


def mixed_model(**changes):
    """A chain with a hinge of every kind that has dofs, and a massive weld on the ground, as a native model."""
    kinds = ["weld", *KINDS]
    bodies = [{"name": f"{kind}_body", **BOX} for kind in kinds]
    hinges = [
        {"name": kind, "kind": kind, "parent": k - 1, "child": k, "position_in_parent": [0.1 * k, 0.2, -0.1],
         "axis": [0.6, 0, 0.8], "axis2": [0, 1, 0], "pitch": 0.1}
        for k, kind in enumerate(kinds)]
    frames = [{"name": "tip", "body": "free_body", "rotation": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "position": [0, 0, 1]}]
    return {"format": "sweepdyn-model/1", "name": "mixed", "gravity": [0, 0, -9.81], "bodies": bodies,
            "hinges": hinges, "frames": frames, "loops": [], **changes}


def pendulum_urdf(joint="", links="", inertial='<inertial><origin xyz="0 0 -1"/><mass value="2"/>'
                  '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'):
    """A rod on a revolute hinge `pivot` (axis y), hanging along -z, with more put in."""
    return f"""<robot name="pendulum">
      <link name="world"/>
      <link name="rod">{inertial}</link>
      <joint name="pivot" type="revolute">
        <parent link="world"/><child link="rod"/><axis xyz="0 1 0"/>
        <limit lower="-3" upper="3" effort="10" velocity="5"/>{joint}
      </joint>{links}
    </robot>"""


GRIPPER = pendulum_urdf(links="""
      <link name="left"><inertial><mass value="1"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <link name="right"><inertial><mass value="1"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="left_finger" type="prismatic">
        <parent link="rod"/><child link="left"/><axis xyz="0 1 0"/>
        <limit lower="0" upper="0.1" effort="10" velocity="5"/></joint>
      <joint name="right_finger" type="prismatic">
        <parent link="rod"/><child link="right"/><axis xyz="0 1 0"/>
        <limit lower="-0.1" upper="0" effort="10" velocity="5"/>
        <mimic joint="left_finger" multiplier="-1" offset="0.005"/></joint>""")
