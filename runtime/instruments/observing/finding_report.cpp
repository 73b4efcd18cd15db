#include "runtime/instruments/observing/finding_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/instruments/results/finding_text.h"
#include "runtime/instruments/results/place_text.h"
#include "runtime/instruments/results/program_words.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// What was found at the same two places is one finding, whichever of the accesses were reads, and in another order of
// the threads whichever came first.
bool are_one(const finding& known, const finding& f) {
  if (known.kind != f.kind || known.kind == finding_kind::launch_limit || known.access.kernel != f.access.kernel ||
      known.other.has_value() != f.other.has_value() ||
      (known.kind == finding_kind::device_variable && known.array != f.array))
    return false;
  if (!f.other) return known.access.where == f.access.where;
  return (known.access.where == f.access.where && known.other->where == f.other->where) ||
         (f.order > 0 && known.access.where == f.other->where && known.other->where == f.access.where);
}

}  // namespace

std::vector<finding> finding_report(finding_log& log, const site_table& sites, const inspect_options& options) {
  for (std::size_t i = 0; i < log.size(); ++i) {
    finding& f = log[i];
    f.access.where = f.access.where.line ? f.access.where : sites.place(log.where(i));
    if (f.other && f.other->where.line == 0) f.other->where = sites.place(log.other(i));
  }
  std::vector<finding> findings = log.take();
  std::vector<finding> kept;
  const auto order = [](const finding& f) {
    return std::tie(f.access.where.file, f.access.where.line, f.access.where.column, f.kind);
  };
  std::ranges::stable_sort(findings, {}, &finding::order);  // where two are one, that of the first order stays
  for (finding& f : findings) {
    if (f.count == 0 || (f.same_value && !options.same_value_races)) continue;
    const auto same = std::ranges::find_if(kept, [&](const finding& k) { return are_one(k, f); });
    if (same != kept.end()) {
      if (f.order == same->order) same->count += f.count;
      same->same_value &= f.same_value;
      continue;
    }
    f.made = sites.known(f.made);
    if (f.array.empty()) f.array = detail::name_of_array(f.made);
    kept.push_back(std::move(f));
  }
  std::ranges::stable_sort(kept, [&](const finding& a, const finding& b) { return order(a) < order(b); });
  for (finding& f : kept) {
    for (finding_access* const one : {&f.access, f.other ? &*f.other : nullptr})
      if (one && !one->has_threads) one->kernel = in_program_words(std::move(one->kernel));
    if (f.kind != finding_kind::launch_limit) detail::describe(f);
    if (f.order > 0)
      f.meaning +=
          fmt::format(" It shows where blocks and threads run in {} order.", f.order == 1 ? "reverse" : "another");
    f.hint = in_program_words(std::move(f.hint));
  }
  return kept;
}

}  // namespace gs::inline GS_FLAVOUR::instruments
