"""docs/closed-chains.md, its sections on assembly and simulation: the commands run, and print what stands there."""

import re
import unittest

from _cli import CliTest, console_blocks, page


class Page(CliTest):
    def test_every_command(self):
        sections = re.findall(r"^## (?:Assembly|Simulation)\n.*?(?=^## |\Z)", page("closed-chains"), re.M | re.S)
        self.assertEqual(len(sections), 2)
        self.runs_as_written(console_blocks("".join(sections)), at_least=3)


if __name__ == "__main__":
    unittest.main()
