"""sweepdyn compute: the result's shape, every quantity against numbers worked by hand, and refusals."""

import json
import math
import pathlib
import subprocess
import unittest

from _cli import CLI, GRIPPER, MODELS, CliTest, mixed_model, multiply, pendulum_urdf, run, solve, transposed

G = 9.81


class Shape(CliTest):
    def test_result(self):
        result = json.loads(self.ok("compute", "two_link", "--get", "M,T"))
        self.assertEqual(result, {
            "model": "two_link", "conventions": "sweepdyn-1", "units": "SI", "dofs": ["shoulder", "elbow"],
            "results": {"M": [[140, 50], [50, 30]], "T": [0, 0]}})
        self.assertEqual(list(result), ["model", "conventions", "units", "dofs", "results"])

    def test_keys_are_as_typed_in_the_order_typed(self):
        names = ["pose:tip", "M", "mass_matrix", "T", "J:lower_link", "reaction:elbow"]
        self.assertEqual(list(self.compute("two_link", ",".join(names))), names)
        text = self.ok("compute", "two_link", "--get", "T,M", "--get", " com , mass")
        self.assertEqual(list(json.loads(text)["results"]), ["T", "M", "com", "mass"])
        self.assertEqual(self.compute("two_link", "M,mass_matrix,M"), {"M": [[140, 50], [50, 30]], "mass_matrix": [[140, 50], [50, 30]]})

    def test_a_name_may_hold_a_comma(self):
        model = mixed_model()
        model["frames"].append({"name": "a,b", "body": -1, "position": [1, 2, 3]})
        key = "pose:a\\,b"
        self.assertEqual(self.compute(self.write("comma.json", model), key + ",mass")[key]["p"], [1, 2, 3])

    def test_shapes_of_every_quantity(self):
        n = 19
        model = self.write("mixed.json", mixed_model())
        sizes = {"T": [n], "bias": [n], "gravity": [n], "qdd": [n], "M": [n, n], "M_dot": [n, n], "coriolis": [n, n], "mass": [], "com": [3],
                 "kinetic_energy": [], "potential_energy": [], "momentum": [6], "momentum_com": [6], "J:tip": [6, n],
                 "velocity:tip": [6], "acceleration:tip": [6], "Jdot_v:tip": [6], "reaction:planar": [6], "passive": [n]}
        results = self.compute(model, ",".join(sizes) + ",pose:tip,regressor")
        self.assertEqual([len(results["regressor"][key]) for key in ("rows", "cols", "matrix")], [n, 90, n])
        self.assertEqual({len(row) for row in results["regressor"]["matrix"]}, {90})
        self.assertEqual(sorted(results["pose:tip"]), ["R", "p"])
        self.assertEqual((len(results["pose:tip"]["R"]), len(results["pose:tip"]["p"])), (3, 3))
        for name, expected in sizes.items():
            value, size = results[name], []
            while isinstance(value, list):
                size.append(len(value))
                value = value[0]
            self.assertEqual(size, expected, name)

    def test_numbers_are_shortest_and_without_minus_zero(self):
        text = self.ok("compute", "two_link", "--get", "T,M,gravity", "--state", "-", stdin='{"q": [0.1, -0.3]}')
        for number in text.replace("[", " ").replace("]", " ").replace(",", " ").split():
            try:
                value = float(number)
            except ValueError:
                continue
            self.assertLessEqual(len(number), len(repr(value)), number)
        self.assertNotIn("-0,", self.ok("compute", "arm7", "--get", "T,M,J:tool,pose:tool,gravity"))
        self.assertNotIn("-0]", self.ok("compute", "arm7", "--get", "T,M,J:tool,pose:tool,gravity"))

    def test_repeats_to_the_byte(self):
        call = ["compute", "random:40:1", "--get", "T,M,com,pose:body7,momentum"]
        self.assertEqual(self.ok(*call), self.ok(*call))

    def test_nothing_that_moves(self):
        model = self.write("post.json", mixed_model(bodies=mixed_model()["bodies"][:1], hinges=mixed_model()["hinges"][:1], frames=[]))
        self.assertEqual(self.compute(model, "M_dot,coriolis,regressor")["regressor"]["matrix"], [])
        self.assertEqual(self.compute(model, "T,qdd,M,mass,kinetic_energy,J:weld_body"),
                         {"T": [], "qdd": [], "M": [], "mass": 0, "kinetic_energy": 0, "J:weld_body": [[]] * 6})


