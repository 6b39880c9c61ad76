"""sweepdyn bode: the response that a pendulum must have, in every form."""

import cmath
import csv
import json
import math
import pathlib
import unittest

from _cli import CliTest, pendulum_urdf, run

CLOSED = pathlib.Path(__file__).resolve().parent.parent / "golden/closed"


class Bode(CliTest):
    def pendulum(self):
        return self.write("pendulum.urdf", pendulum_urdf(joint='<dynamics damping="0.7"/>'))

    def test_a_pendulum(self):
        """(I s^2 + d s + m g l) q = T."""
        result = json.loads(self.ok("bode", self.pendulum(), "--outputs", "q:pivot", "--from", 0.01, "--to", 10, "--points", 31))
        frequency, magnitude, phase = result["signals"]
        self.assertEqual([s["name"] for s in result["signals"]], ["frequency", "magnitude:q:pivot/T:pivot", "phase:q:pivot/T:pivot"])
        self.assertEqual([s["unit"] for s in result["signals"]], ["Hz", "dB", "deg"])
        self.assertEqual([len(frequency["values"]), frequency["values"][0], frequency["values"][-1]], [31, 0.01, 10])
        for f, dB, degrees in zip(frequency["values"], magnitude["values"], phase["values"]):
            s = 2j * math.pi * f
            G = 1 / (2.1 * s * s + 0.7 * s + 2 * 9.81)
            self.assertAlmostEqual(dB, 20 * math.log10(abs(G)), delta=1e-9)
            self.assertAlmostEqual(degrees, math.degrees(cmath.phase(G)), delta=1e-9)
        [channel] = result["channels"]
        self.assertEqual([channel["input"], channel["output"], channel["zeros"]], ["T:pivot", "q:pivot", []])
        self.close(channel["gain"], 1 / 2.1)
        self.assertEqual(len(channel["poles"]), 2)

    def test_every_form(self):
        arguments = ["bode", self.pendulum(), "--outputs", "q:*,gyro:rod"]
        table, picture = self.folder / "b.csv", self.folder / "b.svg"
        done = run(*arguments, "-o", table)
        self.assertIn("note: left out, for nothing passes: gyro:rod.x/T:pivot and 1 more", done.stderr)
        with open(table, encoding="utf-8") as file:
            header = next(csv.reader(file))
        self.assertEqual(header, ["frequency [Hz]", "magnitude:q:pivot/T:pivot [dB]", "magnitude:gyro:rod.y/T:pivot [dB]",
                                  "phase:q:pivot/T:pivot [deg]", "phase:gyro:rod.y/T:pivot [deg]"])
        self.assertEqual(self.ok(*arguments, "-o", picture), "")
        self.assertIn("magnitude", picture.read_text())
        self.assertEqual(self.ok("plot", table, "--log-x", "-o", "-")[:4], "<svg")
        text = self.write("b.json", self.ok(*arguments))
        self.assertEqual(self.ok("plot", text, "--log-x", "-o", "-")[:4], "<svg")

    def channels(self, *arguments):
        done = run("bode", *arguments, "--points", 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [f"{c['output']}/{c['input']}" for c in json.loads(done.stdout)["channels"]], done.stderr

    def test_few_curves_unless_others_are_named(self):
        self.assertEqual(self.channels(CLOSED / "four_bar.json")[0], ["q:crank/T:crank"])
        few, told = self.channels(CLOSED / "stewart_6ups.json")
        self.assertEqual(len(few), 6)
        for channel in few:
            output, force = channel.split("/")
            self.assertEqual(output[2:], force[2:])
        self.assertIn("note: of 36 curves, too many to be told apart, 6 of a dof under its own force are drawn; name others by "
                      "--inputs and --outputs together\n", told)
        self.assertNotIn("the inputs are the forces on all dofs", told)
        legs = ",".join(channel.split("/T:")[1] for channel in few)
        named = [f"{kind}{dof}" for kind in ("T:", "q:") for dof in legs.split(",")]
        all_of_them, told = self.channels(CLOSED / "stewart_6ups.json", "--inputs", ",".join(named[:6]), "--outputs", ",".join(named[6:]))
        self.assertEqual(len(all_of_them), 36)
        self.assertNotIn("too many", told)
        self.assertEqual(len(self.channels("two_link")[0]), 4)
        few, told = self.channels("humanoid", "--trim", "pose", "--base", "fixed")
        self.assertEqual(len(few), 12)
        self.assertIn("the first 12 of a dof under its own force are drawn", told)

    def test_refused(self):
        for says, *arguments in (("ends in .json, .csv or .svg", "-o", "b.png"), ("expected --from below --to", "--from", 10, "--to", 1),
                                 ("--points: got '2.5'", "--points", 2.5), ("--from: got 'x'", "--from", "x")):
            self.fails(2, "bode", self.pendulum(), *arguments, says=says)
        self.fails(1, "bode", self.pendulum(), "--outputs", "gyro:world", says="reaches any of the outputs")


if __name__ == "__main__":
    unittest.main()
