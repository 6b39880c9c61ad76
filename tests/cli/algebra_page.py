"""docs/algebra.md: what its examples print is what the command line prints."""

import re
import shlex
import unittest

from _cli import MODELS, CliTest, run

PAGE = (MODELS.parent / "docs" / "algebra.md").read_text(encoding="utf-8")


class Page(CliTest):
    def test_every_example(self):
        examples = re.findall(r"^```console\n\$ sweepdyn (.*?)\n(.*?)^```$", PAGE, re.M | re.S)
        self.assertGreaterEqual(len(examples), 4)
        for command, expected in examples:
            done = run(*shlex.split(command))
            self.assertEqual((done.stdout + done.stderr).rstrip("\n"), expected.rstrip("\n"), command)


if __name__ == "__main__":
    unittest.main()
