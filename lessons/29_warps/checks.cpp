// What exercise 29 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

GS_FN void places(gs::thread t, gs::view<const unsigned> keep, gs::view<unsigned> out) {
  out[t.grid()] = place_among_kept(t, keep[t.grid()] != 0);
}
// The lanes without a key have not returned: a lane that waits for them waits in vain.
GS_FN void count_keys_and_meet(gs::thread t, gs::view<const unsigned> keys, gs::view<unsigned> counts) {
  count_keys(t, keys, counts);
  t.warp_sync();
}

namespace {

bool waits_between(unsigned first, unsigned last) {
  std::ifstream file(workbook::checked_file());
  std::string text;
  for (unsigned line = 1; std::getline(file, text); ++line) {
    const std::string code = text.substr(0, text.find("//"));
    if (line >= first && line <= last && code.find("warp_sync") != code.npos) return true;
  }
  return false;
}

// The instruments' hints speak of the barrier of a block. Here only lanes of one warp meet.
std::string hint_of_warp(const gs::finding& f) {
  if (f.kind != gs::finding_kind::race_in_block || !f.other) return f.hint;
  const auto [first, last] = std::minmax(f.access.where.line, f.other->where.line);
  if (first == last) return "Write, then t.warp_sync(), then read, then t.warp_sync() again before the next turn.";
  const std::string after = std::to_string(last);
  if (waits_between(first, last))
    return "t.warp_sync() once more, after line " + after +
           " at the end of the loop: before the next turn writes, all lanes must have read.";
  return "Put t.warp_sync() between line " + std::to_string(first) + " and line " + after +
         ": only lanes of one warp meet here.";
}

bool is_clean_of_warp(gs::inspection seen, workbook::report& report) {
  for (gs::finding& f : seen.findings) f.hint = hint_of_warp(f);
  return is_clean(seen, report);
}

bool places_of(std::size_t n, unsigned of_four, workbook::report& report) {
  std::vector<unsigned> keep = gs::integers<unsigned>({n}, 0u, 3u, of_four + workbook::seed_of_checks()).copy_to_host();
  for (unsigned& one : keep) one = one < of_four ? 1 : 0;
  const auto there = gs::to_device(keep), out = gs::to_device(std::vector<unsigned>(n, 99));
  if (!is_clean(gs::inspect([&] { gs::launch<places>({.grid = n / block_size, .block = block_size}, there, out); }),
                report))
    return false;
  const std::vector<unsigned> got = out.copy_to_host();
  unsigned before = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i % gs::warp_size == 0) before = 0;
    if (got[i] != before)
      return report.check_equal("place_among_kept, lane " + std::to_string(i % gs::warp_size) + ", where " +
                                    std::to_string(of_four) + " of 4 keep",
                                got[i], before);
    before += keep[i];
  }
  return report.check("place_among_kept, where " + std::to_string(of_four) + " of 4 keep", true);
}

bool counted(std::size_t n, unsigned keys, workbook::report& report) {
  const auto x = gs::integers<unsigned>({n}, 0u, keys - 1, n + workbook::seed_of_checks());
  const auto counts = gs::to_device(std::vector<unsigned>(keys, 0));
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<count_keys_and_meet>({.grid = 3, .block = block_size}, x, counts); });
  if (!is_clean(seen, report)) return false;
  std::vector<unsigned> expected(keys);
  const std::vector<unsigned> values = x.copy_to_host();
  for (const unsigned key : values) ++expected[key];
  const std::string of = "count_keys of " + std::to_string(n) + " numbers, " + std::to_string(keys) + " keys";
  const std::vector<unsigned> got = counts.copy_to_host();
  for (unsigned key = 0; key < keys; ++key)
    if (got[key] != expected[key])
      return report.check_equal(of + ": those of key " + std::to_string(key), got[key], expected[key]);
  report.check(of, true);
  if (!gs::can_inspect()) return true;
  std::uint64_t least = 0;  // one for each key of each warp
  for (std::size_t begin = 0; begin < n; begin += gs::warp_size) {
    std::vector<bool> found(keys);
    for (std::size_t i = begin; i < std::min(n, begin + gs::warp_size); ++i) found[values[i]] = true;
    least += static_cast<std::uint64_t>(std::count(found.begin(), found.end(), true));
  }
  workbook::counted_by_line atomics;
  for (const gs::line_counters& line : seen.lines)
    if (line.kind == gs::access_kind::atomic) atomics.add(line.where, line.accesses);
  return check_at_most(report, of + ": atomic operations", atomics, least);
}

bool turned(std::size_t n, workbook::report& report) {
  const auto before = gs::uniform<float>({n}, workbook::seed_of_checks()).copy_to_host();
  const auto x = gs::to_device(before);
  const gs::inspection seen =
      gs::inspect([&] { gs::launch<there_and_back>({.grid = n / block_size, .block = block_size}, x); });
  if (!is_clean_of_warp(seen, report)) return false;
  const std::vector<float> got = x.copy_to_host();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += got[i] != before[i] + 0.5f + 0.5f;
  if (!report.check_equal("there_and_back: wrong numbers of " + std::to_string(n), wrong, 0)) return false;
  if (!gs::can_inspect()) return true;
  std::uint64_t barriers = 0, stored = 0;
  for (const gs::kernel_counters& k : seen.kernels) barriers += k.barriers;
  for (const gs::line_counters& line : seen.lines)
    if (line.space == gs::memory_space::shared && line.kind == gs::access_kind::write) stored += line.accesses;
  return report.check_equal("there_and_back: barriers of the block, where lanes of one warp meet", barriers, 0) &&
         report.check("there_and_back: the numbers go through shared memory", stored >= 2 * n);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 29,
          .name = "warps",
          .task = "places and counts by votes of a warp, and a wait that lockstep doesn't replace",
          .check = [](workbook::report& report) {
            for (const unsigned of_four : {2, 4, 0, 1, 3})
              if (!places_of(2 * block_size, of_four, report)) return;
            for (const std::size_t n : {64, 1, 31, 32, 33, 0, 1009})
              for (const unsigned keys : {2u, 1u, 50u})
                if (!counted(n, keys, report)) return;
            turned(4 * block_size, report);
          }};
}
