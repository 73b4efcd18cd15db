"""NVIDIA Warp on the processor: kernels that clang compiles, with a thread for each element."""

import atexit
import shutil
import tempfile

import peer_protocol

try:
    import numpy as np
    import warp as wp
except ImportError as problem:
    peer_protocol.lacking_by_pip("warp-lang", problem)

wp.config.quiet = True
wp.config.kernel_cache_dir = tempfile.mkdtemp(prefix="gridstride-warp-")
atexit.register(shutil.rmtree, wp.config.kernel_cache_dir, ignore_errors=True)
wp.config.enable_backward = False  # no adjoints: half the code
wp.init()

floats = wp.array(dtype=wp.float32, ndim=1)
table = wp.array(dtype=wp.float32, ndim=2)
NAME = "Warp"


def launches(kernel, extents, *arguments):
    """A way to launch the kernel, recorded once. NumPy's arrays are used in their own memory."""
    arguments = [wp.array(x, copy=False, device="cpu") if isinstance(x, np.ndarray) else x for x in arguments]
    return wp.launch(kernel, dim=extents, inputs=arguments, device="cpu", record_cmd=True).launch


@wp.kernel
def add_all(x: floats, y: floats, out: floats):
    i = wp.tid()
    out[i] = x[i] + y[i]


def add(x, y, out):
    return {NAME: launches(add_all, out.shape, x, y, out)}


@wp.kernel
def gaussian_all(x: floats, mean: float, sigma: float, out: floats):
    i = wp.tid()
    z = (x[i] - mean) / sigma
    out[i] = wp.exp(-0.5 * z * z) / (sigma * 2.5066282746310002)


def gaussian_pdf(x, mean, sigma, out):
    return {NAME: launches(gaussian_all, out.shape, x, mean, sigma, out)}


@wp.kernel
def layer_all(grey: floats, weight: floats, out: floats):
    i = wp.tid()
    v = grey[i] / 255.0 * weight[i]
    rising = wp.exp(v)
    falling = wp.exp(-v)
    out[i] = (rising - falling) / (rising + falling)


def neural_layer(grey, weight, out):
    return {NAME: launches(layer_all, out.shape, grey, weight, out)}


@wp.kernel
def suppress_all(x: wp.array(dtype=wp.int16, ndim=1), threshold: wp.int16, out: wp.array(dtype=wp.int16, ndim=1)):
    i = wp.tid()
    if x[i] >= threshold:
        out[i] = x[i]
    else:
        out[i] = wp.int16(0)


def zero_suppress(x, threshold, out):
    return {NAME: launches(suppress_all, out.shape, x, int(threshold), out)}


@wp.kernel
def hypot_all(x: floats, y: floats, out: floats):
    i = wp.tid()
    p = wp.abs(x[i])
    q = wp.abs(y[i])
    larger = wp.max(p, q)
    t = wp.min(p, q) / larger
    out[i] = larger * wp.sqrt(1.0 + t * t)


def hypot(x, y, out):
    return {NAME: launches(hypot_all, out.shape, x, y, out)}


@wp.kernel
def distances(radius: floats, angle: floats, other_radius: floats, other_angle: floats, out: floats):
    i = wp.tid()
    dx = radius[i] * wp.cos(angle[i]) - other_radius[i] * wp.cos(other_angle[i])
    dy = radius[i] * wp.sin(angle[i]) - other_radius[i] * wp.sin(other_angle[i])
    out[i] = wp.sqrt(dx * dx + dy * dy)


def polar_distance(radius, angle, other_radius, other_angle, out):
    return {NAME: launches(distances, out.shape, radius, angle, other_radius, other_angle, out)}


@wp.kernel
def norms(x: table, out: floats):
    r = wp.tid()
    total = float(0.0)
    for k in range(x.shape[1]):
        total += x[r, k] * x[r, k]
    out[r] = wp.sqrt(total)


def l2_norm(x, out):
    return {NAME: launches(norms, out.shape, x, out)}


@wp.kernel
def multiply(a: table, b: table, out: table):
    i, j = wp.tid()
    total = float(0.0)
    for k in range(b.shape[0]):
        total += a[i, k] * b[k, j]
    out[i, j] = total


def matmul(a, b, out):
    return {f"{NAME}, a row by a column": launches(multiply, out.shape, a, b, out)}


@wp.kernel
def transpose_all(x: table, out: table):
    i, j = wp.tid()
    out[i, j] = x[j, i]


def transpose(x, out):
    return {NAME: launches(transpose_all, out.shape, x, out)}


@wp.func
def curvature(u: table, r: int, c: int):
    above = u[wp.max(r - 1, 0), c]
    below = u[wp.min(r + 1, u.shape[0] - 1), c]
    left = u[r, wp.max(c - 1, 0)]
    right = u[r, wp.min(c + 1, u.shape[1] - 1)]
    return above + below + left + right - 4.0 * u[r, c]


@wp.kernel
def diffuse(u: table, rate: float, out: table):
    r, c = wp.tid()
    out[r, c] = u[r, c] + rate * curvature(u, r, c)


@wp.kernel
def diffuse_keeping(u: table, rate: float, out: table, laplacian: table):
    r, c = wp.tid()
    laplacian[r, c] = curvature(u, r, c)
    out[r, c] = u[r, c] + rate * laplacian[r, c]


def diffusion(u, rate, out):
    return {NAME: launches(diffuse, out.shape, u, rate, out)}


def diffusion_laplacian(u, rate, out):
    return {NAME: launches(diffuse_keeping, out.shape, u, rate, out, np.zeros_like(u))}


diffusion_threads = diffusion


@wp.kernel
def horner(x: floats, degree: int, out: floats):
    i = wp.tid()
    total = float(1.0)
    for _ in range(degree):
        total = total * x[i] + 1.0
    out[i] = total


def polynomial_kernel(x, degree, out):
    return {NAME: launches(horner, out.shape, x, int(degree), out)}


@wp.kernel
def count_all(x: floats, low: float, scale: float, out: wp.array(dtype=wp.uint32, ndim=1)):
    i = wp.tid()
    position = (x[i] - low) * scale
    bins = out.shape[0] - 1
    place = bins
    if position >= 0.0 and position < float(bins):
        place = int(position)
    wp.atomic_add(out, place, wp.uint32(1))


def histogram(x, low, scale, out):
    launch = launches(count_all, x.shape, x, low, scale, out)

    def count():
        out.fill(0)
        launch()

    return {f"{NAME}, atomics": count}


if __name__ == "__main__":
    peer_protocol.serve(f"Warp {wp.__version__}", globals())
