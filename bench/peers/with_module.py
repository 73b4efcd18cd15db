"""Gridstride's own module for Python: what a call of C++ costs from there, beside NumPy's, Numba's and JAX's."""

import os
import pathlib
import time

import peer_protocol

os.environ.setdefault("GRIDSTRIDE_PYTHON_CACHE", str(pathlib.Path(__file__).parents[2] / "build/python/cache"))


def lacking(problem):
    peer_protocol.say({"lacking": f"{problem}; ./gridstride python makes what is needed"})
    raise SystemExit from None


try:
    import gridstride as gs
    import numpy as np
except ImportError as problem:
    lacking(problem)

SOURCE = """
GS_FN float sum(float x, float y) { return x + y; }
GS_FN void nothing(gs::thread) {}
"""
try:
    module = gs.compile(SOURCE, "calls.cpp")
except gs.Error as problem:  # the module is there, and what it compiles with isn't
    lacking(str(problem).replace("\n", " "))


def python_small_ufunc(x, y, out):
    one_core = module.sum.on("cpu")
    return {"Gridstride in Python, out=": lambda: one_core(x, y, out=out)}


def python_ufunc(x, y, out):
    return {"Gridstride in Python, out=": lambda: module.sum(x, y, out=out)}


def python_reduce(x, out):
    result = []

    def deliver():
        out[0] = result[0]

    return {"Gridstride in Python": (lambda: result.__setitem__(slice(None), [module.sum.reduce(x)]), deliver)}


def python_launch():
    launch = module.nothing[30, 128]

    def launch_and_wait():
        launch()
        gs.synchronize()

    return {"Gridstride in Python": launch_and_wait}


def python_exchange(x, out):
    try:
        import pyarrow
    except ImportError:
        return {}
    device, result = gs.to_device(x), []

    def there_and_back():
        result[:] = [gs.from_arrow(pyarrow.array(gs.to_arrow(device)))]

    def deliver():
        out[...] = result[0]

    return {"Gridstride in Python, PyArrow": (there_and_back, deliver)}


CHANGED = """// change {}
GS_FN float changed(float x, float y) {{
  float inside = x * y + 1.0f;
  if (inside < 0.0f) {{
    inside = -inside;
  }}
  const float root = std::sqrt(inside);
  const float high = x > y ? x : y;
  const float low = x > y ? y : x;
  return root * high - low;
}}
"""


def python_compile(x, y, out):
    def once():  # a text that no cache holds
        source = CHANGED.format(time.time_ns())
        gs.compile(source, "changed.cpp").changed.on("cpu")(x, y, out=out)

    return {"Gridstride in Python, first call": once}


if __name__ == "__main__":
    peer_protocol.serve(f"Gridstride in Python, NumPy {np.__version__}", globals())
