"""Machines: delta robot, Bennett linkage, slider-crank, gears."""

import math

from small import *

EX, EY, EZ = I3


def delta():
    """Two rods per arm, universal at the elbow, ball at the platform: no rod can spin."""
    m = start(
        'delta',
        'Delta robot: three arms on revolutes, each with a parallelogram of two rods (universal at the elbow, ball loop at the platform), '
        'free platform, the whole mount tilted. Independent: the three arms.',
    )
    mount, base, reach, rod, plate, half = tilt(0.08, -0.05, 0.3), 0.2, 0.35, 0.8, 0.06, 0.05
    lean = math.asin((base + reach * math.cos(0.3) - plate) / rod)
    rods = []
    for i, (q, v, tau) in enumerate([(0.3, 0.9, -4.0), (0.42, -0.6, -6.5), (0.22, 0.4, -3.0)]):
        turned = rot(EZ, F(2 * i * math.pi / 3))
        a = m.body(
            'arm%d' % (i + 1),
            -1,
            'revolute',
            0.9,
            (0.15, 0.004, -0.006),
            tilted_inertia(0.9, (0.35, 0.05, 0.04), (0.02, 0.05, -0.03)),
            axis=EY,
            rotation=mount @ turned,
            position=(mount @ turned @ array([base, 0, 1.1])).tolist(),
            q=q,
            v=v,
            tau=tau,
        )
        for side in (1, -1):
            r = m.body(
                'rod%d%s' % (i + 1, 'lr'[side < 0]),
                a,
                'universal',
                0.21,
                (0.002, -0.001, -0.39),
                tilted_inertia(0.21, (0.02, 0.025, 0.8), (0.01, 0.02, 0.1)),
                axis=EY,
                axis2=EX,
                rotation=tilt(0, 0, 0),
                position=(reach, half * side, 0),
                q=[lean - 0.3, 0.0],
            )
            rods.append((r, turned @ array([plate, half * side, 0])))
    height = 1.1 - reach * math.sin(0.3) - rod * math.cos(lean)
    p = m.body(
        'platform',
        -1,
        'free',
        0.7,
        (0.006, -0.004, -0.02),
        tilted_inertia(0.7, (0.14, 0.13, 0.03), (0.1, -0.1, 0.3)),
        rotation=mount,
        q=(I3, (0, 0, height)),
        tau=[0.05, -0.02, 0.04, 0.5, 0.8, -1.2],
    )
    for r, point in rods:
        m.loop('ball', p, r, point, (0, 0, -rod), tilt(0.1, 0.2, -0.1), I3)
    m.independent_velocity = m.actuated = m.dofs_of('arm1', 'arm2', 'arm3')
    return m


def bennett():
    m = start(
        'bennett',
        'Bennett linkage: four revolutes, opposite links equal, sin(twist)/length the same for all; closed by a revolute (5 rows of rank 2): '
        'over-constrained, movable.',
    )
    alpha, beta, a = F(0.6), F(1.1), F(0.5)
    b = a * sin(beta) / sin(alpha)
    mount, origin, first = tilt(0.3, -0.5, 0.2), array([0.1, 0.3, 0.2]), F(1.0)
    # tan(q1/2) tan(q2/2) = sin((beta+alpha)/2) / sin((beta-alpha)/2), q3 = -q1
    t = sin((beta + alpha) / 2) / sin((beta - alpha) / 2)
    second = 2 * math.atan(float(t) / math.tan(float(first) / 2))
    X, along = (lambda twist: rot(EX, twist)), (lambda x: np.array([x, F(0), F(0)], dtype=object))
    # hinge 1, link1 (a, alpha), hinge 2, link2 (b, beta), hinge 3, link3 (a, alpha), hinge 4, ground link (b, beta) back to hinge 1
    for i, (R, p, length, q, tau) in enumerate(
        [(mount, origin, a, first, 3.0), (X(alpha), along(a), b, second, -0.7), (X(beta), along(b), a, -first, 0.9)]
    ):
        mass, size = 1.2 + 0.3 * i, float(length)
        m.body(
            'link%d' % (i + 1),
            i - 1,
            'revolute',
            mass,
            (0.45 * size, 0.02, -0.03),
            tilted_inertia(mass, (size, 0.06, 0.05), (0.1, 0.2, -0.1)),
            rotation=R,
            position=p,
            q=q,
            v=1.4,
            tau=tau,
        )
    back = X(beta)
    m.loop('revolute', 2, -1, along(a), origin - mount @ back.T @ along(b), X(alpha), mount @ back.T)
    m.independent_velocity = m.actuated = [0]
    return m


