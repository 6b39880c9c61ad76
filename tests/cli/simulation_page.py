"""docs/simulation.md: its commands run one after the other in one folder, and print what stands there."""

import os
import re
import subprocess
import unittest

from _cli import CLI, MODELS, CliTest

PAGE = (MODELS.parent / "docs" / "simulation.md").read_text(encoding="utf-8")


class Page(CliTest):
    def test_every_command(self):
        shim = self.folder / "bin"
        shim.mkdir()
        (shim / "sweepdyn").symlink_to(CLI)
        environment = dict(os.environ, PATH=f"{shim}:{os.environ['PATH']}")
        blocks = re.findall(r"^```console\n(.*?)^```$", PAGE, re.M | re.S)
        self.assertGreaterEqual(len(blocks), 4)
        for block in blocks:
            for command, expected in re.findall(r"^\$ (.*(?:\n> .*)*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                command = command.replace("\n> ", "\n")
                done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, text=True, timeout=120,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if "built without SUNDIALS" in done.stdout:
                    self.skipTest("built without SUNDIALS")
                self.assertEqual(done.stdout, expected, command)


if __name__ == "__main__":
    unittest.main()
