#!/usr/bin/env python3
"""Checks that every folder includes only what its layer may (the table of docs/architecture.md).

    layers.py [ROOT]        ROOT is the repository; prints each fault as file:line, exits 1 when there is one

Read are all #include lines under include/, src/ and apps/. The rules:
  * a folder includes itself and what stands behind it in LAYERS, transitively;
  * the facade (files directly under include/sweepdyn or src) may include everything, and only apps include the facade;
  * no header includes itself through others;
  * nothing in the library includes apps or tests, and public headers include no header of src;
  * libraries in LIBRARIES are included only where the table says so;
  * the tests and headers that a comment or a page of docs/ names are there.
"""
import re
import sys
from pathlib import Path

# folder: the folders behind it
LAYERS = {
    "spatial": [],
    "model": ["spatial"],
    "kinematics": ["model"],
    "dynamics": ["kinematics"],
    "operators": ["dynamics"],
    "linear": ["dynamics", "operators"],
    "closed": ["linear", "operators"],
    "control": ["linear", "closed"],
    "sim": ["closed", "control"],
    "batch": ["dynamics", "linear"],
    "derive": ["operators"],
    "generate": ["derive"],
    "io/json": [],
    "io/model": ["model", "io/json"],
    "io/results": ["linear", "sim", "io/json"],
}

# how the include of a library begins: the folders that may hold it
LIBRARIES = {
    "fmt/": ["src/io", "apps"],
    "nlohmann/": ["src/io", "apps"],
    "tinyxml2": ["src/io"],
    "urdf": ["src/io"],         # urdf_model/, urdf_parser/, urdf_world/, ...
    "CLI/": ["apps"],
    "lapacke": ["src/linear"],
    "matio": ["src/io"],
    "sdf/": ["src/io/model"],   # sdformat
    "ignition/": ["src/io/model"],
    "arkode/": ["src/sim"],     # SUNDIALS
    "cvode/": ["src/sim"],
    "ida/": ["src/sim"],
    "nvector/": ["src/sim"],
    "sundials/": ["src/sim"],
    "sunlinsol/": ["src/sim"],
    "sunmatrix/": ["src/sim"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
SUFFIXES = {".hpp", ".cpp", ".h", ".inl"}
FACADE = ""


def behind(layer):
    """The layers that a layer may include, itself among them."""
    seen, todo = set(), [layer]
    while todo:
        here = todo.pop()
        if here not in seen:
            seen.add(here)
            todo += LAYERS[here]
    return seen


def table_faults():
    """The table itself: known names, no cycle."""
    for layer, others in LAYERS.items():
        for other in others:
            if other not in LAYERS:
                yield f"the table lets {layer} include {other}, which it does not list"
            elif layer in behind(other):
                yield f"the table has a cycle: {layer} and {other} include each other"


def layer_of(root, path):
    """The layer of a file of the library; FACADE at the top; None in a folder that the table does not list."""
    for base in (root / "include" / "sweepdyn", root / "src"):
        if path.is_relative_to(base):
            folder = path.parent.relative_to(base).as_posix()
            if folder == ".":
                return FACADE
            return next((layer for layer in LAYERS if folder == layer or folder.startswith(layer + "/")), None)
    return None


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[2], match[1] == '"'


def resolve(root, path, name, quoted):
    """The file of the repository that an include means; None for the libraries of others."""
    places = [root / "include", root / "src"]
    if quoted:
        places.insert(0, path.parent)
    for place in places:
        target = Path((place / name).resolve())
        if target.is_file() and target.is_relative_to(root):
            return target
    if name.startswith("sweepdyn/"):
        return root / "include" / name      # not there (yet): its name still says the layer
    return None


def include_cycles(edges):
    """Each header that reaches itself through includes, once per cycle."""
    done, stack = set(), []

    def visit(path):
        if path in stack:
            yield stack[stack.index(path):] + [path]
        elif path not in done:
            stack.append(path)
            for target in sorted(edges.get(path, ())):
                yield from visit(target)
            stack.pop()
            done.add(path)

    for path in sorted(edges):
        yield from visit(path)


def check(root):
    """All faults of the repository, as lines of text, and the number of files read."""
    root = Path(root).resolve()
    faults = list(table_faults())
    if faults:
        return faults, 0
    edges = {}
    files = sorted(f for top in ("include", "src", "apps") for f in (root / top).rglob("*") if f.suffix in SUFFIXES)
    for path in files:
        shown = path.relative_to(root).as_posix()
        layer = None if shown.startswith("apps/") else layer_of(root, path)
        if layer is None and not shown.startswith("apps/"):
            faults.append(f"{shown}: no layer has this folder; there are {', '.join(LAYERS)}")
            continue
        for number, name, quoted in includes(path):
            where = f"{shown}:{number}"
            target = resolve(root, path, name, quoted)
            if target is None:
                for library, places in LIBRARIES.items():
                    if name.startswith(library) and not any(shown.startswith(place + "/") for place in places):
                        faults.append(f"{where}: <{name}> may be included only under {' and '.join(places)}")
                continue
            edges.setdefault(path, set()).add(target)
            target_shown = target.relative_to(root).as_posix()
            if not target_shown.startswith(("include/", "src/")):
                if layer is not None:
                    faults.append(f"{where}: the library may not include {target_shown}")
                continue
            if shown.startswith(("include/", "apps/")) and target_shown.startswith("src/"):
                faults.append(f"{where}: {target_shown} is private to src")
                continue
            if layer in (None, FACADE):
                continue
            target_layer = layer_of(root, target)
            if target_layer is None:
                faults.append(f"{where}: no layer has the folder of {name}; there are {', '.join(LAYERS)}")
            elif target_layer == FACADE:
                faults.append(f"{where}: {layer} may not include the facade ({name})")
            elif target_layer not in behind(layer):
                allowed = ", ".join(sorted(behind(layer) - {layer})) or "nothing but itself"
                faults.append(f"{where}: {layer} may not include {name}; it may include {allowed}")
    for cycle in include_cycles(edges):
        faults.append("a cycle of includes: " + " -> ".join(f.relative_to(root).as_posix() for f in cycle))
    return faults, len(files)


NAMED = re.compile(r"\btests/(?:laws|golden|unit|cli)/\w+\.(?:cpp|py)|\b(?:" + "|".join(LAYERS) + r")/[\w/]+\.hpp")


def dangling_names(root):
    """Files that are named in comments and pages, and are not there."""
    faults = []
    texts = [*root.glob("include/**/*.hpp"), *root.glob("src/**/*.[ch]pp"), *root.glob("docs/**/*.md"), *root.glob("*.md")]
    for path in sorted(texts):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if INCLUDE.match(line): # the compiler tells
                continue
            for name in NAMED.findall(line.replace("NAME.", "")):
                places = [root / name, root / "include/sweepdyn" / name, root / "src" / name]
                if not any(place.is_file() for place in places):
                    faults.append(f"{path.relative_to(root).as_posix()}:{number}: there is no {name}")
    return faults


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    faults, files = check(root)
    faults += dangling_names(root)
    for fault in faults:
        print(fault)
    if not faults and not files:
        faults = ["nothing to check"]
        print(f"{root}: no sources under include, src, apps")
    print(f"{files} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
