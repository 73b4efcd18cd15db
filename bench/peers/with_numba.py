"""Numba: loops that LLVM compiles, spread over the cores.

The form that has proved fastest: a parallel loop over pieces, and for a piece a function of its own, which is vectorised.
Without Intel's vector library (SVML) the exponential function is slow, so it is also written out.
"""

import math
import os

import peer_protocol

os.environ["NUMBA_THREADING_LAYER"] = "workqueue"  # the default, OpenMP, is slower or not there
os.environ["NUMBA_NUM_THREADS"] = str(peer_protocol.threads())
try:
    import numba
    import numpy as np
    from numba import prange
    from numba.extending import intrinsic
except ImportError as problem:
    peer_protocol.lacking("python3-numba", problem)

PIECE = 16384  # elements: a few of them fit a first-level cache

# Sums may be reordered. Elsewhere the order of operations is part of the precision.
loop = numba.njit(fastmath=True, error_model="numpy")
exact_loop = numba.njit(fastmath={"contract", "nsz", "arcp"}, error_model="numpy")
parallel = numba.njit(parallel=True, fastmath=True, error_model="numpy")


@intrinsic
def float_of_bits(typing, bits):
    """The float32 that has these 32 bits."""

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], context.get_value_type(numba.float32))

    return numba.float32(numba.int32), generate


@numba.njit(fastmath={"contract", "nsz", "arcp"}, error_model="numpy", inline="always")
def exp_by_hand(x):
    """exp for -87 < x < 88, float32: the polynomial of Cephes' expf (Moshier, 1992) around the nearest power of two."""
    x = min(max(x, np.float32(-87)), np.float32(88))
    power = np.floor(x * np.float32(1.44269504) + np.float32(0.5))
    x = x - power * np.float32(0.693359375)
    x = x - power * np.float32(-2.12194440e-4)
    y = np.float32(1.9875691500e-4)
    y = y * x + np.float32(1.3981999507e-3)
    y = y * x + np.float32(8.3334519073e-3)
    y = y * x + np.float32(4.1665795894e-2)
    y = y * x + np.float32(1.6666665459e-1)
    y = y * x + np.float32(5.0000001201e-1)
    y = y * x * x + x + np.float32(1)
    return y * float_of_bits(np.int32(np.int32(power) + np.int32(127)) << np.int32(23))


@loop
def add_piece(x, y, out):
    for i in range(out.size):
        out[i] = x[i] + y[i]


