// Lesson 42: what a network is made of: layers and their adjoints, a convolution three ways, and two spirals that a
// small network learns to tell apart while you watch.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/grad/check_gradient.h"
#include "runtime/gs.h"
#include "runtime/layers/layers.h"
#include "runtime/world/world.h"
#include "workbook/lesson.h"

using array = gs::device_array<float>;
using labels = gs::device_array<int>;

// --- two spirals -----------------------------------------------------------------------------------------------------

struct point_set {
  array points;                    // (n, 2), between -1 and 1
  labels classes;                  // (n,), 0 or 1
  std::vector<float> coordinates;  // the points once more, on the host
  std::vector<int> numbers;        // and their classes
};

// Two arms of a turn and a half, wound round each other; the points lie a little off them.
point_set two_spirals(std::size_t per_arm, std::uint64_t seed) {
  const std::vector<float> noise = gs::normal<float>({2 * per_arm, std::size_t{2}}, seed).copy_to_host();
  std::vector<float> points;
  std::vector<int> classes;
  for (std::size_t i = 0; i < 2 * per_arm; ++i) {
    const int arm = i < per_arm ? 0 : 1;
    const auto part = static_cast<float>(i % per_arm) / static_cast<float>(per_arm);
    const float angle = std::numbers::pi_v<float> * (3 * part + static_cast<float>(arm)), radius = 0.1f + 0.8f * part;
    points.push_back(radius * std::cos(angle) + 0.015f * noise[2 * i]);
    points.push_back(radius * std::sin(angle) + 0.015f * noise[2 * i + 1]);
    classes.push_back(arm);
  }
  return {gs::to_device(points).reshape({-1, 2}), gs::to_device(classes), points, classes};
}

point_set part_of(const point_set& all, std::size_t first, std::size_t last) {
  const auto slice = [&](const auto& x, std::size_t of_each) {
    const auto at = [&](std::size_t k) { return x.begin() + static_cast<std::ptrdiff_t>(k * of_each); };
    return std::remove_cvref_t<decltype(x)>(at(first), at(last));
  };
  const std::vector<float> points = slice(all.coordinates, 2);
  const std::vector<int> classes = slice(all.numbers, 1);
  return {gs::to_device(points).reshape({-1, 2}), gs::to_device(classes), points, classes};
}

// --- several ranks ---------------------------------------------------------------------------------------------------

// The sums over all ranks, by messages between neighbours alone (P. Patarasuk and X. Yuan, "Bandwidth optimal
// all-reduce algorithms for clusters of workstations", 2009): the array is cut into as many chunks as there are ranks.
// Each chunk goes round once and gathers its sum, and once more to tell it. However many ranks there are, each sends
// the array less than twice.
void ring_allreduce(const gs::communicator& world, std::vector<float>& x) {
  const auto p = static_cast<std::size_t>(world.size()), r = static_cast<std::size_t>(world.rank());
  const auto right = static_cast<int>((r + 1) % p), left = static_cast<int>((r + p - 1) % p);
  const auto chunk = [&](std::size_t i) {
    const std::size_t first = x.size() * (i % p) / p, last = x.size() * (i % p + 1) / p;
    return std::span(x).subspan(first, last - first);
  };
  for (std::size_t k = 0; k + 1 < p; ++k) {
    auto sent = world.start_send(chunk(r + p - k), right);
    const auto came = world.receive<std::vector<float>>(left);
    std::ranges::transform(came, chunk(r + 2 * p - k - 1), chunk(r + 2 * p - k - 1).begin(), std::plus<>());
    sent.wait();
  }
  for (std::size_t k = 0; k + 1 < p; ++k) {
    auto sent = world.start_send(chunk(r + p + 1 - k), right);
    world.receive(chunk(r + p - k), left);
    sent.wait();
  }
}

enum class sums { own, library, ring };  // of this rank alone; over all ranks

