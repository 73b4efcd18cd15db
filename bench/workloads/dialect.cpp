// dialect_...: kernels in CUDA C++ (dialect_kernels.cu), compiled as `./gridstride run` compiles a .cu file, beside the
// same kernels with gs.
#include <dlfcn.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"

#ifdef GRIDSTRIDE_BENCH_CUDA_KERNELS

#include "workshop/cuda_sources.h"

namespace bench {
namespace {

constexpr unsigned threads = 256, side = 16, edge = 32, bins = 256;

// --- with gs ---------------------------------------------------------------------------------------------------------

GS_FN void add_elements(gs::thread t, gs::view<const float> x, gs::view<const float> y, gs::view<float> sum) {
  const std::size_t i = t.grid();
  if (i < sum.size()) sum[i] = x[i] + y[i];
}

struct two_tiles {
  gs::tile<float, side, side> left, right;
};
GS_FN void multiply_tiles(gs::thread t, gs::shared<two_tiles> s, gs::view<const float, 2> a, gs::view<const float, 2> b,
                          gs::view<float, 2> c) {
  const unsigned y = t.thread_idx().y, x = t.thread_idx().x;
  const std::size_t row = t.grid_y(), column = t.grid_x();
  float sum = 0;
  for (std::size_t k = 0; k < a.extent(1); k += side) {
    s->left(y, x) = a(row, k + x);
    s->right(y, x) = b(k + y, column);
    t.sync();
    for (unsigned j = 0; j < side; ++j) sum += s->left(y, j) * s->right(j, x);
    t.sync();
  }
  c(row, column) = sum;
}

struct square_tile {
  gs::tile<float, edge, edge + 1> of;
};
GS_FN void turn_tile(gs::thread t, gs::shared<square_tile> s, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const std::size_t top = std::size_t{edge} * t.block_idx().y, left = std::size_t{edge} * t.block_idx().x;
  const unsigned y = t.thread_idx().y, x = t.thread_idx().x;
  s->of(y, x) = in(top + y, left + x);
  t.sync();
  out(left + y, top + x) = s->of(x, y);
}

struct sums_of_warps {
  gs::tile<float, threads / gs::warp_size> of;
};
GS_FN void sum_of_block(gs::thread t, gs::shared<sums_of_warps> s, gs::view<const float> x, gs::view<float> sums) {
  float sum = 0;
  for (std::size_t i = t.grid(); i < x.size(); i += t.gridsize()) sum += x[i];
  for (unsigned below = gs::warp_size / 2; below > 0; below /= 2) sum += t.shuffle_down(sum, below);
  if (t.thread_rank() % gs::warp_size == 0) s->of[t.thread_rank() / gs::warp_size] = sum;
  t.sync();
  if (t.thread_rank() != 0) return;
  float all = 0;
  for (unsigned w = 0; w < threads / gs::warp_size; ++w) all += s->of[w];
  sums[t.block_idx().x] = all;
}

GS_FN void clear_counts(gs::thread t, gs::view<unsigned> counts) { counts[t.thread_rank()] = 0; }

struct own_counts {
  gs::tile<unsigned, bins> of;
};
GS_FN void count_values(gs::thread t, gs::shared<own_counts> s, gs::view<const float> x, gs::view<unsigned> counts) {
  s->of[t.thread_rank()] = 0;
  t.sync();
  for (std::size_t i = t.grid(); i < x.size(); i += t.gridsize())
    gs::atomic_ref(s->of[std::min(static_cast<unsigned>(x[i] * bins), bins - 1)]).fetch_add(1u);
  t.sync();
  gs::atomic_ref(counts[t.thread_rank()]).fetch_add(s->of[t.thread_rank()]);
}

GS_FN void smooth_field(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  const std::size_t row = t.grid_y(), column = t.grid_x(), n = in.extent(0);
  if (row < 1 || column < 1 || row >= n - 1 || column >= n - 1) return;
  out(row, column) = 0.5f * in(row, column) +
                     0.125f * (in(row - 1, column) + in(row + 1, column) + in(row, column - 1) + in(row, column + 1));
}

// --- in CUDA C++ -----------------------------------------------------------------------------------------------------

// The module of dialect_kernels.cu, made at the first call, and its function of that name.
template <class Function>
Function* cuda_function(const char* name) {
  static void* const module = [] {
    const std::string asked = "compile dialect_kernels.cu";
    workshop::compile_request request{
        .purpose = asked,
        .parts = workshop::read_parts(workshop::build_folder(workshop::flavour::plain) / "programs/parts.json", asked,
                                      workshop::flavour::plain, "program_parts"),
        .sources = {workshop::read_source(GRIDSTRIDE_BENCH_CUDA_KERNELS, "compile")},
        .product = workshop::product::module};
    workshop::compile_as_cuda(request);
    workshop::compilation steps(std::move(request));
    for (const auto& failed : {steps.compile(), steps.link()})
      if (failed) throw std::runtime_error(asked + ": " + failed->text + "\n" + failed->messages);
    void* const opened = dlopen(steps.result().file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened) throw std::runtime_error(dlerror());
    return opened;
  }();
  if (void* const found = dlsym(module, name)) return reinterpret_cast<Function*>(found);
  throw std::runtime_error(std::string("dialect_kernels.cu has no ") + name);
}

// --- the rows --------------------------------------------------------------------------------------------------------

constexpr auto engine = gs::device_kind::engine;

// `ours` and `with_gs` return when their kernels have run, or are waited for.
template <class T>
contest compare(const std::shared_ptr<outputs<T>>& out, std::function<void()> ours, std::function<void()> with_gs,
                tolerance allowed = {}) {
  contest c;
  c.add("CUDA C++", role::ours, on(engine, repeated(std::move(ours))));
  c.add("gs::launch", role::peer, on(engine, repeated([with_gs = std::move(with_gs)] {
                                       with_gs();
                                       gs::synchronize();
                                     })));
  check_agreement(c, *out, allowed);
  return c;
}

struct vectors {
  explicit vectors(std::size_t n, std::size_t results)
      : x(n, [](std::size_t i) { return uniform(i, 1); }),
        y(n, [](std::size_t i) { return uniform(i, 2); }),
        out(std::make_shared<outputs<float>>(results)) {}
  gs::device_array<float> matrix(const gs::device_array<float>& flat, std::size_t n) const {
    return flat.reshape({static_cast<std::ptrdiff_t>(n), static_cast<std::ptrdiff_t>(n)});
  }
  array_everywhere<float> x, y;
  std::shared_ptr<outputs<float>> out;
};

workload workload_of(std::string name, std::string text, std::size_t elements, std::function<contest()> prepare) {
  return {.name = "dialect_" + std::move(name),
          .text = std::move(text) + ", in CUDA C++ beside gs",
          .elements = elements,
          .dtype = "float32",
          .memory = 8 * sizeof(float) * elements,
          .wanted = demand{demand::of_peer, 1.1, "1.1 x gs"},
          .prepare = std::move(prepare)};
}

}  // namespace

workload dialect_add(std::size_t n) {
  return workload_of("add", "the sum of two arrays", n, [=] {
    const auto a = std::make_shared<vectors>(n, n);
    auto* const f = cuda_function<void(const float*, const float*, float*, int)>("dialect_add");
    return compare<float>(
        a->out,
        [=] { f(a->x.on(engine).data(), a->y.on(engine).data(), a->out->on(engine).data(), static_cast<int>(n)); },
        [=] {
          gs::launch<add_elements>({.grid = (n + threads - 1) / threads, .block = threads}, a->x.on(engine),
                                   a->y.on(engine), a->out->on(engine));
        });
  });
}

workload dialect_matmul(std::size_t n) {
  return workload_of("matmul", "a product of matrices by tiles", n * n, [=] {
    const auto a = std::make_shared<vectors>(n * n, n * n);
    auto* const f = cuda_function<void(const float*, const float*, float*, int)>("dialect_matmul");
    return compare<float>(
        a->out,
        [=] { f(a->x.on(engine).data(), a->y.on(engine).data(), a->out->on(engine).data(), static_cast<int>(n)); },
        [=] {
          gs::launch<multiply_tiles>({.grid = {n / side, n / side}, .block = {side, side}},
                                     a->matrix(a->x.on(engine), n), a->matrix(a->y.on(engine), n),
                                     a->matrix(a->out->on(engine), n));
        },
        {.relative = 1e-5});
  });
}

workload dialect_transpose(std::size_t n) {
  return workload_of("transpose", "a transpose by tiles", n * n, [=] {
    const auto a = std::make_shared<vectors>(n * n, n * n);
    auto* const f = cuda_function<void(const float*, float*, int)>("dialect_transpose");
    return compare<float>(
        a->out, [=] { f(a->x.on(engine).data(), a->out->on(engine).data(), static_cast<int>(n)); },
        [=] {
          gs::launch<turn_tile>({.grid = {n / edge, n / edge}, .block = {edge, edge}}, a->matrix(a->x.on(engine), n),
                                a->matrix(a->out->on(engine), n));
        });
  });
}

workload dialect_reduce(std::size_t n) {
  return workload_of("reduce", "sums by blocks with shuffles", n, [=] {
    constexpr std::size_t blocks = 64;
    const auto a = std::make_shared<vectors>(n, blocks);
    auto* const f = cuda_function<void(const float*, float*, int, int)>("dialect_reduce");
    return compare<float>(
        a->out,
        [=] { f(a->x.on(engine).data(), a->out->on(engine).data(), static_cast<int>(n), static_cast<int>(blocks)); },
        [=] { gs::launch<sum_of_block>({.grid = blocks, .block = threads}, a->x.on(engine), a->out->on(engine)); },
        {.relative = 1e-4});
  });
}

workload dialect_histogram(std::size_t n) {
  return workload_of("histogram", "a histogram in shared memory", n, [=] {
    constexpr std::size_t blocks = 64;
    const auto a = std::make_shared<vectors>(n, 1);
    const auto counts = std::make_shared<outputs<unsigned>>(bins);
    auto* const f = cuda_function<void(const float*, unsigned*, int, int)>("dialect_histogram");
    return compare<unsigned>(
        counts,
        [=] { f(a->x.on(engine).data(), counts->on(engine).data(), static_cast<int>(n), static_cast<int>(blocks)); },
        [=] {
          gs::launch<clear_counts>({.grid = 1, .block = bins}, counts->on(engine));
          gs::launch<count_values>({.grid = blocks, .block = bins}, a->x.on(engine), counts->on(engine));
        });
  });
}

workload dialect_stencil(std::size_t n) {
  return workload_of("stencil", "a stencil of five points", n * n, [=] {
    const auto a = std::make_shared<vectors>(n * n, n * n);
    auto* const f = cuda_function<void(const float*, float*, int)>("dialect_stencil");
    return compare<float>(
        a->out, [=] { f(a->x.on(engine).data(), a->out->on(engine).data(), static_cast<int>(n)); },
        [=] {
          gs::launch<smooth_field>({.grid = {(n + 31) / 32, (n + 7) / 8}, .block = {32, 8}},
                                   a->matrix(a->x.on(engine), n), a->matrix(a->out->on(engine), n));
        },
        {.relative = 1e-5});
  });
}

}  // namespace bench

#endif
