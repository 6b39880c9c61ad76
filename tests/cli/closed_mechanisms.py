#!/usr/bin/env python3
"""Models with loops: compute against the golden files of tests/golden/closed, info, linear models, and what is refused."""

import json
import math
import pathlib
import unittest

from _cli import GRIPPER, CliTest, flat, run, shape

CLOSED = pathlib.Path(__file__).resolve().parent.parent / "golden/closed"
NAMES = sorted(path.stem for path in CLOSED.glob("*.json") if not path.stem.startswith("traj_"))


def golden(name):
    return json.loads((CLOSED / f"{name}.json").read_text(encoding="utf-8"))


def tolerance(name):
    return 1e-10 if name == "gripper_mimic_gear" else 1e-11


def numbers(hinge):
    return hinge if isinstance(hinge, list) else hinge["quat_wxyz"] + hinge.get("position", [])


def state_of(file, **more):
    """The state of a golden file, as --state takes it."""
    return {"q": [x for hinge in file["state"]["q"] for x in numbers(hinge)], "v": list(file["state"]["v"]),
            "T": list(file["tau"]), **more}


class Golden(CliTest):
    def relative(self, got, expected, tolerance, what):
        self.assertEqual(shape(got), shape(expected), what)
        worst = max(abs(a - b) for a, b in zip(flat(got), flat(expected)))
        self.assertLessEqual(worst, tolerance * max(map(abs, flat(expected))), what)

    def test_everything_at_the_file_s_own_state(self):
        for name in NAMES:
            with self.subTest(name):
                file = golden(name)
                out, near = file["outputs"], tolerance(name)
                dofs = json.loads(self.ok("info", CLOSED / f"{name}.json", "--json"))["dofs"]
                got = self.compute(CLOSED / f"{name}.json", "qdd,loop_wrench,M_ind,dqdd_dq_ind,dqdd_dv_ind,"
                                   "dqdd_dT_ind,independent,mobility")
                self.relative(got["qdd"], out["vdot"], near, "qdd")
                self.relative(got["M_ind"], out["mass_matrix_independent"], near, "M_ind")
                self.relative(got["dqdd_dq_ind"], out["dvdot_ind_dq_ind"], near, "dqdd_dq_ind")
                self.relative(got["dqdd_dv_ind"], out["dvdot_ind_dv_ind"], near, "dqdd_dv_ind")
                self.relative(got["dqdd_dT_ind"], out["dvdot_ind_dtau"], near, "dqdd_dT_ind")
                self.assertEqual(got["independent"], [dofs[j] for j in file["independent_velocity"]])
                self.assertEqual(got["mobility"], len(file["independent_velocity"]))
                self.wrenches(got["loop_wrench"]["loops"], file, near)

    def wrenches(self, loops, file, near):
        as_list = lambda x: x if isinstance(x, list) else [x]
        expected = [as_list(w) for w in file["outputs"]["loop_wrench_on_a"]]
        unique = [as_list(u) for u in file["outputs"]["loop_wrench_unique"]]
        self.assertEqual([loop["unique"] for loop in loops], unique)
        self.assertEqual([loop["name"] for loop in loops],
                         [loop.get("name", f"loop{i}") for i, loop in enumerate(file["loops"])])
        scale = max(abs(x) for w in expected for x in w)
        for loop, wrench, mask in zip(loops, expected, unique):
            self.assertEqual(len(loop["wrench"]), len(wrench))
            for got, right, counts in zip(loop["wrench"], wrench, mask):
                if counts:
                    self.assertLessEqual(abs(got - right), near * scale)

    def test_least_forces(self):
        for name in NAMES:
            file = golden(name)
            wanted = file["outputs"]["inverse_dynamics"]
            if wanted is None:
                continue
            with self.subTest(name):
                a = [0.0] * len(file["tau"])
                for j, x in zip(file["independent_velocity"], wanted["vdot_ind_desired"]):
                    a[j] = x
                actuated = wanted.get("actuated", file["actuated"])
                typed = ["--actuated", ",".join(map(str, actuated))] if "actuated" in wanted else []
                T = self.compute(CLOSED / f"{name}.json", "T", state_of(file, a=a), *typed)["T"]
                self.relative([T[j] for j in actuated], wanted["tau_actuated_min_norm"], tolerance(name), "T")
                self.assertTrue(all(T[j] == 0 for j in range(len(T)) if j not in actuated))

    def test_an_actuator_at_a_dead_centre(self):
        # crank and coupler in line, 3.5 long; rocker 2 from (3, 0): the rocker cannot move the crank
        crank = math.acos((3.5**2 + 3**2 - 2**2) / (2 * 3.5 * 3))
        rocker = math.atan2(3.5 * math.sin(crank), 3.5 * math.cos(crank) - 3)
        state = {"q": [crank, 0, rocker], "a": [0, 0, 0]}
        self.fails(1, "compute", CLOSED / "four_bar.json", "--state", self.write("dead.json", state), "--get", "T",
                   "--actuated", "rocker", says="cannot give these accelerations")

    def test_forces_give_the_accelerations_asked_for(self):
        file = golden("stewart_6ups")
        path = CLOSED / "stewart_6ups.json"
        a = [0.0] * 24
        for i, j in enumerate(file["independent_velocity"]):
            a[j] = 0.5 - 0.2 * i
        state = state_of(file, a=a, external=[{"frame": "platform", "wrench": [1, -2, 0.5, 3, 1, -4]}])
        state["T"] = self.compute(path, "T", state)["T"]
        qdd = self.compute(path, "qdd", state)["qdd"]
        self.close([qdd[j] for j in file["independent_velocity"]], [a[j] for j in file["independent_velocity"]], 1e-11)


