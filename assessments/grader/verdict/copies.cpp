// The criterion "copies": exactly so many copies to the device and back, as the ledger of the call counts them.

#include <fmt/format.h>

#include "assessments/grader/verdict/grading.h"
#include "workbook/number_text.h"
#include "workshop/machine.h"

namespace grader {

using workshop::bytes_text;
namespace {

std::string copies_text(std::uint64_t n) { return n == 1 ? "1 copy" : fmt::format("{} copies", n); }

// The checked flavour knows which lines copy. The last of the public cases is none of the smallest.
std::string lines_that_copy(grading& g) {
  const test_case& one = g.what.public_cases.back();
  const call_result& seen = g.inspected(one);
  if (!seen.inspection) return "";
  std::string lines;
  for (const gs::line_copies& c : seen.inspection->copies) {
    const gs::source_place place = g.as_given(c.where);
    if (place.line == 0 || place.file != g.file.string()) continue;
    lines += fmt::format("\n  {}:{}: ", place.file, place.line);
    if (c.copies_to_device > 0) lines += copies_text(c.copies_to_device) + " to the device";
    if (c.copies_to_device > 0 && c.copies_to_host > 0) lines += ", ";
    if (c.copies_to_host > 0) lines += copies_text(c.copies_to_host) + " back";
  }
  return lines.empty() ? "" : fmt::format("With {}, these lines copy:{}", to_string(one), lines);
}

// Whether copies carry what they are there for: the inputs and outputs that lie on the host, whole and nothing else.
// Empty if they do.
std::string other_bytes(const criterion& c, const call_result& call) {
  std::string text;
  const auto compare = [&](array_role role, std::uint64_t moved, const char* way) {
    std::uint64_t bytes = 0;
    std::string names;
    for (const call_result::array_use& a : call.arrays) {
      if (a.role != role) continue;
      bytes += a.bytes;
      names += (names.empty() ? "" : " and ") + a.name;
    }
    if (call.arrays.empty() || names.empty() || moved == bytes) return;
    text += fmt::format("{}The copies {} carry {} bytes, and {} {} {}: copy the whole arrays and nothing else.",
                        text.empty() ? "" : " ", way, workbook::grouped(static_cast<long long>(moved)), names,
                        names.find(" and ") == names.npos ? "has" : "have",
                        workbook::grouped(static_cast<long long>(bytes)));
  };
  if (c.copies_to_device > 0) compare(array_role::host_input, call.account.bytes_to_device, "to the device");
  if (c.copies_to_host > 0) compare(array_role::host_output, call.account.bytes_to_host, "back");
  return text;
}

}  // namespace

criterion_result grade_copies(grading& g, const criterion& c) {
  criterion_result r = unknown_result(c);
  std::uint64_t calls = 0, exact = 0;
  for (const test_case& one : c.cases) {
    if (!g.fits(one)) continue;
    ++calls;
    const call_result call = g.call(one, g.seeds.fresh());
    if (call.went_wrong) {
      g.add_unless_known(*call.went_wrong, c, one);
      r.said = "not counted: the answer is wrong at " + to_string(one);
      continue;
    }
    const gs::ledger& made = call.account;
    mishap m;
    m.kind = mishap_kind::too_many_copies;
    if (made.copies_to_device == c.copies_to_device && made.copies_to_host == c.copies_to_host) {
      m.text = other_bytes(c, call);
      if (m.text.empty()) {
        ++exact;
        continue;
      }
      r.said = "as many copies as asked for, but not of the arrays";
      g.add(std::move(m), c, &one);
      if (g.until_first_failure) break;
      continue;
    }
    m.text = fmt::format(
        "Asked for: {} to the device and {} back. Made: {} to the device ({}) and {} back ({}), with {} arrays made on "
        "the device and {} launches.",
        copies_text(c.copies_to_device), copies_text(c.copies_to_host), copies_text(made.copies_to_device),
        bytes_text(made.bytes_to_device), copies_text(made.copies_to_host), bytes_text(made.bytes_to_host),
        made.allocations, made.launches);
    if (g.inspect) m.details = lines_that_copy(g);
    g.add(std::move(m), c, &one);
    r.said = fmt::format("{} to the device and {} back, and not {} and {}", made.copies_to_device, made.copies_to_host,
                         c.copies_to_device, c.copies_to_host);
    if (g.until_first_failure) break;
  }
  if (calls == 0) {
    not_graded_here(r, "no case fits into this machine's memory");
    return r;
  }
  award(r, c, exact == calls ? 1 : 0);
  if (exact == calls)
    r.said = fmt::format("{} to the device, {} back", copies_text(c.copies_to_device), copies_text(c.copies_to_host));
  return r;
}

}  // namespace grader
