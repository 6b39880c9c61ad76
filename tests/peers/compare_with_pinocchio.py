"""Compares `sweepdyn compute` with Pinocchio, robot by robot, at random states.

Each robot runs as its file says and, unless its base floats already, once more with `--base floating`.
Errors are relative to the largest entry of each quantity and shown as error / tolerance: above 1 fails.
Call it through tests/peers/run, which makes the Python environment.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree

import numpy as np
import pinocchio as pin

TOLERANCE = 1e-10
EPS = np.finfo(float).eps
# Below this, in its natural unit, a largest entry is rounding noise (gravity torques of a robot that moves in a
# horizontal plane) and no scale to measure an error by.
FLOOR = 1e-4
FRAMES = 12  # links compared per robot
ANGULAR_FIRST = [3, 4, 5, 0, 1, 2]
EXAMPLE_ROBOTS = pathlib.Path(sysconfig.get_path("purelib"), "cmeel.prefix/share/example-robot-data/robots")


class Disagreement(Exception):
    """This robot fails."""


class NotComparable(Exception):
    """Pinocchio is no reference for this robot."""


class Unreadable(NotComparable):
    """Pinocchio cannot read it. So it is with some files of example-robot-data; anywhere else it is a failure."""


# ---------------------------------------------------------------------------------------------- the two conventions


class Hinge:
    """One joint of Pinocchio's with its name in Sweepdyn, and its coordinates in Sweepdyn's layout:
    [q], planar [angle, x, y], spherical [w, x, y, z], free [w, x, y, z, position]."""

    PEER_DOFS = {
        "planar": ["vx", "vy", "wz"],
        "spherical": ["wx", "wy", "wz"],
        "free": ["vx", "vy", "vz", "wx", "wy", "wz"],
    }

    def __init__(self, model, i, our_dofs):
        joint = model.joints[i]
        self.first_q, self.first_v, self.nq, self.nv = joint.idx_q, joint.idx_v, joint.nq, joint.nv
        shapes = {(1, 1): "one", (2, 1): "unbounded", (4, 3): "planar", (7, 6): "free"}
        self.kind = "spherical" if "Spherical" in joint.shortname() else shapes[joint.nq, joint.nv]
        self.is_base = self.kind == "free" and model.parents[i] == 0 and "base.wx" in our_dofs
        self.name = "base" if self.is_base else model.names[i]
        self.peer_dofs = [f"{self.name}.{d}" for d in self.PEER_DOFS[self.kind]] if joint.nv > 1 else [self.name]
        reach = 1.0 if re.match("JointModelP([XYZ]|rismatic)", joint.shortname()) else np.pi
        low, high = model.lowerPositionLimit[self.first_q], model.upperPositionLimit[self.first_q]
        limited = self.kind == "one" and np.isfinite([low, high]).all() and low < high
        self.low, self.high = (low, high) if limited else (-reach, reach)

    def random(self, rng):
        quaternion = rng.normal(size=4)
        quaternion /= np.linalg.norm(quaternion)
        if self.kind == "free":
            return np.concatenate([quaternion, rng.uniform(-1, 1, 3)])
        if self.kind == "spherical":
            return quaternion
        if self.kind == "planar":
            return np.concatenate([rng.uniform(-np.pi, np.pi, 1), rng.uniform(-1, 1, 2)])
        return rng.uniform(self.low, self.high, 1)

    def to_peer(self, x):
        if self.kind == "free":
            return [*x[4:7], *x[1:4], x[0]]
        if self.kind == "spherical":
            return [*x[1:4], x[0]]
        if self.kind == "planar":
            return [x[1], x[2], np.cos(x[0]), np.sin(x[0])]
        if self.kind == "unbounded":
            return [np.cos(x[0]), np.sin(x[0])]
        return x


class Mapping:
    """Hinges in Sweepdyn's order; `peer` holds, for each dof of Sweepdyn's, its index in Pinocchio's vectors."""

    def __init__(self, model, our_dofs):
        hinges = [Hinge(model, i, our_dofs) for i in range(1, model.njoints)]
        index = {name: h.first_v + k for h in hinges for k, name in enumerate(h.peer_dofs)}
        if sorted(index) != sorted(our_dofs):
            ours, theirs = sorted(set(our_dofs) - set(index)), sorted(set(index) - set(our_dofs))
            raise Disagreement(f"dofs differ: only in sweepdyn {ours}, only in Pinocchio {theirs}")
        self.peer = np.array([index[name] for name in our_dofs], int)
        self.hinges = sorted(hinges, key=lambda h: min(our_dofs.index(name) for name in h.peer_dofs))

        # Pinocchio's bodies are the links on its joints with what is welded to them; a link that has its joint's frame has its
        # columns too, in the order m, m c, Ixx Ixy Iyy Ixz Iyz Izz.
        links = {f.parentJoint: f.name for f in reversed(model.frames) if f.type == pin.FrameType.BODY
                 and f.parentJoint > 0 and f.placement.isIdentity(0.0)}
        order = [0, 1, 2, 3, 4, 5, 7, 6, 8, 9]
        self.columns = [10 * (i - 1) + k for i in links for k in order]
        self.our_columns = [f"{link}.{p}" for link in links.values()
                            for p in ("m", "mx", "my", "mz", "Jxx", "Jxy", "Jxz", "Jyy", "Jyz", "Jzz")]

    def our_regressor(self, result):
        index = {name: k for k, name in enumerate(result["cols"])}
        return np.array(result["matrix"], float).reshape(-1, len(index))[:, [index[name] for name in self.our_columns]]

    def peer_q(self, model, q):
        result = pin.neutral(model)
        for hinge, x in zip(self.hinges, q):
            result[hinge.first_q : hinge.first_q + hinge.nq] = hinge.to_peer(x)
        return result

    def peer_v(self, v):
        result = np.zeros(len(v))
        result[self.peer] = v
        return result

    def state_as_arrays(self, q, v, a, T):
        return {"q": [float(c) for x in q for c in x], "v": v.tolist(), "a": a.tolist(), "T": T.tolist()}

    def state_by_name(self, q, v, a, T):
        state = {"q": {}, "v": {}, "a": {}, "T": {}}
        plain = lambda x: x.tolist() if len(x) > 1 else float(x[0])
        first = 0
        for hinge, x in zip(self.hinges, q):
            part = slice(first, first + hinge.nv)
            first += hinge.nv
            if hinge.is_base:
                state["base"] = {"quat": plain(x[:4]), "p": plain(x[4:]), "twist": plain(v[part])}
                state["base"].update(accel=plain(a[part]), wrench=plain(T[part]))
            else:
                state["q"][hinge.name] = plain(x)
                for key, vector in ("v", v), ("a", a), ("T", T):
                    state[key][hinge.name] = plain(vector[part])
        return state