class Names(CliTest):
    def test_unknown_quantities_all_at_once(self):
        self.fails(2, "compute", "two_link", "--get", "Mm,poze:tip,kinetic_enery",
                   says=["unknown quantity 'Mm'; did you mean 'M'?", "did you mean 'pose:tip'?", "did you mean 'kinetic_energy'?"])

    def test_unknown_quantities_go_before_the_model(self):
        self.fails(2, "compute", "no_such_model", "--get", "Mm", says="did you mean 'M'?")

    def test_unknown_frames_and_hinges(self):
        self.fails(2, "compute", "two_link", "--get", "pose:tipp,reaction:elbo,J:lower_lnk",
                   says=["unknown frame 'tipp'; did you mean 'tip'?", "unknown hinge 'elbo'; did you mean 'elbow'?",
                         "did you mean 'lower_link'?"])

    def test_names_that_are_missing_or_too_many(self):
        self.fails(2, "compute", "two_link", "--get", "pose", says="'pose' needs a name: pose:FRAME")
        self.fails(2, "compute", "two_link", "--get", "reaction:", says="reaction:HINGE")
        self.fails(2, "compute", "two_link", "--get", "M:tip", says="of the whole system")
        self.fails(2, "compute", "two_link", "--get", "regressor:tip", says="'regressor' is of the whole system")
        self.fails(2, "compute", "two_link", "--get", "coriolos,Mdot,regresor",
                   says=["did you mean 'coriolis'?", "did you mean 'M_dot'?", "did you mean 'regressor'?"])
        self.fails(2, "compute", "two_link", "--get", "M,,T", says="a name is missing between commas")
        self.fails(2, "compute", "two_link", says="--get")
        self.fails(2, "compute", "two_link", "--get", "", says="--get")


