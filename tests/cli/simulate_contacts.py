"""sweepdyn simulate --contacts: a block on three feet against the closed forms of friction, and what is refused."""

import csv
import unittest

from _cli import CliTest, run

BLOCK = {"format": "sweepdyn-model/1", "name": "block", "gravity": [0, 0, -9.81],
         "bodies": [{"name": "block", "mass": 2, "com": [0, 0, 0.1], "inertia_com": [[0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.02]]}],
         "hinges": [{"name": "base", "kind": "free", "parent": -1, "child": "block"}],
         "frames": [{"name": "foot0", "body": "block", "position": [0.1, 0.1, 0]},
                    {"name": "foot1", "body": "block", "position": [0.1, -0.1, 0]},
                    {"name": "foot2", "body": "block", "position": [-0.1, 0, 0]}]}
# Through the centre of mass, so that it does not turn.
FEET = {"contacts": [{"name": f"f{i}", "kind": "point", "hand": f"foot{i}", "mu": 0.5, "here": True,
                      "ground": {"point": [0, 0, 0], "normal": [0, 0, 2]}} for i in range(3)]}


class SimulateContacts(CliTest):
    def simulate(self, push, *options, feet=FEET):
        """The motion for a second under a push along x through the mean of the feet, and what was told."""
        state = {"external": [{"frame": "block", "wrench": [0, 0, 0, push, 0, 0]}]}
        out = self.folder / "out.csv"
        done = run("simulate", self.write("block.json", BLOCK), "--contacts", self.write("feet.json", feet), "--at",
                       self.write("push.json", state), "--time", 1, "--signals", "q:*,contact:*,closure", *options, "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out, encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
        return [dict(zip((name.split(" [")[0] for name in rows[0]), map(float, row))) for row in rows[1:]], done.stderr

    def test_it_stands(self):
        rows, told = self.simulate(4)
        self.assertEqual(told, "")
        last = rows[-1]
        self.assertEqual(last["time"], 1)
        self.assertAlmostEqual(sum(last[f"contact:f{i}.normal"] for i in range(3)), 2 * 9.81, delta=1e-11)
        self.assertAlmostEqual(last["q:base.x"], 0, delta=1e-14)
        self.assertLess(last["closure"], 1e-14)

    def test_it_slides(self):
        rows, told = self.simulate(11, "--on-slip", "slide")
        self.assertIn("slip", told)
        last = rows[-1]
        self.assertAlmostEqual(last["q:base.x"], 0.5 * (11 - 0.5 * 2 * 9.81) / 2, delta=1e-6)
        for i in range(3):
            self.assertAlmostEqual(last[f"contact:f{i}.tangential"], 0.5 * last[f"contact:f{i}.normal"], delta=1e-11)

    def test_it_stops_where_it_slips(self):
        rows, told = self.simulate(11)
        self.assertIn("stopped: contact", told)
        self.assertEqual(rows[-1]["time"], 0)

    def test_faults_are_told_together(self):
        model = self.write("block.json", BLOCK)
        wrong = [dict(foot) for foot in FEET["contacts"]]
        wrong[0]["kind"] = "pont"
        wrong[1]["friction"] = 0.3
        wrong[2]["ground"] = {"point": [0, 0], "normal": [0, 0, 0]}
        text = self.fails(1, "simulate", model, "--time", 1, "--contacts", self.write("feet.json", {"contacts": wrong}))
        for part in ("contact 'f0': unknown kind 'pont'; did you mean 'point'?", "contact 'f1': unknown key 'friction'",
                     "contact 'f2': ground's point: got 2 numbers, expected [x, y, z]",
                     "contact 'f2': ground's normal: got 3 numbers, expected [x, y, z], not zero"):
            self.assertIn(part, text)
        wrong = [dict(foot) for foot in FEET["contacts"]]
        wrong[0]["mu"] = -1
        wrong[1]["hand"] = "foot7"
        text = self.fails(1, "simulate", model, "--time", 1, "--contacts", self.write("feet.json", {"contacts": wrong}))
        self.assertIn("contact 'f0' (point): mu is -1, expected a number above 0", text)
        self.assertIn("contact 'f1' (point): hand: unknown frame 'foot7'; did you mean 'foot0'?", text)
        for text in ('{"contact": []}', "[]", '{"contacts": [3]}'):
            self.assertIn("expected {", self.fails(1, "simulate", model, "--time", 1, "--contacts", self.write("feet.json", text)))

    def test_words(self):
        model, feet = self.write("block.json", BLOCK), self.write("feet.json", FEET)
        self.assertIn("expected --contacts beside it", self.fails(2, "simulate", model, "--time", 1, "--on-slip", "slide"))
        self.assertIn("did you mean 'let-go'?",
                      self.fails(2, "simulate", model, "--time", 1, "--contacts", feet, "--on-lift", "letgo"))


if __name__ == "__main__":
    unittest.main()
