"""Constrained dynamics in maximal coordinates: six accelerations per body, hinges and loops are rows J.

    M a = f + J' lambda,  J a = -gamma   =>   (J M^-1 J') lambda = -gamma - J M^-1 f

by a sparse L D L' without pivoting: in 40 digits a row that depends on those before it shows as a pivot that is zero to 30 digits; it is
dropped, its multiplier set to 0, and kept as a null vector, from which follows which loop forces are unique.
"""
from mechanism import *
from rows import *


class Factor:
    """L D L' of a sparse symmetric positive semidefinite matrix given as {row: {column: value}}, least neighbours first."""

    def __init__(self, S, tolerance=None):
        tolerance = tolerance or ten_to(-(Digits.value * 9) // 20)
        self.n, work, first = len(S), {i: dict(r) for i, r in S.items()}, {i: S[i][i] for i in S}
        self.S, self.order, self.dropped, self.L, self.D, self.smallest, self.largest_dropped = S, [], [], {}, {}, F(1), F(0)
        while work:
            c = min(work, key=lambda i: (len(work[i]), i))
            row = work.pop(c)
            pivot = row.pop(c)
            for i in row:
                del work[i][c]
            ratio = pivot / first[c] if first[c] else F(0)
            if ratio <= tolerance:
                self.dropped.append(c)
                self.largest_dropped = max(self.largest_dropped, abs(ratio))
                continue
            self.smallest = min(self.smallest, ratio)
            self.order.append(c)
            self.D[c], self.L[c] = pivot, {i: x / pivot for i, x in row.items()}
            items = list(row.items())
            for i, l in self.L[c].items():
                target = work[i]
                for j, x in items:
                    target[j] = target.get(j, 0) - l * x
        self.rank = len(self.order)

    def solve(self, rhs):
        """rhs: n numbers or n x m. Components of dropped rows are 0."""
        b = [x.copy() if isinstance(x, np.ndarray) else x for x in rhs]
        for c in self.order:
            for i, l in self.L[c].items():
                b[i] = b[i] - l * b[c]
        self.inconsistency = max((largest(np.ravel(b[d])) for d in self.dropped), default=F(0))
        for d in self.dropped:
            b[d] = b[d] * 0
        for c in reversed(self.order):
            b[c] = b[c] / self.D[c]
            for i, l in self.L[c].items():
                b[c] = b[c] - l * b[i]
        return np.array(b, dtype=object)

    def null_vectors(self):
        out = []
        for d in self.dropped:
            x = -self.solve(np.array([self.S[i].get(d, F(0)) if i != d and i not in self.dropped else F(0) for i in range(self.n)], dtype=object))
            x[d] = F(1)
            out.append(x)
        return out


def flat(rows_of_loops):
    return [r for l in rows_of_loops for r in l]


class Answer:
    pass


def hinge_wrenches(mechanism, k, tau):
    """[moment about com; force] per body, world axes, of generalized forces tau: the shortest wrench at the child's origin whose
    components along the hinge's columns are tau, and its opposite on the parent. Any other choice differs by a hinge reaction."""
    out = [zeros(6) for _ in mechanism.bodies]
    for j, b in enumerate(mechanism.bodies):
        t, columns = tau[mechanism.at(j)], k.columns[mechanism.at(j)]
        if not largest(t):
            continue
        H = np.array([np.concatenate(c) for c in columns], dtype=object)
        W = Factor({i: {m: H[i] @ H[m] for m in range(len(t)) if i == m or H[i] @ H[m]} for i in range(len(t))}).solve(t) @ H
        for body, sign in ((j, 1), (b['parent'], -1)):
            if body >= 0:
                out[body] = out[body] + sign * np.concatenate([W[:3] + cross(k.x[j] - k.com[body], W[3:]), W[3:]])
    return out


def hinge_accelerations(mechanism, k, a, moving):
    """v_dot of every hinge from the bodies' [w_dot; a_com]; moving False: their linear part only."""
    s, out = F(1 if moving else 0), zeros(mechanism.dofs)
    origin = []
    for j in range(len(mechanism.bodies)):
        r = k.x[j] - k.com[j]
        origin.append(a[j][3:] + cross(a[j][:3], r) + s * cross(k.w[j], cross(k.w[j], r)))
    for j, b in enumerate(mechanism.bodies):
        i = b['parent']
        wi, n = k.turning(i), DOFS[b['kind']]
        if n == 0:
            continue
        w, v = k.w[j] - wi, k.v[j] - k.velocity(i, k.x[j])                    # relative to the parent
        turn_acc, acc = a[j][:3] - s * cross(wi, w), origin[j] - 2 * s * cross(wi, v)
        if i >= 0:
            r = k.x[j] - k.x[i]
            turn_acc, acc = turn_acc - a[i][:3], acc - origin[i] - cross(a[i][:3], r) - s * cross(wi, cross(wi, r))
        columns = k.columns[mechanism.at(j)]
        if b['kind'] == 'universal':                                          # the first axis is fixed in the parent, not the child
            (a1, _), (a2, _) = columns
            rate1, rate2 = k.rates[mechanism.at(j)]
            turn_acc = turn_acc - s * rate1 * rate2 * cross(a1, a2)
        else:                                                                 # columns fixed in the child: d/dt (R H v) = R H v_dot + w x (R H v)
            acc = acc - s * cross(w, v)
        H = np.array([np.concatenate(c) for c in columns], dtype=object)
        G = {x: {y: H[x] @ H[y] for y in range(n) if x == y or H[x] @ H[y]} for x in range(n)}
        out[mechanism.at(j)] = Factor(G).solve(H @ np.concatenate([turn_acc, acc]))
    return out


def dynamics(mechanism, q, v, tau, inputs=False):
    """v_dot, loop wrenches, rank; with `inputs` also the derivatives of both by every component of tau."""
    bodies = mechanism.bodies
    k, out = Kinematics(mechanism, q, v), Answer()
    hinges, loops = hinge_rows(mechanism, k), loop_rows(mechanism, k, q)
    rows = hinges + flat(loops)
    m = len(rows)

    inverse_inertia = [k.R[b] @ body['inverse_inertia'] @ k.R[b].T for b, body in enumerate(bodies)]
    over_mass = lambda b, f: np.concatenate([inverse_inertia[b] @ f[:3], f[3:] / bodies[b]['mass']])
    force = hinge_wrenches(mechanism, k, tau)
    for b, body in enumerate(bodies):
        momentum = k.R[b] @ (body['inertia'] @ (k.R[b].T @ k.w[b]))
        force[b] = force[b] + np.concatenate([-cross(k.w[b], momentum), body['mass'] * mechanism.gravity])
    free = [over_mass(b, force[b]) for b in range(len(bodies))]

    MJ = [{b: over_mass(b, r) for b, r in row[2].items() if b >= 0} for row in rows]
    touching = [[] for _ in bodies]
    for i, row in enumerate(MJ):
        for b in row:
            touching[b].append(i)
    S = {i: {} for i in range(m)}
    for b, indices in enumerate(touching):
        for x, i in enumerate(indices):
            for j in indices[x:]:
                s = MJ[i][b] @ rows[j][2][b]
                if s or i == j:
                    S[i][j] = S[i].get(j, 0) + s
                    if i != j:
                        S[j][i] = S[i][j]
    applied = lambda row, a: sum((r @ a[b] for b, r in row[2].items() if b >= 0), F(0))
    rhs = np.array([-row[3] - applied(row, free) for row in rows], dtype=object)
    unit_acc = []
    if inputs:
        columns = [rhs]
        for j in range(mechanism.dofs):
            e = zeros(mechanism.dofs)
            e[j] = F(1)
            unit_acc.append([over_mass(b, f) for b, f in enumerate(hinge_wrenches(mechanism, k, e))])
            columns.append(np.array([-applied(row, unit_acc[-1]) for row in rows], dtype=object))
        rhs = np.array(columns, dtype=object).T
    factor = Factor(S)
    multipliers = factor.solve(rhs)
    consistency = factor.inconsistency / (1 + largest(np.ravel(rhs)))
    lam = multipliers[:, 0] if inputs else multipliers

    def accelerations(a, lam):
        a = [x.copy() for x in a]
        for i, row in enumerate(MJ):
            if lam[i]:
                for b, r in row.items():
                    a[b] = a[b] + r * lam[i]
        return a

    def wrenches(lam):
        """Per loop: on body a about the origin of frame a in its axes (from the opposite on b); couplings: the multiplier."""
        out, i = [], len(hinges)
        for loop, its in zip(mechanism.loops, loops):
            if loop['kind'] == 'coupling':
                out.append(np.array([lam[i]], dtype=object))
            else:
                P, R, w = k.point(loop['a'], loop['pa']), k.axes(loop['a']) @ loop['Ra'], zeros(6)
                for n, row in enumerate(its):
                    r = row[2][loop['b']] * lam[i + n]
                    w = w - np.concatenate([r[:3] + cross(k.com_of(loop['b']) - P, r[3:]), r[3:]])
                out.append(np.concatenate([R.T @ w[:3], R.T @ w[3:]]))
            i += len(its)
        return out

    a = accelerations(free, lam)
    out.kinematics, out.rows, out.rank, out.factor = k, m, factor.rank, factor
    out.vdot, out.wrench = hinge_accelerations(mechanism, k, a, True), wrenches(lam)
    out.position_residual = largest(row[0] for row in rows if row[0] is not None)
    out.velocity_residual = largest(row[1] for row in rows)
    out.acceleration_residual = max(largest(applied(row, a) + row[3] for row in rows), consistency)
    if inputs:
        out.null = [np.concatenate(wrenches(x)) for x in factor.null_vectors()]
        out.dvdot_dtau = np.array([hinge_accelerations(mechanism, k, accelerations(unit_acc[j], multipliers[:, 1 + j]), False)
                                   for j in range(mechanism.dofs)], dtype=object).T
        out.dwrench_dtau = np.array([np.concatenate(wrenches(multipliers[:, 1 + j])) for j in range(mechanism.dofs)], dtype=object).T
    return out


def loop_jacobian(mechanism, q):
    """Values of the loops' rows (None: velocities only) and the Jacobian of their rates by v."""
    v = zeros(mechanism.dofs)
    k = Kinematics(mechanism, q, v)
    rows = flat(loop_rows(mechanism, k, q))
    J, tiny = zeros(len(rows), mechanism.dofs), ten_to(-Digits.value + 6)
    for i, row in enumerate(rows):
        for b, r in row[2].items():
            j = b
            while j >= 0:
                for c in range(mechanism.offset[j], mechanism.offset[j + 1]):
                    w, u = k.columns[c]
                    J[i, c] += r[:3] @ w + r[3:] @ (u + cross(w, k.com[b] - k.x[j]))
                j = mechanism.bodies[j]['parent']
        for c in range(mechanism.dofs):
            if abs(J[i, c]) < tiny:
                J[i, c] = F(0)
    return [row[0] for row in rows], J


def least_squares(A, b):
    """A x = b with A of full column rank, b in its range."""
    n = A.shape[1]
    used = [[i for i in range(A.shape[0]) if A[i, c]] for c in range(n)]
    S = {c: {} for c in range(n)}
    by_row = {}
    for c in range(n):
        for i in used[c]:
            by_row.setdefault(i, []).append(c)
    for i, columns in by_row.items():
        for c in columns:
            for d in columns:
                S[c][d] = S[c].get(d, 0) + A[i, c] * A[i, d]
    factor = Factor({c: S[c] or {c: F(0)} for c in range(n)})
    assert factor.rank == n, ('dependent coordinates are not determined', factor.rank, n)
    return factor.solve(A.T @ b)


def others(mechanism, independent):
    return [j for j in range(mechanism.dofs) if j not in independent]


def close(mechanism, q, independent, steps=20):
    """Newton on the dependent coordinates until the loops' values vanish."""
    dependent = others(mechanism, independent)
    for _ in range(steps):
        values, J = loop_jacobian(mechanism, q)
        holonomic = [i for i, g in enumerate(values) if g is not None]
        g = np.array([values[i] for i in holonomic], dtype=object)
        error = largest(g)
        if error < ten_to(-Digits.value + 4) or not dependent:
            break
        d = zeros(mechanism.dofs)
        d[dependent] = -least_squares(J[holonomic][:, dependent], g)
        q = retract(mechanism, q, d)
    assert error < mechanism.closes_to, (mechanism.name, 'does not close', float(error))
    return q


def tangent(mechanism, q, independent, holonomic_only=False):
    """E: dofs x independent with J E = 0 and the unit matrix at the independent rows."""
    values, J = loop_jacobian(mechanism, q)
    if holonomic_only:
        J = J[[i for i, g in enumerate(values) if g is not None]]
    dependent, E = others(mechanism, independent), zeros(mechanism.dofs, len(independent))
    for c, j in enumerate(independent):
        E[j, c] = F(1)
    if dependent:
        E[dependent] = -least_squares(J[:, dependent], J[:, independent])
    residual = largest(np.ravel(J @ E)) if J.size else F(0)
    assert residual < mechanism.closes_to * 10000, (mechanism.name, float(residual))
    return E
