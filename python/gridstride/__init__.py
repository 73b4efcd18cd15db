"""Gridstride from Python: kernels and universal functions in C++, compiled where you call them.

    import gridstride as gs, numpy as np
    wave = gs.compile(open("wave.cpp").read())
    x = np.linspace(-4, 4, 1000, dtype=np.float32)
    d = wave.ripple.outer(gs.to_device(x), gs.to_device(x))
    wave.flood[64, 256](d.reshape(-1), -0.25)
    picture = d.copy_to_host()
"""

from ._core import (
    Device,
    DeviceArray,
    Event,
    Stream,
    Timing,
    default_stream,
    device,
    device_array,
    device_array_like,
    from_arrow,
    from_dlpack,
    random_states,
    seconds_between,
    select_device,
    sort_by_key,
    synchronize,
    timeit,
    to_device,
    why_no_cuda,
)
from ._errors import CompileError, Error, KernelFault, MachineError
from ._functions import (
    Function,
    FunctionObject,
    Gufunc,
    Kernel,
    Launch,
    Module,
    Ufunc,
    compile,
    grad,
    guvectorize,
    reduce,
    value_and_grad,
)
from ._inspect import Finding, Inspection, Line, inspect
from ._ledger import ledger
from ._libraries import fft, fft2, gemm, ifft, ifft2, integers, irfft, irfft2, normal, rfft, rfft2, sort, to_arrow, uniform
from ._notebook import load_ipython_extension
