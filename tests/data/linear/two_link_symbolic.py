#!/usr/bin/env python3
"""A and B of models/two_link.urdf by SymPy: Lagrange's equations, solved for the accelerations and differentiated.

Prints the rows of accelerations of [A B] for the operating points of tests/laws/linear_model_error.cpp, which holds the
numbers. States theta_1, theta_2 (relative angles), their rates; inputs T_1, T_2. Exact rational numbers until the last step.
"""
import sympy as sp

m, L, c, J, g = 10, 2, 1, 20, sp.Rational("9.8066")
POINTS = [(0, 0, 0, 0, 0, 0), ("0.3", "-0.7", "0.4", "1.1", 5, -3), ("2.5", "1.9", "-3", "2", -40, 60)]

t = sp.Symbol("t")
angles = [sp.Function(name)(t) for name in ("theta_1", "theta_2")]
one, both = angles[0], angles[0] + angles[1]


def hang(angle, length):
    return sp.Matrix([-length * sp.sin(angle), -length * sp.cos(angle)])  # x, z: a turn about +y takes -z to -x


centres = [hang(one, c), hang(one, L) + hang(both, c)]
kinetic = sum(sp.Rational(1, 2) * m * p.diff(t).dot(p.diff(t)) for p in centres)
kinetic += sp.Rational(1, 2) * J * (one.diff(t) ** 2 + both.diff(t) ** 2)
lagrangian = kinetic - sum(m * g * p[1] for p in centres)

q, v, a, T = (sp.symbols(f"{name}1:3") for name in "qvaT")
plain = [(x.diff(t, 2), s) for x, s in zip(angles, a)] + [(x.diff(t), s) for x, s in zip(angles, v)] + list(zip(angles, q))
equations = [(lagrangian.diff(x.diff(t)).diff(t) - lagrangian.diff(x)).subs(plain) - s for x, s in zip(angles, T)]
solved = sp.solve(equations, a, dict=True)[0]
model = sp.Matrix([solved[s] for s in a]).jacobian([*q, *v, *T])

for point in POINTS:
    at = dict(zip([*q, *v, *T], map(sp.Rational, point)))
    print("{" + ", ".join(str(sp.N(entry.subs(at), 17)) for entry in model) + "},")
