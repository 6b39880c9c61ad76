#!/usr/bin/env python3
"""The mechanisms in models/: closed as they are, with the mobility and the motion that their pages promise."""

import json
import math
import unittest

from _cli import CliTest, run as call

LINKAGES = {"four_bar": ["crank"], "gripper": ["rotor"], "stewart": [f"slide_{i}" for i in range(1, 7)]}


class ShippedLinkages(CliTest):
    def test_mobility_and_no_doubts(self):
        for name, drives in LINKAGES.items():
            with self.subTest(name):
                info = json.loads(self.ok("info", name, "--json"))
                self.assertEqual(info["topology"]["independent"], drives)
                self.assertEqual(info["actuated"], drives)
                self.assertNotIn("doubt", call("info", name).stdout)

    def test_the_file_is_a_state_that_closes_and_answers(self):
        for name, drives in LINKAGES.items():
            with self.subTest(name):
                done = call("compute", name, "--get", "qdd,T,M_ind,loop_wrench")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                answer = json.loads(done.stdout)["results"]
                pushed = [d for d, T in zip(json.loads(self.ok("info", name, "--json"))["dofs"], answer["T"]) if T != 0]
                self.assertEqual(pushed, drives)

    def test_its_drives_hold_it(self):
        for name in LINKAGES:
            with self.subTest(name):
                state = json.loads(self.ok("assemble", name))
                state["T"] = self.compute(name, "T")["T"]
                self.assertLess(max(map(abs, self.compute(name, "qdd", state)["qdd"])), 1e-10)

    def test_they_stay_closed_as_they_fall(self):
        for name in LINKAGES:
            with self.subTest(name):
                run = json.loads(self.ok("simulate", name, "--time", "0.3", "--step", "1e-3", "--signals", "closure"))
                time, closure = (signal["values"] for signal in run["signals"])
                self.assertEqual(time[-1], 0.3)
                self.assertLess(max(closure), 1e-13)

    def test_the_crank_turns_all_the_way_round(self):
        for i in range(24):
            guess = {"q": {"crank": i * math.pi / 12, "coupler": 1 - i * math.pi / 12, "rocker": 1.8}}
            self.ok("assemble", "four_bar", "--state", "-", "--hold", "crank", stdin=json.dumps(guess))

    def test_the_gripper_keeps_its_fingers_parallel_and_meets_at_the_middle(self):
        for angle in (0.4, 0.9, -math.asin(0.011 / 0.06)):
            state = self.ok("assemble", "gripper", "--hold", "rotor", "--state", "-", stdin=json.dumps(
                {"q": {"rotor": 30 * angle, "left_driver": angle, "left_finger": -angle, "left_follower": angle,
                       "right_driver": -angle, "right_finger": angle, "right_follower": -angle}}))
            poses = self.compute("gripper", "pose:left_pad,pose:right_pad", state)
            left, right = (poses[f"pose:{side}_pad"] for side in ("left", "right"))
            x, gap = [pose["p"] for pose in (left, right)], 2 * (0.011 + 0.06 * math.sin(angle))
            self.assertAlmostEqual(x[1][0] - x[0][0], gap, delta=1e-12)
            self.assertAlmostEqual(x[0][2], x[1][2], delta=1e-12)
            for pose in (left, right):
                self.close(pose["R"], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])


if __name__ == "__main__":
    unittest.main()
