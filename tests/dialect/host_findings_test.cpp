// What the instruments find in the host code of programs in CUDA C++: accesses to memory of the device, errors that
// nobody has looked at, and waits that are missing.

#include <string>

#include "tests/dialect/cuda_sources.h"

namespace {

using programs_test::accesses_are_noted, programs_test::are_not_noted;
using programs_test::ending, programs_test::expect_in, programs_test::expect_not_in;

struct inspected_cuda_host : programs_test::inspected_cuda_sources {
  // The inspection, in one line: the terminal's width has broken its sentences.
  ending inspect_text(const std::string& text) const {
    ending e = inspect_source(text);
    std::string line;
    for (const char c : e.out)
      if (const char shown = c == '\n' ? ' ' : c; shown != ' ' || line.empty() || line.back() != ' ') line += shown;
    e.out = line;
    return e;
  }
  void expect_clean(const std::string& text) const {
    const ending e = inspect_source(text);
    EXPECT_EQ(e.status, 0) << e.out << e.error;
    expect_in("No findings", e.out);
  }
};
struct cuda_host : programs_test::cuda_sources {};

// The kernels' lines are 1 to 3.
const std::string fill = R"(__global__ void fill(int* x, int v) {
  x[threadIdx.x] = v;
}
)";

}  // namespace

// --- memory of the device --------------------------------------------------------------------------------------------

TEST_F(inspected_cuda_host, touches_device_memory) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const ending e = inspect_text(R"(#include <cstdio>
#include <cstring>
int main() {
  float h[16], *d_x;
  cudaMalloc(&d_x, sizeof h);
  cudaMemset(d_x, 0, sizeof h);
  d_x[3] = 1;
  std::memcpy(h, d_x, sizeof h);
  std::printf("%f\n", d_x[0]);
  cudaFree(d_x);
})");
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  for (const char* const line :
       {"homework.cu:7:0: device memory [memcheck]", "homework.cu:8:0: device memory [memcheck]",
        "homework.cu:9:0: device memory [memcheck]"})
    expect_in(line, e.out);
  expect_in("homework.cu:5:13: made here", e.out);
  expect_in("Code of the host writes memory of d_x, which lies on the device: on a GPU it can't reach it.", e.out);
  expect_in("Code of the host reads memory of d_x, which lies on the device: on a GPU it can't reach it.", e.out);
  expect_in(
      "Hint: Let a kernel do this, or copy the elements with cudaMemcpy(); what cudaMallocManaged() gives is the "
      "host's, too.",
      e.out);
  expect_in("3 findings", e.out);
}

TEST_F(inspected_cuda_host, touches_device_memory_in_a_function_of_a_stream) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const ending e = inspect_text(R"(void look(void* data) { ++*(int*)data; }
int main() {
  int* d_x;
  cudaMalloc(&d_x, 4);
  cudaMemset(d_x, 0, 4);
  cudaLaunchHostFunc(0, look, d_x);
  cudaDeviceSynchronize();
  cudaFree(d_x);
})");
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("homework.cu:1:0: device memory [memcheck]", e.out);
  expect_in("memory of d_x", e.out);
}

TEST_F(inspected_cuda_host, touches_variables_of_the_device) {
  const ending e = inspect_text(R"(#include <cstdio>
__device__ int counter;
namespace tables {
__constant__ float weights[4];
}
__device__ float2 first, second = {1, 2};
__global__ void count() { atomicAdd(&counter, int(tables::weights[0] + first.x + second.x)); }
int main() {
  counter = 3;
  count<<<1, 32>>>();
  cudaDeviceSynchronize();
  std::printf("%d %f\n", counter, tables::weights[1]);
  second.y = 4;
})");
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("homework.cu:9:0: device variable [memcheck]", e.out);
  expect_in("homework.cu:2:", e.out);
  expect_in(
      "Code of the host writes counter, a variable of the device: on a GPU the host's variable of that name is another "
      "one.",
      e.out);
  expect_in(
      "Hint: Copy the value, cudaMemcpyToSymbol(counter, &value, sizeof counter), or declare the variable __managed__ "
      "and wait for the kernels before.",
      e.out);
  expect_in("homework.cu:12:0: device variable [memcheck]", e.out);
  expect_in("Code of the host reads counter, a variable of the device", e.out);
  expect_in("cudaMemcpyFromSymbol(&value, counter, sizeof counter)", e.out);
  expect_in("Code of the host reads weights, a variable of the device", e.out);
  expect_in("homework.cu:13:0: device variable [memcheck]", e.out);
}

