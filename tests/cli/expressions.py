"""sweepdyn eval, explain, identities: the contract of the operator algebra on the command line."""

import json
import os
import re
import unittest

from _cli import GRIPPER, CliTest, mixed_model

MASS = "H*phi*M*adj(phi)*adj(H) + J_a"


class Eval(CliTest):
    def eval(self, *arguments, **options):
        return json.loads(self.ok("eval", *arguments, **options))

    def test_result(self):
        result = self.eval("two_link", MASS)
        cost = result.pop("cost")
        self.assertEqual(result, {
            "model": "two_link", "conventions": "sweepdyn-1", "units": "SI", "expr": MASS, "range": "HingeForce",
            "domain": "HingeMotion", "sweeps": 2, "rows": ["shoulder", "elbow"], "cols": ["shoulder", "elbow"],
            "matrix": [[140, 50], [50, 30]]})
        self.assertEqual(sorted(cost), ["additions", "divisions", "multiplications"])
        self.assertGreater(cost["multiplications"], 0)

    def test_labels(self):
        motion, force = ["wx", "wy", "wz", "vx", "vy", "vz"], ["mx", "my", "mz", "fx", "fy", "fz"]
        result = self.eval("two_link", "M")
        bodies = [name[:-3] for name in result["cols"][::6]]
        self.assertEqual(result["cols"], [f"{b}.{x}" for b in bodies for x in motion])
        self.assertEqual(result["rows"], [f"{b}.{x}" for b in bodies for x in force])
        self.assertEqual(self.eval("two_link", "adj(B[tip])*adj(phi)*adj(H)")["rows"], [f"tip.{x}" for x in motion])
        self.assertEqual(self.eval("two_link", "E*phi")["rows"], [f"world.{x}" for x in force])

    def test_agrees_with_compute(self):
        state = '{"q": [0.3, -0.4, 0.5, 0.6, -0.7, 0.8, 0.9]}'
        want = json.loads(self.ok("compute", "arm7", "--get", "M,J:tool", "--state", "-", stdin=state))["results"]
        for expression, key in ((MASS, "M"), ("adj(B[tool])*adj(phi)*adj(H)", "J:tool")):
            for about in "hinges", "pole":
                got = self.eval("arm7", expression, "--state", "-", "--about", about, stdin=state)["matrix"]
                for row, expected in zip(got, want[key], strict=True):
                    for x, y in zip(row, expected, strict=True):
                        self.assertAlmostEqual(x, y, delta=1e-12)

    def test_vectors_of_the_state(self):
        state = '{"q": [0.3, -0.4, 0.5, 0.6, -0.7, 0.8, 0.9], "v": [1, 2, 3, -1, -2, -3, 0.5]}'
        want = json.loads(self.ok("compute", "arm7", "--get", "bias", "--state", "-", stdin=state))["results"]["bias"]
        for bias in "H*phi*(M*adj(phi)*(a + gravity) + b)", "H*phi*(M*adj(phi)*(a + gravity) + M_dot*adj(phi)*adj(H)*v)":
            got = self.eval("arm7", bias, "--state", "-", stdin=state)
            self.assertEqual((got["domain"], got["rows"]), ("One", self.eval("arm7", MASS)["rows"]))
            for x, y in zip(got["vector"], want, strict=True):
                self.assertAlmostEqual(x, y, delta=1e-12 * max(map(abs, want)))

    def test_motion_times_motion(self):
        J = "adj(B[tip])*adj(phi)*adj(H)"
        state = '{"q": [0.3, 0.4]}'
        product = f"adj({J})*W[tip]*{J}"
        A = self.eval("two_link", product, "--state", "-", stdin=state)["matrix"]
        B = self.eval("two_link", f"inverse({product})", "--state", "-", stdin=state)["matrix"]
        for i in range(2):
            for j in range(2):
                self.assertAlmostEqual(sum(A[i][k] * B[k][j] for k in range(2)), float(i == j), delta=1e-12)
        self.fails(1, "eval", "arm7", f"inverse({product})".replace("tip", "tool"), says="moves the frames not at all")
        self.fails(2, "eval", "two_link", f"adj({J})*{J}",
                   says="the unit weights W[...] of these frames would belong between them")

    def test_a_quantity_of_ones_own(self):
        own = "adj(B[tool])*adj(psi)*adj(H)*inverse(D)*(I - H*psi*K)"
        result = self.eval("arm7", own)
        self.assertEqual((len(result["matrix"]), len(result["matrix"][0]), result["sweeps"]), (6, 7, 2))
        # It is J M^-1.
        other = self.eval("arm7", f"adj(B[tool])*adj(phi)*adj(H)*inverse({MASS})")["matrix"]
        for row, expected in zip(result["matrix"], other, strict=True):
            for x, y in zip(row, expected, strict=True):
                self.assertAlmostEqual(x, y, delta=1e-9 * 2000)

    def test_vector(self):
        by_label = self.eval("two_link", MASS, "--vector", '{"elbow": 2}')
        self.assertEqual(by_label["vector"], [100, 60])
        self.assertNotIn("cols", by_label)
        self.assertNotIn("matrix", by_label)
        self.assertEqual(self.eval("two_link", MASS, "--vector", "[0, 2]")["vector"], [100, 60])
        file = self.write("vector.json", [1, 0])
        self.assertEqual(self.eval("two_link", MASS, "--vector", f"@{file}")["vector"], [140, 50])

    def test_a_line_per_state(self):
        lines = self.ok("eval", "two_link", MASS, "--state", "-", stdin='{"q": [0, 0]}\n{"q": [0, 1]}\n').splitlines()
        self.assertEqual(len(lines), 2)
        self.assertNotEqual(json.loads(lines[0])["matrix"], json.loads(lines[1])["matrix"])

    def test_faults(self):
        self.fails(2, "eval", "two_link", "H*phi*adj(phi)*adj(H)", says="an inertia (M, R or P) belongs between them")
        self.fails(2, "eval", "two_link", "H*phi*adj(phi)*adj(H)", says="column 7")
        self.fails(2, "eval", "two_link", "phy", says="did you mean 'phi'")
        self.fails(2, "eval", "two_link", "B[nowhere]", says="unknown frame 'nowhere'")
        self.fails(2, "eval", "two_link", "B[tip,]", says="the name of a frame is missing")
        self.fails(2, "eval", "two_link", "M*adj(phi)*M", says="did you mean phi?")
        self.fails(2, "eval", "two_link", "H phi", says="write * between factors")
        self.fails(2, "eval", "two_link", "M/2", says="there is no division")
        self.fails(2, "eval", "two_link", "phi'", says="the adjoint of X is adj(X)")
        self.fails(2, "eval", "two_link", "gravity", "--vector", "[1]", says="the expression is a vector already")
        self.fails(2, "eval", "two_link", "B[手]*x", says="unknown frame '手'")
        self.fails(2, "eval", "two_link", "B[tip]*ü", says=("column 8: unexpected 'ü'", "\n         ^"))
        self.fails(2, "eval", "two_link", says="eval needs an expression")
        self.fails(2, "eval", "two_link", "inverse(tau)", says="no factorization of it is known")
        self.fails(2, "eval", "two_link", "M", "--about", "tip", says="expected hinges or pole")
        self.fails(1, "eval", "two_link", MASS, "--vector", "[1]", says="expected 2 numbers")
        self.fails(1, "eval", "two_link", MASS, "--vector", '{"elbo": 1}', says="did you mean 'elbow'")
        self.fails(1, "eval", "two_link", MASS, "--vector", '[1, "a"]', says="expected a number")
        self.fails(1, "eval", "two_link", MASS, "--vector", "@nowhere.json", says="cannot be opened")
        self.fails(1, "eval", self.golden("four_bar"), MASS, "--state", "-", stdin='{"q": [1, 1, 1]}', says="does not close the loops")

    def golden(self, name):
        return os.path.join(os.environ["SWEEPDYN_TEST_DATA"], "golden", "closed", name + ".json")

    def test_mechanisms_with_loops(self):
        for name in ("four_bar", "stewart_6ups", "leg_floating"):
            result = self.eval(self.golden(name), MASS)
            computed = json.loads(self.ok("compute", self.golden(name), "--get", "M_ind,independent"))["results"]
            self.assertEqual(result["rows"], computed["independent"])
            for got, expected in zip(result["matrix"], computed["M_ind"], strict=True):
                for a, b in zip(got, expected, strict=True):
                    self.assertAlmostEqual(a, b, delta=1e-12 * max(map(abs, sum(computed["M_ind"], []))))
            self.assertIn("all 51 identities hold", self.ok("identities", self.golden(name)))
        self.assertEqual(self.eval(self.golden("four_bar"), MASS, "--independent", "rocker")["rows"], ["rocker"])
        self.fails(2, "eval", self.golden("four_bar"), MASS, "--independent", "rockr", says="did you mean 'rocker'")
        self.fails(1, "eval", self.golden("four_bar"), MASS, "--independent", "crank,rocker", says="do not determine the motion")
        self.fails(1, "eval", "two_link", MASS, "--independent", "0", says="has no loops")
        self.assertEqual(len(self.eval(self.golden("four_bar"), MASS, "--loops", "cut")["rows"]), 3)
        gripper = self.write("gripper.urdf", GRIPPER)
        self.fails(1, "eval", gripper, MASS, says="--mimic independent")
        mimic = self.eval(gripper, MASS, "--state", "-", stdin='{"q": {"right_finger": 0.005}}')
        tree = self.eval(gripper, MASS, "--mimic", "independent")
        self.assertEqual(len(mimic["rows"]) + 1, len(tree["rows"]))
        self.assertIn("k is a cluster", self.ok("explain", MASS, "--model", self.golden("four_bar")))


