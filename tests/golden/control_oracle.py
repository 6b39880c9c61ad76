#!/usr/bin/env python3
"""Writes control_oracle.json beside itself: answers of SciPy to questions that our own control design is asked in the tests.

    control_oracle.py       needs SciPy; run once, the numbers are kept
"""
import json
from pathlib import Path

import numpy as np
from scipy import linalg, signal

random = np.random.default_rng(2024)


def rows(a):
    return np.asarray(a).tolist()


def pairs(values):
    return [[z.real, z.imag] for z in sorted(values, key=lambda z: (abs(z), -z.imag))]


def case(n, m, spread):
    """A random system, unstable as a rule, its states in units that differ by up to 10^spread."""
    units = 10.0 ** random.uniform(-spread, spread, n)
    A = random.normal(size=(n, n)) * units[:, None] / units[None, :]
    B = random.normal(size=(n, m)) * units[:, None]
    C = random.normal(size=(2, n)) / units[None, :]
    D = random.normal(size=(2, m))
    q = random.normal(size=(n, n)) / units[None, :]
    Q, R = q.T @ q, np.diag(random.uniform(0.1, 10.0, m))
    X = linalg.solve_continuous_are(A, B, Q, R)
    h = 0.1
    block = linalg.expm(h * np.block([[A, B], [np.zeros((m, n + m))]]))
    Ad, Bd = block[:n, :n], block[:n, n:]
    Y = linalg.solve_discrete_are(Ad, Bd, Q, R)
    frequencies = [0.1, 1.0, 7.0]
    _, response = zip(*[(w, C @ np.linalg.solve(2j * np.pi * w * np.eye(n) - A, B) + D) for w in frequencies])
    z, p, k = signal.ss2zpk(A, B[:, :1], C[:1], D[:1, :1])
    return {"A": rows(A), "B": rows(B), "C": rows(C), "D": rows(D), "Q": rows(Q), "R": rows(R), "X": rows(X),
            "K": rows(np.linalg.solve(R, B.T @ X)), "h": h, "Ad": rows(Ad), "Bd": rows(Bd), "Y": rows(Y),
            "Kd": rows(np.linalg.solve(R + Bd.T @ Y @ Bd, Bd.T @ Y @ Ad)), "poles": pairs(np.linalg.eigvals(A)),
            "frequencies": frequencies, "response_re": [rows(r.real) for r in response],
            "response_im": [rows(r.imag) for r in response], "zeros": pairs(z), "gain": float(k)}


def placement(n, m):
    """SciPy's condition of the eigenvectors, to be beaten or nearly so."""
    A, B = random.normal(size=(n, n)), random.normal(size=(n, m))
    real = n % 2 + 2
    poles = list(-random.uniform(1, 5, real))
    while len(poles) < n:
        a, b = random.uniform(1, 5, 2)
        poles += [complex(-a, b), complex(-a, -b)]
    found = signal.place_poles(A, B, poles, method="YT", maxiter=200)
    X = found.X / np.linalg.norm(found.X, axis=0)
    return {"A": rows(A), "B": rows(B), "poles": pairs(map(complex, poles)),
            "condition": float(np.linalg.norm(X) * np.linalg.norm(np.linalg.inv(X)))}


text = {"systems": [case(*shape) for shape in ((2, 1, 0), (4, 2, 0), (5, 2, 2), (8, 3, 1), (12, 4, 0))],
        "placements": [placement(*shape) for shape in ((3, 2), (4, 2), (5, 3), (6, 3), (10, 4))]}
Path(__file__).with_suffix(".json").write_text(json.dumps(text) + "\n")
