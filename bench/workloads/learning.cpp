// What learning is made of: the gradient of a scalar function beside its value, the gradient of a network's loss and a
// step of it beside the loss alone, and a 3x3 convolution beside a plain loop and oneDNN.
#include <cmath>
#include <utility>

#include "bench/limits/arithmetic.h"
#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"
#include "runtime/layers/layers.h"

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

// These peers are calls of our own that do a part of the work, to show what that part costs.
template <class Run>
void add_part(contest& c, const std::string& name, const Run& run) {
  for (const gs::device_kind device : devices())
    c.add(name + ", " + std::string(gs::to_string(device)), role::peer, hardware_of(device),
          on(device, repeated([run, device] {
               run(device);
               gs::synchronize();
             })));
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
  return c;
}

// --- a network -------------------------------------------------------------------------------------------------------

using array = gs::device_array<float>;

// Two layers on one device, with pictures and their classes.
struct network {
  network(std::size_t batch, std::size_t inputs, std::size_t hidden, std::size_t classes)
      : pictures(gs::uniform<float>({batch, inputs}, 1)),
        labels(gs::integers<int>(gs::shape(batch), 0, static_cast<int>(classes) - 1, 2)),
        w1(gs::normal<float>({inputs, hidden}, 3) * (1 / std::sqrt(static_cast<float>(inputs)))),
        b1(gs::zeros<float>(hidden)),
        w2(gs::normal<float>({hidden, classes}, 4) * (1 / std::sqrt(static_cast<float>(hidden)))),
        b2(gs::zeros<float>(classes)) {}
  array pictures;
  gs::device_array<int> labels;
  array w1, b1, w2, b2;

  array loss() const {
    const array hidden = gs::tanh(gs::dense(pictures, w1, b1));
    return gs::mean(gs::softmax_cross_entropy(gs::dense(hidden, w2, b2), labels));
  }
  auto loss_and_gradients() const {
    return gs::taped([this](auto& tape, const auto& v1, const auto& c1, const auto& v2, const auto& c2) {
             const auto hidden = tape(gs::tanh, gs::dense(tape, pictures, v1, c1));
             return tape.mean(gs::softmax_cross_entropy(tape, gs::dense(tape, hidden, v2, c2), labels));
           })
        .value_and_grad(w1, b1, w2, b2);
  }
  // At a rate of 0, so that each call finds the same weights.
  array step() {
    auto [loss, by_w1, by_b1, by_w2, by_b2] = loss_and_gradients();
    w1 -= by_w1 * 0.0f;
    b1 -= by_b1 * 0.0f;
    w2 -= by_w2 * 0.0f;
    b2 -= by_b2 * 0.0f;
    return std::move(loss);
  }
};

struct network_arrays {
  network_arrays(std::size_t batch, std::size_t inputs, std::size_t hidden, std::size_t classes) : loss(1) {
    for (const gs::device_kind device : devices()) {
      const while_current guard(device);
      networks.emplace(device, network(batch, inputs, hidden, classes));
    }
  }
  void keep(gs::device_kind device, const array& value) { gs::positive(value.reshape({1}), gs::out(loss.on(device))); }
  std::map<gs::device_kind, network> networks;
  outputs<float> loss;
};

contest prepare_network(std::size_t batch, std::size_t inputs, std::size_t hidden, std::size_t classes) {
  const auto a = std::make_shared<network_arrays>(batch, inputs, hidden, classes);
  contest c;
  add_ours(c, "gradient",
           [a](gs::device_kind device) { a->keep(device, std::get<0>(a->networks.at(device).loss_and_gradients())); });
  add_ours(c, "step", [a](gs::device_kind device) { a->keep(device, a->networks.at(device).step()); });
  add_part(c, "forward alone", [a](gs::device_kind device) { a->keep(device, a->networks.at(device).loss()); });
  check_agreement(c, a->loss, {.relative = 1e-5});
  return c;
}

// --- a convolution ---------------------------------------------------------------------------------------------------

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
  const std::size_t operations =
      18 * extents.batch * extents.rows * extents.columns * extents.channels * extents.outputs;
  c.add("multiply-adds in registers", role::limit, repeated([operations] {
          limits::multiply_add_on_all_cores(operations / limits::operations_per_step() / limits::threads());
        }));
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
  constexpr std::size_t classes = 10;
  return {.name = "learning_network",
          .text = "the gradients of a network's loss, " + std::to_string(inputs) + "-" + std::to_string(hidden) + "-" +
                  std::to_string(classes) + ", batch " + std::to_string(batch) + ", beside the loss alone",
          .elements = (inputs + 1) * hidden + (hidden + 1) * classes,
          .dtype = "float32",
          .memory = sizeof(float) * (4 * batch * (inputs + 3 * hidden) + 6 * inputs * hidden),
          .wanted = demand{demand::of_peer, 3, "3 x forward"},
          .wanted_of_gpu = demand{demand::of_peer, 3, "3 x forward"},
          .prepare = [=] { return prepare_network(batch, inputs, hidden, classes); }};
}

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
