"""What may be typed: help, versions, unknown words, exit codes, models by every name."""

import json
import re
import shutil
import unittest

from _cli import MODELS, CliTest, run


class Usage(CliTest):
    def test_version(self):
        self.assertRegex(self.ok("--version"), r"^sweepdyn \d+\.\d+\.\d+\n$")

    def test_help_of_every_command_has_examples_and_fits_80_columns(self):
        for command in [], ["info"], ["compute"], ["ik"], ["assemble"], ["linearize"], ["poles"], ["bode"], ["regulate"], ["simulate"], ["plot"], ["convert"], ["eval"], ["explain"], \
                ["identities"], ["demo"]:
            text = self.ok(*command, "--help")
            self.assertRegex(text, r"Examples?:\n  sweepdyn ")
            self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_compute_help_lists_every_quantity(self):
        text = self.ok("compute", "--help")
        for name in ("T", "bias", "gravity", "qdd", "qdd:fd1", "M", "mass_matrix", "M_inv", "mass_matrix_inverse", "log_det_M",
                     "Omega:FRAME+FRAME...", "Lambda:FRAME+FRAME...", "M_dot", "coriolis", "regressor", "mass", "com",
                     "kinetic_energy", "potential_energy", "momentum", "momentum_com", "cmm", "cmm_bias", "nu", "eps", "C_nu",
                     "pose:FRAME", "J:FRAME", "J_floating:FRAME", "velocity:FRAME",
                     "acceleration:FRAME", "Jdot_v:FRAME", "reaction:HINGE", "passive", "loop_wrench",
                     "independent", "mobility", "M_ind", "dqdd_dq_ind", "dqdd_dv_ind", "dqdd_dT_ind"):
            self.assertTrue(re.search(rf"^  {re.escape(name)} ", text, re.M), name)

    def test_every_command_takes_the_options_of_the_contract(self):
        for command in "info", "compute", "ik", "convert":
            text = self.ok(command, "--help")
            for option in "--base", "--gravity", "--mimic", "--loops", "--strict", "--merge-fixed", "--package-root":
                self.assertIn(option, text)

    def test_no_command(self):
        self.fails(2, says="info, compute, ik, assemble, linearize, poles, bode, regulate, simulate, plot, convert, eval, explain, identities, demo")

    def test_unknown_command(self):
        self.fails(2, "inof", "arm7", says="unknown command 'inof'; did you mean 'info'?")

    def test_unknown_option(self):
        self.fails(2, "info", "arm7", "--bse", "fixed", says="unknown option '--bse'; did you mean '--base'?")
        self.fails(2, "compute", "arm7", "--stat=x.json", says="unknown option '--stat'; did you mean '--state'?")
        self.fails(2, "--versoin", says="did you mean '--version'?")

    def test_unknown_option_is_told_before_what_it_leaves_missing(self):
        self.fails(2, "compute", "arm7", "--gte", "M", says="did you mean '--get'?")

    def test_option_before_its_command(self):
        self.fails(2, "--base", "floating", "info", "arm7", says="option '--base' comes after the command")

    def test_a_word_too_many(self):
        self.fails(2, "info", "arm7", "puma560", says="'puma560' is one word too many")

    def test_missing_model(self):
        for command in ["info"], ["compute", "--get", "M"], ["ik", "--frame", "tool"], ["convert"]:
            self.fails(2, *command, says="needs a MODEL")

    def test_words_of_options(self):
        self.fails(2, "info", "arm7", "--base", "fxed", says=["--base", "did you mean 'fixed'?"])
        self.fails(2, "info", "arm7", "--mimic", "dependent", says=["--mimic", "did you mean 'independent'?"])
        self.fails(2, "info", "arm7", "--base", says="--base")

    def test_flags_take_no_value(self):
        for command, word in (("info", "--strict=false"), ("info", "--json=false"), ("info", "--ascii=0"),
                              ("convert", "--merge-fixed=off"), ("compute", "--indent=true"), ("info", "--strict=")):
            name, value = word.split("=")
            self.fails(2, command, "arm7", word, says=f"{name} takes no value, got '{value}'")
        self.fails(2, "compute", "arm7", "--get", "T", "--passive=0.1",
                   says="--passive takes no value, got '0.1'; the speed of dry friction is --friction-speed V_S")
        self.fails(2, "--version=3", says="--version takes no value")

    def test_options_without_a_value(self):
        get = ["compute", "arm7", "--get", "M"]
        self.fails(2, "compute", "arm7", "--get", says="--get needs a value, got none; expected --get LIST")
        self.fails(2, *get, "--state", "", says="--state needs a value, got ''; expected --state FILE|-")
        self.fails(2, *get, "--state=", says="--state needs a value, got ''")
        self.fails(2, "convert", "arm7", "-o", "", says="-o needs a value, got ''; expected -o FILE")
        self.fails(2, "compute", "--gravity=", "arm7", "--get", "M", says="--gravity needs a value, got ''")
        self.fails(2, "compute", "arm7", "--get", "--passive", says="--get needs a value, got the option --passive")
        self.fails(2, "info", "", says="info needs a MODEL")

    def test_options_given_twice(self):
        self.fails(2, "info", "arm7", "--base", "fixed", "--base=floating",
                   says="--base is given twice, 'fixed' and 'floating'; expected once")
        self.assertEqual(set(self.compute("two_link", "M", None, "--get", "T")), {"M", "T"})
        self.ok("info", "arm7", "--strict", "--strict")

    def test_a_short_option_with_an_equals_sign(self):
        self.fails(2, "convert", "two_link", "-o=x.json", cwd=self.folder, says="-o: got '=x.json', expected -o x.json")

    def test_the_end_of_the_options(self):
        self.assertEqual(self.ok("info", "--", "two_link"), self.ok("info", "two_link"))
        self.assertEqual(self.ok("compute", "--get", "M", "--", "two_link"), self.ok("compute", "two_link", "--get", "M"))
        self.fails(2, "compute", "--", "arm7", says="compute needs --get LIST")
        self.fails(2, "compute", "--", "arm7", "--get", "M", says="'--get' is one word too many")

    def test_numbers_of_options(self):
        for word in "abc", "0", "-1", "1e999", "nan":
            self.fails(2, "compute", "arm7", "--get", "T", f"--friction-speed={word}",
                       says=f"--friction-speed: got '{word}', expected a speed above zero")

    def test_package_roots_are_folders(self):
        self.fails(2, "info", "arm7", "--package-root", "nodir", cwd=self.folder,
                   says="--package-root: there is no folder 'nodir'; expected the folder that holds the packages")
        self.fails(2, "info", "arm7", "--package-root", self.write("file", ""), says="--package-root: this is no folder")

    def test_compute_help_places_the_base(self):
        text = " ".join(self.ok("compute", "--help").split())
        self.assertIn("p and quat relative to the free hinge's frame in its parent, which is the world unless the file "
                      "places it elsewhere", text)

    def test_gravity_that_is_none(self):
        for text in "1,2", "1,2,3,4", "1,2,x", "", "0,0,nan", "0,0,inf", "0,,1":
            self.fails(2, "info", "arm7", f"--gravity={text}", says="expected three numbers" if text else "--gravity")

    def test_gravity_in_every_way_to_type_it(self):
        for words in ["--gravity=-1,0,2e0"], ["--gravity", "-1,0,2"], ["--gravity", "-1, 0, +2"]:
            self.assertIn("gravity   -1 0 2\n", self.ok("info", "arm7", *words))

    def test_a_model_named_like_a_command_is_a_model(self):
        self.write("info", (MODELS / "two_link.urdf").read_text())
        done = run("info", "info", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)


