"""Golden files: evaluate a mechanism and write it, read one back."""
import json
import time
from pathlib import Path

from linear import *

FOLDER = Path(__file__).resolve().parent


def number(x):
    """What is zero but for the noise of 40 digits is written as zero."""
    return float(x) if abs(x) > 1e-24 else 0.0


def listed(x):
    return [listed(y) for y in x] if np.ndim(x) else number(x)


def model_part(m):
    frame = lambda l: dict(body_a=l['a'], rotation_a=listed(l['Ra']), position_a=listed(l['pa']),
                           body_b=l['b'], rotation_b=listed(l['Rb']), position_b=listed(l['pb']))
    loops = []
    for l in m.loops:
        if l['kind'] != 'coupling':
            loops.append(dict(kind=l['kind'], **frame(l), **{x: l[x] for x in ('radius', 'rows') if x in l}))
        elif l['coefficients']:
            loops.append(dict(kind='coupling', bodies=l['bodies'], coefficients=listed(l['coefficients']), offset=number(l['offset'])))
        else:
            loops.append(dict(kind='coupling', bodies=l['bodies'], polynomials=[listed(p) for p in l['polynomials']], offset=number(l['offset'])))
    hinges = []
    for i, b in enumerate(m.bodies):
        h = dict(index=i, kind=b['kind'], parent=b['parent'], child=i, rotation_in_parent=listed(b['rotation']),
                 position_in_parent=listed(b['position']), axis=None if b['axis'] is None else listed(b['axis']),
                 axis2=None if b['axis2'] is None else listed(b['axis2']))
        if b['pitch'] is not None:
            h['pitch'] = number(b['pitch'])
        hinges.append(dict(h, v_index=list(range(m.offset[i], m.offset[i + 1]))))
    return dict(name=m.name, description=m.description, conventions='see README.md', gravity=listed(m.gravity),
                bodies=[dict(index=i, name=b['name'], mass=number(b['mass']), com=listed(b['com']), inertia_com=listed(b['inertia']))
                        for i, b in enumerate(m.bodies)], hinges=hinges, loops=loops)


def state_part(m, q, v):
    out = []
    for b, c in zip(m.bodies, q):
        if b['kind'] == 'spherical':
            out.append(dict(quat_wxyz=listed(quat_of(c))))
        elif b['kind'] == 'free':
            out.append(dict(quat_wxyz=listed(quat_of(c[0])), position=listed(c[1])))
        else:
            out.append(listed(c))
    return dict(q=out, v=listed(v))


def read(name):
    """The mechanism of a golden file, with its closed state as guess."""
    d = json.loads((FOLDER / (name + '.json')).read_text())
    m = Mechanism(d['name'], d.get('description', ''), d['gravity'])
    for i, (b, h) in enumerate(zip(d['bodies'], d['hinges'])):
        q = d['state']['q'][i]
        if h['kind'] in ('spherical', 'free'):
            R = matrix_of(array(q['quat_wxyz']))
            q = R if h['kind'] == 'spherical' else (R, q['position'])
        m.body(b['name'], h['parent'], h['kind'], b['mass'], b['com'], b['inertia_com'], h['axis'] or (0, 0, 1), h['axis2'],
               orthonormal(array(h['rotation_in_parent'])), h['position_in_parent'], h.get('pitch'), q,
               [d['state']['v'][j] for j in h['v_index']], [d['tau'][j] for j in h['v_index']])
    for l in d['loops']:
        if l['kind'] == 'coupling':
            m.coupling(l['bodies'], l.get('coefficients'), l.get('polynomials'), l['offset'])
        else:
            m.loop(l['kind'], l['body_a'], l['body_b'], l['position_a'], l['position_b'], orthonormal(array(l['rotation_a'])),
                   orthonormal(array(l['rotation_b'])), **{x: l[x] for x in ('radius', 'rows') if x in l})
    m.closes_to = ten_to(-13)
    m.independent_velocity, m.independent_position, m.actuated = d['independent_velocity'], d['independent_position'], d['actuated']
    return m, d


