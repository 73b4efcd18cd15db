// python_...: what a call costs from Python, by the module `gridstride` beside NumPy, Numba and JAX. Ours are the same
// calls in C++, so that their distance is Python's and the module's. The others take part with --peers.
#include <benchmark/benchmark.h>

#include <cstring>

#include "bench/limits/fork_join.h"
#include "bench/peers/peers.h"
#include "bench/peers/plain_loops.h"
#include "bench/workloads/empty_kernel.h"
#include "bench/workloads/ufunc_entrants.h"
#include "bench/workloads/workloads.h"
#include "runtime/columns/columns.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN float sum_for_python(float x, float y) { return x + y; }
inline constexpr auto added_for_python = gs::vectorize<sum_for_python>;
inline constexpr auto summed_for_python = gs::reduce<sum_for_python>;

struct python_arrays {
  explicit python_arrays(std::size_t n)
      : x(n, [](std::size_t i) { return uniform(i, 1); }),
        y(n, [](std::size_t i) { return uniform(i, 2); }),
        out(n),
        total(1) {}
  array_everywhere<float> x, y;
  outputs<float> out, total;
};

// Python's arrays lie on the host: on one core if there are few elements, else on all.
contest prepare_ufunc(std::size_t n, const std::string& task, gs::target target) {
  const auto a = std::make_shared<python_arrays>(n);
  contest c;
  c.add(gs::to_string(target) + ", in C++", role::ours, repeated([=] {
          added_for_python.on(target)(a->x.host.read(), a->y.host.read(), gs::out(a->out.host.span()));
        }));
  if (target == gs::target::cpu)
    c.add("a loop", role::peer,
          repeated([=] { peers::plain::add(a->x.host.read(), a->y.host.read(), a->out.host.span()); }));
  else
    c.add("OpenMP", role::peer,
          repeated([=] { peers::add(a->x.host.read(), a->y.host.read(), a->out.host.span(), stores::plain); }));
  check_agreement(c, a->out, {});
  c.ask_outside(make_assignment(task, c, a->out, {}, {{"x", a->x.host.read()}, {"y", a->y.host.read()}}));
  return c;
}

contest prepare_reduction(std::size_t n) {
  const auto a = std::make_shared<python_arrays>(n);
  contest c;
  c.add("parallel, in C++", role::ours, repeated([=] {
          summed_for_python.on(gs::target::parallel)(a->x.host.read(), 0.0f, gs::out(a->total.host.span()));
        }));
  c.add("OpenMP, simd reduction", role::peer,
        repeated([=] { *a->total.host.data() = peers::reduce(a->x.host.read()); }));
  constexpr tolerance allowed{.relative = 1e-3};
  check_agreement(c, a->total, allowed);
  c.ask_outside(make_assignment("python_reduce", c, a->total, allowed, {{"x", a->x.host.read()}}));
  return c;
}

contest prepare_launch() {
  contest c;
  c.add("engine, 30 blocks of 128, in C++", role::ours, on(gs::device_kind::engine, repeated([] {
                                                             gs::launch<empty_kernel>({.grid = 30, .block = 128});
                                                             gs::synchronize();
                                                           })));
  c.add("fork-join, oneTBB", role::limit, repeated(limits::fork_join_tbb));
  c.ask_outside({.task = "python_launch"});
  return c;
}

// A column by Arrow's C Data Interface to another library and back, without a copy.
struct exchanged_column {
  explicit exchanged_column(std::size_t n) : x(n, [](std::size_t i) { return uniform(i, 1); }), copy(n) {
    table.add("x", x.on(gs::device_kind::engine).reshape(gs::shape(n)));
  }
  array_everywhere<float> x;
  large_buffer<float> copy;
  gs::table table;
};

contest prepare_exchange(std::size_t n) {
  const auto a = std::make_shared<exchanged_column>(n);
  contest c;
  c.add("lent and borrowed, in C++", role::ours, on(gs::device_kind::engine, repeated([=] {
                                                      ArrowSchema schema;
                                                      ArrowArray array;
                                                      gs::export_arrow(a->table, &schema, &array);
                                                      const gs::arrow_table taken = gs::import_arrow(&schema, &array);
                                                      benchmark::DoNotOptimize(taken.column<float>("x").data());
                                                    })));
  c.add("copied there, memcpy", role::peer, repeated([=] {
          std::memcpy(a->copy.data(), a->x.host.data(), n * sizeof(float));
          benchmark::DoNotOptimize(a->copy.data());
          benchmark::ClobberMemory();
        }));
  c.ask_outside({.task = "python_exchange",
                 .inputs = {{"x", a->x.host.read()}},
                 .output = array_of<float>({n}),
                 .check = [a](const std::string& who, std::span<const std::byte> result) {
                   expect_agreement(who, {reinterpret_cast<const float*>(result.data()), result.size() / sizeof(float)},
                                    "the column", a->x.host.read(), {});
                 }});
  return c;
}

}  // namespace

workload python_small_ufunc() {
  return {.name = "python_small_ufunc",
          .text = "add of 4 elements on one core, called from Python",
          .elements = 4,
          .dtype = "float32",
          .prepare = [] { return prepare_ufunc(4, "python_small_ufunc", gs::target::cpu); }};
}

workload python_ufunc(std::size_t elements) {
  return {.name = "python_ufunc",
          .text = "the sum of two host arrays, called from Python",
          .elements = elements,
          .dtype = "float32",
          .bytes = 3 * sizeof(float) * static_cast<double>(elements),
          .operations = static_cast<double>(elements),
          .memory = 8 * sizeof(float) * elements,
          .prepare = [=] { return prepare_ufunc(elements, "python_ufunc", gs::target::parallel); }};
}

workload python_reduce(std::size_t elements) {
  return {.name = "python_reduce",
          .text = "the sum of a host array, called from Python",
          .elements = elements,
          .dtype = "float32",
          .bytes = sizeof(float) * static_cast<double>(elements),
          .operations = static_cast<double>(elements),
          .memory = 8 * sizeof(float) * elements,
          .prepare = [=] { return prepare_reduction(elements); }};
}

workload python_launch() {
  return {.name = "python_launch",
          .text = "one launch of an empty kernel, then synchronize, called from Python",
          .prepare = prepare_launch};
}

workload python_exchange(std::size_t elements) {
  return {.name = "python_exchange",
          .text = "a column to PyArrow and back",
          .elements = elements,
          .dtype = "float32",
          .memory = 4 * sizeof(float) * elements,
          .prepare = [=] { return prepare_exchange(elements); }};
}

}  // namespace bench
