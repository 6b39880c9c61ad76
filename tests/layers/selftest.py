#!/usr/bin/env python3
"""Plants violations in a small tree of its own and sees that layers.py finds each, and nothing where all is well."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("layers.py")

GOOD = {
    "include/sweepdyn/spatial/motion.hpp": "#include <cmath>\n#include <Eigen/Core>\n",
    "include/sweepdyn/model/model.hpp": '#include "sweepdyn/spatial/motion.hpp"\n',
    "include/sweepdyn/kinematics/poses.hpp": "#include <sweepdyn/model/model.hpp>\n",
    "include/sweepdyn/dynamics/forward.hpp": '#include "sweepdyn/spatial/motion.hpp"\n#include "../kinematics/poses.hpp"\n',
    "include/sweepdyn/io/model/urdf.hpp": '#include "sweepdyn/model/model.hpp"\n',
    "include/sweepdyn/robot.hpp": '#include "sweepdyn/dynamics/forward.hpp"\n#include "sweepdyn/io/model/urdf.hpp"\n',
    "src/robot.cpp": '#include "sweepdyn/robot.hpp"\n',
    "src/io/model/urdf.cpp": '#include "xml.hpp"\n#include <tinyxml2.h>\n#include <urdf_model/model.h>\n#include <fmt/core.h>\n',
    "src/io/model/xml.hpp": '#include "sweepdyn/model/model.hpp"\n',
    "apps/sweepdyn/main.cpp": '#include "sweepdyn/robot.hpp"\n#include <CLI/CLI.hpp>\n#include "commands.hpp"\n',
    "apps/sweepdyn/commands.hpp": "#include <nlohmann/json.hpp>\n",
}

# name of the fault: (file, its text, what the report must say)
BAD = {
    "a lower layer includes an upper one": (
        "include/sweepdyn/model/bad.hpp", '#include "sweepdyn/dynamics/forward.hpp"\n',
        "include/sweepdyn/model/bad.hpp:1: model may not include sweepdyn/dynamics/forward.hpp"),
    "in angle brackets, further down, with spaces": (
        "src/spatial/bad.cpp", "// text\n\n  #  include <sweepdyn/model/model.hpp>\n",
        "src/spatial/bad.cpp:3: spatial may not include sweepdyn/model/model.hpp"),
    "by a relative path": (
        "include/sweepdyn/kinematics/bad.hpp", '#include "../dynamics/forward.hpp"\n',
        "kinematics may not include ../dynamics/forward.hpp"),
    "a header that is not there yet": (
        "src/model/bad.cpp", '#include "sweepdyn/sim/simulate.hpp"\n', "model may not include sweepdyn/sim/simulate.hpp"),
    "readers know models only": (
        "src/io/model/bad.cpp", '#include "sweepdyn/kinematics/poses.hpp"\n', "io/model may not include"),
    "a layer includes the facade": (
        "src/dynamics/bad.cpp", '#include "sweepdyn/robot.hpp"\n', "dynamics may not include the facade"),
    "a folder that no layer has": (
        "include/sweepdyn/utils/bad.hpp", "", "include/sweepdyn/utils/bad.hpp: no layer has this folder"),
    "the library includes the app": (
        "src/io/model/bad.cpp", '#include "../../../apps/sweepdyn/commands.hpp"\n',
        "the library may not include apps/sweepdyn/commands.hpp"),
    "a public header includes a private one": (
        "include/sweepdyn/io/model/bad.hpp", '#include "io/model/xml.hpp"\n', "src/io/model/xml.hpp is private to src"),
    "a library outside io": (
        "src/model/bad.cpp", "#include <fmt/format.h>\n", "<fmt/format.h> may be included only under src/io and apps"),
    "a library in a public header": (
        "include/sweepdyn/io/model/bad.hpp", "#include <nlohmann/json.hpp>\n", "<nlohmann/json.hpp> may be included only"),
    "tinyxml2 outside the readers": ("apps/sweepdyn/bad.cpp", "#include <tinyxml2.h>\n", "<tinyxml2.h> may be included only"),
    "urdfdom outside the readers": (
        "src/dynamics/bad.cpp", "#include <urdf_parser/urdf_parser.h>\n", "<urdf_parser/urdf_parser.h> may be included only"),
    "CLI11 in the library": ("src/io/model/bad.cpp", "#include <CLI/CLI.hpp>\n", "<CLI/CLI.hpp> may be included only"),
    "a comment that names what is gone": (
        "include/sweepdyn/model/bad.hpp", "// Specified by tests/laws/gone.cpp.\n",
        "include/sweepdyn/model/bad.hpp:1: there is no tests/laws/gone.cpp"),
    "a cycle of headers in one folder": (
        "include/sweepdyn/spatial/motion.hpp", '#include "sweepdyn/spatial/motion.hpp"\n', "a cycle of includes"),
}


def report(files):
    """Exit code and output of layers.py on a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, str(SCRIPT), folder], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


class Layers(unittest.TestCase):
    def test_a_good_tree_passes(self):
        self.assertEqual(report(GOOD), (0, f"{len(GOOD)} files, 0 faults\n"))

    def test_each_planted_fault_is_found(self):
        for fault, (name, text, words) in BAD.items():
            with self.subTest(fault):
                code, output = report({**GOOD, name: text})
                self.assertEqual(code, 1, output)
                self.assertIn(words, output)
                self.assertIn(", 1 faults\n", output)

    def test_an_empty_tree_fails(self):
        self.assertEqual(report({})[0], 1)


if __name__ == "__main__":
    unittest.main()
