#include "dialect/libraries/cufft.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "dialect/libraries/queued_call.h"
#include "dialect/runtime/errors.h"
#include "dialect/runtime/memory.h"
#include "runtime/libraries/strided_fft.h"
#include "runtime/observe/observe.h"

namespace dialect::cufft {
namespace {

using gs::detail::fft_kind, gs::detail::fft_side, gs::detail::strided_fft_layout;

cufftResult refuse(cufftResult code, const char* name, const std::string& sentence) {
  print_refusal(name, sentence);
  return code;
}
cufftResult refuse_plan(const char* call) {
  return refuse(CUFFT_INVALID_PLAN, "CUFFT_INVALID_PLAN",
                fmt::format("{}: there is no such plan; make it with cufftPlan1d() and its kin", call));
}
cufftResult refuse_value(const char* call, const std::string& why) {
  return refuse(CUFFT_INVALID_VALUE, "CUFFT_INVALID_VALUE", fmt::format("{}: {}", call, why));
}
cufftResult refuse_size(const char* call, const std::string& why) {
  return refuse(CUFFT_INVALID_SIZE, "CUFFT_INVALID_SIZE", fmt::format("{}: {}", call, why));
}
cufftResult refuse_type(const char* call, const std::string& why) {
  return refuse(CUFFT_INVALID_TYPE, "CUFFT_INVALID_TYPE", fmt::format("{}: {}", call, why));
}

// What a plan was asked for. Where nothing is said of the layout, it follows from the arrays: in place, rows of real
// numbers are as long as those of the spectrum.
struct transform_plan {
  cufftType type = CUFFT_C2C;
  int dimensions = 0;  // 0: it was created only
  std::array<int, 3> extents{1, 1, 1};
  int batch = 1;
  bool is_packed = true;
  fft_side in = {}, out = {};
  cudaStream_t stream = nullptr;
};

struct plan_table {
  std::mutex mutex;
  std::map<cufftHandle, transform_plan> plans;
  cufftHandle next = 1;
};
plan_table& table() {
  static auto* const all = new plan_table;  // never destroyed: other statics may still use plans
  return *all;
}
std::optional<transform_plan> plan_of(cufftHandle handle) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().plans.find(handle);
  return found == table().plans.end() ? std::nullopt : std::optional(found->second);
}
template <class Change>
cufftResult change(const char* call, cufftHandle handle, Change apply) {
  {
    const std::lock_guard lock(table().mutex);
    const auto found = table().plans.find(handle);
    if (found != table().plans.end()) return apply(found->second);
  }
  return refuse_plan(call);
}

bool is_type(cufftType type) {
  return type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_C2C || type == CUFFT_D2Z || type == CUFFT_Z2D ||
         type == CUFFT_Z2Z;
}

struct asked_layout {
  const int *in_embed = nullptr, *out_embed = nullptr;
  int in_stride = 1, in_distance = 0, out_stride = 1, out_distance = 0;
};

cufftResult make(const char* call, cufftHandle handle, int rank, const int* n, const asked_layout& layout,
                 cufftType type, int batch, std::size_t* work_bytes) {
  if (!is_type(type)) return refuse_type(call, fmt::format("the type is {:#x}; use CUFFT_C2C and its kin", int{type}));
  if (rank < 1 || rank > 3) return refuse_size(call, fmt::format("rank is {}; use 1 to 3", rank));
  if (!n) return refuse_value(call, "n is a null pointer; pass the extents");
  if (batch < 1) return refuse_size(call, fmt::format("batch is {}; use 1 or more", batch));
  transform_plan plan{.type = type, .dimensions = rank, .batch = batch};
  plan.is_packed = !layout.in_embed || !layout.out_embed;
  for (int d = 0; d < rank; ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (n[d] < 1) return refuse_size(call, fmt::format("extent {} is {}; use 1 or more", d, n[d]));
    plan.extents[at] = n[d];
    if (plan.is_packed) continue;
    plan.in.width[at] = layout.in_embed[d];
    plan.out.width[at] = layout.out_embed[d];
    if (layout.in_embed[d] < 1 || layout.out_embed[d] < 1 || layout.in_stride < 1 || layout.out_stride < 1)
      return refuse_size(call, "an embed or a stride is smaller than 1; elements are 1 or more apart");
  }
  if (!plan.is_packed) {
    plan.in.stride = layout.in_stride, plan.in.distance = layout.in_distance;
    plan.out.stride = layout.out_stride, plan.out.distance = layout.out_distance;
  }
  if (work_bytes) *work_bytes = 0;
  return change(call, handle, [&](transform_plan& known) {
    plan.stream = known.stream;
    known = plan;
    return CUFFT_SUCCESS;
  });
}

cufftResult create(const char* call, cufftHandle* handle) {
  if (!handle) return refuse_value(call, "the plan is a null pointer; pass the address of a cufftHandle");
  const std::lock_guard lock(table().mutex);
  *handle = table().next++;
  table().plans[*handle] = {};
  return CUFFT_SUCCESS;
}
cufftResult make_new(const char* call, cufftHandle* handle, int rank, const int* n, const asked_layout& layout,
                     cufftType type, int batch) {
  if (const cufftResult created = create(call, handle); created != CUFFT_SUCCESS) return created;
  const cufftResult made = make(call, *handle, rank, n, layout, type, batch, nullptr);
  if (made != CUFFT_SUCCESS) {
    const std::lock_guard lock(table().mutex);
    table().plans.erase(*handle);
  }
  return made;
}

// One transform after the other, rows side by side; in place, real rows have room for their spectrum.
fft_side packed(const strided_fft_layout& layout, bool is_in, bool in_place) {
  const auto last = static_cast<std::size_t>(layout.dimensions - 1);
  const bool is_real = is_in ? layout.kind == fft_kind::real_forward : layout.kind == fft_kind::real_inverse;
  fft_side side{.width = layout.extents, .stride = 1, .distance = 1};
  side.width[last] = is_real && in_place ? 2 * (layout.extents[last] / 2 + 1) : layout.last_extent(is_in);
  for (std::size_t d = 0; d <= last; ++d) side.distance *= side.width[d];
  return side;
}

template <class Number>
void note(void (*tell)(const void*, std::size_t), const strided_fft_layout& layout, bool is_in, const Number* first) {
  const fft_side& side = is_in ? layout.in : layout.out;
  const auto count = static_cast<std::size_t>(layout.last_extent(is_in));
  layout.for_each_row(side, [&](std::ptrdiff_t offset) {
    if (side.stride == 1) return tell(first + offset, count * sizeof(Number));
    for (std::size_t k = 0; k < count; ++k)
      tell(first + offset + static_cast<std::ptrdiff_t>(k) * side.stride, sizeof(Number));
  });
}

template <class T, class In, class Out>
cufftResult execute(const char* call, cufftHandle handle, cufftType type, fft_kind kind, In* in, Out* out) {
  const std::optional<transform_plan> plan = plan_of(handle);
  if (!plan || plan->dimensions == 0) return refuse_plan(call);
  if (plan->type != type)
    return refuse_type(
        call, fmt::format("the plan was made for type {:#x}, and this is one of {:#x}", int{plan->type}, int{type}));
  for (const auto& [name, data] : {std::pair<const char*, const void*>{"the input", in}, {"the output", out}})
    if (!data || !device_may_use(data))
      return refuse_value(call, fmt::format("{} is {}; pass memory of cudaMalloc()", name,
                                            data ? "memory of the host, which a GPU can't reach" : "a null pointer"));
  const bool in_place = static_cast<const void*>(in) == static_cast<const void*>(out);
  strided_fft_layout layout{.kind = kind,
                            .dimensions = plan->dimensions,
                            .extents = plan->extents,
                            .batch = plan->batch,
                            .in = plan->in,
                            .out = plan->out};
  if (plan->is_packed) {
    layout.in = packed(layout, true, in_place);
    layout.out = packed(layout, false, in_place);
  }
  const cudaError_t code = queue_call(plan->stream, call, [=](gs::detail::spread_function) {
    if (gs::instruments::watching()) {
      note(gs::instruments::note_read, layout, true, in);
      note(gs::instruments::note_written, layout, false, out);
    }
    const gs::instruments::trap_pause looking;
    gs::detail::run_strided_fft<T>(layout, in, out);
  });
  return code == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

template <class T, class Complex>
cufftResult execute_complex(const char* call, cufftHandle handle, cufftType type, Complex* in, Complex* out,
                            int direction) {
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
    return refuse_value(call, fmt::format("the direction is {}; use CUFFT_FORWARD or CUFFT_INVERSE", direction));
  return execute<T>(call, handle, type, direction == CUFFT_FORWARD ? fft_kind::forward : fft_kind::inverse, in, out);
}

}  // namespace
}  // namespace dialect::cufft

