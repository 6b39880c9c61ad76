#!/usr/bin/env python3
"""Poses where loops are singular or redundant, at the command line: what is told, which accelerations are given, what is refused."""

import json
import math
import unittest

from _cli import CliTest, run


class Singular(CliTest):
    """Poses where more can move than nearby, and rows that say nothing or too much."""

    def mechanism(self, loops, q=(0, 0, 0), length=1, **more):
        def bar(name, size):
            return {"name": name, "mass": 1, "com": [size / 2, 0, 0], "inertia_com": [[0.01, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}
        return self.write("bars.json", {
            "format": "sweepdyn-model/1", "name": "bars", "gravity": [0, -9.81, 0],
            "bodies": [bar("crank", 1), bar("coupler", 2), bar("rocker", 1)],
            "hinges": [{"name": "crank", "kind": "revolute", "parent": -1, "child": "crank", "axis": [0, 0, 1]},
                       {"name": "coupler", "kind": "revolute", "parent": "crank", "child": "coupler", "axis": [0, 0, 1],
                        "position_in_parent": [length, 0, 0]},
                       {"name": "rocker", "kind": "revolute", "parent": -1, "child": "rocker", "axis": [0, 0, 1],
                        "position_in_parent": [2, 0, 0], **more}],
            "loops": loops, "state": {"q": [[x] for x in q], "v": [0, 0, 0]}, "tau": [0, 0, 0]})

    def pin(self, kind="planar_pin"):
        return [{"name": "pin", "kind": kind, "body_a": "coupler", "position_a": [2, 0, 0], "body_b": "rocker",
                 "position_b": [1, 0, 0]}]

    def test_a_flat_parallelogram_is_told(self):
        path = self.mechanism(self.pin())
        self.assertIn("a singular pose: loop 'pin': its hinges have mobility 2 here, 1 nearby", " ".join(self.ok("info", path).split()))
        self.assertEqual(json.loads(self.ok("info", path, "--json"))["topology"]["singular"],
                         [{"loops": ["pin"], "mobility": 2, "mobility_nearby": 1, "first_order_only": False}])
        for command in (["compute", path, "--get", "qdd"], ["linearize", path, "-o", "-"]):
            self.assertIn("a singular pose: loop 'pin'", run(*command).stderr)
        bent = self.mechanism(self.pin(), (0.7, -0.7, 0.7))
        for command in (["compute", bent, "--get", "qdd"], ["linearize", bent, "-o", "-"]):
            self.assertNotIn("singular", run(*command).stderr)

    def test_accelerations_where_branches_meet(self):
        """A flat parallelogram that moves as one, driven at its crank: bars of 1 kg, 1, 2, 1 m long, crank and rocker swing, the coupler does not turn."""
        path = self.mechanism(self.pin())
        bodies = json.loads(path.read_text())["bodies"]
        at = {"v": [1, -1, 1], "T": [5, 0, 0]}
        done = run("compute", path, "--get", "qdd,loop_wrench", "--state", "-", stdin=json.dumps(at))
        self.assertIn("accelerations are those of the branch that the velocities are of", done.stderr)
        self.assertIn("loop_wrench: towards this pose forces of the loops grow beyond all numbers", done.stderr)
        crank, coupler, rocker = bodies
        turn = lambda body: body["inertia_com"][2][2] + body["mass"] * body["com"][0] ** 2
        gravity = json.loads(path.read_text()).get("gravity", [0, 0, -9.81])[1]
        inertia = turn(crank) + turn(rocker) + coupler["mass"]
        push = 5 + gravity * (crank["mass"] * crank["com"][0] + rocker["mass"] * rocker["com"][0] + coupler["mass"])
        results = json.loads(done.stdout)["results"]
        for got, sign in zip(results["qdd"], (1, -1, 1)):
            self.assertAlmostEqual(got, sign * push / inertia, delta=1e-10 * abs(push))
        self.assertFalse(any(results["loop_wrench"]["loops"][0]["unique"]))
        between = run("compute", path, "--get", "qdd", "--state", "-", stdin=json.dumps({"v": [1, -2, -1], "T": [5, 0, 0]}))
        self.assertIn("the velocities are of none of the branches", between.stderr)
        rest = run("compute", path, "--get", "qdd", "--state", "-", stdin=json.dumps({"T": [5, 0, 0]}))
        self.assertIn("at rest, accelerations are those to first order", rest.stderr)

    def test_three_cranks_in_line(self):
        """Cranks of 0.7 m that one rod joins, flat: they all turn alike, whatever was asked before."""
        def body(name, size):
            return {"name": name, "mass": 1, "com": [size / 2, 0, 0], "inertia_com": [[0.01, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}
        def hinge(name, parent, x):
            return {"name": name, "kind": "revolute", "parent": parent, "child": name, "axis": [0, 0, 1], "position_in_parent": [x, 0, 0]}
        def pin(wheel, x):
            return {"name": wheel, "kind": "planar_pin", "body_a": "rod", "position_a": [x, 0, 0], "body_b": wheel, "position_b": [0.7, 0, 0]}
        path = self.write("rods.json", {
            "format": "sweepdyn-model/1", "name": "rods", "gravity": [0, -9.81, 0],
            "bodies": [body("crank", 0.7), body("rod", 2), body("mid", 0.7), body("end", 0.7)],
            "hinges": [hinge("crank", -1, 0), hinge("rod", "crank", 0.7), hinge("mid", -1, 1.2), hinge("end", -1, 2)],
            "loops": [pin("mid", 1.2), pin("end", 2)]})
        inertia = 3 * (0.1 + 0.35 ** 2) + 0.7 ** 2
        lines = []
        for angle in (0, 0.3, 0):
            lines.append(json.dumps({"q": [angle, -angle, angle, angle], "v": [1.3, -1.3, 1.3, 1.3], "T": [5, 0, 0, 0]}))
        done = run("compute", path, "--get", "qdd", "--state", self.write("poses.jsonl", "\n".join(lines)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("mobility 2 here, 1 nearby; accelerations are those of the branch", done.stderr)
        for line, angle in zip(done.stdout.splitlines(), (0, 0.3, 0)):
            wanted = (5 - 9.81 * math.cos(angle) * (3 * 0.35 + 0.7)) / inertia
            for got, sign in zip(json.loads(line)["results"]["qdd"], (1, -1, 1, 1)):
                self.assertAlmostEqual(got, sign * wanted, delta=1e-9 * abs(wanted))

    def test_what_derivatives_lose_nearby(self):
        near = self.mechanism(self.pin(), (1e-4, -1e-4, 1e-4))
        for command in (["compute", near, "--get", "dqdd_dq_ind"], ["linearize", near, "-o", "-"]):
            self.assertIn("near a singular pose: a row of loop 'pin' has all but gone", run(*command).stderr)
        self.assertNotIn("all but gone", run("compute", near, "--get", "qdd").stderr)

    def test_motions_of_first_order_only(self):
        """Three bars in one line between two fixed points: they seem to move, and cannot."""
        pin = [{"name": "pin", "kind": "planar_pin", "body_a": "rocker", "position_a": [1, 0, 0], "body_b": -1, "position_b": [3, 0, 0]}]
        model = json.loads(self.mechanism(pin).read_text())
        model["hinges"][2].update(parent="coupler", position_in_parent=[1, 0, 0])
        path = self.write("bars.json", model)
        says = "loop 'pin': its hinges have mobility 2 here to first order only; no motion of finite size was found"
        self.assertIn(f"a singular pose: {says}", " ".join(self.ok("info", path).split()))
        self.assertEqual(json.loads(self.ok("info", path, "--json"))["topology"]["singular"],
                         [{"loops": ["pin"], "mobility": 2, "mobility_nearby": 0, "first_order_only": True}])
        self.assertIn(f"note: a singular pose: {says}; what is told holds at this pose alone",
                      run("linearize", path, "-o", "-").stderr)
        self.assertIn(f"note: a singular pose: {says}; at rest, accelerations are those to first order",
                      run("compute", path, "--get", "qdd").stderr)

    def test_rows_that_hold_nothing(self):
        loops = [{"name": "above", "kind": "rows", "rows": ["z"], "body_a": "coupler", "position_a": [2, 0, 0],
                  "body_b": "rocker", "position_b": [1, 0, 0]}]
        path = self.mechanism(loops, (0.3, 0.2, 0.1))
        out = json.loads(self.ok("linearize", path, "-o", "-"))
        self.assertEqual(len(out["states"]), 6)                                  # a row across the plane takes nothing away
        self.assertEqual(self.compute(path, "mobility")["mobility"], 3)
        self.assertIn("  redundant 1 row of above: restrains nothing here\n", self.ok("info", path))

    def test_dofs_that_follow_from_noise_alone_are_refused(self):
        cam = [{"name": "cam", "kind": "coupling", "dofs": ["crank", "coupler"], "polynomials": [[0, 1], [-1]], "offset": 0}]
        path = self.mechanism(cam, (1e-13, 1e-26, 0))                             # crank^2 = coupler, at its lowest point
        self.fails(1, "compute", path, "--get", "M_ind", "--independent", "coupler,rocker",
                   says="do not determine the motion here")
        self.assertEqual(self.compute(path, "mobility", None, "--independent", "crank,rocker")["mobility"], 2)

    def test_rounded_numbers_of_redundant_rows(self):
        c, s = math.cos(1e-9), math.sin(1e-9)
        path = self.mechanism(self.pin("revolute"), (0.7, -0.7, 0.7), rotation_in_parent=[[1, 0, 0], [0, c, -s], [0, s, c]])
        done = run("assemble", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("redundant rows contradict each other", done.stderr)
        state = self.write("closed.json", done.stdout)
        for command in (["compute", path, "--state", state, "--get", "qdd,mobility"], ["linearize", path, "--at", state, "-o", "-"],
                        ["simulate", path, "--at", state, "--time", "0.1", "-o", "-"]):
            done = run(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
            if command[0] == "compute":
                self.assertEqual(json.loads(done.stdout)["results"]["mobility"], 1)
        self.assertIn("mobility  1 of 3 dofs", self.ok("info", path))

    def test_forces_that_do_nothing(self):
        path = self.mechanism(self.pin(), (0.7, -0.7, 0.7))
        out = self.compute(path, "T_null,M_inv,T", None, "--actuated", "crank,rocker")
        self.assertEqual(len(out["T_null"]), 1)
        idle = out["T_null"][0]
        self.assertEqual(idle[1], 0)
        self.assertAlmostEqual(math.hypot(*idle), 1, 12)
        for row in out["M_inv"]:                                                  # it moves nothing
            self.assertLess(abs(sum(m * t for m, t in zip(row, idle))), 1e-12)
        self.assertLess(abs(sum(t * x for t, x in zip(out["T"], idle))), 1e-12)  # the least force has none of it


if __name__ == "__main__":
    unittest.main()
