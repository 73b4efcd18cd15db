// cuBLAS and cuFFT, called as an expert calls them.
#include <cublas_v2.h>
#include <cufft.h>

#include <string>

#include "bench/limits/cuda_call.h"
#include "bench/peers/gpu.h"

namespace bench::peers::gpu {
namespace {

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw gs::machine_error("a product by cuBLAS", cublasGetStatusString(status),
                            "see that nothing else needs the GPU");
}
void check(cufftResult status) {
  if (status != CUFFT_SUCCESS)
    throw gs::machine_error("a transform by cuFFT", "error " + std::to_string(static_cast<int>(status)),
                            "cufft.h names it; see that nothing else needs the GPU");
}

class plan {
 public:
  plan(std::size_t rows, std::size_t columns, cufftType type) {
    check(cufftPlan2d(&handle_, static_cast<int>(rows), static_cast<int>(columns), type));
  }
  plan(const plan&) = delete;
  plan& operator=(const plan&) = delete;
  ~plan() { cufftDestroy(handle_); }
  operator cufftHandle() const { return handle_; }

 private:
  cufftHandle handle_ = 0;
};

cufftComplex* as_cufft(const std::complex<float>* x) {
  return reinterpret_cast<cufftComplex*>(const_cast<std::complex<float>*>(x));
}

// cuFFT's inverse isn't divided by the number of elements.
__global__ void mask_and_scale(cufftComplex* spectrum, unsigned rows, unsigned width, unsigned least, float scale) {
  const unsigned c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= rows || c >= width) return;
  const float factor = min(r, rows - r) < least && c < least ? 0 : scale;
  cufftComplex& number = spectrum[std::size_t{r} * width + c];
  number = {number.x * factor, number.y * factor};
}

}  // namespace

call gemm(const float* a, const float* b, float* c, std::size_t side) {
  cublasHandle_t created = nullptr;
  check(cublasCreate(&created));
  const std::shared_ptr<cublasContext> handle(created, [](cublasHandle_t end) { cublasDestroy(end); });
  return [=] {
    // Column by column, as cuBLAS reads, these are the transposes: (a b)^T = b^T a^T.
    const float one = 1, zero = 0;
    const auto n = static_cast<int>(side);
    check(cublasSgemm(handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n));
    finish("a product by cuBLAS");
  };
}

call fft2(const std::complex<float>* x, std::complex<float>* out, std::size_t side) {
  return [=, transform = std::make_shared<plan>(side, side, CUFFT_C2C)] {
    check(cufftExecC2C(*transform, as_cufft(x), as_cufft(out), CUFFT_FORWARD));
    finish("a transform by cuFFT");
  };
}

call fft_mask(const float* x, float* out, std::size_t rows, std::size_t columns, std::size_t least) {
  const std::size_t width = columns / 2 + 1;
  const auto spectrum = gpu_memory<cufftComplex>(rows * width);
  const auto there = std::make_shared<plan>(rows, columns, CUFFT_R2C),
             back = std::make_shared<plan>(rows, columns, CUFFT_C2R);
  return [=] {
    const dim3 block(32, 8), grid(static_cast<unsigned>((width + 31) / 32), static_cast<unsigned>((rows + 7) / 8));
    check(cufftExecR2C(*there, const_cast<float*>(x), spectrum.get()));
    mask_and_scale<<<grid, block>>>(spectrum.get(), static_cast<unsigned>(rows), static_cast<unsigned>(width),
                                    static_cast<unsigned>(least), 1 / static_cast<float>(rows * columns));
    check(cufftExecC2R(*back, spectrum.get(), out));
    finish("two transforms by cuFFT");
  };
}

}  // namespace bench::peers::gpu
