"""Wrong expressions do not compile, and the compiler says why in one readable line."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

BEGIN = """#include "sweepdyn/operators/op.hpp"
using namespace sweepdyn::algebra;
void test(const Operators& o)
{
"""

# what is written, what the compiler must say (nothing: it compiles)
CASES = [
    ("auto right = o.H * o.phi * o.M * adj(o.phi) * adj(o.H) + o.J_a;", ""),
    ("Op<HingeMotion, HingeForce> right = adj(I - o.H*o.psi*o.K) * inverse(o.D) * (I - o.H*o.psi*o.K);", ""),
    ("Op<FrameMotion, HingeMotion> right = adj(o.B({\"tool\"})) * adj(o.phi) * adj(o.H);", ""),
    ("auto right = 2.0 * I - 0.5 * (o.H * o.psi * o.K) / 3.0; auto other = o.H * I * o.phi * 2.0; auto third = -I + o.tau;", ""),
    ("auto wrong = I - o.H;", "wrong sum: the identity maps a space to itself, the other term does not"),
    ("auto forgotten = o.H * o.phi * adj(o.phi) * adj(o.H);",
     "wrong product: the right factor must land in the space on which the left one acts"),
    ("auto wrong = o.H * o.M * o.H;",
     "wrong product: the right factor must land in the space on which the left one acts"),
    ("auto wrong = o.M + o.phi;", "wrong sum: both terms must act between the same spaces"),
    ("auto wrong = o.M - o.D;", "wrong difference: both terms must act between the same spaces"),
    ("auto wrong = o.vector<HingeForce>(\"T\") - o.b;", "wrong difference: both terms must act between the same spaces"),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", default=[])
    args = parser.parse_args()
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for number, (line, expected) in enumerate(CASES):
            source = pathlib.Path(folder) / f"case{number}.cpp"
            source.write_text(f"{BEGIN}    {line}\n    (void)0;\n}}\n")
            done = subprocess.run([args.compiler, "-std=c++20", "-fsyntax-only", *[f"-I{i}" for i in args.include], str(source)],
                                  capture_output=True, text=True)
            if not expected and done.returncode != 0:
                faults.append(f"should compile: {line}\n{done.stderr}")
            if expected and done.returncode == 0:
                faults.append(f"compiles, but must not: {line}")
            said = [text for text in done.stderr.splitlines() if expected in text and "error" in text]
            if expected and done.returncode != 0 and not said:
                faults.append(f"the compiler's error does not say '{expected}': {line}\n{done.stderr}")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(CASES)} expressions, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