// The points of this rank, if gradients are added over ranks.
point_set share_of(const point_set& all, sums gradients) {
  const std::size_t n = all.numbers.size();
  if (gradients == sums::own) return part_of(all, 0, n);
  const auto ranks = static_cast<std::size_t>(gs::world().size()), rank = static_cast<std::size_t>(gs::world().rank());
  return part_of(all, n * rank / ranks, n * (rank + 1) / ranks);
}

// --- the network -----------------------------------------------------------------------------------------------------

constexpr std::size_t hidden = 64;

// Two numbers in, two hidden layers, a score for each arm out. `tape` and the weights may be those of a recording.
template <class Tape, class X, class W>
auto scores_of(Tape& tape, bool bends, const X& points, const W& w1, const W& b1, const W& w2, const W& b2, const W& w3,
               const W& b3) {
  const auto bent = [&](const W& x) { return bends ? tape(gs::tanh, x) : x; };
  const W first = bent(gs::dense(tape, points, w1, b1)), second = bent(gs::dense(tape, first, w2, b2));
  return gs::dense(tape, second, w3, b3);
}

// The loss that training reduces, a function of the six arrays of weights.
auto loss_of(const array& points, const labels& classes, bool bends) {
  return gs::taped([&points, &classes, bends](auto& tape, const auto&... weights) {
    return tape.mean(gs::softmax_cross_entropy(tape, scores_of(tape, bends, points, weights...), classes));
  });
}
auto scores(const array& points, bool bends) {
  return gs::taped(
      [&points, bends](auto& tape, const auto&... weights) { return scores_of(tape, bends, points, weights...); });
}

// The probability that the network gives to class 1, from the two scores.
GS_FN void belief_of(gs::view<const float> score, float& belief) { belief = 1 / (1 + std::exp(score[0] - score[1])); }
inline constexpr auto beliefs = gs::guvectorize<belief_of, "(k)->()">;

// --- how weights change ----------------------------------------------------------------------------------------------

// Adam (D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015): each weight goes against its mean
// gradient, scaled by how large its gradients have been. `mean` and `square` are moving averages that begin at 0, so
// they are divided by the total weight of the gradients gathered so far.
GS_FN void adam(float weight, float mean, float square, float gradient, float rate, float gathered_mean,
                float gathered_square, float& new_weight, float& new_mean, float& new_square) {
  new_mean = 0.9f * mean + 0.1f * gradient;
  new_square = 0.999f * square + 0.001f * gradient * gradient;
  new_weight = weight - rate * (new_mean / gathered_mean) / (std::sqrt(new_square / gathered_square) + 1e-8f);
}
inline constexpr auto adam_step = gs::guvectorize<adam, "(),(),(),(),(),(),()->(),(),()">;

class learner final : public workbook::simulation {
 public:
  learner(std::string optimiser, bool bends, float rate, std::size_t per_arm, std::uint64_t seed,
          sums gradients = sums::own)
      : data_(two_spirals(per_arm, seed)),
        learnt_(share_of(data_, gradients)),
        optimiser_(std::move(optimiser)),
        bends_(bends),
        rate_(rate),
        gradients_(gradients) {
    for (const auto& [inputs, outputs] :
         {std::pair(std::size_t{2}, hidden), std::pair(hidden, hidden), std::pair(hidden, std::size_t{2})}) {
      weights_.push_back(gs::normal<float>({inputs, outputs}, ++seed) * (1 / std::sqrt(static_cast<float>(inputs))));
      weights_.push_back(gs::zeros<float>(outputs));
    }
    for (const array& w : weights_) means_.push_back(gs::zeros<float>(w.shape()));
    for (const array& w : weights_) squares_.push_back(gs::zeros<float>(w.shape()));
  }

