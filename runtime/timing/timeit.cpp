#include "runtime/timing/timeit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numeric>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/timing/untimed.h"

namespace gs::inline GS_FLAVOUR {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

double seconds_of(detail::function_ref<void(std::size_t)> run, std::size_t loops) {
  const auto start = clock::now();
  run(loops);
  return seconds_since(start);
}

void check(const timeit_options& o) {
  const std::string asked = "timeit options";
  if (o.runs < 1) throw error(asked, fmt::format("runs is {}", o.runs), "make at least 1 run");
  if (!(o.min_run_seconds > 0))
    throw error(asked, fmt::format("min_run_seconds is {}", o.min_run_seconds), "give a time above 0");
  if (!(o.max_seconds > 0)) throw error(asked, fmt::format("max_seconds is {}", o.max_seconds), "give a time above 0");
  if (!(o.bytes >= 0)) throw error(asked, fmt::format("bytes is {}", o.bytes), "give those of one execution, or 0");
  if (!(o.operations >= 0))
    throw error(asked, fmt::format("operations is {}", o.operations), "give those of one execution, or 0");
}

// Limits a measurement to GRIDSTRIDE_TIMEIT_SECONDS, if that is set: all runs together, and each run to a tenth of it.
timeit_options limited(timeit_options o) {
  const char* text = std::getenv("GRIDSTRIDE_TIMEIT_SECONDS");
  if (!text || !*text) return o;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end != 0 || !(seconds > 0))
    throw error("GRIDSTRIDE_TIMEIT_SECONDS", fmt::format("'{}'", text),
                "use a number of seconds above 0, or leave it unset");
  o.max_seconds = std::min(o.max_seconds, seconds);
  o.min_run_seconds = std::min(o.min_run_seconds, seconds / 10);
  return o;
}

// The first of 1, 2, 5, 10, ... with which a run lasts long enough. If the statement is so slow that the search uses up
// the budget, the count that it has reached.
std::size_t automatic_loops(detail::function_ref<void(std::size_t)> run, const timeit_options& o,
                            clock::time_point start) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 100;
  for (std::size_t decade = 1;; decade *= 10)
    for (std::size_t step : {1, 2, 5}) {
      const std::size_t loops = decade * step;
      if (seconds_of(run, loops) >= o.min_run_seconds || seconds_since(start) >= o.max_seconds || loops > most)
        return loops;
    }
}

// For the program that has started this one, and has named the file.
void record(const timing& t, const timeit_options& o, const std::source_location& place) {
  const char* const file = std::getenv("GRIDSTRIDE_TIMEIT_FILE");
  if (!file || !*file) return;
  std::ofstream out(file, std::ios::app);
  out << fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", detail::one_line(place.file_name()), place.line(), place.column(),
                     o.bytes, o.operations, t.loops, fmt::join(t.run_seconds, "\t"));
  if (!out.flush())
    throw error(fmt::format("write a time to {}", file), "that isn't possible", "unset GRIDSTRIDE_TIMEIT_FILE");
}

}  // namespace

namespace detail {

timing time_runs(function_ref<void(std::size_t)> run, const timeit_options& wanted, const std::source_location& place) {
  check(wanted);
  if (untimed()) {
    run(1);
    return {.run_seconds = {std::numeric_limits<double>::quiet_NaN()}, .loops = 1};
  }
  const timeit_options options = limited(wanted);
  const auto start = clock::now();
  timing t;
  t.loops = options.loops > 0 ? options.loops : automatic_loops(run, options, start);
  do {
    t.run_seconds.push_back(seconds_of(run, t.loops) / static_cast<double>(t.loops));
  } while (std::ssize(t.run_seconds) < options.runs && seconds_since(start) < options.max_seconds);
  record(t, options, place);
  return t;
}

}  // namespace detail

double timing::mean() const {
  if (run_seconds.empty()) return 0;
  return std::accumulate(run_seconds.begin(), run_seconds.end(), 0.0) / static_cast<double>(run_seconds.size());
}

double timing::standard_deviation() const {
  if (run_seconds.empty()) return 0;
  const double m = mean();
  double squares = 0;
  for (double s : run_seconds) squares += (s - m) * (s - m);
  return std::sqrt(squares / static_cast<double>(run_seconds.size()));
}

double timing::best() const {
  return run_seconds.empty() ? 0 : *std::min_element(run_seconds.begin(), run_seconds.end());
}

double timing::worst() const {
  return run_seconds.empty() ? 0 : *std::max_element(run_seconds.begin(), run_seconds.end());
}

namespace detail {

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{} s", seconds);
  if (seconds < 0) return "-" + format_seconds(-seconds);
  if (seconds >= 60) {
    struct part {
      const char* unit;
      double seconds;
    };
    std::string text;
    double left = seconds;
    for (const part& p : {part{"d", 86400}, part{"h", 3600}, part{"min", 60}, part{"s", 1}}) {
      const double whole = std::floor(left / p.seconds);
      if (whole > 0) {
        left -= whole * p.seconds;
        text += fmt::format("{}{:.0f}{}", text.empty() ? "" : " ", whole, p.unit);
      }
      if (left < 1) break;
    }
    return text;
  }
  constexpr std::array units{"s", "ms", "µs", "ns"};
  std::size_t k = 0;
  double scaled = seconds;
  // 999.5 would be rounded to 1e+03: it belongs to the next larger unit.
  while (k + 1 < units.size() && scaled < 0.9995) {
    scaled *= 1e3;
    ++k;
  }
  return fmt::format("{:.3g} {}", scaled, units[k]);
}

}  // namespace detail

std::string to_string(const timing& t) {
  if (std::isnan(t.mean())) return "not timed";
  const auto plural = [](std::size_t n) { return n == 1 ? "" : "s"; };
  return fmt::format("{} ± {} per loop (mean ± std. dev. of {} run{}, {} loop{} each)",
                     detail::format_seconds(t.mean()), detail::format_seconds(t.standard_deviation()),
                     t.run_seconds.size(), plural(t.run_seconds.size()), t.loops, plural(t.loops));
}

}  // namespace gs::inline GS_FLAVOUR