# ------------------------------------------------------------------------------------------------------ the two sides


class Sweepdyn:
    def __init__(self, binary, urdf, options):
        self.command = [str(binary), "compute", str(urdf), *options]

    def run(self, states, names):
        """The result lines, or the text of the refusal."""
        text = "".join(json.dumps(s) + "\n" for s in states)
        command = [*self.command, "--state", "-", "--get", ",".join(names)]
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            if done.returncode != 1 or done.stdout or not done.stderr.strip():
                raise Disagreement(f"exit {done.returncode}, stderr: {done.stderr.strip()[:500]!r}")
            return None, done.stderr.strip()
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        if len(lines) != len(states):
            raise Disagreement(f"{len(states)} states in, {len(lines)} results out")
        return lines, ""

    def results(self, states, names):
        lines, refusal = self.run(states, names)
        if lines is None:
            raise Disagreement(f"sweepdyn refused: {refusal[:500]}")
        return lines


def mass_matrix(model, data, q):
    upper = np.triu(pin.crba(model, data, q))
    return upper + np.triu(upper, 1).T


def peer_results(model, data, mapping, frames, q, v, a):
    """Everything but qdd, in Sweepdyn's conventions. What is fixed to the world is in none of Pinocchio's sums either:
    they start at joint 1, and the links of a fixed root are the inertia of joint 0."""
    dofs, zero = mapping.peer, np.zeros(model.nv)
    result = {
        "M": mass_matrix(model, data, q)[np.ix_(dofs, dofs)],
        "T": pin.rnea(model, data, q, v, a)[dofs],
        "bias": pin.rnea(model, data, q, v, zero)[dofs],
        "gravity": pin.rnea(model, data, q, zero, zero)[dofs],
        "coriolis": pin.computeCoriolisMatrix(model, data, q, v)[np.ix_(dofs, dofs)],
        "regressor": pin.computeJointTorqueRegressor(model, data, q, v, a)[np.ix_(dofs, mapping.columns)],
        "mass": pin.computeTotalMass(model),
        "kinetic_energy": pin.computeKineticEnergy(model, data, q, v),
        "potential_energy": pin.computePotentialEnergy(model, data, q),
    }
    dT_dq, dT_dv, _ = pin.computeRNEADerivatives(model, data, q, v, a)
    result["dT_dq"], result["dT_dv"] = dT_dq[np.ix_(dofs, dofs)].copy(), dT_dv[np.ix_(dofs, dofs)].copy()
    result["M_dot"] = result["coriolis"] + result["coriolis"].T
    if result["mass"] > 0:
        centre = pin.centerOfMass(model, data, q)
        h = pin.computeCentroidalMomentum(model, data, q, v)
        result["com"] = centre.copy()
        result["cmm"] = pin.ccrba(model, data, q, v)[np.ix_(ANGULAR_FIRST, dofs)]
        result["momentum"] = np.concatenate([h.angular + np.cross(centre, h.linear), h.linear])
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    pin.forwardKinematics(model, data, q, v, a)
    pin.updateFramePlacements(model, data)
    for name, frame in frames.items():
        pose = data.oMf[frame]
        result[f"pose:{name}"] = np.column_stack([pose.rotation, pose.translation])
        result[f"velocity:{name}"] = pin.getFrameVelocity(model, data, frame, axes).vector[ANGULAR_FIRST]
        acceleration = pin.getFrameClassicalAcceleration(model, data, frame, axes)
        result[f"acceleration:{name}"] = acceleration.vector[ANGULAR_FIRST]
    for name, frame in frames.items():
        J = pin.computeFrameJacobian(model, data, q, frame, axes)
        result[f"J:{name}"] = J[ANGULAR_FIRST][:, dofs]
    return result


