"""sweepdyn info: the tree for people, the JSON for programs."""

import json
import unittest

from _cli import GRIPPER, MODELS, CliTest, mixed_model

FOUR_BAR = MODELS.parent / "tests" / "data" / "native" / "four_bar.json"
UTF8 = {"LANG": "C.UTF-8"}


class Text(CliTest):
    def test_two_link(self):
        text = self.ok("info", "two_link", env=UTF8)
        lines = text.splitlines()
        self.assertEqual(lines[0], "two_link: 2 dofs, 4 bodies, 20 kg, fixed base")
        self.assertIn("  └ base_link       base       weld        fixed", text)
        row = next(line for line in lines if "lower_link" in line).split()
        self.assertEqual(row, "└ lower_link elbow revolute y -3.142 .. 3.142 rad 10 kg".split())
        self.assertIn("  dofs      shoulder elbow\n", text)
        self.assertIn("  gravity   0 0 -9.81\n", text)

    def test_branches(self):
        text = self.ok("info", "quadruped", env=UTF8)
        self.assertIn("├ lf_hip", text)
        self.assertIn("│ └ lf_thigh", text)
        self.assertIn("└ rh_hip", text)
        self.assertIn("floating base", text)
        self.assertIn("base.wx base.wy base.wz base.vx base.vy base.vz lf_hip", text)

    def test_ascii_without_a_utf8_locale_or_when_asked_for(self):
        for options, env in ([], {"LANG": "C"}), (["--ascii"], UTF8), ([], {**UTF8, "LC_ALL": "POSIX"}):
            text = self.ok("info", "quadruped", *options, env=env)
            self.assertTrue(text.isascii())
            self.assertIn("|- lf_hip", text)

    def test_no_colours_in_a_pipe(self):
        self.assertNotIn("\033", self.ok("info", "arm7"))

    def test_every_hinge_kind_is_named(self):
        text = self.ok("info", self.write("mixed.json", mixed_model()))
        for words in ("revolute (0.6, 0, 0.8)", "helical (0.6, 0, 0.8), 0.1 m/rad", "universal (0.6, 0, 0.8) y",
                      "spherical", "6 dofs", "that can move (2 kg fixed)", "tip (on free_body)", "cylindrical.slide",
                      "planar.wz", "universal.2"):
            self.assertIn(words, text)

    def test_couplings_and_how_to_go_on(self):
        text = self.ok("info", self.write("gripper.urdf", GRIPPER))
        self.assertIn("  loops     'right_finger' = -1 'left_finger' + 0.005\n", text)

    def test_loops(self):
        text = self.ok("info", FOUR_BAR)
        self.assertIn("  loops     loop0: planar_pin between 'coupler' and 'rocker'\n", text)

    def test_damping_is_told(self):
        self.assertIn("damping at 7 hinges", self.ok("info", "arm7"))

    def test_notes_are_told(self):
        path = self.write("light.urdf", (MODELS / "two_link.urdf").read_text().replace('mass value="10"', 'mass value="0"'))
        text = self.ok("info", path)
        self.assertIn("Doubts (faults with --strict)\n", text)
        self.assertIn("  - body 'lower_link' has no mass\n", text)

    def test_a_continuous_hinge_has_no_range(self):
        model = mixed_model()
        model["hinges"][1].update(kind="continuous", limits={"lower": [-1], "upper": [1]})
        text = self.ok("info", self.write("wheel.json", model))
        self.assertRegex(text, r"revolute +continuous \(0.6, 0, 0.8\) +no limits ")
        self.assertIn("hinges[1].limits.lower: has no effect on a continuous hinge", text)

    def test_long_chains_are_drawn_by_number(self):
        text = self.ok("info", "chain:2000")
        self.assertIn("+1000 ", text)
        self.assertIn("and 1000 more bodies", text)