class Quantities(CliTest):
    four_bar = CLOSED / "four_bar.json"

    def test_the_response_to_forces(self):
        file = golden("four_bar")
        out = self.compute(self.four_bar, "M_inv,M_ind,dqdd_dT_ind,Omega:rocker,J:rocker")
        self.close(out["M_inv"], file["outputs"]["dvdot_dtau"], 1e-11)
        J, R = out["J:rocker"], out["M_inv"]
        product = [[sum(J[i][k] * R[k][l] * J[j][l] for k in range(3) for l in range(3)) for j in range(6)]
                   for i in range(6)]
        self.close(out["Omega:rocker"], product, 1e-12)
        self.fails(1, "compute", self.four_bar, "--get", "Lambda:rocker",
                   says=["Lambda:rocker: Omega has no inverse", "only 1 of 6 directions", "mobility 1"])
        out = self.compute(CLOSED / "stewart_6ups.json", "Omega:platform,Lambda:platform")
        O, L = out["Omega:platform"], out["Lambda:platform"]
        self.close([[sum(O[i][k] * L[k][j] for k in range(6)) for j in range(6)] for i in range(6)],
                   [[float(i == j) for j in range(6)] for i in range(6)], 1e-9)

    def test_reactions_are_those_of_the_linear_model(self):
        """The linear model reads them at T, compute at a: the same where a follows from T of the actuated dofs."""
        for name, hinges in (("four_bar", ["crank", "coupler", "rocker"]), ("gripper_mimic_gear", ["palm", "jaw_left"])):
            path, file = CLOSED / f"{name}.json", golden(name)
            state = state_of(file)
            state["T"] = [t if j in file["actuated"] else 0.0 for j, t in enumerate(state["T"])]
            state["a"] = self.compute(path, "qdd", state)["qdd"]
            got = self.compute(path, ",".join(f"reaction:{hinge}" for hinge in hinges), state)
            linear = json.loads(self.ok("linearize", path, "--at", self.write("state.json", state), "--outputs",
                                        ",".join(f"reaction:{hinge}" for hinge in hinges)))
            self.close([x for hinge in hinges for x in got[f"reaction:{hinge}"]], linear["y0"], 1e-10)

    def test_reactions_at_the_forces_of_the_state(self):
        """T alone: at what it causes. The crank's hinge carries the crank's own force about its axis."""
        for model, hinge, axis in (self.four_bar, "crank", 2), ("two_link", "elbow", 1):
            state = {"T": {hinge: 3.5}}
            if model is self.four_bar:
                state["q"] = state_of(golden("four_bar"))["q"]
            path = self.write("T.json", state)
            done = run("compute", model, "--state", path, "--get", f"reaction:{hinge},qdd")
            self.assertEqual(done.stderr, "")
            at_T = json.loads(done.stdout)["results"]
            self.assertAlmostEqual(at_T[f"reaction:{hinge}"][axis], 3.5, 12)
            del state["T"]  # a alone: the four-bar has one actuator, which gives the same
            alone = self.compute(model, f"reaction:{hinge}", {**state, "a": at_T["qdd"]})
            self.close(alone[f"reaction:{hinge}"], at_T[f"reaction:{hinge}"], 1e-10)
            both = run("compute", model, "--state", self.write("both.json", {**state, "T": {hinge: 9}, "a": at_T["qdd"]}),
                       "--get", f"reaction:{hinge}")
            self.assertIn("note: reaction: the state gives a and T; reactions are those at a", both.stderr)
            self.assertEqual(json.loads(both.stdout)["results"], alone)
        # the T of a model file counts
        path = self.write("own.json", {**golden("four_bar"), "tau": [0.75, 0, 0]})
        self.assertAlmostEqual(self.compute(path, "reaction:crank")["reaction:crank"][2], 0.75, 12)

    def test_accelerations_at_the_forces_of_the_state(self):
        """T alone: at what it causes, on trees and with loops; Y pi is then T again."""
        for model, link in (self.four_bar, "coupler"), ("two_link", "tip"):
            state = {"T": [3.5, -2] if model == "two_link" else [3.5, 0, 0]}
            if model is self.four_bar:
                state.update(q=state_of(golden("four_bar"))["q"], v=state_of(golden("four_bar"))["v"])
            names = f"acceleration:{link},regressor"
            at_T = self.compute(model, names + ",qdd", state)
            qdd = at_T.pop("qdd")
            at_a = self.compute(model, names, {**state, "T": [9] * len(qdd), "a": qdd})
            at_rest = self.compute(model, f"acceleration:{link}", {**state, "T": [0] * len(qdd), "a": [0] * len(qdd)})
            for name in names.split(","):
                get = lambda results: results[name]["matrix"] if name == "regressor" else results[name]
                self.close(get(at_T), get(at_a), 1e-10)
            self.assertNotEqual(at_T[f"acceleration:{link}"], at_rest[f"acceleration:{link}"])
            if model == "two_link":
                link = [10, 0, 0, -10, 30, 0, 0, 30, 0, 10]
                parameters = [0] * 10 + link + link + [0] * 10
                self.close([sum(y * p for y, p in zip(row, parameters)) for row in at_T["regressor"]["matrix"]], state["T"])
        # neither: at a = 0
        out = self.compute("two_link", "acceleration:tip,Jdot_v:tip", {"v": [1, 2]})
        self.assertEqual(out["acceleration:tip"], out["Jdot_v:tip"])

    def test_actuators_that_change_where_a_is_read(self):
        file = golden("four_bar")
        del file["independent_velocity"], file["independent_position"]
        model = self.write("four_bar.json", file)
        says = ("note: a is read at the independent dofs, and --actuated changes them to rocker; --independent crank reads it "
                "where it is read without --actuated\n")
        def stderr(get, *options, **a):
            state = self.write("a.json", {"q": state_of(file)["q"], **a})
            done = run("compute", model, "--state", state, "--get", get, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stderr
        for get in "T", "acceleration:coupler", "T,T_null,regressor":
            self.assertIn(says, stderr(get, "--actuated", "rocker", a={"crank": 1}))
            self.assertEqual(stderr(get, "--actuated", "rocker", "--independent", "crank", a={"crank": 1}), "")
            self.assertEqual(stderr(get, "--actuated", "crank", a={"crank": 1}), "")
            self.assertEqual(stderr(get, "--actuated", "rocker"), "")
        self.assertEqual(stderr("qdd", "--actuated", "rocker", a={"crank": 1}), "")

    def test_damping_counts(self):
        file = golden("four_bar")
        for hinge in file["hinges"]:
            hinge["damping"] = [0.3]
        path = self.write("damped.json", file)
        plain, damped = (self.compute(path, "qdd", None, *more)["qdd"] for more in ([], ["--passive"]))
        state = state_of(file)
        state["T"] = [t - 0.3 * v for t, v in zip(state["T"], state["v"])]
        self.close(damped, self.compute(path, "qdd", state)["qdd"], 1e-13)
        self.assertNotEqual(plain, damped)
        state = state_of(file, a=damped)
        state["T"] = self.compute(path, "T", state, "--passive")["T"]
        self.close(self.compute(path, "qdd", state, "--passive")["qdd"], damped, 1e-12)

    def test_independent_dofs_by_name_and_index(self):
        for typed in "1", "coupler":
            out = self.compute(self.four_bar, "independent,mobility,M_ind", None, "--independent", typed)
            self.assertEqual((out["independent"], out["mobility"], len(out["M_ind"])), (["coupler"], 1, 1))
        # the energy does not care
        v = golden("four_bar")["state"]["v"]
        crank = self.compute(self.four_bar, "M_ind,kinetic_energy")
        self.close(0.5 * crank["M_ind"][0][0] * v[0] ** 2, crank["kinetic_energy"], 1e-13)
        self.close(0.5 * out["M_ind"][0][0] * v[1] ** 2, crank["kinetic_energy"], 1e-12)

    def test_rows_and_columns_come_as_asked_for(self):
        names = "independent,M_ind,J_ind:platform,dqdd_dq_ind,dqdd_dv_ind,dqdd_dT_ind"
        path = CLOSED / "stewart_6ups.json"
        own = self.compute(path, names)
        order = [3, 0, 5, 1, 4, 2]
        out = self.compute(path, names, None, "--independent", ",".join(own["independent"][i] for i in order))
        self.assertEqual(out["independent"], [own["independent"][i] for i in order])
        for name in "M_ind", "dqdd_dq_ind", "dqdd_dv_ind":
            self.assertEqual(out[name], [[own[name][i][j] for j in order] for i in order], name)
        self.assertEqual(out["J_ind:platform"], [[row[j] for j in order] for row in own["J_ind:platform"]])
        self.assertEqual(out["dqdd_dT_ind"], [own["dqdd_dT_ind"][i] for i in order])

    def test_on_a_tree(self):
        out = self.compute("two_link", "independent,mobility,M,M_ind,loop_wrench,dqdd_dq,dqdd_dq_ind,dqdd_dv_ind,"
                           "dqdd_dT_ind,M_inv,dqdd_dv", {"q": [0.3, 0.4], "v": [1, 2]})
        self.assertEqual((out["independent"], out["mobility"]), (["shoulder", "elbow"], 2))
        self.assertEqual(out["loop_wrench"], {"loops": []})
        for one, other in ("M", "M_ind"), ("dqdd_dq", "dqdd_dq_ind"), ("dqdd_dv", "dqdd_dv_ind"), ("M_inv", "dqdd_dT_ind"):
            self.assertEqual(out[one], out[other])

    def test_couplings_hold(self):
        path = self.write("gripper.urdf", GRIPPER)
        self.fails(1, "compute", path, "--get", "qdd", says=["loop 'right_finger' ('right_finger' = -1 'left_finger' + 0.005) off by 0.005", "assemble"])
        out = self.compute(path, "qdd,loop_wrench", {"q": {"right_finger": 0.005}})
        self.assertEqual([loop["name"] for loop in out["loop_wrench"]["loops"]], ["right_finger"])
        dofs = json.loads(self.ok("info", path, "--json"))["dofs"]
        by_name = dict(zip(dofs, out["qdd"]))
        self.close(by_name["right_finger"], -by_name["left_finger"], 1e-12)

    def test_a_state_in_the_file_needs_no_option(self):
        file = golden("four_bar")
        self.assertEqual(self.compute(self.four_bar, "qdd"), self.compute(self.four_bar, "qdd", state_of(file)))
        tree = dict(file, loops=[])
        path = self.write("tree.json", tree)
        self.assertEqual(self.compute(path, "qdd"), self.compute(path, "qdd", state_of(file)))

    def test_a_model_file_is_a_state_file(self):
        file = CLOSED / "four_bar.json"
        done = json.loads(self.ok("compute", file, "--get", "qdd", "--state", file))
        self.assertEqual(done["results"], self.compute(file, "qdd"))
        model = {key: value for key, value in golden("four_bar").items() if key not in ("state", "tau")}
        self.fails(1, "compute", file, "--get", "qdd", "--state", self.write("no_state.json", model),
                   says="is a model file that carries no state")


class Refusals(CliTest):
    four_bar = CLOSED / "four_bar.json"

    def test_states_that_do_not_close(self):
        file = golden("four_bar")
        state = state_of(file)
        state["q"][0] += 0.1
        error = self.fails(1, "compute", self.four_bar, "--get", "qdd", "--state", "-", stdin=json.dumps(state),
                           says=["does not close the loops", "loop 'loop0' open by", " m\n", "assemble"])
        self.assertIn("stdin", error)
        state = state_of(file)
        state["v"][1] += 0.1
        self.fails(1, "compute", self.four_bar, "--get", "qdd", "--state", "-", stdin=json.dumps(state),
                   says=["do not keep the loops closed", "loop 'loop0' open with", "m/s", "v = ["])
        state = state_of(file)
        state["q"][1] += 1e-10
        done = run("compute", self.four_bar, "--get", "qdd", "--state", "-", stdin=json.dumps(state))
        self.assertEqual(done.returncode, 0)
        self.assertIn("closes the loops only nearly", done.stderr)
        self.fails(1, "linearize", self.four_bar, "--at", self.write("s.json", {"q": [0, 1, 2]}),
                   says="loop 'loop0' open by")

    def test_velocities_that_are_told_do(self):
        state = state_of(golden("four_bar"))
        v = state["v"][:]
        state["v"][1] = 0.0
        error = self.fails(1, "compute", self.four_bar, "--get", "qdd", "--state", "-", stdin=json.dumps(state))
        told = json.loads(error.split("v = ")[1].split("]")[0] + "]")
        self.close(told, v, 1e-13)

    def test_wrong_names(self):
        for option in "--actuated", "--independent":
            self.fails(2, "compute", self.four_bar, "--get", "T", option, "crnk", says=[option, "did you mean 'crank'?"])
            self.fails(2, "compute", self.four_bar, "--get", "T", option, "3", says=[option, "from 0 to 2"])
            self.fails(2, "compute", self.four_bar, "--get", "T", option, "0,crank", says=[option, "twice"])
        self.fails(1, "compute", self.four_bar, "--get", "M_ind", "--independent", "0,1",
                   says=["--independent: the dofs 'crank', 'coupler' do not determine", "mobility 1"])
        self.fails(1, "compute", "two_link", "--get", "M_ind", "--independent", "0", says="has no loops")
        self.fails(2, "compute", self.four_bar, "--get", "loop_wrenches", says="did you mean 'loop_wrench'?")

    def test_actuators_that_cannot(self):
        path = CLOSED / "stewart_6ups.json"
        self.fails(1, "compute", path, "--get", "T", "--actuated", "2,5,8",
                   says=["T: the actuated dofs", "cannot give these accelerations", "unbalanced"])
        self.fails(1, "compute", "two_link", "--get", "T", "--actuated", "elbow", "--state", "-",
                   stdin='{"q": [1, 0]}', says=["unbalanced, by dof: 'shoulder'"])

    def test_nothing_that_drives_and_nothing_that_moves(self):
        file = golden("four_bar")
        file["actuated"] = []
        self.fails(1, "compute", self.write("idle.json", file), "--get", "T",
                   says=["T: the actuated dofs (none) cannot", "unbalanced, by independent dof: 'crank'"])
        c, s = math.cos(1.0), math.sin(1.0)
        file["loops"].append({"kind": "rows", "name": "lock", "body_a": 0, "body_b": -1, "rows": ["rz"],
                              "rotation_b": [[c, -s, 0], [s, c, 0], [0, 0, 1]]})
        file["state"]["v"] = [0, 0, 0]
        del file["independent_velocity"], file["independent_position"]
        out = self.compute(self.write("locked.json", file), "T,mobility,M_ind,qdd,M_inv,dqdd_dT_ind")
        self.assertEqual((out["T"], out["mobility"], out["M_ind"], out["dqdd_dT_ind"]), ([0, 0, 0], 0, [], []))
        self.assertEqual(out["M_inv"], [[0, 0, 0]] * 3)
        self.assertLess(max(map(abs, out["qdd"])), 1e-12)

    def test_quantities_of_trees(self):
        for name, right in (("dqdd_dq", "dqdd_dq_ind"), ("dqdd_dv", "dqdd_dv_ind"), ("dT_dq", "dqdd_dq_ind"),
                            ("dT_dv", "dqdd_dv_ind"), ("log_det_M", "M_ind"), ("qdd:fd1", "qdd"), ("nu", "M_ind"),
                            ("eps", "qdd"), ("C_nu", "qdd")):
            self.fails(1, "compute", self.four_bar, "--get", name,
                       says=[f"{name}: is of trees", f"--get {right.split('_')[0]}", right, "--loops cut"])
        cut = self.compute(self.four_bar, "dqdd_dq,log_det_M,qdd", None, "--loops", "cut")
        self.assertEqual(len(cut["dqdd_dq"]), 3)

    def test_commands_of_trees(self):
        self.fails(1, "ik", self.four_bar, "--frame", "rocker", "--target", "0,0,1",
                   says=["loop0", "is of trees only", "--loops cut"])
        self.ok("ik", self.four_bar, "--frame", "rocker", "--target", "3,0,0", "--loops", "cut")
        self.fails(2, "info", self.four_bar, "--loops", "cuts", says="did you mean 'cut'?")


class Info(CliTest):
    def topology(self, name):
        return json.loads(self.ok("info", CLOSED / f"{name}.json", "--json"))["topology"]

    def test_four_bar(self):
        self.assertEqual(self.topology("four_bar"), {
            "clusters": [{"hinges": ["crank", "coupler", "rocker"], "loops": ["loop0"], "dofs": 3, "rows": 2}],
            "distant": [], "at": "the state of the file", "mobility": 1, "independent": ["crank"], "redundant": [],
            "singular": []})
        text = self.ok("info", CLOSED / "four_bar.json")
        self.assertIn("  clusters  crank, coupler, rocker move together, through loop0\n", text)
        self.assertIn("  mobility  1 of 3 dofs, at the state of the file; independent: crank\n", text)

    def test_mobility_of_all(self):
        for name in NAMES:
            with self.subTest(name):
                file, got = golden(name), self.topology(name)
                self.assertEqual(got["mobility"], len(file["independent_velocity"]))
                rows = file["outputs"]["maximal_rows"] - file["outputs"]["maximal_rank"]
                self.assertEqual(sum(one["rows"] for one in got["redundant"]), rows)
                for one in got["redundant"]:
                    self.assertGreater(one["kept"], 1e3 * one["dropped"])

    def test_redundant_rows_by_name(self):
        one = self.topology("four_bar_3d_5dof_closure")["redundant"][0]
        self.assertEqual((one["loops"], one["rows"]), (["loop0"], 3))
        one, = self.topology("planetary_redundant")["redundant"]
        self.assertEqual(one["rows"], 2)
        self.assertIn("  redundant 2 rows of ", self.ok("info", CLOSED / "planetary_redundant.json"))

    def test_a_coupling_of_distant_hinges(self):
        chain = json.loads(self.ok("convert", "chain:30"))
        chain["loops"] = [{"name": "belt", "kind": "coupling", "dofs": ["joint30", "joint1"], "coefficients": [1, -2]}]
        path = self.write("belt.json", chain)
        got = json.loads(self.ok("info", path, "--json"))["topology"]
        self.assertEqual(list(got), ["clusters", "distant", "at", "mobility", "independent", "redundant", "singular"])
        self.assertEqual((got["clusters"], got["distant"], got["mobility"]), ([], ["belt"], 29))
        self.assertIn("belt couples hinges too far apart for one cluster", self.ok("info", path))
        out = self.compute(path, "qdd,loop_wrench")
        self.assertLess(abs(out["qdd"][29] - 2 * out["qdd"][0]), 1e-13 * max(map(abs, out["qdd"])))
        force = out["loop_wrench"]["loops"][0]["wrench"][0]
        tree = self.compute(path, "qdd", {"T": [-2 * force] + [0] * 28 + [force]}, "--loops", "cut")
        self.close(tree["qdd"], out["qdd"], 1e-11)

    def test_without_a_state(self):
        file = golden("four_bar")
        for key in "state", "tau", "actuated", "independent_velocity":
            file.pop(key, None)
        path = self.write("four_bar.json", file)
        got = json.loads(self.ok("info", path, "--json"))["topology"]
        self.assertEqual((got["mobility"], got["at"]), (1, "a configuration assembled from the neutral one"))
        file["loops"][0]["position_a"] = [50, 0, 0]
        got = json.loads(self.ok("info", self.write("apart.json", file), "--json"))["topology"]
        self.assertEqual((got["mobility"], got["at"], got["independent"]), (None, None, None))
        self.assertIn("no configuration was found", self.ok("info", self.folder / "apart.json"))

    def test_a_tree(self):
        got = json.loads(self.ok("info", "two_link", "--json"))["topology"]
        self.assertEqual((got["clusters"], got["mobility"], got["independent"]), ([], 2, ["shoulder", "elbow"]))


class Whole(CliTest):
    def test_of_a_four_bar_by_hand(self):
        """Uniform bars of 1, 2.5 and 2 m, ground 3 m, in the plane: com, momentum and energy from where they are and how they move."""
        file = golden("four_bar")
        got = self.compute(CLOSED / "four_bar.json", "com,momentum,kinetic_energy,potential_energy")
        (a, b, c), (wa, wb, wc) = (x[0] for x in file["state"]["q"]), file["state"]["v"]
        at, speed, turn = [], [], []
        for place, place_speed, angle, w, length in (
                ((0, 0), (0, 0), a, wa, 1),
                ((math.cos(a), math.sin(a)), (-wa * math.sin(a), wa * math.cos(a)), a + b, wa + wb, 2.5),
                ((3, 0), (0, 0), c, wc, 2)):
            arm = (length / 2 * math.cos(angle), length / 2 * math.sin(angle))
            at.append((place[0] + arm[0], place[1] + arm[1]))
            speed.append((place_speed[0] - w * arm[1], place_speed[1] + w * arm[0]))
            turn.append(w)
        masses = [body["mass"] for body in file["bodies"]]
        inertias = [body["inertia_com"][2][2] for body in file["bodies"]]
        total = lambda numbers: sum(m * x for m, x in zip(masses, numbers))
        self.close(got["com"], [total(x for x, y in at) / sum(masses), total(y for x, y in at) / sum(masses), 0], 1e-14)
        angular = sum(m * (x * vy - y * vx) for m, (x, y), (vx, vy) in zip(masses, at, speed))
        angular += sum(J * w for J, w in zip(inertias, turn))
        self.close(got["momentum"], [0, 0, angular, total(vx for vx, vy in speed), total(vy for vx, vy in speed), 0], 1e-13)
        kinetic = 0.5 * (total(vx * vx + vy * vy for vx, vy in speed) + sum(J * w * w for J, w in zip(inertias, turn)))
        self.close([got["kinetic_energy"]], [kinetic], 1e-13)
        self.close([got["potential_energy"]], [total(9.81 * y for x, y in at)], 1e-13)


class Linear(CliTest):
    four_bar = CLOSED / "four_bar.json"

    def test_states_are_independent_dofs(self):
        file = golden("four_bar")
        out = json.loads(self.ok("linearize", self.four_bar, "--inputs", "T:*", "--outputs", "q:*,loop:loop0"))
        self.assertEqual(out["states"], ["q:crank", "v:crank"])
        self.close([out["A"][1]], [[file["outputs"]["dvdot_ind_dq_ind"][0][0], file["outputs"]["dvdot_ind_dv_ind"][0][0]]], 1e-11)
        self.close([out["B"][1]], file["outputs"]["dvdot_ind_dtau"], 1e-11)
        self.close([row[0] for row in out["C"][3:]], [row[0] for row in file["outputs"]["dwrench_dq_ind"]], 1e-11)
        out = json.loads(self.ok("linearize", self.four_bar, "--independent", "rocker"))
        self.assertEqual(out["states"], ["q:rocker", "v:rocker"])
        self.fails(2, "linearize", self.four_bar, "--independent", "rockr", says="did you mean 'rocker'?")
        self.fails(2, "linearize", "two_link", "--independent", "elbow", says="has no loops")
        self.fails(1, "linearize", self.four_bar, "--quaternions", says="has loops")

    def test_poles_do_not_depend_on_the_choice(self):
        at = self.rest(self.four_bar)
        poles = [json.loads(self.ok("poles", self.four_bar, "--at", at, "--trim", "forces", "--inputs", "T:crank",
                                    "--independent", dof))["poles"] for dof in ("crank", "coupler", "rocker")]
        for other in poles[1:]:
            self.close([[p["re"], p["im"]] for p in other], [[p["re"], p["im"]] for p in poles[0]], 1e-8)

    def rest(self, path):
        return self.write("rest.json", {"q": state_of(json.loads(path.read_text()))["q"]})

    def test_regulators(self):
        path = CLOSED / "stewart_6ups.json"
        at = self.rest(path)
        legs = ",".join(f"T:{dof}" for dof in self.compute(path, "independent")["independent"])
        common = ["regulate", path, "--at", at, "--trim", "forces", "--inputs", legs]
        for design in (["lqr"], ["decoupled", "--wn", "3", "--zeta", "0.8"]):
            out = json.loads(self.ok(*common, "--design", *design))
            self.assertEqual(len(out["states"]), 12)
            self.assertTrue(all(re < 0 for re, im in out["closed_loop_poles"]))
        out = json.loads(self.ok("regulate", self.four_bar, "--at", self.rest(self.four_bar), "--trim", "forces",
                                 "--inputs", "T:crank", "--design", "place", "--poles=-2,-3"))
        self.close(sorted(out["closed_loop_poles"]), [[-3, 0], [-2, 0]], 1e-9)
        self.fails(1, "regulate", CLOSED / "rolling_disc.json", "--design", "decoupled", "--wn", 1, "--zeta", 1,
                   says=["decoupled_regulator", "expected a velocity for each displacement"])

    def test_trim(self):
        at = self.rest(self.four_bar)
        out = json.loads(self.ok("linearize", self.four_bar, "--at", at, "--trim", "forces", "--inputs", "T:crank"))
        self.assertTrue(all(abs(x) < 1e-10 for x in out["f0"]))
        self.fails(1, "linearize", self.four_bar, "--trim", "forces", says="only a pose at rest can be held")

    def below(self):
        """The image of the golden pose below the ground link."""
        q = state_of(json.loads(self.four_bar.read_text()))["q"]
        return self.write("below.json", {"q": [-angle for angle in q]})

    def test_trim_of_a_pose(self):
        """A four-bar hangs where its loop and gravity leave it; what no pose holds is refused by dof."""
        out = json.loads(self.ok("linearize", self.four_bar, "--at", self.below(), "--trim", "pose"))
        self.assertTrue(all(abs(x) < 1e-8 for x in out["f0"]))
        self.assertEqual(out["T0"], [0, 0, 0])
        still = self.compute(self.four_bar, "qdd", {"q": out["q0"]})["qdd"]
        self.assertTrue(all(abs(x) < 1e-8 for x in still))
        poles = json.loads(self.ok("poles", self.four_bar, "--at", self.below(), "--trim", "pose"))["poles"]
        self.assertTrue(all(abs(p["re"]) < 1e-8 and abs(p["im"]) > 1 for p in poles))    # it swings about it
        at = self.write("pushed.json", {"q": json.loads(self.below().read_text())["q"], "T": {"crank": 1e4}})
        self.fails(1, "linearize", self.four_bar, "--at", at, "--trim", "pose",
                   says=["found no pose that these hinge forces hold", "the forces missing are '"])
        self.fails(1, "linearize", self.four_bar, "--trim", "pose", says="only a pose at rest can be held")

    def test_descriptor(self):
        """E x_dot = A x + B u: the poles of the ordinary model are where s E - A is singular."""
        common = [self.four_bar, "--at", self.below(), "--trim", "pose"]
        out = json.loads(self.ok("linearize", *common, "--descriptor", "--outputs", "q:*,loop:loop0"))
        self.assertEqual(out["states"], ["q:crank", "q:coupler", "q:rocker", "v:crank", "v:coupler", "v:rocker",
                                         "lambda:loop0.0", "lambda:loop0.1"])
        self.assertEqual(out["E"][6:], [[0] * 8] * 2)
        E, A = out["E"], out["A"]

        def size(s):
            """|det(s E - A)| by elimination."""
            rows = [[s * e - a for e, a in zip(*pair)] for pair in zip(E, A)]
            product = 1.0
            while rows:
                rows.sort(key=lambda row: abs(row[0]))
                pivot = rows.pop()
                product *= abs(pivot[0])
                rows = [[x - row[0] / pivot[0] * y for x, y in zip(row[1:], pivot[1:])] for row in rows]
            return product
        for pole in json.loads(self.ok("poles", *common))["poles"]:
            s = complex(pole["re"], pole["im"])
            self.assertLess(size(s), 1e-9 * size(2 * s))
        path = self.folder / "four_bar.csv"
        self.ok("linearize", *common, "--descriptor", "-o", path)
        rows = path.read_text().splitlines()
        self.assertTrue(rows[0].startswith(",d/dt q:crank,"))
        self.assertTrue(rows[8].startswith("equation lambda:loop0.1,0,0,0,0,0,0,0,0,"))
        self.assertEqual({row.count(",") for row in rows}, {8 + 8 + 1 + 1}) # E, A, the actuated crank, the name
        self.fails(2, "linearize", *common, "--descriptor", "--quaternions",
                   says="--quaternions and --descriptor do not go together")
        self.fails(2, "linearize", *common, "--descriptor", "--actuators", 0.1,
                   says="--descriptor and --actuators do not go together")
        done = run("linearize", CLOSED / "planetary_redundant.json", "--descriptor")
        self.assertIn("rows left out, since others say the same: loop3, loop5; their multipliers count as zero", done.stderr)

    def test_jacobians_of_independent_dofs(self):
        """J_ind is what the velocities that the loops ask for make of J."""
        out = self.compute(self.four_bar, "J_ind:coupler,velocity:coupler")
        v = state_of(json.loads(self.four_bar.read_text()))["v"][0]
        self.close([row[0] * v for row in out["J_ind:coupler"]], out["velocity:coupler"], 1e-12)
        out = self.compute("two_link", "J_ind:tip,J:tip")
        self.assertEqual(out["J_ind:tip"], out["J:tip"])


class Page(CliTest):
    root = CLOSED.parent.parent.parent

    def test_the_page_says_what_the_program_says(self):
        page = (self.root / "docs/closed-chains.md").read_text(encoding="utf-8")
        info = self.ok("info", "four_bar")
        for line in page.split("## Quantities")[0].splitlines():
            if line.startswith("      ") and "..." not in line:
                self.assertIn(line[4:], info)
        state = page.split("$ echo '")[1].split("'")[0]
        error = self.fails(1, "compute", "four_bar", "--state", "-", "--get", "qdd", stdin=state)
        self.assertEqual(error.split(" v = ")[0], "".join(line[4:] + "\n" for line in page.split("--get qdd\n")[1]
                         .split("\n\n")[0].splitlines()).split(" v = ")[0])
        self.ok("linearize", "four_bar", "--outputs", "q:*,loop:pin")

    def test_every_new_name_is_on_the_page(self):
        page = (self.root / "docs/closed-chains.md").read_text(encoding="utf-8")
        for name in "loop_wrench", "independent", "mobility", "M_ind", "J_ind:FRAME", "dqdd_dq_ind", "dqdd_dv_ind", "dqdd_dT_ind":
            self.assertIn(f"`{name}`", page)


if __name__ == "__main__":
    unittest.main()