  void change(const workbook::parameters& given) override {
    optimiser_ = given.choice("optimiser");
    rate_ = static_cast<float>(given.real("rate"));
  }
  void step(std::size_t n) override {
    const auto loss = loss_of(learnt_.points, learnt_.classes, bends_);
    while (n-- > 0) {
      ++steps_;
      auto [value, g0, g1, g2, g3, g4, g5] =
          loss.value_and_grad(weights_[0], weights_[1], weights_[2], weights_[3], weights_[4], weights_[5]);
      loss_ = std::move(value);
      if (gradients_ != sums::own) add_over_ranks({&loss_, &g0, &g1, &g2, &g3, &g4, &g5});
      std::size_t k = 0;
      for (const array* const gradient : {&g0, &g1, &g2, &g3, &g4, &g5}) apply(k++, *gradient);
    }
  }
  std::size_t steps() const override { return steps_; }
  std::vector<workbook::heat_map> fields() const override {
    std::vector<workbook::heat_map> now;
    now.push_back(boundary());
    return now;
  }

  double loss() const { return static_cast<double>(loss_.copy_to_host()[0]); }
  // The part of the points that the network puts into the right arm.
  double share_right() const {
    const std::vector<float> found = belief_at(data_.points).copy_to_host();
    std::size_t right = 0;
    for (std::size_t i = 0; i < found.size(); ++i) right += (found[i] > 0.5f) == (data_.numbers[i] == 1);
    return static_cast<double>(right) / static_cast<double>(found.size());
  }
  const std::vector<array>& weights() const { return weights_; }

  // What the network says of each place in the plane, and the points on it: dark for the one arm, bright for the other.
  workbook::heat_map boundary() const {
    constexpr std::size_t side = 200;
    const auto coordinate = [](std::size_t k) { return 2 * (static_cast<float>(k) + 0.5f) / side - 1; };
    std::vector<float> grid;
    for (std::size_t row = 0; row < side; ++row)
      for (std::size_t column = 0; column < side; ++column) {
        grid.push_back(coordinate(column));
        grid.push_back(-coordinate(row));
      }
    std::vector<float> picture = belief_at(gs::to_device(grid).reshape({-1, 2})).copy_to_host();
    for (float& belief : picture) belief = 0.2f + 0.6f * belief;
    const auto cell = [](float x) {
      return static_cast<std::size_t>(std::clamp((x + 1) / 2 * side, 0.0f, static_cast<float>(side - 1)));
    };
    for (std::size_t i = 0; i < data_.numbers.size(); ++i)
      picture[cell(-data_.coordinates[2 * i + 1]) * side + cell(data_.coordinates[2 * i])] =
          static_cast<float>(data_.numbers[i]);
    return {.title = "After " + std::to_string(steps_) + " steps",
            .x = {.label = "x", .min = -1, .max = 1},
            .y = {.label = "y", .min = -1, .max = 1},
            .value = {.label = "belief in the second arm", .min = 0, .max = 1},
            .rows = side,
            .columns = side,
            .values = picture};
  }

 private:
  array belief_at(const array& points) const {
    return beliefs(
        scores(points, bends_)(weights_[0], weights_[1], weights_[2], weights_[3], weights_[4], weights_[5]));
  }
  void apply(std::size_t k, const array& gradient) {
    if (optimiser_ == "adam") {
      const auto step = static_cast<float>(steps_);
      adam_step(weights_[k], means_[k], squares_[k], gradient, rate_, 1 - std::pow(0.9f, step),
                1 - std::pow(0.999f, step), gs::out(weights_[k]), gs::out(means_[k]), gs::out(squares_[k]));
    } else {
      weights_[k] -= gradient * (descent_factor * rate_);
    }
  }

