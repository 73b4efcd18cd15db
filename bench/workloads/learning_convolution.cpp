// A 3x3 convolution beside a plain loop, oneDNN and cuDNN.
#include <utility>

#include "bench/limits/arithmetic.h"
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"
#include "runtime/layers/layers.h"

namespace bench {
namespace {

using array = gs::device_array<float>;

struct convolution_arrays {
  explicit convolution_arrays(const peers::convolution_extents& e)
      : extents(e),
        x(e.batch * e.rows * e.columns * e.channels, [](std::size_t i) { return uniform(i, 1) - 0.5; }),
        w(9 * e.channels * e.outputs, [](std::size_t i) { return uniform(i, 2) - 0.5; }),
        y(e.batch * e.rows * e.columns * e.outputs) {}
  array on_device(gs::device_kind device, gs::convolution_method method) const {
    const auto& e = extents;
    return gs::convolution_3x3(x.on(device).reshape(gs::shape({e.batch, e.rows, e.columns, e.channels})),
                               w.on(device).reshape(gs::shape({std::size_t{3}, std::size_t{3}, e.channels, e.outputs})),
                               method);
  }
  peers::convolution_extents extents;
  array_everywhere<float> x, w;
  outputs<float> y;
};

contest prepare_convolution(const peers::convolution_extents& extents) {
  const auto a = std::make_shared<convolution_arrays>(extents);
  contest c;
  for (const auto& [name, method] :
       {std::pair("im2col", gs::convolution_method::im2col), std::pair("block style", gs::convolution_method::block),
        std::pair("in registers", gs::convolution_method::registers)})
    add_ours(c, name, [a, method = method](gs::device_kind device) {
      a->y.on(device) = a->on_device(device, method).reshape({-1});
    });
  c.add("OpenMP, loops", role::peer,
        repeated([a] { peers::convolution(a->x.host.read(), a->w.host.read(), a->y.host.span(), a->extents); }));
#if GRIDSTRIDE_ONEDNN
  c.add("oneDNN", role::peer,
        repeated([a, call = std::make_shared<peers::onednn_convolution>(
                         a->x.host.read(), a->w.host.read(), a->y.host.span(), a->extents)] { call->run(); }));
#endif
#if GRIDSTRIDE_CUDNN
  add_gpu_peer(c, "cuDNN", [a] {
    constexpr auto gpu = gs::device_kind::cuda;
    return peers::gpu::convolution(a->x.on(gpu).data(), a->w.on(gpu).data(), a->y.on(gpu).data(), a->extents);
  });
#endif
  const std::size_t operations =
      18 * extents.batch * extents.rows * extents.columns * extents.channels * extents.outputs;
  c.add("multiply-adds in registers", role::limit, repeated([operations] {
          limits::multiply_add_on_all_cores(operations / limits::operations_per_step() / limits::threads());
        }));
  add_gpu_arithmetic_limit(c, operations);
  constexpr tolerance allowed{.relative = 1e-4, .absolute = 1e-4};
  check_agreement(c, a->y, allowed);
  const std::vector<std::size_t> result{extents.batch, extents.rows, extents.columns, extents.outputs};
  c.ask_outside(
      make_assignment("learning_convolution", c, a->y, allowed,
                      {{"x", a->x.host.read(), {extents.batch, extents.rows, extents.columns, extents.channels}},
                       {"w", a->w.host.read(), {3, 3, extents.channels, extents.outputs}}},
                      {}, result));
  return c;
}

}  // namespace

workload learning_convolution(std::size_t side, std::size_t channels) {
  const peers::convolution_extents extents{
      .batch = 8, .rows = side, .columns = side, .channels = channels, .outputs = channels};
  const std::size_t elements = extents.batch * side * side * channels;
  return {.name = "learning_convolution",
          .text = "a 3x3 convolution of 8 pictures of " + std::to_string(side) + " x " + std::to_string(side) +
                  " with " + std::to_string(channels) + " channels",
          .elements = elements,
          .dtype = "float32",
          .operations = 18 * static_cast<double>(elements * channels),
          .memory = sizeof(float) * 8 * elements + (std::size_t{1} << 23),
          .wanted = demand{demand::of_peer, 2, "2 x peer"},
          .wanted_of_gpu = std::nullopt,
          .prepare = [extents] { return prepare_convolution(extents); }};
}

}  // namespace bench