using dialect::cufft::asked_layout;

cufftResult cufftCreate(cufftHandle* plan) { return dialect::cufft::create("cufftCreate", plan); }

// What was queued still runs.
cufftResult cufftDestroy(cufftHandle plan) {
  {
    const std::lock_guard lock(dialect::cufft::table().mutex);
    if (dialect::cufft::table().plans.erase(plan) > 0) return CUFFT_SUCCESS;
  }
  return dialect::cufft::refuse_plan("cufftDestroy");
}
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  return dialect::cufft::change("cufftSetStream", plan, [&](auto& known) {
    known.stream = stream;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return dialect::cufft::make_new("cufftPlan1d", plan, 1, &nx, {}, type, batch);
}
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  const int n[] = {nx, ny};
  return dialect::cufft::make_new("cufftPlan2d", plan, 2, n, {}, type, 1);
}
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  const int n[] = {nx, ny, nz};
  return dialect::cufft::make_new("cufftPlan3d", plan, 3, n, {}, type, 1);
}
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                          int ostride, int odist, cufftType type, int batch) {
  const asked_layout layout{inembed, onembed, istride, idist, ostride, odist};
  return dialect::cufft::make_new("cufftPlanMany", plan, rank, n, layout, type, batch);
}
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, std::size_t* work_bytes) {
  return dialect::cufft::make("cufftMakePlan1d", plan, 1, &nx, {}, type, batch, work_bytes);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, std::size_t* work_bytes) {
  const int n[] = {nx, ny};
  return dialect::cufft::make("cufftMakePlan2d", plan, 2, n, {}, type, 1, work_bytes);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, std::size_t* work_bytes) {
  const int n[] = {nx, ny, nz};
  return dialect::cufft::make("cufftMakePlan3d", plan, 3, n, {}, type, 1, work_bytes);
}
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, std::size_t* work_bytes) {
  const asked_layout layout{inembed, onembed, istride, idist, ostride, odist};
  return dialect::cufft::make("cufftMakePlanMany", plan, rank, n, layout, type, batch, work_bytes);
}

