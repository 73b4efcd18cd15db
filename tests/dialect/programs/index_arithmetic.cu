// Indices as sources write them, ints and unsigned numbers in one sum: what wraps around on the way, and what lies
// below zero for threads that don't ask. An element's value is its number.
#include "check.cuh"

constexpr int width = 32, height = 4, nothing = -1;

__global__ void by_rows(const int* x, int* out, int n) {
  const int top = blockIdx.y * blockDim.y, left = blockIdx.x * blockDim.x;
  out[(top + threadIdx.y) * n + left + threadIdx.x] = x[(top + threadIdx.y) * n + left + threadIdx.x];
}

__global__ void transposed(const int* x, int* out, int rows, int columns) {
  const int top = blockIdx.y * width, left = blockIdx.x * width;
  for (int k = 0; k < width; k += blockDim.y)
    if (top + threadIdx.y + k < rows && left + threadIdx.x < columns)
      out[(left + threadIdx.x) * rows + top + threadIdx.y + k] =
          x[(top + threadIdx.y + k) * columns + left + threadIdx.x];
}

// The first thread's index would be -1, as an int or as an unsigned number.
__global__ void to_the_left(const int* x, int* out, int begin) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i] = i > 0 ? x[begin + threadIdx.x + blockIdx.x * blockDim.x] : nothing;
  out[4 * i + 1] = i > 0 ? x[i - 1] : nothing;
  out[4 * i + 2] = i > 0 ? x[threadIdx.x - 1u + blockIdx.x * blockDim.x] : nothing;
  const int before = threadIdx.x - 1 + blockIdx.x * blockDim.x;
  out[4 * i + 3] = before >= 0 ? x[before] : nothing;
}

// The row above: an unsigned product that is below zero where threadIdx.y is 0, and wraps in the sum.
__global__ void above(const int* x, int* out, int n) {
  const int i = (blockIdx.y * blockDim.y + threadIdx.y + 1) * n + blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * (i - n)] = x[i + (threadIdx.y - 1) * n];
  out[2 * (i - n) + 1] = x[(threadIdx.y - 1) * n + threadIdx.x + i - threadIdx.x];
}

__global__ void reversed(const int* x, int* out, unsigned n, int as_int) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[3 * i] = x[n - 1 - blockIdx.x * blockDim.x - threadIdx.x];
  out[3 * i + 1] = x[as_int - 1 - int(blockIdx.x * blockDim.x + threadIdx.x)];
  out[3 * i + 2] = x[(as_int - 1 - blockIdx.x * blockDim.x) - threadIdx.x];
}

// Five times the thread, or nothing that an array has.
__global__ void fivefold(const int* x, int* out, unsigned before) {
  const unsigned t = threadIdx.x;
  out[t] = t < 200 ? nothing : x[t + t + threadIdx.x + before + threadIdx.x + t];
}

// All ints, and behind a condition.
__global__ void neighbours(const int* x, int* out, int rows, int columns) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < 1 || column < 1 || row >= rows - 1 || column >= columns - 1) return;
  const int i = row * columns + column;
  out[i] = x[i] + 3 * x[i - columns] + 5 * x[i + columns] + 7 * x[i - 1] + 11 * x[i + 1];
}

// Not an index but a number, which is compared: as wide as it may be, 3 - 5 is 4294967294.
__global__ void compared(int* out) {
  const long long before = threadIdx.x - 5u + out[0];
  const int seed = 1'000'000 * threadIdx.x + 2'147'000'000 + out[0];  // wraps around
  const std::size_t place = out[0] + threadIdx.x - 5;
  out[1 + threadIdx.x] = (before < 0) + 2 * (place > 1ull << 40) + 4 * (place == 4294967295) + 8 * (seed < 0);
}

std::vector<int> numbers(std::size_t n) {
  std::vector<int> x(n);
  for (std::size_t k = 0; k < n; ++k) x[k] = int(k);
  return x;
}

