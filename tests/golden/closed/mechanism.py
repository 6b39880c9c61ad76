"""A mechanism: bodies on a tree of hinges, and loops that close it; its poses and velocities.

Each hinge gives its displacement and the columns of its motion in the axes of its child, at the child's origin; what follows from them
(poses, velocities, the generalized force of a wrench) does not ask for the kind again.
"""
from scalars import *

DOFS = dict(weld=0, revolute=1, prismatic=1, helical=1, cylindrical=2, universal=2, planar=3, spherical=3, free=6)


class Mechanism:
    """Bodies are added parents first. `q` of a body is the guess from which loops are closed; `v`, `tau` are given per body too, and
    of v only the independent components are used."""

    def __init__(self, name, description, gravity=(0, 0, -9.81)):
        self.name, self.description, self.gravity = name, description, array(gravity)
        self.bodies, self.loops, self.offset, self.guess, self.rates, self.tau = [], [], [0], [], [], []
        self.closes_to = ten_to(-Digits.value + 8)         # what remains of loops' rows when closed
        self.independent_velocity = self.independent_position = self.actuated = None

    def body(self, name, parent, kind, mass, com, inertia, axis=(0, 0, 1), axis2=None, rotation=I3, position=(0, 0, 0), pitch=None,
             q=None, v=None, tau=None):
        n = DOFS[kind]
        inertia = array(inertia)
        self.bodies.append(dict(name=name, parent=parent, kind=kind, mass=F(mass), com=array(com), inertia=inertia,
                                inverse_inertia=inverse3(inertia), axis=None if kind in ('weld', 'spherical', 'free') else unit(axis),
                                axis2=None if axis2 is None else unit(axis2), rotation=rotation, position=array(position),
                                pitch=None if pitch is None else F(pitch)))
        self.offset.append(self.offset[-1] + n)
        if kind == 'spherical':
            q = I3 if q is None else array(q)
        elif kind == 'free':
            q = (I3, Z3) if q is None else (array(q[0]), array(q[1]))
        else:
            q = array([0] * n if q is None else [q] if np.ndim(q) == 0 else q)
        self.guess.append(q)
        one = lambda x: [0.0] * n if x is None else [x] if np.ndim(x) == 0 else list(x)
        self.rates += [F(x) for x in one(v)]
        self.tau += [F(x) for x in one(tau)]
        return len(self.bodies) - 1

    def loop(self, kind, a, b, position_a=(0, 0, 0), position_b=(0, 0, 0), rotation_a=I3, rotation_b=I3, **more):
        self.loops.append(dict(kind=kind, a=a, b=b, Ra=rotation_a, pa=array(position_a), Rb=rotation_b, pb=array(position_b), **more))

    def loop_here(self, kind, a, b, position_b=(0, 0, 0), rotation_b=I3, turned=I3, shifted=(0, 0, 0), **more):
        """A loop whose frame a lies where frame b is at the guess, turned and shifted (in its own axes) from there."""
        k = Kinematics(self, self.guess, zeros(self.dofs))
        Rb, pb = k.axes(b) @ rotation_b, k.point(b, array(position_b))
        Ra = k.axes(a).T @ Rb @ turned
        pa = k.axes(a).T @ (pb - k.point(a, Z3)) + Ra @ array(shifted)
        self.loop(kind, a, b, pa, position_b, Ra, rotation_b, **more)

    def coupling(self, bodies, coefficients=None, polynomials=None, offset=0):
        """sum over bodies and powers p of c q^p = offset."""
        self.loops.append(dict(kind='coupling', bodies=bodies, coefficients=coefficients, offset=F(offset),
                               polynomials=[[F(c) for c in p] for p in (polynomials or [[c] for c in coefficients])]))

    @property
    def dofs(self):
        return self.offset[-1]

    def at(self, body):
        return slice(self.offset[body], self.offset[body + 1])

    def dofs_of(self, *names):
        """Indices into v of the named bodies' hinges."""
        index = {b['name']: i for i, b in enumerate(self.bodies)}
        return [j for n in names for j in range(self.offset[index[n]], self.offset[index[n] + 1])]


