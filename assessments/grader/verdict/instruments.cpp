// The criterion "instruments": the instruments it names find nothing.

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "assessments/grader/tasks/counter_criterion.h"
#include "assessments/grader/verdict/grading.h"
#include "runtime/instruments/results/finding.h"
#include "workbook/number_text.h"
#include "workbook/terminal/inspection_text.h"

namespace grader {
namespace {

bool is_race(gs::finding_kind kind) {
  using enum gs::finding_kind;
  return kind == race_in_block || kind == race_between_blocks || kind == race_between_streams || kind == race_with_host;
}

mishap as_mishap(const grading& g, gs::finding f) {
  f.access.where = g.as_given(f.access.where);
  f.made = g.as_given(f.made);
  if (f.made.file != g.file.string()) f.made = {};  // the arguments are made by the runner
  if (f.other) f.other->where = g.as_given(f.other->where);
  mishap m;
  m.kind = is_race(f.kind) ? mishap_kind::race : mishap_kind::finding;
  m.place = f.access.where;
  if (f.other) m.other_place = f.other->where;
  m.array = f.array;
  std::string kind(to_string(f.kind));
  std::ranges::replace(kind, '_', ' ');
  m.text = f.meaning.empty() ? kind + "." : kind + ": " + f.meaning;
  f.meaning.clear();  // `text` says it
  m.details = workbook::to_text(f, workbook::terminal{.width = 100});
  m.details.erase(m.details.find_last_not_of(" \n") + 1);
  return m;
}

}  // namespace

criterion_result grade_instruments(grading& g, const criterion& c) {
  criterion_result r = unknown_result(c);
  std::uint64_t calls = 0, findings = 0, accesses = 0;
  std::string unseen;
  std::set<std::tuple<gs::finding_kind, std::string, std::string>> places;  // shown once, whatever the case
  for (const test_case& test : c.cases) {
    if (!g.fits(test)) continue;
    ++calls;
    const call_result& call = g.inspected(test);
    if (call.inspection) {
      for (const gs::finding& f : call.inspection->findings) {
        if (std::ranges::find(c.instruments, to_string(instrument_of(f.kind))) == c.instruments.end()) continue;
        ++findings;
        if (places.emplace(f.kind, to_string(f.access.where), f.other ? to_string(f.other->where) : "").second)
          g.add(as_mishap(g, f), c, &test);
      }
      for (const gs::kernel_counters& k : call.inspection->kernels) accesses += k.accesses;
    }
    if (call.went_wrong) {
      g.add_unless_known(*call.went_wrong, c, test);
      unseen = fmt::format("{} at {}", to_string(call.went_wrong->kind), to_string(test));
    } else if (!call.inspection) {
      unseen = "nothing was observed at " + to_string(test);
    } else if (const std::uint64_t seen = global_bytes(*call.inspection), needed = g.input_bytes(test); seen < needed) {
      unseen = fmt::format(
          "kernels reached {} bytes of global memory at {}, and the inputs have {}: work done outside "
          "of kernels can't be observed",
          workbook::grouped(static_cast<long long>(seen)), to_string(test),
          workbook::grouped(static_cast<long long>(needed)));
    } else if (const auto left_out = left_out_by_device(call)) {
      unseen = fmt::format("{} at {}", *left_out, to_string(test));
      g.add_unless_known({.kind = mishap_kind::host_work, .text = sentence_of(*left_out)}, c, test);
    }
    if (g.until_first_failure && (findings > 0 || !unseen.empty())) break;
  }
  if (calls == 0) {
    not_graded_here(r, "no case fits into this machine's memory");
    return r;
  }
  award(r, c, findings == 0 && unseen.empty() ? 1 : 0);
  if (findings > 0)
    r.summary = fmt::format("{} {} at {} {}", findings, findings == 1 ? "finding" : "findings", places.size(),
                            places.size() == 1 ? "place" : "places");
  else if (!unseen.empty())
    r.summary = "no finding, but " + unseen;
  else
    r.summary = accesses > 0
                    ? fmt::format("no finding in {} accesses", workbook::grouped(static_cast<long long>(accesses)))
                    : "no finding";  // ufuncs: their accesses aren't counted by line
  return r;
}

}  // namespace grader