void check_rows(int across, int down) {
  const int n = across * width, rows = down * height;
  device_vector_of<int> x(numbers(std::size_t(n) * (rows + height))), copy(std::size_t(n) * rows),
      up(2 * std::size_t(n) * rows);
  by_rows<<<dim3(across, down), dim3(width, height)>>>(x.data, copy.data, n);
  above<<<dim3(across, down), dim3(width, height)>>>(x.data, up.data, n);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> found = copy.host(), found_above = up.host();
  for (int k = 0; k < n * rows; ++k) {
    expect_equal(found[k], k, "an element of a row");
    const int there = k + n + (k / n % height - 1) * n;
    expect_equal(found_above[2 * k], there, "an element of the row above");
    expect_equal(found_above[2 * k + 1], there, "an element of the row above, its thread added and subtracted");
  }
}

void check_transpose(int rows, int columns) {
  device_vector_of<int> x(numbers(std::size_t(rows) * columns)), out(std::size_t(rows) * columns);
  transposed<<<dim3(columns / width + 1, rows / width + 1), dim3(width, height)>>>(x.data, out.data, rows, columns);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> found = out.host();
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      expect_equal(found[column * rows + row], row * columns + column, "an element of the transpose");
}

void check_line(int blocks, int block) {
  const int n = blocks * block;
  device_vector_of<int> x(numbers(n)), left(4 * std::size_t(n)), back(3 * std::size_t(n));
  to_the_left<<<blocks, block>>>(x.data, left.data, -1);
  reversed<<<blocks, block>>>(x.data, back.data, n, n);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> found_left = left.host(), found_back = back.host();
  for (int k = 0; k < 4 * n; ++k) expect_equal(found_left[k], k / 4 - 1, "the element to the left");
  for (int k = 0; k < 3 * n; ++k) expect_equal(found_back[k], n - 1 - k / 3, "the element from the end");
}

void check_neighbours(int rows, int columns) {
  const std::vector<int> x = numbers(std::size_t(rows) * columns);
  device_vector_of<int> from(x), to(x);
  neighbours<<<dim3(columns / width + 1, rows / height + 1), dim3(width, height)>>>(from.data, to.data, rows, columns);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> found = to.host();
  for (int k = 0; k < rows * columns; ++k) {
    const int row = k / columns, column = k % columns;
    const bool is_inside = row > 0 && column > 0 && row < rows - 1 && column < columns - 1;
    const int expected = is_inside ? 27 * k + 2 * columns + 4 : k;
    expect_equal(found[k], expected, "a sum of neighbours");
  }
}

void check_fivefold() {
  device_vector_of<int> x(numbers(5 * 1024)), out(1024);
  fivefold<<<1, 1024>>>(x.data, out.data, 0u - 1000u);
  CHECK_CUDA(cudaGetLastError());
  const std::vector<int> found = out.host();
  for (int k = 0; k < 1024; ++k) expect_equal(found[k], k < 200 ? nothing : 5 * k - 1000, "five times the thread");
}

void check_compared() {
  device_vector_of<int> out(std::vector<int>(33));
  compared<<<1, 32>>>(out.data);
  const std::vector<int> found = out.host();
  for (int k = 0; k < 32; ++k) expect_equal(found[1 + k], (k == 4 ? 4 : 0) + (k > 0 ? 8 : 0), "what is compared");
}

int main() {
  for (int across : {1, 2, 7})
    for (int down : {1, 3, 8}) check_rows(across, down);
  for (int rows : {1, 31, 32, 33, 101})
    for (int columns : {1, 31, 32, 33, 211}) {
      check_transpose(rows, columns);
      check_neighbours(rows, columns);
    }
  for (int block : {1, 31, 32, 33, 256, 1009})
    for (int blocks : {1, 2, 13}) check_line(blocks, block);
  check_fivefold();
  check_compared();
  return failures();
}