def planar_axes(normal):
    """In-plane axes: x is the next axis in cyclic order after the normal's largest component, made orthogonal to it."""
    i = max(range(3), key=lambda j: abs(normal[j]))
    e = I3[(i + 1) % 3]
    x = unit(e - normal * (normal @ e))
    return x, cross(normal, x)


def hinge_motion(b, q):
    """Displacement (R, p) in the hinge axes before the motion, and columns [w; v] in child axes at the child's origin."""
    kind, a, z = b['kind'], b['axis'], Z3
    if kind == 'weld':
        return I3, Z3, []
    if kind == 'revolute':
        return rot(a, q[0]), Z3, [(a, z)]
    if kind == 'prismatic':
        return I3, a * q[0], [(z, a)]
    if kind == 'helical':
        return rot(a, q[0]), a * (b['pitch'] * q[0]), [(a, a * b['pitch'])]
    if kind == 'cylindrical':
        return rot(a, q[0]), a * q[1], [(a, z), (z, a)]
    if kind == 'universal':
        second = rot(b['axis2'], q[1])
        return rot(a, q[0]) @ second, Z3, [(second.T @ a, z), (b['axis2'], z)]
    if kind == 'planar':
        x, y = planar_axes(a)
        return rot(a, q[0]), x * q[1] + y * q[2], [(a, z), (z, x), (z, y)]
    turns = [(e, z) for e in I3]
    if kind == 'spherical':
        return q, Z3, turns
    return q[0], q[1], turns + [(z, e) for e in I3]


def retract(mechanism, q, d):
    """q displaced by d in the body-fixed tangent space (exact to first order)."""
    out = []
    for i, b in enumerate(mechanism.bodies):
        x, c, kind = d[mechanism.at(i)], q[i], b['kind']
        if kind == 'spherical':
            out.append(c @ turn(x))
        elif kind == 'free':
            out.append((c[0] @ turn(x[:3]), c[1] + c[0] @ x[3:]))
        elif kind == 'planar':
            s, t = sin(c[0]), cos(c[0])
            out.append(np.array([c[0] + x[0], c[1] + t * x[1] - s * x[2], c[2] + s * x[1] + t * x[2]], dtype=object))
        else:
            out.append(c + x)
    return out


class Kinematics:
    """World poses R, x, world velocities w and v of each body's origin, com, and the columns of every dof: (w, v at the child's origin)."""

    def __init__(self, mechanism, q, v):
        self.rates = v
        self.R, self.x, self.w, self.v, self.com, self.columns, self.hinge_axes = [], [], [], [], [], [], []
        for i, b in enumerate(mechanism.bodies):
            p = b['parent']
            Rp, xp, wp, vp = (I3, Z3, Z3, Z3) if p < 0 else (self.R[p], self.x[p], self.w[p], self.v[p])
            R, d, columns = hinge_motion(b, q[i])
            Rh = Rp @ b['rotation']
            R, x = Rh @ R, xp + Rp @ b['position'] + Rh @ d
            w, u = wp, vp + cross(wp, x - xp)
            for (cw, cv), rate in zip(columns, v[mechanism.at(i)]):
                cw, cv = R @ cw, R @ cv
                self.columns.append((cw, cv))
                w, u = w + cw * rate, u + cv * rate
            self.R.append(R), self.x.append(x), self.w.append(w), self.v.append(u), self.com.append(x + R @ b['com'])
            self.hinge_axes.append(None if b['axis'] is None else Rh @ b['axis'])

    # The ground (-1) is a body at rest.
    def axes(self, b):
        return I3 if b < 0 else self.R[b]

    def point(self, b, p):
        return p if b < 0 else self.x[b] + self.R[b] @ p

    def com_of(self, b):
        return Z3 if b < 0 else self.com[b]

    def turning(self, b):
        return Z3 if b < 0 else self.w[b]

    def velocity(self, b, point):
        return Z3 if b < 0 else self.v[b] + cross(self.w[b], point - self.x[b])
