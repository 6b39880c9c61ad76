"""docs/model-file.md: its example is a model, and its tables name what the reader knows."""

import json
import re
import unittest

from _cli import MODELS, CliTest

PAGE = (MODELS.parent / "docs" / "model-file.md").read_text(encoding="utf-8")


class Page(CliTest):
    def example(self):
        return re.search(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)[1]

    def test_the_example_is_a_model_without_doubts(self):
        path = self.write("cart.json", self.example())
        info = json.loads(self.ok("info", path, "--json", "--strict"))
        self.assertEqual((info["model"], info["dofs"], info["notes"]),
                         ("cart", ["rail", "pivot", "knuckle.1", "knuckle.2"], []))
        result = self.compute(path, "mass,pose:tip,qdd", None)
        self.assertEqual(result["mass"], 3.5)
        self.close(result["pose:tip"]["p"], [0, 0, -1.1])
        self.close(result["qdd"], [0, 0, 0, 0])

    def test_the_example_comes_back_from_convert(self):
        path, again = self.write("cart.json", self.example()), self.folder / "again.json"
        self.ok("convert", path, "-o", again)
        for names in "M", "qdd,T":
            self.assertEqual(self.compute(path, names), self.compute(again, names))

    def test_every_kind_in_the_table_is_read(self):
        kinds = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", PAGE.split("| kind | coordinates")[1].split("\n## ")[0], re.M)))
        self.assertEqual(len(kinds), 10)
        model = json.loads(self.example())
        for kind in kinds:
            model["hinges"][1] = {"kind": kind, "parent": 0, "child": 1, "axis": [0, 1, 0], "axis2": [1, 0, 0], "pitch": 0.1,
                                  "rotation_in_child": [[0, -1, 0], [1, 0, 0], [0, 0, 1]], "position_in_child": [0, 0, 0.1]}
            self.ok("info", self.write("kind.json", model))

    def test_every_kind_of_loop_in_the_table_is_read(self):
        kinds = re.findall(r"^\| `(\w+)` \|", PAGE.split("| loop kind |")[1].split("\n## ")[0], re.M)
        self.assertEqual(len(kinds), 12)
        model = json.loads(self.example())
        for kind in kinds:
            loop = {"kind": kind}
            if kind == "coupling":
                loop |= {"dofs": ["rail", "pivot"], "coefficients": [1, 2]}
            else:
                loop |= {"body_a": "bob", "body_b": -1, "position_b": [0, 0, 1]}
            if kind == "rows":
                loop["rows"] = ["x", "rz"]
            if "rolling" in kind:
                loop["radius"] = 0.1
            model["loops"] = [loop]
            info = json.loads(self.ok("info", self.write("loop.json", model), "--json"))
            self.assertEqual((info["loops"][0]["kind"], info["notes"]), (kind, []))

    def test_every_key_in_the_tables_is_known(self):
        model = json.loads(self.example())
        tables = {title: re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", PAGE.split(f"\n## {title}\n")[1]
                                                                   .split("\n| kind |")[0].split("\n## ")[0], re.M)))
                  for title in ("Top", "Bodies", "Hinges")}
        for title, place in ("Top", model), ("Bodies", model["bodies"][0]), ("Hinges", model["hinges"][0]):
            self.assertGreater(len(tables[title]), 6)
            for key in tables[title]:
                place.setdefault(key, None)
        self.assertNotIn("unknown key", self.ok("info", self.write("keys.json", model)))

    def test_keys_said_to_have_no_effect_have_none(self):
        for key in re.findall(r"`(\w+)`", re.search(r"keys that have no effect \((.*?);", PAGE, re.S)[1]):
            model = json.loads(self.example()) | {key: []}
            self.assertIn(f"read but without effect: {key}", self.ok("info", self.write("key.json", model)))

    def test_it_is_linked(self):
        for page in "README.md", "docs/architecture.md":
            self.assertIn("model-file.md", (MODELS.parent / page).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
