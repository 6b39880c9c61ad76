"""sweepdyn ik: targets in every way to type them, what is printed, what is refused; the page's examples run."""

import json
import os
import pathlib
import re
import shlex
import unittest

from _cli import GRIPPER, CliTest, mixed_model, run

PAGE = pathlib.Path(os.environ["SWEEPDYN_TEST_DATA"]).parent / "docs/inverse-kinematics.md"


class Ik(CliTest):
    def ik(self, model, *arguments, **options):
        return json.loads(self.ok("ik", model, *arguments, **options))["results"]

    def pose(self, model, frame, q, *options):
        return self.compute(model, f"pose:{frame}", {"q": q}, *options)[f"pose:{frame}"]

    def test_the_result_puts_the_frame_there(self):
        out = json.loads(self.ok("ik", "arm7", "--frame", "tool", "--target", "0.4,0,0.6"))
        self.assertEqual([out["model"], out["conventions"], out["units"], len(out["dofs"])], ["arm7", "sweepdyn-1", "SI", 7])
        found = out["results"]
        self.assertIs(found["solved"], True)
        self.assertLessEqual(found["residual"], 1e-8)
        self.assertGreaterEqual(found["seeds"], 1)
        self.assertGreaterEqual(found["iterations"], 1)
        self.assertEqual(found["limits"], [])
        task, = found["tasks"]
        self.assertEqual([task["frame"], task["kind"], task["angle"]], ["tool", "position", 0])
        self.close(self.pose("arm7", "tool", found["q"])["p"], [0.4, 0, 0.6], 1e-7)

    def test_targets_in_every_way(self):
        half = 0.5 ** 0.5
        pose = {"p": [0.3, 0.2, 0.7], "R": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]}
        numbers = f"0.3, 0.2,+0.7,{half},0,{half},0"
        in_file = self.write("target.json", pose)
        for target in (numbers, json.dumps(pose), f"@{in_file}", json.dumps({"p": pose["p"], "quat": [half, 0, half, 0]})):
            found = self.ik("arm7", "--frame", "tool", "--target", target)
            self.assertEqual(found["tasks"][0]["kind"], "pose")
            got = self.pose("arm7", "tool", found["q"])
            self.close(got["R"], pose["R"], 1e-7)
            self.close(got["p"], pose["p"], 1e-7)
        for target in "0.7071,0,0.7071,0", '{"R": [[0,0,1],[0,1,0],[-1,0,0]]}', '{"quat": [0.70710678,0,0.70710678,0]}':
            found = self.ik("arm7", "--frame", "tool", "--target", target)
            self.assertEqual([found["tasks"][0]["kind"], found["tasks"][0]["distance"]], ["orientation", 0])
            self.close(self.pose("arm7", "tool", found["q"])["R"], pose["R"], 1e-6)
        for target, axis in ("look:1,0.5,0", [0, 0, 1]), ("look:1,0.5,0,1,0,0", [1, 0, 0]), \
                            ('{"look_at": [1,0.5,0], "axis": [0,1,0]}', [0, 1, 0]):
            found = self.ik("arm7", "--frame", "tool", "--target", target)
            got = self.pose("arm7", "tool", found["q"])
            to = [a - b for a, b in zip([1, 0.5, 0], got["p"])]
            along = [sum(r * a for r, a in zip(row, axis)) for row in got["R"]]
            distance = sum(x * x for x in to) ** 0.5
            self.close(to, [distance * x for x in along], 1e-7)
        for words in ["--target=-0.4,0.1,0.6"], ["--target", "-0.4,0.1,0.6"]:
            self.assertTrue(self.ik("arm7", "--frame", "tool", *words)["solved"])

    def test_several_frames_locks_and_the_first_seed(self):
        state = self.write("first.json", {"q": {"waist_yaw": 0.2, "left_knee": 0.5, "neck_yaw": 0.1}})
        found = self.ik("humanoid", "--frame", "left_hand", "--target", "0.3,0.3,0.1", "--frame", "right_hand", "--target",
                        "0.3,-0.3,0.1", "--frame", "right_hand", "--target", "look:1,-0.3,0.1", "--lock", "waist_yaw",
                        "--state", state)
        self.assertEqual([t["frame"] for t in found["tasks"]], ["left_hand", "right_hand", "right_hand"])
        self.close(self.pose("humanoid", "left_hand", found["q"])["p"], [0.3, 0.3, 0.1], 1e-7)
        self.close(self.pose("humanoid", "right_hand", found["q"])["p"], [0.3, -0.3, 0.1], 1e-7)
        # the base has 7 coordinates, every other hinge one
        names = json.loads(self.ok("compute", "humanoid", "--get", "mass"))["dofs"][6:]
        at = dict(zip(names, found["q"][7:]))
        self.assertEqual([at["waist_yaw"], at["left_knee"], at["neck_yaw"]], [0.2, 0.5, 0.1])
        self.assertEqual(found["q"][:7], [1, 0, 0, 0, 0, 0, 0])

    def test_a_floating_base_moves_when_asked(self):
        arguments = ["spacecraft", "--frame", "tool", "--target", "20,0,0"]
        self.fails(1, "ik", *arguments, says="'tool', position: by ")
        found = self.ik(*arguments, "--move-base")
        self.close(self.pose("spacecraft", "tool", found["q"])["p"], [20, 0, 0], 1e-8)

    def test_every_kind_of_hinge(self):
        path = self.write("mixed.json", mixed_model())
        self.assertTrue(self.ik(path, "--frame", "tip", "--target", "0.5,0.5,0.5,0,0,1,0")["solved"])

    def test_states_line_by_line(self):
        lines = self.ok("ik", "arm7", "--frame", "tool", "--target", "0.4,0,0.6", "--state", "-",
                        stdin='{"q": {"elbow_pitch": 1}}\n{"q": {"elbow_pitch": -1}}\n').splitlines()
        first, second = (json.loads(line)["results"]["q"] for line in lines)
        self.assertNotEqual(first, second)

    def test_as_a_state(self):
        text = self.ok("ik", "arm7", "--frame", "tool", "--target", "0.4,0,0.6", "--as-state")
        self.assertEqual(list(json.loads(text)), ["q"])
        pose = json.loads(self.ok("compute", "arm7", "--state", "-", "--get", "pose:tool", stdin=text))["results"]["pose:tool"]
        self.close(pose["p"], [0.4, 0, 0.6], 1e-7)

    def test_out_of_reach(self):
        text = self.fails(1, "ik", "arm7", "--frame", "tool", "--target", "3,0,0.6", "--seeds", "3",
                          says=["ik: no solution found within 1e-08 (3 seeds, ", "'tool', position: by 2.06 m", "--best"])
        self.assertNotIn("nan", text)
        done = run("ik", "arm7", "--frame", "tool", "--target", "3,0,0.6", "--best")
        self.assertEqual(done.returncode, 0)
        self.assertIn("sweepdyn: note: ik: no solution found", done.stderr)
        found = json.loads(done.stdout)["results"]
        self.assertIs(found["solved"], False)
        self.close(found["residual"], found["tasks"][0]["distance"])
        self.assertGreater(found["residual"], 2)

    def test_limits_in_the_way(self):
        one = ["two_link", "--frame", "upper_link", "--target", "0.5,0.5,-0.5,0.5"]
        self.fails(1, "ik", *one, says="'upper_link', orientation: by ")
        hinge = """<robot name="one"><link name="base"/><link name="rod"/><joint name="pivot" type="revolute">
          <parent link="base"/><child link="rod"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
          </joint></robot>"""
        path = self.write("one.urdf", hinge)
        turned = ["ik", path, "--frame", "rod", "--target", "0.8,0,0,0.6"]  # 1.287 rad about z
        self.fails(1, *turned, says="in the way: hinge 'pivot' at its upper limit 1")
        self.close(json.loads(self.ok(*turned, "--no-limits"))["results"]["q"], [1.2870022175866], 1e-10)
        self.assertEqual(json.loads(self.ok(*turned, "--best"))["results"]["limits"],
                         [{"dof": "pivot", "at": "upper", "limit": 1}])

    def test_tolerance_and_effort(self):
        rough = self.ik("arm7", "--frame", "tool", "--target", "0.4,0.1,0.6", "--tolerance", "0.01")
        fine = self.ik("arm7", "--frame", "tool", "--target", "0.4,0.1,0.6", "--tolerance", "1e-12")
        self.assertLess(rough["iterations"], fine["iterations"])
        self.assertLessEqual(fine["residual"], 1e-12)
        self.fails(1, "ik", "arm7", "--frame", "tool", "--target", "0.4,0.1,0.6", "--seeds", "1", "--iterations", "1",
                   says="(1 seed, ")
        self.assertTrue(self.ik("arm7", "--frame", "tool", "--target", "0.4,0.1,0.6", "--length", "0.1")["solved"])

    def test_what_is_refused(self):
        tool = ["ik", "arm7", "--frame", "tool"]
        self.fails(2, "ik", "arm7", says="ik needs --frame FRAME --target TARGET")
        self.fails(2, *tool, says="got 1 --frame and 0 --target")
        self.fails(2, *tool, "--target", "1,2,3", "--target", "1,2,3", says="got 1 --frame and 2 --target")
        self.fails(2, "ik", "arm7", "--frame", "tol", "--target", "1,2,3", says="unknown frame 'tol'; did you mean 'tool'?")
        self.fails(2, *tool, "--target", "1,2,3", "--lock", "elbow", says="unknown hinge 'elbow'; did you mean 'elbow_pitch'?")
        for target, says in (("1,2", "'1,2', 2 numbers; expected X,Y,Z"), ("1,2,x", "'x' is no number; expected X,Y,Z"),
                             ("1,2,nan", "'nan' is no number"), ("look:1,2", "'look:1,2', 2 numbers"), ("1,,3", "'' is no number"),
                             ("0,0,0,0", "length 0, expected 1"), ("1,2,3,1,1,0,0", "length 1.414"),
                             ('{"p": [1, 2]}', "p: got 2 numbers, expected 3 numbers"), ('{"q": 1}', "unknown key 'q'"),
                             ('{"p": [1, 2', "not JSON"), ("{}", "expected X,Y,Z"),
                             ('{"quat": [1,0,0,0], "R": 1}', "expected one of them"),
                             ('{"R": [[1,0,0],[0,1,0],[0,0,-1]]}', "R is no rotation"),
                             ('{"R": [[1,0,0],[0,1,0]]}', "expected three rows"),
                             ('{"p": [1,2,3], "axis": [0,0,1]}', "axis has a meaning beside look_at only"),
                             ('{"p": [1,2,3], "look_at": [0,0,1]}', "give the frame twice"),
                             ("look:1,2,3,0,0,0", "the axis to look along has no direction")):
            self.fails(2, *tool, "--target", target, says=["'tool'", says])
        self.fails(1, *tool, "--target", "@nowhere.json", cwd=self.folder, says="nowhere.json")
        self.fails(1, *tool, "--target", f"@{self.write('t.json', '[1]')}", says="t.json")
        for option, value in (("--seeds", "0"), ("--seeds", "1.5"), ("--iterations", "x"), ("--tolerance", "0"), ("--length", "-1")):
            self.fails(2, *tool, "--target", "1,2,3", f"{option}={value}", says=f"{option}: got '{value}', expected a")
        self.fails(1, "ik", self.write("gripper.urdf", GRIPPER), "--frame", "left", "--target", "0,0,0",
                   says=["has a loop, and ik is of trees only", "--mimic independent"])

    def test_the_examples_of_the_page_run(self):
        commands = re.findall(r"^\./run (ik .*)$", PAGE.read_text(encoding="utf-8"), re.M)
        self.assertGreaterEqual(len(commands), 4)
        for command in commands:
            words = shlex.split(command.split(" | ")[0])
            self.assertTrue(json.loads(self.ok(*words)), command)


if __name__ == "__main__":
    unittest.main()