class Json(CliTest):
    def info(self, *arguments):
        return json.loads(self.ok("info", *arguments, "--json"))

    def test_keys(self):
        for model in "two_link", "quadruped", "random:20:3", self.write("gripper.urdf", GRIPPER):
            info = self.info(model)
            self.assertEqual(list(info), ["model", "bodies", "hinges", "frames", "dofs", "actuated", "total_mass", "floating",
                                          "mimic", "loops", "topology", "notes"])
            for body in info["bodies"]:
                self.assertEqual(list(body), ["name", "parent", "mass"])
            for hinge in info["hinges"]:
                self.assertEqual(list(hinge), ["name", "kind", "parent", "child", "dofs", "limits"])
            self.assertEqual([dof for hinge in info["hinges"] for dof in hinge["dofs"]], info["dofs"])
            self.assertEqual(len(info["loops"]), 1 if "gripper" in str(model) else 0)

    def test_two_link(self):
        info = self.info("two_link")
        self.assertEqual(info["bodies"][0], {"name": "base_link", "parent": None, "mass": 0})
        self.assertEqual(info["bodies"][2], {"name": "lower_link", "parent": "upper_link", "mass": 10})
        self.assertEqual(info["hinges"][1], {
            "name": "shoulder", "kind": "revolute", "parent": "base_link", "child": "upper_link", "dofs": ["shoulder"],
            "limits": {"lower": [-3.141592653589793], "upper": [3.141592653589793], "velocity": [20], "effort": [1000]}})
        self.assertEqual(info["hinges"][3]["limits"], {"lower": None, "upper": None, "velocity": None, "effort": None})
        self.assertEqual((info["dofs"], info["total_mass"], info["floating"]), (["shoulder", "elbow"], 20, False))

    def test_floating(self):
        self.assertIs(self.info("quadruped")["floating"], True)
        self.assertIs(self.info("quadruped", "--base", "fixed")["floating"], False)
        info = self.info("two_link", "--base", "floating")
        self.assertIs(info["floating"], True)
        self.assertEqual(info["dofs"], ["base.wx", "base.wy", "base.wz", "base.vx", "base.vy", "base.vz", "shoulder", "elbow"])

    def test_what_is_fixed_counts_in_no_total(self):
        self.assertEqual(self.info(self.write("mixed.json", mixed_model()))["total_mass"], 16)

    def test_mimic(self):
        path = self.write("gripper.urdf", GRIPPER)
        coupling, = self.info(path)["mimic"]
        self.assertEqual({k: coupling[k] for k in ("hinge", "of", "multiplier", "offset")},
                         {"hinge": "right_finger", "of": "left_finger", "multiplier": -1, "offset": 0.005})
        self.assertEqual(self.info(path)["loops"], [{"name": "right_finger", "kind": "coupling", "rows": 1,
                                                     "equation": "'right_finger' = -1 'left_finger' + 0.005"}])
        independent = self.info(path, "--mimic", "independent")
        self.assertEqual((independent["mimic"], independent["loops"]), ([], []))

    def test_loops(self):
        info = self.info(FOUR_BAR)
        self.assertEqual(info["mimic"], [])
        self.assertEqual(info["loops"], [{"name": "loop0", "kind": "planar_pin", "rows": 2, "body_a": "coupler",
                                          "body_b": "rocker"}])

    def test_dof_names_of_every_kind(self):
        info = self.info(self.write("mixed.json", mixed_model()))
        self.assertEqual(info["dofs"], [
            "revolute", "prismatic", "helical", "cylindrical.angle", "cylindrical.slide", "universal.1", "universal.2",
            "planar.wz", "planar.vx", "planar.vy", "spherical.wx", "spherical.wy", "spherical.wz",
            "free.wx", "free.wy", "free.wz", "free.vx", "free.vy", "free.vz"])

    def test_repeats_to_the_byte(self):
        self.assertEqual(self.ok("info", "humanoid", "--json"), self.ok("info", "humanoid", "--json"))


if __name__ == "__main__":
    unittest.main()
