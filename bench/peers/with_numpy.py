"""NumPy: whole arrays, one operation after another, results written where they belong (`out=`).

One core, but for products of matrices, which are OpenBLAS's, and for random numbers, whose generators let go of Python's
lock. Long arrays are worked on in pieces that stay in the caches, as an expert does.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import peer_protocol

os.environ["OPENBLAS_NUM_THREADS"] = str(peer_protocol.threads())
try:
    import numpy as np
except ImportError as problem:
    peer_protocol.lacking("python3-numpy", problem)

PIECE = 65536  # elements
THREADS = ThreadPoolExecutor(peer_protocol.threads())  # NumPy lets go of Python's lock while it computes


def in_pieces(n, f):
    """f(piece, buffers) for slices of at most PIECE of n elements, on all cores; two buffers of float32 each."""
    cores = peer_protocol.threads()
    buffers = [np.empty((2, PIECE), np.float32) for _ in range(cores)]

    def work(core):
        for start in range(core * PIECE, n, cores * PIECE):
            piece = slice(start, min(start + PIECE, n))
            f(piece, buffers[core][:, : piece.stop - start])

    if n <= PIECE:
        return lambda: work(0)
    return lambda: list(THREADS.map(work, range(cores)))


def add(x, y, out):
    return {
        "NumPy": lambda: np.add(x, y, out=out),
        "NumPy, pieces on threads": in_pieces(out.size, lambda p, _: np.add(x[p], y[p], out=out[p])),
    }


def gaussian_pdf(x, mean, sigma, out):
    mean, sigma = np.float32(mean), np.float32(sigma)
    scale, height = -0.5 / sigma**2, 1 / (sigma * np.float32(2.5066282746310002))
    scale, height = np.float32(scale), np.float32(height)

    def density(x, out):
        np.subtract(x, mean, out=out)
        np.multiply(out, out, out=out)
        np.multiply(out, scale, out=out)
        np.exp(out, out=out)
        np.multiply(out, height, out=out)

    return {
        "NumPy": lambda: density(x, out),
        "NumPy, pieces on threads": in_pieces(out.size, lambda p, _: density(x[p], out[p])),
    }


def neural_layer(grey, weight, out):
    scale = np.float32(1 / 255)

    def layer(grey, weight, out, rising, falling):
        np.multiply(grey, scale, out=rising)
        np.multiply(rising, weight, out=rising)
        np.negative(rising, out=falling)
        np.exp(rising, out=rising)
        np.exp(falling, out=falling)
        np.subtract(rising, falling, out=out)
        np.add(rising, falling, out=rising)
        np.divide(out, rising, out=out)

    return {
        "NumPy, pieces on threads": in_pieces(
            out.size, lambda p, b: layer(grey[p], weight[p], out[p], b[0], b[1])
        )
    }


def zero_suppress(x, threshold, out):
    threshold = np.int16(threshold)
    return {
        "NumPy": lambda: np.multiply(x, x >= threshold, out=out),
        "NumPy, pieces on threads": in_pieces(
            out.size, lambda p, _: np.multiply(x[p], x[p] >= threshold, out=out[p])
        ),
    }


def hypot(x, y, out):
    return {
        "NumPy": lambda: np.hypot(x, y, out=out),
        "NumPy, pieces on threads": in_pieces(out.size, lambda p, _: np.hypot(x[p], y[p], out=out[p])),
    }


def polar_distance(radius, angle, other_radius, other_angle, out):
    def distance(p, buffers):
        dx, dy = buffers
        np.multiply(radius[p], np.cos(angle[p], out=dx), out=dx)
        np.subtract(dx, other_radius[p] * np.cos(other_angle[p]), out=dx)
        np.multiply(radius[p], np.sin(angle[p], out=dy), out=dy)
        np.subtract(dy, other_radius[p] * np.sin(other_angle[p]), out=dy)
        np.multiply(dx, dx, out=dx)
        np.multiply(dy, dy, out=dy)
        np.sqrt(np.add(dx, dy, out=dx), out=out[p])

    return {"NumPy, pieces on threads": in_pieces(out.size, distance)}


def make_pulses(time, period, height, out):
    period = np.float32(period)

    def pulse(p, _):
        tip = out[p]
        np.multiply(time[p], np.float32(6.28318531), out=tip)
        np.sin(np.divide(tip, period, out=tip), out=tip)
        np.subtract(tip, np.float32(0.3), out=tip)
        np.divide(tip, np.float32(0.7), out=tip)
        np.maximum(tip, np.float32(0), out=tip)
        np.multiply(tip, height[p], out=tip)

    return {"NumPy, pieces on threads": in_pieces(out.size, pulse)}


def l2_norm(x, out):
    rows = max(1, PIECE // x.shape[1])

    def norms(start):
        part = slice(start, start + rows)
        np.einsum("ij,ij->i", x[part], x[part], out=out[part])
        np.sqrt(out[part], out=out[part])

    starts = range(0, out.size, rows)
    return {"NumPy, einsum on threads": lambda: list(THREADS.map(norms, starts))}


def reduce(x, out):
    cores = peer_protocol.threads()
    each = (x.size + cores - 1) // cores

    def total():
        out[0] = sum(THREADS.map(lambda core: x[core * each : (core + 1) * each].sum(), range(cores)))

    return {"NumPy": lambda: np.sum(x, out=out[:1].reshape(())), "NumPy, on threads": total}


def product_and_reduce(x, y, out):
    cores = peer_protocol.threads()
    each = (x.size + cores - 1) // cores
    pieces = [slice(core * each, (core + 1) * each) for core in range(cores)]

    # One call for all of them would lose digits: half a percent of a hundred million products.
    def product():
        out[0] = sum(THREADS.map(lambda p: np.dot(x[p], y[p]), pieces))

    return {"NumPy, dot on threads": product}


def pi_with_own_generator(draws, out):
    draws, cores = int(draws), peer_protocol.threads()
    generators = [np.random.Generator(np.random.SFC64(s)) for s in np.random.SeedSequence(1).spawn(cores)]
    buffers = [np.empty((2, PIECE // 2), np.float32) for _ in range(cores)]

    def inside(core):
        x, y = buffers[core]
        left, count = draws // cores + (core < draws % cores), 0
        while left:
            n = min(left, x.size)
            a, b = x[:n], y[:n]
            generators[core].random(out=a, dtype=np.float32)
            generators[core].random(out=b, dtype=np.float32)
            np.multiply(a, a, out=a)
            np.multiply(b, b, out=b)
            count += np.count_nonzero(np.add(a, b, out=a) <= 1)
            left -= n
        return count

    def total():
        out[0] = sum(THREADS.map(inside, range(cores)))

    return {"NumPy, SFC64 on threads": total}


def gemm(a, b, out):
    return {"NumPy, dot": lambda: np.dot(a, b, out=out)}


matmul = gemm


def matmul_of_each(a, b, out):
    return {"NumPy, matmul": lambda: np.matmul(a, b, out=out)}


def transpose(x, out):
    side = 256

    def rows(start):
        for column in range(0, out.shape[1], side):
            part = slice(start, start + side), slice(column, column + side)
            np.copyto(out[part], x[part[1], part[0]].T)

    starts = range(0, out.shape[0], side)
    return {
        "NumPy, copyto": lambda: np.copyto(out, x.T),
        "NumPy, tiles on threads": lambda: list(THREADS.map(rows, starts)),
    }


def fft2(x, out):
    def transform():
        out[...] = np.fft.fft2(x)

    return {"NumPy, fft2": transform}


def fft_mask(x, least, out):
    least = int(least)

    def filtered():
        spectrum = np.fft.rfft2(x)
        spectrum[:least, :least] = 0
        spectrum[1 - least :, :least] = 0
        out[...] = np.fft.irfft2(spectrum, x.shape)

    return {"NumPy, rfft2 and irfft2": filtered}


def sort(x, out):
    def sorted_copy():
        np.copyto(out, x)
        out.sort()

    return {"NumPy, sort of a copy": sorted_copy}


def diffusion_rows(u, rate, out, laplacian):
    """A function that does one step for some rows."""
    last = u.shape[0] - 1

    def step(start, stop):
        inner = slice(start, stop)
        above = u[max(start - 1, 0) : stop - 1] if start else np.concatenate((u[:1], u[: stop - 1]))
        below = u[start + 1 : stop + 1] if stop <= last else np.concatenate((u[start + 1 :], u[last:]))
        curvature = laplacian[inner]
        np.add(above, below, out=curvature)
        curvature[:, 1:] += u[inner, :-1]
        curvature[:, :1] += u[inner, :1]
        curvature[:, :-1] += u[inner, 1:]
        curvature[:, -1:] += u[inner, -1:]
        np.multiply(u[inner], np.float32(4), out=out[inner])
        curvature -= out[inner]
        np.multiply(curvature, rate, out=out[inner])
        out[inner] += u[inner]

    return step


def diffusion(u, rate, out):
    rows = max(1, PIECE // 2 // u.shape[1])
    step = diffusion_rows(u, np.float32(rate), out, np.zeros_like(u))
    starts = range(0, u.shape[0], rows)
    stops = [min(start + rows, u.shape[0]) for start in starts]
    return {"NumPy, rows on threads": lambda: list(THREADS.map(step, starts, stops))}


diffusion_laplacian = diffusion  # it keeps it in any case


def histogram(x, low, scale, out):
    low, scale, bins, cores = np.float32(low), np.float32(scale), out.size - 1, peer_protocol.threads()
    if bins < 1:
        return {}
    indices = [np.empty(PIECE, np.float32) for _ in range(cores)]

    def count(core):
        counts = np.zeros(bins + 1, np.int64)
        for start in range(core * PIECE, x.size, cores * PIECE):
            part = x[start : start + PIECE]
            position = indices[core][: part.size]
            np.multiply(np.subtract(part, low, out=position), scale, out=position)
            np.copyto(position, bins, where=~((position >= 0) & (position < bins)))
            counts += np.bincount(position.astype(np.int64), minlength=bins + 1)
        return counts

    def total():
        out[:] = sum(THREADS.map(count, range(cores)))

    return {"NumPy, bincount on threads": total}


def polynomial_kernel(x, degree, out):
    def horner(p, _):
        total = out[p]
        total.fill(1)
        for _ in range(int(degree)):
            np.multiply(total, x[p], out=total)
            np.add(total, np.float32(1), out=total)

    return {"NumPy, pieces on threads": in_pieces(out.size, horner)}


def small_ufunc(x, y, out):
    return {"NumPy": lambda: np.add(x, y, out=out)}


python_small_ufunc, python_ufunc, python_reduce = small_ufunc, add, reduce


def group_by(keys, values, out):
    def by_sort():
        order = np.argsort(keys, kind="stable")
        ordered = keys[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
        np.add.reduceat(values[order], starts, dtype=np.float64, out=out)

    def by_counting():
        out[...] = np.bincount(keys, weights=values, minlength=out.size)

    return {"NumPy, argsort and reduceat": by_sort, "NumPy, bincount": by_counting}


def join(left, right, values, out):
    def by_bisection():
        order = np.argsort(right, kind="stable")
        np.take(values, order[np.searchsorted(right[order], left)], out=out)

    return {"NumPy, argsort and searchsorted": by_bisection}


if __name__ == "__main__":
    peer_protocol.serve(f"NumPy {np.__version__}", globals())
