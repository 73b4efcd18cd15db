// histogram: how many float32 fall into each of 10 or 1,000 bins. One array in, next to nothing out.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

// The data are from -4 to 4, but for a few. Whatever lies in no bin, NaN too, is counted behind the last one.
constexpr float low = -4, high = 4;

GS_FN std::uint32_t bin_of(float x, float scale, std::uint32_t bins) {
  const float position = (x - low) * scale;
  const auto end = static_cast<float>(bins);
  return static_cast<std::uint32_t>((position >= 0) & (position < end) ? position : end);  // no branch: vectorises
}

GS_FN void clear(gs::thread t, gs::view<std::uint32_t> counts) {
  for (auto b : t.grid_stride(counts.size())) counts[b] = 0;
}

GS_FN void count_in_global(gs::thread t, gs::view<const float> x, float scale, gs::view<std::uint32_t> counts) {
  const auto bins = static_cast<std::uint32_t>(counts.size() - 1);
  for (auto i : t.grid_stride(x.size())) gs::atomic_ref(counts[bin_of(x[i], scale, bins)]).fetch_add(1u);
}

// A thread first computes the bins of a batch of neighbouring values, which the engine does by vectors, and then counts
// them. Every block has several copies of all counters: consecutive values of a thread go to different ones, since an
// addition to a counter that is still on its way to memory waits for it, and so do the values of neighbouring lanes,
// which a GPU counts at the same time.
constexpr unsigned batch = 64, copies = 8;

GS_FN void count_per_block(gs::thread t, gs::dynamic_shared<std::uint32_t> own, gs::view<const float> x, float scale,
                           gs::view<std::uint32_t> counts) {
  const auto bins = static_cast<std::uint32_t>(counts.size() - 1);
  for (std::size_t k = t.thread_rank(); k < own.size(); k += t.block_size()) own[k] = 0;
  t.sync();
  const std::size_t batches = x.size() / batch;
  for (auto b : t.grid_stride(batches)) {
    gs::local_array<std::uint32_t, batch> bin;
    for (unsigned j = 0; j < batch; ++j) bin[j] = bin_of(x[b * batch + j], scale, bins);
    for (unsigned j = 0; j < batch; j += copies)
      for (unsigned k = 0; k < copies; ++k)
        gs::atomic_ref(own[copies * bin[j + k] + (t.thread_rank() + k) % copies]).fetch_add(1u);
  }
  for (std::size_t i = batches * batch + t.grid(); i < x.size(); i += t.gridsize())
    gs::atomic_ref(own[copies * bin_of(x[i], scale, bins)]).fetch_add(1u);
  t.sync();
  for (std::size_t b = t.thread_rank(); b <= bins; b += t.block_size()) {
    std::uint32_t sum = 0;
    for (unsigned j = 0; j < copies; ++j) sum += own[copies * b + j];
    gs::atomic_ref(counts[b]).fetch_add(sum);
  }
}

// Number i of the data. Normal ones are made as by Box and Muller, 1958; of the skewed ones nine of ten are the same,
// and the others uniform.
double value_of(histogram_data data, std::size_t i) {
  const double u = uniform(i, 1);
  if (data == histogram_data::normal)
    return std::sqrt(-2 * std::log(1 - u)) * std::cos(2 * std::numbers::pi * uniform(i, 2));
  if (data == histogram_data::skewed && uniform(i, 2) < 0.9) return 1.002;  // on no edge
  return low + (high - low) * u;
}

struct histogram_arrays {
  histogram_arrays(std::size_t n, std::uint32_t bins, histogram_data data)
      : x(n), scale(static_cast<float>(bins) / (high - low)), out(bins + 1) {
    fill(x.span(), [=](std::size_t i) { return value_of(data, i); });
    x_device = gs::to_device(x.span());
  }
  large_buffer<float> x;
  gs::device_array<float> x_device;
  float scale;
  outputs<std::uint32_t> out;
};

contest prepare_histogram(std::size_t n, std::uint32_t bins, histogram_data data) {
  const auto a = std::make_shared<histogram_arrays>(n, bins, data);
  contest c;
  c.add("engine, per block", role::ours, repeated([a, bins] {
          gs::launch<clear>({.grid = 1, .block = 128}, a->out.device);
          gs::launch<count_per_block>(
              {.grid = 64, .block = 64, .shared_bytes = copies * (bins + 1) * sizeof(std::uint32_t)}, a->x_device,
              a->scale, a->out.device);
          gs::synchronize();
        }));
  c.add("OpenMP, per core", role::peer,
        repeated([a] { peers::histogram(a->x.read(), low, a->scale, a->out.host.span()); }));
  c.add("read", role::limit, repeated([a] {
          const std::size_t bytes = a->x.size() * sizeof(float) / 64 * 64;
          gs::do_not_optimize(limits::read(std::as_bytes(a->x.read()).first(bytes)));
        }));
  check_agreement(c, a->out, {});
  c.ask_outside(asked("histogram", c, a->out, {}, {{"x", a->x.read()}}, {{"low", low}, {"scale", a->scale}}));
  return c;
}

contest prepare_global(std::size_t n) {
  const auto a = std::make_shared<histogram_arrays>(n, 10, histogram_data::normal);
  contest c;
  c.add("engine, global", role::ours, repeated([a] {
          gs::launch<clear>({.grid = 1, .block = 128}, a->out.device);
          gs::launch<count_in_global>({.grid = 64, .block = 256}, a->x_device, a->scale, a->out.device);
          gs::synchronize();
        }));
  c.add("OpenMP, atomics", role::peer,
        repeated([a] { peers::histogram_with_atomics(a->x.read(), low, a->scale, a->out.host.span()); }));
  check_agreement(c, a->out, {});
  c.ask_outside(asked("histogram_global", c, a->out, {}, {{"x", a->x.read()}}, {{"low", low}, {"scale", a->scale}}));
  return c;
}

}  // namespace

workload histogram(std::size_t elements, std::uint32_t bins, histogram_data data) {
  const std::string name = data == histogram_data::uniform  ? "uniform"
                           : data == histogram_data::normal ? "normal"
                                                            : "skewed";
  return {.name = "histogram_" + std::to_string(bins) + "_" + name,
          .text = "counts in " + std::to_string(bins) + " bins of " + name + " data" +
                  (data == histogram_data::skewed ? ", nine of ten in one bin" : ""),
          .elements = elements,
          .dtype = "float32",
          .bytes = sizeof(float) * static_cast<double>(elements),
          .memory = 2 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.3, "1.3 x peer"},
          .prepare = [=] { return prepare_histogram(elements, bins, data); }};
}

workload histogram_global(std::size_t elements) {
  const std::size_t n = std::min<std::size_t>(elements, 1'000'000);  // every value waits for the others' counter
  return {.name = "histogram_global",
          .text = "counts in 10 bins of normal data, one set of counters for all",
          .elements = n,
          .dtype = "float32",
          .bytes = sizeof(float) * static_cast<double>(n),
          .memory = 2 * sizeof(float) * n,
          .wanted = demand{demand::of_peer, 1.3, "1.3 x peer"},
          .prepare = [n] { return prepare_global(n); }};
}

}  // namespace bench