class TwoLink(CliTest):
    """Two links of 10 kg and 2 m, centres at 1 m, central inertias 20, hanging along -z, axes +y."""

    def test_energies_and_mass(self):
        result = self.compute("two_link", "mass,com,potential_energy,kinetic_energy", {"v": [1, 2]})
        self.assertEqual(result["mass"], 20)
        self.close(result["com"], [0, 0, -2])
        self.close(result["potential_energy"], -10 * G * (1 + 3))
        self.close(result["kinetic_energy"], 0.5 * (140 + 2 * 2 * 50 + 4 * 30))

    def test_gravity_of_a_raised_arm(self):
        # Turned by 90 degrees about +y, -z goes to -x; there gravity pulls about -y, so the hinges hold with +y.
        result = self.compute("two_link", "gravity,bias,T", {"q": [math.pi / 2, 0], "v": [0, 0], "a": [1, 0]})
        torque = [10 * G * (1 + 3), 10 * G * 1]
        self.close(result["gravity"], torque)
        self.close(result["bias"], torque)
        self.close(result["T"], [torque[0] + 140, torque[1] + 50])

    def test_another_gravity(self):
        self.close(self.compute("two_link", "gravity", None, "--gravity=-2,0,0")["gravity"], [-2 * 40, -2 * 10])
        self.assertEqual(self.compute("two_link", "potential_energy", None, "--gravity=0,0,0")["potential_energy"], 0)

    def test_bias_is_T_without_acceleration(self):
        state = {"q": [0.3, 1.1], "v": [2, -1], "a": [5, 7]}
        result = self.compute("two_link", "bias,T,M", state)
        Ma = multiply(result["M"], state["a"])
        self.close(result["T"], [b + c for b, c in zip(result["bias"], Ma)])
        self.assertEqual(result["bias"], self.compute("two_link", "T", {**state, "a": [0, 0]})["T"])

    def test_forward_undoes_inverse_dynamics(self):
        state = {"q": [0.3, 1.1], "v": [2, -1], "a": [5, 7], "external": [{"frame": "tip", "wrench": [1, 2, 3, 4, 5, 6]}]}
        T = self.compute("two_link", "T", state)["T"]
        self.close(self.compute("two_link", "qdd", {**state, "T": T})["qdd"], state["a"])

    def test_frames(self):
        result = self.compute("two_link", "pose:tip,velocity:tip,acceleration:tip,Jdot_v:tip,J:tip,pose:world",
                              {"v": [1, 0], "a": [0, 3]})
        self.close(result["pose:tip"]["p"], [0, 0, -4])
        self.assertEqual(result["pose:world"], {"R": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "p": [0, 0, 0]})
        self.close(result["velocity:tip"], [0, 1, 0, -4, 0, 0])
        self.close(result["Jdot_v:tip"], [0, 0, 0, 0, 0, 4])         # towards the shoulder
        self.close(result["acceleration:tip"], [0, 3, 0, -6, 0, 4])  # the elbow is 2 m away
        self.close(result["J:tip"], [[0, 0], [1, 1], [0, 0], [-4, -2], [0, 0], [0, 0]])

    def test_coriolis_and_the_rate_of_M(self):
        # M = [[140 + 2b, 50 + b], [., 30]] with b = 20 (cos q1 - 1); db/dt = -20 sin(q1) v1, C by Christoffel's symbols.
        result = self.compute("two_link", "M_dot,coriolis", {"q": [0.7, math.pi / 2], "v": [2, 3]})
        self.close(result["M_dot"], [[-120, -60], [-60, 0]])
        self.close(result["coriolis"], [[-60, -100], [40, 0]])

    def test_regressor(self):
        # Raised, the elbow at rest: the lower link's mass is a point at the elbow, 2 m from the shoulder.
        state = {"q": [math.pi / 2, 0], "v": [0, 0], "a": [1, 0]}
        result = self.compute("two_link", "regressor,T", state)
        Y = result["regressor"]
        self.assertEqual(Y["rows"], ["shoulder", "elbow"])
        parameters = ["m", "mx", "my", "mz", "Jxx", "Jxy", "Jxz", "Jyy", "Jyz", "Jzz"]
        links = ["base_link", "upper_link", "lower_link", "tip"]
        self.assertEqual(Y["cols"], [f"{link}.{name}" for link in links for name in parameters])
        shoulder = dict(zip(Y["cols"], Y["matrix"][0]))
        self.close(shoulder["lower_link.m"], 2 * G + 4)
        self.close(shoulder["upper_link.Jyy"], 1)
        self.close(shoulder["upper_link.mz"], -G)
        self.assertEqual(Y["matrix"][1][:20], [0] * 20)  # the elbow does not carry the upper link
        link = [10, 0, 0, -10, 30, 0, 0, 30, 0, 10]  # 10 kg, 1 m below the hinge; Jyy = 20 + 10
        self.close([sum(y * p for y, p in zip(row, [0] * 10 + link + link + [0] * 10)) for row in Y["matrix"]], result["T"])

    def test_regressor_leaves_out_wrenches_and_passive_forces(self):
        model = self.write("damped.urdf", pendulum_urdf('<dynamics damping="3"/>'))
        state = {"q": [0.4], "v": [2], "a": [1]}
        alone = self.compute(model, "regressor", state)
        pushed = {**state, "external": [{"frame": "rod", "wrench": [1, 2, 3, 4, 5, 6]}]}
        self.assertEqual(self.compute(model, "regressor", pushed, "--passive"), alone)

    def test_momentum(self):
        result = self.compute("two_link", "momentum,momentum_com", {"v": [1, 0]})
        self.close(result["momentum"], [0, 140, 0, -40, 0, 0])
        # About the centre of mass, 2 m below the origin: 140 - 2 * 40.
        self.close(result["momentum_com"], [0, 60, 0, -40, 0, 0])

    def test_reactions_of_hanging_links(self):
        result = self.compute("two_link", "reaction:shoulder,reaction:elbow,reaction:tip_mount")
        self.close(result["reaction:shoulder"], [0, 0, 0, 0, 0, 20 * G])
        self.close(result["reaction:elbow"], [0, 0, 0, 0, 0, 10 * G])
        self.close(result["reaction:tip_mount"], [0] * 6)

    def test_reactions_are_in_child_axes(self):
        # Raised: the child's x axis points down (-z), so the carrying force is along -x; the moment is T about +y.
        result = self.compute("two_link", "reaction:elbow,T", {"q": [math.pi / 2, 0]})
        self.close(result["reaction:elbow"], [0, 10 * G, 0, -10 * G, 0, 0])
        self.close(result["T"][1], 10 * G)

    def test_reaction_of_a_swing(self):
        # Centripetal: the lower link's centre runs on a circle of 3 m with 2 rad/s.
        self.close(self.compute("two_link", "reaction:elbow", {"v": [2, 0]})["reaction:elbow"][5], 10 * (G + 4 * 3))


