// histogram: how many float32 fall into each of 10 or 1,000 bins. One array in, next to nothing out.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bench/limits/bandwidth.h"
#include "bench/peers/peers.h"
#include "bench/workloads/gpu_entrants.h"
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

// A thread first computes the bins of a batch of neighbouring values and then counts them. The engine computes long
// batches by vectors; on a GPU, neighbouring threads should read neighbouring values, and a batch is the number of
// loads that a thread has in flight. Every block has several copies of all counters: consecutive values of a thread go
// to different ones, since an addition to a counter that is still on its way to memory waits for it, and so do the
// values of neighbouring lanes, which a GPU counts at the same time.
constexpr unsigned copies = 8, batch_on_engine = 64, batch_on_gpu = 4;

template <unsigned Batch>
GS_FN void count_per_block(gs::thread t, gs::dynamic_shared<std::uint32_t> own, gs::view<const float> x, float scale,
                           gs::view<std::uint32_t> counts) {
  const auto bins = static_cast<std::uint32_t>(counts.size() - 1);
  for (std::size_t k = t.thread_rank(); k < own.size(); k += t.block_size()) own[k] = 0;
  t.sync();
  constexpr unsigned together = Batch < copies ? Batch : copies;
  const std::size_t batches = x.size() / Batch;
  for (auto b : t.grid_stride(batches)) {
    gs::local_array<std::uint32_t, Batch> bin;
    for (unsigned j = 0; j < Batch; ++j) bin[j] = bin_of(x[b * Batch + j], scale, bins);
    for (unsigned j = 0; j < Batch; j += together)
      for (unsigned k = 0; k < together; ++k)
        gs::atomic_ref(own[copies * bin[j + k] + (t.thread_rank() + k) % copies]).fetch_add(1u);
  }
  for (std::size_t i = batches * Batch + t.grid(); i < x.size(); i += t.gridsize())
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
      : x(n, [=](std::size_t i) { return value_of(data, i); }),
        scale(static_cast<float>(bins) / (high - low)),
        out(bins + 1) {}

  template <auto Count>
  void run_ours(gs::device_kind device, const gs::launch_options& how) {
    gs::launch<clear>({.grid = 1, .block = 128}, out.on(device));
    gs::launch<Count>(how, x.on(device), scale, out.on(device));
    gs::synchronize();
  }

  array_everywhere<float> x;
  float scale;
  outputs<std::uint32_t> out;
};

contest prepare_histogram(std::size_t n, std::uint32_t bins, histogram_data data) {
  const auto a = std::make_shared<histogram_arrays>(n, bins, data);
  contest c;
  for (const gs::device_kind device : devices()) {
    const std::size_t shared_bytes = copies * (bins + 1) * sizeof(std::uint32_t);
    work run;
    if (device == gs::device_kind::engine) {
      const std::size_t grid = std::clamp<std::size_t>(n / 32'768, 1, 64);  // each clears and adds counters of its own
      const gs::launch_options how{.grid = grid, .block = 64, .shared_bytes = shared_bytes};
      run = repeated([a, device, how] { a->run_ours<count_per_block<batch_on_engine>>(device, how); });
    } else {
      const while_current guard(device);
      constexpr unsigned block = 512;
      const std::size_t grid =
          gs::cooperative_limit<count_per_block<batch_on_gpu>>(block, shared_bytes);  // all at once
      const gs::launch_options how{.grid = grid, .block = block, .shared_bytes = shared_bytes};
      run = repeated([a, device, how] { a->run_ours<count_per_block<batch_on_gpu>>(device, how); });
    }
    c.add(gs::to_string(device) + ", per block", role::ours, hardware_of(device), on(device, std::move(run)));
  }
  c.add("OpenMP, per core", role::peer,
        repeated([a] { peers::histogram(a->x.host.read(), low, a->scale, a->out.host.span()); }));
  add_gpu_peer(c, "CUB", [a, n, bins] {
    constexpr auto gpu = gs::device_kind::cuda;
    return peers::gpu::histogram(a->x.on(gpu).data(), n, low, a->scale, a->out.on(gpu).data(), bins + 1);
  });
  c.add("read", role::limit, repeated([a] {
          const std::size_t bytes = a->x.host.size() * sizeof(float) / 64 * 64;
          gs::do_not_optimize(limits::read(std::as_bytes(a->x.host.read()).first(bytes)));
        }));
  add_gpu_limit(c, sizeof(float) * n);
  check_agreement(c, a->out, {});
  c.ask_outside(
      make_assignment("histogram", c, a->out, {}, {{"x", a->x.host.read()}}, {{"low", low}, {"scale", a->scale}}));
  return c;
}

contest prepare_global(std::size_t n) {
  const auto a = std::make_shared<histogram_arrays>(n, 10, histogram_data::normal);
  contest c;
  for (const gs::device_kind device : devices())
    c.add(gs::to_string(device) + ", global", role::ours, hardware_of(device),
          on(device, repeated([a, device] {
               a->run_ours<count_in_global>(device,
                                            {.grid = device == gs::device_kind::engine ? 64 : 1024, .block = 256});
             })));
  c.add("OpenMP, atomics", role::peer,
        repeated([a] { peers::histogram_with_atomics(a->x.host.read(), low, a->scale, a->out.host.span()); }));
  add_gpu_peer(c, "CUDA, atomics", [a, n] {
    constexpr auto gpu = gs::device_kind::cuda;
    return peers::gpu::histogram_with_atomics(a->x.on(gpu).data(), n, low, a->scale, a->out.on(gpu).data(),
                                              a->out.host.size());
  });
  check_agreement(c, a->out, {});
  c.ask_outside(make_assignment("histogram_global", c, a->out, {}, {{"x", a->x.host.read()}},
                                {{"low", low}, {"scale", a->scale}}));
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
          .wanted_of_gpu = demand{demand::of_peer, 1.3, "1.3 x peer"},
          .prepare = [n] { return prepare_global(n); }};
}

}  // namespace bench
