// A step of gradient descent, by the tape: a network with one hidden layer.
#include "bench/peers/peers.h"
#include "bench/workloads/network_model.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

struct descent {
  GS_FN float operator()(float weight, float gradient, float rate) const { return weight - rate * gradient; }
};
constexpr auto descend = gs::vectorize<descent{}>;

struct step_arrays : network_model {
  explicit step_arrays(const peers::network_extents& e) : network_model(e), out(1 + e.parameters()) {}

  void step(gs::device_kind device) {
    const array& result = out.on(device);
    const weights from = weights_in(parameters.on(device));
    weights to = weights_in(result.slice(1, result.size()));
    array new_loss = result.slice(0, 1);
    const auto [loss, by_w1, by_b1, by_w2, by_b2] = loss_and_gradients(device);
    gs::positive(loss.reshape({1}), gs::out(new_loss));
    descend(from.w1, by_w1, rate, gs::out(to.w1));
    descend(from.b1, by_b1, rate, gs::out(to.b1));
    descend(from.w2, by_w2, rate, gs::out(to.w2));
    descend(from.b2, by_b2, rate, gs::out(to.b2));
  }

  static constexpr float rate = 0.125f;
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
