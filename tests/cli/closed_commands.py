"""sweepdyn assemble and simulate on mechanisms with loops: states that read back, branches, reasons by loop name."""

import json
import math
import unittest

from _cli import GRIPPER, CliTest, run


def bars(a, b, c, d, **crank):
    """A four-bar in the plane xy: crank, coupler, rocker on a ground link d, pinned by loop 'pin'."""
    def body(name, length):
        return {"name": name, "mass": 1, "com": [length / 2, 0, 0],
                "inertia_com": [[0.01, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}

    def hinge(name, parent, x, **more):
        return {"name": name, "kind": "revolute", "parent": parent, "child": name, "position_in_parent": [x, 0, 0],
                "axis": [0, 0, 1], **more}

    return {"format": "sweepdyn-model/1", "name": "bars", "gravity": [0, -9.81, 0],
            "bodies": [body("crank", a), body("coupler", b), body("rocker", c)],
            "hinges": [hinge("crank", -1, 0, **crank), hinge("coupler", "crank", a), hinge("rocker", -1, d)],
            "loops": [{"name": "pin", "kind": "planar_pin", "body_a": "coupler", "position_a": [b, 0, 0],
                       "body_b": "rocker", "position_b": [c, 0, 0]}]}


class Assemble(CliTest):
    def guess(self):
        return self.write("guess.json", {"q": {"crank": 1.0, "rocker": 1.0}, "v": {"crank": 2.0}, "T": {"crank": 3}})

    def test_a_state_that_simulate_takes_without_a_word(self):
        model, out, rows = self.write("bars.json", bars(1, 2.5, 2, 3)), self.folder / "closed.json", self.folder / "out.csv"
        self.ok("assemble", model, "--state", self.guess(), "--hold", "crank", "-o", out)
        state = json.loads(out.read_text())
        q = state["q"]
        self.assertEqual(q[0], 1.0)
        self.assertEqual(state["T"], [3, 0, 0])
        coupler, rocker = q[0] + q[1], q[2]
        self.assertAlmostEqual(math.cos(1) + 2.5 * math.cos(coupler), 3 + 2 * math.cos(rocker), delta=1e-13)
        self.assertAlmostEqual(math.sin(1) + 2.5 * math.sin(coupler), 2 * math.sin(rocker), delta=1e-13)
        done = run("simulate", model, "--at", out, "--time", 1, "--signals", "closure:*,energy,q:*", "-o", rows)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = rows.read_text().splitlines()
        self.assertTrue(lines[0].startswith("time [s],closure:pin"), lines[0])
        self.assertEqual(len(lines), 1002)
        self.assertLess(max(float(line.split(",")[1]) for line in lines[1:]), 1e-13)

    def test_held_dofs_keep_their_velocities(self):
        model = self.write("bars.json", bars(1, 2.5, 2, 3))
        guess = self.write("v.json", {"q": {"crank": 1, "rocker": 1}, "v": {"crank": -3, "rocker": 7}})
        done = run("assemble", model, "--state", guess, "--hold", "crank")
        v = json.loads(done.stdout)["v"]
        self.assertEqual((done.stderr, v[0]), ("", -3))
        # one dof moves: the others go with it, as with any other velocity
        twice = self.write("w.json", {"q": {"crank": 1, "rocker": 1}, "v": {"crank": -6}})
        self.close(json.loads(self.ok("assemble", model, "--state", twice, "--hold", "crank"))["v"], [2 * x for x in v], 1e-12)
        closed = self.write("c.json", {"q": json.loads(done.stdout)["q"], "v": {"crank": 1, "rocker": 7}})
        done = run("assemble", model, "--state", closed, "--hold", "crank,rocker")
        self.assertIn("note: velocities of held dofs follow from those of others: '", done.stderr)

    def test_held_dofs_beyond_their_limits_are_told(self):
        model = self.write("bars.json", bars(1, 2.5, 2, 3, limits={"lower": [-1], "upper": [0.5]}))
        done = run("assemble", model, "--state", self.guess(), "--hold", "crank")
        self.assertEqual((done.returncode, done.stderr), (0, "sweepdyn: note: 'crank' is held at 1, beyond its limits -1 to 0.5\n"))
        self.assertEqual(run("assemble", model, "--state", self.guess(), "--hold", "crank", "--no-limits").stderr, "")

    def test_branches(self):
        model = self.write("bars.json", bars(1, 2.5, 2, 3))
        done = run("assemble", model, "--state", self.guess(), "--hold", "crank", "--branches", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        states = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(states), 2)
        self.assertTrue(all(state["q"][0] == 1.0 for state in states))
        self.assertNotAlmostEqual(states[0]["q"][2], states[1]["q"][2], delta=0.1)
        self.assertIn("note: 2 of 3 branches found", done.stderr)

    def test_reasons_by_loop_name(self):
        short = self.write("short.json", bars(1, 1, 1, 4.25))
        self.fails(1, "assemble", short, "--state", self.guess(), says=["loop 'pin' stays open by 1.25 m", "the gap is least"])
        kept = self.write("kept.json", bars(2.5, 2, 1.2, 3, limits={"lower": [2.0], "upper": [2.5]}))
        self.fails(1, "assemble", kept, says=["loop 'pin' stays open", "'crank' is stopped by its lower limit 2"])
        self.ok("assemble", kept, "--no-limits")

    def test_usage(self):
        model = self.write("bars.json", bars(1, 2.5, 2, 3))
        self.fails(2, "assemble", model, "--hold", "cranck", says="did you mean 'crank'?")
        self.fails(2, "assemble", model, "--hold", "crank,", says="a name is empty")
        self.fails(2, "assemble", model, "--branches", "0", says="a whole number from 1 to 1e6")
        self.fails(1, "assemble", "two_link", says="no loops or couplings")


class SimulateClosed(CliTest):
    def test_a_start_that_is_open_is_refused_by_name(self):
        model = self.write("bars.json", bars(1, 2.5, 2, 3))
        self.fails(1, "simulate", model, "--time", 1, says=["loop 'pin' is open by", "sweepdyn assemble"])

    def test_a_start_that_is_a_little_off_is_closed_with_a_note(self):
        path = self.write("gripper.urdf", GRIPPER)
        done = run("simulate", path, "--time", 0.01, "--signals", "closure,q:*")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: loop 'right_finger' was off by 0.005 at the start and has been closed", done.stderr)
        q = {s["name"]: s["values"] for s in json.loads(done.stdout)["signals"]}
        for left, right in zip(q["q:left_finger"], q["q:right_finger"]):
            self.assertAlmostEqual(right, -left + 0.005, delta=1e-14)
        self.assertLess(max(q["closure"]), 1e-14)

    def test_every_method_gives_the_same_motion(self):
        model = self.write("bars.json", bars(1, 2.5, 2, 3))
        closed = self.folder / "closed.json"
        self.ok("assemble", model, "--state", self.write("g.json", {"q": [1, 0, 1]}), "--hold", "crank", "-o", closed)
        ends = []
        for how in (["--step", 1e-3], ["--rtol", 1e-10], ["--method", "stiff", "--rtol", 1e-10], ["--method", "dae", "--rtol", 1e-9]):
            done = run("simulate", model, "--at", closed, "--time", 1, "--every", 1, "--signals", "q:*,closure", *how)
            if "without SUNDIALS" in done.stderr:
                continue
            self.assertEqual(done.returncode, 0, done.stderr)
            signals = json.loads(done.stdout)["signals"]
            self.assertLess(signals[-1]["values"][-1], 1e-13)
            ends.append([s["values"][-1] for s in signals[1:4]])
        for end in ends:
            self.close(end, ends[0], 1e-6)

    def test_a_model_file_begins_with_its_own_state(self):
        path = self.write("bars.json", {**bars(1, 2.5, 2, 3), "state": {"q": [1.0, 0.0, 1.0], "v": [0, 0, 0]}})
        closed = json.loads(self.ok("assemble", path, "--hold", "crank"))
        self.assertEqual(closed["q"][0], 1.0)
        path = self.write("bars.json", {**bars(1, 2.5, 2, 3), "state": {"q": closed["q"], "v": [0, 0, 0]}})
        result = json.loads(self.ok("simulate", path, "--time", 0.01, "--signals", "q:crank"))
        self.assertEqual(result["signals"][1]["values"][0], 1.0)

    def test_signals_of_loops(self):
        self.fails(2, "simulate", "two_link", "--time", 1, "--signals", "closure", says="has no loops")
        model = self.write("bars.json", bars(1, 2.5, 2, 3))
        self.fails(2, "simulate", model, "--time", 1, "--signals", "closure:pinn", says="did you mean 'pin'?")


if __name__ == "__main__":
    unittest.main()
