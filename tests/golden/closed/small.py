"""Small mechanisms: one for every kind of loop, one for every kind of hinge inside a loop, couplings, rolling."""

import zlib

from goldenfile import *

random = None


def start(name, description, *gravity):
    """A mechanism whose numbers at random depend on its name only."""
    global random
    random = np.random.default_rng(zlib.crc32(name.encode()))
    return Mechanism(name, description, *gravity)


def numbers(scale, n=3, digits=3):
    return [round(float(x), digits) for x in random.uniform(-scale, scale, n)]


def tilted_inertia(mass, sides, turned):
    """Of a solid box with these sides about its centre, its axes turned by a rotation vector; rounded, symmetric."""
    a, b, c = sides
    R = np.array(tilt(*turned), dtype=float)
    J = R @ np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) @ R.T * mass / 12
    J = np.round((J + J.T) / 2, 10)
    return J.tolist()


def some_body(mass, size):
    """mass, com, inertia of a body of this length along its x axis, centre of mass aside."""
    com = [round(size * x, 4) for x in (0.45 + 0.1 * random.uniform(), *random.uniform(-0.08, 0.08, 2))]
    sides = [size, size * random.uniform(0.15, 0.3), size * random.uniform(0.1, 0.25)]
    return mass, com, tilted_inertia(mass, sides, numbers(0.4))


def arm(m, name, parent, kinds, reach=0.4, at=(0, 0, 0), mass=1.4, rotation=None):
    """Bodies in a row, hinges turned at random, the first at a place on the parent. Returns the last."""
    for i, kind in enumerate(kinds):
        position = at if i == 0 else [reach, round(0.05 * (-1) ** i, 3), 0.03]
        extra = dict(pitch=0.07) if kind == 'helical' else dict(axis=(1, 0, 0), axis2=(0, 1, 0)) if kind == 'universal' else {}
        n = DOFS[kind]
        if kind == 'spherical':
            q = tilt(*numbers(0.5))
        elif kind == 'free':
            q = (tilt(*numbers(0.5)), numbers(0.3))
        else:
            q = numbers(0.7, n) if kind in ('revolute', 'universal') else numbers(0.2, n)
        turned = numbers(1.3) if (i or rotation is None) else rotation
        parent = m.body(
            '%s%d' % (name, i + 1),
            parent,
            kind,
            *some_body(round(mass * 0.85**i, 3), reach),
            rotation=tilt(*turned),
            position=position,
            q=q,
            v=numbers(1.2, n),
            tau=numbers(2.0, n),
            **extra
        )
    return parent


def two_branches(name, description, left, right, kind, preferred, shifts=(0, 0, 0), turned=I3, **more):
    """A base body on a revolute; two arms on it, joined at their ends by a loop of this kind."""
    m = start(name, description, (0.4, -1.1, -9.7))
    base = m.body(
        'base',
        -1,
        'revolute',
        *some_body(3.0, 0.5),
        axis=(0.2, 0.3, 0.9),
        rotation=tilt(0.3, -0.2, 0.5),
        position=(0.1, 0.2, 0.4),
        q=0.4,
        v=0.8,
        tau=1.7
    )
    a = arm(m, 'left', base, left, at=(0.3, 0.2, 0.1))
    b = arm(m, 'right', base, right, at=(0.25, -0.25, 0.05))
    m.loop_here(kind, a, b, [0.35, 0.04, -0.03], tilt(0.5, -0.3, 0.8), turned, shifts, **more)
    holonomic = kind != 'soft_finger'
    names = [b['name'] for b in m.bodies]
    wanted = m.dofs_of(*(n for n in preferred if n in names))
    m.independent_velocity = choose_independent(m, m.guess, wanted)
    m.independent_position = (
        m.independent_velocity if holonomic else choose_independent(m, m.guess, wanted + m.dofs_of('left1', 'left2'), True)
    )
    if not holonomic:
        m.independent_position = sorted(set(m.independent_position) | set(m.independent_velocity))
    m.actuated = m.independent_velocity[:]
    spare = [j for j in range(m.dofs) if j not in m.actuated]
    m.actuated = sorted(m.actuated + spare[-1:])
    return m


R4, ALL = ['revolute'] * 4, ['base', 'left1', 'left2', 'left3', 'left4', 'right1', 'right2', 'right3', 'right4']