TEST_F(inspected_cuda_host, reaches_what_is_its_own) {
  expect_clean(R"(#include <cstdio>
__device__ int counter;
__constant__ int step;
__managed__ int shown;
__device__ const int size = 32;
int plain;
__global__ void count() { shown = atomicAdd(&counter, step); }
#define CHECK(call) if (call != cudaSuccess) return 1
int main() {
  int value = 2, *managed, *pinned;
  CHECK(cudaMemcpyToSymbol(step, &value, sizeof value));
  CHECK(cudaMemcpyToSymbol(counter, &value, sizeof value));
  CHECK(cudaMallocManaged(&managed, 64 * sizeof(int)));
  CHECK(cudaMallocHost(&pinned, 64 * sizeof(int)));
  for (int i = 0; i < size; ++i) managed[i] = pinned[i] = plain = i;
  count<<<1, size>>>();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  shown += managed[3] + pinned[4];
  CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  CHECK(cudaFree(managed));
  CHECK(cudaFreeHost(pinned));
  return value != 66;
})");
}

// Which kernels reach, too.
TEST_F(inspected_cuda_host, lets_kernels_use_pinned_memory) {
  expect_clean(fill + R"(
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
  int* h;
  if (cudaHostAlloc(&h, 64 * sizeof(int), cudaHostAllocMapped) != cudaSuccess) return 2;
  for (int i = 0; i < 64; ++i) h[i] = i;
  twice<<<1, 64>>>(h);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  for (int i = 0; i < 64; ++i)
    if (h[i] != 2 * i) return 3;
  return cudaFreeHost(h);
})");
}

// --- errors ----------------------------------------------------------------------------------------------------------

namespace {

const std::string three_failures = fill + R"(int main() {
  int *d_x, *d_y;
  cudaMalloc(&d_x,
             size_t(1) << 60);
  cudaMalloc(&d_y, 64 * sizeof(int));
  fill<<<1, 2048>>>(d_y, 1);
  for (int k = 0; k < 2; ++k) cudaMemcpy(d_y, d_y, 1024, cudaMemcpyDeviceToDevice);
  (void)cudaFree(d_y + 1);
  return cudaFree(d_y);
})";

}  // namespace

TEST_F(inspected_cuda_host, drops_errors) {
  const ending e = inspect_text(three_failures);
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("homework.cu:6:0: unchecked error [memcheck]", e.out);
  expect_in("cudaMalloc failed with cudaErrorMemoryAllocation, and nobody asked.", e.out);
  expect_in(
      "Hint: Compare what each call returns with cudaSuccess, and ask cudaGetLastError() after each launch: what comes "
      "after an error works on values that aren't there.",
      e.out);
  expect_in("homework.cu:9:0: unchecked error [memcheck]", e.out);
  expect_in("The launch of fill failed with cudaErrorInvalidConfiguration, and nobody asked.", e.out);
  expect_in("homework.cu:10:0: unchecked error [memcheck]", e.out);
  expect_in("cudaMemcpy failed with cudaErrorInvalidValue, and nobody asked.", e.out);
  expect_in("2 times", e.out);
  expect_in("3 findings", e.out);
}

TEST_F(cuda_host, drops_errors) {
  const ending e = run_source(three_failures);
  EXPECT_EQ(e.status, 0) << e.error;
  for (const char* const sentence :
       {"cudaErrorMemoryAllocation: cudaMalloc in homework.cu:6 failed with it, and nobody asked; compare what calls "
        "return with cudaSuccess, and ask cudaGetLastError() after launches\n",
        "cudaErrorInvalidConfiguration: the launch of fill in homework.cu:9 failed with it, and nobody asked; ",
        "cudaErrorInvalidValue: cudaMemcpy in homework.cu:10 failed with it, and nobody asked; "})
    expect_in(sentence, e.error);
  expect_not_in("homework.cu:11", e.error);
}

