// What learning is made of: the gradient of a scalar function beside its value, and the gradient of a network's loss
// beside the loss alone.
#include <cmath>
#include <vector>

#include "bench/peers/peers.h"
#include "bench/workloads/network_model.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

// --- a scalar function -----------------------------------------------------------------------------------------------

struct ringing {
  template <class T>
  GS_FN T operator()(T x) const {
    using std::exp, std::cos;
    return exp(-x * x / 2) * cos(3 * x);
  }
};

struct scalar_arrays {
  explicit scalar_arrays(std::size_t n) : x(n, [](std::size_t i) { return 4 * uniform(i, 1) - 2; }), y(n), slope(n) {}
  array_everywhere<float> x;
  outputs<float> y;
  array_everywhere<float> slope;
};

// Beside the derivative by hand.
void check_slopes(const scalar_arrays& a) {
  const std::size_t n = a.x.host.size();
  const large_buffer<float> reference(n), slopes(n);
  fill(reference.span(), [&](std::size_t i) {
    const double x = a.x.host.read()[i];
    return -std::exp(-x * x / 2) * (x * std::cos(3 * x) + 3 * std::sin(3 * x));
  });
  for (const gs::device_kind device : devices()) {
    a.slope.fetch(device, slopes.span());
    expect_agreement(gs::to_string(device) + ", slope", slopes.read(), "the derivative by hand", reference.read(),
                     {.relative = 1e-5, .absolute = 1e-5});
  }
}

contest prepare_scalar(std::size_t n) {
  const auto a = std::make_shared<scalar_arrays>(n);
  contest c;
  add_ours(c, "value and slope", [a](gs::device_kind device) {
    gs::value_and_grad<ringing{}>(a->x.on(device), gs::out(a->y.on(device)), gs::out(a->slope.on(device)));
  });
  add_part(c, "the value alone", [a](gs::device_kind device) {
    constexpr auto value = gs::vectorize<ringing{}>;
    value(a->x.on(device), gs::out(a->y.on(device)));
  });
  check_agreement(c, a->y, {.relative = 1e-5, .absolute = 1e-6});
  check_slopes(*a);
  return c;
}

// --- a network -------------------------------------------------------------------------------------------------------

struct network_losses : network_model {
  explicit network_losses(const peers::network_extents& e) : network_model(e), out(1) {}
  void keep(gs::device_kind device, const gs::device_array<float>& value) {
    gs::positive(value.reshape({1}), gs::out(out.on(device)));
  }
  outputs<float> out;
};

// Beside those of the loops by hand, which make a step of rate 1.
void check_gradients(const network_model& model) {
  const std::span<const float> weights = model.parameters.host.read();
  std::vector<float> reference(1 + weights.size()), gradients(weights.size());
  peers::training_step(model.x.host.read(), model.labels.host.read(), weights, 1, reference, model.extents);
  reference.erase(reference.begin());
  for (std::size_t i = 0; i < weights.size(); ++i) reference[i] = weights[i] - reference[i];
  for (const gs::device_kind device : devices()) {
    const while_current guard(device);
    const auto [loss, by_w1, by_b1, by_w2, by_b2] = model.loss_and_gradients(device);
    std::span<float> rest = gradients;
    for (const auto* part : {&by_w1, &by_b1, &by_w2, &by_b2}) {
      part->reshape({-1}).copy_to_host(rest.first(part->size()));
      rest = rest.subspan(part->size());
    }
    expect_agreement(gs::to_string(device) + ", gradient", gradients, "OpenMP + OpenBLAS", reference,
                     {.relative = 1e-4, .absolute = 2e-6});
  }
}

contest prepare_network(const peers::network_extents& extents) {
  const auto a = std::make_shared<network_losses>(extents);
  contest c;
  add_ours(c, "gradient", [a](gs::device_kind device) { a->keep(device, std::get<0>(a->loss_and_gradients(device))); });
  add_part(c, "forward alone", [a](gs::device_kind device) { a->keep(device, a->loss(device)); });
  check_agreement(c, a->out, {.relative = 1e-5});
  check_gradients(*a);
  return c;
}

}  // namespace

workload learning_slope(std::size_t elements) {
  return {.name = "learning_slope",
          .text = "exp(-x * x / 2) * cos(3 * x) and its derivative in one loop, beside the value alone",
          .elements = elements,
          .dtype = "float32",
          .memory = 5 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 2, "2 x value"},
          .wanted_of_gpu = demand{demand::of_peer, 2, "2 x value"},
          .prepare = [elements] { return prepare_scalar(elements); }};
}

workload learning_network(std::size_t batch, std::size_t inputs, std::size_t hidden) {
  const peers::network_extents e{.batch = batch, .inputs = inputs, .hidden = hidden, .classes = 10};
  return {.name = "learning_network",
          .text = "the gradients of a network's loss, " + std::to_string(inputs) + "-" + std::to_string(hidden) +
                  "-10, batch " + std::to_string(batch) + ", beside the loss alone",
          .elements = e.parameters(),
          .dtype = "float32",
          .memory = sizeof(float) * (4 * batch * (inputs + 3 * hidden) + 6 * inputs * hidden),
          .wanted = demand{demand::of_peer, 3, "3 x forward"},
          .wanted_of_gpu = demand{demand::of_peer, 3, "3 x forward"},
          .prepare = [e] { return prepare_network(e); }};
}

}  // namespace bench