  // Means over a rank's points become means over all: each counts as much as it has points.
  void add_over_ranks(std::initializer_list<array*> means) {
    const float weight = static_cast<float>(learnt_.numbers.size()) / static_cast<float>(data_.numbers.size());
    std::vector<float> all;  // one message is quicker than seven
    for (const array* const mean : means)
      for (const float x : mean->copy_to_host()) all.push_back(weight * x);
    if (gradients_ == sums::ring)
      ring_allreduce(gs::world(), all);
    else
      gs::world().allreduce(all, gs::out(all));
    auto next = all.begin();
    for (array* const mean : means) {
      const auto end = next + static_cast<std::ptrdiff_t>(mean->size());
      *mean = gs::to_device(std::vector<float>(next, end)).reshape(mean->shape());
      next = end;
    }
  }

  static constexpr float descent_factor = 20;  // plain descent needs a larger rate: gradients are small

  point_set data_, learnt_;  // all points, and those from which this rank learns
  std::string optimiser_;
  bool bends_;
  float rate_;
  sums gradients_;
  std::vector<array> weights_, means_, squares_;
  array loss_ = gs::zeros<float>(1);
  std::size_t steps_ = 0;
};

std::unique_ptr<learner> begin(const workbook::parameters& given) {
  return std::make_unique<learner>(given.choice("optimiser"), true, static_cast<float>(given.real("rate")),
                                   given.size(), given.seed());
}

// --- what the lesson shows -------------------------------------------------------------------------------------------

gs::device_array<double> numbers(const gs::shape& extents, std::uint64_t seed) {
  return gs::normal<double>(extents, seed);
}

// Every adjoint beside finite differences.
void adjoints(std::uint64_t seed, workbook::report& report) {
  report.heading("Layers, and what they give back");
  const auto classes = gs::to_device(std::vector<int>{2, 0, 1, 1});
  workbook::table& table = report.table("Gradients beside differences", {"layer", "largest error"});
  const auto ask = [&](const std::string& layer, const auto& model, const auto&... x) {
    const gs::gradient_check check = gs::check_gradient(gs::taped(model), x...);
    table.row(layer, check.error);
    report.check(layer + " has the right adjoint", check.agrees());
  };
  ask(
      "dense", [](auto& tape, auto x, auto w, auto b) { return gs::dense(tape, x, w, b); }, numbers({4, 3}, seed),
      numbers({3, 5}, seed + 1), numbers({5}, seed + 2));
  ask(
      "3x3 convolution", [](auto& tape, auto x, auto w) { return gs::convolution_3x3(tape, x, w); },
      numbers({2, 4, 5, 2}, seed + 3), numbers({3, 3, 2, 3}, seed + 4));
  ask(
      "2x2 max pooling", [](auto& tape, auto x) { return gs::max_pooling_2x2(tape, x); },
      numbers({2, 4, 5, 3}, seed + 5));
  ask(
      "softmax cross-entropy", [&](auto& tape, auto x) { return gs::softmax_cross_entropy(tape, x, classes); },
      numbers({4, 3}, seed + 6));
}

void convolutions(std::size_t pictures, std::size_t channels, std::uint64_t seed, workbook::report& report) {
  report.heading("A convolution, three ways");
  constexpr std::size_t side = 32;
  const auto x = gs::normal<float>({pictures, side, side, channels}, seed);
  const auto w = gs::normal<float>({std::size_t{3}, std::size_t{3}, channels, channels}, seed + 1);
  const double operations = 2.0 * static_cast<double>(9 * channels * channels * side * side * pictures);
  struct way {
    std::string name;
    gs::convolution_method method;
  };
  std::vector<std::string> names;
  std::vector<double> rates;
  std::vector<float> first;
  for (const way& kind : {way{"direct", gs::convolution_method::direct}, way{"im2col", gs::convolution_method::im2col},
                          way{"block style", gs::convolution_method::block}}) {
    const std::vector<float> y = gs::convolution_3x3(x, w, kind.method).copy_to_host();
    if (first.empty()) first = y;
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      worst = std::max(worst, std::fabs(static_cast<double>(y[i]) - static_cast<double>(first[i])));
    report.check_at_most(kind.name + ": largest difference from the first way", worst, 1e-3);
    const gs::timing time = gs::timeit(
        [&] {
          const array result = gs::convolution_3x3(x, w, kind.method);
          gs::synchronize();
        },
        {.min_run_seconds = 0.02, .max_seconds = 1, .operations = operations});
    report.timing(kind.name, time);
    names.push_back(kind.name);
    rates.push_back(1e-9 * operations / time.best());
  }
  report.plot(workbook::bar_plot{.title = "A convolution of " + std::to_string(pictures) + " pictures",
                                 .categories = names,
                                 .value = {.label = "operations", .unit = "billions/s", .min = 0},
                                 .groups = {{.name = "", .values = rates}}});
}