class External(CliTest):
    def test_signs(self):
        pushed = {"external": [{"frame": "tip", "wrench": [0, 0, 0, 1, 0, 0], "axes": "world"}]}
        # J' w = -4, -2 at the hinges; T holds against it, and without T it accelerates by M^-1 J' w.
        self.close(self.compute("two_link", "T", pushed)["T"], [4, 2])
        self.close(multiply([[140, 50], [50, 30]], self.compute("two_link", "qdd", pushed)["qdd"]), [-4, -2])
        self.close(self.compute("two_link", "bias", pushed)["bias"], [4, 2])
        self.close(self.compute("two_link", "gravity", pushed)["gravity"], [0, 0])
        self.close(self.compute("two_link", "reaction:elbow", pushed)["reaction:elbow"], [0, 2, 0, -1, 0, 10 * G])

    def test_moments(self):
        self.close(self.compute("two_link", "T", {"external": [{"frame": "tip", "wrench": [0, 1, 0, 0, 0, 0]}]})["T"], [-1, -1])

    def test_is_the_transposed_jacobian_in_world_axes(self):
        q, w = {"revolute": 0.4, "universal": [0.5, -0.2], "planar": [0.3, 0.1, 0.2]}, [1, -2, 3, 4, 5, -6]
        model = self.write("mixed.json", mixed_model())
        free = self.compute(model, "T,J:tip", {"q": q})
        pushed = self.compute(model, "T", {"q": q, "external": [{"frame": "tip", "wrench": w, "axes": "world"}]})
        self.close([a - b for a, b in zip(free["T"], pushed["T"])], multiply(transposed(free["J:tip"]), w))

    def test_frame_axes(self):
        model = self.write("mixed.json", mixed_model())
        q = {"revolute": 0.4, "universal": [0.5, -0.2]}
        R = self.compute(model, "pose:tip", {"q": q})["pose:tip"]["R"]
        moment, force = [1, 2, 3], [4, 5, 6]
        by_frame = self.compute(model, "T", {"q": q, "external": [{"frame": "tip", "wrench": moment + force, "axes": "frame"}]})
        by_world = self.compute(model, "T", {"q": q, "external": [
            {"frame": "tip", "wrench": multiply(R, moment) + multiply(R, force), "axes": "world"}]})
        self.close(by_frame["T"], by_world["T"])

    def test_add_up_and_spare_the_ground(self):
        one = {"frame": "tip", "wrench": [0, 0, 0, 1, 0, 0]}
        ground = {"frame": "world", "wrench": [9] * 6}
        self.close(self.compute("two_link", "T", {"external": [one, ground, one]})["T"], [8, 4])


class Floating(CliTest):
    def test_a_robot_let_go_falls(self):
        result = self.compute("quadruped", "qdd,mass", {"base": {"p": [0, 0, 1]}})
        self.close(result["qdd"], [0, 0, 0, 0, 0, -G] + [0] * 12)

    def test_a_base_wrench_of_its_weight_holds_it(self):
        result = self.compute("quadruped", "mass,gravity,com", {"q": {"lf_hip_abduction": 0.5, "lf_hip_flexion": 1}})
        weight, (x, y, _) = result["mass"] * G, result["com"]
        self.close(result["gravity"][:6], [y * weight, -x * weight, 0, 0, 0, weight])

    def test_momentum_of_a_gliding_robot(self):
        result = self.compute("quadruped", "mass,momentum,kinetic_energy", {"base": {"twist": [0, 0, 0, 2, 0, 0]}})
        self.close(result["momentum"][3:], [2 * result["mass"], 0, 0])
        self.close(result["kinetic_energy"], 0.5 * result["mass"] * 4)


    def test_centroidal_momentum(self):
        state = {"base": {"twist": [0.1, 0.2, 0.3, 1, 2, 3]}, "q": {"lf_hip_flexion": 0.7}, "v": {"lf_hip_flexion": 1}}
        done = json.loads(run("compute", "quadruped", "--get", "cmm,momentum_com", "--state", "-", stdin=json.dumps(state)).stdout)
        result, v = done["results"], [0.1, 0.2, 0.3, 1, 2, 3] + [float(name == "lf_hip_flexion") for name in done["dofs"][6:]]
        self.assertEqual(sum(v[6:]), 1)
        self.close(multiply(result["cmm"], v), result["momentum_com"])

    def test_bias_of_a_swinging_pair(self):
        # Both links turn as one at 2 rad/s, their centre 2 m below the shoulder: 20 kg towards it, nothing about it.
        self.close(self.compute("two_link", "cmm_bias", {"v": [2, 0]})["cmm_bias"], [0, 0, 0, 0, 0, 20 * 2 * 4])

    def test_a_base_that_gives_way(self):
        q = {"elbow_pitch": 1, "shoulder_pitch": -0.4}
        result = self.compute("spacecraft", "J_floating:tool,cmm", {"q": q})
        for row in result["J_floating:tool"]:
            self.assertEqual(row[:6], [0] * 6)
        # The shoulder (dof 8) turns at 1 rad/s and the bus so that there is no momentum: what the tool does then.
        twist = solve([row[:6] for row in result["cmm"]], [-row[8] for row in result["cmm"]])
        moving = self.compute("spacecraft", "momentum_com,velocity:tool",
                              {"q": q, "v": {"shoulder_roll": 1}, "base": {"twist": twist}})
        for x in moving["momentum_com"]:
            self.assertAlmostEqual(x, 0, places=9)
        for x, row in zip(moving["velocity:tool"], result["J_floating:tool"]):
            self.assertAlmostEqual(x, row[8], places=11)
        self.fails(1, "compute", "arm7", "--get", "J_floating:tool", says="has no floating base")