class Explain(CliTest):
    def test_text(self):
        text = self.ok("explain", f"inverse({MASS})")
        for part in ("maps HingeForce to HingeMotion", "sweeps: 2 fused, 2 as written", "for k from tip to base:",
                     "z2(p) += phi(p,k) z1(k)", "cost for 'chain:10'"):
            self.assertIn(part, text)

    def test_growth_is_counted(self):
        growth = re.compile(r"^growth: linear, (\d+) operations per body of a chain$", re.M)
        costs = []
        for n in 40, 41:
            text = self.ok("explain", f"inverse({MASS})", "--model", f"chain:{n}")
            costs.append(sum(map(int, re.search(r"(\d+) multiplications, (\d+) additions$", text, re.M).groups())))
        self.assertEqual(costs[1] - costs[0], int(growth.search(text)[1]))
        self.assertRegex(self.ok("explain", "adj(B[tool])*adj(phi)*adj(H)", "--model", "arm7"), growth)

    def test_what_cannot_run_is_explained_too(self):
        text = self.ok("explain", "inverse(J_a)", "--model", "chain:3")
        self.assertIn("not counted, since it cannot run; inverse(J_a): its block of body 'link3' is singular", text)
        self.assertIn("growth: linear, 1 line of the loops per body", text)

    def test_of_a_model(self):
        self.assertIn("FrameMotion[tool]", self.ok("explain", "adj(B[tool])*adj(phi)*adj(H)", "--model", "arm7"))

    def test_names_read_back(self):
        model = mixed_model()
        model["frames"][0]["name"] = "a,b]\\ %_手"
        model = self.write("model.json", model)
        text = self.ok("explain", "H*phi*B[a\\,b\\]\\\\ %_手]", "--model", model)
        self.assertEqual(self.ok("explain", text.splitlines()[0], "--model", model), text)

    def test_latex(self):
        text = self.ok("explain", MASS, "--form", "latex")
        self.assertIn(r"H\,\phi\,M\,\phi^{*}\,H^{*} + J_a", text)
        self.assertEqual(text.count(r"\begin{align*}"), text.count(r"\end{align*}"))

    def test_faults(self):
        self.fails(2, "explain", says="explain needs an expression")
        self.fails(2, "explain", MASS, "--form", "html", says="expected text or latex")
        self.fails(2, "explain", "H*H", says="column 3")


