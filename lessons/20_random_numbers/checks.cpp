// What exercise 20 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

namespace {

// A different seed at each call.
std::uint64_t fresh_seed() {
  static std::mt19937_64 random(workbook::seed_of_checks());
  return random();
}

// One throw after the other, each pair of them equally often: 36 pairs, 100,000 of each, with a standard deviation of
// 312. Chance exceeds 7 of them once in 10^10, over all pairs.
void pairs(workbook::report& report) {
  constexpr int throws = 3'600'000;
  gs::random_state state = gs::random_state_at(2, 0);
  std::array<std::array<int, 7>, 7> counts{};
  std::size_t last = 0;
  for (int k = 0; k <= throws; ++k) {
    const int eyes = die(state);
    const std::size_t now = eyes >= 1 && eyes <= 6 ? static_cast<std::size_t>(eyes) : 0;
    if (k > 0) ++counts[last][now];
    last = now;
  }
  int least = throws, most = 0;
  for (std::size_t a = 1; a <= 6; ++a)
    for (std::size_t b = 1; b <= 6; ++b) least = std::min(least, counts[a][b]), most = std::max(most, counts[a][b]);
  report.check("each pair of throws comes equally often, 100,000 times in 3,600,000 within 2.2 %",
               least >= 97'800 && most <= 102'200);
}

// Each number that the generator can draw is drawn by two states of which one word is 0: the other is what comes first.
// So 6,000,000 numbers, spread over all that there are as evenly as multiples of the golden ratio, say how a die that
// needs one number deals them out, without chance. What a die draws beyond the first number is chance: a share of at
// most a third of the throws has a standard deviation of 527, and 6.7 of them aren't exceeded in 10^10 runs.
void evenly(workbook::report& report) {
  constexpr int throws = 6'000'000;
  std::array<int, 7> counts{};
  int more = 0;
  for (int k = 1; k <= throws; ++k) {
    const std::uint64_t drawn = 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(k);
    gs::random_state state{drawn, 0}, after{drawn, 0};
    gs::next_uint64(after);
    const int eyes = die(state);
    ++counts[eyes >= 1 && eyes <= 6 ? static_cast<std::size_t>(eyes) : 0];
    more += state != after;
  }
  const double tolerance = more == 0 ? 3e-4 : 3.5e-3;
  for (std::size_t eyes = 1; eyes <= 6; ++eyes)
    report.check_near("how often the die shows " + std::to_string(eyes) + " for numbers spread evenly, of 6,000,000",
                      counts[eyes], 1'000'000, tolerance);
}

void dice(workbook::report& report) {
  constexpr int throws = 60'000;
  gs::random_state state = gs::random_state_at(1, 0);
  std::array<int, 7> counts{};
  int outside = 0;
  for (int k = 0; k < throws; ++k) {
    const int eyes = die(state);
    if (eyes >= 1 && eyes <= 6)
      ++counts[static_cast<std::size_t>(eyes)];
    else
      ++outside;
  }
  report.check_equal("throws of the die that aren't 1 to 6, of 60,000", outside, 0);
  // The standard deviation of each count is 91, and chance exceeds 6.5 of them once in 10^10.
  for (std::size_t eyes = 1; eyes <= 6; ++eyes)
    report.check_near("how often the die shows " + std::to_string(eyes) + ", of 60,000", counts[eyes], 10'000, 0.06);
  evenly(report);
  pairs(report);
  // Seed 18058, stream 13,343, draw 36: where a float in [0, 1) rounds to 1.
  gs::random_state rare = gs::random_state_at(18058, 13343);
  for (int k = 0; k < 36; ++k) gs::next_uint64(rare);
  report.check_at_most("what the die shows at the rare accident of the lesson", die(rare), 6);
}

// One walker after the other, on the host.
std::vector<int> expected_positions(std::size_t walkers, std::uint64_t seed, std::uint32_t steps) {
  std::vector<int> positions(walkers, 0);
  std::vector<gs::random_state> states = gs::random_states(walkers, seed).copy_to_host();
  for (std::size_t i = 0; i < walkers; ++i) {
    gs::random_state& state = states[i];
    for (std::uint32_t k = 0; k < steps; ++k) positions[i] += gs::uniform_float32(state) < 0.5f ? -1 : 1;
  }
  return positions;
}

void compare(const std::string& name, const std::vector<int>& got, const std::vector<int>& expected,
             workbook::report& report) {
  if (!report.check_equal("walkers " + name, got.size(), expected.size())) return;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i]) {
      report.check_equal("walker " + std::to_string(i) + " " + name, got[i], expected[i]);
      return;
    }
  report.check("all walkers " + name, true);
}

void walks(std::size_t walkers, std::uint32_t steps, int launches, workbook::report& report,
           std::size_t blocks_more = 1) {
  const std::uint64_t seed = fresh_seed();
  std::vector<int> got;
  report.inspection(gs::inspect([&] {
    const auto states = gs::random_states(walkers, seed);
    const auto positions = gs::to_device(std::vector<int>(walkers, 0));
    for (int k = 0; k < launches; ++k)
      gs::launch<walk>({.grid = walkers / 32 + blocks_more, .block = 32}, states, steps, positions);
    got = positions.copy_to_host();
  }));
  const std::string name = "of " + std::to_string(walkers) + " after " + std::to_string(launches) + " launches of " +
                           std::to_string(steps) + " steps";
  compare(name, got, expected_positions(walkers, seed, steps * static_cast<std::uint32_t>(launches)), report);
}

void launches(std::size_t walkers, int count, workbook::report& report) {
  const std::uint64_t seed = fresh_seed();
  constexpr std::uint32_t steps = 7;
  std::vector<int> got;
  gs::ledger account;
  report.inspection(gs::inspect([&] {
    const gs::ledger_scope scope;
    got = after_launches(walkers, seed, steps, count);
    account = scope.account();
  }));
  const std::string name =
      "of " + std::to_string(walkers) + " by after_launches, " + std::to_string(count) + " launches";
  compare(name, got, expected_positions(walkers, seed, steps * static_cast<std::uint32_t>(count)), report);
  report.check_equal("launches of walk for walkers " + name, account.launches, count);
  report.check_at_most("copies to the device for walkers " + name, static_cast<double>(account.copies_to_device), 2);
  report.check_at_most("copies to the host for walkers " + name, static_cast<double>(account.copies_to_host), 1);
}

}  // namespace

workbook::exercise workbook::this_exercise() {
  return {.number = 20,
          .name = "random_numbers",
          .task = "a die that never shows 7, and walkers that each have a stream of their own",
          .check = [](workbook::report& report) {
            dice(report);
            walks(2, 1, 1, report);
            walks(33, 5, 1, report);
            walks(33, 5, 3, report);
            for (const std::size_t walkers : {1, 31, 32, 211}) walks(walkers, 20, 2, report);
            walks(0, 20, 2, report);
            walks(33, 0, 2, report);
            walks(40, 3, 2, report, 5);
            launches(100, 1, report);
            launches(100, 5, report);
            launches(67, 3, report);
            launches(5, 0, report);
          }};
}