cufftResult cufftGetSize(cufftHandle plan, std::size_t* work_bytes) {
  if (!work_bytes) return dialect::cufft::refuse_value("cufftGetSize", "the size is a null pointer; pass an address");
  return dialect::cufft::change("cufftGetSize", plan, [&](auto&) {
    *work_bytes = 0;
    return CUFFT_SUCCESS;
  });
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int) {
  return dialect::cufft::change("cufftSetAutoAllocation", plan, [](auto&) { return CUFFT_SUCCESS; });
}
cufftResult cufftSetWorkArea(cufftHandle plan, void*) {
  return dialect::cufft::change("cufftSetWorkArea", plan, [](auto&) { return CUFFT_SUCCESS; });
}
cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = 12000;
  return CUFFT_SUCCESS;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  return dialect::cufft::execute_complex<float>("cufftExecC2C", plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
  return dialect::cufft::execute_complex<double>("cufftExecZ2Z", plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  return dialect::cufft::execute<float>("cufftExecR2C", plan, CUFFT_R2C, gs::detail::fft_kind::real_forward, in, out);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return dialect::cufft::execute<double>("cufftExecD2Z", plan, CUFFT_D2Z, gs::detail::fft_kind::real_forward, in, out);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
  return dialect::cufft::execute<float>("cufftExecC2R", plan, CUFFT_C2R, gs::detail::fft_kind::real_inverse, in, out);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return dialect::cufft::execute<double>("cufftExecZ2D", plan, CUFFT_Z2D, gs::detail::fft_kind::real_inverse, in, out);
}
