"""JAX: functions of arrays, differentiated by `jax.grad` and compiled by `jax.jit`, on the processor."""

import peer_protocol

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError as problem:
    peer_protocol.lacking_by_pip("jax", problem)

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)  # arrays of float32 stay what they are
JIT = "JAX, jit"


def compiled(name, function, arguments, out):
    """A way to call the jitted function; its result, one array or several, is written to `out` afterwards."""
    function = jax.jit(function)
    arguments = [jnp.asarray(x) for x in arguments]
    result = []

    def call():
        result[:] = jax.tree_util.tree_leaves(jax.block_until_ready(function(*arguments)))

    def deliver():
        out[...] = np.concatenate([np.asarray(x).reshape(-1) for x in result]).reshape(out.shape)

    return {name: (call, deliver)}


def add(x, y, out):
    return compiled(JIT, jnp.add, [x, y], out)


def gaussian_pdf(x, mean, sigma, out):
    mean, sigma = np.float32(mean), np.float32(sigma)

    def density(x):
        return jnp.exp(np.float32(-0.5) * ((x - mean) / sigma) ** 2) / (sigma * np.float32(2.5066282746310002))

    return compiled(JIT, density, [x], out)


def neural_layer(grey, weight, out):
    def layer(grey, weight):
        v = grey / np.float32(255) * weight
        rising, falling = jnp.exp(v), jnp.exp(-v)
        return (rising - falling) / (rising + falling)

    return compiled(JIT, layer, [grey, weight], out)


def zero_suppress(x, threshold, out):
    return compiled(JIT, lambda x: jnp.where(x >= np.int16(threshold), x, np.int16(0)), [x], out)


def hypot(x, y, out):
    def length(x, y):
        larger = jnp.maximum(jnp.abs(x), jnp.abs(y))
        t = jnp.minimum(jnp.abs(x), jnp.abs(y)) / larger
        return larger * jnp.sqrt(1 + t * t)

    return compiled(JIT, length, [x, y], out)


def polar_distance(radius, angle, other_radius, other_angle, out):
    def distance(r, a, s, b):
        dx, dy = r * jnp.cos(a) - s * jnp.cos(b), r * jnp.sin(a) - s * jnp.sin(b)
        return jnp.sqrt(dx * dx + dy * dy)

    return compiled(JIT, distance, [radius, angle, other_radius, other_angle], out)


# No make_pulses: of a phase of many turns JAX keeps fewer digits than that row asks for.


def l2_norm(x, out):
    return compiled(JIT, lambda x: jnp.sqrt(jnp.sum(x * x, axis=1)), [x], out)


def reduce(x, out):
    return compiled(JIT, jnp.sum, [x], out)


def product_and_reduce(x, y, out):
    return compiled(JIT, jnp.dot, [x, y], out)


def gemm(a, b, out):
    return compiled(JIT, jnp.matmul, [a, b], out)


matmul = matmul_of_each = gemm


def transpose(x, out):
    return compiled(JIT, lambda x: x.T.copy(), [x], out)


def sort(x, out):
    return compiled(JIT, jnp.sort, [x], out)


def fft2(x, out):
    return compiled(JIT, jnp.fft.fft2, [x], out)


def curvature(u):
    padded = jnp.pad(u, 1, mode="edge")
    return padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:] - 4 * u


def diffusion(u, rate, out):
    rate = np.float32(rate)
    return compiled(JIT, lambda u: u + rate * curvature(u), [u], out)


diffusion_threads = diffusion


def polynomial_kernel(x, degree, out):
    def horner(x):
        total = jnp.ones_like(x)
        for _ in range(int(degree)):
            total = total * x + 1
        return total

    return compiled(JIT, horner, [x], out)