void spirals(const workbook::parameters& given, workbook::report& report) {
  report.heading("Two spirals");
  const auto steps = static_cast<std::size_t>(given.integer("iterations"));
  const auto per_arm = given.size();
  const auto rate = static_cast<float>(given.real("rate"));
  struct attempt {
    std::string name, optimiser;
    bool bends;
  };
  workbook::table& table = report.table("After all steps", {"network", "loss", {"right", "%"}});
  workbook::xy_plot losses{.title = "The loss, step by step",
                           .x = {.label = "step"},
                           .y = {.label = "cross-entropy", .log = true},
                           .series = {}};
  std::vector<double> shares;
  std::size_t done = 0;
  for (const attempt& a : {attempt{"Adam", "adam", true}, attempt{"plain descent", "sgd", true},
                           attempt{"Adam, without tanh", "adam", false}}) {
    learner network(a.optimiser, a.bends, rate, per_arm, given.seed());
    std::vector<double> x, y;
    while (network.steps() < steps) {
      const std::size_t n = std::min<std::size_t>(10, steps - network.steps());
      network.step(n);
      x.push_back(static_cast<double>(network.steps()));
      y.push_back(network.loss());
      report.progress(static_cast<double>(done += n), static_cast<double>(3 * steps), "steps");
    }
    shares.push_back(network.share_right());
    table.row(a.name, y.back(), 100 * shares.back());
    losses.series.push_back({.name = a.name, .x = x, .y = y});
    if (a.optimiser == "adam") {
      workbook::heat_map picture = network.boundary();
      picture.title = a.name + ": the boundary";
      report.plot(std::move(picture));
    }
  }
  report.plot(std::move(losses));
  if (steps >= 600) {
    report.check("Adam puts 99 % of the points into their arm", shares[0] >= 0.99);
    if (per_arm >= 100) report.check("without tanh no more than 75 % are right", shares[2] <= 0.75);
  }

  // A seed determines everything: random numbers, sums and gradients come out the same.
  learner one("adam", true, rate, per_arm, given.seed()), other("adam", true, rate, per_arm, given.seed());
  one.step(std::min<std::size_t>(steps, 30));
  other.step(std::min<std::size_t>(steps, 30));
  bool same = true;
  for (std::size_t k = 0; k < one.weights().size(); ++k)
    same = same && one.weights()[k].copy_to_host() == other.weights()[k].copy_to_host();
  report.check("the same seed gives the same bits", same);
}

// The same network in three ways: how it learns, and how long a step takes.
struct way_of_learning {
  std::string name;
  double loss, seconds;
  std::vector<std::vector<float>> weights;
};
way_of_learning learn(const std::string& name, sums gradients, const workbook::parameters& given, std::size_t steps) {
  learner network("adam", true, static_cast<float>(given.real("rate")), given.size(), given.seed(), gradients);
  network.step(1);  // what happens only once isn't counted
  const auto begin = std::chrono::steady_clock::now();
  network.step(steps - 1);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  way_of_learning way{name, network.loss(), seconds / static_cast<double>(std::max<std::size_t>(steps - 1, 1)), {}};
  for (const array& w : network.weights()) way.weights.push_back(w.copy_to_host());
  return way;
}
// Whether all ranks have the bits of rank 0.
bool is_everywhere(const std::vector<std::vector<float>>& weights) {
  bool same = true;
  for (std::vector<float> w : weights) {
    const std::vector<float> own = w;
    gs::world().broadcast(w);
    same = same && w == own;
  }
  return gs::world().allreduce(same ? 1 : 0, gs::fold::minimum) == 1;
}

