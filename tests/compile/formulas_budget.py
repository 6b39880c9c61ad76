"""All formulas together, each turned into numbers, compile within a budget of time and memory.

Every header of include/sweepdyn/operators/formulas is included, and every function in them is called, with arguments made from
the types of its parameters.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SECONDS, MEGABYTES = 10.0, 1000.0  # of CPU time; at the peak

FUNCTION = re.compile(r"^inline\s+(?:Op|Vector)<[\w\s,]+>\s+(\w+)\(([^)]*)\)", re.M)

# How to make an argument: what its type is, what to write.
ARGUMENTS = [
    (r"const Operators& \w+", r"o"),
    (r"const std::vector<std::string>& \w+", r'std::vector<std::string>{"tip"}'),
    (r"const Vector<(\w+)>& (\w+)", r'o.vector<\1>("\2")'),
    (r"double \w+", r"0.5"),
]


def argument(parameter):
    for pattern, text in ARGUMENTS:
        if found := re.fullmatch(pattern, " ".join(parameter.split())):
            return found.expand(text)
    return None


def program(headers):
    """The text, how many functions it evaluates, and those that it does not know how to call."""
    includes, calls, unknown = ['#include "sweepdyn/operators/evaluate.hpp"'], [], []
    for header in headers:
        includes.append(f'#include "sweepdyn/operators/formulas/{header.name}"')
        text = header.read_text(encoding="utf-8")
        declared = len(re.findall(r"^inline\s", text, re.M))
        functions = FUNCTION.findall(text)
        if len(functions) != declared:
            unknown.append(f"{declared - len(functions)} of {header.name}")
        for name, parameters in functions:
            arguments = [argument(p) for p in parameters.split(",")]
            if None in arguments:
                unknown.append(name)
            else:
                calls.append(f"    sum += dense(formulas::{name}({', '.join(arguments)}), stages).sum();")
    return "\n".join(includes) + """
using namespace sweepdyn::algebra;
double evaluate_all(const Operators& o, Stages<double>& stages)
{
    double sum = 0.0;
""" + "\n".join(calls) + "\n    return sum;\n}\n", len(calls), unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", action="append", required=True, help="the first holds sweepdyn")
    args = parser.parse_args()
    headers = sorted((pathlib.Path(args.include[0]) / "sweepdyn/operators/formulas").glob("*.hpp"))
    text, count, unknown = program(headers)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "formulas.cpp"
        source.write_text(text)
        compiler = subprocess.Popen([args.compiler, "-std=c++20", "-O2", "-c", *[f"-I{i}" for i in args.include], str(source),
                                     "-o", str(source.with_suffix(".o"))])
        _, status, usage = os.wait4(compiler.pid, 0)  # of the compiler and all that it starts
        compiler.returncode = os.waitstatus_to_exitcode(status)
    seconds, megabytes = usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6
    print(f"note: {count} formulas of {len(headers)} files compile in {seconds:.1f} s of CPU time and {megabytes:.0f} MB "
          f"(allowed: {SECONDS:.0f} s, {MEGABYTES:.0f} MB)")
    if unknown:
        print(f"note: formulas included but not evaluated, since their arguments are not known here: {', '.join(unknown)}")
    if compiler.returncode != 0:
        print(text, file=sys.stderr)
    return 0 if compiler.returncode == 0 and count > 0 and seconds < SECONDS and megabytes < MEGABYTES else 1


if __name__ == "__main__":
    sys.exit(main())