def orthonormal(R):
    """The rotation that a matrix of rounded numbers stands for."""
    return matrix_of(quat_of(R))


def choose_independent(m, q, preferred, holonomic_only=False):
    """Dofs left over when the loops' rows are eliminated on the best pivots, the preferred dofs last."""
    values, J = loop_jacobian(m, q)
    if holonomic_only:
        J = J[[i for i, g in enumerate(values) if g is not None]]
    A, dependent = J.astype(float), []
    scale = np.abs(A).max()
    for candidates in ([j for j in range(m.dofs) if j not in preferred], preferred):
        rest = list(candidates)
        while rest and A.size:
            i, c = np.unravel_index(np.argmax(np.abs(A[:, rest])), (A.shape[0], len(rest)))
            c = rest[c]
            if abs(A[i, c]) < 1e-9 * scale:
                break
            dependent.append(c)
            A = np.delete(A - np.outer(A[:, c] / A[i, c], A[i]), i, 0)
            rest.remove(c)
    return others(m, dependent)


def min_norm_tau(m, answer, vdot_without, desired, actuated):
    """Least 2-norm of actuated tau with vdot_ind(tau) = desired, all other tau 0."""
    iv = m.independent_velocity
    B = answer.dvdot_dtau[iv][:, actuated]
    x = B.T @ Factor(dense(B @ B.T)).solve(desired - vdot_without[iv])
    tau = zeros(m.dofs)
    tau[actuated] = x
    return x, tau


def dense(A):
    return {i: {j: A[i, j] for j in range(A.shape[0])} for i in range(A.shape[0])}


def evaluate(m, inverse_actuated=None, desired=None, brief=False, strict=True):
    """All numbers of the golden file; brief: without the derivatives that are as wide as the mechanism. strict False: of a model read
    from a file, whose rounded numbers close and balance to 15 digits only."""
    start = time.time()
    m.independent_position = m.independent_position or m.independent_velocity
    ip, iv = m.independent_position, m.independent_velocity
    q = close(m, m.guess, ip)
    E = tangent(m, q, iv)
    v = E @ np.array([m.rates[j] for j in iv], dtype=object)
    tau = np.array(m.tau, dtype=object)
    a = dynamics(m, q, v, tau, inputs=True)
    kinetic, potential = energies(m, q, v)
    out = dict(vdot=listed(a.vdot), kinetic_energy=number(kinetic), potential_energy=number(potential))
    test = checks(m, q, v, tau, a.vdot, a.wrench)
    out.update(loop_wrench_on_a=[[number(x) for x in w] for w in a.wrench])
    redundant = bool(a.null)
    unique, i = [], 0
    for w in a.wrench:
        unique.append([all(abs(n[i + c]) < ten_to(-18) * largest(n) for n in a.null) for c in range(len(w))])
        i += len(w)
    model = linear_model(m, q, v, tau)
    coarse = linear_model(m, q, v, tau, STEP * 32, only=0)
    difference = max(largest(coarse[x][:, 0] - model[x][:, 0]) / (1 + largest(model[x][:, 0])) for x in ('dvdot_dq', 'dvdot_dv'))
    out.update(mass_matrix_independent=listed(mass_matrix(m, q, E)), dvdot_dtau=listed(a.dvdot_dtau), loop_wrench_unique=unique,
               maximal_rows=a.rows, maximal_rank=a.rank, dvdot_ind_dq_ind=listed(model['dvdot_dq']),
               dvdot_ind_dv_ind=listed(model['dvdot_dv']), dvdot_ind_dtau=listed(a.dvdot_dtau[iv]))
    trivial = iv == ip and all(m.bodies[b]['kind'] not in ('planar', 'spherical', 'free') for b in range(len(m.bodies))
                               if any(j in ip for j in range(m.offset[b], m.offset[b + 1])))
    if not trivial:
        out.update(qdot_indpos_dq=listed(model['qdot_dq']), qdot_indpos_dv=listed(model['qdot_dv']))
        test.update(displacement_rate=displacement_rate_error(m, q, v, model))
    for x, y in (('dq_ind', model['dwrench_dq']), ('dv_ind', model['dwrench_dv']), ('dtau', a.dwrench_dtau)):
        out['dwrench_' + x] = None if redundant else listed(y)
    actuated = inverse_actuated or m.actuated
    desired = array(desired or [round(1.0 - 0.4 * i, 3) for i in range(len(iv))])
    without = dynamics(m, q, v, zeros(m.dofs))
    x, tau_min = min_norm_tau(m, a, without.vdot, desired, actuated)
    residual = largest(dynamics(m, q, v, tau_min).vdot[iv] - desired)
    out['inverse_dynamics'] = dict(vdot_ind_desired=listed(desired), actuated=actuated, tau_actuated_min_norm=listed(x), all_other_tau=0.0)
    test.update(inverse_dynamics_residual=residual, derivative_step_difference=difference)
    test.update(position_residual=a.position_residual, velocity_residual=a.velocity_residual, acceleration_residual=a.acceleration_residual,
                smallest_kept_pivot=a.factor.smallest, largest_dropped_pivot=a.factor.largest_dropped)
    if brief:
        out.update(dvdot_dtau=None, dwrench_dq_ind=None, dwrench_dv_ind=None, dwrench_dtau=None)
    bad = {x: float(y) for x, y in test.items() if x != 'smallest_kept_pivot' and y > ten_to(-18)}
    assert not (bad and strict), (m.name, bad)
    report = dict({x: '%.2e' % float(y) for x, y in test.items()}, fd_step='1e-12 central, %d digits' % Digits.value)
    golden = dict(model_part(m), state=state_part(m, q, v), tau=listed(tau), independent_velocity=iv, independent_position=ip,
                  actuated=m.actuated, outputs=out, checks=report)
    if strict:
        print('%-32s bodies %3d dofs %3d rows %3d rank %3d ind_v %s ind_q %s act %s  %.1f s\n    %s' % (
            m.name, len(m.bodies), m.dofs, a.rows, a.rank, iv if len(iv) < 20 else len(iv), 'same' if ip == iv else ip,
            m.actuated if len(m.actuated) < 20 else len(m.actuated), time.time() - start, report), flush=True)
    return golden


