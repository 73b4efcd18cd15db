#include "bench/report/run_record.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "bench_commit.h"

namespace bench {

bool is_wrong(const run_record& record) {
  const auto wrong = [](const auto& result) { return !result.wrong.empty(); };  // a row or a scaling
  return std::ranges::any_of(record.rows, wrong) || std::ranges::any_of(record.scalings, wrong) ||
         std::ranges::any_of(record.growths, [&](const growth& g) { return std::ranges::any_of(g.sizes, wrong); });
}

run_record begin_record(int argument_count, const char* const* arguments) {
  run_record record{};
  record.command = std::filesystem::path(arguments[0]).filename().string();
  for (int i = 1; i < argument_count; ++i) record.command += fmt::format(" {}", arguments[i]);
  record.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  record.commit = GRIDSTRIDE_COMMIT;
#if defined(__clang__)
  record.compiler = "clang++ " __clang_version__;
#else
  record.compiler = "g++ " __VERSION__;
#endif
  record.flags = GRIDSTRIDE_BENCH_FLAGS;
#if defined(GRIDSTRIDE_CHECKED) && GRIDSTRIDE_CHECKED
  record.flavour = "checked";
#else
  record.flavour = "plain";
#endif
  record.build = GRIDSTRIDE_BENCH_BUILD;
  record.machine = this_machine();
  return record;
}

}  // namespace bench
