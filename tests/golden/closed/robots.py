"""Robots: two arms and three fingers that hold an object, legs with linkages, chains of four-bars."""

import math

from small import *

EX, EY, EZ = I3
PIN_Y = axes_about(EY)  # a frame whose z is the body's y


def six_axes(m, name, base, rotation, q, v, tau):
    """A 6R arm: waist, shoulder, elbow, and a wrist with small offsets."""
    parent, axes = -1, [EZ, EY, EY, EX, EY, EX]
    at = [base, (0.03, 0.02, 0.3), (0.02, -0.05, 0.4), (0.08, 0.01, 0.05), (0.3, 0.0, 0.02), (0.07, 0.015, 0.0)]
    for i, (mass, length) in enumerate([(6.0, 0.3), (4.0, 0.4), (2.5, 0.3), (1.8, 0.28), (1.0, 0.12), (0.5, 0.1)]):
        m_, com, J = some_body(mass, length)
        if i < 2:
            com = [com[1], com[2], com[0]]
        parent = m.body(
            '%s%d' % (name, i + 1),
            parent,
            'revolute',
            m_,
            com,
            J,
            axis=axes[i],
            rotation=rotation if i == 0 else tilt(*numbers(0.05)),
            position=at[i],
            q=q[i],
            v=v[i],
            tau=tau[i],
        )
    return parent


def two_arms():
    m = start(
        'two_arms_box',
        'Two arms of six revolutes hold a box (free body) by two welds. Independent: the first arm; all twelve hinges actuated.',
    )
    a = six_axes(
        m,
        'left',
        (-0.75, 0.05, 0.0),
        tilt(0.05, -0.04, 0.1),
        [0.1, 0.7, 0.5, 0.3, -0.9, 0.4],
        [0.5, -0.4, 0.6, 0.7, -0.5, 0.8],
        [3.0, -25.0, -12.0, 0.5, 2.0, -0.4],
    )
    b = six_axes(
        m,
        'right',
        (0.8, -0.03, 0.02),
        tilt(0, 0, 3.05),
        [-0.15, 0.65, 0.55, -0.2, -1.0, -0.3],
        [0] * 6,
        [-2.0, -22.0, -14.0, 0.8, 1.5, 0.6],
    )
    k = Kinematics(m, m.guess, zeros(m.dofs))
    middle = (k.point(a, array([0.1, 0, 0])) + k.point(b, array([0.1, 0, 0]))) / 2
    box = m.body(
        'box',
        -1,
        'free',
        5.0,
        (0.02, -0.03, 0.01),
        tilted_inertia(5.0, (0.4, 0.3, 0.25), (0.1, 0.2, -0.1)),
        rotation=tilt(0.1, 0.2, 0.3),
        q=(tilt(0.2, -0.1, 0.3), (tilt(0.1, 0.2, 0.3).T @ middle).tolist()),
        tau=[0.2, -0.3, 0.1, 1.0, -2.0, 1.5],
    )
    for hand in (a, b):
        m.loop_here('weld', box, hand, (0.1, 0.0, 0.0), tilt(*numbers(0.6)))
    m.independent_velocity, m.actuated = list(range(6)), list(range(12))
    return m


def two_arms_by_box():
    """The same, the box's own six dofs independent."""
    m = two_arms()
    m.name, m.independent_velocity = 'two_arms_box_free', list(range(12, 18))
    m.description = 'The mechanism of two_arms_box.json at another speed; independent: the six dofs of the box on its free hinge (displacements in its axes).'
    m.rates[12:] = [F(x) for x in (0.5, -0.7, 0.6, 0.2, -0.3, 0.25)]
    return m


