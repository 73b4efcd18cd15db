// What exercise 28 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

GS_FN void best_of_each_warp(gs::thread t, gs::view<const float> x, gs::view<candidate> best) {
  const auto i = static_cast<unsigned>(t.grid());
  const candidate c = best_of_warp(t, {x[i], i});
  if (t.lane() == 0) best[i / gs::warp_size] = c;
}

namespace {

std::string text_of(candidate c) { return std::to_string(c.value) + " at " + std::to_string(c.index); }

bool better_of_two(workbook::report& report) {
  const auto ask = [&](const char* name, candidate a, candidate b, candidate expected) {
    return report.check_equal(std::string("better: ") + name, text_of(better(a, b)), text_of(expected)) &&
           report.check_equal(std::string("better, the other way round: ") + name, text_of(better(b, a)),
                              text_of(expected));
  };
  return ask("the larger value", {2.5f, 7}, {1.5f, 3}, {2.5f, 7}) &&
         ask("of negative values, too", {-2.5f, 1}, {-1.5f, 3}, {-1.5f, 3}) &&
         ask("of equal values the first", {4, 9}, {4, 5}, {4, 5}) &&
         ask("a number, not no number", {-8, 2}, no_candidate(), {-8, 2});
}

// The last candidate that nothing beats, by a plain loop.
candidate best_between(const std::vector<float>& x, std::size_t begin, std::size_t end) {
  if (begin == end) return no_candidate();
  const auto at =
      std::max_element(x.begin() + static_cast<std::ptrdiff_t>(begin), x.begin() + static_cast<std::ptrdiff_t>(end));
  return {*at, static_cast<unsigned>(at - x.begin())};
}

// Numbers of which many are equal.
std::vector<float> numbers(std::size_t n, std::uint64_t seed) {
  std::vector<float> x = gs::uniform<float>({n}, seed).copy_to_host();
  for (float& one : x) one = static_cast<float>(static_cast<int>(one * 50)) / 4 - 20;
  return x;
}

bool warps_of(std::size_t n, workbook::report& report) {
  const std::vector<float> x = numbers(n, 3 + workbook::seed_of_checks());
  const auto best = gs::to_device(std::vector<candidate>(n / gs::warp_size));
  const auto on_device = gs::to_device(x);
  const gs::inspection seen = gs::inspect(
      [&] { gs::launch<best_of_each_warp>({.grid = n / block_size, .block = block_size}, on_device, best); });
  if (!is_clean(seen, report)) return false;
  std::size_t wrong = 0;
  const std::vector<candidate> got = best.copy_to_host();
  for (std::size_t w = 0; w < got.size(); ++w)
    wrong += text_of(got[w]) != text_of(best_between(x, w * gs::warp_size, (w + 1) * gs::warp_size));
  return report.check_equal("best_of_warp: wrong ones of " + std::to_string(got.size()) + " warps", wrong, 0);
}

bool largest_of(std::size_t n, std::size_t blocks, workbook::report& report) {
  const auto left = gs::to_device(std::vector<candidate>(blocks));
  auto found = gs::to_device(std::vector<candidate>(1));
  const auto tickets = gs::to_device(std::vector<unsigned>{0});
  for (const char* which : {"", ", the second launch"}) {
    found.copy_from_host(std::vector<candidate>{{77, 77}});
    const std::vector<float> x = numbers(n, n + workbook::seed_of_checks() + (*which ? 1 : 0));
    const auto on_device = gs::to_device(x);
    const gs::inspection seen = gs::inspect(
        [&] { gs::launch<find_largest>({.grid = blocks, .block = block_size}, on_device, left, tickets, found); });
    if (!is_clean(seen, report)) return false;
    if (!report.check_equal(
            "find_largest of " + std::to_string(n) + " numbers by " + std::to_string(blocks) + " blocks" + which,
            text_of(found.copy_to_host()[0]), text_of(best_between(x, 0, n))))
      return false;
    if (!report.check_equal("find_largest: tickets[0] as the next launch gets it", tickets.copy_to_host()[0], 0))
      return false;
    if (!gs::can_inspect()) continue;
    std::uint64_t barriers = 0;
    for (const gs::kernel_counters& k : seen.kernels) barriers += k.barriers;
    if (!report.check_at_most("barriers of " + std::to_string(blocks) + " blocks", static_cast<double>(barriers),
                              static_cast<double>(2 * blocks + 1)))
      return false;
  }
  return true;
}

// On the engine a block sees another's writes in their order, fence or not. A GPU promises that only with fences, so
// the check reads the code, without its comments.
void has_fences(workbook::report& report) {
  std::ifstream file(workbook::checked_file());
  std::string code{std::istreambuf_iterator<char>(file), {}};
  code = std::regex_replace(code, std::regex("//[^\n]*|/\\*[\\s\\S]*?\\*/"), "");
  const std::regex fence("\\bdevice_fence\\s*\\(");
  const auto fences = std::distance(std::sregex_iterator(code.begin(), code.end(), fence), std::sregex_iterator());
  report.check("find_largest: a t.device_fence() before the ticket is drawn, and one before the last block reads",
               fences >= 2);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 28,
          .name = "reduction_ladder",
          .task = "the largest number and its place, by warps, and by a last block in one pass",
          .check = [](workbook::report& report) {
            if (!better_of_two(report) || !warps_of(4 * block_size, report)) return;
            for (const std::size_t n : {128, 1, 31, 32, 33, 0, 1009, 20'011})
              if (!largest_of(n, 5, report)) return;
            if (!largest_of(3001, 1, report) || !largest_of(3001, 150, report)) return;
            has_fences(report);
          }};
}
