// The criterion "counter": a number that the instruments count is no larger than asked for.

#include <fmt/format.h>

#include <algorithm>

#include "assessments/grader/tasks/counter_criterion.h"
#include "assessments/grader/verdict/grading.h"
#include "runtime/instruments/device_model/memory_model.h"
#include "workbook/number_text.h"

namespace grader {
namespace {

std::string number(double v) { return workbook::significant(v, 3); }

mishap above(const grading& g, const criterion& c, const counted& found) {
  mishap m;
  m.kind = mishap_kind::counter;
  m.text =
      fmt::format("{} {}; at most {} is asked for.", number(found.value), meaning_of(c.counter), number(c.at_most));
  if (found.worst == nullptr) return m;
  const gs::line_counters& worst = *found.worst;
  m.place = g.as_given(worst.where);
  m.array = worst.array;
  m.text += fmt::format(" {:.0f} % of it at this line: the {} of {} in {}.", 100 * found.worst_share,
                        to_string(worst.kind), worst.array.empty() ? "memory" : worst.array, worst.kernel);
  if (worst.space == gs::memory_space::shared)
    m.details = fmt::format("A request takes {} wavefronts, and {} without conflicts.",
                            number(static_cast<double>(worst.wavefronts) / static_cast<double>(worst.requests)),
                            number(static_cast<double>(worst.ideal_wavefronts) / static_cast<double>(worst.requests)));
  else if (worst.kind == gs::access_kind::atomic)
    m.details = fmt::format("{} operations on {} addresses, {} on the busiest one.",
                            workbook::grouped(static_cast<long long>(worst.accesses)),
                            workbook::grouped(static_cast<long long>(worst.addresses)),
                            workbook::grouped(static_cast<long long>(worst.most_per_address)));
  else
    m.details = fmt::format("A request moves {} bytes in sectors of 32, and its lanes ask for {} of them.",
                            number(32 * worst.sectors_per_request()),
                            number(static_cast<double>(worst.bytes_used) / static_cast<double>(worst.requests)));
  return m;
}

}  // namespace

criterion_result grade_counter(grading& g, const criterion& c) {
  criterion_result r = unknown_result(c);
  std::uint64_t calls = 0;
  double largest = 0;
  std::string not_counted;
  for (const test_case& test : c.cases) {
    if (!g.fits(test)) continue;
    ++calls;
    const call_result& call = g.inspected(test);
    if (call.went_wrong) {
      g.add_unless_known(*call.went_wrong, c, test);
      not_counted = fmt::format("{} at {}", to_string(call.went_wrong->kind), to_string(test));
    } else if (!call.inspection || global_bytes(*call.inspection) < g.input_bytes(test)) {
      not_counted = "kernels did not reach all of the inputs at " + to_string(test);
    } else if (const auto left_out = left_out_by_device(call)) {
      not_counted = fmt::format("{} at {}", *left_out, to_string(test));
      g.add_unless_known({.kind = mishap_kind::host_work, .text = sentence_of(*left_out)}, c, test);
    }
    if (!call.inspection) continue;
    const counted found = count(c.counter, *call.inspection, test);
    largest = std::max(largest, found.value);
    if (found.value <= c.at_most) continue;
    g.add(above(g, c, found), c, &test);
    if (g.until_first_failure) break;
  }
  if (calls == 0) {
    not_graded_here(r, "no case fits into this machine's memory");
    return r;
  }
  award(r, c, largest <= c.at_most && not_counted.empty() ? 1 : 0);
  r.summary = fmt::format("{} {}", number(largest), meaning_of(c.counter));
  if (largest > c.at_most)
    r.summary += fmt::format("; at most {} is asked for", number(c.at_most));
  else if (!not_counted.empty())
    r.summary = "not counted: " + not_counted;
  return r;
}

}  // namespace grader
