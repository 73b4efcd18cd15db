"""Makes jax_golden.json: values, first and second derivatives by JAX in float64, for golden_test.cpp.

python3 -m venv v && v/bin/pip install jax==0.10.2 && v/bin/python jax_golden.py >jax_golden.json
"""
import json
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

# Function: the points (x) or pairs (x, y) at which it is evaluated.
everywhere = [-2.75, -0.5, 0.125, 1.0, 3.5]
positive = [0.03, 0.5, 1.0, 2.25, 40.0]
within_one = [-0.97, -0.5, 0.125, 0.75]
pairs = [(0.5, 1.25), (2.0, -1.5), (1.75, 3.0), (4.0, 0.25)]
of_one = {
    "wave": (lambda x: jnp.sin(x * x) * x, everywhere),
    "quotient": (lambda x: (1.5 + x) / (2.0 + x * x), everywhere),
    "chain": (lambda x: jnp.exp(jnp.tanh(3.0 * x) - jnp.sqrt(1.0 + x * x)), everywhere),
    "exp": (jnp.exp, everywhere),
    "exp2": (jnp.exp2, everywhere),
    "expm1": (jnp.expm1, everywhere),
    "log": (jnp.log, positive),
    "log2": (jnp.log2, positive),
    "log10": (jnp.log10, positive),
    "log1p": (jnp.log1p, positive),
    "sqrt": (jnp.sqrt, positive),
    "cbrt": (jnp.cbrt, positive),
    "sin": (jnp.sin, everywhere),
    "cos": (jnp.cos, everywhere),
    "tan": (jnp.tan, everywhere),
    "asin": (jnp.arcsin, within_one),
    "acos": (jnp.arccos, within_one),
    "atan": (jnp.arctan, everywhere),
    "sinh": (jnp.sinh, everywhere),
    "cosh": (jnp.cosh, everywhere),
    "tanh": (jnp.tanh, everywhere),
    "asinh": (jnp.arcsinh, everywhere),
    "acosh": (jnp.arccosh, [1.25, 2.0, 30.0]),
    "atanh": (jnp.arctanh, within_one),
    "erf": (erf, everywhere),
}
of_two = {
    "pow": jnp.power,
    "hypot": jnp.hypot,
    "atan2": jnp.arctan2,
    "ratio": lambda x, y: (x - y) / (x * x + y * y),
}


def pattern(*shape, scale=1.0, shift=0.0):
    """Numbers without a pattern that a wrong index could hide in."""
    k = np.arange(np.prod(shape), dtype=np.float64)
    return (np.sin(12.9898 * (k + 1) + 78.233 * len(shape)) * scale + shift).reshape(shape)


def logistic(w, b, x=pattern(12, 5), labels=np.sign(pattern(12, scale=3.0, shift=0.1))):
    return jnp.mean(jnp.log1p(jnp.exp(-labels * (x @ w + b).reshape(12))))


def perceptron(w1, b1, w2, b2, x=pattern(8, 5, scale=2.0), classes=np.eye(3)[np.arange(8) % 3]):
    scores = jnp.tanh(x @ w1 + b1) @ w2 + b2
    return jnp.mean(jnp.log(jnp.sum(jnp.exp(scores), axis=1)) - jnp.sum(classes * scores, axis=1))


def normalised(x, gain):
    centred = x - jnp.mean(x, axis=0)
    scaled = centred / jnp.sqrt(jnp.mean(centred * centred, axis=0) + 1e-5) * gain
    return jnp.sum(jnp.sin(scaled) * pattern(9, 4))


def kernel_sum(x, y, w):
    return jnp.sum(jnp.exp(-((x - y) ** 2)) * w)


def extremes(x, by_column=pattern(4), by_row=pattern(6)):
    return (
        jnp.sum(jnp.max(x, axis=0) * by_column)
        + jnp.sum(jnp.min(x, axis=1) * by_row)
        + jnp.max(x) * 0.75
        - jnp.min(x) * 1.25
    )


def products(x, by_column=pattern(4), by_row=pattern(5)):
    return jnp.sum(jnp.prod(x, axis=0) * by_column) + jnp.sum(jnp.prod(x, axis=1) * by_row) + jnp.prod(x[:2])


def running_sums(x, weights=pattern(5, 4)):
    down, right = jnp.cumsum(x, axis=0), jnp.cumsum(x, axis=1)
    return jnp.sum(jnp.sin(down) * right * weights) + jnp.sum(jnp.cumsum(x) * weights.reshape(20))