@parallel
def add_all(x, y, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        piece = slice(p * PIECE, (p + 1) * PIECE)
        add_piece(x[piece], y[piece], out[piece])


def add(x, y, out):
    return {"Numba, parallel": lambda: add_all(x, y, out)}


@exact_loop
def gaussian_piece(x, mean, sigma, out):
    for i in range(out.size):
        z = (x[i] - mean) / sigma
        out[i] = np.exp(np.float32(-0.5) * z * z) / (sigma * np.float32(2.5066282746310002))


@exact_loop
def gaussian_piece_by_hand(x, mean, sigma, out):
    for i in range(out.size):
        z = (x[i] - mean) / sigma
        out[i] = exp_by_hand(np.float32(-0.5) * z * z) / (sigma * np.float32(2.5066282746310002))


@parallel
def gaussian_all(x, mean, sigma, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        gaussian_piece(x[p * PIECE : (p + 1) * PIECE], mean, sigma, out[p * PIECE : (p + 1) * PIECE])


@parallel
def gaussian_all_by_hand(x, mean, sigma, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        gaussian_piece_by_hand(x[p * PIECE : (p + 1) * PIECE], mean, sigma, out[p * PIECE : (p + 1) * PIECE])


def gaussian_pdf(x, mean, sigma, out):
    mean, sigma = np.float32(mean), np.float32(sigma)
    return {
        "Numba, parallel": lambda: gaussian_all(x, mean, sigma, out),
        "Numba, parallel, exp by hand": lambda: gaussian_all_by_hand(x, mean, sigma, out),
    }


@exact_loop
def layer_piece(grey, weight, out):
    for i in range(out.size):
        v = grey[i] / np.float32(255) * weight[i]
        rising, falling = np.exp(v), np.exp(-v)
        out[i] = (rising - falling) / (rising + falling)


@exact_loop
def layer_piece_by_hand(grey, weight, out):
    for i in range(out.size):
        v = grey[i] / np.float32(255) * weight[i]
        rising, falling = exp_by_hand(v), exp_by_hand(-v)
        out[i] = (rising - falling) / (rising + falling)


@parallel
def layer_all(grey, weight, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        piece = slice(p * PIECE, (p + 1) * PIECE)
        layer_piece(grey[piece], weight[piece], out[piece])


@parallel
def layer_all_by_hand(grey, weight, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        piece = slice(p * PIECE, (p + 1) * PIECE)
        layer_piece_by_hand(grey[piece], weight[piece], out[piece])


def neural_layer(grey, weight, out):
    return {
        "Numba, parallel": lambda: layer_all(grey, weight, out),
        "Numba, parallel, exp by hand": lambda: layer_all_by_hand(grey, weight, out),
    }


@loop
def suppress_piece(x, threshold, out):
    for i in range(out.size):
        out[i] = x[i] if x[i] >= threshold else 0


@parallel
def suppress_all(x, threshold, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        suppress_piece(x[p * PIECE : (p + 1) * PIECE], threshold, out[p * PIECE : (p + 1) * PIECE])


def zero_suppress(x, threshold, out):
    threshold = np.int16(threshold)
    return {"Numba, parallel": lambda: suppress_all(x, threshold, out)}


@loop
def hypot_piece(x, y, out):
    for i in range(out.size):
        p, q = abs(x[i]), abs(y[i])
        larger = max(p, q)
        t = min(p, q) / larger
        out[i] = larger * np.sqrt(np.float32(1) + t * t)


@parallel
def hypot_all(x, y, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        piece = slice(p * PIECE, (p + 1) * PIECE)
        hypot_piece(x[piece], y[piece], out[piece])


def hypot(x, y, out):
    return {"Numba, parallel": lambda: hypot_all(x, y, out)}


@parallel
def distances(radius, angle, other_radius, other_angle, out):
    for i in prange(out.size):
        dx = radius[i] * np.cos(angle[i]) - other_radius[i] * np.cos(other_angle[i])
        dy = radius[i] * np.sin(angle[i]) - other_radius[i] * np.sin(other_angle[i])
        out[i] = np.sqrt(dx * dx + dy * dy)


def polar_distance(radius, angle, other_radius, other_angle, out):
    return {"Numba, parallel": lambda: distances(radius, angle, other_radius, other_angle, out)}


@numba.njit(parallel=True, error_model="numpy")  # a phase of many turns has no digits to spare
def pulses(time, period, height, out):
    for i in prange(out.size):
        tip = (np.sin(np.float32(6.28318531) * time[i] / period) - np.float32(0.3)) / np.float32(0.7)
        out[i] = max(tip, np.float32(0)) * height[i]


def make_pulses(time, period, height, out):
    period = np.float32(period)
    return {"Numba, parallel": lambda: pulses(time, period, height, out)}


@parallel
def norms_of_pairs(x, out):
    for r in prange(out.size):
        out[r] = np.sqrt(x[r, 0] * x[r, 0] + x[r, 1] * x[r, 1])


@loop
def norm_of_row(row):
    total = np.float32(0)
    for i in range(row.size):
        total += row[i] * row[i]
    return np.sqrt(total)


@parallel
def norms_of_rows(x, out):
    for r in prange(out.size):
        out[r] = norm_of_row(x[r])


def l2_norm(x, out):
    norms = norms_of_pairs if x.shape[1] == 2 else norms_of_rows
    return {"Numba, parallel": lambda: norms(x, out)}


@loop
def sum_of_piece(x):
    total = np.float32(0)
    for i in range(x.size):
        total += x[i]
    return total


@parallel
def sum_of_all(x, out):
    total = np.float32(0)
    for p in prange((x.size + PIECE - 1) // PIECE):
        total += sum_of_piece(x[p * PIECE : (p + 1) * PIECE])
    out[0] = total


def reduce(x, out):
    return {"Numba, parallel": lambda: sum_of_all(x, out)}


@loop
def dot_of_piece(x, y):
    total = np.float32(0)
    for i in range(x.size):
        total += x[i] * y[i]
    return total


@parallel
def dot_of_all(x, y, out):
    total = np.float32(0)
    for p in prange((x.size + PIECE - 1) // PIECE):
        piece = slice(p * PIECE, (p + 1) * PIECE)
        total += dot_of_piece(x[piece], y[piece])
    out[0] = total


def product_and_reduce(x, y, out):
    return {"Numba, parallel": lambda: dot_of_all(x, y, out)}


LANES = 16  # streams side by side: a vector of generators


@numba.njit(fastmath={"contract", "nsz", "arcp"}, error_model="numpy")
def darts_of_streams(streams, darts):
    s0, s1 = streams[:, 0].copy(), streams[:, 1].copy()
    inside = np.zeros(LANES, np.int64)
    for _ in range(darts):
        for k in range(LANES):
            result, mixed = s0[k] + s1[k], s0[k] ^ s1[k]
            a = ((s0[k] << np.uint64(55)) | (s0[k] >> np.uint64(9))) ^ mixed ^ (mixed << np.uint64(14))
            b = (mixed << np.uint64(36)) | (mixed >> np.uint64(28))
            x = np.float32(np.int64(result >> np.uint64(11)) * 2.0**-53)
            result, mixed = a + b, a ^ b
            s0[k] = ((a << np.uint64(55)) | (a >> np.uint64(9))) ^ mixed ^ (mixed << np.uint64(14))
            s1[k] = (mixed << np.uint64(36)) | (mixed >> np.uint64(28))
            y = np.float32(np.int64(result >> np.uint64(11)) * 2.0**-53)
            inside[k] += x * x + y * y <= np.float32(1)
    return inside.sum()


@parallel
def darts_of_all(streams, darts, out):
    total = 0
    for p in prange(streams.shape[0] // LANES):
        total += darts_of_streams(streams[p * LANES : (p + 1) * LANES], darts)
    out[0] = total


def pi(streams, darts, out):
    darts = int(darts)
    return {"Numba, parallel, 16 lanes": lambda: darts_of_all(streams, darts, out)}


@numba.njit
def jump_one_by_one(s, streams):
    s0 = s1 = s
    for i in range(streams.shape[0]):
        streams[i, 0], streams[i, 1] = s0, s1
        t0 = t1 = np.uint64(0)
        for coefficients in (np.uint64(0xBEAC0467EBA5FACB), np.uint64(0xD86B048B86AA9922)):
            for bit in range(64):
                if coefficients >> np.uint64(bit) & np.uint64(1):
                    t0 ^= s0
                    t1 ^= s1
                mixed = s0 ^ s1
                s0 = ((s0 << np.uint64(55)) | (s0 >> np.uint64(9))) ^ mixed ^ (mixed << np.uint64(14))
                s1 = (mixed << np.uint64(36)) | (mixed >> np.uint64(28))
        s0, s1 = t0, t1


def random_states(first, out):
    return {"Numba, one jump after another": lambda: jump_one_by_one(first[0], out)}


@loop
def matmul_rows(a, b, out):
    out[:] = np.float32(0)
    for k in range(b.shape[0]):
        for i in range(out.shape[0]):
            factor = a[i, k]
            for j in range(out.shape[1]):
                out[i, j] += factor * b[k, j]


@parallel
def matmul_all(a, b, out):
    rows = 8  # of the result, so that a row of b serves several
    for p in prange((out.shape[0] + rows - 1) // rows):
        matmul_rows(a[p * rows : (p + 1) * rows], b, out[p * rows : (p + 1) * rows])


def matmul(a, b, out):
    return {"Numba, parallel, 8 rows at a time": lambda: matmul_all(a, b, out)}


@parallel
def matmul_each(a, b, out):
    for p in prange(out.shape[0]):
        matmul_rows(a[p], b[p], out[p])


def matmul_of_each(a, b, out):
    return {"Numba, parallel": lambda: matmul_each(a, b, out)}


@loop
def transpose_tile(x, out):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = x[j, i]


@parallel
def transpose_all(x, out):
    side = 32
    across = (out.shape[1] + side - 1) // side
    for p in prange((out.shape[0] + side - 1) // side * across):
        i, j = p // across * side, p % across * side
        transpose_tile(x[j : j + side, i : i + side], out[i : i + side, j : j + side])


def transpose(x, out):
    return {"Numba, parallel, tiles": lambda: transpose_all(x, out)}


@loop
def diffuse_row(up, row, down, rate, out):
    n = row.size
    for i in range(1, n - 1):
        out[i] = row[i] + rate * (up[i] + down[i] + row[i - 1] + row[i + 1] - np.float32(4) * row[i])
    for i, left, right in ((0, 0, min(1, n - 1)), (n - 1, max(n - 2, 0), n - 1)):
        out[i] = row[i] + rate * (up[i] + down[i] + row[left] + row[right] - np.float32(4) * row[i])


@loop
def diffuse_row_keeping(up, row, down, rate, out, laplacian):
    n = row.size
    for i in range(1, n - 1):
        curvature = up[i] + down[i] + row[i - 1] + row[i + 1] - np.float32(4) * row[i]
        laplacian[i] = curvature
        out[i] = row[i] + rate * curvature
    for i, left, right in ((0, 0, min(1, n - 1)), (n - 1, max(n - 2, 0), n - 1)):
        laplacian[i] = up[i] + down[i] + row[left] + row[right] - np.float32(4) * row[i]
        out[i] = row[i] + rate * laplacian[i]


@parallel
def diffuse(u, rate, out):
    for r in prange(u.shape[0]):
        diffuse_row(u[max(r - 1, 0)], u[r], u[min(r + 1, u.shape[0] - 1)], rate, out[r])


@parallel
def diffuse_keeping(u, rate, out, laplacian):
    for r in prange(u.shape[0]):
        diffuse_row_keeping(u[max(r - 1, 0)], u[r], u[min(r + 1, u.shape[0] - 1)], rate, out[r], laplacian[r])


def diffusion(u, rate, out):
    rate = np.float32(rate)
    return {"Numba, parallel rows": lambda: diffuse(u, rate, out)}


def diffusion_laplacian(u, rate, out):
    rate, laplacian = np.float32(rate), np.zeros_like(u)
    return {"Numba, parallel rows": lambda: diffuse_keeping(u, rate, out, laplacian)}


COPIES = 8  # of the counters: consecutive values don't wait for each other's addition


@loop
def count_piece(x, low, scale, counts):
    bins = np.int32(counts.shape[0] - 1)
    index = np.empty(256, np.int32)
    for start in range(0, x.size, index.size):
        n = min(index.size, x.size - start)
        for i in range(n):
            position = (x[start + i] - low) * scale
            index[i] = np.int32(position) if (position >= 0) & (position < bins) else bins
        for i in range(n):
            counts[index[i], i % COPIES] += np.uint32(1)


@loop
def add_counts(counts, out):
    for b in range(out.size):
        total = np.uint32(0)
        for t in range(counts.shape[0]):
            for k in range(COPIES):
                total += counts[t, b, k]
        out[b] = total


@parallel
def count_all(x, low, scale, out, threads):
    counts = np.zeros((threads, out.size, COPIES), np.uint32)
    each = (x.size + threads - 1) // threads
    for t in prange(threads):
        count_piece(x[t * each : (t + 1) * each], low, scale, counts[t])
    add_counts(counts, out)


def histogram(x, low, scale, out):
    low, scale, threads = np.float32(low), np.float32(scale), numba.get_num_threads()
    return {"Numba, parallel, per core": lambda: count_all(x, low, scale, out, threads)}


@loop
def polynomial_piece(x, degree, out):
    for i in range(out.size):
        total = np.float32(1)
        for _ in range(15):
            total = total * x[i] + np.float32(1)
        out[i] = total


@parallel
def polynomial_all(x, degree, out):
    for p in prange((out.size + PIECE - 1) // PIECE):
        polynomial_piece(x[p * PIECE : (p + 1) * PIECE], degree, out[p * PIECE : (p + 1) * PIECE])


def polynomial_kernel(x, degree, out):
    return {"Numba, parallel": lambda: polynomial_all(x, int(degree), out)} if degree == 15 else {}


@numba.njit
def small_sum(x, y, out):
    for i in range(out.size):
        out[i] = x[i] + y[i]


def small_ufunc(x, y, out):
    return {"Numba, call of a compiled function": lambda: small_sum(x, y, out)}


@parallel
def touch(blocks):
    for b in prange(blocks.size):
        blocks[b] = b


def empty_launch():
    blocks = np.zeros(30, np.int32)
    return {"Numba, parallel loop of 30": lambda: touch(blocks)}


def changed(x, y):
    inside = x * y + np.float32(1)
    if inside < 0:
        inside = -inside
    root = math.sqrt(inside)
    high = max(x, y)
    low = min(x, y)
    return np.float32(root * high - low)


def compile_again(x, y, out):
    """A function that Numba meets for the first time has a dispatcher of its own, so each call compiles."""
    return {
        "Numba, vectorize": lambda: numba.vectorize(["float32(float32, float32)"])(changed)(x, y, out),
        "Numba, njit": lambda: each_element(numba.njit(changed), x, y, out),
    }


def each_element(function, x, y, out):
    @numba.njit
    def loop(x, y, out):
        for i in range(out.size):
            out[i] = function(x[i], y[i])

    loop(x, y, out)


python_small_ufunc, python_ufunc, python_reduce, python_launch = small_ufunc, add, reduce, empty_launch
python_compile = compile_again


if __name__ == "__main__":
    peer_protocol.serve(f"Numba {numba.__version__}, {numba.get_num_threads()} threads", globals())
