"""sweepdyn demo: complete, readable, quick."""

import re
import time
import unittest

from _cli import MODELS, CliTest


class Demo(CliTest):
    def test_shows_what_it_promises_in_80_columns(self):
        text = self.ok("demo", env={"LANG": "C.UTF-8"})
        for words in ("shoulder_roll_link", "mass matrix", "There and back", "energy drift", "ID(FD(T)) = T",
                      "symmetric and positive definite", "three roads to M", "dE/dt", "momentum", "14 states, and falls",
                      "A regulator", "poles are those asked for", "arm comes back", "What to type next"):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertNotIn("✗", text)
        self.assertGreaterEqual(text.count("✓"), 11)
        self.assertNotIn("\033", text)
        self.assertNotIn("nan", text)

    def test_the_regulated_arm_comes_back_and_the_other_does_not(self):
        text = self.ok("demo", env={"LANG": "C.UTF-8"})
        table = text[text.index("A regulator"):].split("\n\n")[1].splitlines()[1:]
        rows = [[float(word) for word in line.split()[:3]] for line in table]
        self.assertEqual([row[0] for row in rows], [round(0.2 * i, 1) for i in range(11)])
        self.assertEqual(rows[0][1:], [0.05, 0.05])
        self.assertGreater(rows[-1][1], 1)
        self.assertLess(rows[-1][2], 0.02 * 0.05)

    def test_the_first_screen_of_the_readme_is_what_it_prints(self):
        readme = (MODELS.parent / "README.md").read_text(encoding="utf-8")
        shown = re.search(r"`./run` prints.*?```\n(.*?)```", readme, re.S).group(1)

        def lines(text):  # but for round-off and the time it took
            text = re.sub(r"\d\.\de[-+]\d\d", "ROUND-OFF", text)
            return [re.sub(r"took \d+ ms", "took TIME", line) for line in text.splitlines() if line.strip() not in ("", "...")]

        printed = iter(lines(self.ok("demo", env={"LANG": "C.UTF-8"})))
        for line in lines(shown):
            self.assertIn(line, printed)  # in this order

    def test_ascii(self):
        text = self.ok("demo", "--ascii", env={"LANG": "C.UTF-8"})
        self.assertTrue(text.isascii())
        self.assertIn("  ok M is symmetric", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_needs_no_file_of_the_folder_it_runs_in(self):
        self.write("arm7", "not a model")
        self.ok("demo", cwd=self.folder)

    def test_takes_no_model(self):
        self.fails(2, "demo", "arm7", says="one word too many")

    def test_is_quick(self):
        seconds = []
        for _ in range(3):
            start = time.perf_counter()
            self.ok("demo")
            seconds.append(time.perf_counter() - start)
        print(f"note: cli.demo_command: the demo takes {min(seconds):.2f} s")
        # Sanitizers and a busy machine slow it; the promise of one second is for the release build.
        self.assertLess(min(seconds), 10)


if __name__ == "__main__":
    unittest.main()