def loop_kinds():
    """Frames not coinciding where the kind leaves a freedom: turned about and shifted along it."""
    about_z, about_x = rot(array([0, 0, 1]), F(0.7)), rot(array([1, 0, 0]), F(0.6))
    of = lambda kind, what, **k: two_branches(
        'loop_' + kind,
        'A base on a revolute carries two arms of four revolutes; their ends are joined by ' + what,
        R4,
        R4,
        kind.split('-')[0],
        ALL,
        **k
    )
    yield of('ball', 'a ball: origins coincide (3 rows).', turned=tilt(0.4, -0.7, 0.2))
    yield of('weld', 'a weld (6 rows).')
    yield of('revolute', 'a revolute: origins and z axes coincide (5 rows).', turned=about_z)
    yield of('prismatic', 'a prismatic: axes coincide, origin of b on the z axis of a (5 rows).', shifts=(0, 0, 0.13))
    yield of('cylindrical', 'a cylindrical: z axes coincide as lines (4 rows).', turned=about_z, shifts=(0, 0, -0.11))
    yield of(
        'universal',
        'a universal: origins coincide, x of a perpendicular to y of b (4 rows).',
        turned=rot(array([0, 1, 0]), F(0.5)) @ about_x,
    )
    yield of(
        'planar_pin',
        'a planar pin in general position: origin of b on the z axis line of a (2 rows, force through the origin of b).',
        turned=tilt(0.4, -0.7, 0.2),
        shifts=(0, 0, 0.17),
    )
    rows = lambda name, what, r, **k: two_branches(
        'loop_rows_' + name,
        'A base on a revolute carries two arms of four revolutes; their ends are joined by ' + what,
        R4,
        R4,
        'rows',
        ALL,
        rows=r,
        **k
    )
    yield rows('slide2', 'rows rx ry rz y: no turning, no motion along y of a.', ['rx', 'ry', 'rz', 'y'], shifts=(0.05, 0, 0.09))
    yield rows('planar', 'rows rx ry z: a planar joint with normal z of a.', ['rx', 'ry', 'z'], turned=about_z, shifts=(0.06, -0.04, 0))
    yield rows(
        'planar_y',
        'rows y rz rx: a planar joint with normal y of a.',
        ['y', 'rz', 'rx'],
        turned=rot(array([0, 1, 0]), F(-0.5)),
        shifts=(0.06, 0, 0.08),
    )
    yield rows('attitude', 'rows rx ry rz: no relative turning.', ['rx', 'ry', 'rz'], shifts=(0.06, -0.04, 0.1))
    yield of(
        'soft_finger',
        'a soft finger: origins coincide, and no relative spin about z of a (nonholonomic, 4 rows).',
        turned=tilt(0.4, -0.7, 0.2),
    )


def hinge_kinds():
    """A hinge of each kind inside a loop, on one arm only, then two of them at once; the loop ends on the ground once as a, once as b."""
    for kind in ('helical', 'cylindrical', 'universal', 'planar', 'spherical', 'prismatic'):
        left = ['revolute', kind, 'revolute'] + (['revolute'] if DOFS[kind] < 2 else [])
        yield two_branches(
            'hinge_%s_in_ball_loop' % kind,
            'A %s hinge of the tree inside a loop that a ball closes; its dofs are dependent as far ' 'as the rows allow.' % kind,
            left,
            R4,
            'ball',
            [n for n in ALL if n != 'left2'],
        )
    for kind in ('planar', 'spherical', 'cylindrical'):
        yield two_branches(
            'hinge_%s_independent' % kind,
            'A %s hinge inside a loop closed by a revolute, its own dofs independent coordinates: ' 'displacements in child axes.' % kind,
            ['revolute', kind, 'revolute'],
            R4,
            'revolute',
            ['left2', 'base'],
            turned=rot(array([0, 0, 1]), F(-0.4)),
        )
    for side in 'ab':
        m = start(
            'loop_to_ground_' + side,
            'An arm of helical, universal, revolute, revolute and spherical hinges whose tip is held by the ground, '
            'cylindrical loop with the ground as body %s.' % side,
        )
        tip = arm(m, 'arm', -1, ['helical', 'universal', 'revolute', 'revolute', 'spherical'], at=(0.1, -0.2, 0.3))
        a, b = (-1, tip) if side == 'a' else (tip, -1)
        m.loop_here(
            'cylindrical',
            a,
            b,
            (0.33, 0.02, 0.05) if side == 'a' else (0.7, 0.2, 0.5),
            tilt(0.3, 0.6, -0.2),
            rot(array([0, 0, 1]), F(0.8)),
            (0, 0, 0.1),
        )
        if side == 'b':
            m.loops.clear()
            k = Kinematics(m, m.guess, zeros(m.dofs))
            Ra, pa = tilt(0.3, 0.6, -0.2), array([0.33, 0.02, 0.05])
            m.loop(
                'cylindrical',
                tip,
                -1,
                pa,
                k.point(tip, pa) + k.R[tip] @ Ra @ array([0, 0, -0.1]),
                Ra,
                k.R[tip] @ Ra @ rot(array([0, 0, 1]), F(-0.8)),
            )
        m.independent_velocity = choose_independent(m, m.guess, m.dofs_of('arm1', 'arm2', 'arm3', 'arm4'))
        m.actuated = m.independent_velocity
        yield m