class Diagonal(CliTest):
    """Two links: D of the elbow is 30, of the shoulder 140 - 50^2 / 30."""

    STATE = {"q": [0.3, 1.1], "v": [2, -1], "T": [5, 7]}

    def test_by_hand(self):
        result = self.compute("two_link", "nu,eps", {"v": [1, 2], "T": [3, 4]})
        shoulder, elbow = math.sqrt(140 - 50 * 50 / 30), math.sqrt(30)
        self.close(result["nu"], [shoulder * 1, elbow * (2 + 50 / 30 * 1)])
        self.close(result["eps"], [(3 - 50 / 30 * 4) / shoulder, 4 / elbow])

    def test_energy_and_power(self):
        result = self.compute("two_link", "nu,eps,kinetic_energy", self.STATE)
        self.close(sum(x * x for x in result["nu"]) / 2, result["kinetic_energy"])
        self.close(sum(x * y for x, y in zip(result["nu"], result["eps"])), 5 * 2 - 7 * 1)

    def test_the_rate_of_nu(self):
        # d nu/dt = eps - C_nu, by a difference of nu along the motion.
        pushed = {**self.STATE, "external": [{"frame": "tip", "wrench": [1, 2, 3, 4, 5, 6], "axes": "world"}]}
        result = self.compute("two_link", "qdd,eps,C_nu", pushed)
        q, v, a, h = self.STATE["q"], self.STATE["v"], result["qdd"], 1e-5

        def nu(t):
            return self.compute("two_link", "nu", {"q": [x + t * y + t * t / 2 * z for x, y, z in zip(q, v, a)],
                                                   "v": [x + t * y for x, y in zip(v, a)]})["nu"]

        for ahead, behind, eps, C in zip(nu(h), nu(-h), result["eps"], result["C_nu"]):
            self.assertAlmostEqual((ahead - behind) / (2 * h), eps - C, places=5)

    def test_no_work_without_gravity(self):
        result = self.compute("two_link", "nu,C_nu", self.STATE, "--gravity=0,0,0")
        self.assertGreater(abs(result["C_nu"][0]), 1)
        self.assertAlmostEqual(sum(x * y for x, y in zip(result["nu"], result["C_nu"])), 0, places=10)

    def test_a_hinge_without_inertia(self):
        path = self.write("light.urdf", pendulum_urdf(inertial=""))
        for name in "nu", "eps", "C_nu":
            self.fails(1, "compute", path, "--get", name, says=[f"error: {name}: ", "no inertia to move at hinge 'pivot'"])


