#!/usr/bin/env python3
"""Installs the library, moves the prefix elsewhere, and uses it from another project as a stranger would.

Built twice: plainly, and with -march=native against the portable library; so are the programs of the README and of the pages in docs/. Checked are that the program runs, that its
compile line holds nothing of ours but include folders and the language, that no installed file names the source or
build folder, and that the installed command line finds its models.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]


def run(*command, **options):
    shown = shlex.join(str(c) for c in command)
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{shown}\n{done.stdout}\nexit code {done.returncode}")
    return done.stdout


def foreign_flags(build, own):
    """What the compile line of the consumer holds beyond the compiler, files, include folders, -std and its own flags."""
    [entry] = json.loads((build / "compile_commands.json").read_text())
    words = shlex.split(entry["command"])[1:]
    foreign, skip = [], False
    for word in words:
        if skip:
            skip = False
        elif word in ("-isystem", "-I", "-o", "-c"):
            skip = True
        elif not word.startswith(("-I", "-isystem", "-std=")) and word not in own:
            foreign.append(word)
    return foreign


def main():
    parser = argparse.ArgumentParser()
    for option in ("cmake", "build", "compiler"):
        parser.add_argument("--" + option, required=True)
    arguments = parser.parse_args()
    cmake = arguments.cmake
    clean = {k: v for k, v in os.environ.items() if k not in ("CXXFLAGS", "LDFLAGS", "CPPFLAGS", "CPATH", "DESTDIR")}

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        run(cmake, "--install", arguments.build, "--prefix", folder / "installed", env=clean)
        prefix = folder / "moved"
        shutil.move(folder / "installed", prefix)

        for path in sorted(prefix.rglob("*")):
            if path.is_file():
                for place in (SOURCE, Path(arguments.build).resolve()):
                    if str(place).encode() + b"/" in path.read_bytes():
                        sys.exit(f"{path.relative_to(prefix)} names {place}, a folder of this machine")

        # The programs that the pages show, too, and what they print where the page says so.
        shown, prints = [], {}
        for page in ("README.md", "docs/algebra.md", "docs/diagonal-dynamics.md", "docs/simulation.md"):
            shown.append(folder / Path(page).stem.lower())
            shutil.copytree(HERE, shown[-1])
            text = (SOURCE / page).read_text()
            (shown[-1] / "main.cpp").write_text(re.search(r"```cpp\n(.*?)```", text, re.S)[1])
            if printed := re.search(r"It prints\n\n```text\n(.*?)```", text, re.S):
                prints[shown[-1]] = printed[1]

        for source, own in ((HERE, []), (HERE, ["-march=native"]), *((page, ["-march=native"]) for page in shown)):
            build = folder / f"{source.name}{'-native' if own else ''}-build"
            run(cmake, "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DCMAKE_CXX_FLAGS={' '.join(own)}",
                "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", env=clean)
            run(cmake, "--build", build, env=clean)
            printed = run(build / "consumer", cwd=SOURCE)
            if printed != prints.get(source, printed):
                sys.exit(f"the page of {source.name} does not show what its program prints:\n{printed}")
            foreign = foreign_flags(build, own)
            if foreign:
                sys.exit(f"flags of ours reach a user's compile line: {' '.join(foreign)}")
            print(f"{source.name} built and ran with {own or 'no flags'}")

        command_line = prefix / "bin" / "sweepdyn"
        if command_line.exists():
            print(run(command_line, "--version", cwd=folder).strip())
            run(command_line, "demo", cwd=folder)


if __name__ == "__main__":
    main()
