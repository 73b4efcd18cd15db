// gemm: the product of two square matrices, float32. Nothing but arithmetic, done well.
#include "bench/limits/arithmetic.h"
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

constexpr std::size_t gemm_side = 1024, gemm_elements = gemm_side * gemm_side,
                      gemm_operations = 2 * gemm_side * gemm_side * gemm_side;

struct gemm_arrays {
  gemm_arrays() : a(gemm_elements), b(gemm_elements), out(gemm_elements) {
    fill(a.span(), [](std::size_t i) { return uniform(i, 1); });
    fill(b.span(), [](std::size_t i) { return uniform(i, 2); });
    a_device = gs::to_device(a.span()).reshape({gemm_side, gemm_side});
    b_device = gs::to_device(b.span()).reshape({gemm_side, gemm_side});
  }
  large_buffer<float> a, b;
  gs::device_array<float> a_device, b_device;
  outputs<float> out;
};

contest prepare_gemm() {
  const auto a = std::make_shared<gemm_arrays>();
  contest c;
  c.add("engine", role::ours, repeated([a] {
          gs::gemm(a->a_device, a->b_device, gs::out(a->out.device.reshape({gemm_side, gemm_side})));
          gs::synchronize();
        }));
  c.add("OpenBLAS, its own threads", role::peer,
        repeated([a] { peers::gemm(a->a.read(), a->b.read(), a->out.host.span(), gemm_side); }));
  c.add("multiply-adds in registers", role::limit, repeated([] {
          limits::multiply_add_on_all_cores(gemm_operations / limits::operations_per_step() / limits::threads());
        }));
  // Sums of 1024 products below 1, in different orders.
  constexpr tolerance allowed{.relative = 1e-5};
  check_agreement(c, a->out, allowed);
  const std::vector<std::size_t> shape{gemm_side, gemm_side};
  c.ask_outside(asked("gemm", c, a->out, allowed, {{"a", a->a.read(), shape}, {"b", a->b.read(), shape}}, {}, shape));
  return c;
}

}  // namespace

workload gemm() {
  return {.name = "gemm",
          .text = "the product of two matrices of 1024 x 1024",
          .elements = gemm_elements,
          .dtype = "float32",
          .operations = gemm_operations,
          .memory = 8 * sizeof(float) * gemm_elements,
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = prepare_gemm};
}

}  // namespace bench