# ----------------------------------------------------------------------------------------------------------- comparing


def as_array(value):
    if isinstance(value, dict):
        return np.column_stack([value["R"], value["p"]])
    return np.array(value, float)


class Worst:
    """The worst error / tolerance of each quantity (all frames of `J:FRAME` count as one), and where it was."""

    def __init__(self):
        self.ratio, self.where = {}, {}

    def compare(self, key, ours, reference, unit, where, tolerance=TOLERANCE):
        ours, reference = as_array(ours), np.asarray(reference, float)
        if ours.size == 0 and reference.size == 0:
            return
        if ours.shape != reference.shape:
            raise Disagreement(f"{key}: shape {ours.shape}, expected {reference.shape}")
        error = np.abs(ours - reference).max()
        scale = max(np.abs(reference).max(), FLOOR * unit)
        self.record(key, 0.0 if error == 0 else error / (scale * tolerance) if scale > 0 else np.inf, where)

    def record(self, key, ratio, where):
        quantity = key.split(":")[0]
        if not ratio <= self.ratio.get(quantity, -1):
            self.ratio[quantity], self.where[quantity] = ratio, f"{key}, {where}"

    def failures(self):
        return [f"{where}: error is {self.ratio[k]:.2g} times the tolerance"
                for k, where in self.where.items() if not self.ratio[k] <= 1]


def unit(key, mass):
    """The natural unit of a quantity at a robot's size of one metre."""
    weight = 9.81 * mass
    units = {"M": 0, "T": weight, "bias": weight, "gravity": weight, "potential_energy": weight, "momentum": mass,
             "coriolis": mass, "M_dot": mass, "dT_dq": weight, "dT_dv": mass}
    return units.get(key, 0 if key in ("mass", "kinetic_energy") else 1)


def chosen_frames(model, rng):
    links = [(f.name, i) for i, f in enumerate(model.frames) if f.type == pin.FrameType.BODY and "," not in f.name]
    picked = sorted(rng.choice(len(links), FRAMES, replace=False)) if len(links) > FRAMES else range(len(links))
    return dict(links[k] for k in picked)