def text(x, indent=1):
    """JSON with one row of numbers per line."""
    if isinstance(x, dict) and x and indent < 5:
        items = [json.dumps(k) + ': ' + text(y, indent + 1) for k, y in x.items()]
    elif isinstance(x, (list, tuple)) and any(isinstance(y, (list, dict)) for y in x):
        items = [text(y, indent + 1) for y in x]
    else:
        return json.dumps(x)
    pad = ',\n' + ' ' * indent
    ends = '{}' if isinstance(x, dict) else '[]'
    return ends[0] + pad[1:] + pad.join(items) + '\n' + ' ' * (indent - 1) + ends[1]


def write(golden):
    (FOLDER / (golden['name'] + '.json')).write_text(text(golden) + '\n')


def reread_error(name):
    """Evaluates the file as its reader sees it, all numbers rounded to double, and compares: the worst difference of any output, relative
    to the largest entry of that output. It says how well the file determines its own answers."""
    m, d = read(name)
    worst, inverse = ('', 0.0), d['outputs']['inverse_dynamics']
    again = evaluate(m, inverse['actuated'], inverse['vdot_ind_desired'], strict=False)['outputs']
    unique = np.concatenate(d['outputs']['loop_wrench_unique'])
    for key, x in d['outputs'].items():
        y = again[key]
        if key == 'inverse_dynamics':
            x, y = x['tau_actuated_min_norm'], y['tau_actuated_min_norm']
        if key == 'loop_wrench_on_a':                   # relative to all of it, also where not unique
            x = np.concatenate(x)
            y = np.where(unique, np.concatenate(y), x)
        if x is not None and key != 'loop_wrench_unique' and np.size(x):
            x, y = np.array(x, dtype=float), np.array(y, dtype=float)
            error = np.abs(x - y).max() / max(np.abs(x).max(), 1e-300)
            worst = max(worst, (key, error), key=lambda e: e[1])
    return '%.0e (%s)' % (worst[1], worst[0])
