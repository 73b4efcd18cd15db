// What the instruments find in programs in CUDA C++.

#include <filesystem>

#include "tests/dialect/cuda_sources.h"

namespace {

using programs_test::accesses_are_noted, programs_test::are_not_noted;
using programs_test::ending, programs_test::expect_in, programs_test::expect_not_in;

struct inspected_cuda_program : programs_test::inspected_cuda_sources {
  // Of a program whose kernel is `body`, from line 3 on, with 64 threads, 256 bytes of shared memory and two arrays of
  // 64 ints.
  ending inspect(const std::string& body) const {
    write("homework.cu", R"(#include <cstdio>
__global__ void k(int* x, const int* y, int n) {
)" + body + R"(
}
int main() {
  int *x, *y;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemset(y, 0, 64 * sizeof(int));
  k<<<1, 64, 256>>>(x, y, 64);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
})");
    return run("inspect homework.cu");
  }
};

}  // namespace

TEST_F(inspected_cuda_program, without_a_mistake_has_no_findings) {
  const ending e = inspect(R"(  extern __shared__ int s[];
  __shared__ int last;
  if (threadIdx.x == 0) last = n - 1;
  s[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[last - threadIdx.x];)");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  expect_in("No findings: 1 kernel", e.out);
  expect_in("260 B", e.out);  // of shared memory, those of the variable among them
}

// The layout of shared memory grows while threads of the kernel come to its variables: no access of theirs.
TEST_F(inspected_cuda_program, with_several_shared_variables_has_no_findings) {
  const ending e = inspect(R"(  __shared__ int a[64];
  __shared__ int b[64];
  __shared__ double c[64];
  __shared__ char d[64], last;
  a[threadIdx.x] = y[threadIdx.x];
  b[threadIdx.x] = c[threadIdx.x] = d[threadIdx.x] = 1;
  if (threadIdx.x == 0) last = n - 1;
  __syncthreads();
  const int other = last - threadIdx.x;
  x[threadIdx.x] = a[other] + b[other] + int(c[other]) + d[other];)");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  expect_in("No findings: 1 kernel", e.out);
  expect_in("1.34 kB", e.out);  // 1,089 bytes of the variables, 256 of the launch
}

TEST_F(inspected_cuda_program, races_in_shared_memory) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const ending e = inspect(
      "  extern __shared__ int s[];\n  s[threadIdx.x] = y[threadIdx.x];\n"
      "  x[threadIdx.x] = s[n - 1 - threadIdx.x];");
  EXPECT_EQ(e.status, 1);
  expect_in("race in block [racecheck]", e.out);
  expect_in("homework.cu:4", e.out);
  expect_in("homework.cu:5", e.out);
  expect_in("Put __syncthreads() between line 4 and line 5", e.out);
}

// The barrier that stands between the two lines isn't the one that is missing.
TEST_F(inspected_cuda_program, races_with_the_next_round_of_a_loop) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  for (const char* const barrier : {"__syncthreads()", "cooperative_groups::this_thread_block().sync()"}) {
    write("homework.cu", std::string(R"(#include <cooperative_groups.h>
__global__ void sums(const int* x, int* y) {
  __shared__ int s[64];
  int sum = 0;
  for (int k = 0; k < 2; ++k) {
    s[threadIdx.x] = x[64 * k + threadIdx.x];
    )") + barrier + R"(;
    sum += s[63 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}
int main() {
  int *x, *y;
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&y, 64 * sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  sums<<<1, 64>>>(x, y);
  cudaFree(x);
  cudaFree(y);
})");
    const ending e = run("inspect homework.cu");
    EXPECT_EQ(e.status, 1) << e.error;
    expect_in("Between line 8 and line 6 of the next round there is no barrier:\n  __syncthreads()", e.out);
    expect_not_in("between line 6 and line 8", e.out);
  }
}

// The kernel on the page for those who bring a homework, whose picture shows this.
TEST_F(inspected_cuda_program, of_the_page_on_homework_lacks_a_barrier) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  std::filesystem::copy_file(CUDA_PROGRAMS "/../../../dialect/homework/matmul.cu", folder / "matmul.cu");
  const ending e = run("inspect matmul.cu");
  EXPECT_EQ(e.status, 1) << e.error;
  expect_in("matmul.cu:17:0: race in block [racecheck]", e.out);
  expect_in("matmul.cu:20:0: the other", e.out);
  expect_in("Hint: Between line 20 and line 17 of the next round there is no barrier:\n  __syncthreads() once more",
            e.out);
}

// Lesson 44's, with a bug in each kernel.
TEST_F(inspected_cuda_program, of_the_lesson_on_cuda_has_three_bugs_and_is_mended_without) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const std::filesystem::path lesson = CUDA_PROGRAMS "/../../../lessons/44_cuda_cpp";
  for (const char* const name : {"homework.cu", "homework_mended.cu", "by_hand.cu"})
    std::filesystem::copy_file(lesson / name, folder / name);
  const ending e = run("inspect homework.cu");
  EXPECT_EQ(e.status, 1) << e.error;
  expect_in("homework.cu:16:0: outside shape [memcheck]", e.out);
  expect_in("homework.cu:26:0: race in block [racecheck]", e.out);
  expect_in("homework.cu:34:0: uninitialized read [initcheck]", e.out);
  expect_in("homework.cu:54:13: uninitialized read [initcheck]", e.out);
  expect_in("4 findings: 3 kernels", e.out);
  const ending mended = run("inspect homework_mended.cu");
  EXPECT_EQ(mended.status, 0) << mended.out << mended.error;
  expect_in("length  5852.250, should be 5852.250\nsteps   999, should be 999", mended.out);
  EXPECT_EQ(run("inspect by_hand.cu").status, 0);
}

TEST_F(inspected_cuda_program, waits_for_its_tile_where_it_needs_its_block) {
  write("homework.cu", R"(#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reverse(int* x) {
  __shared__ int s[64];
  const cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = x[block.thread_rank()];
  cg::tiled_partition<32>(block).sync();
  x[block.thread_rank()] = s[63 - block.thread_rank()];
}
int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  reverse<<<1, 64>>>(x);
  cudaFree(x);
})");
  const ending e = run("inspect homework.cu");
  EXPECT_EQ(e.status, 1) << e.error;
  expect_in("race in block [racecheck]", e.out);
  expect_in("homework.cu:6", e.out);
  expect_in("homework.cu:8", e.out);
}

TEST_F(inspected_cuda_program, races_in_the_memory_of_the_device) {
  const ending e = inspect("  x[threadIdx.x / 2] = n;");
  EXPECT_EQ(e.status, 1);
  expect_in("[racecheck]", e.out);
  expect_in("homework.cu:3", e.out);
}

// Atomic functions are headers' code, and a macro that checks a call is everybody's: what is said names the program's
// own line and pointer all the same.
TEST_F(inspected_cuda_program, mixes_atomic_and_plain_accesses) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  write("homework.cu", R"(#include <cstdio>
#define CHECK(call)                     \
  do {                                  \
    const cudaError_t error = (call);   \
    if (error != cudaSuccess) return 1; \
  } while (0)
__global__ void count(int* counts) {
  if (threadIdx.x == 0) counts[0] = 1;
  atomicAdd(&counts[0], 2);
  if (threadIdx.x == 7) atomicCAS(&counts[1], 0, 3);
  if (threadIdx.x == 8) counts[1] = 4;
}
int main() {
  int* tally;
  CHECK(cudaMalloc(&tally, 2 * sizeof(int)));
  CHECK(cudaMemset(tally, 0, 2 * sizeof(int)));
  count<<<1, 32>>>(tally);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(tally));
})");
  const ending e = run("inspect --lines homework.cu");
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("homework.cu:10", e.out);
  expect_in("homework.cu:9", e.out);
  expect_in("in count · tally", e.out);
  expect_not_in("atomics.h", e.out);
  expect_not_in("of error", e.out);
}

TEST_F(inspected_cuda_program, writes_outside_of_an_array) {
  const ending e = inspect("  x[threadIdx.x + 1] = n;");
  EXPECT_EQ(e.status, 1);
  expect_in("outside shape [memcheck]", e.out);
  expect_in("homework.cu:3", e.out);
  expect_in("homework.cu:7", e.out);  // where the array was made
  expect_in("Thread 63 of block 0 writes", e.out);
  expect_not_in("gs::", e.out);
}

TEST_F(inspected_cuda_program, writes_outside_of_shared_memory) {
  const ending e = inspect("  extern __shared__ int s[];\n  s[threadIdx.x + 1] = n;");
  EXPECT_EQ(e.status, 1);
  expect_in("writes shared memory that its block doesn't have", e.out);
}

TEST_F(inspected_cuda_program, reads_what_nothing_has_written) {
  const ending e = inspect("  __shared__ int s[64];\n  x[threadIdx.x] = s[threadIdx.x];");
  EXPECT_EQ(e.status, 1);
  expect_in("uninitialized read [initcheck]", e.out);
  expect_in("homework.cu:4", e.out);
}

// An array is called what it was allocated to.
TEST_F(inspected_cuda_program, reads_an_array_that_nothing_has_written) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  write("homework.cu", R"(struct field { float* heights; };
__global__ void k(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }
int main() {
  field f;
  float* smoothed;
  cudaMalloc((void**)&f.heights, 256);
  cudaMalloc(&smoothed, 256);
  k<<<1, 64>>>(f.heights, smoothed);
  k<<<1, 65>>>(smoothed, smoothed);
  cudaFree(f.heights);
})");
  const ending e = run("inspect homework.cu");
  EXPECT_EQ(e.status, 1);
  expect_in("reads an element of heights, which nothing has written.", e.out);
  expect_in("in k · smoothed · ", e.out);  // outside of it
  expect_in("smoothed, made in line 7, is still there when the program ends.", e.out);
}

TEST_F(inspected_cuda_program, waits_where_others_do_not) {
  const ending e = inspect(
      "  if (threadIdx.x < 32) {\n    __syncthreads();\n  } else {\n    __syncthreads();\n  }\n"
      "  x[threadIdx.x] = n;");
  EXPECT_EQ(e.status, 1);
  expect_in("[synccheck]", e.out);
  expect_in("homework.cu:4", e.out);
  expect_in("homework.cu:6", e.out);
}

TEST_F(inspected_cuda_program, keeps_memory_to_its_end) {
  write("homework.cu", "int main() {\n  int* x;\n  cudaMalloc(&x, 64);\n}\n");
  const ending e = run("inspect homework.cu");
  EXPECT_EQ(e.status, 1);
  expect_in("leak [leakcheck]", e.out);
  expect_in("homework.cu:3", e.out);
  expect_in("Give it back with cudaFree().", e.out);
}
