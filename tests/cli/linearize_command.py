"""sweepdyn linearize: numbers of paper 002, signals by name, trim, files, and wrong use."""
import csv
import json
import unittest

from _cli import CliTest, run


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
        self.assertTrue(any("quaternion" in note for note in out["notes"]))
        recorded = json.loads(self.ok("simulate", "spacecraft", "--base", "floating", "--time", 0.001, "--signals", "q:*,v:*"))
        self.assertEqual(out["states"], [s["name"] for s in recorded["signals"]][1:])   # the same names
        self.fails(2, "linearize", "spacecraft", "--quaternions", "--actuators", 0.1, says="do not go together")

    def test_what_is_told(self):
        notes = self.linear("two_link", "--outputs", "pose:tip")["notes"]
        self.assertIn("rx, ry, rz of 'pose:tip'", notes[0])
        self.assertIn("R = R0 exp(y), where y0 is the rotation vector of R0", notes[0])
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
