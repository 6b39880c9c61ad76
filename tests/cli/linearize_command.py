"""sweepdyn linearize: numbers of paper 002, signals by name, trim, files, and wrong use."""
import csv
import json
import math
import unittest

from _cli import MODELS, CliTest, mixed_model, multiply, run


class Linearize(CliTest):
    def linear(self, *arguments):
        return json.loads(self.ok("linearize", *arguments))

    def test_the_two_links_of_paper_002(self):
        """Eq. (33), hanging, g = 9.8066; the order there is (th2, th1), and its torque counts against th."""
        out = self.linear("two_link", "--gravity=0,0,-9.8066")
        self.assertEqual(out["states"], ["q:shoulder", "q:elbow", "v:shoulder", "v:elbow"])
        self.assertEqual(out["inputs"], ["T:shoulder", "T:elbow"])
        lower = [[-4.03801176, 1.15371765], [3.46115294, -5.19172941]]
        for row, numbers in zip(out["A"][2:], lower):
            self.close(row, numbers + [0, 0], 1e-8)
        self.close(out["B"][2], [0.01764706, -0.02941176], 1e-6)
        self.close(out["B"][3], [-0.02941176, 0.08235294], 1e-6)
        self.close(out["f0"], [0, 0, 0, 0])
        self.assertEqual(out["notes"], [])

    def test_signals(self):
        out = self.linear("arm7", "--inputs", "T:*,wrench:tool,gravity,base_accel", "--outputs",
                          "pose:tool,velocity:tool,accel:tool,gyro:tool,reaction:elbow_pitch", "--trim", "forces")
        self.assertEqual(len(out["inputs"]), 7 + 6 + 3 + 3)
        self.assertEqual(len(out["outputs"]), 6 + 6 + 3 + 3 + 6)
        self.assertEqual(out["outputs"][:6], [f"pose:tool.{part}" for part in ("rx", "ry", "rz", "x", "y", "z")])
        self.assertEqual(len(out["D"]), 24)
        self.assertEqual(len(out["D"][0]), 19)
        # At rest an accelerometer feels minus gravity, whichever way it is turned.
        accel = dict(zip(out["outputs"], out["y0"]))
        self.close([sum(accel[f"accel:tool.{axis}"] ** 2 for axis in "xyz") ** 0.5], [9.81], 1e-9)

    def test_off_equilibrium_it_says_so(self):
        at = self.write("pose.json", {"q": {"shoulder": 0.5}})
        done = run("linearize", "two_link", "--at", at)
        self.assertEqual(done.returncode, 0)
        self.assertIn("not in equilibrium", done.stderr)
        self.assertIn("--trim forces", done.stderr)
        out = json.loads(done.stdout)
        self.assertNotEqual(out["f0"][2:], [0, 0])
        qdd = json.loads(self.ok("compute", "two_link", "--state", at, "--get", "qdd"))["results"]["qdd"]
        self.close(out["f0"][2:], qdd)
        held = self.linear("two_link", "--at", at, "--trim", "forces")
        self.assertLess(max(map(abs, held["f0"])), 1e-12)
        gravity = json.loads(self.ok("compute", "two_link", "--state", at, "--get", "gravity"))["results"]["gravity"]
        self.close(held["u0"], gravity)

    def test_a_floating_base_without_support_is_refused(self):
        self.fails(1, "linearize", "quadruped", "--base", "floating", "--trim", "forces", says="needs support")

    def test_what_trim_cannot_balance_is_told_by_dof_and_by_input(self):
        at = self.write("pose.json", {"q": [0.5, 0.3]})
        self.fails(1, "linearize", "two_link", "--at", at, "--trim", "forces", "--inputs", "wrench:upper_link",
                   says=["no input balances the generalized force 'elbow' 70.37", "inputs that move nothing, alone or together: ",
                         "wrench:upper_link.mx", "wrench:upper_link.fy"])

    def test_a_star_does_not_drive_a_floating_base(self):
        self.fails(1, "linearize", "quadruped", "--trim", "forces", "--inputs", "T:*", says="needs support")
        held = self.linear("quadruped", "--trim", "forces", "--inputs", "T:*,wrench:trunk")
        u0 = dict(zip(held["inputs"], held["u0"]))
        self.assertEqual(u0["T:base.vz"], 0)
        mass = self.compute("quadruped", "mass")["mass"]
        self.close([u0["wrench:trunk.fz"]], [9.81 * mass])

    def test_files(self):
        out = self.linear("two_link")
        path = (self.folder / "two_link.json")
        self.assertEqual(self.ok("linearize", "two_link", "-o", path), "")
        with open(path) as file:
            self.assertEqual(json.load(file), out)
        path = (self.folder / "two_link.csv")
        self.ok("linearize", "two_link", "-o", path)
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        self.assertIn("q:elbow", rows[0])

    def test_quaternions(self):
        out = self.linear("spacecraft", "--quaternions", "--base", "floating")
        tangent = self.linear("spacecraft", "--base", "floating")
        self.assertEqual(len(out["states"]), len(tangent["states"]) + 1)
        spin = self.write("spin.json", {"base": {"quat": [0.8, 0, 0.6, 0], "twist": [0.3, -0.2, 0.5, 0.1, 0, 0]}})
        words = "the quaternion of 'floating_base' has four states for three dofs: one eigenvalue of A, 0, is that of its length"
        path = self.folder / "spin.csv"
        done = run("linearize", "spacecraft", "--quaternions", "--at", spin)
        self.assertIn(words, done.stderr)
        moving = json.loads(done.stdout)
        for system in (out, moving):
            self.assertTrue(any(words in note for note in system["notes"]))
            along = system["q0"][:4] + [0] * (len(system["states"]) - 4)       # the length: A times it is zero
            self.close(multiply(system["A"], along), [0] * len(along), 1e-14)
        self.ok("linearize", "spacecraft", "--quaternions", "--at", spin, "-o", path)
        with open(path, newline="") as file:
            rows = list(csv.reader(file))
        self.assertTrue(any(row[0].startswith("note: " + words) for row in rows))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        recorded = json.loads(self.ok("simulate", "spacecraft", "--base", "floating", "--time", 0.001, "--signals", "q:*,v:*"))
        self.assertEqual(out["states"], [s["name"] for s in recorded["signals"]][1:])   # the same names
        self.fails(2, "linearize", "spacecraft", "--quaternions", "--actuators", 0.1, says="do not go together")

    def test_what_is_told(self):
        self.assertEqual(self.linear("two_link", "--outputs", "pose:tip")["notes"], [])
        half = self.write("half.json", {"q": [3.1415, 0]})
        self.assertIn("near pi, where it jumps", run("linearize", "two_link", "--at", half, "--outputs", "pose:tip").stderr)
        at = self.write("a.json", {"a": [1, 0]})
        self.assertIn("a is not used by linearize", run("linearize", "two_link", "--at", at).stderr)

    def test_a_link_to_a_file_stays(self):
        for ending in "json", "csv", "mat":
            target, link = self.folder / f"target.{ending}", self.folder / f"link.{ending}"
            target.write_text("old")
            link.symlink_to(target)
            done = run("linearize", "two_link", "-o", link)
            if ending == "mat" and "matio was not there" in done.stderr:
                continue
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(link.is_symlink())
            self.assertNotEqual(target.read_bytes(), b"old")

    def test_a_link_to_nothing_yet_stays(self):
        (self.folder / "sub").mkdir()
        for ending in "json", "csv", "mat":
            target, link = self.folder / "sub" / f"new.{ending}", self.folder / f"ahead.{ending}"
            link.symlink_to(target.relative_to(self.folder))
            done = run("linearize", "two_link", "-o", link)
            if ending == "mat" and "matio was not there" in done.stderr:
                continue
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(link.is_symlink() and target.is_file())
        lost, circle = self.folder / "lost.json", self.folder / "circle.json"
        lost.symlink_to(self.folder / "nowhere" / "x.json")
        circle.symlink_to(circle)
        self.fails(1, "linearize", "two_link", "-o", lost, says="cannot be opened for writing")
        self.fails(1, "linearize", "two_link", "-o", circle, says="lead in a circle")
        self.assertTrue(lost.is_symlink() and circle.is_symlink())

    def test_forces_that_redundant_loops_share_are_named(self):
        bars = MODELS.parent / "tests/golden/closed/four_bar_3d_5dof_closure.json"
        loops = json.loads(self.ok("compute", bars, "--get", "loop_wrench"))["results"]["loop_wrench"]["loops"]
        done = run("linearize", bars, "--outputs", "loop:*,reaction:*")
        out = json.loads(done.stdout)
        note = [text for text in out["notes"] if text.startswith("not determined by the motion")]
        self.assertEqual(len(note), 1, out["notes"])
        self.assertIn(note[0], done.stderr)
        named = note[0].split(": ", 1)[1].split(";")[0].split(", ")
        parts = ("mx", "my", "mz", "fx", "fy", "fz")
        self.assertEqual([name for name in named if name.startswith("loop:")],
                         [f"loop:{loop['name']}.{part}" for loop in loops for part, unique in zip(parts, loop["unique"]) if not unique])
        self.assertTrue(any(name.startswith("reaction:") for name in named))
        plane = MODELS.parent / "tests/golden/closed/four_bar.json"
        self.assertFalse(any("not determined" in text for text in self.linear(plane, "--outputs", "loop:*,reaction:*")["notes"]))

    def test_the_point_of_a_model_that_turns(self):
        """x0 and f0 of rotations: displacements from neutral, and the rates v and v_dot."""
        model = self.write("mixed.json", mixed_model())
        state = {"q": {"spherical": [0.8, 0.6, 0, 0], "revolute": 0.3}, "v": [0.1 * k for k in range(1, 22)]}
        n = len(json.loads(self.ok("linearize", model))["states"]) // 2
        state["v"] = state["v"][:n]
        at = self.write("at.json", state)
        out = self.linear(model, "--at", at)
        x0, f0 = (dict(zip(out["states"], out[key])) for key in ("x0", "f0"))
        turn = 2 * math.atan2(0.6, 0.8)
        spherical = [name for name in out["states"] if name.startswith("q:spherical")]
        self.close([x0[name] for name in spherical], [turn, 0, 0])
        self.close([x0["q:revolute"]], [0.3])
        self.assertEqual(out["x0"][n:], state["v"])
        self.assertEqual(out["f0"][:n], state["v"])
        qdd = json.loads(self.ok("compute", model, "--state", at, "--get", "qdd"))["results"]["qdd"]
        self.close(out["f0"][n:], qdd, 1e-10)

    def test_derivatives_of_compute(self):
        out = self.linear("arm7", "--no-passive")
        results = json.loads(self.ok("compute", "arm7", "--get", "dqdd_dq,dqdd_dv,M_inv"))["results"]
        for row, dq, dv, inverse in zip(out["A"][7:], results["dqdd_dq"], results["dqdd_dv"], results["M_inv"]):
            self.close(row, dq + dv, 1e-12)
        for row, inverse in zip(out["B"][7:], results["M_inv"]):
            self.close(row, inverse, 1e-9)

    def test_wrong_use(self):
        self.fails(2, "linearize", "two_link", "--inputs", "T:elbo", says="unknown dof 'elbo'; did you mean 'elbow'?")
        self.fails(2, "linearize", "two_link", "--outputs", "speed:tool", says="unknown output 'speed'")
        self.fails(2, "linearize", "two_link", "--trim", "torque", says="expected forces")
        self.fails(2, "linearize", "two_link", "-o", "out.txt", says=".json, .csv or .mat")
        self.fails(2, "linearize", "two_link", "--friction-speed", "-1", says="above zero")
        self.fails(2, "linearize", says="needs a MODEL")


if __name__ == "__main__":
    unittest.main()
