// How many letters to change: a table that is filled by diagonals, a barrier after each.
#include <string>

#include "check.cuh"

__global__ void distance(const char* a, int m, const char* b, int n, int* table) {
  for (int diagonal = 0; diagonal <= m + n; ++diagonal) {
    for (int i = threadIdx.x; i <= m; i += blockDim.x) {
      const int j = diagonal - i;
      if (j < 0 || j > n) continue;
      int& here = table[i * (n + 1) + j];
      if (i == 0 || j == 0)
        here = i + j;
      else
        here = min(min(table[(i - 1) * (n + 1) + j], table[i * (n + 1) + j - 1]) + 1,
                   table[(i - 1) * (n + 1) + j - 1] + (a[i - 1] != b[j - 1]));
    }
    __syncthreads();
  }
}

int main() {
  const struct {
    std::string a, b;
    int expected;
  } cases[] = {{"kitten", "sitting", 3},
               {"", "abc", 3},
               {"same", "same", 0},
               {"intention", "execution", 5},
               {std::string(90, 'x'), std::string(33, 'x'), 57}};
  for (const auto& c : cases) {
    const std::vector<char> a(c.a.begin(), c.a.end()), b(c.b.begin(), c.b.end());
    device_vector_of<char> da(a), db(b);
    device_vector_of<int> table((a.size() + 1) * (b.size() + 1));
    distance<<<1, 32>>>(da.data, a.size(), db.data, b.size(), table.data);
    CHECK_CUDA(cudaGetLastError());
    expect_equal(table.host().back(), c.expected, "a distance");
  }
  return failures();
}
