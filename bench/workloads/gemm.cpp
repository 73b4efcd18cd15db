// gemm: the product of two square matrices, float32. Nothing but arithmetic, done well.
#include "bench/limits/arithmetic.h"
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

struct gemm_arrays {
  explicit gemm_arrays(std::size_t side)
      : side(side),
        a(side * side, [](std::size_t i) { return uniform(i, 1); }),
        b(side * side, [](std::size_t i) { return uniform(i, 2); }),
        out(side * side) {}
  gs::device_array<float> squared(const gs::device_array<float>& x) const {
    return x.reshape({static_cast<std::ptrdiff_t>(side), -1});
  }
  std::size_t side;
  array_everywhere<float> a, b;
  outputs<float> out;
};

contest prepare_gemm(std::size_t side) {
  const auto a = std::make_shared<gemm_arrays>(side);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) {
    gs::gemm(a->squared(a->a.on(device)), a->squared(a->b.on(device)), gs::out(a->squared(a->out.on(device))));
  });
  c.add("OpenBLAS, its own threads", role::peer,
        repeated([a] { peers::gemm(a->a.host.read(), a->b.host.read(), a->out.host.span(), a->side); }));
  add_gpu_peer(c, "cuBLAS", [a, side] {
    constexpr auto gpu = gs::device_kind::cuda;
    return peers::gpu::gemm(a->a.on(gpu).data(), a->b.on(gpu).data(), a->out.on(gpu).data(), side);
  });
  const std::size_t operations = 2 * side * side * side;
  c.add("multiply-adds in registers", role::limit, repeated([operations] {
          limits::multiply_add_on_all_cores(operations / limits::operations_per_step() / limits::threads());
        }));
  add_gpu_arithmetic_limit(c, operations);
  // Sums of `side` products below 1, in different orders.
  constexpr tolerance allowed{.relative = 1e-5};
  check_agreement(c, a->out, allowed);
  const std::vector<std::size_t> square{side, side};
  c.ask_outside(make_assignment("gemm", c, a->out, allowed,
                                {{"a", a->a.host.read(), square}, {"b", a->b.host.read(), square}}, {}, square));
  return c;
}

}  // namespace

workload gemm(std::size_t side) {
  const auto n = static_cast<double>(side);
  return {.name = "gemm",
          .text = "the product of two matrices of " + std::to_string(side) + " x " + std::to_string(side),
          .elements = side * side,
          .dtype = "float32",
          .operations = 2 * n * n * n,
          .memory = 8 * sizeof(float) * side * side,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .wanted_of_gpu = demand{demand::of_peer, 1.15, "1.15 x cuBLAS"},
          .prepare = [side] { return prepare_gemm(side); }};
}

}  // namespace bench
