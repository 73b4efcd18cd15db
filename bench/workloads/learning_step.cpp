// A step of gradient descent, by the tape: a network with one hidden layer.
#include <cmath>
#include <cstdint>

#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"
#include "runtime/layers/layers.h"

namespace bench {
namespace {

using array = gs::device_array<float>;

struct descent {
  GS_FN float operator()(float weight, float gradient, float rate) const { return weight - rate * gradient; }
};
constexpr auto descend = gs::vectorize<descent{}>;

struct step_arrays {
  explicit step_arrays(const peers::network_extents& e)
      : extents(e),
        x(e.batch * e.inputs, [](std::size_t i) { return uniform(i, 1); }),
        labels(e.batch, [&](std::size_t i) { return std::floor(uniform(i, 2) * static_cast<double>(e.classes)); }),
        parameters(e.parameters(),
                   [&](std::size_t i) { return (uniform(i, 3) - 0.5) / std::sqrt(static_cast<double>(e.inputs)); }),
        out(1 + e.parameters()) {}

  void step(gs::device_kind device) {
    const auto& e = extents;
    const array pictures = x.on(device).reshape(gs::shape({e.batch, e.inputs}));
    const gs::device_array<int>& classes = labels.on(device);
    const auto part = [begin = std::size_t{0}](const array& whole, const gs::shape& shape) mutable {
      array result = whole.slice(begin, begin + shape.size()).reshape(shape);
      begin += shape.size();
      return result;
    };
    const gs::shape shapes[] = {{e.inputs, e.hidden}, gs::shape(e.hidden), {e.hidden, e.classes}, gs::shape(e.classes)};
    auto from = part, to = part;
    const array w1 = from(parameters.on(device), shapes[0]), b1 = from(parameters.on(device), shapes[1]),
                w2 = from(parameters.on(device), shapes[2]), b2 = from(parameters.on(device), shapes[3]);
    const auto [loss, by_w1, by_b1, by_w2, by_b2] =
        gs::taped([&](auto& tape, const auto& v1, const auto& c1, const auto& v2, const auto& c2) {
          const auto hidden = tape(gs::tanh, gs::dense(tape, pictures, v1, c1));
          return tape.mean(gs::softmax_cross_entropy(tape, gs::dense(tape, hidden, v2, c2), classes));
        }).value_and_grad(w1, b1, w2, b2);
    array new_loss = to(out.on(device), gs::shape(1));
    gs::positive(loss.reshape({1}), gs::out(new_loss));
    const auto descend_to = [&](const array& weights, const array& gradient) {
      array moved = to(out.on(device), weights.shape());
      descend(weights, gradient, rate, gs::out(moved));
    };
    descend_to(w1, by_w1);
    descend_to(b1, by_b1);
    descend_to(w2, by_w2);
    descend_to(b2, by_b2);
  }

  static constexpr float rate = 0.125f;
  peers::network_extents extents;
  array_everywhere<float> x;
  array_everywhere<std::int32_t> labels;
  array_everywhere<float> parameters;
  outputs<float> out;
};

contest prepare(const peers::network_extents& extents) {
  const auto a = std::make_shared<step_arrays>(extents);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) { a->step(device); });
  c.add("OpenMP + OpenBLAS", role::peer, repeated([a] {
          peers::training_step(a->x.host.read(), a->labels.host.read(), a->parameters.host.read(), step_arrays::rate,
                               a->out.host.span(), a->extents);
        }));
  constexpr tolerance allowed{.relative = 1e-5, .absolute = 2e-6};
  check_agreement(c, a->out, allowed);
  c.ask_outside(make_assignment("learning_step", c, a->out, allowed,
                                {{"x", a->x.host.read(), {extents.batch, extents.inputs}},
                                 {"labels", a->labels.host.read()},
                                 {"parameters", a->parameters.host.read()}},
                                {{"rate", step_arrays::rate}, {"hidden", static_cast<double>(extents.hidden)}}));
  return c;
}

}  // namespace

workload learning_step(std::size_t batch, std::size_t inputs, std::size_t hidden) {
  const peers::network_extents e{.batch = batch, .inputs = inputs, .hidden = hidden, .classes = 10};
  return {.name = "learning_step",
          .text = "a step of gradient descent of a network, " + std::to_string(inputs) + "-" + std::to_string(hidden) +
                  "-10, batch " + std::to_string(batch),
          .elements = e.parameters(),
          .dtype = "float32",
          // Forward and by the weights: all layers; by the inputs: the second alone.
          .operations = 2 * static_cast<double>(batch * (2 * inputs * hidden + 3 * hidden * e.classes)),
          .memory = sizeof(float) * (4 * batch * (inputs + 3 * hidden) + 8 * inputs * hidden),
          .wanted = demand{demand::of_peer, 1.15, "1.15 x peer"},
          .prepare = [e] { return prepare(e); }};
}

}  // namespace bench