def slider_crank():
    m = start(
        'slider_crank_dead_centre',
        'Slider-crank exactly at its outer dead centre (crank and rod in line, rod angle 0): the slider stands still while the crank '
        'turns, so the slider is no coordinate here; independent: the crank. Plane tilted in space.',
    )
    R = tilt(0.4, -0.3, 0.7)
    c = m.body('crank', -1, 'revolute', *some_body(1.1, 0.25), rotation=R, position=(0.1, 0.2, 0.3), q=0.0, v=2.5, tau=1.3)
    r = m.body('rod', c, 'revolute', *some_body(0.8, 0.7), position=(0.25, 0, 0.02), q=0.0, tau=-0.2)
    s = m.body('slider', -1, 'prismatic', *some_body(1.6, 0.2), axis=EX, rotation=R, position=(0.1, 0.2, 0.3), q=0.95, tau=4.0)
    m.loop('planar_pin', r, s, (0.7, 0, 0.03), (0, 0, 0.05), rot(EZ, F(0.5)), I3)
    m.independent_velocity = m.actuated = [c]
    return m


def gears(name, description):
    """A housing on a tilted revolute, everything else turns on it."""
    m = start(name, description)
    h = m.body(
        'housing',
        -1,
        'revolute',
        *some_body(5.0, 0.5),
        axis=(0.3, 0.8, 0.2),
        rotation=tilt(0.2, 0.4, -0.3),
        position=(0, 0.1, 0.4),
        q=0.3,
        v=0.9,
        tau=4.0
    )
    return m, h


def wheel(m, name, parent, mass, radius, at, axes, q, v, tau):
    """A wheel about its z axis, slightly out of balance."""
    return m.body(
        name,
        parent,
        'revolute',
        mass,
        (round(0.03 * radius, 5), round(-0.02 * radius, 5), 0.01),
        tilted_inertia(mass, (1.7 * radius, 1.7 * radius, 0.6 * radius), (0.02, -0.03, 0.1)),
        rotation=axes,
        position=at,
        q=q,
        v=v,
        tau=tau,
    )


def differential():
    m, h = gears(
        'differential',
        'Car differential on a turning housing: pinion = 3.7 ring, left + right = 2 ring, spider (on the ring carrier) = 0.9 (left - right). '
        'Independent: housing, left, right.',
    )
    side, fore = tilt(-1.4, 0.1, 0.2), tilt(0.1, 1.5, 0.1)
    p = wheel(m, 'pinion', h, 0.6, 0.05, (0.3, 0.05, 0.02), fore, 3.7 * 0.25, 0, 0.8)
    c = wheel(m, 'ring', h, 2.5, 0.18, (0.1, 0.02, 0.01), side, 0.25, 0, 0.3)
    a = wheel(m, 'left', h, 1.1, 0.12, (0.1, 0.4, 0.01), side, 0.4, 6.0, -1.5)
    b = wheel(m, 'right', h, 1.2, 0.12, (0.1, -0.4, 0.01), side, 0.1, 3.5, -0.9)
    s = wheel(m, 'spider', c, 0.3, 0.05, (0.06, 0.01, 0.02), tilt(1.5, 0.2, 0.1), 0.27, 0, 0.05)
    m.coupling([p, c], [1.0, -3.7])
    m.coupling([a, b, c], [1.0, 1.0, -2.0])
    m.coupling([s, a, b], [1.0, -0.9, 0.9])
    m.independent_velocity, m.actuated = [h, a, b], [h, p, a, b]
    return m


def planetary(redundant):
    m, h = gears(
        'planetary',
        'Planetary gear (24, 18, 60 teeth) on a turning housing: sun, carrier, ring on the housing, three planets on the '
        'carrier. '
        + (
            'Every planet coupled with sun and ring: 6 rows of rank 4.'
            if redundant
            else 'Planets coupled with the sun, the first with the ring.'
        )
        + ' Independent: housing, sun, carrier.',
    )
    m.name += '_redundant' * redundant
    axes, (ns, np_, nr) = tilt(0.5, -0.3, 0.2), (24.0, 18.0, 60.0)
    at = (0.2, 0.05, 0.1)
    s = wheel(m, 'sun', h, 0.8, 0.06, at, axes, 0.5, 9.0, 0.6)
    c = wheel(m, 'carrier', h, 1.0, 0.1, at, axes, 0.2, 2.0, -0.4)
    r = wheel(m, 'ring', h, 1.5, 0.16, at, axes, 0.0, 0, 0.9)
    planets = []
    for i in range(3):
        place = rot(EZ, F(2 * i * math.pi / 3)) @ array([0.105, 0, 0.01])
        planets.append(wheel(m, 'planet%d' % (i + 1), c, 0.2, 0.045, place.tolist(), tilt(0, 0, 0.3 * i), -0.4, 0, 0.02 * (i - 1)))
    for i, p in enumerate(planets):
        m.coupling([s, c, p], [ns, -ns, np_])
        if redundant or i == 0:
            m.coupling([r, c, p], [nr, -nr, -np_])
    m.independent_velocity, m.actuated = [h, s, c], [h, s, c, r]
    return m