class Identities(CliTest):
    def test_table(self):
        for model in "quadruped", "random:9:4", "chain:3":
            lines = self.ok("identities", model).splitlines()
            names = {line[:27].strip() for line in lines}
            for name in [f"I{i}" for i in (3, 8, 10, 11, 12, 13, 14, 15)] + ["I16 phi", "innovations factorization", "trace"]:
                self.assertIn(name, names)
            self.assertIn("; all 53 identities hold; worst residual ", lines[-1])
            self.assertLess(float(lines[-1].rsplit(" ", 1)[1]), 1e-10)

    def test_json(self):
        lines = self.ok("identities", "arm7", "--json", "--state", "-", stdin=f'{{"q": {[0.1] * 7}}}\n' * 2).splitlines()
        self.assertEqual(len(lines), 2)
        result = json.loads(lines[0])
        self.assertEqual((list(result), result["model"], result["holds"]),
                         (["model", "conventions", "identities", "holds"], "arm7", True))
        for identity in result["identities"]:
            self.assertEqual(list(identity), ["name", "equation", "source", "residual", "tolerance", "holds"])
            self.assertEqual(identity["holds"], identity["residual"] <= identity["tolerance"])
            self.assertTrue(1e-12 <= identity["tolerance"] < 1e-6 and identity["source"], identity)
        by_name = {identity["name"]: identity for identity in result["identities"]}
        self.assertEqual((len(by_name), by_name["I12"]["equation"]), (53, "M = R - E_phi*R*adj(E_phi)"))


if __name__ == "__main__":
    unittest.main()
