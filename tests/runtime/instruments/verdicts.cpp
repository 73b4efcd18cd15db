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

std::string element_of(const gs::finding& found) {
  if (found.index.empty()) return found.array;
  return found.array + (found.index.size() == 1 ? fmt::format("[{}]", found.index[0])
                                                : fmt::format("({})", fmt::join(found.index, ", ")));
}

bool matches(const gs::finding& found, const expected_finding& expected) {
  const std::string other = found.other ? line_at(found.other->where) : "";
  return found.kind == expected.kind && line_at(found.access.where).find(expected.at) != std::string::npos &&
         found.other.has_value() == !expected.other.empty() && other.find(expected.other) != std::string::npos &&
         element_of(found) == expected.element && (expected.count == 0 || found.count == expected.count) &&
         !found.meaning.empty() && !found.hint.empty();
}

std::string text(const gs::finding& found) {
  return fmt::format("  {{{}, \"{}\", \"{}\", \"{}\", {}}},\n    {}\n", to_string(found.kind),
                     line_at(found.access.where), found.other ? line_at(found.other->where) : "", element_of(found),
                     found.count, found.meaning);
}

std::string text(const gs::finding_access& access) {
  const auto position = [](const gs::index3& i) { return fmt::format("({}, {}, {})", i.x, i.y, i.z); };
  return fmt::format("{} at {} in {}, block {}, thread {}", to_string(access.kind), to_string(access.where),
                     access.kernel, position(access.block), position(access.thread));
}

}  // namespace

gs::inspect_options everything() { return {}; }

gs::inspect_options without(gs::instrument one) {
  gs::inspect_options options;
  options.instruments[static_cast<std::size_t>(one)] = false;
  return options;
}

testing::AssertionResult verdict(gs::detail::function_ref<void()> code, const std::vector<expected_finding>& expected,
                                 const gs::inspect_options& options) {
  const gs::inspection got = gs::inspect(code, options);
  if (got.failure) {
    try {
      std::rethrow_exception(got.failure);
    } catch (const std::exception& failure) {
      return testing::AssertionFailure() << "an exception: " << failure.what();
    }
  }
  bool same = got.findings.size() == expected.size();
  for (std::size_t i = 0; same && i < expected.size(); ++i) same = matches(got.findings[i], expected[i]);
  if (same) return testing::AssertionSuccess();
  testing::AssertionResult result = testing::AssertionFailure() << "found:\n";
  for (const gs::finding& found : got.findings) result << text(found);
  return result;
}

std::string text_of(const gs::inspection& found) {
  std::string all;
  for (const gs::finding& f : found.findings) {
    all += fmt::format("{}: {}{}{}, {} {}, made at {}, shape {}, {}x: {} {}\n", to_string(f.kind), text(f.access),
                       f.other ? "; " + text(*f.other) : "", f.same_value ? ", same value" : "", to_string(f.space),
                       element_of(f), to_string(f.made), fmt::join(f.extents, " "), f.count, f.meaning, f.hint);
  }
  for (const gs::line_counters& l : found.lines)
    all += fmt::format("{} {} {} {} {}: {} {} {} {}, {} {}, {} {}, {} {} {}\n", l.kernel, to_string(l.where),
                       to_string(l.space), to_string(l.kind), l.array, l.requests, l.accesses, l.uncounted,
                       l.bytes_used, l.sectors, l.ideal_sectors, l.wavefronts, l.ideal_wavefronts, l.addresses,
                       l.most_per_address, l.serialized);
  for (const gs::kernel_counters& k : found.kernels)
    all += fmt::format("{}: {} {} {} {}\n", k.kernel, k.launches, k.threads, k.accesses, k.barriers);
  return all;
}

}  // namespace runtime_test
