// Programs in CUDA C++, each of which checks itself; and what is said of those that fail.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/dialect/cuda_sources.h"
#include "tests/undeclared.h"

namespace {

using programs_test::ending, programs_test::expect_in, programs_test::expect_not_in;

struct cuda_program : programs_test::cuda_sources {};
struct every_cuda_program : programs_test::cuda_sources, testing::WithParamInterface<std::string> {};
struct every_inspected_cuda_program : programs_test::inspected_cuda_sources,
                                      testing::WithParamInterface<std::string> {};

// Files of programs/ but for those whose output a test of their own looks at.
std::vector<std::string> silent_programs() {
  const std::set<std::string> talkative{"cublas", "cufft",         "curand_host",  "errors",
                                        "graphs", "printed_lines", "refused_calls"};
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(CUDA_PROGRAMS))
    if (entry.path().extension() == ".cu" && !talkative.contains(entry.path().stem()))
      names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

// Those that the instruments have nothing to say of. The others have a race that their sources admit, ask for a time,
// which no inspection has, run for half a minute, or have gigabytes of memory of which the instruments would keep a
// record.
std::vector<std::string> programs_without_findings() {
  std::vector<std::string> names = silent_programs();
  for (const char* const other : {"breadth_first", "warps_and_atomics", "runtime", "recursion", "large_array"})
    std::erase(names, other);
  return names;
}

// What a program does whose kernel is `body`, with 64 threads and an array of 64 ints; it prints the error that it
// gets.
std::string with_kernel(const std::string& body) {
  return R"(#include <cassert>
#include <cstdio>
__global__ void k(int* x, int n) {
)" + body +
         R"(
}
int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  k<<<1, 64>>>(x, 64);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorName(cudaMemset(x, 0, 4)));
}
)";
}

}  // namespace

