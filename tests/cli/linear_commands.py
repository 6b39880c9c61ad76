"""sweepdyn poles and regulate: what is printed, that gains do what they say, what is refused."""

import json
import math
import unittest

from _cli import MODELS, CliTest, pendulum_urdf, run

CARTPOLE = {
    "format": "sweepdyn-model/1", "name": "cartpole", "gravity": [0, 0, -9.81],
    "bodies": [{"name": "cart", "mass": 2.0, "com": [0, 0, 0], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]},
               {"name": "pole", "mass": 1.0, "com": [0, 0, 0.5], "inertia_com": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}],
    "hinges": [{"name": "rail", "kind": "prismatic", "parent": -1, "child": 0, "axis": [1, 0, 0]},
               {"name": "pivot", "kind": "revolute", "parent": 0, "child": 1, "axis": [0, 1, 0]}],
    "frames": [], "loops": []}

# A bus that floats, with a wheel about z and a mast on top that tilts about x.
SPINNER = {
    "format": "sweepdyn-model/1", "name": "spinner", "gravity": [0, 0, 0],
    "bodies": [{"name": "bus", "mass": 100, "com": [0, 0, 0], "inertia_com": [[20, 0, 0], [0, 22, 0], [0, 0, 30]]},
               {"name": "wheel", "mass": 5, "com": [0, 0, 0], "inertia_com": [[0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.4]]},
               {"name": "mast", "mass": 8, "com": [0, 0, 1.5], "inertia_com": [[2, 0, 0], [0, 2, 0], [0, 0, 0.1]]}],
    "hinges": [{"name": "base", "kind": "free", "parent": -1, "child": 0},
               {"name": "wheel", "kind": "revolute", "parent": 0, "child": 1, "axis": [0, 0, 1], "position_in_parent": [0, 0, -0.3]},
               {"name": "mast", "kind": "revolute", "parent": 0, "child": 2, "axis": [1, 0, 0], "position_in_parent": [0, 0, 0.5]}],
    "frames": [], "loops": []}


class Linear(CliTest):
    def poles(self, model, *options, **more):
        return json.loads(self.ok("poles", model, *options, **more))["poles"]

    def regulate(self, model, *options):
        return json.loads(self.ok("regulate", model, *options))

    def test_a_pendulum_swings(self):
        model = self.write("pendulum.urdf", pendulum_urdf())
        up, down = self.poles(model)
        w = (2 * 9.81 * 1 / (0.1 + 2)) ** 0.5
        self.close([up["re"], up["im"], down["im"]], [0, w, -w])
        self.close([up["frequency_hz"], up["damping"]], [w / 6.283185307179586, 0])

    def test_damping_counts_unless_told(self):
        model = self.write("pendulum.urdf", pendulum_urdf(joint='<dynamics damping="1"/>'))
        self.assertGreater(self.poles(model)[0]["damping"], 0.01)
        self.assertAlmostEqual(self.poles(model, "--no-passive")[0]["damping"], 0, 12)

    def test_modes_and_lost_modes(self):
        model = self.write("cartpole.json", CARTPOLE)
        out = json.loads(self.ok("poles", model, "--modes", "--controllability", "--observability", "--inputs", "T:rail"))
        self.assertEqual([(p["re"], p["im"]) for p in out["poles"][:2]], [(0, 0), (0, 0)])   # where the cart is, and its speed
        self.assertEqual(out["poles"][0]["shape"], {"rail": [1, 0], "pivot": [0, 0]})
        self.assertEqual([out["controllability"]["rank"], out["observability"]["rank"]], [4, 4])
        lost = json.loads(self.ok("poles", model, "--observability", "--outputs", "v:*,q:pivot"))["observability"]
        self.assertEqual([lost["rank"], lost["lost"][0]["states"]], [3, ["q:rail"]])

    def test_every_design_stabilises_the_pole(self):
        model = self.write("cartpole.json", CARTPOLE)
        place = self.regulate(model, "--design", "place", "--poles=-2,-3,-1+2i,-1-2i", "--inputs", "T:rail")
        self.close(sorted(place["closed_loop_poles"]), [[-3, 0], [-2, 0], [-1, -2], [-1, 2]], 1e-9)
        self.assertEqual([place["states"], place["inputs"]], [["q:rail", "q:pivot", "v:rail", "v:pivot"], ["T:rail"]])
        lqr = self.regulate(model, "--design", "lqr", "--Q", "1,10,1,1", "--R", "0.1", "--inputs", "T:rail")
        decoupled = self.regulate(model, "--design", "decoupled", "--wn", "3,5", "--zeta", "0.7")
        for out in lqr, decoupled:
            self.assertTrue(all(re < 0 for re, im in out["closed_loop_poles"]))
            self.assertEqual(out["warnings"], [])
        for key in "K", "q0", "v0", "u0":
            self.assertIn(key, lqr)

    def test_hold_gives_the_forces(self):
        model = self.write("cartpole.json", CARTPOLE)
        at = self.write("tilted.json", {"q": {"pivot": 0.4}})
        held = self.regulate(model, "--at", at, "--trim", "forces", "--design", "decoupled", "--wn", "3", "--zeta", "1")
        gravity = self.compute(model, "gravity", {"q": {"pivot": 0.4}})["gravity"]
        self.close(held["u0"], gravity)
        self.assertEqual(held["warnings"], [])
        loose = self.regulate(model, "--at", at, "--design", "decoupled", "--wn", "3", "--zeta", "1")
        self.assertIn("not in equilibrium", loose["warnings"][0])

    def test_every_motor_of_an_arm_counts(self):
        """The flange turns about the vertical here: its stiffness is round-off, which must not hide it."""
        at = self.write("pose.json", {"q": {"elbow_pitch": 0.6, "shoulder_pitch": 0.4}})
        out = self.regulate("arm7", "--at", at, "--trim", "forces", "--design", "lqr")
        self.assertEqual(len(out["closed_loop_poles"]), 14)
        self.assertTrue(all(re < 0 for re, im in out["closed_loop_poles"]))

    def test_what_a_regulator_cannot_hold_it_says(self):
        model = self.write("cartpole.json", CARTPOLE)
        out = self.regulate(model, "--design", "place", "--poles=1,2,3,4")
        self.assertIn("not stable", out["warnings"][0])
        out = self.regulate("quadruped", "--design", "lqr", "--gravity=0,0,0")
        self.assertIn("floating base 'trunk' itself", out["warnings"][-1])
        still = self.write("still.urdf", pendulum_urdf().replace('type="revolute"', 'type="fixed"'))
        for command in (["linearize"], ["poles"], ["regulate", "--design", "lqr"]):
            self.fails(1, command[0], still, *command[1:], says="has no dofs")

    def test_a_weight_as_a_matrix(self):
        model = self.write("cartpole.json", CARTPOLE)
        numbers = self.regulate(model, "--design", "lqr", "--Q", "2", "--R", "1")
        rows = [[2 if i == j else 0 for j in range(4)] for i in range(4)]
        self.close(self.regulate(model, "--design", "lqr", "--Q", json.dumps(rows))["K"], numbers["K"])
        self.close(self.regulate(model, "--design", "lqr", "--Q", f"@{self.write('Q.json', rows)}")["K"], numbers["K"])

    def test_a_file_is_written_whole_or_not(self):
        model = self.write("cartpole.json", CARTPOLE)
        out = self.folder / "k.json"
        self.assertEqual(self.ok("regulate", model, "--design", "lqr", "-o", out), "")
        self.assertIn("K", json.loads(out.read_text()))
        missing = self.folder / "k2.json"
        self.fails(1, "regulate", model, "--design", "lqr", "--Q", "0", "-o", missing, says="Q does not see it")
        self.assertFalse(missing.exists())

    def test_reduce_drops_and_says_so(self):
        free = dict(CARTPOLE, gravity=[0, 0, 0])
        model = self.write("free.json", free)
        self.fails(1, "regulate", model, "--inputs", "T:pivot", "--design", "lqr",
                   says=["no input reaches it, and not strictly stable", "the mode at 0", "v:rail"])
        out = self.regulate(model, "--inputs", "T:pivot", "--design", "lqr", "--reduce")
        self.assertIn("dropped, nothing depends on it: q:rail", " ".join(out["warnings"]))
        self.assertIn("dropped, a conserved momentum tells it: v:rail", " ".join(out["warnings"]))
        self.assertTrue(all(re < 0 for re, im in out["closed_loop_poles"]))

    def test_momenta_of_a_steady_spin_are_dropped_by_name(self):
        model = self.write("spinner.json", SPINNER)
        spin = self.write("spin.json", {"base": {"twist": [0, 0, 0.5, 0, 0, 0]}})
        arguments = [model, "--at", spin, "--design", "lqr", "--inputs", "T:wheel,T:mast"]
        self.fails(1, "regulate", *arguments, says="no input reaches it, and not strictly stable")
        done = run("regulate", *arguments, "--reduce")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = json.loads(done.stdout)
        for words in ("dropped, a conserved momentum tells it: v:base.wz, v:base.vx, v:base.vy, v:base.vz",
                      "angular momentum about z of 'bus', linear momentum along x of 'bus'"):
            self.assertIn(words, " ".join(out["warnings"]))
            self.assertIn(words, done.stderr)
        self.assertEqual(len(out["closed_loop_poles"]), 6)
        self.assertTrue(all(re < 0 for re, im in out["closed_loop_poles"]))
        path = self.write("k.json", out)
        start = self.write("start.json", {"base": {"twist": [0, 0, 0.5, 0, 0, 0]}, "q": {"mast": 0.001}})
        run_of = lambda time: {s["name"]: s["values"][-1] for s in json.loads(self.ok(
            "simulate", model, "--at", start, "--time", time, "--step", 0.01, "--every", time, "--regulator", path,
            "--signals", "q:mast,momentum"))["signals"]}
        before, after = run_of(0.01), run_of(200)
        self.assertLess(abs(after["q:mast"]), 1e-8)   # the slowest poles are at -0.073
        for name in before:
            if name.startswith("momentum"):
                self.assertAlmostEqual(before[name], after[name], 6, name)

    def test_a_base_in_no_steady_motion_is_refused(self):
        spin = self.write("spin.json", {"base": {"twist": [0, 0, 0.4, 0, 0, 0]}})
        for reduce in (["--reduce"], []):
            self.fails(1, "regulate", "spacecraft", "--gravity=0,0,0", "--at", spin, *reduce, "--design", "lqr", "--inputs", "T:shoulder*",
                       says=["regulate: the floating base 'bus' is in no steady motion here: by itself v:",
                             "No input changes the angular momentum about x of 'bus'", "linear momentum along z of 'bus'"])
        still = self.regulate("spacecraft", "--gravity=0,0,0", "--reduce", "--design", "lqr")   # at rest it is held
        self.assertTrue(all(re < 0 for re, im in still["closed_loop_poles"]))

    def test_momenta_of_a_floating_mechanism_with_loops(self):
        bars = json.loads((MODELS.parent / "tests/golden/closed/four_bar.json").read_text(encoding="utf-8"))
        bodies = [SPINNER["bodies"][0]] + [{k: v for k, v in body.items() if k != "index"} for body in bars["bodies"]]
        hinges = [SPINNER["hinges"][0]] + [
            {k: v for k, v in dict(hinge, parent=hinge["parent"] + 1, child=hinge["child"] + 1).items() if k not in ("index", "v_index")}
            for hinge in bars["hinges"]]
        loops = [dict(loop, body_a=loop["body_a"] + 1, body_b=loop["body_b"] + 1) for loop in bars["loops"]]
        model = self.write("floating.json", dict(SPINNER, name="floating", bodies=bodies, hinges=hinges, loops=loops))
        q = [1, 0, 0, 0, 0, 0, 0] + [x for hinge in bars["state"]["q"] for x in hinge]
        arguments = [model, "--at", self.write("at.json", {"q": q}), "--design", "lqr", "--inputs", "T:crank"]
        out = self.regulate(*arguments, "--reduce")
        self.assertIn("angular momentum about x of 'bus', angular momentum about y of 'bus'", " ".join(out["warnings"]))
        self.assertFalse(any("base" in state for state in out["states"]))
        self.write("at.json", {"q": q, "v": [0, 0, 0.3, 0, 0, 0, 0, 0, 0]})
        self.fails(1, "regulate", *arguments, says="the floating base 'bus' is in no steady motion here")
        # tied to the ground it keeps no momentum
        held = [*loops, {"kind": "rows", "name": "tie", "body_a": 0, "body_b": -1, "rows": ["z"]}]
        self.write("floating.json", dict(SPINNER, name="floating", bodies=bodies, hinges=hinges, loops=held))
        self.assertNotIn("of 'bus'", run("regulate", *arguments, "--reduce").stderr)

    def test_a_mechanism_that_cannot_move(self):
        bars = json.loads((MODELS.parent / "tests/golden/closed/four_bar.json").read_text(encoding="utf-8"))
        c, s = math.cos(1.0), math.sin(1.0)
        bars["loops"].append({"kind": "rows", "name": "lock", "body_a": 0, "body_b": -1, "rows": ["rz"],
                              "rotation_b": [[c, -s, 0], [s, c, 0], [0, 0, 1]]})
        bars["state"]["v"] = [0, 0, 0]
        del bars["independent_velocity"], bars["independent_position"]
        locked = self.write("locked.json", bars)
        for design in (["lqr"], ["place", "--poles=-1"], ["decoupled", "--wn", "1", "--zeta", "1"]):
            self.fails(1, "regulate", locked, "--design", *design, says="the linear model has no states, for nothing in it can move")

    def test_wrenches_hold_and_drive(self):
        """One motor and a wrench at the tip: trim takes both, the regulator drives both, simulate does as told."""
        at = self.write("pose.json", {"q": [0.5, 0.3]})
        done = run("regulate", "two_link", "--at", at, "--trim", "forces", "--inputs", "T:elbow,wrench:tip", "--design", "lqr", "--Q", 100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("hinge forces alone do not hold the pose", done.stderr)
        regulator = json.loads(done.stdout)
        self.assertEqual(regulator["inputs"], ["T:elbow"] + ["wrench:tip" + end for end in (".mx", ".my", ".mz", ".fx", ".fy", ".fz")])
        path = self.write("k.json", regulator)
        held = json.loads(self.ok("simulate", "two_link", "--at", at, "--time", 1, "--regulator", path))
        self.close([s["values"][-1] for s in held["signals"]][1:3], [0.5, 0.3], 1e-9)
        start = self.write("start.json", {"q": [0.6, 0.1]})
        q = [s["values"][-1] for s in json.loads(self.ok(
            "simulate", "two_link", "--at", start, "--time", 60, "--step", 0.01, "--every", 60, "--regulator", path))["signals"]][1:3]
        self.close(q, [0.5, 0.3], 1e-2)
        # all hinges driven: a wrench beside them is a disturbance and carries nothing
        system = json.loads(self.ok("linearize", "two_link", "--at", at, "--trim", "forces", "--inputs", "T:*,wrench:tip"))
        self.assertEqual(system["u0"][2:], [0] * 6)
        # what the state pushes already stays beside the regulator
        loaded = self.write("loaded.json", {"q": [0.5, 0.3], "external": [{"frame": "tip", "wrench": [0, 0, 0, 0, 0, 3]}]})
        arguments = ["--at", loaded, "--trim", "forces", "--inputs", "T:*,wrench:tip"]
        self.assertEqual(json.loads(self.ok("linearize", "two_link", *arguments))["u0"][-1], 3)
        path = self.write("k.json", self.ok("regulate", "two_link", *arguments, "--design", "lqr"))
        self.assertEqual(json.loads(path.read_text())["u0"][2:], [0] * 6)
        held = json.loads(self.ok("simulate", "two_link", "--at", loaded, "--time", 1, "--regulator", path))
        self.close([s["values"][-1] for s in held["signals"]][1:3], [0.5, 0.3], 1e-9)
        self.fails(2, "regulate", "two_link", "--design", "lqr", "--inputs", "T:*,gravity", says="'gravity.x' is nothing that a controller can drive")

    def test_motors(self):
        at = self.write("pose.json", {"q": [0.5, 0.3]})
        arguments = ["two_link", "--at", at, "--trim", "forces"]
        plain = json.loads(self.ok("linearize", *arguments))
        motors = json.loads(self.ok("linearize", *arguments, "--actuators", "0.02,50,0.001"))
        self.assertEqual([motors["states"][4:], motors["inputs"]],
                         [["motor:shoulder", "motor:elbow"], ["command:shoulder", "command:elbow"]])
        self.close(motors["u0"], [u / 50 for u in plain["u0"]])
        self.close(motors["x0"][4:], plain["u0"])
        by_name = self.write("motors.json", {"elbow": {"time_constant": 0.02, "gear": 50, "drop": 0.001}})
        one = json.loads(self.ok("linearize", *arguments, "--actuators", f"@{by_name}"))
        self.assertEqual([one["states"][4:], one["inputs"]], [["motor:elbow"], ["T:shoulder", "command:elbow"]])
        self.assertEqual(len(json.loads(self.ok("poles", *arguments, "--actuators", "0.02"))["poles"]), 6)
        path = self.write("k.json", self.ok("regulate", *arguments, "--actuators", "0.02,50,0.001", "--design", "lqr",
                                         "--Q", "1e4,1e4,100,100,0,0"))
        start = self.write("start.json", {"q": [0.6, 0.1]})
        result = json.loads(self.ok("simulate", "two_link", "--at", start, "--time", 20, "--every", 20, "--regulator", path))
        self.close([s["values"][-1] for s in result["signals"]][1:3], [0.5, 0.3], 1e-3)
        bad = self.write("bad.json", {"elbow": {"tau": 1}})
        for typed, says in (("x", "'x' is no number"), ("0", "time constant 0 s"), ("1,2,3,4", "got 4 numbers"),
                            (f"@{bad}", "'elbow' has no time_constant")):
            self.fails(2, "linearize", "two_link", "--actuators", typed, says=says)

    def test_a_discrete_design_is_run_as_it_was_made(self):
        model = self.write("cartpole.json", CARTPOLE)
        out = self.regulate(model, "--inputs", "T:rail", "--design", "lqr", "--sample-time", 0.05, "--Q", "1,10,1,1")
        self.assertEqual(out["sample_time"], 0.05)
        self.assertTrue(all(re * re + im * im < 1 for re, im in out["closed_loop_poles"]))
        placed = self.regulate(model, "--inputs", "T:rail", "--design", "place", "--sample-time", 0.05, "--poles=0.9,0.8,0.7,0.6")
        self.close(sorted(placed["closed_loop_poles"]), [[x, 0] for x in (0.6, 0.7, 0.8, 0.9)], 1e-8)
        path, start = self.write("k.json", out), self.write("start.json", {"q": {"pivot": 0.1}})
        run_ = json.loads(self.ok("simulate", model, "--at", start, "--time", 20, "--every", 0.01, "--regulator", path, "--signals", "q:*,T:rail"))
        _, rail, pivot, T = (s["values"] for s in run_["signals"])
        self.assertLess(abs(rail[-1]) + abs(pivot[-1]), 1e-2)
        self.assertEqual(T[0:4], [T[0]] * 4)                    # held between samples
        self.fails(2, "regulate", model, "--design", "decoupled", "--wn", 1, "--zeta", 1, "--sample-time", 0.1,
                   says="--sample-time belongs to --design place or lqr")
        self.fails(2, "regulate", model, "--design", "lqr", "--sample-time", 0, says="expected seconds above zero")

    def test_an_estimator(self):
        model = self.write("cartpole.json", CARTPOLE)
        for sampled in [], ["--sample-time", 0.02]:
            arguments = ["--inputs", "T:rail", "--outputs", "q:*", *sampled]
            out = self.regulate(model, *arguments, "--design", "lqr", "--kalman", "--W", "1,1,5,5", "--N", "0.01")
            self.assertEqual([len(out["L"]), len(out["L"][0]), out["outputs"]], [4, 2, ["q:rail", "q:pivot"]])
            for re, im in out["estimator_poles"]:
                self.assertLess(re * re + im * im if sampled else re, 1 if sampled else 0)
            self.assertIn("L is for an estimator of your own", out["warnings"][-1])
        self.fails(1, "regulate", model, "--inputs", "T:rail", "--outputs", "v:*", "--design", "lqr", "--kalman",
                   says=["kalman: no output sees it", "q:rail"])
        self.fails(2, "regulate", model, "--design", "lqr", "--W", 1, says="expected --kalman beside it")

    def test_refused(self):
        model = self.write("cartpole.json", CARTPOLE)
        for words, *arguments in (
                ("regulate needs --design",),
                ("unknown design 'lqg'; did you mean 'lqr'?", "--design", "lqg"),
                ("needs --wn, such as --wn 5", "--design", "decoupled"),
                ("--wn belongs to --design decoupled, got --design lqr", "--design", "lqr", "--wn", "1"),
                ("--Q: got 2 numbers, expected one, or 4 of them", "--design", "lqr", "--Q", "1,2"),
                ("'x' is no number", "--design", "lqr", "--Q", "x"),
                ("'1+' is no pole", "--design", "place", "--poles=1+"),
                ("got 1 poles, expected 4", "--design", "place", "--poles=-1"),
                ("expected pairs", "--design", "place", "--poles=-1+1i,-2,-3,-4"),
                ("R has the eigenvalue 0", "--design", "lqr", "--R", "0"),
                ("got 2 states, expected one", "--design", "lqr", "--at", self.write("two.jsonl", '{"q": {}}\n{"q": {}}\n')),
        ):
            self.fails(2, "regulate", model, *arguments, says=words)
        self.fails(1, "regulate", model, "--design", "decoupled", "--wn", "1", "--zeta", "1", "--inputs", "T:rail",
                   says="no force of its own has pivot")


if __name__ == "__main__":
    unittest.main()
