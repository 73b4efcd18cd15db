#pragma once
// timeit: how long a statement takes, measured as Python's timeit and IPython's %timeit do.

#include <concepts>
#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"

namespace gs::inline GS_FLAVOUR {

/// How timeit measures. One run is `loops` executions of the statement; every run gives one time. The environment
/// variable GRIDSTRIDE_TIMEIT_SECONDS lowers max_seconds, and min_run_seconds to a tenth of that: for a quick look at a
/// program whose times don't matter.
struct timeit_options {
  int runs = 7;                  ///< how many times are measured
  std::size_t loops = 0;         ///< 0: the first of 1, 2, 5, 10, 20, 50, ... with which one run lasts min_run_seconds
  double min_run_seconds = 0.2;  ///< for the automatic count only
  double max_seconds = 5;        ///< no further run begins after this time; one run is always made
  double bytes = 0;              ///< that one execution moves, for who shows a rate; 0: not known
  double operations = 0;         ///< that one execution computes; 0: not known
};

/// What timeit measured.
struct timing {
  std::vector<double> run_seconds;  ///< one per run: the run's time divided by `loops`, in seconds; NaN: not timed
  std::size_t loops = 0;            ///< executions of the statement in each run

  /// Over the runs, in seconds per loop. 0 if there is no run.
  double mean() const;
  double standard_deviation() const;  ///< of the runs themselves (divided by their number), as IPython gives it
  double best() const;                ///< the shortest run's
  double worst() const;               ///< the longest run's
};

/// IPython's line: "669 ns ± 0.53 ns per loop (mean ± std. dev. of 7 runs, 1000000 loops each)"; "not timed" for NaN.
std::string to_string(const timing& t);

namespace detail {

/// A time with three significant digits: "669 ns", "1.5 µs", "20 ms", "1.23 s"; from a minute on "1min 5s".
std::string format_seconds(double seconds);

}  // namespace detail

/// Tells the compiler that `value` is read and that all memory may have changed, so that it can neither leave out what
/// computed `value` nor move it out of a loop. Costs nothing.
template <class T>
inline void do_not_optimize(const T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_pointer_v<T>)
    asm volatile("" : : "r,m"(value) : "memory");
  else
    asm volatile("" : : "r"(&value) : "memory");
}

namespace detail {

/// The part of timeit that doesn't depend on the statement. `run(loops)` executes it that many times. Where the
/// environment variable GRIDSTRIDE_TIMEIT_FILE names a file, what was measured is appended to it as a line: the file,
/// the line and the column of `place`, bytes, operations, loops, and the runs' seconds, with tabs between.
timing time_runs(function_ref<void(std::size_t)> run, const timeit_options& options,
                 const std::source_location& place = std::source_location::current());

}  // namespace detail

/// Measures `statement`, a callable without arguments. What it returns counts as used, and what it captures counts as
/// unknown before each execution, so the compiler can neither drop the work nor do it in advance.
///
/// Work that is only queued on a device isn't part of the time: a statement that launches should end in
/// gs::synchronize(). In an untimed_scope the statement is executed once and the time is NaN. Throws gs::error for
/// options that make no sense; an exception of the statement passes through. `./gridstride bench my/wave.cpp` shows the
/// times of a program beside the limits of the machine.
template <std::invocable F>
timing timeit(F&& statement, const timeit_options& options = {},
              const std::source_location& place = std::source_location::current()) {
  auto run = [&statement](std::size_t loops) {
    for (std::size_t i = 0; i < loops; ++i) {
      auto* opaque = &statement;
      asm volatile("" : "+r"(opaque) : : "memory");
      if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
        (*opaque)();
        asm volatile("" : : : "memory");
      } else {
        do_not_optimize((*opaque)());
      }
    }
  };
  return detail::time_runs(run, options, place);
}

}  // namespace gs::inline GS_FLAVOUR
