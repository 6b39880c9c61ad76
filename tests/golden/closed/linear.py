"""Linear models by central differences of step 1e-12 on the closed mechanism, and checks that know nothing of the maximal solve."""
from solve import *

STEP = ten_to(-12)


def commutators(mechanism, v):
    """Cb, block diagonal: d/dt of a displacement dq is dv - Cb dq. Blocks w x (spherical), [w~ 0; u~ w~] (free), in-plane (planar)."""
    C = zeros(mechanism.dofs, mechanism.dofs)
    for i, b in enumerate(mechanism.bodies):
        s, x = mechanism.at(i), v[mechanism.at(i)]
        o = s.start
        if b['kind'] == 'spherical':
            C[s, s] = tilde(x)
        elif b['kind'] == 'free':
            C[o:o + 3, o:o + 3], C[o + 3:o + 6, o + 3:o + 6], C[o + 3:o + 6, o:o + 3] = tilde(x[:3]), tilde(x[:3]), tilde(x[3:])
        elif b['kind'] == 'planar':                     # [w, u] x [a, d] = [0; w z x d - a z x u]
            C[o + 1, o + 2], C[o + 2, o + 1], C[o + 1, o], C[o + 2, o] = -x[0], x[0], x[2], -x[1]
    return C


def state_at(mechanism, q, d, v_independent):
    """The closed state displaced by d (which satisfies the loops to first order) at these independent velocities."""
    q = close(mechanism, retract(mechanism, q, d), mechanism.independent_position)
    return q, tangent(mechanism, q, mechanism.independent_velocity) @ v_independent


def linear_model(mechanism, q, v, tau, step=STEP, only=None):
    """Derivatives by independent positions and velocities: dict of columns lists of (v_dot independent, wrenches, v of indpos)."""
    ip, iv = mechanism.independent_position, mechanism.independent_velocity
    E = tangent(mechanism, q, ip, holonomic_only=True)
    v_ind, still = v[iv], zeros(mechanism.dofs)

    def column(d, dv):
        ends = []
        for s in (1, -1):
            q1, v1 = state_at(mechanism, q, d * (s * step), v_ind + dv * (s * step))
            a = dynamics(mechanism, q1, v1, tau)
            ends.append((a.vdot[iv], np.concatenate(a.wrench), v1[ip]))
        return [(x - y) / (2 * step) for x, y in zip(*ends)]

    by_q = [column(E[:, c], zeros(len(iv))) for c in range(len(ip)) if only is None or c == only]
    by_v = []
    for c in range(len(iv)):
        if only is None or c == only:
            dv = zeros(len(iv))
            dv[c] = F(1)
            by_v.append(column(still, dv))
    stack = lambda columns, n: np.array([c[n] for c in columns], dtype=object).T
    rate_dq = stack(by_q, 2)
    if only is None:
        rate_dq = rate_dq - (commutators(mechanism, v) @ E)[ip]
    return dict(dvdot_dq=stack(by_q, 0), dvdot_dv=stack(by_v, 0), dwrench_dq=stack(by_q, 1), dwrench_dv=stack(by_v, 1),
                qdot_dq=rate_dq, qdot_dv=stack(by_v, 2))


def difference(mechanism, q0, q1):
    """d with retract(q0, d) = q1, for close q0 and q1 (exact to second order)."""
    out = []
    vee = lambda R: np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]], dtype=object) / 2
    for b, x, y in zip(mechanism.bodies, q0, q1):
        if b['kind'] == 'spherical':
            out.append(vee(x.T @ y))
        elif b['kind'] == 'free':
            out += [vee(x[0].T @ y[0]), x[0].T @ (y[1] - x[1])]
        elif b['kind'] == 'planar':
            s, c, d = sin(x[0]), cos(x[0]), y - x
            out.append(np.array([d[0], c * d[1] + s * d[2], c * d[2] - s * d[1]], dtype=object))
        else:
            out.append(y - x)
    return np.concatenate(out)


def displacement_rate_error(mechanism, q, v, model, small=ten_to(-10)):
    """qdot_indpos_dq by moving neighbouring states for a short time and comparing displacements."""
    ip, iv = mechanism.independent_position, mechanism.independent_velocity
    E, worst = tangent(mechanism, q, ip, holonomic_only=True), F(0)
    for c in range(len(ip)):
        rate = zeros(len(ip))
        for s in (1, -1):
            q1, v1 = state_at(mechanism, q, E[:, c] * (s * small), v[iv])
            for t in (1, -1):
                d = difference(mechanism, retract(mechanism, q, v * (t * small)), retract(mechanism, q1, v1 * (t * small)))
                rate = rate + d[ip] * (s * t / (4 * small * small))
        worst = max(worst, largest(rate - model['qdot_dq'][:, c]))
    return worst


