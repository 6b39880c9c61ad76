"""sweepdyn regulate --design tvlqr: a motion recorded by simulate is followed from beside it."""

import json
import math
import unittest

from _cli import CliTest, run


class Tracking(CliTest):
    def test_a_motion_is_followed(self):
        start, beside = self.write("start.json", {"q": [0.6, 0.1]}), self.write("beside.json", {"q": [0.5, 0.3]})
        motion, gains = self.folder / "motion.csv", self.folder / "gains.json"
        self.ok("simulate", "two_link", "--at", start, "--time", 3, "--every", 0.02, "--signals", "q:*,v:*,qdd:*", "-o", motion)
        self.assertEqual(self.ok("regulate", "two_link", "--design", "tvlqr", "--along", motion, "--Q", "1e5,1e5,100,100", "--R", 0.01, "-o", gains), "")
        result = json.loads(gains.read_text())
        self.assertEqual([len(result["time"]), len(result["K"]), len(result["K"][0]), len(result["K"][0][0])], [151, 151, 2, 4])
        sizes = [math.hypot(re, im) for re, im in result["transition_eigenvalues"]]
        self.assertEqual((len(sizes), sizes), (4, sorted(sizes, reverse=True)))
        self.assertLess(sizes[0], 1e-3)                          # of a deviation that much is left after 3 s
        self.close(result["T"][75], [0, 0], 1e-6)                # the motion was free
        last = lambda *arguments: [s["values"][-1] for s in json.loads(self.ok(
            "simulate", "two_link", "--time", 3, "--every", 3, *arguments))["signals"]][1:]
        followed = last("--at", start)
        self.close(last("--at", beside, "--regulator", gains), followed, 1e-2)
        self.assertGreater(max(abs(a - b) for a, b in zip(last("--at", beside), followed)), 0.1)   # not by itself
        self.assertIn("ends at 3 s; its last point is held", run("simulate", "two_link", "--time", 4, "--regulator", gains).stderr)
        self.fails(1, "simulate", "arm7", "--time", 1, "--regulator", gains, says="dofs: expected those of model 'arm7'")
        for key, value, says in (("K", [1], "K: expected 151 entries"), ("time", [1], "two times or more"),
                                 ("q", [[1]] * 151, "q: expected lists of 2 numbers")):
            bad = self.write("bad.json", dict(result, **{key: value}))
            self.fails(1, "simulate", "two_link", "--time", 1, "--regulator", bad, says=says)

    def test_a_floating_robot(self):
        motion, gains = self.folder / "motion.csv", self.folder / "gains.json"
        state = self.write("s.json", {"base": {"twist": [0.1, 0, 0.2, 0, 0, 0]}})
        self.ok("simulate", "spacecraft", "--gravity=0,0,0", "--at", state, "--time", 0.2, "--every", 0.05,
                "--signals", "q:*,v:*,qdd:*", "-o", motion)
        self.ok("regulate", "spacecraft", "--gravity=0,0,0", "--design", "tvlqr", "--along", motion, "-o", gains)
        self.ok("simulate", "spacecraft", "--gravity=0,0,0", "--at", state, "--time", 0.2, "--regulator", gains)

    def test_refused(self):
        short = self.write("short.csv", "time,q:shoulder,q:elbow,v:shoulder,v:elbow\n0,0,0,0,0\n")
        self.fails(2, "regulate", "two_link", "--design", "tvlqr", says="--along FILE")
        self.fails(2, "regulate", "two_link", "--design", "tvlqr", "--along", short, "--trim", "forces", says="--trim has no meaning")
        self.fails(2, "regulate", "two_link", "--design", "lqr", "--along", short, says="--along belongs to --design tvlqr")
        self.fails(1, "regulate", "two_link", "--design", "tvlqr", "--along", short, says="missing: qdd:shoulder, qdd:elbow")


if __name__ == "__main__":
    unittest.main()
