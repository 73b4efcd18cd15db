"""Taichi: loops over arrays that LLVM compiles and a pool of threads runs, on NumPy's arrays in their own memory."""

import peer_protocol

try:
    import numpy as np
    import taichi as ti
except ImportError as problem:
    peer_protocol.lacking_by_pip("taichi", problem)

ti.init(
    arch=ti.cpu, cpu_max_num_threads=peer_protocol.threads(), offline_cache=False, log_level=ti.ERROR, fast_math=False
)

floats = ti.types.ndarray(dtype=ti.f32, ndim=1)
table = ti.types.ndarray(dtype=ti.f32, ndim=2)
NAME = "Taichi"


@ti.kernel
def add_all(x: floats, y: floats, out: floats):
    for i in out:
        out[i] = x[i] + y[i]


def add(x, y, out):
    return {NAME: lambda: add_all(x, y, out)}


@ti.kernel
def gaussian_all(x: floats, mean: ti.f32, sigma: ti.f32, out: floats):
    for i in out:
        z = (x[i] - mean) / sigma
        out[i] = ti.exp(-0.5 * z * z) / (sigma * 2.5066282746310002)


def gaussian_pdf(x, mean, sigma, out):
    return {NAME: lambda: gaussian_all(x, mean, sigma, out)}


@ti.kernel
def layer_all(grey: floats, weight: floats, out: floats):
    for i in out:
        v = grey[i] / 255.0 * weight[i]
        rising, falling = ti.exp(v), ti.exp(-v)
        out[i] = (rising - falling) / (rising + falling)


def neural_layer(grey, weight, out):
    return {NAME: lambda: layer_all(grey, weight, out)}


@ti.kernel
def suppress_all(
    x: ti.types.ndarray(dtype=ti.i16, ndim=1), threshold: ti.i16, out: ti.types.ndarray(dtype=ti.i16, ndim=1)
):
    for i in out:
        out[i] = ti.cast(ti.select(x[i] >= threshold, x[i], 0), ti.i16)


def zero_suppress(x, threshold, out):
    return {NAME: lambda: suppress_all(x, int(threshold), out)}


@ti.kernel
def hypot_all(x: floats, y: floats, out: floats):
    for i in out:
        p, q = ti.abs(x[i]), ti.abs(y[i])
        larger = ti.max(p, q)
        t = ti.min(p, q) / larger
        out[i] = larger * ti.sqrt(1.0 + t * t)


def hypot(x, y, out):
    return {NAME: lambda: hypot_all(x, y, out)}


@ti.kernel
def distances(radius: floats, angle: floats, other_radius: floats, other_angle: floats, out: floats):
    for i in out:
        dx = radius[i] * ti.cos(angle[i]) - other_radius[i] * ti.cos(other_angle[i])
        dy = radius[i] * ti.sin(angle[i]) - other_radius[i] * ti.sin(other_angle[i])
        out[i] = ti.sqrt(dx * dx + dy * dy)


def polar_distance(radius, angle, other_radius, other_angle, out):
    return {NAME: lambda: distances(radius, angle, other_radius, other_angle, out)}


@ti.kernel
def norms(x: table, out: floats):
    for r in out:
        total = 0.0
        for k in range(x.shape[1]):
            total += x[r, k] * x[r, k]
        out[r] = ti.sqrt(total)


def l2_norm(x, out):
    return {NAME: lambda: norms(x, out)}


PIECES = 64  # sums in float32 whose terms are few enough to keep their digits


@ti.kernel
def sums_of_pieces(x: floats, partial: floats):
    for p in partial:
        each = (x.shape[0] + partial.shape[0] - 1) // partial.shape[0]
        total = 0.0
        for i in range(p * each, ti.min((p + 1) * each, x.shape[0])):
            total += x[i]
        partial[p] = total


@ti.kernel
def dots_of_pieces(x: floats, y: floats, partial: floats):
    for p in partial:
        each = (x.shape[0] + partial.shape[0] - 1) // partial.shape[0]
        total = 0.0
        for i in range(p * each, ti.min((p + 1) * each, x.shape[0])):
            total += x[i] * y[i]
        partial[p] = total


def in_partial_sums(kernel, arrays, out):
    # A single sum of 32 bits would lose digits after some ten million terms.
    partial = np.empty(max(PIECES, arrays[0].size >> 12), np.float32)

    def total():
        kernel(*arrays, partial)
        out[0] = partial.sum(dtype=np.float64)

    return {f"{NAME}, partial sums": total}


def reduce(x, out):
    return in_partial_sums(sums_of_pieces, [x], out)


def product_and_reduce(x, y, out):
    return in_partial_sums(dots_of_pieces, [x, y], out)


@ti.kernel
def multiply(a: table, b: table, out: table):
    for i, j in out:
        total = 0.0
        for k in range(b.shape[0]):
            total += a[i, k] * b[k, j]
        out[i, j] = total


def matmul(a, b, out):
    return {f"{NAME}, a row by a column": lambda: multiply(a, b, out)}


@ti.kernel
def transpose_all(x: table, out: table):
    ti.loop_config(block_dim=256)
    for i, j in out:
        out[i, j] = x[j, i]


def transpose(x, out):
    return {NAME: lambda: transpose_all(x, out)}


@ti.func
def curvature(u: ti.template(), r: ti.i32, c: ti.i32):
    above, below = u[ti.max(r - 1, 0), c], u[ti.min(r + 1, u.shape[0] - 1), c]
    left, right = u[r, ti.max(c - 1, 0)], u[r, ti.min(c + 1, u.shape[1] - 1)]
    return above + below + left + right - 4.0 * u[r, c]


@ti.kernel
def diffuse(u: table, rate: ti.f32, out: table):
    for r, c in out:
        out[r, c] = u[r, c] + rate * curvature(u, r, c)


@ti.kernel
def diffuse_keeping(u: table, rate: ti.f32, out: table, laplacian: table):
    for r, c in out:
        laplacian[r, c] = curvature(u, r, c)
        out[r, c] = u[r, c] + rate * laplacian[r, c]


def diffusion(u, rate, out):
    return {NAME: lambda: diffuse(u, rate, out)}


def diffusion_laplacian(u, rate, out):
    laplacian = np.zeros_like(u)
    return {NAME: lambda: diffuse_keeping(u, rate, out, laplacian)}


diffusion_threads = diffusion


@ti.kernel
def horner(x: floats, degree: ti.i32, out: floats):
    for i in out:
        total = 1.0
        for _ in range(degree):
            total = total * x[i] + 1.0
        out[i] = total


def polynomial_kernel(x, degree, out):
    return {NAME: lambda: horner(x, int(degree), out)}


@ti.kernel
def count_all(x: floats, low: ti.f32, scale: ti.f32, out: ti.types.ndarray(dtype=ti.u32, ndim=1)):
    for i in out:
        out[i] = 0
    for i in x:
        position, bins = (x[i] - low) * scale, out.shape[0] - 1
        inside = position >= 0 and position < bins
        out[ti.select(inside, ti.cast(position, ti.i32), bins)] += 1


def histogram(x, low, scale, out):
    return {f"{NAME}, atomics": lambda: count_all(x, low, scale, out)}


if __name__ == "__main__":
    peer_protocol.serve(f"Taichi {'.'.join(map(str, ti.__version__))}", globals())
