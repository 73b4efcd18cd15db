// Where a word stands in a text: the word in constant memory, the places counted and the first one kept.
#include <string>

#include "check.cuh"

__constant__ char word[16];

__global__ void find(const char* text, int n, int length, int* count, int* first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + length > n) return;
  for (int k = 0; k < length; ++k)
    if (text[i + k] != word[k]) return;
  atomicAdd(count, 1);
  atomicMin(first, i);
}

int main() {
  std::string text;
  for (int k = 0; k < 200; ++k) text += k % 7 == 3 ? "warp " : k % 5 == 0 ? "war" : "thread ";
  const std::string wanted = "warp";
  CHECK_CUDA(cudaMemcpyToSymbol(word, wanted.data(), wanted.size()));
  device_vector_of<char> t(std::vector<char>(text.begin(), text.end()));
  device_vector_of<int> count(std::vector<int>(1)), first(std::vector<int>(1, 1 << 30));
  find<<<(text.size() + 63) / 64, 64>>>(t.data, text.size(), wanted.size(), count.data, first.data);
  CHECK_CUDA(cudaGetLastError());
  int expected = 0;
  for (std::size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) ++expected;
  expect_equal(count.host()[0], expected, "how often");
  expect_equal(first.host()[0], text.find(wanted), "the first place");
  return failures();
}
