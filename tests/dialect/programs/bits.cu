// Bits of numbers: reversed, counted, found, shifted across words, and read as another type.
#include "check.cuh"

__global__ void bits(const unsigned* x, int* out, float* floats) {
  const unsigned v = x[threadIdx.x];
  int* mine = out + 8 * threadIdx.x;
  mine[0] = __popc(v);
  mine[1] = __clz(v);
  mine[2] = __ffs(v);
  mine[3] = (int)__brev(v);
  mine[4] = (int)__funnelshift_l(v, ~v, 5);
  mine[5] = (int)__byte_perm(v, 0, 0x0123);
  mine[6] = (int)__umulhi(v, 0x9e3779b9u);
  mine[7] = __popcll((unsigned long long)v << 32 | v);
  floats[threadIdx.x] = __int_as_float(0x3f800000 | (int)(v & 0x7fffff));
}

int main() {
  const std::vector<unsigned> x = {0, 1, 0x80000000u, 0xffffffffu, 0x12345678u, 0xdeadbeefu};
  device_vector_of<unsigned> dx(x);
  device_vector_of<int> out(8 * x.size());
  device_vector_of<float> floats(x.size());
  bits<<<1, x.size()>>>(dx.data, out.data, floats.data);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> o = out.host();
  const std::vector<float> f = floats.host();
  for (std::size_t k = 0; k < x.size(); ++k) {
    unsigned reversed = 0;
    int count = 0, first = 0, leading = 32;
    for (int b = 0; b < 32; ++b)
      if (x[k] >> b & 1) reversed |= 1u << (31 - b), ++count, leading = 31 - b, first = first ? first : b + 1;
    expect(o[8 * k] == count && o[8 * k + 1] == leading && o[8 * k + 2] == first, "bits counted");
    expect_equal((unsigned)o[8 * k + 3], reversed, "bits reversed");
    expect_equal((unsigned)o[8 * k + 4], ~x[k] << 5 | x[k] >> 27, "a shift across words");
    expect_equal((unsigned)o[8 * k + 5], __builtin_bswap32(x[k]), "bytes in the other order");
    expect_equal((unsigned)o[8 * k + 6], (unsigned)((unsigned long long)x[k] * 0x9e3779b9u >> 32),
                 "the high half of a product");
    expect_equal(o[8 * k + 7], 2 * count, "bits of 64");
    expect(f[k] >= 1 && f[k] < 2, "a float between 1 and 2");
  }
  return failures();
}