TEST_F(cuda_host, asks_for_errors_later) {
  const ending e = run_source(fill + R"(int main() {
  int* d_x = nullptr;
  cudaMalloc(&d_x, size_t(1) << 60);
  if (cudaGetLastError() == cudaSuccess) return 1;
  fill<<<1, 2048>>>(d_x, 1);
  if (cudaPeekAtLastError() == cudaSuccess) return 1;
  fill<<<0, 1>>>(d_x, 1);
  cudaGetLastError();
  if (cudaMalloc(&d_x, size_t(1) << 60) == cudaSuccess) return 1;
  cudaStreamQuery(0);
})");
  EXPECT_EQ(e.status, 0);
  expect_not_in("nobody asked", e.error);
}

// A kernel's fault comes with every call that follows, and one look at it is enough.
TEST_F(cuda_host, looks_at_a_fault_late_or_never) {
  const std::string begin = R"(__global__ void fall() { __trap(); }
int main() {
  int* d_x;
  if (cudaMalloc(&d_x, 64) != cudaSuccess) return 1;
  fall<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaMemset(d_x, 0, 64);
)";
  const ending late = run_source(begin + "  return cudaFree(d_x) == cudaSuccess;\n}");
  EXPECT_EQ(late.status, 0);
  expect_not_in("nobody asked", late.error);
  const ending never = run_source(begin + "}");
  expect_in(" cudaDeviceSynchronize in homework.cu:6 failed with it, and nobody asked; ", "\n" + never.error);
  expect_not_in("homework.cu:7", never.error);
}

TEST_F(inspected_cuda_host, is_told_once_what_would_go_unnoticed) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const std::string body = R"(int main() {
  int* d_x;
  cudaMalloc(&d_x, 64 * sizeof(int));
  for (int k = 0; k < 3; ++k) fill<<<1, 64>>>(d_x, k);
)";
  const ending never = inspect_text(fill + body + "  cudaDeviceSynchronize();\n  cudaFree(d_x);\n}");
  EXPECT_EQ(never.status, 0) << never.out << never.error;
  expect_in(
      "Note: The results of 3 calls are dropped, and 1 launch is followed by no check, the first in homework.cu:6: an "
      "error there would go unnoticed. Compare what calls return with cudaSuccess, and ask cudaGetLastError() after "
      "launches.",
      never.out);
  const ending once = inspect_text(fill + body + "  return cudaDeviceSynchronize() + cudaFree(d_x);\n}");
  EXPECT_EQ(once.status, 0) << once.out << once.error;
  expect_in("Note: The result of 1 call is dropped, the first in homework.cu:6: an error there", once.out);
  const ending launches = inspect_text("__global__ void k() {}\nint main() {\n  k<<<1, 1>>>();\n  k<<<1, 1>>>();\n}");
  EXPECT_EQ(launches.status, 0) << launches.out << launches.error;
  expect_in("Note: 2 launches are followed by no check, the first in homework.cu:3: an error there", launches.out);
  const ending all = inspect_text("__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaGetLastError(); }");
  expect_not_in("Note:", all.out);
}

// --- waits -----------------------------------------------------------------------------------------------------------

namespace {

// A program that fills managed memory and copies it to pinned memory, on a stream. Its lines 11 to 13.
std::string with_host_code(const std::string& lines, const std::string& end = "") {
  return fill + R"(int sum; int main() {
  int *m, *h;
  cudaStream_t s;
  cudaEvent_t done;
  if (cudaMallocManaged(&m, 64 * sizeof(int)) + cudaMallocHost(&h, 64 * sizeof(int)) != 0) return 2;
  if (cudaStreamCreate(&s) + cudaEventCreateWithFlags(&done, cudaEventDisableTiming) != 0) return 2;
  for (int i = 0; i < 64; ++i) m[i] = h[i] = i;
)" + lines +
         "\n  if (cudaDeviceSynchronize() != 0) return 2;\n" + end +
         "  return cudaFree(m) + cudaFreeHost(h) + cudaStreamDestroy(s) + cudaEventDestroy(done);\n}\n";
}

}  // namespace

