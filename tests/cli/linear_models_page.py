"""docs/linear-models.md: its sweepdyn commands run one after the other in one folder, and print what stands there, numbers to 1e-9."""

import os
import re
import subprocess
import unittest

from _cli import CLI, MODELS, CliTest

PAGE = (MODELS.parent / "docs" / "linear-models.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.])")


class Page(CliTest):
    def test_every_command(self):
        shim = self.folder / "bin"
        shim.mkdir()
        (shim / "sweepdyn").symlink_to(CLI)
        environment = dict(os.environ, PATH=f"{shim}:{os.environ['PATH']}")
        blocks = [block for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.M | re.S) if "$ linear_models" not in block]
        self.assertGreaterEqual(len(blocks), 4)
        for block in blocks:
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, text=True, timeout=120,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual(NUMBER.sub("#", done.stdout), NUMBER.sub("#", expected), command)
                for got, wanted in zip(NUMBER.findall(done.stdout), NUMBER.findall(expected)):
                    self.assertLessEqual(abs(float(got) - float(wanted)), 1e-9 * max(1, abs(float(wanted))), f"{command}: {got}")


if __name__ == "__main__":
    unittest.main()
