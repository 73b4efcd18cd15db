#include "bench/own_program/times_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/measure/statistics.h"
#include "runtime/core/printable.h"
#include "workbook/number_text.h"
#include "workbook/terminal/text_layout.h"

namespace bench {
namespace {

struct rates {
  double bytes = 0, operations = 0;         // a second; 0: not known
  double of_memory = 0, of_arithmetic = 0;  // shares of the limits
};

rates rates_of(const program_time& time, const loop_limits& limits) {
  const double seconds = median(time.run_seconds);
  rates found;
  if (!(seconds > 0)) return found;
  found.bytes = time.bytes / seconds;
  found.operations = time.operations / seconds;
  found.of_memory = found.bytes / limits.bytes_per_second;
  found.of_arithmetic = found.operations / limits.operations_per_second;
  return found;
}

// The rate in the prefix's unit and its share, both empty where the rate isn't known.
std::string rate_text(double rate) { return rate > 0 ? workbook::significant(rate / 1e9, 3) : ""; }
std::string share_text(double rate, double share) {
  if (!(rate > 0)) return "";
  return share < 0.01 ? fmt::format("{:.1g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string without_blanks_at_the_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

loop_limits loop_limits_of(const std::vector<limit>& limits) {
  loop_limits best;
  for (const limit& l : limits) {
    if (l.unit == "GB/s") best.bytes_per_second = std::max(best.bytes_per_second, 1e9 * l.value);
    if (l.unit == "GFLOP/s") best.operations_per_second = std::max(best.operations_per_second, 1e9 * l.value);
  }
  return best;
}

std::string times_text(const std::string& program, const std::vector<program_time>& times, const loop_limits& limits) {
  std::size_t width = 0;
  for (const program_time& time : times)
    width = std::max(width, workbook::display_width(gs::detail::one_line(time.name)));
  const auto row = [&](const std::string& name, const std::string& time, const std::string& spread,
                       const std::string& bytes, const std::string& of_memory, const std::string& operations,
                       const std::string& of_arithmetic) {
    return without_blanks_at_the_end(fmt::format("  {}{}  {:>9} {:<8}{:>8} {:>10} {:>9} {:>13}", name,
                                                 std::string(width - workbook::display_width(name), ' '), time, spread,
                                                 bytes, of_memory, operations, of_arithmetic));
  };
  std::string text = gs::detail::one_line(program) + ", beside the limits of this machine\n\n";
  text += row("", "time", "", "GB/s", "of memory", "GFLOP/s", "of arithmetic");
  bool fits_a_cache = false, lacks_work = false;
  for (const program_time& time : times) {
    const rates r = rates_of(time, limits);
    const summary seconds = summarize(time.run_seconds);
    text += row(gs::detail::one_line(time.name), workbook::to_text(workbook::seconds(seconds.median)),
                fmt::format("± {:.0f} %", 100 * seconds.spread()), rate_text(r.bytes), share_text(r.bytes, r.of_memory),
                rate_text(r.operations), share_text(r.operations, r.of_arithmetic));
    fits_a_cache = fits_a_cache || r.of_memory > 1;
    lacks_work = lacks_work || (time.bytes == 0 && time.operations == 0);
  }
  text += fmt::format("\n  memory {}, arithmetic {} (float32, multiply-adds on all cores), measured just now\n",
                      workbook::to_text(workbook::bytes_per_second(limits.bytes_per_second)),
                      workbook::to_text(workbook::operations_per_second(limits.operations_per_second)));
  if (fits_a_cache)
    text += "  More than 100 % of memory: the numbers stay in a cache, or the limits were measured beside others.\n";
  if (lacks_work)
    text +=
        "  A rate needs what one execution moves and computes: gs::timeit(statement, {.bytes = 12e6, .operations = "
        "1e6})\n";
  return text;
}

std::string times_json(const std::string& program, const std::vector<program_time>& times, const loop_limits& limits) {
  nlohmann::json document = {
      {"program", gs::detail::printable(program)},
      {"limits",
       {{"bytes_per_second", limits.bytes_per_second}, {"operations_per_second", limits.operations_per_second}}},
      {"timings", nlohmann::json::array()}};
  for (const program_time& time : times) {
    const rates r = rates_of(time, limits);
    nlohmann::json one = {{"name", gs::detail::printable(time.name)},
                          {"run_seconds", time.run_seconds},
                          {"median_seconds", median(time.run_seconds)}};
    if (r.bytes > 0) {
      one["bytes"] = time.bytes;
      one["bytes_per_second"] = r.bytes;
      one["of_memory"] = r.of_memory;
    }
    if (r.operations > 0) {
      one["operations"] = time.operations;
      one["operations_per_second"] = r.operations;
      one["of_arithmetic"] = r.of_arithmetic;
    }
    document["timings"].push_back(one);
  }
  return document.dump(2) + "\n";
}

}  // namespace bench
