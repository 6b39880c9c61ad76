"""Mechanisms with loops that are wrong, from every kind of file: words, an exit code, and nothing half-written."""

import copy
import json
import os
import pathlib
import unittest

from _cli import CliTest, run

DATA = pathlib.Path(os.environ["SWEEPDYN_TEST_DATA"]) / "data"
FOUR_BAR = json.loads((DATA / "native" / "four_bar.json").read_text(encoding="utf-8"))


class Native(CliTest):
    def refused(self, says, change, *command):
        model = copy.deepcopy(FOUR_BAR)
        change(model)
        command = command or ("info",)
        self.fails(1, command[0], self.write("wrong.json", model), *command[1:], says=says)

    def test_numbers_whose_squares_overflow(self):
        """A gap of infinity by infinity would look closed."""
        far = "it is placed at [1e300, 0, 0] m, expected lengths below 1e100"
        self.refused("frame a: " + far, lambda m: m["loops"][0].update(position_a=[1e300, 0, 0]), "assemble")
        self.refused(far, lambda m: m["hinges"][1].update(position_in_parent=[1e300, 0, 0]), "assemble")

        def geared(coefficients, offset=0):
            names = ["crank", "rocker"]
            return lambda m: m.update(loops=[{"name": "gear", "kind": "coupling", "dofs": names, "coefficients": coefficients,
                                              "offset": offset}])
        self.refused("coefficient 1e308, expected a number below 1e100", geared([1e308, 1]), "assemble")
        self.refused("offset is 1e300, expected a number below 1e100", geared([1, 1], 1e300), "assemble")

    def test_misspelt_keys(self):
        """Every command that reads the file refuses them; what is unknown at the top is a doubt."""
        def misspell(m):
            m["loops"][0]["name"] = "pin"
            m["loops"][0]["positon_a"] = m["loops"][0].pop("position_a")
        says = "loops[0] 'pin': unknown key 'positon_a'; did you mean 'position_a'?"
        for command in (("info",), ("assemble",), ("compute", "--get", "qdd"), ("simulate", "--time", 1), ("linearize",), ("convert",),
                        ("eval", "M"), ("identities",), ("compute", "--get", "M", "--loops", "cut")):
            self.refused(says, misspell, *command)
        gear = {"name": "gear", "kind": "coupling", "dofs": ["crank", "rocker"], "coefficients": [1, 1]}
        self.refused("loops[1] 'gear': unknown key 'ofset'; did you mean 'offset'?", lambda m: m["loops"].append(gear | {"ofset": 1}))
        for place in "bodies", "hinges":
            self.refused(f"{place}[0] 'crank': unknown key 'colour'; known: ", lambda m: m[place][0].update(name="crank", colour="red"))
        self.refused("unknown key 'gravty'; did you mean 'gravity'?", lambda m: m.update(gravty=m.pop("gravity")))
        author = self.write("author.json", FOUR_BAR | {"author": "me", "description": "bars"})
        self.assertIn("note: 1 doubt about the model", run("explain", "M", "--model", author).stderr)
        self.fails(1, "info", author, "--strict", says="unknown key 'author' has no effect")

    def test_assemble_writes_json_only(self):
        bars = self.write("bars.json", FOUR_BAR)
        for name in "x.csv", "x":
            self.fails(2, "assemble", bars, "-o", self.folder / name,
                       says=f"{name}', expected a name that ends in .json or .jsonl, or - for JSON on stdout")
            self.fails(2, "assemble", "nowhere.json", "-o", self.folder / name, says="expected a name that ends in")
            self.assertFalse((self.folder / name).exists())
        self.fails(2, "regulate", "two_link", "--design", "lqr", "-o", self.folder / "x.csv", says="expected a name that ends in .json")
        for name in "x.json", "x.jsonl":
            self.ok("assemble", bars, "-o", self.folder / name)
        self.assertEqual(self.ok("assemble", bars, "-o", "-"), (self.folder / "x.json").read_text())

    def test_steps_too_long_for_a_stiff_regulator(self):
        """The loop opens because of the steps: these are told, and what to do."""
        bars = self.write("bars.json", FOUR_BAR)
        closed = self.ok("assemble", bars)
        q = json.loads(closed)["q"]
        gains = {"K": [[1e6, 3e4]], "states": ["q:crank", "v:crank"], "inputs": ["T:crank"], "q0": q, "u0": [0]}
        command = ["simulate", bars, "--at", self.write("at.json", closed), "--time", 0.1, "--regulator", self.write("k.json", gains)]
        done = run(*command, "--step", 0.01)
        self.assertEqual(done.returncode, 1)
        for words in ("error: steps of 0.01 s are likely too long for the fastest force or motion (a stiff controller, ",
                      "): loop 'loop0' opens at t = ", "; take a smaller step (--step), or an adaptive (--rtol) or stiff method (--method stiff)"):
            self.assertIn(words, done.stderr)
        self.ok(*command, "--step", 1e-5)

    def test_a_coupling_without_dofs(self):
        self.refused("loops[0].dofs: missing, expected names of dofs; or bodies, whose hinges have one",
                     lambda m: m.update(loops=[{"name": "gear", "kind": "coupling", "terms": [], "coefficients": [1, 1]}]))

    def test_a_motion_beyond_all_numbers_is_not_told_as_missing_inertia(self):
        bars = self.write("bars.json", FOUR_BAR)
        state = json.loads(self.ok("assemble", bars))
        for key in "v", "T":
            state[key] = [1e200, 0, 0]
            output = self.folder / "motion.csv"
            self.fails(1, "simulate", bars, "--at", "-", "--time", "0.1", "-o", output, stdin=json.dumps(state),
                       says="the motion grows beyond all numbers at t = ")
            self.assertFalse(output.exists())
            del state[key]

    def test_options(self):
        bars = self.write("bars.json", FOUR_BAR)
        self.fails(2, "assemble", bars, "--branches", "1e9", says="--branches: got '1e9', expected a whole number from 1 to 1e6")
        self.fails(2, "simulate", bars, "--at", self.write("s.json", self.ok("assemble", bars)), "--time", "1", "--signals", "loop:pin",
                   says="unknown signal 'loop:pin'; known: q:DOF, v:DOF, qdd:DOF, T:DOF, pose:FRAME, velocity:FRAME, energy, momentum, "
                        "com, closure, closure:LOOP")


