#!/usr/bin/env python3
"""What assemble prints goes into every other command, without a word about loops that are open."""

import json
import math
import random
import unittest

from _cli import CliTest, run


def body(name, length):
    thin = 1e-2 + length ** 2 / 12
    return {"name": name, "mass": 1, "com": [length / 2, 0, 0], "inertia_com": [[1e-2, 0, 0], [0, thin, 0], [0, 0, thin]]}


def pin(name, parent, child, axis, position):
    return {"name": name, "kind": "revolute", "parent": parent, "child": child, "axis": axis, "position_in_parent": position}


def brace(arm):
    """Three bars, a rigid triangle, on what `arm` is: a turning arm, or the ground."""
    return {"format": "sweepdyn-model/1", "name": "brace", "gravity": [0, 0, -9.81],
            "bodies": [body("arm", 1), body("p", 1), body("r", 1)],
            "hinges": [arm, pin("p", "arm", "p", [0, 0, 1], [0.1, 0, 0]), pin("r", "arm", "r", [0, 0, 1], [1.1, 0, 0])],
            "loops": [{"name": "tip", "kind": "planar_pin", "body_a": "p", "position_a": [0.83, 0, 0],
                       "body_b": "r", "position_b": [0.71, 0, 0]}]}


TURNING = pin("j", -1, "arm", [0, 1, 0], [0, 0, 0])
GROUNDED = {"name": "j", "kind": "weld", "parent": -1, "child": "arm"}


def unit(random_numbers):
    v = [random_numbers.gauss(0, 1) for _ in range(3)]
    return [x / math.sqrt(sum(y * y for y in v)) for x in v]


def rotation(axis, angle):
    x, y, z = axis
    c, s = math.cos(angle), math.sin(angle)
    return [[c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
            [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
            [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)]]


def random_mechanism(seed):
    """A tree whose bodies have the axes of the world when neutral, with loops that are closed there."""
    r = random.Random(seed)
    bodies, hinges, loops, origins = [], [], [], []
    dofs = []  # those that couplings may name
    for i in range(r.randint(4, 9)):
        parent = r.randint(-1, i - 1) if r.random() < 0.3 else i - 1
        position = [r.gauss(0, 1) for _ in range(3)]
        origin = origins[parent] if parent >= 0 else [0, 0, 0]
        origins.append([a + b for a, b in zip(origin, position)])
        kind = r.choice(["revolute", "revolute", "prismatic", "cylindrical", "universal", "helical", "planar", "spherical"])
        bodies.append({"name": f"b{i}", "mass": r.uniform(0.5, 2), "com": [r.gauss(0, 0.3) for _ in range(3)],
                       "inertia_com": [[0.3, 0.01, 0], [0.01, 0.4, 0.02], [0, 0.02, 0.5]]})
        hinge = {"name": f"h{i}", "kind": kind, "parent": parent, "child": i, "position_in_parent": position}
        if kind != "spherical":
            hinge["axis"] = unit(r)
        if kind == "universal":
            hinge["axis2"] = unit(r)
        if kind == "helical":
            hinge["pitch"] = r.gauss(0, 1)
        if kind in ("revolute", "prismatic", "helical"):
            dofs.append(f"h{i}")
        hinges.append(hinge)
    for i in range(r.randint(1, 3)):
        kind = r.choice(["ball", "weld", "revolute", "prismatic", "cylindrical", "planar_pin", "coupling"])
        if kind == "coupling":
            if len(dofs) > 1:
                loops.append({"name": f"l{i}", "kind": kind, "dofs": r.sample(dofs, 2),
                              "coefficients": [r.gauss(0, 1), r.gauss(0, 1)], "offset": 0})
            continue
        a, b = r.sample(range(-1, len(bodies)), 2)
        point, axes = [r.gauss(0, 1) for _ in range(3)], rotation(unit(r), r.uniform(-3, 3))
        loop = {"name": f"l{i}", "kind": kind}
        for end, k in (("a", a), ("b", b)):
            origin = origins[k] if k >= 0 else [0, 0, 0]
            loop.update({f"body_{end}": k, f"rotation_{end}": axes,
                         f"position_{end}": [x - y for x, y in zip(point, origin)]})
        loops.append(loop)
    return {"format": "sweepdyn-model/1", "name": f"random{seed}", "gravity": [0, 0, -9.81], "bodies": bodies,
            "hinges": hinges, "loops": loops}


class RoundTrip(CliTest):
    def goes_on(self, model, state, what):
        at = self.write("closed.json", state)
        for command in (["compute", model, "--state", at, "--get", "qdd"], ["linearize", model, "--at", at],
                        ["simulate", model, "--at", at, "--time", "1e-4", "--step", "1e-4"]):
            with self.subTest(what, command=command[0]):
                done = run(*command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotIn("keep the loops closed", done.stderr)
                self.assertNotIn("only nearly", done.stderr)

    def test_rounding_of_a_brace(self):
        for arm, speed in ((TURNING, 1.3), (TURNING, 0), (TURNING, 1e-9), (GROUNDED, None)):
            model = self.write("brace.json", brace(arm))
            guess = {"q": {"p": 0.7, "r": 2.2}, "v": {"p": 0.2, "r": 0.4}}
            if speed is not None:
                guess["q"]["j"], guess["v"]["j"] = 0.4, speed
            self.goes_on(model, self.ok("assemble", model, "--state", "-", stdin=json.dumps(guess)), f"arm at {speed}")

    def test_noise_on_a_turning_arm_is_no_slip_and_less_than_a_millionth_of_a_turn_is_one(self):
        model = self.write("brace.json", brace(TURNING))
        closed = json.loads(self.ok("assemble", model, "--state", "-", stdin='{"q": {"p": 0.7, "r": 2.2}}'))
        for fast in (1e-6, 1.3, 1e6):
            self.goes_on(model, {"q": closed["q"], "v": [fast, 1e-16 * fast, -2e-16 * fast]}, f"{fast} rad/s")
            for slip in (1e-7, 1e-10):
                self.fails(1, "compute", model, "--get", "qdd", "--state", "-", says="loop 'tip' open with",
                           stdin=json.dumps({"q": closed["q"], "v": [fast, slip * fast, 0]}))

    def test_random_mechanisms(self):
        moved = 0
        for seed in range(60):
            mechanism = random_mechanism(seed)
            if not mechanism["loops"]:
                continue
            model = self.write("random.json", mechanism)
            numbers = random.Random(seed)
            names = json.loads(self.ok("info", model, "--json"))["dofs"]
            scale = 10 ** numbers.uniform(-3, 3)
            guess = {"v": [scale * numbers.gauss(0, 1) for _ in names]}
            done = run("assemble", model, "--state", "-", stdin=json.dumps(guess))
            self.assertEqual(done.returncode, 0, f"{seed}: {done.stderr}")
            self.goes_on(model, done.stdout, f"mechanism {seed}")
            moved += "v" in json.loads(done.stdout)
        self.assertGreater(moved, 30)


if __name__ == "__main__":
    unittest.main()
