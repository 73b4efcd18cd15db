// A convolution by cuDNN, where it is installed.
#if GRIDSTRIDE_CUDNN

#include <cudnn.h>

#include <type_traits>

#include "bench/limits/cuda_call.h"
#include "bench/peers/gpu.h"

namespace bench::peers::gpu {
namespace {

void check(cudnnStatus_t status) {
  if (status != CUDNN_STATUS_SUCCESS)
    throw gs::machine_error("a convolution by cuDNN", cudnnGetErrorString(status),
                            "see that nothing else needs the GPU");
}

/// A handle or descriptor of cuDNN, destroyed by the last call that uses it.
template <auto create, auto destroy, class T>
std::shared_ptr<std::remove_pointer_t<T>> created() {
  T object = nullptr;
  check(create(&object));
  return {object, [](T end) { destroy(end); }};
}

// weights (3, 3, channels, outputs) in cuDNN's order: (outputs, 3, 3, channels).
__global__ void put_outputs_first(const float* w, float* out, unsigned channels, unsigned outputs) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x, weights = 9 * channels;
  if (at < weights * outputs) out[at % outputs * weights + at / outputs] = w[at];
}

}  // namespace

call convolution(const float* x, const float* w, float* y, const convolution_extents& e) {
  const auto n = [](std::size_t extent) { return static_cast<int>(extent); };
  const auto handle = created<cudnnCreate, cudnnDestroy, cudnnHandle_t>();
  const auto pictures = [&](std::size_t channels) {
    auto d = created<cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor, cudnnTensorDescriptor_t>();
    check(cudnnSetTensor4dDescriptor(d.get(), CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, n(e.batch), n(channels), n(e.rows),
                                     n(e.columns)));
    return d;
  };
  const auto in = pictures(e.channels), out = pictures(e.outputs);
  const auto filter = created<cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor, cudnnFilterDescriptor_t>();
  check(
      cudnnSetFilter4dDescriptor(filter.get(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC, n(e.outputs), n(e.channels), 3, 3));
  const auto operation =
      created<cudnnCreateConvolutionDescriptor, cudnnDestroyConvolutionDescriptor, cudnnConvolutionDescriptor_t>();
  check(cudnnSetConvolution2dDescriptor(operation.get(), 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
  // Products of float32 as ours are, not of TF32, which has a mantissa of 10 bits.
  check(cudnnSetConvolutionMathType(operation.get(), CUDNN_FMA_MATH));

  const auto weights = static_cast<unsigned>(9 * e.channels * e.outputs);
  const auto reordered = gpu_memory<float>(weights);
  put_outputs_first<<<(weights + 255) / 256, 256>>>(w, reordered.get(), static_cast<unsigned>(e.channels),
                                                    static_cast<unsigned>(e.outputs));
  finish("the order of weights");

  // The fastest of its algorithms, which it times itself, and the memory for that.
  cudnnConvolutionFwdAlgoPerf_t fastest;
  int found = 0;
  check(cudnnFindConvolutionForwardAlgorithm(handle.get(), in.get(), filter.get(), operation.get(), out.get(), 1,
                                             &found, &fastest));
  if (found == 0) check(CUDNN_STATUS_NOT_SUPPORTED);
  check(fastest.status);
  const auto workspace = gpu_memory<char>(fastest.memory);
  return [=] {
    const float one = 1, zero = 0;
    check(cudnnConvolutionForward(handle.get(), &one, in.get(), x, filter.get(), reordered.get(), operation.get(),
                                  fastest.algo, workspace.get(), fastest.memory, &zero, out.get(), y));
    finish("a convolution by cuDNN");
  };
}

}  // namespace bench::peers::gpu

#endif
