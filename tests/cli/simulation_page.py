"""docs/simulation.md: its commands run, and print what stands there."""

import unittest

from _cli import CliTest, console_blocks, page


class Page(CliTest):
    def test_every_command(self):
        self.runs_as_written(console_blocks(page("simulation")), at_least=4)


if __name__ == "__main__":
    unittest.main()