def three_fingers():
    m = start(
        'three_fingers',
        'A palm on a revolute, three fingers of three revolutes, a free object: point contact with friction (ball), soft finger (nonholonomic), '
        'line contact (revolute). The object is body a of every contact, so its normals are fixed in it.',
    )
    palm = m.body(
        'palm',
        -1,
        'revolute',
        1.2,
        (0.01, -0.005, 0.03),
        tilted_inertia(1.2, (0.12, 0.1, 0.06), (0.1, 0.2, 0.1)),
        axis=(0.2, 0.9, 0.1),
        rotation=tilt(0.2, 0.1, -0.2),
        position=(0.1, 0, 0.5),
        q=0.3,
        v=0.6,
        tau=0.5,
    )
    tips = []
    for i in range(3):
        name, out = 'finger%d_' % (i + 1), rot(EZ, F(2 * i * math.pi / 3 + 0.1))
        spread = m.body(
            name + 'spread',
            palm,
            'revolute',
            0.08,
            (0.002, 0.001, 0.01),
            tilted_inertia(0.08, (0.02, 0.025, 0.03), (0.1, 0.1, 0)),
            axis=EX,
            rotation=out,
            position=(out @ array([0.05, 0.002, 0.04])).tolist(),
            q=0.15 - 0.1 * i,
            v=0.5 - 0.3 * i,
            tau=0.02 * i - 0.01,
        )
        low = m.body(
            name + 'low',
            spread,
            'revolute',
            0.1,
            (0.002, -0.001, 0.025),
            tilted_inertia(0.1, (0.015, 0.02, 0.05), (0.1, -0.1, 0)),
            axis=(0.05, 1, 0.02),
            position=(0.005, 0, 0.015),
            q=0.35 + 0.05 * i,
            v=0.8,
            tau=-0.15,
        )
        tips.append(
            m.body(
                name + 'tip',
                low,
                'revolute',
                0.06,
                (-0.001, 0.002, 0.02),
                tilted_inertia(0.06, (0.012, 0.015, 0.04), (-0.1, 0.1, 0.05)),
                axis=(0, 1, 0.05),
                position=(0.0, 0.001, 0.055),
                q=-0.9 - 0.06 * i,
                v=-0.7,
                tau=-0.08,
            )
        )
    k = Kinematics(m, m.guess, zeros(m.dofs))
    end = array([0, 0, 0.045])
    points = [k.point(t, end) for t in tips]
    middle = sum(points) / 3
    thing = m.body(
        'object',
        -1,
        'free',
        0.35,
        (0.004, -0.003, 0.005),
        tilted_inertia(0.35, (0.05, 0.06, 0.08), (0.3, 0.2, -0.1)),
        rotation=tilt(-0.2, 0.1, 0.4),
        q=(tilt(0.3, 0.2, -0.4), (tilt(-0.2, 0.1, 0.4).T @ middle).tolist()),
        tau=[0.01, -0.02, 0.015, 0.2, -0.1, 0.3],
    )
    for kind, t, P in zip(('ball', 'soft_finger', 'revolute'), tips, points):
        inward = axes_about(unit(middle - P), 0 if kind == 'revolute' else 2)
        m.loop_here(kind, thing, t, end, k.R[t].T @ inward)
    wanted = m.dofs_of('palm', 'finger1_low', 'finger2_low', 'finger3_low', 'finger1_spread', 'finger2_spread', 'finger3_spread')
    m.independent_velocity = choose_independent(m, m.guess, wanted)
    m.independent_position = sorted(choose_independent(m, m.guess, wanted, True))
    m.actuated = list(range(10))
    return m