class ModelArgument(CliTest):
    def test_path_bare_name_and_file_name_mean_the_same(self):
        text = self.ok("info", MODELS / "arm7.urdf")
        self.assertEqual(self.ok("info", "arm7", cwd=self.folder), text)
        self.assertEqual(self.ok("info", "arm7.urdf", cwd=self.folder), text)

    def test_every_shipped_model_loads_by_its_bare_name(self):
        names = sorted(path.stem for path in MODELS.glob("*.urdf"))
        self.assertGreaterEqual(len(names), 8)
        for name in names:
            self.assertEqual(json.loads(self.ok("info", name, "--json"))["model"], name)

    def test_a_file_goes_before_a_shipped_model(self):
        shutil.copy(MODELS / "two_link.urdf", self.folder / "arm7")
        self.assertTrue(self.ok("info", "arm7", cwd=self.folder).startswith("two_link: "))

    def test_a_folder_does_not(self):
        (self.folder / "arm7").mkdir()
        self.assertTrue(self.ok("info", "arm7", cwd=self.folder).startswith("arm7: "))

    def test_generators(self):
        for spec, bodies in ("chain:5", 5), ("tree:7", 7), ("random:9:2", 9):
            self.assertEqual(len(json.loads(self.ok("info", spec, "--json"))["bodies"]), bodies)
        self.fails(2, "info", "chain:x", says="chain:N")

    def test_no_such_model(self):
        self.fails(1, "info", "arm8", cwd=self.folder, says="did you mean 'arm7'?")
        self.fails(1, "info", "nothing/arm7.urdf", cwd=self.folder, says="no such file")

    def test_files_that_are_no_models(self):
        self.fails(1, "info", self.folder, says="directory")
        self.fails(1, "info", self.write("empty.urdf", ""), says="empty")
        self.fails(1, "info", self.write("broken.urdf", "<robot name='x'><link name='a'>"), says="broken.urdf")
        self.fails(1, "info", self.write("other.json", "[1, 2]"), says="other.json")

    def test_doubts_are_faults_when_strict(self):
        path = self.write("light.urdf", (MODELS / "two_link.urdf").read_text().replace('mass value="10"', 'mass value="0"'))
        self.assertIn("has no mass", self.ok("info", path))
        for command in ["info"], ["compute", "--get", "M"], ["convert"]:
            self.fails(1, *command, path, "--strict", says="has no mass")

    def test_doubts_are_counted_beside_the_results(self):
        path = self.write("light.urdf", (MODELS / "two_link.urdf").read_text().replace('mass value="10"', 'mass value="0"'))
        doubts = self.ok("info", path).split("Doubts (faults with --strict)\n")[1].split("\n\n")[0].count("  - ")
        self.assertGreater(doubts, 1)
        for command in ["compute", "--get", "M"], ["convert"]:
            done = run(*command, path)
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr, rf"sweepdyn: note: {doubts} doubts about the model; '\S+ info {path}' lists them\n")
            self.assertEqual(run(*command, "arm7").stderr, "")

    def test_merge_fixed_keeps_links_as_frames(self):
        info = json.loads(self.ok("info", "two_link", "--merge-fixed", "--json"))
        self.assertEqual([b["name"] for b in info["bodies"]], ["upper_link", "lower_link"])
        self.assertIn("tip", info["frames"])
        self.assertEqual(self.compute("two_link", "pose:tip", None, "--merge-fixed")["pose:tip"]["p"], [0, 0, -4])


if __name__ == "__main__":
    unittest.main()