def body_inertia(mechanism, k, b):
    R = k.R[b]
    return R @ mechanism.bodies[b]['inertia'] @ R.T


def energies(mechanism, q, v):
    k, kinetic, potential = Kinematics(mechanism, q, v), F(0), F(0)
    for b, body in enumerate(mechanism.bodies):
        u = k.velocity(b, k.com[b])
        kinetic += (k.w[b] @ (body_inertia(mechanism, k, b) @ k.w[b]) + body['mass'] * (u @ u)) / 2
        potential -= body['mass'] * (mechanism.gravity @ k.com[b])
    return kinetic, potential


def com_columns(mechanism, k, b):
    """{dof: (w, v_com)} of the hinges that carry body b."""
    out, j = {}, b
    while j >= 0:
        for c in range(mechanism.offset[j], mechanism.offset[j + 1]):
            w, u = k.columns[c]
            out[c] = (w, u + cross(w, k.com[b] - k.x[j]))
        j = mechanism.bodies[j]['parent']
    return out


def mass_matrix(mechanism, q, E):
    """E' M E from the bodies' kinetic energies."""
    k, out = Kinematics(mechanism, q, zeros(mechanism.dofs)), zeros(E.shape[1], E.shape[1])
    for b, body in enumerate(mechanism.bodies):
        V = zeros(6, E.shape[1])
        for c, col in com_columns(mechanism, k, b).items():
            V = V + np.outer(np.concatenate(col), E[c])
        out = out + V[:3].T @ (body_inertia(mechanism, k, b) @ V[:3]) + body['mass'] * (V[3:].T @ V[3:])
    return out


def checks(mechanism, q, v, tau, vdot, wrench, step=STEP):
    """Independent of rows, multipliers and hinge accelerations: the motion q(t), v(t) with this v_dot is followed for +-step.
    power: dE/dt = tau . v. closure: values and rates of loop rows stay zero. jourdain: for every hinge direction of the opened tree, the bodies'
    inertia forces (velocities differenced) balance weight, tau and the reported loop wrenches."""
    ends = []
    for s in (step, -step):
        q1, v1 = retract(mechanism, q, v * s + vdot * (s * s / 2)), v + vdot * s
        ends.append((q1, v1, Kinematics(mechanism, q1, v1), sum(energies(mechanism, q1, v1))))
    d = lambda x, y: (x - y) / (2 * step)
    power = abs(d(ends[0][3], ends[1][3]) - tau @ v)
    rates = [[r[1] for r in flat(loop_rows(mechanism, e[2], e[0]))] for e in ends]
    values = [[r[0] for r in flat(loop_rows(mechanism, e[2], e[0]))] for e in ends]
    closure = largest([d(x, y) for x, y in zip(*rates)] + [d(x, y) for x, y in zip(*values) if x is not None])
    k, balance, scale = Kinematics(mechanism, q, v), -tau, largest(tau)

    def add(body, P, moment, force):
        """-[moment; force at P] on a body, projected on the hinges."""
        nonlocal scale
        for c, (w, u) in com_columns(mechanism, k, body).items():
            p = w @ (moment + cross(P - k.com[body], force)) + u @ force
            balance[c] -= p
            scale = max(scale, abs(p))

    for b, body in enumerate(mechanism.bodies):
        at = [e[2] for e in ends]
        spin_momentum = [body_inertia(mechanism, x, b) @ x.w[b] for x in at]
        speed = [x.velocity(b, x.com[b]) for x in at]
        add(b, k.com[b], -d(*spin_momentum), body['mass'] * (mechanism.gravity - d(*speed)))
    for loop, w in zip(mechanism.loops, wrench):
        if loop['kind'] == 'coupling':
            for j, c in zip(loop['bodies'], loop['polynomials']):
                balance[mechanism.offset[j]] -= w[0] * sum((c[p] * (p + 1) * q[j][0] ** p for p in range(len(c))), F(0))
            continue
        R, P = k.axes(loop['a']) @ loop['Ra'], k.point(loop['a'], loop['pa'])
        for body, s in ((loop['a'], 1), (loop['b'], -1)):
            if body >= 0:
                add(body, P, s * (R @ w[:3]), s * (R @ w[3:]))
    return dict(power_balance=power, loop_drift=closure, virtual_power=largest(balance) / scale)