TEST_P(every_cuda_program, agrees_with_plain_loops) {
  if (GetParam().starts_with("thrust") && !programs_test::has_thrust())
    GTEST_SKIP() << "libthrust-dev 1.17 isn't installed";
  const ending e = run_program(GetParam() + ".cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  EXPECT_EQ(e.out, "");
}
INSTANTIATE_TEST_SUITE_P(programs, every_cuda_program, testing::ValuesIn(silent_programs()),
                         [](const auto& chosen) { return chosen.param; });

TEST_P(every_inspected_cuda_program, has_no_findings) {
  if (GetParam().starts_with("thrust") && !programs_test::has_thrust())
    GTEST_SKIP() << "libthrust-dev 1.17 isn't installed";
  const ending e = run("inspect '" CUDA_PROGRAMS "/" + GetParam() + ".cu'");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  expect_in("No findings: ", e.out);
}
INSTANTIATE_TEST_SUITE_P(programs, every_inspected_cuda_program, testing::ValuesIn(programs_without_findings()),
                         [](const auto& chosen) { return chosen.param; });

TEST_F(cuda_program, asks_for_errors) {
  const ending e = run_program("refused_calls.cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  EXPECT_EQ(e.out, "");
  expect_in("a launch of nothing with a block of (2048, 1, 1): its x extent is 2048; use 1 to 1024", e.error);
}
TEST_F(cuda_program, prints_from_kernels) {
  const ending e = run_program("printed_lines.cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  expect_in("thread 0 of 3:  0.00 a 200000000 %\n", e.out);
  expect_in("thread 2 of 3:  1.00 c 800000000 %\n", e.out);
}
TEST_F(cuda_program, calls_cublas) {
  const ending e = run_program("cublas.cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  EXPECT_EQ(e.out, "");
  EXPECT_EQ(e.error,
            "CUBLAS_STATUS_INVALID_VALUE: cublasSgemm: lda is 3, and a column has 4 elements; it is at least that, and "
            "at least 1\n");
}

TEST_F(cuda_program, hears_what_is_wrong_with_a_call_of_cublas) {
  const ending e = run_source(R"(#include <cublas_v2.h>
#include <cstdio>
int main() {
  float one = 1, host[4] = {}, *x;
  cudaMalloc(&x, sizeof host);
  cublasHandle_t h = nullptr;
  printf("%d\n", cublasSscal(h, 4, &one, x, 1));
  cublasCreate(&h);
  printf("%d", cublasSscal(h, -4, &one, x, 1));
  printf(" %d", cublasSscal(h, 4, &one, x, 0));
  printf(" %d", cublasSscal(h, 4, &one, host, 1));
  printf(" %d", cublasSscal(h, 4, &one, nullptr, 1));
  printf(" %d", cublasSscal(h, 4, nullptr, x, 1));
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  printf(" %d", cublasSscal(h, 4, &one, x, 1));
  printf(" %d\n", cublasSetVector(3, 4, host, 0, x, 1));
}
)");
  EXPECT_EQ(e.out, "1\n7 7 7 7 7 7 7\n");
  for (const char* sentence :
       {"CUBLAS_STATUS_NOT_INITIALIZED: cublasSscal: there is no handle; call cublasCreate() before\n",
        "CUBLAS_STATUS_INVALID_VALUE: cublasSscal: n is -4; sizes are at least 0\n",
        "CUBLAS_STATUS_INVALID_VALUE: cublasSscal: incx is 0; elements are 1 or more apart\n",
        "CUBLAS_STATUS_INVALID_VALUE: cublasSscal: x points to memory of the host, which a GPU can't reach; copy it to "
        "memory of cudaMalloc() and pass that\n",
        "CUBLAS_STATUS_INVALID_VALUE: cublasSscal: x is a null pointer; pass memory of cudaMalloc()\n",
        "CUBLAS_STATUS_INVALID_VALUE: cublasSscal: alpha is a null pointer; pass the address of a number\n",
        "CUBLAS_STATUS_INVALID_VALUE: cublasSscal: alpha points to memory of the host, and the pointer mode is that of "
        "the device; call cublasSetPointerMode() with CUBLAS_POINTER_MODE_HOST\n",
        "CUBLAS_STATUS_INVALID_VALUE: cublasSetVector: 1 x 3 elements of 4 bytes, columns 0 and 1 elements apart; "
        "columns "
        "are at least as far apart as they have elements\n"})
    expect_in(sentence, e.error);
}

TEST_F(cuda_program, captures_graphs) {
  const ending e = run_program("graphs.cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  EXPECT_EQ(e.out, "");
  for (const char* sentence :
       {"cudaErrorStreamCaptureUnsupported: waiting for the stream while a stream is captured: what was queued hasn't "
        "run; wait after cudaStreamEndCapture() and cudaGraphLaunch()\n",
        "cudaErrorStreamCaptureUnsupported: cudaDeviceSynchronize() while a stream is captured: what was queued hasn't "
        "run; wait after cudaStreamEndCapture() and cudaGraphLaunch()\n",
        "cudaErrorStreamCaptureUnsupported: asking whether the stream is idle while a stream is captured",
        "cudaErrorStreamCaptureUnsupported: an allocation while a stream is captured: it may wait for the device; call "
        "it before cudaStreamBeginCapture(), or capture with cudaStreamCaptureModeRelaxed\n",
        "cudaErrorStreamCaptureImplicit: work on the default stream while a stream is captured that waits for it; name "
        "the captured stream, or make it with cudaStreamNonBlocking\n",
        "cudaErrorCapturedEvent: cudaEventSynchronize() of an event that was recorded on a captured stream: what is "
        "before it hasn't run; record it again outside of the capture\n",
        "cudaErrorStreamCaptureIsolation: a captured stream waits for an event that was recorded outside of the "
        "capture; record it on a stream of the capture, or wait for it before cudaStreamBeginCapture()\n",
        "cudaErrorStreamCaptureUnmatched: cudaStreamEndCapture: the capture was begun on another stream; end it on "
        "that one\n",
        "cudaErrorStreamCaptureUnjoined: cudaStreamEndCapture: work on another stream of the capture hasn't been "
        "waited for; record an event there, and let this stream wait for it\n"})
    expect_in(sentence, e.error);
}
TEST_F(cuda_program, hears_what_no_graph_can_hold) {
  const ending e = run_source(R"(#include <cstdio>
int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  printf("%d ", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  int* x = nullptr;
  cudaGraph_t graph;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed);
  printf("%d ", cudaMallocAsync(&x, 64, first));
  printf("%d ", cudaStreamEndCapture(first, &graph));
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed);
  cudaStreamBeginCapture(second, cudaStreamCaptureModeRelaxed);
  cudaEventRecord(event, first);
  printf("%d ", cudaStreamWaitEvent(second, event, 0));
  printf("%d ", cudaMemsetAsync(x, 0, 0, second));
  printf("%d ", cudaStreamEndCapture(second, &graph));
  cudaStreamEndCapture(first, &graph);
  printf("%d\n", cudaStreamWaitEvent(second, event, 0));
}
)");
  EXPECT_EQ(e.out, "900 801 901 902 0 901 907\n");
  expect_in(
      "cudaErrorStreamCaptureUnsupported: cudaStreamBeginCapture: the default stream can't be captured; make one with "
      "cudaStreamCreate()\n",
      e.error);
  expect_in(
      "cudaErrorNotSupported: cudaMallocAsync() on a captured stream isn't supported; allocate before "
      "cudaStreamBeginCapture()\n",
      e.error);
  expect_in(
      "cudaErrorStreamCaptureMerge: a captured stream waits for an event of another capture; end one of them first\n",
      e.error);
}
TEST_F(cuda_program, makes_no_graphs_node_by_node) {
  expect_in("cudaGraphAddKernelNode: graphs are made by capture: use cudaStreamBeginCapture()",
            run_source("int main() { cudaGraphAddKernelNode(nullptr, nullptr, nullptr, 0, nullptr); }\n").error);
}
TEST_F(cuda_program, calls_cufft) {
  const ending e = run_program("cufft.cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  EXPECT_EQ(e.out, "");
  EXPECT_EQ(e.error, "CUFFT_INVALID_SIZE: cufftPlan1d: extent 0 is 0; use 1 or more\n");
}
TEST_F(cuda_program, hears_what_is_wrong_with_a_call_of_cufft) {
  const ending e = run_source(R"(#include <cufft.h>
#include <cstdio>
int main() {
  cufftComplex *x, host[8] = {};
  cudaMalloc(&x, sizeof host);
  cufftHandle p = 0;
  printf("%d ", cufftExecC2C(77, x, x, CUFFT_FORWARD));
  printf("%d ", cufftPlan1d(&p, 8, (cufftType)5, 1));
  printf("%d ", cufftPlan1d(&p, 8, CUFFT_C2C, 0));
  int n[] = {2, 2, 2, 2};
  printf("%d ", cufftPlanMany(&p, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  printf("%d ", cufftPlanMany(&p, 1, n, n, 0, 0, n, 1, 0, CUFFT_C2C, 1));
  printf("%d ", cufftPlan1d(&p, 8, CUFFT_C2C, 1));
  printf("%d ", cufftExecR2C(p, (float*)x, x));
  printf("%d ", cufftExecC2C(p, host, x, CUFFT_FORWARD));
  printf("%d ", cufftExecC2C(p, x, nullptr, CUFFT_FORWARD));
  printf("%d ", cufftExecC2C(p, x, x, 3));
  printf("%d ", cufftDestroy(p));
  printf("%d\n", cufftDestroy(p));
}
)");
  EXPECT_EQ(e.out, "1 3 8 8 8 0 3 4 4 4 0 1\n");
  for (const char* sentence :
       {"CUFFT_INVALID_PLAN: cufftExecC2C: there is no such plan; make it with cufftPlan1d() and its kin\n",
        "CUFFT_INVALID_TYPE: cufftPlan1d: the type is 0x5; use CUFFT_C2C and its kin\n",
        "CUFFT_INVALID_SIZE: cufftPlan1d: batch is 0; use 1 or more\n",
        "CUFFT_INVALID_SIZE: cufftPlanMany: rank is 4; use 1 to 3\n",
        "CUFFT_INVALID_SIZE: cufftPlanMany: an embed or a stride is smaller than 1; elements are 1 or more apart\n",
        "CUFFT_INVALID_TYPE: cufftExecR2C: the plan was made for type 0x29, and this is one of 0x2a\n",
        "CUFFT_INVALID_VALUE: cufftExecC2C: the input is memory of the host, which a GPU can't reach; pass memory of "
        "cudaMalloc()\n",
        "CUFFT_INVALID_VALUE: cufftExecC2C: the output is a null pointer; pass memory of cudaMalloc()\n",
        "CUFFT_INVALID_VALUE: cufftExecC2C: the direction is 3; use CUFFT_FORWARD or CUFFT_INVERSE\n"})
    expect_in(sentence, e.error);
}
// Own text in the manner of NVIDIA's cuda-samples.
TEST_F(cuda_program, has_the_habits_of_the_samples) {
  const std::string text = R"(#include <helper_cuda.h>
#include <helper_functions.h>
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
int main(int argc, char** argv) {
  const int device = findCudaDevice(argc, (const char**)argv);
  int n = 32;
  if (checkCmdLineFlag(argc, (const char**)argv, "n")) n = getCmdLineArgumentInt(argc, (const char**)argv, "n");
  float host[32], expected[32], *x;
  for (int i = 0; i < 32; ++i) host[i] = i, expected[i] = 2 * i;
  checkCudaErrors(cudaMalloc((void**)&x, sizeof host));
  checkCudaErrors(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
  StopWatchInterface* timer = NULL;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  twice<<<1, n>>>(x);
  getLastCudaError("twice");
  checkCudaErrors(cudaDeviceSynchronize());
  sdkStopTimer(&timer);
  const bool timed = sdkGetTimerValue(&timer) >= 0;
  sdkDeleteTimer(&timer);
  checkCudaErrors(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(x));
  printf("%d %d %d\n", device, timed, sdkCompareL2fe(expected, host, 32, 1e-6f));
  exit(compareArrays(expected, host, 32) ? EXIT_SUCCESS : EXIT_FAILURE);
}
)";
  const ending right = run_source(text);
  EXPECT_EQ(right.status, 0) << right.error;
  expect_in("GPU Device 0: \"", right.out);
  expect_in("\n0 1 1\n", right.out);
  const ending wrong = run("run homework.cu -n=2000");
  EXPECT_EQ(wrong.status, 1);
  expect_in("homework.cu:16: twice: invalid configuration argument\n", wrong.error);
  expect_in("There is no device 4: there are 1.\n", run("run homework.cu --device=4").error);
  const ending failed = run_source("#include <helper_cuda.h>\nint main() {\n  checkCudaErrors(cudaSetDevice(7));\n}\n");
  EXPECT_EQ(failed.status, 1);
  expect_in("homework.cu:3: cudaSetDevice(7): error 101, cudaErrorInvalidDevice\n", failed.error);
}

TEST_F(cuda_program, goes_on_after_errors_and_hears_why) {
  const ending e = run_program("errors.cu");
  EXPECT_EQ(e.status, 0) << e.out << e.error;
  EXPECT_EQ(e.out, "");
  expect_in(
      "cudaErrorInvalidConfiguration: a launch of nothing with a block of (2048, 1, 1): its x extent is 2048; use "
      "1 to 1024\n",
      e.error);
  expect_in(
      "cudaErrorInvalidValue: a launch of nothing with 1048576 bytes of dynamic shared memory: a block has 49152; "
      "use smaller tiles\n",
      e.error);
  expect_in(
      "cudaErrorInvalidValue: cudaMemcpy of 132 bytes: 132 bytes reach beyond the destination, which has 128 bytes "
      "from there on\n",
      e.error);
  expect_in("cudaErrorInvalidValue: cudaMemset: 132 bytes reach beyond the memory\n", e.error);
  expect_in("cudaErrorInvalidValue: cudaFree: the pointer isn't what cudaMalloc() returned, or was freed before\n",
            e.error);
}

TEST_F(cuda_program, is_stopped_for_good_by_an_assertion) {
#if defined(__clang__)  // as the compiler writes it
  const std::string kernel = "void k(int *, int)";
#else
  const std::string kernel = "void k(int*, int)";
#endif
  const ending e = run_source(with_kernel("  assert(threadIdx.x < 40); x[threadIdx.x] = n;"));
  EXPECT_EQ(e.out, "cudaErrorAssert\ncudaErrorAssert\n");
  expect_in("homework.cu:4: " + kernel + ": block (0, 0, 0) thread (40, 0, 0): assertion `threadIdx.x < 40' failed\n",
            e.error);
}

TEST_F(cuda_program, is_stopped_for_good_by_a_trap_and_a_wrong_address) {
  const ending trap = run_source(with_kernel("  if (threadIdx.x == 7) __trap();"));
  EXPECT_EQ(trap.out, "cudaErrorLaunchFailure\ncudaErrorLaunchFailure\n");
  expect_in("cudaErrorLaunchFailure: block (0, 0, 0) thread (7, 0, 0) called __trap()\n", trap.error);
  const ending address = run_source(with_kernel("  x[(long long)1 << 42] = n;"));
  EXPECT_EQ(address.out, "cudaErrorIllegalAddress\ncudaErrorIllegalAddress\n");
}

TEST_F(cuda_program, may_not_hand_memory_of_the_host_to_a_kernel) {
  const ending e = run_source(R"(#include <cstdio>
#include <vector>
__global__ void k(int n, float* x) { x[0] = n; }
int main() {
  std::vector<float> x(10);
  k<<<1, 1>>>(1, x.data());
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
)");
  EXPECT_EQ(e.out, "an illegal memory access was encountered\n");
  EXPECT_EQ(
      e.error,
      "cudaErrorIllegalAddress: a launch of k: parameter 2 points to memory of the host, which a GPU can't reach; "
      "copy it to memory of cudaMalloc() and pass that\n");
}

TEST_F(cuda_program, may_not_take_more_shared_memory_than_there_is) {
  const ending e = run_source(with_kernel(
      "  __shared__ float a[8000]; __shared__ float b[8000]; a[threadIdx.x] = b[threadIdx.x] = n; *x = a[0];"));
  expect_in(
      "cudaErrorLaunchFailure: a kernel with 64000 bytes of __shared__ variables and 0 dynamic ones: a block has 49152 "
      "bytes; use smaller tiles\n",
      e.error);
}

// The files that the samples read and write: numbers as text, pictures as PPM.
TEST_F(cuda_program, reads_the_files_of_the_samples) {
  write("numbers.txt", "# two of them\n1.5 -2\n");
  write("picture.ppm", "P6\n# a row\n2 1\n255\nabcdef");
  write("text.ppm", "P3 2 1 255 0 0 0 0 0 0");
  const ending e = run_source(R"(#include <helper_functions.h>
int main() {
  float *values = NULL, room[2] = {};
  float* given = room;
  unsigned count = 0, width = 0, height = 0, three = 3, two = 2;
  unsigned char* pixels = NULL;
  printf("%d ", sdkReadFile("numbers.txt", &values, &count, true));
  printf("%u %g %g ", count, values[0], values[1]);
  printf("%d %d ", sdkReadFile("numbers.txt", &given, &three, true), sdkReadFile("numbers.txt", &given, &two, true));
  printf("%g %d\n", room[1], sdkReadFile("none.txt", &values, &count, true));
  printf("%d ", sdkWriteFile("written.txt", room, 2, 0.5f, true) && sdkWriteFile("written.txt", room, 1, 0.0f, true, true));
  printf("%d\n", sdkWriteFile("none/written.txt", room, 2, 0.0f, true));
  printf("%d ", sdkLoadPPM4ub("picture.ppm", &pixels, &width, &height));
  printf("%u %u %c%c%d %d\n", width, height, pixels[0], pixels[6], pixels[3], MAX(MIN(3, 2), 1));
  printf("%d\n", sdkLoadPPM4ub("text.ppm", &pixels, &width, &height));
}
)");
  EXPECT_EQ(e.out, "1 2 1.5 -2 0 1 -2 0\n1 0\n1 2 1 af0 2\n0\n") << e.error;
  EXPECT_EQ(programs_test::text_of(folder / "written.txt"), "# 0.5\n1.5 -2 \n1.5 \n");
  for (const char* sentence : {"sdkReadFile: none.txt can't be opened; name a file that can be read\n",
                               "sdkWriteFile: none/written.txt can't be written; name a file in a folder of your own\n",
                               "sdkLoadPPM4ub: text.ppm is no binary PPM of 255 levels; convert the picture\n"})
    expect_in(sentence, e.error);
}

TEST_F(cuda_program, takes_headers_definitions_and_c_sources) {
  write("headers/factor.h", "#define FACTOR 3\n");
  write("twice.c",
        "#include <factor.h>\nint cudaSetDevice();\nint twice(new) int new; { cudaSetDevice(0); return FACTOR * new; "
        "}\n");
  write("homework.cu", R"(#include <cstdio>
#include "factor.h"
extern "C" int twice(int);
int main() { printf("%d %d\n", twice(FACTOR), SIZE); }
)");
  const ending e = run("run -I headers -D SIZE=12 homework.cu twice.c");
  EXPECT_EQ(e.out, "9 12\n") << e.error;
}

// As many threads as the GPU holds that the engine describes.
TEST_F(cuda_program, has_a_cooperative_grid_fill_the_device) {
  const ending e = run_source(R"(#include <cooperative_groups.h>
#include <cstdio>
__global__ void k(int* counts) {
  atomicAdd(counts, 1);
  cooperative_groups::this_grid().sync();
  if (*counts != cooperative_groups::this_grid().size()) atomicAdd(counts + 1, 1);
}
int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int blocks = 0, *counts;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 1024, 0);
  cudaMallocManaged(&counts, 2 * sizeof(int));
  void* arguments[] = {&counts};
  cudaLaunchCooperativeKernel((void*)k, blocks * device.multiProcessorCount, 1024, arguments);
  printf("%d ", cudaDeviceSynchronize());
  printf("%d %d %d\n", device.cooperativeLaunch, counts[0] == 1024 * blocks * device.multiProcessorCount, counts[1]);
}
)");
  EXPECT_EQ(e.out, "0 1 1 0\n") << e.error;
}

TEST_F(cuda_program, may_not_have_more_threads_wait_for_each_other_than_there_are) {
  const ending e = run_source(R"(#include <cooperative_groups.h>
#include <cstdio>
__global__ void k() { cooperative_groups::this_grid().sync(); }
int main() {
  void* none[] = {nullptr};
  printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void*)k, 2000, 256, none)));
}
)");
  EXPECT_EQ(e.out, "cudaErrorCooperativeLaunchTooLarge\n");
  expect_in(
      "a cooperative launch of k with 2000 blocks of 256 threads: the engine runs 1056 of them at once; launch so "
      "many, "
      "and loop over the rest inside\n",
      e.error);
}

TEST_F(cuda_program, has_no_tiles_larger_than_a_warp) {
  expect_in("thread_block_tile: a tile of more than 32 threads isn't supported; use the thread_block",
            run_source("#include <cooperative_groups.h>\n__global__ void k() {\n"
                       "  cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block()).sync();\n"
                       "}\nint main() {}\n")
                .error);
}

TEST_F(cuda_program, that_does_not_compile_is_shown_as_it_was_written) {
  const ending e = run_source("__global__ void k(float* x) {\n  x[threadIdx.x] = nowhere;\n}\nint main() {}\n");
  EXPECT_EQ(e.status, 1);
  expect_in("homework.cu doesn't compile.\n", e.error);
  expect_in("homework.cu:2:20: error: " + undeclared("nowhere") + "\n    2 |   x[threadIdx.x] = nowhere;\n", e.error);
}

TEST_F(cuda_program, with_assembly_or_a_texture_does_not_compile) {
  expect_in(
      "homework.cu:1:37: error: static assertion failed: inline assembly is for a GPU alone: write it in CUDA C++\n",
      run_source("__global__ void k() { asm(\"bar.sync 0;\"); }\nint main() {}\n").error);
  expect_in(
      "textures aren't supported: read the array itself",
      run_source("__global__ void k(float* x, cudaTextureObject_t t) { *x = tex2D<float>(t, 0, 1); }\nint main() {}\n")
          .error);
}

TEST_F(cuda_program, begins_with_new) {
  const ending e = run("new wave.cu");
  EXPECT_EQ(e.status, 0) << e.error;
  const ending ran = run("run wave.cu");
  EXPECT_EQ(ran.status, 0) << ran.error;
  EXPECT_EQ(ran.out, "the wave is 1.000 high at 16\n");  // sin(1.6)
}

TEST_F(cuda_program, uses_arrays_of_gs_and_its_copies_are_in_the_ledger) {
  const ending e = run_source(R"(#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include "runtime/gs.h"
__device__ float factor[33];
__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = factor[i % 33] * x[i];
}
void print(const char* what, const gs::ledger& l) {
  std::printf("%s: %d copies to the device of %d bytes, %d to the host of %d\n", what, int(l.copies_to_device),
              int(l.bytes_to_device), int(l.copies_to_host), int(l.bytes_to_host));
}
int main() {
  const int n = 1009;
  std::vector<float> host(n, 2), factors(33, 3), back(n);
  const gs::device_array<float> x = gs::to_device(host), y(n);
  float first = 0;
  {
    const gs::ledger_scope scope;
    cudaMemcpyToSymbol(factor, factors.data(), sizeof factor);
    cudaMemcpyFromSymbol(&first, factor, sizeof first);
    print("variables", scope.account());
  }
  scale<<<(n + 127) / 128, 128>>>(x.data(), y.data(), n);
  std::printf("%s %g %g\n", cudaGetErrorName(cudaGetLastError()), first, y.copy_to_host()[n - 1]);
  {
    const gs::ledger_scope scope;
    cudaMemcpy(back.data(), y.data(), n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(y.data(), host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    print("arrays", scope.account());
  }
  std::printf("%g %g\n", back[n - 1], y.copy_to_host()[n - 1]);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(back.data(), x.data(), n * sizeof(float), cudaMemcpyDeviceToHost, s);
  cudaGraph_t graph;
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t made;
  cudaGraphInstantiate(&made, graph, 0);
  {
    const gs::ledger_scope scope;
    cudaGraphLaunch(made, s);
    cudaGraphLaunch(made, s);
    cudaStreamSynchronize(s);
    print("graph", scope.account());
  }
  std::printf("%s\n", cudaGetErrorName(cudaFree(x.data())));
}
)");
  EXPECT_EQ(e.error,
            "cudaErrorInvalidValue: cudaFree: the pointer isn't what cudaMalloc() returned, or was freed before\n");
  EXPECT_EQ(e.out,
            "variables: 1 copies to the device of 132 bytes, 1 to the host of 4\n"
            "cudaSuccess 3 6\n"
            "arrays: 1 copies to the device of 4036 bytes, 1 to the host of 4036\n"
            "6 2\n"
            "graph: 0 copies to the device of 0 bytes, 2 to the host of 8072\n"
            "cudaErrorInvalidValue\n");
}

TEST_F(cuda_program, is_not_told_how_to_become_gs) {
  const ending e = run_source("__global__ void k() {}\nint main() {\n  k<<<1, 1>>>(3);\n}\n");
  EXPECT_EQ(e.status, 1);
  expect_in("homework.cu:3:", e.error + e.out);
  expect_not_in("gs::launch", e.error + e.out);
}

TEST_F(cuda_program, is_told_what_cpp_alone_explains) {
  const ending e = run_source("__global__ void k(int* x) { *x = 1 }\nint main() {}\n");
  EXPECT_EQ(e.status, 1);
#if !defined(__clang__)  // which words it otherwise than g++
  expect_in("Brackets or semicolons don't match up", e.error);
#endif
}
