"""Long numbers and the few vector operations that the oracle needs.

The scalar is mpmath's mpf; gmpy2's mpfr, where installed, is the same arithmetic ten times faster. Arrays are NumPy arrays of objects.
A Python float is taken as exactly the double that it is, which is also what a reader of the golden file gets.
"""
import mpmath
import numpy as np

try:
    import gmpy2
except ImportError:
    gmpy2 = None


class Digits:
    """The decimal digits that all arithmetic is done with."""
    value = 40


def set_digits(digits):
    Digits.value = digits
    mpmath.mp.dps = digits
    if gmpy2:
        gmpy2.get_context().precision = int(digits * 3.3219280949) + 8


set_digits(Digits.value)
F = gmpy2.mpfr if gmpy2 else mpmath.mpf
sin, cos, sqrt = (gmpy2.sin, gmpy2.cos, gmpy2.sqrt) if gmpy2 else (mpmath.sin, mpmath.cos, mpmath.sqrt)


def ten_to(power):
    return F(10) ** power


def array(values):
    """A vector or matrix of long numbers."""
    if len(values) and np.ndim(values[0]) > 0:
        return np.array([[F(x) for x in row] for row in values], dtype=object)
    out = np.empty(len(values), dtype=object)
    out[:] = [F(x) for x in values]
    return out


def zeros(*shape):
    return np.full(shape, F(0), dtype=object)


I3 = array(np.eye(3).tolist())
Z3 = zeros(3)


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=object)


def tilde(v):
    z = F(0)
    return np.array([[z, -v[2], v[1]], [v[2], z, -v[0]], [-v[1], v[0], z]], dtype=object)


def norm(v):
    return sqrt(v @ v)


def unit(v):
    v = array(v)
    return v / norm(v)


def largest(values):
    return max((abs(x) for x in values), default=F(0))


def rot(axis, angle):
    """Turn by angle about a unit axis."""
    k = tilde(axis)
    return I3 + k * sin(angle) + (k @ k) * (1 - cos(angle))


def turn(vector):
    """Turn by the rotation vector."""
    angle = norm(vector)
    return I3 + tilde(vector) if angle == 0 else rot(vector / angle, angle)


def tilt(x, y, z):
    """A rotation matrix from the rotation vector (x, y, z), for writing models."""
    return turn(array([x, y, z]))


def quat_of(R):
    """[w x y z] with w >= 0."""
    t = R[0, 0] + R[1, 1] + R[2, 2]
    i = max(range(4), key=lambda k: [t, R[0, 0], R[1, 1], R[2, 2]][k])
    if i == 0:
        s = sqrt(1 + t) * 2
        return np.array([s / 4, (R[2, 1] - R[1, 2]) / s, (R[0, 2] - R[2, 0]) / s, (R[1, 0] - R[0, 1]) / s], dtype=object)
    a, b, c = i - 1, i % 3, (i + 1) % 3
    s = sqrt(1 + R[a, a] - R[b, b] - R[c, c]) * 2
    q = zeros(4)
    q[0], q[1 + a], q[1 + b], q[1 + c] = (R[c, b] - R[b, c]) / s, s / 4, (R[b, a] + R[a, b]) / s, (R[c, a] + R[a, c]) / s
    return q if q[0] >= 0 else -q


def matrix_of(q):
    """Rotation matrix of a quaternion [w x y z] of any length."""
    w, x, y, z = q
    return np.array([[w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z]], dtype=object) / (w * w + x * x + y * y + z * z)


def inverse3(m):
    a, b, c = m
    n = np.array([cross(b, c), cross(c, a), cross(a, b)], dtype=object).T
    return n / (a @ cross(b, c))


def axes_about(axis, at=2):
    """A right-handed set of axes (columns) whose column `at` is the given unit vector."""
    e = array([1, 0, 0]) if abs(axis[0]) < 0.9 else array([0, 1, 0])
    u = unit(cross(axis, e))
    columns = [None] * 3
    columns[at], columns[(at + 1) % 3], columns[(at + 2) % 3] = axis, u, cross(axis, u)
    return np.array(columns, dtype=object).T
