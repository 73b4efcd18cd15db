#pragma once
// host_work: queued work for a device that runs host code, with its types erased. Ufuncs, kernels and calls of
// libraries become such work; a device only says which of its threads run the pieces.

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"

namespace gs::inline GS_FLAVOUR::detail {

/// How a device spreads a loop over its threads: calls `body(begin, end)` for pieces that together cover [0, n) once,
/// none of which is split below `grain`, and returns when all have run. The first exception is rethrown. A body may
/// spread a loop of its own. The simplest is one thread's: `if (n > 0) body(0, n);`.
using spread_function =
    function_ref<void(std::size_t n, std::size_t grain, function_ref<void(std::size_t begin, std::size_t end)> body)>;

class host_work {
 public:
  host_work() = default;
  virtual ~host_work() = default;
  host_work(const host_work&) = delete;
  host_work& operator=(const host_work&) = delete;

  /// The kernel's, or what else it is; lives as long as the program.
  virtual std::string_view name() const = 0;
  /// How many blocks a kernel has, or elements a ufunc, and how many threads a block.
  virtual std::size_t items() const = 0;
  virtual std::size_t threads_per_item() const { return 1; }

  /// Runs all of it, once, on the calling thread and those that `spread` calls. Throws what the work throws.
  virtual void run(spread_function spread) = 0;
};

/// Work that calls `f(spread)`. `name` lives as long as the program.
template <class F>
std::unique_ptr<host_work> make_host_work(std::string_view name, std::size_t items, F f) {
  struct function_work final : host_work {
    function_work(std::string_view text, std::size_t count, F&& g) : name_(text), items_(count), f_(std::move(g)) {}
    std::string_view name() const override { return name_; }
    std::size_t items() const override { return items_; }
    void run(spread_function spread) override { f_(spread); }
    std::string_view name_;
    std::size_t items_;
    F f_;
  };
  return std::make_unique<function_work>(name, items, std::move(f));
}

}  // namespace gs::inline GS_FLAVOUR::detail