def couplings():
    m = start(
        'coupling_polynomial',
        'An arm on a revolute carries a slider, a screw and a turning body on the slider. Two polynomial couplings: '
        'a third-order cam between arm, slider and screw, and a second-order one between the screw and the last body.',
        (0.3, -0.5, -9.8),
    )
    a = m.body(
        'arm',
        -1,
        'revolute',
        *some_body(2.0, 0.5),
        axis=(0.1, 0.9, 0.3),
        rotation=tilt(0.2, 0.1, -0.4),
        position=(0, 0.1, 0.5),
        q=0.6,
        v=0.9,
        tau=2.1
    )
    s = m.body(
        'slider',
        a,
        'prismatic',
        *some_body(0.9, 0.2),
        axis=(0.8, 0.1, -0.2),
        rotation=tilt(-0.3, 0.5, 0.2),
        position=(0.2, 0.05, 0),
        q=0.15,
        v=0.3,
        tau=-1.2
    )
    h = m.body(
        'screw',
        a,
        'helical',
        *some_body(0.7, 0.15),
        axis=(0.3, -0.2, 0.9),
        pitch=0.04,
        rotation=tilt(0.7, -0.1, 0.3),
        position=(0.4, -0.1, 0.05),
        q=0.8,
        v=0.5,
        tau=0.4
    )
    w = m.body(
        'wheel',
        s,
        'revolute',
        *some_body(0.5, 0.2),
        axis=(-0.2, 0.3, 0.8),
        rotation=tilt(0.1, 0.9, 0.4),
        position=(0.1, 0, 0.1),
        q=-0.4,
        v=1.1,
        tau=-0.3
    )
    m.coupling([a, s, h], polynomials=[[0.5, 0.2, -0.1], [4.0, -3.0], [0.3, 0.0, 0.25]], offset=1.3)
    m.coupling([h, w], polynomials=[[1.0, -0.35], [1.5, 0.0, 0.4]], offset=0.1)
    m.independent_velocity, m.actuated = [0, 2], [0, 1, 3]
    yield m


def rolling():
    m = start(
        'rolling_sphere_on_plate',
        'A sphere with its centre of mass aside rolls on a plate that turns on a revolute: one holonomic and two '
        'nonholonomic rows. Velocities: plate and spin; positions: two more.',
    )
    p = m.body(
        'plate',
        -1,
        'revolute',
        4.0,
        (0.05, -0.02, 0.01),
        tilted_inertia(4.0, (0.9, 0.8, 0.03), (0.05, 0.1, 0.3)),
        axis=(0.9, 0.2, 0.1),
        rotation=tilt(0.1, 0.05, 0.4),
        position=(0, 0, 0.6),
        q=0.12,
        v=0.7,
        tau=1.5,
    )
    up = tilt(0.05, -0.1, 0.6)
    centre = array([0.08, 0.03, 0.02]) + up @ array([0.11, -0.14, 0.16])
    k = Kinematics(m, m.guess, zeros(m.dofs))
    s = m.body(
        'sphere',
        -1,
        'free',
        1.3,
        (0.015, -0.01, 0.02),
        tilted_inertia(1.3, (0.2, 0.24, 0.27), (0.4, 0.3, -0.2)),
        rotation=tilt(0.2, -0.3, 0.1),
        position=(0.1, 0, 0.2),
        q=(tilt(0.5, -0.8, 0.3), (tilt(0.2, -0.3, 0.1).T @ (k.point(p, centre) - array([0.1, 0, 0.2]))).tolist()),
        v=[1.5, -2.1, 0.8, 0, 0, 0],
        tau=[0.05, -0.03, 0.04, 0.6, -0.4, 0.3],
    )
    m.loop('rolling_sphere', p, s, (0.08, 0.03, 0.02), (0, 0, 0), up, tilt(0.3, 0.1, 0.2), radius=0.16)
    m.independent_velocity, m.actuated = [0, 1, 2, 3], [0, 1, 2, 3]
    m.independent_position = choose_independent(m, m.guess, list(range(4)), True)
    yield m
    m = start(
        'rolling_disc',
        'A leaning disc, slightly unbalanced, rolls on a tilted plane of the ground (frame a): one holonomic and two nonholonomic rows.',
    )
    up, axle = tilt(0.1, -0.07, 0.3), tilt(0.2, 0.1, -0.15)
    R = up @ tilt(1.1, 0.25, 0)
    s = (R @ axle)[:, 2]
    n = up[:, 2]
    height = 0.3 * norm(n - s * (n @ s))
    place = array([0.2, -0.1, 0.05]) + up @ np.array([F(0.35), F(-0.2), height], dtype=object) - R @ array([0.01, -0.02, 0.015])
    m.body(
        'disc',
        -1,
        'free',
        2.2,
        (0.012, -0.018, 0.02),
        tilted_inertia(2.2, (0.5, 0.5, 0.05), (0.25, 0.1, -0.1)),
        q=(R, place.tolist()),
        v=[0.7, -1.2, 6.5, 0, 0, 0],
        tau=[0.1, -0.2, 0.3, 0.5, 0.4, -0.6],
    )
    m.loop('rolling_disc', -1, 0, (0.2, -0.1, 0.05), (0.01, -0.02, 0.015), up, axle, radius=0.3)
    m.independent_velocity, m.actuated = [0, 1, 2], [0, 1, 2]
    m.independent_position = choose_independent(m, m.guess, [0, 1, 2], True)
    yield m


def all_small():
    for group in (loop_kinds, hinge_kinds, couplings, rolling):
        yield from group()
