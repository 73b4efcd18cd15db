// Copies between host and device, within the device, by default's guess, and filled by bytes, some on a stream.
#include "check.cuh"

int main() {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  for (std::size_t n : sizes) {
    std::vector<int> in(n), out(n, -1);
    for (std::size_t k = 0; k < n; ++k) in[k] = 3 * k;
    device_vector_of<int> a(n), b(n);
    CHECK_CUDA(cudaMemcpy(a.data, in.data(), n * sizeof(int), cudaMemcpyDefault));
    CHECK_CUDA(cudaMemcpyAsync(b.data, a.data, n * sizeof(int), cudaMemcpyDeviceToDevice, stream));
    CHECK_CUDA(cudaMemcpyAsync(out.data(), b.data, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    expect(out == in, "there and back");
    CHECK_CUDA(cudaMemsetAsync(b.data, 0xff, n / 2 * sizeof(int), stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    const std::vector<int> half = b.host();
    for (std::size_t k = 0; k < n; ++k) expect_equal(half[k], k < n / 2 ? -1 : in[k], "the first half is filled");
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
  return failures();
}
