"""Motions under constant tau: extrapolated midpoint rule (Gragg, Bulirsch, Stoer) on all hinge coordinates, 30 digits, no projection: that
the loops stay closed at the end is a check."""
from goldenfile import *

COLUMNS = 7                                              # substeps 2, 4, ... 14: order 14


def coordinates(m, q):
    """One vector: quaternions for attitudes."""
    parts = []
    for b, c in zip(m.bodies, q):
        parts.append(quat_of(c) if b['kind'] == 'spherical' else np.concatenate([quat_of(c[0]), c[1]]) if b['kind'] == 'free' else c)
    return np.concatenate(parts)


def configuration(m, y):
    q, i = [], 0
    for b in m.bodies:
        n = {'spherical': 4, 'free': 7}.get(b['kind'], DOFS[b['kind']])
        x = y[i:i + n]
        q.append(matrix_of(x) if n == 4 else (matrix_of(x[:4]), x[4:]) if n == 7 else x)
        i += n
    return q


def coordinate_rates(m, y, q, v):
    out, i = [], 0
    for b, c, k in zip(m.bodies, q, range(len(m.bodies))):
        u = v[m.at(k)]
        if b['kind'] in ('spherical', 'free'):
            w, x = y[i], y[i + 1:i + 4]
            out.append(np.concatenate([[-(x @ u[:3]) / 2], (w * u[:3] + cross(x, u[:3])) / 2]))
            i += 4
            if b['kind'] == 'free':
                out.append(c[0] @ u[3:])
                i += 3
        else:
            assert b['kind'] != 'planar'
            out.append(u)
            i += len(u)
    return np.concatenate(out)


def motion(m, q, v, tau, sample, samples, steps):
    """Samples of (t, q, v) and the largest difference of the last two extrapolations."""
    n = len(coordinates(m, q))

    def rhs(y):
        c = configuration(m, y[:n])
        return np.concatenate([coordinate_rates(m, y[:n], c, y[n:]), dynamics(m, c, y[n:], tau).vdot])

    y, out, worst, h = np.concatenate([coordinates(m, q), v]), [(F(0), q, v)], F(0), sample / steps
    for i in range(samples):
        for _ in range(steps):
            slope, table = rhs(y), []
            for c in range(COLUMNS):
                count = 2 * (c + 1)
                s, a, b = h / count, y, y + slope * (h / count)
                for _ in range(count - 1):
                    a, b = b, a + rhs(b) * (2 * s)
                row = [(a + b + rhs(b) * s) / 2]
                for k in range(c):
                    row.append(row[k] + (row[k] - table[-1][k]) / ((F(count) / (2 * (c - k))) ** 2 - 1))
                table.append(row)
            worst = max(worst, largest(table[-1][-1] - table[-1][-2]))
            y = table[-1][-1]
        out.append((sample * (i + 1), configuration(m, y[:n]), y[n:]))
    return out, worst


def holding_tau(m, q):
    """The least actuated tau that would keep the mechanism from accelerating at rest here, rounded."""
    rest = zeros(m.dofs)
    a = dynamics(m, q, rest, rest, inputs=True)
    return array([round(float(x), 2) for x in min_norm_tau(m, a, a.vdot, zeros(len(m.independent_velocity)), m.actuated)[1]])


def write_motion(m, sample, steps, samples=10):
    q = close(m, m.guess, m.independent_position or m.independent_velocity)
    iv = m.independent_velocity
    v = tangent(m, q, iv) @ np.array([m.rates[j] for j in iv], dtype=object)
    tau = holding_tau(m, q)
    set_digits(30)
    path, error = motion(m, q, v, tau, F(str(sample)), samples, steps)
    at = {m.offset[i]: i for i in range(len(m.bodies)) if DOFS[m.bodies[i]['kind']] == 1}
    assert all(j in at for j in iv)
    last = path[-1]
    end = dynamics(m, last[1], last[2], tau)
    energy = [sum(energies(m, p[1], p[2])) for p in (path[0], last)]
    work = sum((tau[j] * (last[1][at[j]][0] - path[0][1][at[j]][0]) for j in range(m.dofs) if tau[j]), F(0))
    golden = dict(name=m.name, model=m.name + '.json', tau=listed(tau), independent=iv,
                  samples=[dict(t=round(float(t), 9), q_ind=[number(c[at[j]][0]) for j in iv], v_ind=[number(u[j]) for j in iv]) for t, c, u in path],
                  local_error_estimate='%.2e' % float(error), energy_start=number(energy[0]), energy_end=number(energy[1]),
                  final_q_spanning_1dof={b['name']: listed(c) for b, c in zip(m.bodies, last[1]) if DOFS[b['kind']] == 1}, final_v=listed(last[2]),
                  checks=dict(closure_at_end='%.1e' % float(max(end.position_residual, end.velocity_residual)),
                              energy_minus_work='%.1e' % float(abs(energy[1] - energy[0] - work))))
    (FOLDER / ('traj_%s.json' % m.name)).write_text(text(golden) + '\n')
    print('traj_' + m.name, golden['local_error_estimate'], golden['checks'], 'v_end', np.round(listed(last[2]), 2).tolist(), flush=True)
    set_digits(40)
