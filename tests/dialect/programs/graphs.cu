// Graphs by capture: launched again and again, with branches, and what is refused meanwhile.
#include <cuda_runtime.h>

#include "check.cuh"

__global__ void plus(int* x, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) x[i] += value;
}
__global__ void sum_of(const int* x, const int* y, int* z, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) z[i] = x[i] + y[i];
}

int called = 0;

void launches(int n) {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  const std::vector<int> zeros(n, 0);
  device_vector_of<int> x(zeros);
  int* host = nullptr;
  CHECK_CUDA(cudaMallocHost(&host, (n + 1) * sizeof(int)));
  cudaStreamCaptureStatus status;
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  expect(status == cudaStreamCaptureStatusNone, "no capture");
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  expect(status == cudaStreamCaptureStatusActive, "a capture");
  for (int k = 1; k <= 3; ++k) plus<<<4, 64, 0, stream>>>(x.data, n, k);
  CHECK_CUDA(cudaMemcpyAsync(host, x.data, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaLaunchHostFunc(stream, [](void* data) { ++*(int*)data; }, &called));
  cudaGraph_t graph;
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  CHECK_CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
  expect(n == 0 || nodes == 5, "nodes");
  expect(x.host() == zeros, "nothing has run");
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  CHECK_CUDA(cudaGraphDestroy(graph));
  called = 0;
  for (int k = 0; k < 5; ++k) CHECK_CUDA(cudaGraphLaunch(executable, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  expect(x.host() == std::vector<int>(n, 30), "five launches");
  expect(n == 0 || (host[0] == 30 && host[n - 1] == 30), "its copy");
  expect_equal(called, 5, "its function of the host");
  CHECK_CUDA(cudaGraphExecDestroy(executable));
  CHECK_CUDA(cudaFreeHost(host));
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void branches(int n) {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  CHECK_CUDA(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK_CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK_CUDA(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK_CUDA(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  device_vector_of<int> x(n), y(n), z(n);
  CHECK_CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
  CHECK_CUDA(cudaMemsetAsync(x.data, 0, n * sizeof(int), first));
  CHECK_CUDA(cudaEventRecord(fork, first));
  CHECK_CUDA(cudaStreamWaitEvent(second, fork, 0));
  CHECK_CUDA(cudaMemsetAsync(y.data, 0, n * sizeof(int), second));
  plus<<<2, 128, 0, second>>>(y.data, n, 40);
  plus<<<2, 128, 0, first>>>(x.data, n, 2);
  cudaStreamCaptureStatus status;
  CHECK_CUDA(cudaStreamIsCapturing(second, &status));
  expect(status == cudaStreamCaptureStatusActive, "the second stream is captured, too");
  CHECK_CUDA(cudaEventRecord(join, second));
  CHECK_CUDA(cudaStreamWaitEvent(first, join, 0));
  sum_of<<<2, 128, 0, first>>>(x.data, y.data, z.data, n);
  cudaGraph_t graph;
  CHECK_CUDA(cudaStreamEndCapture(first, &graph));
  CHECK_CUDA(cudaStreamIsCapturing(second, &status));
  expect(status == cudaStreamCaptureStatusNone, "and no more");
  cudaGraphExec_t executable;
  CHECK_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int k = 0; k < 20; ++k) CHECK_CUDA(cudaGraphLaunch(executable, k % 2 ? first : second));
  CHECK_CUDA(cudaDeviceSynchronize());
  expect(z.host() == std::vector<int>(n, 42), "two branches");

  // A graph inside of another.
  CHECK_CUDA(cudaStreamBeginCapture(first, cudaStreamCaptureModeRelaxed));
  CHECK_CUDA(cudaGraphLaunch(executable, first));
  plus<<<2, 128, 0, first>>>(z.data, n, 1);
  cudaGraph_t outer;
  CHECK_CUDA(cudaStreamEndCapture(first, &outer));
  cudaGraphExec_t whole;
  CHECK_CUDA(cudaGraphInstantiate(&whole, outer, 0));
  CHECK_CUDA(cudaGraphLaunch(whole, first));
  CHECK_CUDA(cudaStreamSynchronize(first));
  expect(z.host() == std::vector<int>(n, 43), "a graph in a graph");
  for (const cudaGraphExec_t one : {executable, whole}) CHECK_CUDA(cudaGraphExecDestroy(one));
  for (const cudaGraph_t one : {graph, outer}) CHECK_CUDA(cudaGraphDestroy(one));
  for (const cudaStream_t one : {first, second}) CHECK_CUDA(cudaStreamDestroy(one));
  for (const cudaEvent_t one : {fork, join}) CHECK_CUDA(cudaEventDestroy(one));
}

// Each of these stops the capture: it ends with an error, and without a graph.
template <class Call>
void refuses(cudaError_t expected, Call call, const char* what) {
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  expect(call(stream) == expected, what);
  cudaStreamCaptureStatus status;
  CHECK_CUDA(cudaStreamIsCapturing(stream, &status));
  expect(status == cudaStreamCaptureStatusInvalidated, what);
  cudaGraph_t graph = nullptr;
  expect(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated && !graph, what);
  CHECK_CUDA(cudaStreamDestroy(stream));
  cudaGetLastError();
}

void refusals() {
  device_vector_of<int> x(64);
  refuses(
      cudaErrorStreamCaptureUnsupported, [](cudaStream_t s) { return cudaStreamSynchronize(s); },
      "waiting for the stream");
  refuses(
      cudaErrorStreamCaptureUnsupported, [](cudaStream_t) { return cudaDeviceSynchronize(); },
      "waiting for the device");
  refuses(cudaErrorStreamCaptureUnsupported, [](cudaStream_t s) { return cudaStreamQuery(s); }, "asking the stream");
  refuses(
      cudaErrorStreamCaptureUnsupported,
      [](cudaStream_t) {
        int* memory = nullptr;
        return cudaMalloc(&memory, 64);
      },
      "an allocation");
  refuses(
      cudaErrorStreamCaptureImplicit,
      [&](cudaStream_t) {
        plus<<<1, 64>>>(x.data, 64, 1);
        return cudaGetLastError();
      },
      "the default stream");
  cudaEvent_t event;
  CHECK_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  refuses(
      cudaErrorCapturedEvent,
      [&](cudaStream_t s) {
        CHECK_CUDA(cudaEventRecord(event, s));
        return cudaEventSynchronize(event);
      },
      "waiting for an event of the capture");
  cudaStream_t other;
  CHECK_CUDA(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK_CUDA(cudaEventRecord(event, other));
  refuses(
      cudaErrorStreamCaptureIsolation, [&](cudaStream_t s) { return cudaStreamWaitEvent(s, event, 0); },
      "waiting for work outside of the capture");

  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  expect(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState, "an end without a beginning");
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_CUDA(cudaEventRecord(event, stream));
  CHECK_CUDA(cudaStreamWaitEvent(other, event, 0));
  plus<<<1, 64, 0, other>>>(x.data, 64, 1);
  expect(cudaStreamEndCapture(other, &graph) == cudaErrorStreamCaptureUnmatched, "an end on another stream");
  expect(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureUnjoined && !graph,
         "a branch that isn't joined");
  cudaGetLastError();
  CHECK_CUDA(cudaStreamSynchronize(stream));
  for (const cudaStream_t one : {stream, other}) CHECK_CUDA(cudaStreamDestroy(one));
  CHECK_CUDA(cudaEventDestroy(event));
}

int main() {
  for (const size_t n : sizes) launches((int)n);
  branches(1009);
  refusals();
  return failures();
}
