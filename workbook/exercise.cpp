#include "workbook/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace workbook {

bool is_clean(const gs::inspection& seen, report& report) {
  if (seen.failure && seen.findings.empty()) std::rethrow_exception(seen.failure);
  if (!seen.clean()) report.inspection(seen);
  return seen.clean();
}

void counted_by_line::add(const gs::source_place& place, std::uint64_t n) {
  total_ += n;
  if (n > 0) lines_[place.line] += n;
}

std::string counted_by_line::text() const {
  std::vector<std::pair<unsigned, std::uint64_t>> lines(lines_.begin(), lines_.end());
  std::ranges::stable_sort(lines, std::ranges::greater{}, &std::pair<unsigned, std::uint64_t>::second);
  std::string text = fmt::format("{}", total_);
  for (std::size_t k = 0; k < std::min<std::size_t>(lines.size(), 5); ++k)
    text += lines[k].first == 0
                ? fmt::format("{}an unknown line makes {}", k == 0 ? ": " : ", ", lines[k].second)
                : fmt::format("{}line {} makes {}", k == 0 ? ": " : ", ", lines[k].first, lines[k].second);
  return text;
}

bool check_at_most(report& report, std::string name, const counted_by_line& got, std::uint64_t limit,
                   std::source_location location) {
  if (got.total() <= limit)
    return report.check_at_most(std::move(name), static_cast<double>(got.total()), static_cast<double>(limit),
                                location);
  return report.check_equal(std::move(name), got.text(), fmt::format("at most {}", limit), location);
}

counted_by_line copies_to_device(const gs::inspection& seen) {
  counted_by_line copies;
  for (const gs::line_copies& line : seen.copies) copies.add(line.where, line.copies_to_device);
  return copies;
}

counted_by_line copies_to_host(const gs::inspection& seen) {
  counted_by_line copies;
  for (const gs::line_copies& line : seen.copies) copies.add(line.where, line.copies_to_host);
  return copies;
}

counted_by_line wasted_sectors(const gs::inspection& seen) {
  counted_by_line wasted;
  for (const gs::line_counters& line : seen.lines) wasted.add(line.where, line.sectors - line.ideal_sectors);
  return wasted;
}

counted_by_line bank_conflicts(const gs::inspection& seen) {
  counted_by_line conflicts;
  for (const gs::line_counters& line : seen.lines) conflicts.add(line.where, line.bank_conflicts());
  return conflicts;
}

double lanes_together(const gs::inspection& seen) {
  std::uint64_t accesses = 0, requests = 0;
  for (const gs::line_counters& line : seen.lines)
    if (line.space == gs::memory_space::global) accesses += line.accesses, requests += line.requests;
  return requests > 0 ? static_cast<double>(accesses) / static_cast<double>(requests) : 0;
}

}  // namespace workbook
