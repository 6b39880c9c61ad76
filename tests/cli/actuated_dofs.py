"""Which dofs are actuated, from every kind of file: what info says of them, what convert keeps, what T is found by."""

import json
import unittest

from _cli import GRIPPER, CliTest, pendulum_urdf, run

PIVOT = '<transmission name="p"><joint name="pivot"/><actuator name="m"/></transmission>'
RIGHT = '<transmission name="r"><joint name="right_finger"/><actuator name="n"/></transmission>'
LEFT = PIVOT + '<ros2_control name="c" type="system"><joint name="left_finger"><command_interface name="effort"/></joint>' \
    '<joint name="right_finger"><state_interface name="position"/></joint></ros2_control>'
CLOSED = {"q": {"left_finger": 0.002, "right_finger": 0.003}, "a": {"left_finger": 1.0, "right_finger": -1.0}}
MUJOCO = """<mujoco><worldbody>
  <body name="rod"><joint name="pivot" axis="0 1 0"/><inertial pos="0 0 -1" mass="2" diaginertia="1 1 1"/>
    <body name="tip" pos="0 0 -2"><joint name="knee" axis="0 1 0"/><inertial pos="0 0 -1" mass="2" diaginertia="1 1 1"/></body>
  </body></worldbody>
  <actuator>{}</actuator></mujoco>"""