def learning_step(x, labels, parameters, rate, hidden, out):
    inputs, hidden = x.shape[1], int(hidden)
    classes = (parameters.size - (inputs + 1) * hidden) // (hidden + 1)
    ends = np.cumsum([inputs * hidden, hidden, hidden * classes])
    w1, b1, w2, b2 = np.split(parameters, ends)
    rate = np.float32(rate)

    def loss(weights, x, labels):
        w1, b1, w2, b2 = weights
        scores = jnp.tanh(x @ w1 + b1) @ w2 + b2
        right = jnp.take_along_axis(scores, labels[:, None], 1)[:, 0]
        return jnp.mean(jax.nn.logsumexp(scores, axis=1) - right)

    def step(w1, b1, w2, b2, x, labels):
        weights = (w1, b1, w2, b2)
        value, gradients = jax.value_and_grad(loss)(weights, x, labels)
        return value, tuple(w - rate * g for w, g in zip(weights, gradients))

    arguments = [w1.reshape(inputs, hidden), b1, w2.reshape(hidden, classes), b2, x, labels]
    return compiled(JIT, step, arguments, out)


def learning_mixture(x, parameters, components, gamma, excess, out):
    k, d = int(components), x.shape[1]
    alpha, mu, q, l = np.split(parameters, np.cumsum([k, k * d, k * d]))
    rows, columns = np.tril_indices(d, -1)

    def posterior(arguments, x):
        alpha, mu, q, l = arguments
        diagonal = jnp.exp(q)
        factor = jnp.zeros((k, d, d)).at[:, rows, columns].set(l)
        factor = factor.at[:, np.arange(d), np.arange(d)].set(diagonal)
        # One product of matrices instead of a product for each component.
        images = x @ factor.reshape(k * d, d).T - jnp.einsum("krc,kc->kr", factor, mu).reshape(-1)
        squares = jnp.sum(images.reshape(-1, k, d) ** 2, axis=2)
        likelihood = jnp.sum(jax.nn.logsumexp(alpha + jnp.sum(q, axis=1) - squares / 2, axis=1))
        prior = excess * jnp.sum(q) - gamma**2 / 2 * (jnp.sum(diagonal**2) + jnp.sum(l**2))
        return likelihood - x.shape[0] * jax.nn.logsumexp(alpha) + prior

    arguments = (alpha, mu.reshape(k, d), q.reshape(k, d), l.reshape(k, -1))
    gradient = lambda a, mu, q, l, x: jax.value_and_grad(posterior)((a, mu, q, l), x)
    return compiled(JIT, gradient, [*arguments, x], out)


def learning_clusters(points, centroids, out):
    def cost(centroids, points):
        squares = jnp.sum(points**2, 1)[:, None] + jnp.sum(centroids**2, 1) - 2 * points @ centroids.T
        return jnp.sum(jnp.min(squares, axis=1))

    def direct_cost(centroids, points):
        return jnp.sum(jnp.min(jnp.sum((points[:, None] - centroids) ** 2, axis=2), axis=1))

    def step(cost):
        def newton(centroids, points):
            gradient = jax.grad(lambda c: cost(c, points))
            slope, curvature = jax.jvp(gradient, (centroids,), (jnp.ones_like(centroids),))
            return slope / curvature

        return newton

    arguments = [centroids, points]
    return {
        **compiled("JAX, jit, a product of matrices", step(cost), arguments, out),
        **compiled("JAX, jit, all differences", step(direct_cost), arguments, out),
    }


def learning_convolution(x, w, out):
    def convolution(x, w):
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    return compiled(JIT, convolution, [x, w], out)


python_small_ufunc = python_ufunc = add
python_reduce = reduce


def python_compile(x, y, out):
    arguments, result = [jnp.asarray(x), jnp.asarray(y)], []

    def once():
        def changed(x, y):  # a function that JAX meets for the first time
            inside = x * y + np.float32(1)
            inside = jnp.where(inside < 0, -inside, inside)
            return jnp.sqrt(inside) * jnp.maximum(x, y) - jnp.minimum(x, y)

        result[:] = [jax.block_until_ready(jax.jit(changed)(*arguments))]

    def deliver():
        out[...] = result[0]

    return {"JAX, jit, first call": (once, deliver)}


if __name__ == "__main__":
    peer_protocol.serve(f"JAX {jax.__version__}", globals())