TEST_F(inspected_cuda_host, reads_managed_memory_that_a_kernel_may_still_write) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const ending e = inspect_text(with_host_code("  fill<<<1, 64>>>(m, 3);\n  sum += m[5];"));
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("homework.cu:12:0: race with host [racecheck]", e.out);
  expect_in("homework.cu:11:", e.out);
  expect_in(": made here", e.out);
  expect_in("Code of the host reads m while fill (line 11) may still write it: nothing has waited for that.", e.out);
  expect_in(
      "Hint: Wait before: cudaDeviceSynchronize(), cudaStreamSynchronize() of the stream, or cudaEventSynchronize() of "
      "an event that was recorded behind the work.",
      e.out);
  expect_in("1 finding:", e.out);
}

TEST_F(inspected_cuda_host, reads_what_a_copy_may_still_write) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const ending e = inspect_text(with_host_code(
      "  cudaMemcpyAsync(h, m, 256, cudaMemcpyDeviceToHost, s);\n  for (int i = 0; i < 64; ++i) sum += h[i];"));
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("homework.cu:12:0: race with host [racecheck]", e.out);
  expect_in("Code of the host reads h while cudaMemcpy (line 11) may still write it: nothing has waited for that.",
            e.out);
  expect_in("1 finding:", e.out);
}

TEST_F(inspected_cuda_host, overwrites_what_a_copy_may_still_read) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const ending e = inspect_text(R"(int main() {
  int *h, *d_x;
  if (cudaMallocHost(&h, 256) + cudaMalloc(&d_x, 256) != 0) return 2;
  for (int i = 0; i < 64; ++i) h[i] = i;
  if (cudaMemcpyAsync(d_x, h, 128, cudaMemcpyHostToDevice) != 0) return 2;
  int before = h[3];
  h[40] = 1;
  h[31] = before;
  if (cudaDeviceSynchronize() != 0) return 2;
  return cudaFree(d_x) + cudaFreeHost(h);
})");
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("homework.cu:8:0: race with host [racecheck]", e.out);
  expect_in("Code of the host writes h while cudaMemcpy (line 5) may still read it: nothing has waited for that.",
            e.out);
  expect_in("1 finding:", e.out);
}

// The host's access comes first, by the engine's order, or the work does: the host can't know.
TEST_F(inspected_cuda_host, is_found_however_the_work_happens_to_run) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  for (const char* const in_between : {"", "  usleep(50000);"}) {
    const ending e =
        inspect_text("#include <unistd.h>\n" +
                     with_host_code(std::string("  fill<<<1, 64, 0, s>>>(m, 3);") + in_between + "\n  m[5] = 1;"));
    EXPECT_EQ(e.status, 1) << e.out << e.error;
    expect_in("homework.cu:13:0: race with host [racecheck]", e.out);
    expect_in("Code of the host writes m while fill (line 12) may still write it", e.out);
  }
}

TEST_F(inspected_cuda_host, waits_for_another_stream_or_an_event_too_early) {
  for (const char* const wait : {"  cudaStreamSynchronize(other);", "  cudaEventSynchronize(early);"}) {
    const ending e = inspect_text(
        with_host_code(std::string("  cudaStream_t other; cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);"
                                   "  cudaEvent_t early; cudaEventCreate(&early); cudaEventRecord(early, s);\n"
                                   "  fill<<<1, 64, 0, s>>>(m, 3);") +
                       wait + "\n  sum += m[5];"));
    EXPECT_EQ(e.status, 1) << wait << e.out << e.error;
    expect_in("homework.cu:13:0: race with host [racecheck]", e.out);
  }
}