class Actuated(CliTest):
    def gripper(self, actuators):
        return self.write("gripper.urdf", GRIPPER.replace("</robot>", actuators + "</robot>"))

    def info(self, model):
        return json.loads(self.ok("info", model, "--json"))

    def test_info(self):
        self.assertIsNone(self.info(self.gripper(""))["actuated"])
        self.assertNotIn("\n  actuated", self.ok("info", self.gripper("")))
        self.assertEqual(self.info(self.gripper(PIVOT + RIGHT))["actuated"], ["pivot", "right_finger"])
        self.assertIn("\n  actuated  pivot right_finger\n", self.ok("info", self.gripper(PIVOT + RIGHT)))
        self.assertEqual(self.info(self.gripper(LEFT))["actuated"], ["pivot", "left_finger"])
        knee = self.write("legs.xml", MUJOCO.format('<motor joint="knee" gear="50"/>'))
        self.assertEqual(self.info(knee)["actuated"], ["knee"])
        idle = self.write("idle.json", {**json.loads(self.ok("convert", knee)), "actuated": []})
        self.assertEqual(self.info(idle)["actuated"], [])
        self.assertIn("\n  actuated  none\n", self.ok("info", idle))

    def test_they_are_independent(self):
        for actuators, finger in (PIVOT + RIGHT, "right_finger"), (LEFT, "left_finger"):
            model = self.gripper(actuators)
            self.assertEqual(self.info(model)["topology"]["independent"], ["pivot", finger])
            self.assertEqual(self.compute(model, "independent", CLOSED)["independent"], ["pivot", finger])
            state = self.write("closed.json", CLOSED)
            states = json.loads(self.ok("linearize", model, "--at", state))["states"]
            self.assertEqual(states[:2], ["q:pivot", f"q:{finger}"])
            self.ok("compute", model, "--get", "M_ind", "--state", state, "--independent", "0,1")

    def test_convert_keeps_them(self):
        model, path = self.gripper(PIVOT + RIGHT), self.folder / "gripper.json"
        self.ok("convert", model, "-o", path)
        self.assertEqual(json.loads(path.read_text())["actuated"], ["pivot", "right_finger"])
        self.assertEqual(self.info(path)["actuated"], ["pivot", "right_finger"])
        self.assertEqual(self.compute(path, "T", CLOSED), self.compute(model, "T", CLOSED))
        loose = self.folder / "loose.json"
        self.ok("convert", path, "--merge-fixed", "--mimic", "independent", "-o", loose)
        self.assertEqual(self.info(loose)["actuated"], ["pivot", "right_finger"])

    def test_T_is_found_by_them(self):
        both = self.compute(self.gripper(""), "T", CLOSED)["T"] # nothing is said: the fingers share the work
        right = self.compute(self.gripper(PIVOT + RIGHT), "T,T_null", CLOSED)
        left = self.compute(self.gripper(LEFT), "T", CLOSED)["T"]
        self.assertNotEqual(both[1], 0)
        self.assertEqual(right["T"][1], 0)
        self.assertEqual(right["T_null"], [])
        self.assertEqual(left[2], 0)
        self.close([left[1]], [-right["T"][2]])
        self.close([left[1]], [2 * both[1]])
        typed = self.compute(self.gripper(PIVOT + RIGHT), "T", CLOSED, "--actuated", "pivot,left_finger")["T"]
        self.close(typed, left)
        self.fails(1, "compute", self.gripper(PIVOT), "--get", "T", "--state", "-", stdin=json.dumps(CLOSED),
                   says=["the actuated dofs 'pivot' cannot give these accelerations"])
        # All of them, the one that follows too.
        self.close(self.compute(self.gripper(LEFT + RIGHT), "T", CLOSED)["T"], both)

    def test_trees_have_all_forces(self):
        state = {"q": [0.3, 0.2]}
        knee = self.write("legs.xml", MUJOCO.format('<motor joint="knee"/>'))
        self.assertNotEqual(self.compute(knee, "T", state)["T"][0], 0)
        path = self.write("state.json", state)
        done = run("compute", knee, "--get", "T", "--state", path)
        self.assertRegex(done.stderr, r"^sweepdyn: note: T: these accelerations ask for forces on dofs that have no actuator: 'pivot' [-0-9.]+\n$")
        self.assertEqual(run("compute", knee, "--get", "T").stderr, "")    # none is asked for
        self.fails(1, "compute", knee, "--get", "T", "--state", path, "--actuated", "knee", says="cannot give these accelerations")
        for model in (self.write("all.xml", MUJOCO.format('<motor joint="knee"/><motor joint="pivot"/>')),
                      self.write("pendulum.urdf", pendulum_urdf())):       # all have one; nothing is said
            state = self.write("state.json", {"q": [0.3, 0.2]} if model.suffix == ".xml" else {"q": [0.3]})
            self.assertEqual(run("compute", model, "--get", "T", "--state", state).stderr, "")

    def test_inputs_of_linear_models(self):
        knee = self.write("legs.xml", MUJOCO.format('<motor joint="knee"/>'))
        for options in [], ["--inputs", "actuated"]:
            done = run("linearize", knee, *options)
            self.assertEqual((json.loads(done.stdout)["inputs"], done.stderr), (["T:knee"], ""))
        self.assertEqual(json.loads(self.ok("linearize", knee, "--inputs", "T:*"))["inputs"], ["T:pivot", "T:knee"])
        at = self.write("bent.json", {"q": [0.3, 0.2]})
        self.fails(1, "linearize", knee, "--at", at, "--trim", "forces", says=["no input balances", "'pivot'"])
        self.ok("linearize", knee, "--at", at, "--trim", "forces", "--inputs", "T:*")
        idle = self.write("idle.json", {**json.loads(self.ok("convert", knee)), "actuated": []})
        done = run("linearize", idle)
        self.assertEqual(json.loads(done.stdout)["inputs"], ["T:pivot", "T:knee"])
        self.assertIn("note: the inputs are the forces on all dofs, of which none is actuated", done.stderr)
        self.assertEqual(json.loads(self.ok("linearize", self.write("p.urdf", pendulum_urdf())))["inputs"], ["T:pivot"])
        self.fails(2, "linearize", self.write("p.urdf", pendulum_urdf()), "--inputs", "actuated",
                   says="model 'pendulum' does not say which dofs are; name the inputs, such as T:*")

    def test_unknown_joints(self):
        self.fails(1, "info", "--strict", self.write("p.urdf", pendulum_urdf(links=PIVOT.replace("pivot", "pivt"))),
                   says='<joint name="pivt"> (line 7): <transmission> names it: unknown joint \'pivt\'; did you mean \'pivot\'?')
        self.fails(1, "info", self.write("m.xml", MUJOCO.format('<motor name="m" joint="kne"/>')),
                   says="<motor name=\"m\"> (line 5): joint: unknown joint 'kne'; did you mean 'knee'?")


if __name__ == "__main__":
    unittest.main()