struct learnt_together {
  std::vector<way_of_learning> ways;
  bool same_bits = false;
  std::size_t steps = 0;
};
// All ranks take part.
learnt_together learn_together(const workbook::parameters& given) {
  const auto ranks = static_cast<std::size_t>(gs::world().size());
  if (2 * given.size() < ranks)
    throw gs::error("sharing " + std::to_string(2 * given.size()) + " points among " + std::to_string(ranks) + " ranks",
                    "some would have none", "start fewer ranks, or choose a larger --size");
  const auto steps = std::min<std::size_t>(static_cast<std::size_t>(given.integer("iterations")), 30);
  learnt_together t;
  t.steps = steps;
  t.ways.push_back(learn("the library's allreduce", sums::library, given, steps));
  t.ways.push_back(learn("a ring", sums::ring, given, steps));
  t.same_bits = is_everywhere(t.ways[0].weights) && is_everywhere(t.ways[1].weights);
  if (gs::world().rank() == 0) t.ways.push_back(learn("one rank alone", sums::own, given, steps));
  return t;
}

void show(const learnt_together& t, workbook::report& report) {
  const int ranks = gs::world().size();
  report.heading("Gradients of several ranks");
  auto& table =
      report.table(std::to_string(t.steps) + " steps on " + std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"),
                   {"sums of gradients", "loss", "a step"});
  for (const way_of_learning& way : t.ways) table.row(way.name, way.loss, workbook::seconds(way.seconds));
  report.check("all ranks have the same weights, to the bit", t.same_bits);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
    report.check_near("loss by " + t.ways[k].name + " and on one rank", t.ways[k].loss, t.ways.back().loss, 1e-3);
}

void run(const workbook::parameters& given, workbook::report& report) {
  const learnt_together together = learn_together(given);
  if (gs::world().rank() != 0) return;
  adjoints(given.seed(), report);
  const auto number = [&](const char* name) { return static_cast<std::size_t>(given.integer(name)); };
  convolutions(number("pictures"), number("channels"), given.seed(), report);
  spirals(given, report);
  show(together, report);
}

workbook::lesson workbook::this_lesson() {
  return {.number = 42,
          .name = "deep_learning_primitives",
          .title = "What a network is made of",
          .summary = "Layers and their adjoints, a convolution three ways, and two spirals that a network learns.",
          .parameters = {workbook::integer{.name = "size",
                                           .text = "points on each spiral",
                                           .min = 1,
                                           .max = 100'000,
                                           .default_value = 250,
                                           .inspected = 20},
                         workbook::integer{.name = "iterations",
                                           .text = "how often the weights change",
                                           .min = 1,
                                           .max = 100'000,
                                           .default_value = 800,
                                           .inspected = 3},
                         workbook::integer{.name = "pictures",
                                           .text = "pictures that are convolved",
                                           .min = 1,
                                           .max = 1000,
                                           .default_value = 8,
                                           .inspected = 1},
                         workbook::integer{.name = "channels",
                                           .text = "of a picture, before the convolution and behind it",
                                           .min = 1,
                                           .max = 256,
                                           .default_value = 32,
                                           .inspected = 4},
                         workbook::real{.name = "rate",
                                        .text = "learning rate of Adam; plain descent takes twenty times as much",
                                        .min = 0.0001,
                                        .max = 0.1,
                                        .default_value = 0.01},
                         workbook::choice{.name = "optimiser",
                                          .text = "how the weights of the simulation change",
                                          .choices = {"adam", "sgd"}}},
          .run = run,
          .simulate = begin};
}
