"""sweepdyn simulate: what it writes is the motion, in every form; what it refuses, and how it stops."""

import csv
import json
import math
import os
import pty
import signal
import subprocess
import time
import unittest

from _cli import CLI, MODELS, CliTest, run

# A mass on a vertical slide, and a pendulum: m l^2 = 1.
FALL = {"format": "sweepdyn-model/1", "name": "fall", "gravity": [0, 0, -10],
        "bodies": [{"name": "mass", "mass": 2, "com": [0, 0, 0], "inertia_com": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}],
        "hinges": [{"name": "slide", "kind": "prismatic", "parent": -1, "child": "mass", "axis": [0, 0, 1],
                    "limits": {"lower": [-20], "upper": [0.7]}}]}


def has_sundials():
    return run("simulate", "two_link", "--time", 0.01, "--rtol", 1e-6).returncode == 0


def read_csv(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


def wait_for_handler(process):
    """Until the program has taken Ctrl-C for itself, and some time for steps."""
    for _ in range(600):
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            caught = next(line for line in file if line.startswith("SigCgt:")).split()[1]
        if int(caught, 16) & 1 << signal.SIGINT - 1:
            break
        time.sleep(0.1)
    time.sleep(0.5)


class Simulate(CliTest):
    def fall(self):
        return self.write("fall.json", FALL)

    def test_a_fall_in_csv(self):
        out = self.folder / "out.csv"
        self.ok("simulate", self.fall(), "--time", 1, "--step", 0.01, "-o", out)
        header, rows = read_csv(out)
        self.assertEqual(header, ["time [s]", "q:slide [m]", "v:slide [m/s]"])
        self.assertEqual(len(rows), 101)
        for i, (t, q, v) in enumerate(rows):
            self.assertEqual(t, i / 100)
            self.assertAlmostEqual(q, -5 * t * t, delta=1e-12)
            self.assertAlmostEqual(v, -10 * t, delta=1e-12)

    def test_json_on_stdout_and_in_a_file_are_the_same(self):
        out = self.folder / "out.json"
        arguments = ["simulate", "two_link", "--time", 0.1, "--signals", "q:*,T:*,energy"]
        self.ok(*arguments, "-o", out)
        text = self.ok(*arguments)
        self.assertEqual(text, out.read_text())
        self.assertEqual(text, self.ok(*arguments, "-o", "-"))
        result = json.loads(text)
        self.assertEqual((result["model"], result["conventions"], result["units"]), ("two_link", "sweepdyn-1", "SI"))
        self.assertEqual([s["name"] for s in result["signals"]][0], "time")
        self.assertTrue(all(len(s["values"]) == 101 for s in result["signals"]))
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["out.json"])

    def test_signals_are_those_of_compute(self):
        state = {"q": {"shoulder_pitch": 0.4, "elbow_pitch": -0.9}, "v": {"shoulder_roll": 0.5, "wrist_pitch": -1},
                 "T": {"elbow_pitch": 3}}
        path = self.write("state.json", state)
        result = json.loads(self.ok("simulate", "arm7", "--at", path, "--time", 1e-3, "--no-passive", "--signals",
                                    "qdd:*,T:*,pose:tool,velocity:tool,energy,momentum,com"))
        first = {s["name"]: s["values"][0] for s in result["signals"]}
        exact = self.compute("arm7", "qdd,pose:tool,velocity:tool,kinetic_energy,potential_energy,momentum_com,com", state)
        of = lambda head, *ends: [first[head + end] for end in ends]
        names = json.loads(self.ok("compute", "arm7", "--get", "T"))["dofs"]
        self.close(of("qdd:", *names), exact["qdd"])
        self.assertEqual(of("T:", *names), [3 if name == "elbow_pitch" else 0 for name in names])
        self.close(of("pose:tool", ".x", ".y", ".z"), exact["pose:tool"]["p"])
        angle = math.hypot(*of("pose:tool", ".rx", ".ry", ".rz"))
        self.close(1 + 2 * math.cos(angle), sum(exact["pose:tool"]["R"][i][i] for i in range(3)), 1e-11)
        self.close(of("velocity:tool", ".wx", ".wy", ".wz", ".vx", ".vy", ".vz"), exact["velocity:tool"])
        self.close(first["energy:kinetic"], exact["kinetic_energy"])
        self.close(first["energy:potential"], exact["potential_energy"])
        self.close(first["energy:total"], exact["kinetic_energy"] + exact["potential_energy"])
        self.close(of("momentum", ".lx", ".ly", ".lz", ".px", ".py", ".pz"), exact["momentum_com"])
        self.close(of("com", ".x", ".y", ".z"), exact["com"])

    def test_stars_and_names_of_free_bases(self):
        names = lambda *signals: [s["name"] for s in json.loads(
            self.ok("simulate", "spacecraft", "--time", 0.001, "--signals", ",".join(signals)))["signals"]][1:]
        self.assertEqual(names("q:base.*"), ["q:base." + end for end in ("qw", "qx", "qy", "qz", "x", "y", "z")])
        self.assertEqual(names("v:*panel*", "v:left_panel_drive"), ["v:left_panel_drive", "v:right_panel_drive"])
        self.fails(2, "simulate", "arm7", "--time", 1, "--signals", "q:elbow_ptich", says="did you mean 'elbow_pitch'?")
        self.fails(2, "simulate", "arm7", "--time", 1, "--signals", "pose:tol", says="unknown frame 'tol'")
        self.fails(2, "simulate", "arm7", "--time", 1, "--signals", "enregy", says="did you mean 'energy'?")
        self.fails(2, "simulate", "arm7", "--time", 1, "--signals", "q:*,,v:*", says="a name is empty")

    def test_methods_agree(self):
        if not has_sundials():
            self.skipTest("built without SUNDIALS")
        state = self.write("state.json", {"q": [0.4, 0.9]})
        last = {}
        for how in (["--step", 1e-4], ["--rtol", 1e-12], ["--method", "stiff", "--rtol", 1e-10],
                    ["--method", "euler", "--step", 1e-5]):
            result = json.loads(self.ok("simulate", "two_link", "--at", state, "--time", 1, "--every", 0.5, *how))
            self.assertEqual(result["signals"][0]["values"], [0, 0.5, 1])
            last[how[1]] = [s["values"][-1] for s in result["signals"]]
        self.close(last[1e-4], last[1e-12], 1e-9)
        self.close(last["stiff"], last[1e-12], 1e-6)
        self.close(last["euler"], last[1e-12], 1e-3)

    def test_energy_of_a_free_arm_at_the_tightest_tolerance(self):
        if not has_sundials():
            self.skipTest("built without SUNDIALS")
        state = self.write("state.json", {"q": {"shoulder_pitch": 1, "elbow_pitch": 0.5, "wrist_pitch": 0.3}})
        result = json.loads(run("simulate", "arm7", "--at", state, "--time", 10, "--rtol", 1e-12, "--no-passive",
                                "--signals", "energy").stdout)
        _, kinetic, _, total = (s["values"] for s in result["signals"])
        self.assertLess(max(abs(e - total[0]) for e in total), 1e-9 * max(kinetic))

    def test_momentum_reset(self):
        state = self.write("state.json", {"base": {"twist": [0.1, 0.2, -0.1, 0, 0.1, 0]},
                                          "v": {"shoulder_pitch": 0.05}})
        arguments = ["simulate", "spacecraft", "--gravity=0,0,0", "--time", 2, "--step", 0.01, "--momentum-reset"]
        done = run(*arguments, "--at", state, "--signals", "momentum")
        self.assertEqual(done.returncode, 0, done.stderr)
        for signal_ in json.loads(done.stdout)["signals"][1:]:
            self.assertLess(max(signal_["values"]) - min(signal_["values"]), 1e-9)
        push = self.write("push.json", {"external": [{"frame": "bus", "wrench": [0, 0, 0, 1, 0, 0]}]})
        self.fails(1, *arguments, "--at", push, says="external wrench")
        self.fails(1, "simulate", "arm7", "--time", 1, "--momentum-reset", says="no floating base")

    def test_forces_in_time(self):
        # v_dot = T/2 - 10; T = 20 + 10 t, then held at 30 from 1 s on
        for name, text in (("t.csv", "time,slide\n0,20\n1,30\n"), ("t.json", {"time": [0, 1], "slide": [20, 30]}),
                           ("u.csv", "# pushes\ntime [s],q:slide [m],T:slide [N]\n0,5,20\n1,5,30\n")):
            out = self.folder / "out.csv"
            done = run("simulate", self.fall(), "--T", self.write(name, text), "--time", 2, "--step", 0.01,
                       "--signals", "v:slide,T:*", "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("ends at 1 s; its last row is held", done.stderr)
            for t, v, T in read_csv(out)[1]:
                self.assertAlmostEqual(T, 20 + 10 * min(t, 1), delta=1e-12)
                self.assertAlmostEqual(v, 2.5 * t * t if t <= 1 else 2.5 + 5 * (t - 1), delta=1e-9)
        late = self.write("late.csv", "time,slide\n0.5,20\n2,20\n")
        self.assertIn("begins at 0.5 s; its first row is held until there",
                      run("simulate", self.fall(), "--T", late, "--time", 1).stderr)
        unused = self.write("a.json", {"a": [1]})
        self.assertIn("a is not used by simulate", run("simulate", self.fall(), "--at", unused, "--time", 0.1).stderr)
        for text, says in (("time,slid\n0,1\n", "did you mean 'slide'?"), ("t,slide\n0,1\n", "expected 'time'"),
                           ("time,slide\n0,1\n0,2\n", "expected times that grow"), ("time,slide\n0\n", "line 2: got 1 fields"),
                           ("time,slide\n0,x\n", "line 2: column 'slide': got 'x'"), ("", "is empty"),
                           ("time,slide\n", "no rows"), ("{", "not JSON"), ("0,1\n", "expected a header")):
            self.fails(1, "simulate", self.fall(), "--T", self.write("bad.csv", text), "--time", 1, says=says)

    def test_a_regulator_holds_an_arm(self):
        regulator = {"K": [[300, 0, 60, 0], [0, 200, 0, 40]],
                     "states": ["q:shoulder", "q:elbow", "v:shoulder", "v:elbow"], "inputs": ["T:shoulder", "T:elbow"],
                     "q0": [0.5, 0.5], "v0": [0, 0], "u0": self.compute("two_link", "gravity", {"q": [0.5, 0.5]})["gravity"]}
        state = self.write("state.json", {"q": [0.6, 0.3]})
        arguments = ["simulate", "two_link", "--at", state, "--time", 20, "--step", 2e-3, "--signals", "q:*,v:*,T:*"]
        for extra in [], ["--sample-time", 0.004]:
            result = json.loads(run(*arguments, *extra, "--regulator", self.write("r.json", regulator)).stdout)
            first = [s["values"][0] for s in result["signals"]]
            last = [s["values"][-1] for s in result["signals"]]
            self.close(first[5:], [regulator["u0"][0] - 300 * 0.1, regulator["u0"][1] + 200 * 0.2])
            self.close(last[1:3], [0.5, 0.5], 1e-3)
            self.close(last[5:], regulator["u0"], 1e-3)
        # some of the states, in another order
        some = dict(regulator, states=["v:elbow", "q:elbow"], inputs=["T:elbow"], K=[[40, 200]], u0=[0])
        result = json.loads(run(*arguments, "--regulator", self.write("r.json", some)).stdout)
        self.close([s["values"][0] for s in result["signals"]][5:], [0, 40])
        for key, value, says in (("K", [[1]], "K has 1 rows"), ("states", ["q:shoulder", "q:elbo", "v:shoulder", "v:elbow"],
                                 "did you mean 'q:elbow'?"), ("inputs", ["T:shoulder", "elbow"], "unknown input 'elbow'"),
                                 ("q0", [1], "q0 has size 1"), ("u0", [1], "u0 has 1 numbers"), ("K", 3, "K: got 3")):
            self.fails(1, *arguments, "--regulator", self.write("bad.json", dict(regulator, **{key: value})), says=says)
        del regulator["K"], regulator["q0"]
        self.fails(1, *arguments, "--regulator", self.write("bad.json", regulator), says=["2 faults", "K is missing", "q0 is missing"])

    def test_limits_are_told_and_may_stop(self):
        throw = self.write("throw.json", {"v": [5]})
        top = 0.5 - math.sqrt(0.25 - 0.14)      # 5 t - 5 t^2 = 0.7
        for how in [["--step", 0.01]] + [["--rtol", 1e-9], ["--method", "stiff", "--rtol", 1e-9]] * has_sundials():
            done = run("simulate", self.fall(), "--at", throw, "--time", 1, *how)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"note: slide above its limit 0.7 m at t = {top:.4g}", done.stderr)
            [event] = json.loads(done.stdout)["events"]
            self.assertAlmostEqual(event["time"], top, delta=1e-6)
            done = run("simulate", self.fall(), "--at", throw, "--time", 1, "--stop-at-limits", *how)
            self.assertIn("note: stopped: slide above its limit 0.7 m", done.stderr)
            times, q, v = (s["values"] for s in json.loads(done.stdout)["signals"])
            self.assertAlmostEqual(times[-1], top, delta=1e-6)
            self.assertAlmostEqual(q[-1], 0.7, delta=2e-6)
            done = run("simulate", self.fall(), "--at", throw, "--time", 1, "--stop-when", "v:slide<-3", *how)
            self.assertAlmostEqual(json.loads(done.stdout)["signals"][0]["values"][-1], 0.8, delta=1e-6)
        beyond = self.write("beyond.json", {"q": [0.9]})
        self.assertIn("above its limit 0.7 m from the start", run("simulate", self.fall(), "--at", beyond, "--time", 0.1).stderr)
        for how in ["--stop-at-limits"], ["--stop-when", "q:slide>0.8"], ["--stop-when", "v:slide<1"]:
            done = run("simulate", self.fall(), "--at", beyond, "--time", 0.1, *how)
            result = json.loads(done.stdout)
            self.assertEqual([result["signals"][0]["values"], result["ended"]], [[0], {"time": 0, "by": "event"}])
            self.assertRegex(done.stderr, "note: stopped: .* from the start")
        # on the level itself nothing has happened yet; on the way from it, it has
        result = json.loads(run("simulate", self.fall(), "--at", beyond, "--time", 0.1, "--stop-when", "q:slide<0.9").stdout)
        self.assertEqual(result["ended"]["by"], "event")
        self.assertLess(result["ended"]["time"], 1e-5)
        self.assertEqual(json.loads(run("simulate", self.fall(), "--at", beyond, "--time", 0.1, "--stop-when", "q:slide>0.9").stdout)["ended"],
                         {"time": 0.1, "by": "time"})
        stands = self.write("stands.json", {"q": [0.7], "T": [20]})         # held on its limit
        done = run("simulate", self.fall(), "--at", stands, "--time", 1, "--stop-at-limits")
        self.assertEqual([done.stderr, json.loads(done.stdout)["ended"]["by"]], ["", "time"])
        for typed, says in (("q:slide", "such as q:elbow>1.2"), ("q:slid>1", "did you mean 'slide'?"), ("T:slide>1", "expected q:NAME or v:DOF")):
            self.fails(2, "simulate", self.fall(), "--time", 1, "--stop-when", typed, says=says)

    def test_wrong_use(self):
        model = "two_link"
        for arguments, says in ((["--step", 1e-3], "needs --time"), (["--time", "-1"], "above zero"),
                                (["--time", "x"], "--time: got 'x'"), (["--time", 1, "--step", 0], "--step: got '0'"),
                                (["--time", 1, "--step", 0.1, "--rtol", 1e-6], "both given"),
                                (["--time", 1, "--method", "rk5"], "did you mean 'rk4'?"),
                                (["--time", 1, "--method", "rk4", "--rtol", 1e-6], "--method rk4 takes --step"),
                                (["--time", 1, "--method", "stiff", "--step", 1e-6], "--method stiff takes --rtol"),
                                (["--time", 1e9, "--step", 1e-6], "more than 1e9 steps"),
                                (["--time", 1, "-o", "x.txt"], "ends in .csv or .json"),
                                (["--time", 1, "--sample-time", 0.1], "expected --regulator or --T beside it"),
                                (["--time", 1, "--atol", 1e-9], "expected --rtol beside it"),
                                (["--time", 1, "--T", "a", "--regulator", "b"], "expected one of them")):
            self.fails(2, "simulate", model, *arguments, says=says)
        self.fails(1, "simulate", model, "--time", 1, "-o", self.folder / "none" / "x.csv", says="is the folder there")
        self.fails(1, "simulate", model, "--time", 1, "--at", "none.json", says="none.json")
        many = self.write("many.jsonl", '{"q": [0, 0]}\n{"q": [1, 1]}\n')
        self.fails(2, "simulate", model, "--time", 1, "--at", many, says="holds 2 states, expected one")
        weld = dict(FALL, hinges=[{"name": "weld", "kind": "weld", "parent": -1, "child": "mass"}])
        for method in ["rk4", "euler"] + ["adaptive", "stiff"] * has_sundials():
            self.fails(1, "simulate", self.write("weld.json", weld), "--time", 1, "--method", method, says="'fall' has no dofs")
        massless = dict(FALL, bodies=[{"name": "mass", "mass": 0}])
        for how in [["--step", 0.01]] + [["--rtol", 1e-6]] * has_sundials():
            out = self.folder / "out.csv"
            self.fails(1, "simulate", self.write("massless.json", massless), "--time", 1, *how, "-o", out, says="'slide'")
            self.assertFalse(out.exists())

    def test_a_motion_that_grows_beyond_all_numbers_keeps_what_there_was(self):
        bad = {"K": [[-1e6, 0, -1e4, 0]], "states": ["q:shoulder", "q:elbow", "v:shoulder", "v:elbow"],
               "inputs": ["T:shoulder"], "q0": [0, 0.1]}
        out = self.folder / "out.csv"
        arguments = ["simulate", "two_link", "--at", self.write("s.json", {"q": [0.1, 0]}), "--time", 100, "--step", 0.1,
                     "--regulator", self.write("bad.json", bad)]
        self.fails(1, *arguments, "-o", out, says=["t = ", "rows so far are in"])
        header, rows = read_csv(out)
        self.assertGreater(len(rows), 1)
        self.assertTrue(all(math.isfinite(x) for row in rows for x in row))
        last = out.read_text().splitlines()[-1]
        self.assertRegex(last, r"^# failed after t = \S+ s: ")
        self.assertEqual(self.ok("plot", out, "-o", "-")[:4], "<svg")       # what there is can be drawn
        done = run(*arguments)
        self.assertEqual(done.returncode, 1)
        result = json.loads(done.stdout)
        self.assertEqual(result["ended"]["by"], "failure")
        self.assertIn(result["ended"]["why"], done.stderr)
        self.assertEqual(result["ended"]["time"], result["signals"][0]["values"][-1])
        self.assertEqual([p for p in self.folder.iterdir() if p.suffix == ".part"], [])

    def test_ctrl_c_keeps_the_data(self):
        out = self.folder / "out.csv"
        process = subprocess.Popen([CLI, "simulate", "arm7", "--time", "100000", "--step", "1e-3", "--every", "1", "-o", str(out)],
                                   stderr=subprocess.PIPE, text=True)
        wait_for_handler(process)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertRegex(stderr, r"note: stopped by Ctrl-C at t = .* of 1e5 s; the \d+ rows so far are in .*out.csv")
        header, rows = read_csv(out)
        self.assertRegex(out.read_text().splitlines()[-1], r"^# interrupted at t = \S+ s$")
        self.assertEqual(len(header), 15)
        self.assertGreater(len(rows), 1)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["out.csv"])

    def test_ctrl_c_marks_json_too(self):
        process = subprocess.Popen([CLI, "simulate", "two_link", "--time", "100000", "--every", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for_handler(process)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        result = json.loads(stdout)
        self.assertEqual(result["ended"], {"time": result["signals"][0]["values"][-1], "by": "interrupt"})

    def test_a_bar_on_a_terminal_only(self):
        arguments = [CLI, "simulate", "arm7", "--time", "100000", "--step", "1e-3", "--every", "1", "-o", str(self.folder / "o.csv")]
        above, below = pty.openpty()
        process = subprocess.Popen(arguments, stderr=below)
        os.close(below)
        said = os.read(above, 65536)                # waits for the first bar
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        while True:
            try:
                more = os.read(above, 65536)
            except OSError:                         # how a closed terminal ends
                break
            if not more:
                break
            said += more
        os.close(above)
        self.assertRegex(said.decode(), r"\r\[#*\.+\] +\d+ %  t = .* of 1e\+05 s, \d+ s to go")
        self.assertNotIn("[", run("simulate", "two_link", "--time", 1, "-o", self.folder / "q.csv").stderr)

    def test_same_input_same_bytes(self):
        for how in [["--step", 1e-3]] + [["--rtol", 1e-9], ["--method", "stiff", "--rtol", 1e-7]] * has_sundials():
            arguments = ["simulate", "quadruped", "--time", 0.2, "--signals", "q:*,v:*,qdd:*,energy", *how]
            self.assertEqual(self.ok(*arguments), self.ok(*arguments))

    def test_only_these_libraries_of_sundials(self):
        if not has_sundials():
            self.skipTest("built without SUNDIALS")
        linked = subprocess.run(["ldd", CLI], capture_output=True, text=True, check=True).stdout
        names = {line.split()[0].split(".")[0] for line in linked.splitlines() if "sundials" in line}
        self.assertLessEqual(names, {"libsundials_" + name for name in (
            "cvode", "arkode", "ida", "nvecserial", "sunmatrixdense", "sunlinsoldense")})
        self.assertFalse([line for line in linked.splitlines() if "mpi" in line or "petsc" in line], linked)


if __name__ == "__main__":
    unittest.main()