def taken(x, positions=np.array([[3, -1], [0, 3], [3, -4]]), weights=pattern(3, 2)):
    rows = jnp.take(x, positions, axis=0)
    columns = jnp.take(x, positions[0], axis=1)
    return jnp.sum(jnp.sum(rows * rows, axis=2) * weights) + jnp.prod(columns[0]) + jnp.sum(jnp.sin(jnp.take(x, positions)))


def joined(x, y, middle=pattern(3, 2), weights=pattern(9, 2, 3)):
    wide = jnp.concatenate([x, middle, y.T], axis=1)
    layers = jnp.stack([wide, wide * wide])
    tall = jnp.concatenate([x.T, y])
    return jnp.sum(jnp.sin(jnp.transpose(layers, (2, 0, 1))) * weights) + jnp.sum(tall * tall * tall)


# One zero in column 1, two in column 2 and in row 3.
with_zeros = pattern(5, 4, scale=2.0)
with_zeros[0, 1] = with_zeros[3, 2] = with_zeros[3, 0] = with_zeros[4, 2] = 0

# Model: arguments, and the constants it captures.
of_arrays = {
    "logistic": (logistic, [pattern(5, 1), pattern(1, shift=0.5)], {"x": pattern(12, 5), "labels": np.sign(pattern(12, scale=3.0, shift=0.1))}),
    "perceptron": (
        perceptron,
        [pattern(5, 4), pattern(4, scale=0.3), pattern(4, 3), pattern(3, scale=0.1)],
        {"x": pattern(8, 5, scale=2.0), "classes": np.eye(3)[np.arange(8) % 3]},
    ),
    "normalised": (normalised, [pattern(9, 4, scale=3.0), pattern(4, shift=1.5)], {"weights": pattern(9, 4)}),
    "extremes": (extremes, [np.round(pattern(6, 4, scale=2.0))], {"by_column": pattern(4), "by_row": pattern(6)}),
    "products": (products, [with_zeros], {"by_column": pattern(4), "by_row": pattern(5)}),
    "running_sums": (running_sums, [pattern(5, 4)], {"weights": pattern(5, 4)}),
    "taken": (
        taken,
        [pattern(4, 5)],
        {"positions": np.array([[3, -1], [0, 3], [3, -4]]), "weights": pattern(3, 2)},
    ),
    "joined": (joined, [pattern(3, 4), pattern(3, 3)], {"middle": pattern(3, 2), "weights": pattern(9, 2, 3)}),
    "kernel_sum": (kernel_sum, [pattern(7, 1), pattern(1, 6, scale=2.0), pattern(7, 6)], {}),
}


def array(a):
    a = np.asarray(a, dtype=np.float64)
    return {"shape": list(a.shape), "elements": a.reshape(-1).tolist()}


golden = {
    "about": f"Derivatives by JAX {jax.__version__} in float64 on x86-64, made by jax_golden.py.",
    "of_one": {
        name: [
            {"x": x, "value": float(f(x)), "slope": float(jax.grad(f)(x)), "curvature": float(jax.grad(jax.grad(f))(x))}
            for x in points
        ]
        for name, (f, points) in of_one.items()
    },
    "of_two": {
        name: [
            {
                "x": x,
                "y": y,
                "value": float(f(x, y)),
                "by_x": float(jax.grad(f, 0)(x, y)),
                "by_y": float(jax.grad(f, 1)(x, y)),
                "by_x_and_y": float(jax.grad(jax.grad(f, 0), 1)(x, y)),
            }
            # A negative second argument is fine for all of them; a negative base of pow is not asked.
            for x, y in pairs
        ]
        for name, f in of_two.items()
    },
    "of_arrays": {
        name: {
            "arguments": [array(a) for a in arguments],
            "constants": {key: array(a) for key, a in constants.items()},
            "value": float(f(*arguments)),
            "gradients": [array(g) for g in jax.grad(f, tuple(range(len(arguments))))(*arguments)],
        }
        for name, (f, arguments, constants) in of_arrays.items()
    },
}


def layer(matrix, x):
    return jnp.tanh(matrix @ x)


matrix, x, cotangent = pattern(6, 4), pattern(4, 1), pattern(6, 1, scale=2.0)
y, pull_back = jax.vjp(layer, matrix, x)
golden["vjp"] = {
    "arguments": [array(matrix), array(x)],
    "cotangent": array(cotangent),
    "value": array(y),
    "gradients": [array(g) for g in pull_back(cotangent)],
}
json.dump(golden, sys.stdout, indent=1)
print()
