"""PoCL: OpenCL kernels on the cores. Work items with barriers between them become loops, as on the engine.

Arrays are the host's own (CL_MEM_USE_HOST_PTR): nothing is copied. The thin layer between Python and OpenCL costs about a
microsecond a launch.
"""

import os
import pathlib

import peer_protocol

os.environ["POCL_MAX_PTHREAD_COUNT"] = str(peer_protocol.threads())
os.environ["PYOPENCL_NO_CACHE"] = "1"
try:
    import numpy as np
    import pyopencl as cl
except ImportError as problem:
    peer_protocol.lacking("python3-pyopencl pocl-opencl-icd", problem)

ITEMS = 16 * peer_protocol.threads()  # work items where each has a piece of its own
GROUP = 1024  # work items of a group, where it doesn't matter
FAST = "-cl-fast-relaxed-math"


def find_device():
    try:
        for platform in cl.get_platforms():
            if platform.name == "Portable Computing Language":
                for device in platform.get_devices(cl.device_type.CPU):
                    return device
    except cl.LogicError:  # no OpenCL at all
        pass
    peer_protocol.lacking("pocl-opencl-icd", "PoCL is not among the OpenCL platforms")


DEVICE = find_device()
CONTEXT = cl.Context([DEVICE])
QUEUE = cl.CommandQueue(CONTEXT)
SOURCE = (pathlib.Path(__file__).parent / "pocl_kernels.cl").read_text()


def program(*options):
    return cl.Program(CONTEXT, SOURCE).build(options=[*options], cache_dir=False)


PROGRAMS = {"": program(), FAST: program(FAST)}


def on_device(array):
    return cl.Buffer(CONTEXT, cl.mem_flags.USE_HOST_PTR | cl.mem_flags.READ_WRITE, hostbuf=array)


