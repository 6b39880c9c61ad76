"""Constraint rows between two bodies i and j, in maximal coordinates.

A row is (value, rate, {body: 6 numbers}, gamma): rate = sum of row . [w; v_com], its derivative = sum of row . [w_dot; a_com] + gamma.
All rows of hinges and loops are made of four primitives. `value` is None where a row restricts velocities only.
"""
from scalars import *


def dead(k, i, Pi, j, Pj):
    """Velocity of j's material point at Pj minus that of i's at Pi, and its derivative but for the accelerations of i and j."""
    wi, wj = k.turning(i), k.turning(j)
    return cross(wj, cross(wj, Pj - k.com_of(j))) - cross(wi, cross(wi, Pi - k.com_of(i)))


def distance(k, i, n, Pi, j, Pj):
    """n . (Pj - Pi), n and Pi fixed in i, Pj fixed in j: a force through Pj."""
    d, wi = Pj - Pi, k.turning(i)
    relative, n_dot = k.velocity(j, Pj) - k.velocity(i, Pi), cross(wi, n)
    gamma = n @ dead(k, i, Pi, j, Pj) + 2 * (n_dot @ relative) + cross(wi, n_dot) @ d
    row = {i: np.concatenate([-cross(Pj - k.com_of(i), n), -n]), j: np.concatenate([cross(Pj - k.com_of(j), n), n])}
    return n @ d, n @ relative + n_dot @ d, row, gamma


def angle(k, i, u, j, v):
    """u . v, u fixed in i, v in j: a moment along u x v."""
    c, wi, wj = cross(u, v), k.turning(i), k.turning(j)
    gamma = (cross(cross(wi, u), v) + cross(u, cross(wj, v))) @ (wi - wj)
    return u @ v, c @ (wi - wj), {i: np.concatenate([c, Z3]), j: np.concatenate([-c, Z3])}, gamma


def spin(k, i, n, j, value=None):
    """n . (wj - wi), n fixed in i: a moment along n."""
    wi = k.turning(i)
    relative = k.turning(j) - wi
    return value, n @ relative, {i: np.concatenate([-n, Z3]), j: np.concatenate([n, Z3])}, cross(wi, n) @ relative


def slip(k, i, n, j, C, C_dot, value=None):
    """n . (velocity of j's material point at C - that of i's), n fixed in i, C a point that moves with C_dot: a force through C."""
    wi, wj = k.turning(i), k.turning(j)
    vi, vj = k.velocity(i, C), k.velocity(j, C)
    gamma = n @ (dead(k, i, C, j, C) + cross(wj, C_dot - vj) - cross(wi, C_dot - vi)) + cross(wi, n) @ (vj - vi)
    row = {i: np.concatenate([-cross(C - k.com_of(i), n), -n]), j: np.concatenate([cross(C - k.com_of(j), n), n])}
    return value, n @ (vj - vi), row, gamma


def relative_rows(k, kind, i, Ri, pi, j, Rj, pj, more):
    """The rows of a loop (or hinge) of this kind; frames a in body i, b in body j."""
    Pi, Pj, a, b = k.point(i, pi), k.point(j, pj), (k.axes(i) @ Ri).T, (k.axes(j) @ Rj).T
    along = lambda axes: [distance(k, i, a[x], Pi, j, Pj) for x in axes]
    same_z = lambda: [angle(k, i, a[0], j, b[2]), angle(k, i, a[1], j, b[2])]
    same_axes = lambda: [angle(k, i, a[0], j, b[1]), angle(k, i, a[1], j, b[2]), angle(k, i, a[2], j, b[0])]
    if kind == 'ball':
        return along([0, 1, 2])
    if kind == 'planar_pin':
        return along([0, 1])
    if kind == 'weld':
        return along([0, 1, 2]) + same_axes()
    if kind == 'revolute':
        return along([0, 1, 2]) + same_z()
    if kind == 'prismatic':
        return along([0, 1]) + same_axes()
    if kind == 'cylindrical':
        return along([0, 1]) + same_z()
    if kind == 'universal':
        return along([0, 1, 2]) + [angle(k, i, a[0], j, b[1])]
    if kind == 'planar':
        return along([2]) + same_z()
    if kind == 'soft_finger':
        return along([0, 1, 2]) + [spin(k, i, a[2], j)]
    if kind == 'rows':
        return chosen_rows(k, i, Pi, a, j, Pj, b, more['rows'])
    if kind in ('rolling_sphere', 'rolling_disc'):
        return rolling_rows(k, kind, i, Pi, a, j, Pj, b, F(more['radius']))
    raise ValueError(kind)


