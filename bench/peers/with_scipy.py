"""SciPy: where it has a function for the workload."""

import os

import peer_protocol

os.environ["OPENBLAS_NUM_THREADS"] = str(peer_protocol.threads())
try:
    import numpy as np
    import scipy
    import scipy.fft
    import scipy.linalg.blas
    import scipy.ndimage
except ImportError as problem:
    peer_protocol.lacking("python3-scipy", problem)

WORKERS = peer_protocol.threads()


def gemm(a, b, out):
    # BLAS counts columns first: (a b)^T = b^T a^T, written where the transpose of `out` lies.
    def product():
        scipy.linalg.blas.sgemm(1.0, b.T, a.T, c=out.T, overwrite_c=True)

    return {"SciPy, sgemm": product}


matmul = gemm


def fft2(x, out):
    def transform():
        out[...] = scipy.fft.fft2(x, workers=WORKERS)

    return {"SciPy, fft2": transform}


def fft_mask(x, least, out):
    least = int(least)

    def filtered():
        spectrum = scipy.fft.rfft2(x, workers=WORKERS)
        spectrum[:least, :least] = 0
        spectrum[1 - least :, :least] = 0
        out[...] = scipy.fft.irfft2(spectrum, x.shape, workers=WORKERS, overwrite_x=True)

    return {"SciPy, rfft2 and irfft2": filtered}


def diffusion(u, rate, out):
    rate, laplacian = np.float32(rate), np.zeros_like(u)

    def step():
        scipy.ndimage.laplace(u, output=laplacian, mode="nearest")
        np.multiply(laplacian, rate, out=out)
        np.add(out, u, out=out)

    return {"SciPy, ndimage.laplace": step}


diffusion_laplacian = diffusion


if __name__ == "__main__":
    peer_protocol.serve(f"SciPy {scipy.__version__}", globals())