class Kernel:
    """A kernel with its arguments, arrays among them. OpenCL doesn't keep those; this does."""

    def __init__(self, options, name, *arguments):
        self.arguments = [on_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
        self.kernel = cl.Kernel(PROGRAMS[options], name)
        self.kernel.set_args(*self.arguments)

    def launch(self, items, group=None):
        cl.enqueue_nd_range_kernel(QUEUE, self.kernel, items, group)

    def launch_each(self, n):
        """One work item each for any n: whole groups, then the rest. PoCL makes groups of 1 where n is a prime."""
        whole = n // GROUP * GROUP
        if whole:
            cl.enqueue_nd_range_kernel(QUEUE, self.kernel, (whole,), (GROUP,))
        if n > whole:
            cl.enqueue_nd_range_kernel(QUEUE, self.kernel, (n - whole,), (n - whole,), (whole,))

    def run(self, items, group=None):
        if len(items) == 1 and group is None:
            self.launch_each(items[0])
        else:
            self.launch(items, group)
        QUEUE.finish()


def ways(name, items, *arguments, group=None):
    """The kernel compiled as it is, and with relaxed precision."""

    def way(options):
        made = Kernel(options, name, *arguments)
        return lambda: made.run(items, group)

    return {"PoCL": way(""), f"PoCL, {FAST}": way(FAST)}


def add(x, y, out):
    return {"PoCL": ways("add", out.shape, x, y, out)["PoCL"]}


def gaussian_pdf(x, mean, sigma, out):
    return ways("gaussian_pdf", out.shape, x, np.float32(mean), np.float32(sigma), out)


def neural_layer(grey, weight, out):
    return ways("neural_layer", out.shape, grey, weight, out)


def zero_suppress(x, threshold, out):
    return {"PoCL": ways("zero_suppress", out.shape, x, np.int16(threshold), out)["PoCL"]}


def hypot(x, y, out):
    return ways("hypot_textbook", out.shape, x, y, out)


def polar_distance(radius, angle, other_radius, other_angle, out):
    return ways("polar_distance", out.shape, radius, angle, other_radius, other_angle, out)


def make_pulses(time, period, height, out):
    # With relaxed precision, a phase of many turns loses its digits.
    return {"PoCL": ways("make_pulses", out.shape, time, np.float32(period), height, out)["PoCL"]}


def l2_norm(x, out):
    name = "l2_norm" if x.shape[1] < 32 else "l2_norm_16"
    return ways(name, out.shape, x, np.uint32(x.shape[1]), out)


def sums_of_items(name, out, *arguments):
    """Every work item leaves a sum; the host adds them."""
    sums = np.zeros(ITEMS, np.float32 if out.dtype.kind == "f" else out.dtype)
    made = Kernel("", name, *arguments, sums)

    def total():
        made.run(sums.shape, (1,))
        out[0] = sums.sum()

    return {"PoCL": total}


def reduce(x, out):
    return sums_of_items("reduce", out, x, np.uint64(x.size))


def product_and_reduce(x, y, out):
    return sums_of_items("dot_product", out, x, y, np.uint64(x.size))


def pi(streams, darts, out):
    inside = np.zeros(streams.shape[0] // 8, np.uint64)
    made = Kernel("", "pi", streams, np.uint32(darts), inside)

    def total():
        made.run(inside.shape)
        out[0] = inside.sum()

    return {"PoCL, 8 lanes": total}


def matmul(a, b, out):
    side = out.shape[0]
    if side % 16:
        return {}
    found = ways("matmul", (side, side), a, b, out, np.uint32(side), group=(16, 16))
    return {name.replace("PoCL", "PoCL, tiles of 16 x 16"): way for name, way in found.items()}


matmul_by_threads = matmul


def matmul_of_each(a, b, out):
    count, side, _ = out.shape
    return ways("matmul_of_each", (side, side, count), a, b, np.uint32(side), out)


def transpose(x, out):
    rows, columns = x.shape
    items = tuple((extent + 15) // 16 * 16 for extent in (columns, rows))
    return {
        "PoCL, tiles of 16 x 16": ways(
            "transpose", items, x, np.uint32(rows), np.uint32(columns), out, group=(16, 16)
        )["PoCL"]
    }


def diffusion(u, rate, out):
    return ways("diffusion", u.shape[::-1], u, np.float32(rate), out)


def diffusion_laplacian(u, rate, out):
    return ways("diffusion_laplacian", u.shape[::-1], u, np.float32(rate), out, np.zeros_like(u))


def diffusion_threads(u, rate, out):
    rows, columns = u.shape
    items = tuple((extent + 7) // 8 * 8 for extent in (columns, rows))
    arguments = u, np.float32(rate), np.uint32(rows), np.uint32(columns), out
    return ways("diffusion_threads", items, *arguments, group=(8, 8))


def histogram(x, low, scale, out):
    bins = out.size - 1
    own = np.zeros((ITEMS, bins + 1, 8), np.uint32)
    count = Kernel(
        "", "histogram", x, np.uint64(x.size), np.float32(low), np.float32(scale), np.uint32(bins), own
    )
    total = Kernel("", "add_counts", own, np.uint32(ITEMS), np.uint32(bins), out)

    def both():
        count.launch((ITEMS,), (1,))
        total.run(out.shape)

    return {"PoCL, per work item": both}


def histogram_global(x, low, scale, out):
    clear = Kernel("", "clear", out)
    count = Kernel(
        "", "histogram_global", x, np.float32(low), np.float32(scale), np.uint32(out.size - 1), out
    )

    def both():
        clear.launch(out.shape)
        count.run(x.shape)

    return {"PoCL, atomics": both}


def polynomial_kernel(x, degree, out):
    return ways("polynomial_kernel", out.shape, x, np.uint32(degree), out)


def empty_launch():
    nothing = Kernel("", "nothing")
    return {
        "PoCL, 1 group": lambda: nothing.run((1,), (1,)),
        "PoCL, 30 groups of 128": lambda: nothing.run((30 * 128,), (128,)),
    }


def queued_launches():
    nothing = Kernel("", "nothing")

    def queue(items, group):
        def launch(launches):
            for _ in range(launches):
                nothing.launch(items, group)
            QUEUE.finish()

        return launch

    return {
        "PoCL, 1 group": queue((1,), (1,)),
        "PoCL, 30 groups of 128": queue((30 * 128,), (128,)),
    }


if __name__ == "__main__":
    peer_protocol.serve(f"PoCL {DEVICE.platform.version.split()[3]}", globals())
