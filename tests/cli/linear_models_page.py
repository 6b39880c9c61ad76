"""docs/linear-models.md: its sweepdyn commands run, and print what stands there, numbers to 1e-9."""

import re
import unittest

from _cli import CliTest, console_blocks, page

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")


class Page(CliTest):
    def test_every_command(self):
        blocks = [block for block in console_blocks(page("linear-models")) if "$ linear_models" not in block]
        self.runs_as_written(blocks, at_least=4, same=self.same_numbers)

    def same_numbers(self, printed, expected, command):
        self.assertEqual(NUMBER.sub("#", printed), NUMBER.sub("#", expected), command)
        for got, wanted in zip(NUMBER.findall(printed), NUMBER.findall(expected)):
            self.assertLessEqual(abs(float(got) - float(wanted)), 1e-9 * max(1, abs(float(wanted))), f"{command}: {got}")


if __name__ == "__main__":
    unittest.main()