def chosen_rows(k, i, Pi, a, j, Pj, b, names):
    """Moments rx, ry, rz and forces x, y, z through the origin of a, directions fixed in a. Holonomic where the moments leave no or one
    axis to turn about and the forces suit it; the values below are those whose rates these rows are once they vanish."""
    turns = [n for n in names if n[0] == 'r']
    free = [x for x in range(3) if 'r' + 'xyz'[x] not in turns]
    out = []
    for n in names:
        x = 'xyz'.index(n[-1])
        y, z = (x + 1) % 3, (x + 2) % 3
        if n[0] == 'r':
            # b turned by e about axis x: z' = z - e y, y' = y + e z
            value = a[z] @ b[y] if len(free) == 0 else -(a[y] @ b[z]) if free[0] == z else a[z] @ b[y]
            out.append(spin(k, i, a[x], j, value))
        else:
            out.append(slip(k, i, a[x], j, Pi, k.velocity(i, Pi), a[x] @ (Pj - Pi)))
    assert len(turns) >= 2 or sorted(names) == ['x', 'y', 'z'], names
    return out


def rolling_rows(k, kind, i, Pi, a, j, Pj, b, radius):
    """Plane z = 0 of frame a; the contact C moves over both bodies, their material velocities there agree."""
    n, wi, wj = a[2], k.turning(i), k.turning(j)
    n_dot = cross(wi, n)
    if kind == 'rolling_sphere':
        down, down_dot = -n, -n_dot
    else:                                        # lowest point of the rim: the normal's part in the disc's plane, reversed
        s, s_dot = b[2], cross(wj, b[2])
        m = n - s * (n @ s)
        m_dot = n_dot - s * (n_dot @ s + n @ s_dot) - s_dot * (n @ s)
        length = norm(m)
        down, down_dot = -m / length, -(m_dot - m * (m @ m_dot) / (m @ m)) / length
    C, C_dot = Pj + down * radius, k.velocity(j, Pj) + down_dot * radius
    return [slip(k, i, a[0], j, C, C_dot), slip(k, i, a[1], j, C, C_dot), slip(k, i, n, j, C, C_dot, n @ (C - Pi))]


def hinge_rows(mechanism, k):
    out = []
    for j, b in enumerate(mechanism.bodies):
        kind, i, R0, r0 = b['kind'], b['parent'], b['rotation'], b['position']
        if kind == 'free':
            continue
        if kind in ('spherical', 'weld'):
            out += relative_rows(k, 'ball' if kind == 'spherical' else 'weld', i, R0, r0, j, I3, Z3, b)
        elif kind == 'universal':
            out += relative_rows(k, 'universal', i, R0 @ axes_about(b['axis'], 0), r0, j, axes_about(b['axis2'], 1), Z3, b)
        else:
            frame = axes_about(b['axis'])
            out += relative_rows(k, 'cylindrical' if kind == 'helical' else kind, i, R0 @ frame, r0, j, frame, Z3, b)
            if kind == 'helical':                # slide rate = pitch * turn rate
                n = k.hinge_axes[j]
                s, t = distance(k, i, n, k.point(i, r0), j, k.x[j]), spin(k, i, n, j)
                out.append((None, s[1] - b['pitch'] * t[1], {x: s[2][x] - b['pitch'] * t[2][x] for x in s[2]}, s[3] - b['pitch'] * t[3]))
    return out


def coupling_row(mechanism, k, q, loop):
    """sum of polynomials in hinge coordinates = offset: slope * (rate of q) per hinge, and curvature * rate^2 in gamma."""
    value, rate, row, gamma = -loop['offset'], F(0), {}, F(0)
    for j, c in zip(loop['bodies'], loop['polynomials']):
        i, x, n = mechanism.bodies[j]['parent'], q[j][0], k.hinge_axes[j]
        slope = sum((c[p] * (p + 1) * x ** p for p in range(len(c))), F(0))
        curvature = sum((c[p] * (p + 1) * p * x ** (p - 1) for p in range(1, len(c))), F(0))
        if mechanism.bodies[j]['kind'] == 'prismatic':
            one = slip(k, i, n, j, k.x[j], k.v[j])
        else:
            one = spin(k, i, n, j)
        value += sum((c[p] * x ** (p + 1) for p in range(len(c))), F(0))
        rate += slope * one[1]
        gamma += slope * one[3] + curvature * one[1] ** 2
        for body, r in one[2].items():
            if body >= 0:
                row[body] = row.get(body, zeros(6)) + r * slope
    return value, rate, row, gamma


def loop_rows(mechanism, k, q):
    """A list of rows per loop."""
    return [[coupling_row(mechanism, k, q, l)] if l['kind'] == 'coupling' else
            relative_rows(k, l['kind'], l['a'], l['Ra'], l['pa'], l['b'], l['Rb'], l['pb'], l) for l in mechanism.loops]
