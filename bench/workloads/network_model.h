#pragma once
// A network with one hidden layer on every device, as peers::training_step describes it: its loss, and the gradients.

#include <cmath>
#include <cstdint>

#include "bench/peers/peers.h"
#include "bench/workloads/devices.h"
#include "runtime/gs.h"
#include "runtime/layers/layers.h"

namespace bench {

struct network_model {
  using array = gs::device_array<float>;
  struct weights {
    array w1, b1, w2, b2;
  };

  explicit network_model(const peers::network_extents& e)
      : extents(e),
        x(e.batch * e.inputs, [](std::size_t i) { return uniform(i, 1); }),
        labels(e.batch, [&](std::size_t i) { return std::floor(uniform(i, 2) * static_cast<double>(e.classes)); }),
        parameters(e.parameters(),
                   [&](std::size_t i) { return (uniform(i, 3) - 0.5) / std::sqrt(static_cast<double>(e.inputs)); }) {}

  /// Views of the parts of an array that is as long as `parameters`.
  weights weights_in(const array& whole) const {
    auto next = [&, begin = std::size_t{0}](const gs::shape& shape) mutable {
      array result = whole.slice(begin, begin + shape.size()).reshape(shape);
      begin += shape.size();
      return result;
    };
    const auto& e = extents;
    array w1 = next({e.inputs, e.hidden}), b1 = next(gs::shape(e.hidden)), w2 = next({e.hidden, e.classes}),
          b2 = next(gs::shape(e.classes));
    return {std::move(w1), std::move(b1), std::move(w2), std::move(b2)};
  }
  array pictures(gs::device_kind device) const {
    return x.on(device).reshape(gs::shape({extents.batch, extents.inputs}));
  }

  array loss(gs::device_kind device) const {
    const auto [w1, b1, w2, b2] = weights_in(parameters.on(device));
    const array hidden = gs::tanh(gs::dense(pictures(device), w1, b1));
    return gs::mean(gs::softmax_cross_entropy(gs::dense(hidden, w2, b2), labels.on(device)));
  }
  /// The loss, and its gradients by w1, b1, w2, b2.
  auto loss_and_gradients(gs::device_kind device) const {
    const auto [w1, b1, w2, b2] = weights_in(parameters.on(device));
    return gs::taped([&](auto& tape, const auto& v1, const auto& c1, const auto& v2, const auto& c2) {
             const auto hidden = tape(gs::tanh, gs::dense(tape, pictures(device), v1, c1));
             return tape.mean(gs::softmax_cross_entropy(tape, gs::dense(tape, hidden, v2, c2), labels.on(device)));
           })
        .value_and_grad(w1, b1, w2, b2);
  }

  peers::network_extents extents;
  array_everywhere<float> x;
  array_everywhere<std::int32_t> labels;
  array_everywhere<float> parameters;
};

}  // namespace bench
