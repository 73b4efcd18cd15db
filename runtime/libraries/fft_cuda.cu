// Transforms on a GPU: cuFFT.
#include <cufft.h>

#include <map>
#include <mutex>

#include "runtime/array/device_memory.h"
#include "runtime/cuda/cuda_execute.h"
#include "runtime/libraries/device_library.h"
#include "runtime/libraries/fft_call.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

void check_cufft(cufftResult status) {
  if (status == CUFFT_SUCCESS) return;
  throw error("a Fourier transform on the GPU", "cuFFT says: error " + std::to_string(static_cast<int>(status)),
              "cufft.h names the error; GRIDSTRIDE_TARGET=engine runs the same program on the CPU");
}

template <class T>
cufftType type_of(fft_kind kind) {
  constexpr bool single = sizeof(T) == sizeof(float);
  switch (kind) {
    case fft_kind::real_forward:
      return single ? CUFFT_R2C : CUFFT_D2Z;
    case fft_kind::real_inverse:
      return single ? CUFFT_C2R : CUFFT_Z2D;
    default:
      return single ? CUFFT_C2C : CUFFT_Z2Z;
  }
}

cufftResult execute(cufftHandle plan, fft_kind kind, float* in, float* out) {
  auto *complex_in = reinterpret_cast<cufftComplex*>(in), *complex_out = reinterpret_cast<cufftComplex*>(out);
  if (kind == fft_kind::real_forward) return cufftExecR2C(plan, in, complex_out);
  if (kind == fft_kind::real_inverse) return cufftExecC2R(plan, complex_in, out);
  return cufftExecC2C(plan, complex_in, complex_out, kind == fft_kind::forward ? CUFFT_FORWARD : CUFFT_INVERSE);
}
cufftResult execute(cufftHandle plan, fft_kind kind, double* in, double* out) {
  auto *complex_in = reinterpret_cast<cufftDoubleComplex*>(in),
       *complex_out = reinterpret_cast<cufftDoubleComplex*>(out);
  if (kind == fft_kind::real_forward) return cufftExecD2Z(plan, in, complex_out);
  if (kind == fft_kind::real_inverse) return cufftExecZ2D(plan, complex_in, out);
  return cufftExecZ2Z(plan, complex_in, complex_out, kind == fft_kind::forward ? CUFFT_FORWARD : CUFFT_INVERSE);
}

// A plan without memory of its own: every call brings its work area, so that two streams can use one plan at a time.
struct fft_plan {
  cufftHandle handle = 0;
  std::size_t work_bytes = 0;
};

template <class T>
fft_plan make_plan(const fft_layout& l) {
  fft_plan plan;
  long long n[] = {l.extents[0], l.extents[1]};
  check_cufft(cufftCreate(&plan.handle));
  check_cufft(cufftSetAutoAllocation(plan.handle, 0));
  // Without embeddings the arrays are packed.
  check_cufft(cufftMakePlanMany64(plan.handle, l.dimensions, n, nullptr, 1, 0, nullptr, 1, 0, type_of<T>(l.kind),
                                  l.rows, &plan.work_bytes));
  return plan;
}

template <class T>
struct scale_work {
  T* data;
  std::size_t count;
  T factor;
  GS_FN std::size_t size() const { return count; }
  GS_FN void at(std::size_t i) const { data[i] *= factor; }
};

template <class T>
void queue_transform(queue& device_queue, const fft_call<T>& call) {
  const cudaStream_t stream = static_cast<cuda_queue&>(device_queue).handle();
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "a copy before a Fourier transform");
  };
  const auto aligned = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data) % (2 * sizeof(T)) == 0; };

  // cuFFT wants real numbers at the alignment of complex ones, which a slice needn't have.
  T *in = static_cast<T*>(const_cast<void*>(call.in)), *out = static_cast<T*>(call.out);
  const std::size_t real_bytes = call.layout.elements() * static_cast<std::size_t>(call.layout.rows) * sizeof(T);
  std::shared_ptr<device_memory> realigned;
  if (call.layout.kind == fft_kind::real_inverse) {
    copy(call.spectrum, in, call.spectrum_bytes());
    in = static_cast<T*>(call.spectrum);
  }
  if (!aligned(in) || !aligned(out)) realigned = allocate_device_memory(real_bytes);
  if (!aligned(in)) {
    copy(realigned->data(), in, real_bytes);
    in = static_cast<T*>(realigned->data());
  } else if (realigned) {
    out = static_cast<T*>(realigned->data());
  }

  static std::mutex mutex;
  static std::map<fft_layout, fft_plan> plans;
  std::shared_ptr<device_memory> work_area;
  {
    std::lock_guard lock(mutex);
    auto found = plans.find(call.layout);
    if (found == plans.end()) found = plans.emplace(call.layout, make_plan<T>(call.layout)).first;
    const fft_plan& plan = found->second;
    if (plan.work_bytes > 0) {
      work_area = allocate_device_memory(plan.work_bytes);
      check_cufft(cufftSetWorkArea(plan.handle, work_area->data()));
    }
    check_cufft(cufftSetStream(plan.handle, stream));
    check_cufft(execute(plan.handle, call.layout.kind, in, out));
  }
  if (call.scaled()) execute_on_cuda(device_queue, scale_work<T>{out, call.output_reals(), call.factor()});
  if (out != call.out) copy(call.out, out, real_bytes);
}

const device_library<fft_call<float>> float32_transform(device_kind::cuda, &queue_transform<float>);
const device_library<fft_call<double>> float64_transform(device_kind::cuda, &queue_transform<double>);

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail
