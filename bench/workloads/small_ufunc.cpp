// small_ufunc: what a call of a ufunc costs when there is next to nothing to compute.
#include <benchmark/benchmark.h>

#include <array>

#include "bench/measure/agreement.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN float small_sum(float x, float y) { return x + y; }
inline constexpr auto small_sum_ufunc = gs::vectorize<small_sum>;

contest prepare_small_ufunc() {
  static const std::vector<float> x{1, 2, 3, 4}, y{10, 20, 30, 40};
  contest c;
  c.add("cpu, into an array", role::ours, repeated([=, out = std::vector<float>(4)]() mutable {
          small_sum_ufunc.on(gs::target::cpu)(x, y, gs::out(out));
          benchmark::DoNotOptimize(out.data());
          benchmark::ClobberMemory();
        }));
  c.add("cpu, new std::vector", role::ours, repeated([=] {
          const auto out = small_sum_ufunc.on(gs::target::cpu)(x, y);
          benchmark::DoNotOptimize(out.data());
          benchmark::ClobberMemory();
        }));
  c.ask_outside({.task = "small_ufunc",
                 .inputs = {{"x", std::span(x)}, {"y", std::span(y)}},
                 .output = array_of<float>({x.size()}),
                 .check = [](const std::string& who, std::span<const std::byte> result) {
                   const std::vector<float> expected{11, 22, 33, 44};
                   expect_agreement(who, {reinterpret_cast<const float*>(result.data()), expected.size()}, "x + y",
                                    expected, {});
                 }});
  return c;
}

}  // namespace

workload small_ufunc() {
  return {.name = "small_ufunc",
          .text = "add of 4 elements on one core",
          .elements = 4,
          .dtype = "float32",
          .wanted = demand{demand::in_seconds, 100e-9, "100 ns"},
          .prepare = prepare_small_ufunc};
}

}  // namespace bench
