"""sweepdyn compute: the forms of a state, JSON Lines, and what is wrong with a state."""

import json
import math
import unittest

from _cli import CliTest, mixed_model

HALF = math.sqrt(0.5)
# A quaternion of unit length, and the rotation by 90 degrees about z that it is.
QUARTER_TURN = [HALF, 0, 0, HALF]
ALL = "T,qdd,M,com,kinetic_energy,momentum"


class Forms(CliTest):
    def test_without_a_state_neutral_and_at_rest(self):
        self.assertEqual(self.ok("compute", "arm7", "--get", ALL),
                         self.ok("compute", "arm7", "--get", ALL, "--state", "-", stdin="{}"))

    def test_file_and_stdin(self):
        text = '{"q": [0.3, -0.2]}'
        path = self.write("state.json", text)
        self.assertEqual(self.ok("compute", "two_link", "--get", ALL, "--state", path),
                         self.ok("compute", "two_link", "--get", ALL, "--state", "-", stdin=text))

    def test_by_name_is_as_by_array(self):
        by_array = {"q": [0.3, -0.2], "v": [1, 2], "a": [3, 4], "T": [5, 6]}
        by_name = {key: {"elbow": numbers[1], "shoulder": numbers[0]} for key, numbers in by_array.items()}
        self.assertEqual(self.compute("two_link", ALL, by_array), self.compute("two_link", ALL, by_name))

    def test_forms_may_be_mixed(self):
        self.assertEqual(self.compute("two_link", ALL, {"q": [0.3, -0.2], "v": {"elbow": 2}}),
                         self.compute("two_link", ALL, {"q": {"shoulder": 0.3, "elbow": -0.2}, "v": [0, 2]}))

    def test_what_is_not_named_is_zero_or_neutral(self):
        self.assertEqual(self.compute("two_link", ALL, {"q": {"elbow": 0.5}, "v": {}}),
                         self.compute("two_link", ALL, {"q": [0, 0.5]}))

    def test_every_hinge_kind_by_name_and_by_array(self):
        model = self.write("mixed.json", mixed_model())
        q = {"revolute": 0.1, "prismatic": 0.2, "helical": 0.3, "cylindrical": [0.4, 0.5], "universal": [0.6, 0.7],
             "planar": [0.8, 0.9, 1.0], "spherical": QUARTER_TURN, "free": [*QUARTER_TURN, 1, 2, 3]}
        v = {name: [0.1 * i for i in range(len(x))] if isinstance(x, list) else 0.5 for name, x in q.items()}
        v["spherical"], v["free"] = [1, 2, 3], [1, 2, 3, 4, 5, 6]
        flat = lambda x: [n for part in x.values() for n in (part if isinstance(part, list) else [part])]
        self.assertEqual(self.compute(model, ALL + ",pose:tip", {"q": q, "v": v, "a": v, "T": v}),
                         self.compute(model, ALL + ",pose:tip", {"q": flat(q), "v": flat(v), "a": flat(v), "T": flat(v)}))

    def test_floating_base_by_base_and_by_array(self):
        names = ALL + ",pose:trunk,velocity:trunk,acceleration:trunk"
        base = {"p": [1, 2, 3], "quat": QUARTER_TURN, "twist": [1, 2, 3, 4, 5, 6], "accel": [6, 5, 4, 3, 2, 1],
                "wrench": [1, 1, 2, 3, 5, 8]}
        dofs = [0.0] * 12
        by_base = self.compute("quadruped", names, {"base": base})
        by_array = self.compute("quadruped", names, {
            "q": base["quat"] + base["p"] + dofs, "v": base["twist"] + dofs, "a": base["accel"] + dofs,
            "T": base["wrench"] + dofs})
        self.assertEqual(by_base, by_array)
        by_hinge = self.compute("quadruped", names, {
            "q": {"floating_base": base["quat"] + base["p"]}, "v": {"floating_base": base["twist"]},
            "a": {"floating_base": base["accel"]}, "T": {"floating_base": base["wrench"]}})
        self.assertEqual(by_base, by_hinge)

    def test_base_is_in_its_own_axes(self):
        result = self.compute("quadruped", "pose:trunk,velocity:trunk,acceleration:trunk", {
            "base": {"p": [1, 2, 3], "quat": QUARTER_TURN, "twist": [0, 0, 2, 1, 0, 0], "accel": [1, 0, 0, 0, 0, 0]}})
        self.close(result["pose:trunk"]["R"], [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
        self.assertEqual(result["pose:trunk"]["p"], [1, 2, 3])
        self.close(result["velocity:trunk"], [0, 0, 2, 0, 1, 0])
        # True acceleration of the origin: the rate of the body twist, turned, plus w x v = 2 z x y = -2 x.
        self.close(result["acceleration:trunk"], [0, 1, 0, -2, 0, 0])

    def test_base_and_hinges_by_name(self):
        self.compute("quadruped", "T", {"base": {"p": [0, 0, 1]}, "q": {"lf_knee": 0.3}, "v": {"lf_knee": 1}})

    def test_a_quaternion_nearly_of_unit_length_is_normalised(self):
        exact = self.compute("quadruped", "pose:trunk", {"base": {"quat": QUARTER_TURN}})["pose:trunk"]["R"]
        rounded = self.compute("quadruped", "pose:trunk", {"base": {"quat": [0.7071068, 0, 0, 0.7071068]}})["pose:trunk"]["R"]
        self.close(rounded, exact, 1e-15)

    def test_base_of_a_file_made_floating(self):
        result = self.compute("two_link", "pose:base_link", {"base": {"p": [0, 0, 5]}}, "--base", "floating")
        self.assertEqual(result["pose:base_link"]["p"], [0, 0, 5])


class JsonLines(CliTest):
    def lines(self, text, *options):
        return self.ok("compute", "two_link", "--get", "T", "--state", "-", *options, stdin=text).splitlines()

    def test_one_result_line_per_state(self):
        states = [{"q": [0.1 * i, 0.2]} for i in range(5)]
        lines = self.lines("".join(json.dumps(s) + "\n" for s in states))
        self.assertEqual(len(lines), 5)
        for line, state in zip(lines, states):
            self.assertEqual(json.loads(line)["results"], self.compute("two_link", "T", state))

    def test_one_state_is_one_line(self):
        self.assertEqual(len(self.lines("{}\n")), 1)

    def test_blank_lines_and_line_ends_of_others(self):
        self.assertEqual(len(self.lines('\n{"q": [1, 2]}\r\n\r\n  \n{"q": [3, 4]}')), 2)

    def test_a_document_over_several_lines_is_one_state(self):
        state = {"q": {"shoulder": 0.3, "elbow": 0.1}, "external": [{"frame": "tip", "wrench": [0, 0, 0, 1, 0, 0]}]}
        lines = self.lines(json.dumps(state, indent=2))
        self.assertEqual(len(lines), 1)
        self.assertEqual(json.loads(lines[0])["results"], self.compute("two_link", "T", state))

    def test_byte_order_mark(self):
        self.assertEqual(len(self.lines("\ufeff{}\n{}\n")), 2)

    def test_an_error_names_its_line_and_leaves_stdout_empty(self):
        text = "{}\n\n" + '{"q": [1]}\n' + "{}\n"
        self.fails(1, "compute", "two_link", "--get", "T", "--state", "-", stdin=text,
                   says=["stdin, line 3: q: got 1 number, expected 2"])
        path = self.write("states.jsonl", "{}\n{\"q\": \n")
        self.fails(1, "compute", "two_link", "--get", "T", "--state", path, says=["states.jsonl, line 2", "not JSON"])

    def test_an_error_while_computing_names_its_line_too(self):
        self.fails(1, "compute", "two_link", "--get", "kinetic_energy", "--state", "-",
                   stdin='{}\n{"v": [1e200, 0]}\n', says=["stdin, line 2: ", "'kinetic_energy' is not finite"])

    def test_many(self):
        self.assertEqual(len(self.lines('{"v": [1, 2]}\n' * 5000)), 5000)

    def test_indented_results(self):
        text = self.ok("compute", "arm7", "--get", "M,T", "--indent")
        self.assertGreater(len(text.splitlines()), 10)
        self.assertEqual(json.loads(text), json.loads(self.ok("compute", "arm7", "--get", "M,T")))


class Faults(CliTest):
    def refused(self, state, *says, model="two_link", options=()):
        text = state if isinstance(state, str) else json.dumps(state)
        return self.fails(1, "compute", model, "--get", "T", "--state", "-", *options, stdin=text, says=says)

    def test_no_state_at_all(self):
        self.refused("", "there is no state")
        self.refused(" \n\n", "there is no state")

    def test_files_that_cannot_be_read(self):
        self.fails(1, "compute", "two_link", "--get", "T", "--state", self.folder / "none.json", says="none.json")
        self.fails(1, "compute", "two_link", "--get", "T", "--state", self.folder, says="is a directory")

    def test_no_json(self):
        self.refused('{"q": [1, 2}', "stdin: column 12: not JSON")
        self.refused('{"q":\n [1, 2}', "line 2, column 7: not JSON")
        self.refused('{"q": [NaN, 0]}', "not JSON")
        self.refused('{"q": [1e999, 0]}', "stdin: column 8: q[0]: the number 1e999 is too large")
        self.refused('{"q":\n {"elbow": -1e999}}', "line 2, column 12: q.elbow: the number -1e999 is too large")
        self.refused('{"q": [0, 0]} {}', "not JSON")

    def test_no_object(self):
        self.refused("[1, 2]", "expected an object")
        self.refused("[\n{},\n{}\n]", "several states stand on lines of their own")

    def test_a_key_given_twice(self):
        self.refused('{"q": [0, 0], "q": [1, 1]}', 'stdin: q: given twice, expected once')
        self.refused('{"q": {"elbow": 0, "elbow": 1}}', 'stdin: q.elbow: given twice, expected once')

    def test_unknown_keys(self):
        self.refused({"qq": 1, "exernal": [], "t": [0, 0]}, "unknown key 'qq'; did you mean 'q'?",
                     "did you mean 'external'?", "unknown key 't'; did you mean 'T'?")
        self.refused({"base": {"quaternion": [1, 0, 0, 0], "tvist": []}}, "did you mean 'twist'?", "'quaternion'",
                     model="quadruped")
        self.refused({"external": [{"frame": "tip", "wrench": [0] * 6, "axis": "world"}]}, "did you mean 'axes'?")

    def test_all_unknown_hinges_at_once(self):
        self.refused({"q": {"elbo": 0, "sholder": 1}, "T": {"wrist": 1}}, "3 faults",
                     "unknown hinge 'elbo'; did you mean 'elbow'?", "unknown hinge 'sholder'; did you mean 'shoulder'?",
                     "T: unknown hinge 'wrist'; known: base, shoulder, elbow")

    def test_sizes(self):
        self.refused({"q": [1, 2, 3]}, "q: got 3 numbers, expected 2, one per dof: shoulder, elbow")
        self.refused({"v": []}, "v: got an empty list, expected 2")
        self.refused({"q": [0] * 18}, "q: got 18 numbers, expected 19", "7 (w x y z, then position)", model="quadruped")
        self.refused({"T": [0] * 12}, "T: got 12 numbers, expected 18", model="quadruped")
        self.refused({"base": {"p": [1, 2]}}, "base.p: got 2 numbers, expected 3", model="quadruped")

    def test_types(self):
        self.refused({"q": 1}, "q: got 1, expected an array or an object by hinge name")
        self.refused({"q": None}, "q: got null")
        self.refused({"q": {"elbow": None}}, "q.elbow: got null, expected a number")
        self.refused({"q": {"elbow": "1"}}, 'q.elbow: got "1", expected a number')
        self.refused({"q": [1, None]}, "q: got a list of 2, not all numbers")
        self.refused({"q": [1, True]}, "not all numbers")

    def test_welds_take_nothing(self):
        self.refused({"q": {"tip_mount": 1}}, "q.tip_mount: the hinge is a weld")

    def test_hinges_with_several_dofs(self):
        model = self.write("mixed.json", mixed_model())
        self.refused({"q": {"spherical": 1}}, "q.spherical: got 1, expected 4 numbers (w x y z)", model=model)
        self.refused({"v": {"spherical": [1, 0, 0, 0]}}, "expected 3 numbers", model=model)
        self.refused({"v": {"planar.wz": 1}}, "'planar.wz' is a dof", "'planar'", model=model)

    def test_quaternions(self):
        for quat in [2, 0, 0, 0], [0, 0, 0, 0], [1.00001, 0, 0, 0]:
            self.refused({"base": {"quat": quat}}, "the quaternion of hinge 'floating_base' has length",
                         "expected 1 (within 1e-6)", "w x y z", model="quadruped")
        model = self.write("mixed.json", mixed_model())
        self.refused({"q": {"spherical": [1, 1, 0, 0]}}, "hinge 'spherical' has length 1.414", model=model)

    def test_an_array_and_base(self):
        for key, size in ("q", 19), ("v", 18), ("a", 18), ("T", 18):
            numbers = [1.0] + [0.0] * (size - 1)
            self.refused({key: numbers, "base": {"p": [0, 0, 0]}}, "base: given beside an array", model="quadruped")

    def test_base_of_a_fixed_model(self):
        self.refused({"base": {"p": [0, 0, 0]}}, "no floating base", "--base floating")

    def test_base_where_two_bodies_float(self):
        body = {"mass": 1, "com": [0, 0, 0], "inertia_com": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}
        model = self.write("pair.json", {
            "format": "sweepdyn-model/1", "gravity": [0, 0, 0], "bodies": [{"name": "a", **body}, {"name": "b", **body}],
            "hinges": [{"kind": "free", "parent": -1, "child": 0}, {"kind": "free", "parent": -1, "child": 1}]})
        words = self.refused({"base": {"p": [0, 0, 0]}}, "base: 2 bodies float, so none is the base; give their numbers "
                             'by hinge: "q": {"a": [w, x, y, z, then position]}', model=model)
        self.assertNotIn("--base floating", words)
        self.compute(model, "T", {"q": {"a": [1, 0, 0, 0, 1, 2, 3]}, "v": {"b": [0, 0, 1, 0, 0, 0]}})

    def test_base_twice(self):
        self.refused({"v": {"floating_base": [0] * 6}, "base": {"twist": [0] * 6}}, "base.twist: given twice",
                     model="quadruped")

    def test_base_among_the_hinges(self):
        self.refused({"v": {"base": [0] * 6}}, 'belong into "base"', model="quadruped")

    def test_external(self):
        self.refused({"external": {"frame": "tip"}}, "external: got an object, expected a list")
        self.refused({"external": [1]}, "external[0]: got 1")
        self.refused({"external": [{"frame": "tipp", "wrench": [0] * 6}, {"wrench": [0] * 5, "axes": "body"}]},
                     "external[0].frame: unknown frame 'tipp'; did you mean 'tip'?", "external[1].frame: missing",
                     "external[1].wrench: got 5 numbers, expected 6", 'external[1].axes: got "body"')
        self.refused({"external": [{"frame": "tip"}]}, "external[0].wrench: missing")


if __name__ == "__main__":
    unittest.main()
