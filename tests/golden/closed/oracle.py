#!/usr/bin/env python3
"""Writes the golden files of closed mechanisms beside itself, in 40-digit maximal coordinates.

    oracle.py [NAME ...]     all of them, or those named; needs NumPy and mpmath (gmpy2 makes it ten times faster)

The numbers are kept; the tests do not run this. README.md says what the files hold and how they were checked.
"""
import sys

import machines
import robots
import small
from trajectory import *


def jobs():
    """(mechanism, options of evaluate)"""
    for m in small.all_small():
        yield m, {}
    yield machines.delta(), {}
    yield machines.bennett(), {}
    yield machines.slider_crank(), {}
    yield machines.differential(), {}
    yield machines.planetary(False), {}
    yield machines.planetary(True), {}
    yield robots.two_arms(), {}
    yield robots.two_arms_by_box(), {}
    yield robots.three_fingers(), {}
    yield robots.leg(False), {}
    m = robots.leg(True)
    yield m, dict(inverse_actuated=list(range(6)) + m.actuated)
    yield robots.belt(), {}
    yield robots.chain(5), {}
    yield robots.chain(50), dict(brief=True)


def trajectories():
    """(mechanism, seconds between samples, integration steps between them)"""
    yield robots.two_arms(), 0.05, 3
    yield read('stewart_6ups')[0], 0.05, 3


if __name__ == '__main__':
    for mechanism, options in jobs():
        if len(sys.argv) < 2 or mechanism.name in sys.argv[1:]:
            golden = evaluate(mechanism, **options)
            write(golden)
            golden['checks']['reread_from_doubles'] = reread_error(mechanism.name)
            write(golden)
            print('    reread: %s  largest vdot %.3g, wrench %.3g' % (
                golden['checks']['reread_from_doubles'], max(map(abs, golden['outputs']['vdot'])),
                max(abs(x) for w in golden['outputs']['loop_wrench_on_a'] for x in w)), flush=True)
    for mechanism, sample, steps in trajectories():
        if len(sys.argv) < 2 or 'traj_' + mechanism.name in sys.argv[1:]:
            write_motion(mechanism, sample, steps)
