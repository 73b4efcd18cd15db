// What exercise 20 is checked for.

#include "workbook/exercise.h"
#include GRIDSTRIDE_EXERCISE

#include <array>
#include <cmath>
#include <random>
#include <string>

namespace {

// Another one at each call.
std::uint64_t fresh_seed() {
  static std::mt19937_64 random(workbook::seed_of_checks());
  return random();
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
  // The standard deviation of each count is 91; the seed is always the same, so this never fails by chance.
  for (std::size_t eyes = 1; eyes <= 6; ++eyes)
    report.check_near("how often the die shows " + std::to_string(eyes) + ", of 60,000", counts[eyes], 10'000, 0.05);
  // Seed 18058, stream 13,343, draw 36: where a float of [0, 1) rounds to 1.
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

void walks(std::size_t walkers, std::uint32_t steps, int launches, workbook::report& report) {
  const std::uint64_t seed = fresh_seed();
  std::vector<int> got;
  report.inspection(gs::inspect([&] {
    const auto states = gs::random_states(walkers, seed);
    const auto positions = gs::to_device(std::vector<int>(walkers, 0));
    for (int k = 0; k < launches; ++k)
      gs::launch<walk>({.grid = walkers / 32 + 1, .block = 32}, states, steps, positions);
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
            launches(100, 1, report);
            launches(100, 5, report);
            launches(67, 3, report);
            launches(5, 0, report);
          }};
}