def compare_one_base(binary, urdf, options, model, count, seed, worst, say):
    """Compares `count` states; returns the number of dofs and whether forward dynamics was refused."""
    rng = np.random.default_rng(seed)
    data = model.createData()
    sweepdyn = Sweepdyn(binary, urdf, options)
    label = " ".join(options) or "base as in the file"
    mapping = Mapping(model, sweepdyn.results([{}], ["mass"])[0]["dofs"])
    frames = chosen_frames(model, rng)

    states, references, motions = [], [], []
    for k in range(count):
        q = [hinge.random(rng) for hinge in mapping.hinges]
        v, a, a_free = rng.uniform(-2, 2, model.nv), rng.uniform(-5, 5, model.nv), rng.uniform(-5, 5, model.nv)
        peer_q, peer_v = mapping.peer_q(model, q), mapping.peer_v(v)
        # Hinge forces for forward dynamics that move heavy and light hinges alike.
        peer_T = pin.rnea(model, data, peer_q, peer_v, mapping.peer_v(a_free))
        write = mapping.state_as_arrays if k % 2 == 0 else mapping.state_by_name
        states.append(write(q, v, a, peer_T[mapping.peer]))
        references.append(peer_results(model, data, mapping, frames, peer_q, peer_v, mapping.peer_v(a)))
        motions.append((peer_q, peer_v, peer_T))

    lines = sweepdyn.results(states, list(references[0]))
    for k, (line, reference) in enumerate(zip(lines, references)):
        line["results"]["regressor"] = mapping.our_regressor(line["results"]["regressor"])
        for key, value in reference.items():
            worst.compare(key, line["results"][key], value, unit(key, reference["mass"]), f"{label}, state {k}")

    if model.nv == 0:
        return 0, False
    conditions = [np.linalg.cond(r["M"]) if np.isfinite(r["M"]).all() else np.inf for r in references]
    tolerances = [max(TOLERANCE, 50 * EPS * c) for c in conditions]
    some = next(iter(frames), None)
    inverses = ["M_inv", "log_det_M", "dqdd_dq", "dqdd_dv"] + ([f"Omega:{some}"] if some and "+" not in some else [])
    lines, refusal = sweepdyn.run(states, ["qdd", *inverses])
    if lines is None:
        if max(tolerances) < 1e-3:
            raise Disagreement(f"qdd refused though cond(M) is at most {max(conditions):.1e}: {refusal[:300]}")
        if not any(hinge.name in refusal for hinge in mapping.hinges):
            raise Disagreement(f"qdd refused without the name of a hinge: {refusal[:300]}")
        say(f"qdd refused ({label}): {refusal.splitlines()[0][:150]}")
        return model.nv, True
    for k, (line, reference, tolerance) in enumerate(zip(lines, references, tolerances)):
        qdd, where = as_array(line["results"]["qdd"]), f"{label}, state {k}"
        peer_q, peer_v, peer_T = motions[k]
        if tolerance < 1:
            expected = pin.aba(model, data, peer_q, peer_v, peer_T)[mapping.peer]
            worst.compare("qdd", qdd, expected, 1, where, tolerance)
            M_inv = np.linalg.inv(reference["M"])
            peers = {"M_inv": M_inv, "log_det_M": np.linalg.slogdet(reference["M"])[1]}
            if f"Omega:{some}" in inverses:
                J = reference[f"J:{some}"]
                peers[f"Omega:{some}"] = J @ M_inv @ J.T
            dqdd_dq, dqdd_dv, _ = pin.computeABADerivatives(model, data, peer_q, peer_v, peer_T)
            dofs = np.ix_(mapping.peer, mapping.peer)
            peers["dqdd_dq"], peers["dqdd_dv"] = dqdd_dq[dofs].copy(), dqdd_dv[dofs].copy()
            for key, value in peers.items():
                worst.compare(key, line["results"][key], value, 0 if key == "M_inv" else 1, where, tolerance)
        else:  # qdd is not determined to a single digit: it must at least solve M qdd = T - bias
            M, T, bias = reference["M"], peer_T[mapping.peer], reference["bias"]
            scale = max(np.abs(M).max() * np.abs(qdd).max(), np.abs(T).max())
            worst.record("qdd", np.abs(M @ qdd + bias - T).max() / (scale * TOLERANCE), where)
    return model.nv, False


def models_of(urdf):
    """(options of sweepdyn, Pinocchio's model) for each base to compare."""
    text = urdf.read_text(errors="replace")
    try:
        joints = xml.etree.ElementTree.fromstring(text).findall("joint")
        model = pin.buildModelFromUrdf(str(urdf))
    except (xml.etree.ElementTree.ParseError, ValueError, RuntimeError) as error:
        raise Unreadable(f"Pinocchio cannot read it: {error}") from None
    for joint in joints:
        axis = joint.find("axis")
        normal = [1, 0, 0] if axis is None else [float(x) for x in axis.get("xyz", "1 0 0").split()]
        if joint.get("type") == "planar" and normal != [0, 0, 1]:
            raise NotComparable(f"Pinocchio takes z for the normal of every planar joint ({joint.get('name')})")
    mimic = ["--mimic", "independent"] if any(j.find("mimic") is not None for j in joints) else []
    yield mimic, model
    floats = any(model.parents[i] == 0 and model.joints[i].nv == 6 for i in range(1, model.njoints))
    if not floats:
        yield [*mimic, "--base", "floating"], pin.buildModelFromUrdf(str(urdf), pin.JointModelFreeFlyer())


