"""Makes jax_layers.json: layers and their gradients by JAX in float64, for golden_test.cpp.

python3 -m venv v && v/bin/pip install jax==0.10.2 && v/bin/python jax_layers.py >jax_layers.json
"""
import json
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def pattern(*shape, scale=1.0, shift=0.0):
    """Numbers without a pattern that a wrong index could hide in."""
    k = np.arange(np.prod(shape), dtype=np.float64)
    return (np.sin(12.9898 * (k + 1) + 78.233 * len(shape)) * scale + shift).reshape(shape)


def dense(x, w, b):
    return x @ w + b


def convolution(x, w):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pooling(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def cross_entropy(scores, labels):
    return jax.nn.logsumexp(scores, axis=1) - scores[jnp.arange(len(labels)), labels]


labels = [2, 0, 1, 1, 2]
layers = {
    "dense": (dense, [pattern(4, 3), pattern(3, 5), pattern(5)]),
    "convolution": (convolution, [pattern(2, 5, 4, 3), pattern(3, 3, 3, 2)]),
    "pooling": (pooling, [pattern(2, 5, 4, 3)]),
    "cross_entropy": (lambda scores: cross_entropy(scores, jnp.array(labels)), [pattern(5, 3, scale=300.0)]),
}


def array(a):
    a = np.asarray(a, dtype=np.float64)
    return {"shape": list(a.shape), "elements": a.reshape(-1).tolist()}


golden = {"about": f"Layers by JAX {jax.__version__} in float64 on x86-64, made by jax_layers.py.", "labels": labels}
for name, (layer, arguments) in layers.items():
    y, pull_back = jax.vjp(layer, *arguments)
    cotangent = pattern(*y.shape, scale=2.0)
    golden[name] = {
        "arguments": [array(a) for a in arguments],
        "cotangent": array(cotangent),
        "value": array(y),
        "gradients": [array(g) for g in pull_back(cotangent)],
    }
json.dump(golden, sys.stdout, indent=1)
print()
