"""All headers compile together, in either order: no name means two things."""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", required=True, help="the first holds sweepdyn")
    args = parser.parse_args()
    root = pathlib.Path(args.include[0])
    headers = [h for h in sorted((root / "sweepdyn").rglob("*.hpp")) if "and not by others" not in h.read_text(encoding="utf-8")[:400]]
    print(f"note: {len(headers)} headers compile together")
    failed = len(headers) < 100
    for name, order in ("forwards", headers), ("backwards", headers[::-1]):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / f"{name}.cpp"
            source.write_text("".join(f'#include "{header.relative_to(root)}"\n' for header in order))
            first, *others = args.include
            done = subprocess.run([args.compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{first}",
                                   *[f"-isystem{include}" for include in others], str(source)])
            failed = failed or done.returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
