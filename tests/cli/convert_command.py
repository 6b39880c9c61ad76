"""sweepdyn convert: native files that say the same, to the bit, and are never half there."""

import json
import os
import pathlib
import unittest

from _cli import GRIPPER, MODELS, CliTest, mixed_model, pendulum_urdf, run

EVERYTHING = "T,bias,gravity,qdd,M,mass,com,kinetic_energy,potential_energy,momentum,momentum_com,passive"


class Convert(CliTest):
    def assert_same_numbers(self, original, converted):
        """Every quantity of the system and every pose, as text, at neutral and on the move."""
        info = json.loads(self.ok("info", original, "--json"))
        names = EVERYTHING + "".join(f",pose:{b['name']},acceleration:{b['name']}" for b in info["bodies"])
        v = [0.1 * (j + 1) for j in range(len(info["dofs"]))]
        states = "{}\n" + json.dumps({"v": v, "a": v, "T": v}) + "\n"
        first, second = (self.ok("compute", model, "--get", names, "--state", "-", "--friction-speed", "0.01", stdin=states)
                         for model in (original, converted))
        self.assertEqual(first, second)

    def test_shipped_models_come_back_to_the_bit(self):
        for name in sorted(path.stem for path in MODELS.glob("*.urdf")):
            path = self.folder / f"{name}.json"
            self.ok("convert", name, "-o", path)
            self.assert_same_numbers(name, path)

    def test_every_hinge_kind_comes_back(self):
        original, path = self.write("mixed.json", mixed_model()), self.folder / "again.json"
        self.ok("convert", original, "-o", path)
        self.assert_same_numbers(original, path)

    def test_random_models_come_back(self):
        for seed in range(5):
            path = self.folder / f"{seed}.json"
            self.ok("convert", f"random:12:{seed}", "-o", path)
            self.assert_same_numbers(f"random:12:{seed}", path)

    def test_the_second_file_is_the_first(self):
        first, second = self.folder / "first.json", self.folder / "second.json"
        self.ok("convert", "humanoid", "-o", first)
        self.ok("convert", first, "-o", second)
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_to_stdout(self):
        for option in [], ["-o", "-"]:
            text = self.ok("convert", "two_link", *option)
            self.assertEqual(json.loads(text)["format"], "sweepdyn-model/1")

    def test_options_are_in_the_file(self):
        path = self.folder / "moon.json"
        self.ok("convert", "two_link", "--base", "floating", "--gravity=0,0,-1.62", "-o", path)
        info = json.loads(self.ok("info", path, "--json"))
        self.assertTrue(info["floating"])
        self.assertEqual(json.loads(path.read_text())["gravity"], [0, 0, -1.62])
        self.close(self.compute(path, "gravity")["gravity"][:6], [0, 0, 0, 0, 0, 20 * 1.62])

    def test_couplings_stay_unless_dropped(self):
        gripper, path = self.write("gripper.urdf", GRIPPER), self.folder / "gripper.json"
        self.ok("convert", gripper, "-o", path)
        self.fails(1, "compute", path, "--get", "M", says="--mimic independent")
        self.ok("convert", gripper, "--mimic", "independent", "-o", path)
        self.compute(path, "M")

    def test_what_is_lost_is_said(self):
        robot = self.write("robot.urdf", pendulum_urdf("<safety_controller/>", "<transmission/><lnik/>"))
        done = run("convert", robot, "-o", self.folder / "robot.json")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("note: read but without effect: safety_controller in joint x1, transmission (all but its joints) x1\n", done.stderr)
        self.assertIn("note: <lnik> (line 7): unknown element 'lnik' is ignored; did you mean 'link'?\n", done.stderr)
        self.assertIn("note: 1 doubt about the model; ", done.stderr)
        done = run("convert", self.write("named.json", mixed_model(tau=[1], authr="me")), "-o", self.folder / "x.json")
        self.assertIn("note: unknown key 'authr' has no effect\n", done.stderr)
        self.assertIn("note: 1 doubt about the model; ", done.stderr)
        self.assertIn("note: beside the model the file carries: tau\n", done.stderr)

    def test_numbers_are_short(self):
        model = mixed_model()
        model["bodies"][1]["com"] = [0.0003, 1e16, -2.5e-7]
        text = self.ok("convert", self.write("small.json", model))
        self.assertIn('"com": [3e-4, 1e16, -2.5e-7]', text)
        self.assertNotRegex(text, r"\de([+]|-?0)")
        state = {"v": {"revolute": 1e-5}}
        text = self.ok("compute", self.write("mixed.json", mixed_model()), "--get", "momentum,M,T", "--state", "-",
                       stdin=json.dumps(state))
        self.assertRegex(text, r"\de-\d")
        self.assertNotRegex(text, r"\de([+]|-?0)")

    def test_found_meshes_are_found_from_elsewhere(self):
        meshes = self.folder / "packages" / "arm" / "meshes"
        meshes.mkdir(parents=True)
        (meshes / "rod.stl").write_text("solid rod\n")
        robot = self.write("robot.urdf", pendulum_urdf().replace("</inertial></link>", """</inertial><visual><geometry>
            <mesh filename="package://arm/meshes/rod.stl"/></geometry></visual></link>"""))
        text = self.ok("convert", robot, "--package-root", "packages/../packages", cwd=self.folder)
        file = json.loads(text)["bodies"][0]["visuals"][0]["file"]
        self.assertEqual(pathlib.Path(file).resolve(), (meshes / "rod.stl").resolve())
        self.assertTrue(file.startswith("/") and ".." not in file, file)

    def test_never_overwrites_its_input(self):
        path = self.write("robot.urdf", GRIPPER)
        link = self.folder / "link.json"
        link.symlink_to(path)
        (self.folder / "sub").mkdir()
        for output in path, self.folder / "sub" / ".." / "robot.urdf", link:
            self.fails(1, "convert", path, "-o", output, says="is the input itself")
        self.assertEqual(path.read_text(), GRIPPER)

    def test_a_file_is_replaced_as_a_whole_and_its_link_stays(self):
        target, link = self.write("target.json", "old"), self.folder / "link.json"
        link.symlink_to(target)
        self.ok("convert", "two_link", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(json.loads(target.read_text())["name"], "two_link")

    def test_an_error_leaves_the_old_file_and_nothing_beside(self):
        old = self.write("old.json", "old")
        broken = self.write("broken.urdf", "<robot")
        self.fails(1, "convert", broken, "-o", old)
        self.assertEqual(old.read_text(), "old")
        self.fails(1, "convert", "two_link", "-o", self.folder / "nowhere" / "x.json", says=["nowhere/x.json", "folder"])
        self.fails(1, "convert", "two_link", "-o", self.folder, says="is a directory")
        self.assertEqual(sorted(os.listdir(self.folder)), ["broken.urdf", "old.json"])

    def test_other_forms_are_refused_before_anything_is_read(self):
        for name in "x.csv", "x.urdf", "robot", "x.json.gz", "x.jsonl":
            broken = self.write("broken.urdf", "<robot")
            self.fails(2, "convert", broken, "-o", self.folder / name, says=f"{name}', expected a name that ends in .json, or -")
        self.assertEqual(os.listdir(self.folder), ["broken.urdf"])

    def test_devices_are_written_to_not_replaced(self):
        self.ok("convert", "two_link", "-o", "/dev/null")
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        if pathlib.Path("/dev/full").exists():
            self.fails(1, "convert", "two_link", "-o", "/dev/full", says="cannot be written")


if __name__ == "__main__":
    unittest.main()
