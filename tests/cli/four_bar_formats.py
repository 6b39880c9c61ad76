#!/usr/bin/env python3
"""One four-bar in every format: the accelerations of the golden file, through the reader of each."""

import json
import pathlib
import unittest

from _cli import CliTest, run

TESTS = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = TESTS / "golden/closed/four_bar.json"


class FourBarFormats(CliTest):
    def setUp(self):
        super().setUp()
        self.golden = json.loads(GOLDEN.read_text(encoding="utf-8"))

    def agrees(self, file, *options, drawn_at_the_state=False):
        """Drawn at the golden state, coordinates count from it."""
        path = TESTS / "data" / file
        if file.endswith(".sdf") and "cannot read" in run("info", path).stderr:
            self.skipTest("built without sdformat")
        q = [0.0] * 3 if drawn_at_the_state else [x for hinge in self.golden["state"]["q"] for x in hinge]
        state = {"q": q, "v": self.golden["state"]["v"], "T": self.golden["tau"]}
        options = ("--independent", "motor", *options)
        got = self.compute(path, "qdd,mobility,M_ind", state, *options)
        self.close(got["qdd"], self.golden["outputs"]["vdot"], 1e-12)
        self.close(got["M_ind"], self.golden["outputs"]["mass_matrix_independent"], 1e-12)
        self.assertEqual(got["mobility"], 1)
        # And again as a native file.
        native = self.folder / "native.json"
        self.ok("convert", path, "-o", native)
        self.assertEqual(self.compute(native, "qdd", state, *options)["qdd"], got["qdd"])

    def test_native(self):
        got = self.compute(GOLDEN, "qdd,mobility")
        self.close(got["qdd"], self.golden["outputs"]["vdot"], 1e-12)
        self.assertEqual(got["mobility"], 1)

    def test_sdf_with_two_parent_joints(self):
        self.agrees("sdf/golden_four_bar.sdf", drawn_at_the_state=True)

    def test_mjcf_with_a_connect(self):
        self.agrees("mjcf/golden_four_bar.xml", drawn_at_the_state=True)

    def test_mjcf_with_two_connects(self):
        self.agrees("mjcf/golden_four_bar_hinge.xml", drawn_at_the_state=True)

    def test_urdf_plus(self):
        self.agrees("urdf/golden_four_bar.urdf", "--gravity=0,-9.81,0")


if __name__ == "__main__":
    unittest.main()