def faults_of(urdf):
    """Names of what makes a file no model: links whose inertia has a negative eigenvalue, mimics of unknown joints."""
    robot = xml.etree.ElementTree.parse(urdf).getroot()
    joints = {joint.get("name") for joint in robot.findall("joint")}
    for link in robot.findall("link"):
        inertia = link.find("inertial/inertia")
        if inertia is not None:
            xx, xy, xz, yy, yz, zz = (float(inertia.get(k, 0)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
            moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            mass = float(link.find("inertial/mass").get("value"))
            if moments[0] < -max(1e-9 * abs(moments.sum()), 1e-12 * mass):
                yield link.get("name")
    for joint in robot.findall("joint"):
        mimic = joint.find("mimic")
        if mimic is not None and mimic.get("joint") not in joints:
            yield joint.get("name")


def check_refusal(binary, urdf, names):
    """A file with faults must be refused, and each fault named."""
    done = subprocess.run([binary, "info", urdf], capture_output=True, text=True, timeout=600)
    missing = [name for name in names if f"'{name}'" not in done.stderr and f'"{name}"' not in done.stderr]
    if done.returncode != 1 or done.stdout or missing:
        raise Disagreement(f"faulty at {', '.join(names)}, but exit {done.returncode}, not named: {missing}")


def found(paths):
    """(file, name to print) of every URDF file named or under a folder named."""
    for path in paths:
        if path.is_dir():
            for urdf in sorted(path.rglob("*.urdf")):
                yield urdf, str(urdf.relative_to(path))
        elif path.is_file():
            yield path, path.name
        else:
            sys.exit(f"error: {path} is neither a URDF file nor a folder")


def main():
    project = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sweepdyn", type=pathlib.Path, required=True, metavar="BINARY", help="the program to test")
    parser.add_argument("--example-robots", action="store_true", help="add the robots of example-robot-data")
    parser.add_argument("--states", type=int, default=20, help="random states per robot and base (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("paths", type=pathlib.Path, nargs="*", help="URDF files, and folders to search for them")
    args = parser.parse_args()
    binary = args.sweepdyn.resolve()
    if not binary.is_file():
        sys.exit(f"error: no such program: {args.sweepdyn}")
    everything = not args.paths and not args.example_robots
    paths = [project / "models"] if everything else args.paths
    if everything or args.example_robots:
        paths = [*paths, EXAMPLE_ROBOTS]

    passed = failed = skipped = robots = states = refused = faulty = 0
    for urdf, name in found(paths):
        worst, dofs, notes, refusals = Worst(), [], [], 0
        try:
            models = list(models_of(urdf))
            if names := list(faults_of(urdf)):
                check_refusal(binary, urdf, names)
                notes.append(f"rightly refused for {', '.join(names)}")
                faulty += 1
                models = []
            for options, model in models:
                nv, was_refused = compare_one_base(
                    binary, urdf, options, model, args.states, args.seed, worst, notes.append)
                dofs.append(str(nv))
                states += args.states
                refusals += was_refused
            faults = worst.failures()
        except Disagreement as error:
            faults = [str(error), *worst.failures()]
        except subprocess.TimeoutExpired:
            faults = ["no answer within ten minutes"]
        except NotComparable as error:
            if not isinstance(error, Unreadable) or EXAMPLE_ROBOTS in urdf.parents:
                skipped += 1
                print(f"skip  {name}: {error}", flush=True)
                continue
            faults = [str(error)]
        robots += 1
        refused += refusals > 0
        failed += bool(faults)
        passed += not faults
        ratios = "  ".join(f"{k} {r:.0e}" for k, r in worst.ratio.items())
        print(f"{'FAIL' if faults else 'ok':4}  {name}  dofs {'/'.join(dofs) or '?'}"
              f"  states {len(dofs) * args.states}  {ratios}{'  qdd refused' if refusals else ''}")
        for text in [*notes, *faults]:
            print(f"      {text}", flush=True)

    print(f"note: {robots - faulty} robots, {states} states compared with Pinocchio {pin.__version__};"
          f" forward dynamics refused for {refused} (singular mass matrix); {faulty} faulty files rightly refused")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
