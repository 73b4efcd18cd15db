#include "tests/runtime/instruments/verdicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

namespace runtime_test {
namespace {

std::string line_at(const gs::source_place& place) {
  if (place.line == 0) return to_string(place);
  std::ifstream file(place.file);
  std::string line;
  for (unsigned i = 0; i < place.line && std::getline(file, line); ++i) {
  }
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == line.npos ? "" : line.substr(begin);
}

std::string element_of(const gs::finding& finding) {
  if (finding.index.empty()) return finding.array;
  return finding.array + (finding.index.size() == 1 ? fmt::format("[{}]", finding.index[0])
                                                    : fmt::format("({})", fmt::join(finding.index, ", ")));
}

bool matches(const gs::finding& finding, const expected_finding& expected) {
  const std::string line_of_other = finding.other ? line_at(finding.other->where) : "";
  return finding.kind == expected.kind && line_at(finding.access.where).find(expected.at) != std::string::npos &&
         finding.other.has_value() == !expected.other.empty() &&
         line_of_other.find(expected.other) != std::string::npos && element_of(finding) == expected.element &&
         (expected.count == 0 || finding.count == expected.count) && !finding.meaning.empty() && !finding.hint.empty();
}

std::string text(const gs::finding& finding) {
  return fmt::format("  {{{}, \"{}\", \"{}\", \"{}\", {}}},\n    {}\n", to_string(finding.kind),
                     line_at(finding.access.where), finding.other ? line_at(finding.other->where) : "",
                     element_of(finding), finding.count, finding.meaning);
}

std::string text(const gs::finding_access& access) {
  const auto position = [](const gs::index3& i) { return fmt::format("({}, {}, {})", i.x, i.y, i.z); };
  return fmt::format("{} at {} in {}, block {}, thread {}", to_string(access.kind), to_string(access.where),
                     access.kernel, position(access.block), position(access.thread));
}

}  // namespace

gs::inspect_options all_instruments() { return {}; }

gs::inspect_options all_instruments_but(gs::instrument left_out) {
  gs::inspect_options options;
  options.instruments[static_cast<std::size_t>(left_out)] = false;
  return options;
}

testing::AssertionResult verdict(gs::detail::function_ref<void()> code, const std::vector<expected_finding>& expected,
                                 const gs::inspect_options& options) {
  const gs::inspection inspection = gs::inspect(code, options);
  if (inspection.failure) {
    try {
      std::rethrow_exception(inspection.failure);
    } catch (const std::exception& failure) {
      return testing::AssertionFailure() << "an exception: " << failure.what();
    }
  }
  bool is_same = inspection.findings.size() == expected.size();
  for (std::size_t i = 0; is_same && i < expected.size(); ++i) is_same = matches(inspection.findings[i], expected[i]);
  if (is_same) return testing::AssertionSuccess();
  testing::AssertionResult result = testing::AssertionFailure() << "found:\n";
  for (const gs::finding& finding : inspection.findings) result << text(finding);
  return result;
}

std::string text_of(const gs::inspection& inspection) {
  std::string lines;
  for (const gs::finding& f : inspection.findings) {
    lines += fmt::format("{}: {}{}{}, {} {}, made at {}, shape {}, {}x: {} {}\n", to_string(f.kind), text(f.access),
                         f.other ? "; " + text(*f.other) : "", f.same_value ? ", same value" : "", to_string(f.space),
                         element_of(f), to_string(f.made), fmt::join(f.extents, " "), f.count, f.meaning, f.hint);
  }
  for (const gs::line_counters& l : inspection.lines)
    lines += fmt::format("{} {} {} {} {}: {} {} {} {}, {} {}, {} {}, {} {} {}\n", l.kernel, to_string(l.where),
                         to_string(l.space), to_string(l.kind), l.array, l.requests, l.accesses, l.uncounted,
                         l.bytes_used, l.sectors, l.ideal_sectors, l.wavefronts, l.ideal_wavefronts, l.addresses,
                         l.most_per_address, l.serialized);
  for (const gs::kernel_counters& k : inspection.kernels)
    lines += fmt::format("{}: {} {} {} {}\n", k.kernel, k.launches, k.threads, k.accesses, k.barriers);
  return lines;
}

}  // namespace runtime_test