TEST_F(inspected_cuda_host, waits_before_it_reads) {
  for (const char* const wait :
       {"cudaDeviceSynchronize();", "cudaStreamSynchronize(s);",
        "cudaEventRecord(done, s); cudaEventSynchronize(done);", "while (cudaStreamQuery(s) != cudaSuccess) {}",
        "cudaEventRecord(done, s); while (cudaEventQuery(done) != cudaSuccess) {}",
        "int one; cudaMemcpy(&one, m, 4, cudaMemcpyDeviceToHost);",
        "int one; cudaMemcpyAsync(&one, m, 4, cudaMemcpyDeviceToHost, s);"})
    expect_clean(with_host_code(std::string("  fill<<<1, 64, 0, s>>>(m, 3);\n"
                                            "  cudaMemcpyAsync(h, m, 256, cudaMemcpyDeviceToHost, s);\n  ") +
                                wait + "\n  for (int i = 0; i < 64; ++i) sum += m[i] + h[i], h[i] = m[i] = 0;"));
}

TEST_F(inspected_cuda_host, uses_what_the_work_leaves_alone) {
  expect_clean(
      with_host_code("  fill<<<1, 32, 0, s>>>(m, 3);\n  cudaMemcpyAsync(h, m, 128, cudaMemcpyDeviceToHost, s);\n"
                     "  for (int i = 32; i < 64; ++i) sum += m[i], h[i] = m[i] = 1;"));
}

TEST_F(inspected_cuda_host, has_its_functions_in_the_order_of_the_stream) {
  if (!accesses_are_noted()) GTEST_SKIP() << are_not_noted;
  const std::string look = "void look(void* data) { ++*(int*)data; }\n";
  const std::string lines = "  fill<<<1, 64, 0, s>>>(m, 3);\n  cudaLaunchHostFunc(s, look, m);";
  expect_clean(look + with_host_code(lines));
  const ending e =
      inspect_text(look + with_host_code(lines + "\n  cudaMemcpyAsync(h, m, 4, cudaMemcpyDeviceToHost, s);\n"
                                                 "  cudaLaunchHostFunc(s, look, h + 1);  ++h[1];"));
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("Code of the host reads h while a function of the host (", e.out);
}

// --- streams ---------------------------------------------------------------------------------------------------------

TEST_F(inspected_cuda_host, queues_work_on_streams_that_nothing_orders) {
  const std::string begin = R"(#include <unistd.h>
__global__ void copy_all(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
int main() {
  int *d_x, *d_y;
  cudaStream_t a, b;
  if (cudaMalloc(&d_x, 256) + cudaMalloc(&d_y, 256) + cudaStreamCreate(&a) + cudaStreamCreate(&b) != 0) return 2;
  if (cudaMemset(d_x, 0, 256) != 0) return 2;
  fill<<<1, 64, 0, a>>>(d_x, 3);
)",
                    end = R"(  copy_all<<<1, 64, 0, b>>>(d_x, d_y);
  if (cudaDeviceSynchronize() != 0) return 2;
  return cudaFree(d_x) + cudaFree(d_y) + cudaStreamDestroy(a) + cudaStreamDestroy(b);
})";
  const ending e = inspect_text(fill + begin + "  usleep(20000);\n" + end);
  EXPECT_EQ(e.status, 1) << e.out << e.error;
  expect_in("race between streams [racecheck]", e.out);
  expect_in("cudaEventRecord(e, first); cudaStreamWaitEvent(second, e, 0);", e.out);
  expect_clean(fill + begin +
               "  cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, a); cudaStreamWaitEvent(b, e);\n" + end);
}

// Also where the engine has run it before the other is queued.
TEST_F(inspected_cuda_host, has_the_default_stream_in_order_with_the_others) {
  for (const char* const pause : {"", "usleep(20000);"})
    expect_clean("#include <unistd.h>\n" + fill + R"(int main() {
  int* d_x;
  cudaStream_t a;
  if (cudaMalloc(&d_x, 256) + cudaStreamCreate(&a) != 0) return 2;
  fill<<<1, 64>>>(d_x, 3);
  )" + pause + R"(
  fill<<<1, 64, 0, a>>>(d_x, 4);
  )" + pause + R"(
  fill<<<1, 64>>>(d_x, 5);
  if (cudaDeviceSynchronize() != 0) return 2;
  return cudaFree(d_x) + cudaStreamDestroy(a);
})");
}
