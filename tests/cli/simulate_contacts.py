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

    def test_a_line_on_the_ground(self):
        """The block on an edge 0.2 m long, which lies as "along" says: pushed at its middle, 0.1 m up, it tips at F 0.1 m = m g 0.1 m."""
        def held(along, push):
            edge = {"name": "edge", "kind": "line", "hand": "block", "mu": 5, "length": 0.2, "here": True,
                    "ground": {"point": [0, 0, 0], "normal": [0, 0, 1], "along": along}}
            state = {"external": [{"frame": "middle", "wrench": [0, 0, 0, *push]}]}
            model = dict(BLOCK, frames=[{"name": "middle", "body": "block", "position": [0, 0, 0.1]}])
            return ("simulate", self.write("block.json", model), "--contacts", self.write("edge.json", {"contacts": [edge]}),
                    "--at", self.write("push.json", state), "--time", "0.01", "--signals", "contact:*")
        weight = 2 * 9.81
        for along, push in (([1, 0, 0], [1, 0, 0]), ([0, 3, 0], [0, 1, 0]), ([1, 1, 7], [0.5 ** 0.5, 0.5 ** 0.5, 0])):
            for part, tips in ((0.99, False), (1.01, True)):
                done = run(*held(along, [part * weight * x for x in push]))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual("tips over an end of its line" in done.stderr, tips, done.stderr)
        self.fails(1, *held([0, 0, 1], [0, 0, 0]), says='contact \'edge\': ground: got an object, expected "along" in the plane')
        command = held([1, 0, 0], [0, 0, 0])
        edge = {"name": "edge", "kind": "line", "hand": "block", "mu": 5, "length": 0.2, "ground": {"normal": [0, 0, 1]}}
        self.write("edge.json", {"contacts": [edge]})
        self.fails(1, *command, says="along")

    def test_here_is_on_the_plane(self):
        model = self.write("block.json", BLOCK)
        for height, word in ((0.2, "below"), (-0.2, "above")):
            feet = {"contacts": [dict(foot, ground={"point": [0, 0, height], "normal": [0, 0, 1]}) for foot in FEET["contacts"]]}
            self.fails(1, "simulate", model, "--time", 1, "--contacts", self.write("feet.json", feet),
                       says=["contact 'f0': its hand is 0.2 m", word, "the plane of its ground", "move the plane"])

    def test_what_forces_are_unique(self):
        three, _ = self.simulate(0)
        two, _ = self.simulate(0, feet={"contacts": [dict(FEET["contacts"][2], kind="rigid")]})
        self.assertEqual({row[f"contact:f{i}.unique"] for row in three for i in range(3)}, {0})
        self.assertEqual({row["contact:f2.unique"] for row in two}, {1})
        # the largest common margin: that of the two feet that carry a quarter of the weight each
        self.assertAlmostEqual(min(three[0][f"contact:f{i}.margin"] for i in range(3)), 0.5 * 2 * 9.81 / 4, delta=1e-4)

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
