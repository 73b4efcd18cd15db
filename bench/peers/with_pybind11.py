"""pybind11: the same calls as an expert would write them by hand, in a module that g++ compiles before anything is timed."""

import importlib.util
import pathlib
import subprocess
import sysconfig
import tempfile

import peer_protocol

try:
    import numpy as np
    import pybind11
except ImportError as problem:
    peer_protocol.lacking_by_pip("pybind11 numpy", problem)

FOLDER = tempfile.TemporaryDirectory(prefix="gridstride-bench-")
INCLUDES = [f"-I{folder}" for folder in (pybind11.get_include(), sysconfig.get_paths()["include"])]
BEGIN = """
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
namespace py = pybind11;
using floats = py::array_t<float, py::array::c_style>;
// Pointers to the elements of arrays of one length; in the result's place other types or layouts are refused, not copied.
struct three {
  three(const floats& x, const floats& y, floats& out) : x(x.data()), y(y.data()), out(out.mutable_data()), n(out.size()) {
    if (x.size() != n || y.size() != n) throw py::value_error("the arrays differ in length");
  }
  const float *x, *y;
  float* out;
  py::ssize_t n;
};
"""
CALLS = BEGIN + """
PYBIND11_MODULE(NAME, m) {
  m.def("add", [](const floats& x, const floats& y, floats out) {
    const three a(x, y, out);
    for (py::ssize_t i = 0; i < a.n; ++i) a.out[i] = a.x[i] + a.y[i];
  }, py::arg().noconvert(), py::arg().noconvert(), py::arg().noconvert());
  m.def("add_parallel", [](const floats& x, const floats& y, floats out) {
    const three a(x, y, out);
    const py::gil_scoped_release released;
#pragma omp parallel for simd schedule(static)
    for (py::ssize_t i = 0; i < a.n; ++i) a.out[i] = a.x[i] + a.y[i];
  }, py::arg().noconvert(), py::arg().noconvert(), py::arg().noconvert());
  m.def("sum_parallel", [](const floats& x) {
    const float* const data = x.data();
    const py::ssize_t n = x.size();
    const py::gil_scoped_release released;
    float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (py::ssize_t i = 0; i < n; ++i) sum += data[i];
    return sum;
  }, py::arg().noconvert());
}
"""
CHANGED = BEGIN + """
#include <cmath>
static inline float changed(float x, float y) {
  float inside = x * y + 1.0f;
  if (inside < 0.0f) {
    inside = -inside;
  }
  const float root = std::sqrt(inside);
  const float high = x > y ? x : y;
  const float low = x > y ? y : x;
  return root * high - low;
}
PYBIND11_MODULE(NAME, m) {
  m.def("changed", [](const floats& x, const floats& y, floats out) {
    const three a(x, y, out);
    for (py::ssize_t i = 0; i < a.n; ++i) a.out[i] = changed(a.x[i], a.y[i]);
  }, py::arg().noconvert(), py::arg().noconvert(), py::arg().noconvert());
}
"""
made = 0


def compile_module(source):
    """The module of a source, under a name of its own: Python opens none twice."""
    global made
    made += 1
    name = f"by_hand_{made}"
    file, module = pathlib.Path(FOLDER.name) / f"{name}.cpp", pathlib.Path(FOLDER.name) / f"{name}.so"
    file.write_text(source)
    command = ["g++", "-std=c++20", "-O3", "-march=native", "-fno-math-errno", "-ffast-math", "-fopenmp", "-fvisibility=hidden"]
    subprocess.run([*command, "-shared", "-fPIC", f"-DNAME={name}", *INCLUDES, file, "-o", module], check=True)
    spec = importlib.util.spec_from_file_location(name, module)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


try:
    calls = compile_module(CALLS)
except (OSError, subprocess.CalledProcessError) as problem:
    peer_protocol.say({"lacking": f"its module doesn't compile: {problem}"})
    raise SystemExit from None


def python_small_ufunc(x, y, out):
    return {"pybind11, a loop": lambda: calls.add(x, y, out)}


def python_ufunc(x, y, out):
    return {"pybind11, OpenMP": lambda: calls.add_parallel(x, y, out)}


def python_reduce(x, out):
    result = []

    def deliver():
        out[0] = result[0]

    return {"pybind11, OpenMP": (lambda: result.__setitem__(slice(None), [calls.sum_parallel(x)]), deliver)}


def python_compile(x, y, out):
    return {"pybind11, g++": lambda: compile_module(CHANGED).changed(x, y, out)}


if __name__ == "__main__":
    peer_protocol.serve(f"pybind11 {pybind11.__version__}", globals())
