"""Transforms and random numbers, under NumPy's names."""

from . import _core


def gemm(a, b, out=None, *, alpha=1.0, beta=0.0, transpose_a=False, transpose_b=False, stream=None):
    """alpha a b + beta out, of matrices of float32 or float64 on the device. Queued; returns at once."""
    result = _core.gemm(a, b, out, alpha, beta, transpose_a, transpose_b, stream)
    return result if out is None else out


def sort(x, out=None, *, stream=None):
    """The elements of an array of rank 1 in ascending order; NaNs come last. Queued; returns at once."""
    result = _core.sort(x, out, stream)
    return result if out is None else out


def _transform(name, dimensions, x, out, columns, stream):
    result = _core._fft(name, dimensions, x, out, columns, stream)
    return result if out is None else out


def fft(x, out=None, *, stream=None):
    """The transform of each row of a complex array on the device."""
    return _transform("fft", 1, x, out, 0, stream)


def ifft(x, out=None, *, stream=None):
    """The inverse of fft."""
    return _transform("ifft", 1, x, out, 0, stream)


def rfft(x, out=None, *, stream=None):
    """The transform of each row of a real array: n // 2 + 1 complex numbers for n real ones."""
    return _transform("rfft", 1, x, out, 0, stream)


def irfft(x, n, out=None, *, stream=None):
    """The inverse of rfft: rows of n real numbers."""
    return _transform("irfft", 1, x, out, n, stream)


def fft2(x, out=None, *, stream=None):
    """The transform of a complex array in both of its dimensions."""
    return _transform("fft", 2, x, out, 0, stream)


def ifft2(x, out=None, *, stream=None):
    """The inverse of fft2."""
    return _transform("ifft", 2, x, out, 0, stream)


def rfft2(x, out=None, *, stream=None):
    """The transform of a real array in both dimensions."""
    return _transform("rfft", 2, x, out, 0, stream)


def irfft2(x, n, out=None, *, stream=None):
    """The inverse of rfft2, with rows of n real numbers."""
    return _transform("irfft", 2, x, out, n, stream)


def uniform(shape, seed, dtype="float32"):
    """Numbers of [0, 1) on the device: the same for a seed on any number of cores."""
    return _core._real_numbers(shape, seed, dtype, False)


def normal(shape, seed, dtype="float32"):
    """Normally distributed numbers on the device, mean 0 and standard deviation 1."""
    return _core._real_numbers(shape, seed, dtype, True)


def integers(shape, low, high, seed, dtype="int64"):
    """Integers from low to high on the device, both included."""
    return _core._integers(shape, low, high, seed, dtype)


class Column:
    """An array as an Arrow library takes it, by Arrow's PyCapsule interface."""

    def __init__(self, array, valid):
        self._array, self._valid = array, valid

    def __arrow_c_array__(self, requested_schema=None):  # noqa: ARG002 - Arrow allows another type than the requested one
        return _core._export_column(self._array, self._valid)


def to_arrow(array, valid=None):
    """A one-dimensional array as a column for an Arrow library, without a copy: pyarrow.array(to_arrow(x)). A device array is
    lent after waiting for what is queued. `valid` is an array of bools, false where there is no value."""
    _core._check_column(array, valid)  # refuses now what an Arrow library would meet later
    return Column(array, valid)
