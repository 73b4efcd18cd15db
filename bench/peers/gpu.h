#pragma once
// The peers on a GPU: NVIDIA's libraries called directly and, where there is none, a kernel as one writes it in CUDA.
// Only in a build with CUDA, and only where gs::why_no_cuda() is empty.
//
// Each function prepares what a call needs (a handle, a plan, temporary memory) and returns the call, which waits until
// the result is there. Arrays lie in the GPU's memory and outlive the call. All throw gs::machine_error with CUDA's own
// words.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "bench/peers/circle.h"
#include "bench/peers/convolution_extents.h"

namespace bench::peers::gpu {

using call = std::function<void()>;

/// c = a b for square matrices, row-major: cuBLAS, all in float32.
call gemm(const float* a, const float* b, float* c, std::size_t side);

/// The Fourier transform of a square in both dimensions: cuFFT.
call fft2(const std::complex<float>* x, std::complex<float>* out, std::size_t side);

/// out = x, rows x columns, without its waves of fewer than `least` periods both down and across: cuFFT there and back.
call fft_mask(const float* x, float* out, std::size_t rows, std::size_t columns, std::size_t least);

#if GRIDSTRIDE_CUDNN
/// As peers::convolution: cuDNN in float32, by the algorithm that it finds fastest, with the weights in the order that
/// it likes.
call convolution(const float* x, const float* w, float* y, const convolution_extents& extents);
#endif

/// out = x in ascending order: CUB.
call sort(const float* x, float* out, std::size_t n);

/// Counts as peers::histogram does, into `counters` counters: CUB.
call histogram(const float* x, std::size_t n, float low, float scale, std::uint32_t* counts, std::size_t counters);
/// The same with one set of counters for all threads: a kernel.
call histogram_with_atomics(const float* x, std::size_t n, float low, float scale, std::uint32_t* counts,
                            std::size_t counters);

/// *inside = how many darts lie within the unit circle, `darts` of each stream, as peers::darts_in_circle throws them:
/// a kernel with a thread for each stream. `inside` lies on the host.
call darts_in_circle(const stream_words* streams, std::size_t count, std::uint32_t darts, std::uint64_t* inside);

}  // namespace bench::peers::gpu
