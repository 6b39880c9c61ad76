"""docs/algebra.md: what its examples print is what the command line prints."""

import re
import shlex
import unittest

from _cli import MODELS, CliTest, run

PAGE = (MODELS.parent / "docs" / "algebra.md").read_text(encoding="utf-8")


NUMBER = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?")


class Page(CliTest):
    def test_every_example(self):
        examples = re.findall(r"^```console\n\$ sweepdyn (.*?)\n(.*?)^```$", PAGE, re.M | re.S)
        self.assertGreaterEqual(len(examples), 4)
        for command, expected in examples:
            done = run(*shlex.split(command), cwd=MODELS.parent)
            printed = (done.stdout + done.stderr).rstrip("\n")
            self.assertEqual(NUMBER.sub("#", printed), NUMBER.sub("#", expected.rstrip("\n")), command)
            for got, wanted in zip(NUMBER.findall(printed), NUMBER.findall(expected), strict=True):
                self.assertAlmostEqual(float(got), float(wanted), delta=1e-13 * abs(float(wanted)), msg=command)


if __name__ == "__main__":
    unittest.main()