class Xml(CliTest):
    def refused(self, file, old, new, says):
        text = (DATA / file).read_text(encoding="utf-8")
        self.assertIn(old, text)
        path = self.write("wrong" + pathlib.Path(file).suffix, text.replace(old, new, 1))
        if file.endswith(".sdf") and "cannot read" in run("info", path).stderr:
            self.skipTest("built without sdformat")
        return self.fails(1, "info", path, says=says)

    def test_sdf(self):
        """Errors of sdformat begin as ours do, tell a value once, and do not show the whole file."""
        for old, new, says in [
                ("<gearbox_ratio>3", "<gearbox_ratio>three", "(line 28): it holds \"three\", expected 1 finite number: 'three' is not a number"),
                ("<gearbox_ratio>3", "<gearbox_ratio>0", "gearbox_ratio is 0, so nothing is coupled"),
                ("<gravity>0 0 -1.62", "<gravity>0 0 nan", "(line 5): it holds \"0 0 nan\", expected 3 finite numbers separated by spaces: 'nan' is not finite"),
                ("<pose>1 0 0 0 0 0", "<pose>1 0 0", "Error reading element <pose> (line 8)"),
                ("<mass>2", "<mass>-1", "<link name=\"box\"> (line 9): A link named box has invalid inertia."),
                ("1.11", "9.9", "<sdf> (line 3): version is '9.9', expected one from 1.0 to 1.12"),
                ("1.11", "abc", "<sdf> (line 3): version is 'abc', expected one from 1.0 to 1.12")]:
            with self.subTest(new):
                self.assertEqual(len(self.refused("sdf/gears.sdf", old, new, says).splitlines()), 1)

    def test_lines_of_what_only_the_builder_sees(self):
        """Every fault of SDF and MJCF begins with its element and line."""
        inertial = "<inertial><mass>1</mass></inertial>"
        sdf = f"""<sdf version="1.9"><model name="a">
            <link name="a">{inertial}</link><link name="b">{inertial}</link>
            <joint name="j" type="revolute"><parent>a</parent>
              <child>b</child><axis><xyz>0 0 1</xyz></axis></joint>
            MORE</model></sdf>"""
        inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        mjcf = f"""<mujoco><worldbody>
            <body name="b"><joint name="j"/>{inertial}</body>
            <body name="c"><joint name="k"/>{inertial}</body></worldbody>
            MORE</mujoco>"""
        ball = '<joint name="{}" type="ball"><parent>a</parent><child>b</child></joint>'
        for text, old, new, says in [
                (sdf, "MORE", ball.format("k") + "\n" + ball.format("l"), "<joint name=\"l\"> (line 6): loop 'l' (ball) says again what loop 'k'"),
                (sdf, "<child>b", "<child>c", "<joint name=\"j\"> (line 3): Child frame with name[c] specified by joint with name[j] not found"),
                (sdf, "<parent>a", "<parent>b", "<joint name=\"j\"> (line 3): Joint with name[j] must specify different"),
                (sdf, 'name="b"', 'name="a"', "<link name=\"a\"> (line 2): link with name[a] already exists"),
                (sdf, "0 0 1", "0 0 0", "<xyz> of <joint name=\"j\"> (line 4): it has no direction; expected one that is not 0 0 0"),
                (sdf, "MORE", "</model><model name='m'>", "<sdf> (line 1): A model must have at least one link"),
                ("<sdf version='1.9'>\n<world name='w'/>\n<world name='v'/></sdf>", "MORE", "",
                 '<world name="v"> (line 3): the file has 2 worlds, expected one'),
                (mjcf, "MORE", '<equality><weld body1="b"/><weld name="e" body1="c" body2="c"/></equality>',
                 "<weld name=\"e\"> (line 4): loop 'e' closes on itself"),
                (mjcf, "MORE", '<equality>\n<joint joint1="j" joint2="j"/></equality>', "<joint> (line 5): coupling 'equality1', dof 'j' is coupled with itself"),
                (mjcf, 'mass="1"', 'mass="-1"', "<body name=\"b\"> (line 2): body 'b': mass is -1"),
                (mjcf, '"j"/>', '"j" armature="-1"/>', "<joint name=\"j\"> (line 2): hinge 'j': armature is -1")]:
            with self.subTest(new):
                path = self.write("wrong.sdf" if "<sdf" in text else "wrong.xml", text.replace(old, new, 1).replace("MORE", ""))
                error = run("info", path).stderr
                if "cannot read" in error:
                    self.skipTest("built without sdformat")
                self.assertIn(says, error)
                faults = [line[4:] for line in error.splitlines() if line.startswith("  - ")] or [error.split("wrong." + path.suffix[1:] + ": ")[1]]
                self.assertEqual(len(set(faults)), len(faults))
                for fault in faults:
                    self.assertRegex(fault, r"^<\w+.*\(line \d+\)")

    def test_mjcf(self):
        for old, new, says in [
                ('anchor="2 0 0"', 'anchor="2 0"', 'anchor is "2 0", expected 3 finite numbers separated by spaces: got 2'),
                (' anchor="2 0 0"', '', 'anchor is missing; write anchor="X Y Z", in the first body'),
                ('body1="load" body2="cart"', 'body1="load" body2="cart" relpose="1 2 3"',
                 'relpose is "1 2 3", expected 7 finite numbers separated by spaces: got 3'),
                ('body1="load" body2="cart"', 'body1="load" body2="crt"', "body2: unknown body 'crt'; did you mean 'cart'?")]:
            with self.subTest(new):
                self.refused("mjcf/linkage.xml", old, new, says)

    def test_urdf(self):
        for old, new, says in [
                ('<ratio value="6"/>', '<ratio value="0"/>', "value is 0, so nothing is coupled; expected a ratio other than 0"),
                ('<predecessor link="crank"/>', '<predecessor link="ground"/>', "no joint that moves lies between the predecessor")]:
            with self.subTest(new):
                self.refused("urdf/four_bar_plus.urdf", old, new, says)

    def test_empty_files(self):
        for name in "x.json", "x.urdf", "x.sdf", "x.xml":
            self.fails(1, "info", self.write(name, ""),
                       says="the file is empty; expected XML with <robot>, <sdf> or <mujoco>, or a native model in JSON")
        self.fails(1, "info", self.write("x.sdf", "\n <!-- -->\n"), says="the file has no element; expected <")


if __name__ == "__main__":
    unittest.main()
