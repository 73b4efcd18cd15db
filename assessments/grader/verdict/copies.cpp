// The criterion "copies": the exact number of copies to the device and back, as the ledger of the call counts them.

#include <fmt/format.h>

#include "assessments/grader/verdict/grading.h"
#include "workbook/number_text.h"
#include "workshop/machine.h"

namespace grader {

using workshop::bytes_text;
namespace {

std::string copies_text(std::uint64_t n) { return n == 1 ? "1 copy" : fmt::format("{} copies", n); }

// The checked flavour knows which lines copy. The last of the public cases isn't one of the smallest.
std::string lines_that_copy(grading& g) {
  const test_case& test = g.task.public_cases.back();
  const call_result& inspected = g.inspected(test);
  if (!inspected.inspection) return "";
  std::string lines;
  for (const gs::line_copies& c : inspected.inspection->copies) {
    const gs::source_place place = g.as_given(c.where);
    if (place.line == 0 || place.file != g.file.string()) continue;
    lines += fmt::format("\n  {}:{}: ", place.file, place.line);
    if (c.copies_to_device > 0) lines += copies_text(c.copies_to_device) + " to the device";
    if (c.copies_to_device > 0 && c.copies_to_host > 0) lines += ", ";
    if (c.copies_to_host > 0) lines += copies_text(c.copies_to_host) + " back";
  }
  return lines.empty() ? "" : fmt::format("With {}, these lines copy:{}", to_string(test), lines);
}

// What is wrong with the copies: they must carry the inputs and outputs that lie on the host, whole and nothing else.
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
  for (const test_case& test : c.cases) {
    if (!g.fits(test)) continue;
    ++calls;
    const call_result call = g.call(test, g.seeds.fresh());
    if (call.went_wrong) {
      g.add_unless_known(*call.went_wrong, c, test);
      r.summary = "not counted: the answer is wrong at " + to_string(test);
      continue;
    }
    const gs::ledger& account = call.account;
    mishap m;
    m.kind = mishap_kind::too_many_copies;
    if (account.copies_to_device == c.copies_to_device && account.copies_to_host == c.copies_to_host) {
      m.text = other_bytes(c, call);
      if (m.text.empty()) {
        ++exact;
        continue;
      }
      r.summary = "the right number of copies, but not of the arrays";
      g.add(std::move(m), c, &test);
      if (g.until_first_failure) break;
      continue;
    }
    m.text = fmt::format(
        "Expected: {} to the device and {} back. Found: {} to the device ({}) and {} back ({}), with {} arrays "
        "allocated on "
        "the device and {} launches.",
        copies_text(c.copies_to_device), copies_text(c.copies_to_host), copies_text(account.copies_to_device),
        bytes_text(account.bytes_to_device), copies_text(account.copies_to_host), bytes_text(account.bytes_to_host),
        account.allocations, account.launches);
    if (g.inspect) m.details = lines_that_copy(g);
    g.add(std::move(m), c, &test);
    r.summary = fmt::format("{} to the device and {} back, instead of {} and {}", account.copies_to_device,
                            account.copies_to_host, c.copies_to_device, c.copies_to_host);
    if (g.until_first_failure) break;
  }
  if (calls == 0) {
    not_graded_here(r, "no case fits into this machine's memory");
    return r;
  }
  award(r, c, exact == calls ? 1 : 0);
  if (exact == calls)
    r.summary =
        fmt::format("{} to the device, {} back", copies_text(c.copies_to_device), copies_text(c.copies_to_host));
  return r;
}

}  // namespace grader