def leg(floating):
    m = start(
        'leg_floating' if floating else 'leg_fixed',
        ('A trunk on a free hinge' if floating else 'The ground') + ' carries a leg: hip, thigh, shank, foot; a four-bar '
        '(crank at the hip, rod) moves the shank, a second one (lever on the shank, rod) moves the foot. Two pins of 2 rows, one after the other.',
    )
    trunk = -1
    if floating:
        trunk = m.body(
            'trunk',
            -1,
            'free',
            9.0,
            (0.03, 0.01, 0.05),
            tilted_inertia(9.0, (0.4, 0.25, 0.2), (0.1, 0.05, 0.2)),
            rotation=tilt(0.1, 0.2, 0.1),
            position=(0, 0, 0.8),
            q=(tilt(0.2, -0.1, 0.4), (0.1, 0.05, 0.02)),
            v=[0.4, -0.6, 0.5, 0.7, -0.3, 0.2],
            tau=[0.5, -0.8, 0.4, 3.0, -2.0, 40.0],
        )
    bar = lambda mass, z, thick: (
        mass,
        (0.1 * thick, -0.08 * thick, z / 2),
        tilted_inertia(mass, (thick, 0.8 * thick, abs(z)), (0.03, 0.05, -0.04)),
    )
    hip = m.body(
        'hip',
        trunk,
        'revolute',
        *bar(1.5, -0.08, 0.1),
        axis=EX,
        rotation=tilt(0.05, -0.1, 0.08),
        position=(0.15, 0.1, -0.05),
        q=0.2,
        v=0.7,
        tau=2.0
    )
    thigh = m.body(
        'thigh',
        hip,
        'revolute',
        *bar(2.4, -0.35, 0.09),
        axis=EY,
        rotation=tilt(0, 0.1, 0),
        position=(0.01, 0.05, -0.02),
        q=-0.6,
        v=1.1,
        tau=-6.0
    )
    crank = m.body(
        'crank',
        hip,
        'revolute',
        *bar(0.3, -0.07, 0.03),
        axis=EY,
        rotation=tilt(0, 0.1, 0),
        position=(0.03, 0.09, -0.01),
        q=-0.9,
        v=-0.8,
        tau=3.0
    )
    rod = m.body('rod', crank, 'revolute', *bar(0.2, -0.34, 0.02), axis=EY, position=(0.0, 0.01, -0.07), q=0.4, tau=0.02)
    shank = m.body('shank', thigh, 'revolute', *bar(1.3, -0.33, 0.07), axis=EY, position=(0.0, 0.01, -0.35), q=1.1, tau=0.4)
    lever = m.body(
        'lever',
        shank,
        'revolute',
        *bar(0.15, -0.05, 0.03),
        axis=EY,
        position=(0.02, 0.03, -0.06),
        rotation=tilt(0, -1.3, 0),
        q=0.2,
        v=0.9,
        tau=1.4
    )
    link = m.body('link', lever, 'revolute', *bar(0.12, -0.25, 0.02), axis=EY, position=(0, 0.01, -0.05), q=1.0, tau=-0.01)
    foot = m.body('foot', shank, 'revolute', *bar(0.6, -0.06, 0.12), axis=EY, position=(0.0, 0.0, -0.33), q=-0.7, tau=0.2)
    m.loop_here('planar_pin', rod, shank, (0.06, 0.04, 0.015), PIN_Y, tilt(0, 0, 0.4), (0, 0, 0.01))
    m.loop_here('planar_pin', link, foot, (0.055, 0.03, 0.02), PIN_Y, tilt(0, 0, -0.3), (0, 0, -0.015))
    m.actuated = m.dofs_of('hip', 'thigh', 'crank', 'lever')
    m.independent_velocity = list(range(6 if floating else 0)) + m.actuated
    return m


def chain(n):
    """Each four-bar stands on the coupler, every third on the rocker, of the one before, its plane turned in space."""
    m = start(
        'chain_%d_four_bars' % n,
        'A chain of %d four-bars in series, each closed by a 2-row pin and standing on the coupler (every third: on the rocker) of the one '
        'before, planes turned in space. Independent and actuated: the cranks.' % n,
    )
    base, place, turned = -1, (0, 0, 0.5), tilt(0.3, -0.2, 0.4)
    cranks = []
    for i in range(n):
        at = lambda x: (array(place) + turned @ array([x, 0, 0])).tolist()
        q = 1.0 + round(0.25 * math.sin(1.7 * i), 3)
        rate, load = round(0.5 * math.cos(1.3 * i), 3), round(0.3 * math.sin(0.9 * i + 0.5), 3)
        c = m.body(
            'crank%d' % i, base, 'revolute', *some_body(0.4, 0.2), rotation=turned, position=at(0), q=q, v=rate, tau=round(0.5 + load, 3)
        )
        l = m.body('coupler%d' % i, c, 'revolute', *some_body(0.8, 0.5), position=(0.2, 0, 0.01), q=-0.5, tau=round(load / 10, 4))
        r = m.body(
            'rocker%d' % i, base, 'revolute', *some_body(0.6, 0.4), rotation=turned, position=at(0.6), q=1.7, tau=round(-load / 7, 4)
        )
        m.loop('planar_pin', l, r, (0.5, 0, 0.02), (0.4, 0, 0.02), tilt(0, 0, 0.3), I3)
        cranks.append(c)
        base, place = (r, (0.3, 0.05, 0.02)) if i % 3 == 2 else (l, (0.35, 0.04, 0.02))
        turned = tilt(0.4 * math.sin(2.1 * i), -0.3 * math.cos(1.1 * i), 0.35 * (-1) ** i - 0.2)
    m.independent_velocity = m.actuated = cranks
    return m


def belt():
    m = start(
        'belt',
        'A chain of 26 revolutes in space, a belt from the first to the last: 0.8 q1 = q26. One row over all hinges, more than one cluster '
        'takes. Independent and actuated: the first 25.',
    )
    arm(m, 'link', -1, ['revolute'] * 26, reach=0.15, at=(0.1, -0.2, 0.6))
    m.coupling([0, 25], [0.8, -1.0])
    m.independent_velocity = m.actuated = list(range(25))
    return m
