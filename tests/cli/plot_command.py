"""sweepdyn plot: pictures that hold what the data say."""

import math
import re
import unittest
import xml.etree.ElementTree as ElementTree

from _cli import CliTest, run

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg):
    return ["".join(t for t in element.itertext()) for element in ElementTree.fromstring(svg).iter(SVG + "text")]


def curves(svg):
    """The points of every curve, in pixels."""
    out = []
    for group in ElementTree.fromstring(svg).iter(SVG + "g"):
        if group.get("clip-path"):
            for path in group.iter(SVG + "path"):
                out.append([tuple(map(float, point.split())) for point in re.split("[ML]", path.get("d"))[1:]])
    return out


class Plot(CliTest):
    def table(self, header, rows):
        return self.write("table.csv", header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))

    def test_a_simulation(self):
        recording, picture = self.folder / "swing.csv", self.folder / "swing.svg"
        state = self.write("state.json", {"q": [0.4, 0.9]})
        run("simulate", "two_link", "--at", state, "--time", 2, "--step", 0.01, "--signals", "q:*,v:*,energy", "-o", recording)
        self.ok("plot", recording, "-o", picture)
        svg = picture.read_text(encoding="utf-8")
        words = texts(svg)
        for label in "swing", "time [s]", "angle [rad]", "angular velocity [rad/s]", "energy [J]", "shoulder", "elbow", "kinetic", "total":
            self.assertIn(label, words)
        self.assertEqual(len(curves(svg)), 7)
        self.assertEqual(svg, self.ok("plot", recording))
        # JSON gives the same picture
        json_file = self.folder / "swing.json"
        run("simulate", "two_link", "--at", state, "--time", 2, "--step", 0.01, "--signals", "q:*,v:*,energy", "-o", json_file)
        self.assertEqual(svg, self.ok("plot", json_file))
        self.assertEqual(svg, self.ok("plot", "-", "--title", "swing", stdin=recording.read_text()))

    def test_curves_are_where_the_ticks_say(self):
        path = self.table("x,y", [(x / 10, 3 * x / 10 - 1) for x in range(101)])
        svg = self.ok("plot", path)
        [points] = curves(svg)
        ticks = {}
        for element in ElementTree.fromstring(svg).iter(SVG + "text"):
            if element.get("y") and re.fullmatch(r"−?\d+(\.\d+)?", element.text or ""):
                ticks[(float(element.get("x")), float(element.get("y")))] = float(element.text.replace("−", "-"))
        at_left = [(y - 4, value) for (x, y), value in ticks.items() if x < points[0][0]]
        below = [(x, value) for (x, y), value in ticks.items() if y > max(p[1] for p in points) + 12]
        self.assertGreaterEqual(len(at_left), 3)
        self.assertGreaterEqual(len(below), 3)
        (y1, v1), (y2, v2) = at_left[0], at_left[-1]
        (x1, t1), (x2, t2) = below[0], below[-1]
        for px, py in points[::10]:
            x = t1 + (px - x1) * (t2 - t1) / (x2 - x1)
            y = v1 + (py - y1) * (v2 - v1) / (y2 - y1)
            self.assertAlmostEqual(y, 3 * x - 1, delta=0.05)

    def test_panels_by_kind_and_unit_and_chosen_signals(self):
        path = self.table("t [s],a [V],b [A],c [V],q:x [rad],q:y [m]", [(i, i, 2 * i, 3, 4, 5) for i in range(4)])
        self.assertEqual(self.ok("plot", path).count("<clipPath"), 4)
        words = texts(self.ok("plot", path, "--signals", "a,q:*"))
        self.assertIn("a [V]", words)
        self.assertNotIn("b", words)
        self.fails(2, "plot", path, "--signals", "d", says="unknown column 'd'")

    def test_logarithmic_axes(self):
        rows = [(10 ** (i / 50 - 1), 10 ** (-i / 25)) for i in range(151)]
        path = self.table("frequency [Hz],gain", rows)
        svg = self.ok("plot", path, "--log-x", "--log-y")
        [points] = curves(svg)
        slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(points, points[30:])]
        self.assertLess(max(slopes) - min(slopes), 0.01)        # a straight line
        for label in "0.1", "1", "10", "100", "0.01":
            self.assertIn(label, texts(svg))
        self.fails(1, "plot", self.table("f,g", [(0, 1), (1, 2)]), "--log-x", says=["'f' has the value 0", "above zero"])

    def test_long_recordings_are_thinned_with_their_peaks_kept(self):
        rows = [(i / 1000, math.sin(i / 1000) + (5 if i == 70001 else 0)) for i in range(100000)]
        svg = self.ok("plot", self.table("t,y", rows))
        self.assertLess(len(svg), 200_000)
        [points] = curves(svg)
        heights = sorted(p[1] for p in points)
        self.assertLess(heights[0], heights[10] - 50)           # the one peak

    def test_hard_cases_are_still_pictures(self):
        for header, rows in (("t,y", [(0, 0)]), ("t,y", [(0, 1e-300), (1, 1e-300)]), ("t,y", [(5, -7), (5, -7)]),
                             ("t,y", [(0, 1e300), (1, -1e300)]), ("t,<&\"'>", [(0, 1), (1, 2)]),
                             ("t,y", [(0, 1e9), (1, 1e9 + 1)]), ("zeit,größe [µm]", [(0, 1), (1, 2)])):
            svg = self.ok("plot", self.table(header.replace('"', ""), rows))
            ElementTree.fromstring(svg)
            self.assertNotIn("nan", svg)
            self.assertNotIn("inf", svg)
        many = "t," + ",".join(f"a_rather_long_name_of_a_signal_{i}" for i in range(30))
        svg = self.ok("plot", self.table(many, [[i] * 31 for i in range(3)]))
        styles = re.findall(r'<path d="M[^"]*L[^"]*" (stroke="#[^/]*)/>', svg)
        self.assertEqual((len(styles), len(set(styles)) >= 28), (30, True))

    def test_wrong_use(self):
        self.fails(2, "plot", says="plot needs a FILE")
        self.fails(2, "plot", self.table("t,y", [(0, 1)]), "-o", "x.png", says="ends in .svg")
        self.fails(1, "plot", "none.csv", says="none.csv")
        self.fails(1, "plot", self.table("t", [(0,)]), says="expected two columns")
        self.fails(1, "plot", self.table("t,y", []), says="0 rows")
        self.fails(1, "plot", self.table("t,y", [(0, "nan")]), says="line 2: column 'y': got 'nan'")
        self.fails(1, "plot", self.table("t,y", [(0, 1)]), "-o", self.folder / "none" / "x.svg", says="folder")
        self.fails(1, "plot", self.table("t,t", [(0, 1)]), says="'t' is there twice")


if __name__ == "__main__":
    unittest.main()