class Passive(CliTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("rubbing.urdf", pendulum_urdf('<dynamics damping="0.5" friction="0.25"/>'))
        self.state = {"v": {"pivot": 2}, "T": {"pivot": 3}, "a": {"pivot": 1}}

    def all_close(self, got, expected):
        for key, value in expected.items():
            self.close(got[key], value)

    def test_off_by_default(self):
        # Inertia about the pivot: 0.1 + 2 * 1.
        self.all_close(self.compute(self.model, "T,qdd", self.state), {"T": [2.1], "qdd": [3 / 2.1]})

    def test_damping_and_smoothed_friction(self):
        passive = 0.5 * 2 + 0.25 * math.tanh(2 / 0.1)
        result = self.compute(self.model, "passive,T,bias,qdd", self.state, "--passive", "--friction-speed", "0.1")
        self.all_close(result, {"passive": [passive], "T": [2.1 + passive], "bias": [passive], "qdd": [(3 - passive) / 2.1]})

    def test_derivatives_hold_damping_and_smoothed_friction(self):
        state = {"q": [0.3, -0.4], "v": [0.02, -0.05], "T": [1, 2], "a": [0.5, -0.2]}
        text = (MODELS / "two_link.urdf").read_text(encoding="utf-8")
        model = self.write("rubbing2.urdf", text.replace('damping="0" friction="0"', 'damping="3" friction="2"'))
        options = ["--passive", "--friction-speed", "0.1"]
        result = self.compute(model, "dT_dv,dqdd_dv,M_inv", state, *options)
        h = 1e-6
        for name, of in ("dT_dv", "T"), ("dqdd_dv", "qdd"):
            for j in range(2):
                ahead, behind = (self.compute(model, of, dict(state, v=[v + s * h * (i == j) for i, v in enumerate(state["v"])]), *options)[of]
                                 for s in (1, -1))
                self.close([row[j] for row in result[name]], [(a - b) / (2 * h) for a, b in zip(ahead, behind)], 1e-6)
        without = self.compute(model, "dT_dv", state)["dT_dv"]
        for j, v in enumerate(state["v"]):   # on the diagonal, what each hinge rubs
            self.close([result["dT_dv"][j][j] - without[j][j]], [3 + 2 / 0.1 / math.cosh(v / 0.1) ** 2], 1e-9)

    def test_asking_for_it_does_not_add_it(self):
        result = self.compute(self.model, "passive,T", self.state, "--friction-speed", "0.1")
        self.all_close(result, {"passive": [0.5 * 2 + 0.25 * math.tanh(20)], "T": [2.1]})

    def test_friction_without_a_speed_is_left_out_and_said_so(self):
        for options in ["--get", "passive"], ["--get", "T", "--passive"]:
            done = run("compute", self.model, *options, "--state", "-", stdin=json.dumps(self.state))
            self.assertEqual(done.returncode, 0)
            self.assertIn("dry friction is left out at 'pivot'; give --friction-speed", done.stderr)
        self.all_close(self.compute(self.model, "passive", self.state), {"passive": [1.0]})

    def test_speeds_that_are_none(self):
        for speed in "0", "-1", "nan", "inf", "x":
            self.fails(2, "compute", self.model, "--get", "T", f"--friction-speed={speed}", says="--friction-speed")


class Refusals(CliTest):
    def test_couplings(self):
        path = self.write("gripper.urdf", GRIPPER)
        self.fails(1, "compute", path, "--get", "M", says=["'right_finger' = -1 'left_finger' + 0.005", "--mimic independent"])
        self.assertEqual(len(self.compute(path, "M", {"q": {"right_finger": 0.005}})["M"]), 3)
        done = run("compute", path, "--get", "M", "--mimic", "independent")
        self.assertEqual(len(json.loads(done.stdout)["results"]["M"]), 3)
        self.assertIn("note: coupling 'right_finger' = -1 'left_finger' + 0.005 is dropped", done.stderr)

    def test_an_error_goes_before_the_notes(self):
        path = self.write("gripper.urdf", GRIPPER)
        self.assertIn("note: ", self.fails(1, "compute", path, "--get", "T", "--mimic", "independent", "--state", "none.json"))

    def test_a_hinge_without_inertia(self):
        path = self.write("light.urdf", pendulum_urdf(inertial=""))
        self.fails(1, "compute", path, "--get", "qdd", says=["error: qdd: no inertia to move at hinge 'pivot'", "give mass and inertia to 'rod'"])
        for name in "M_inv", "log_det_M", "Omega:rod", "Lambda:rod", "qdd:fd1", "qdd:fd2", "qdd:fd3", "qdd:fd4":
            self.fails(1, "compute", path, "--get", name, says=[f"error: {name}: ", "no inertia to move at hinge 'pivot'"])
        self.assertEqual(self.compute(path, "T,M,velocity:rod"), {"T": [0], "M": [[0]], "velocity:rod": [0] * 6})

    def test_no_centre_of_nothing(self):
        path = self.write("light.urdf", pendulum_urdf(inertial=""))
        for name in "com", "momentum_com":
            self.fails(1, "compute", path, "--get", name, says=[f"error: {name}: ", "no centre of mass"])

    def test_what_is_not_finite(self):
        self.fails(1, "compute", "two_link", "--get", "mass,kinetic_energy", "--state", "-", stdin='{"v": [1e200, 0]}',
                   says="'kinetic_energy' is not finite")
        self.fails(1, "compute", "two_link", "--get", "T", "--state", "-", stdin='{"q": [0, 1], "v": [1e300, 1e300]}',
                   says="'T' is not finite")

    def test_a_full_disk(self):
        if not pathlib.Path("/dev/full").exists():
            self.skipTest("no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([CLI, "compute", "two_link", "--get", "M"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("sweepdyn: error: stdout", done.stderr)


class InverseAndOperationalSpace(CliTest):
    STATE = '{"q": [0.3, 0.5, -0.4, 0.9, 0.2, -0.7, 0.1], "v": [1, 2, 3, 4, 5, 6, 7], "T": [9, 8, 7, 6, 5, 4, 3]}'

    def get(self, what, *options):
        return json.loads(self.ok("compute", "arm7", "--get", what, "--state", "-", *options, stdin=self.STATE))["results"]

    def same(self, got, want, tolerance=1e-9):
        for row, expected in zip(got, want, strict=True):
            for x, y in zip(row, expected, strict=True):
                self.assertAlmostEqual(x, y, delta=tolerance * max(map(abs, expected)))

    def test_inverse(self):
        results = self.get("M,M_inv,mass_matrix_inverse,log_det_M")
        M, inverse = results["M"], results["M_inv"]
        self.assertEqual(inverse, results["mass_matrix_inverse"])
        product = [[sum(a * b for a, b in zip(row, column)) for column in zip(*inverse)] for row in M]
        self.same(product, [[float(i == j) for j in range(7)] for i in range(7)])
        # By elimination.
        log_det, rows = 0.0, [list(row) for row in M]
        for i in range(7):
            log_det += math.log(rows[i][i])
            for k in range(i + 1, 7):
                factor = rows[k][i] / rows[i][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
        self.assertAlmostEqual(results["log_det_M"], log_det, delta=1e-9)

    def test_forward_dynamics_by_name(self):
        results = self.get("qdd,qdd:fd1,qdd:fd2,qdd:fd3,qdd:fd4")
        for name in "qdd:fd1", "qdd:fd2", "qdd:fd3", "qdd:fd4":
            self.same([results[name]], [results["qdd"]])
        self.fails(2, "compute", "arm7", "--get", "qdd:fd5", says="'qdd' is of the whole system")

    def test_operational_space(self):
        results = self.get("Omega:tool,Lambda:tool,Omega:tool+forearm_roll_link,J:tool,M_inv")
        omega, both = results["Omega:tool"], results["Omega:tool+forearm_roll_link"]
        J, inverse = results["J:tool"], results["M_inv"]
        half = [[sum(a * b for a, b in zip(row, column)) for column in zip(*inverse)] for row in J]
        self.same(omega, [[sum(a * b for a, b in zip(x, y)) for y in J] for x in half])
        self.assertEqual((len(both), len(both[0])), (12, 12))
        self.same([row[:6] for row in both[:6]], omega)
        product = [[sum(a * b for a, b in zip(row, column)) for column in zip(*omega)] for row in results["Lambda:tool"]]
        for i in range(6):
            for j in range(6):
                self.assertAlmostEqual(product[i][j], float(i == j), delta=1e-8)
        self.fails(2, "compute", "arm7", "--get", "Omega:tool+tol", says="unknown frame 'tol'")
        self.fails(2, "compute", "arm7", "--get", "Omega", says="'Omega' needs a name")
        # Straight up: what is lost, by names.
        self.fails(1, "compute", "arm7", "--get", "Lambda:tool", says="'tool' move along z")


if __name__ == "__main__":
    unittest.main()
